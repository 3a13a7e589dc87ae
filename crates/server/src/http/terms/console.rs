//! `GET /terms`, `/terms/{id}`: all published versions with their languages.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::session::Role;
use musette_core::terms::{Catalog, Term, TermType, choose_locale};
use musette_store::NoticeCounts;
use serde::Serialize;

use crate::http::access::caller::Caller;
use crate::http::access::permission::{Reach, ReadTerms, ReadTexts, Within};
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::TermPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::markets::scope;
use crate::node::app::App;
use crate::platform::closed_sets;

const DAY_MS: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

/// One language of a version.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct VariantBody {
    /// The language: a BCP 47 tag.
    #[schema(max_length = 35)]
    pub locale: String,
    /// The title in this language.
    #[schema(max_length = 200)]
    pub title: String,
    /// The SHA-256 of the document, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// A summary of the changes, in this language. Absent: the summary of the version applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
}

/// When and to how many riders a version was served: a channel accepted a message about it, or they
/// opened it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct NoticeFigures {
    /// The time at which it was first served to a rider. Null: it was not served yet.
    #[schema(required, format = DateTime)]
    pub first_served_at: Option<String>,
    /// The share of the riders of its market that it was served to.
    #[schema(minimum = 0, maximum = 1)]
    pub share_served: f64,
    /// The days from the first time until the version takes effect. Null: it was not served yet.
    #[schema(required)]
    pub days_before_effect: Option<f64>,
}

impl NoticeFigures {
    fn new(counts: &NoticeCounts, effective_from: Instant) -> Self {
        let days = |at: i64| (effective_from.millis() - at) as f64 / DAY_MS;
        Self {
            first_served_at: counts.first_at.map(|at| Instant::from_millis(at).to_string()),
            share_served: counts.share_served(),
            days_before_effect: counts.first_at.map(days),
        }
    }
}

/// A published version of a term with all its languages, which never change.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublishedTerm {
    /// The id of the version.
    #[schema(minimum = 1)]
    pub id: i64,
    /// The type of the term.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    pub kind: String,
    /// `consent`: people decide on the text. `notice`: they are informed.
    #[serde(rename = "kind")]
    #[schema(value_type = closed_sets::TermKind)]
    pub term_kind: &'static str,
    /// The status of the version at the current time.
    #[schema(value_type = closed_sets::TermStatus)]
    pub status: &'static str,
    /// The number of the version, counted from 1 for each document.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The document's own name for this version. Null if it has none.
    #[schema(required, max_length = 40)]
    pub label: Option<String>,
    /// True if a person must accept the term to work.
    pub mandatory: bool,
    /// The position in a list.
    pub display_order: i64,
    /// The time at which the version was published.
    #[schema(format = DateTime)]
    pub published_at: String,
    /// The time at which the version takes effect.
    #[schema(format = DateTime)]
    pub effective_from: String,
    /// The end of the grace period, during which the term is outstanding but blocks no person.
    /// Absent if there is no grace period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub grace_until: Option<String>,
    /// The id of the version that this one replaces. Absent for the first version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub replaces: Option<i64>,
    /// The id of the version that replaces this one. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub replaced_by: Option<i64>,
    /// The time at which the version was cancelled, so that it never takes effect. Absent if it was
    /// not cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub cancelled_at: Option<String>,
    /// The time from which people are no longer asked to accept the document. Absent if it is not
    /// retired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub retired_at: Option<String>,
    /// True if people must accept this version again.
    pub material: bool,
    /// The market of the text. Null: everywhere.
    #[schema(required)]
    pub market: Option<String>,
    /// The id of a version of the broader text that this one replaces inside its market. Null:
    /// none.
    #[schema(required, minimum = 1)]
    pub instead_of: Option<i64>,
    /// A summary of the changes, for languages without their own summary. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    /// When and to how many riders the version was served before it took effect. Absent from lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<NoticeFigures>,
    /// The languages. The first one is the default.
    pub variants: Vec<VariantBody>,
}

/// Filters of versions.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PublishedTermsQuery {
    /// Only versions of this type, such as `FREELANCER`.
    #[param(rename = "type", value_type = Option<String>)]
    kind: Option<TermType>,
    /// Only versions with this status.
    #[param(value_type = Option<closed_sets::TermStatus>)]
    status: Option<&'static str>,
    /// True: a caller with roles for some markets also sees versions for the markets around them
    /// and for everywhere, because these concern the people inside, too.
    #[param(value_type = Option<bool>)]
    around: bool,
}

impl FromQuery for PublishedTermsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let status =
            |text: &str| closed_sets::TERM_STATUSES.into_iter().find(|status| *status == text);
        Ok(Self {
            kind: parameters.parsed(
                "type",
                TermType::parse,
                "a type of terms, such as MARKETING",
            )?,
            status: parameters.parsed(
                "status",
                status,
                "scheduled, active, superseded, cancelled or retired",
            )?,
            around: parameters
                .parsed("around", |text| text.parse().ok(), "true or false")?
                .unwrap_or(false),
        })
    }
}

pub fn status(term: &Term, catalog: &Catalog, now: Instant) -> &'static str {
    if catalog.cancelled_at(term.id).is_some() {
        "cancelled"
    } else if catalog.is_retired(term.id, now) && catalog.first_replacement(term.id, now).is_none()
    {
        "retired"
    } else if !term.is_effective(now) {
        "scheduled"
    } else if catalog.is_in_effect(term, now) {
        "active"
    } else {
        "superseded"
    }
}

impl PublishedTerm {
    pub fn new(term: &Term, catalog: &Catalog, now: Instant) -> Self {
        let variants = term.variants.iter().map(|variant| VariantBody {
            locale: variant.locale.clone(),
            title: variant.title.clone(),
            sha256: variant.sha256.clone(),
            summary: variant.summary.clone(),
        });
        Self {
            id: term.id,
            kind: term.kind.to_string(),
            term_kind: term.term_kind.as_str(),
            status: status(term, catalog, now),
            version: term.version,
            label: term.label.clone(),
            mandatory: term.mandatory,
            display_order: term.display_order,
            published_at: term.published_at.to_string(),
            effective_from: term.effective_from.to_string(),
            grace_until: term.grace_until.map(|until| until.to_string()),
            replaces: term.replaces,
            replaced_by: catalog.successor(term.id).map(|term| term.id),
            cancelled_at: catalog.cancelled_at(term.id).map(|at| at.to_string()),
            retired_at: catalog.retired_at(term.id).map(|at| at.to_string()),
            material: term.material,
            market: term.market.as_ref().map(ToString::to_string),
            instead_of: term.instead_of,
            summary: term.summary.clone(),
            notice: None,
            variants: variants.collect(),
        }
    }
}

/// Where a caller reads texts as a colleague, and where as a representative. None: nowhere.
struct Reading {
    colleague: Option<Reach>,
    representative: Option<Reach>,
}

impl Reading {
    fn of(caller: &Caller) -> Self {
        Self {
            colleague: caller.reach_of::<ReadTerms>(),
            representative: caller.reach(&[Role::Representative]),
        }
    }

    fn lists(&self, term: &Term, around: bool, catalog: &Catalog, now: Instant) -> bool {
        let market = term.market.as_ref();
        let is_covered = |reach: &Reach| match around {
            true => reach.touches(market),
            false => reach.covers(market),
        };
        let is_represented = |reach: &Reach| reach.touches(market);
        self.colleague.as_ref().is_some_and(is_covered)
            || is_current(term, catalog, now)
                && self.representative.as_ref().is_some_and(is_represented)
    }

    /// A text for a market around the caller's markets concerns the people inside, too.
    fn reads(&self, term: &Term, catalog: &Catalog, now: Instant) -> bool {
        let touches = |reach: &Reach| reach.touches(term.market.as_ref());
        let is_compared = || {
            let current = catalog.all().iter().filter(|other| is_current(other, catalog, now));
            current.filter_map(|other| other.replaces).any(|id| id == term.id)
        };
        self.colleague.as_ref().is_some_and(touches)
            || self.representative.as_ref().is_some_and(touches)
                && (is_current(term, catalog, now) || is_compared())
    }
}

/// Returns whether the version is in effect or to come.
fn is_current(term: &Term, catalog: &Catalog, now: Instant) -> bool {
    matches!(status(term, catalog, now), "active" | "scheduled")
}

/// List published versions, newest first.
///
/// The list includes superseded and scheduled versions. A representative gets the versions in effect
/// and to come that concern their markets.
///
/// - 400 `invalid_parameter`: the type, status or cursor is unknown.
#[utoipa::path(
    get, path = "/api/admin/v1/terms", tag = "admin-terms", operation_id = "published_terms",
    params(PublishedTermsQuery, Page),
    responses((status = 200, body = Paged<PublishedTerm>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_texts"]))
)]
pub async fn terms(
    State(app): State<Arc<App>>,
    Within { caller, .. }: Within<ReadTexts>,
    Query(query): Query<PublishedTermsQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let PublishedTermsQuery { kind, status: required_status, around } = query;
    let before = page.before_number()?;
    let reading = Reading::of(&caller);
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let mut terms: Vec<&Term> = catalog
        .all()
        .iter()
        .filter(|term| term.id < before && kind.as_ref().is_none_or(|kind| term.kind == *kind))
        .filter(|term| reading.lists(term, around, &catalog, now))
        .filter(|term| {
            required_status.is_none_or(|required| status(term, &catalog, now) == required)
        })
        .collect();
    terms.sort_by_key(|term| std::cmp::Reverse(term.id));
    terms.truncate(page.limit + 1);
    let key = |term: &&Term| term.id.to_string();
    Ok(private(&page.of(terms, key, |term| PublishedTerm::new(term, &catalog, now))))
}

/// Read a published version.
///
/// A representative reads versions in effect, to come, and those that these replace, without
/// `notice`.
///
/// - 404 `not_found`: the version does not exist, or is still a draft.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/{id}", tag = "admin-terms", operation_id = "published_term",
    params(TermPath),
    responses((status = 200, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_texts"]))
)]
pub async fn term(
    State(app): State<Arc<App>>,
    Within { caller, .. }: Within<ReadTexts>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = find(&catalog, &id)?;
    let now = app.now();
    let reading = Reading::of(&caller);
    if !reading.reads(term, &catalog, now) {
        return Err(Problem::denied_to(&caller.subject));
    }
    let mut published = PublishedTerm::new(term, &catalog, now);
    let reach = reading.colleague.filter(|reach| reach.touches(term.market.as_ref()));
    if let Some(markets) = reach.and_then(|reach| reach.counted(None)) {
        let market = scope(&catalog, term, &markets, now);
        let counts = app.store.notice_counts(term.id, &market).await?;
        published.notice = Some(NoticeFigures::new(&counts, term.effective_from));
    }
    Ok(private(&published))
}

/// Returns the title in the reader's language, or else in the default language.
pub fn title(term: &Term, ranges: &[&str]) -> String {
    choose_locale(ranges, &term.variants).map_or_else(String::new, |variant| variant.title.clone())
}

pub fn find<'a>(catalog: &'a Catalog, id: &str) -> Result<&'a Term, Problem> {
    id.parse()
        .ok()
        .and_then(|id| catalog.get(id))
        .ok_or_else(|| Problem::absent("term with this id"))
}

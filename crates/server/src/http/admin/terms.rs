//! `GET /terms`, `/terms/{id}`: every published version with all its languages.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Term, TermType, choose_locale};
use serde::Serialize;

use super::page::{Page, Paged};
use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::parameters::TermPath;
use crate::http::permission::{ReadTerms, Within};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};

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
    /// What has changed, in this language. Absent: the summary of the version applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
}

/// A published version of a term with all its languages. They never change.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublishedTerm {
    /// Identifies this version.
    #[schema(minimum = 1)]
    pub id: i64,
    /// The type of the term.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    pub kind: String,
    /// Whether the version is in effect now.
    #[schema(value_type = closed_sets::TermStatus)]
    pub status: &'static str,
    /// The number of this version, counted from 1 for each document.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The name that the document itself gives this version. Null if it gives none.
    #[schema(required, max_length = 40)]
    pub label: Option<String>,
    /// Whether a person must accept it to work.
    pub mandatory: bool,
    /// The place in a list.
    pub display_order: i64,
    /// When the version was published.
    #[schema(format = DateTime)]
    pub published_at: String,
    /// When the version takes effect.
    #[schema(format = DateTime)]
    pub effective_from: String,
    /// Until then the term is outstanding but does not block anybody. Absent without a grace
    /// period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub grace_until: Option<String>,
    /// The version that this one replaces. Absent for the first version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub replaces: Option<i64>,
    /// The version that replaces this one. Absent if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub replaced_by: Option<i64>,
    /// When the version was cancelled: it never takes effect. Absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub cancelled_at: Option<String>,
    /// From when on nobody is asked for any version of the document. Absent if it is not retired.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub retired_at: Option<String>,
    /// Whether people must accept this version again.
    pub material: bool,
    /// Where the text is for. Null: everywhere.
    #[schema(required)]
    pub market: Option<String>,
    /// A version of the broader text whose place this one takes inside its market. Null: none.
    #[schema(required, minimum = 1)]
    pub instead_of: Option<i64>,
    /// What has changed, for languages without a sentence of their own. Absent if nobody wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    /// The languages. The first is the default.
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
    /// True: with a grant for some markets also the versions for markets around them and for everywhere, which are for
    /// the people inside, too.
    #[param(value_type = Option<bool>)]
    around: bool,
}

impl FromQuery for PublishedTermsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let status = |text: &str| closed_sets::TERM_STATUSES.into_iter().find(|it| *it == text);
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
            status: status(term, catalog, now),
            version: term.version,
            label: term.label.clone(),
            mandatory: term.mandatory,
            display_order: term.display_order,
            published_at: term.published_at.to_string(),
            effective_from: term.effective_from.to_string(),
            grace_until: term.grace_until.map(|until| until.to_string()),
            replaces: term.replaces,
            replaced_by: catalog.successor(term.id).map(|it| it.id),
            cancelled_at: catalog.cancelled_at(term.id).map(|at| at.to_string()),
            retired_at: catalog.retired_at(term.id).map(|at| at.to_string()),
            material: term.material,
            market: term.market.as_ref().map(ToString::to_string),
            instead_of: term.instead_of,
            summary: term.summary.clone(),
            variants: variants.collect(),
        }
    }
}

/// List published versions, newest first.
///
/// Superseded and scheduled versions too. 400 `invalid_parameter`: an unknown type, status or cursor.
#[utoipa::path(
    get, path = "/api/admin/v1/terms", tag = "admin-terms", operation_id = "published_terms",
    params(PublishedTermsQuery, Page),
    responses((status = 200, body = Paged<PublishedTerm>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn terms(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadTerms>,
    Query(query): Query<PublishedTermsQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let PublishedTermsQuery { kind, status: wanted, around } = query;
    let before = page.before_number()?;
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let mut found: Vec<&Term> = catalog
        .all()
        .iter()
        .filter(|term| term.id < before && kind.as_ref().is_none_or(|kind| term.kind == *kind))
        .filter(|term| match around {
            true => reach.touches(term.market.as_ref()),
            false => reach.covers(term.market.as_ref()),
        })
        .filter(|term| wanted.is_none_or(|wanted| status(term, &catalog, now) == wanted))
        .collect();
    found.sort_by_key(|term| std::cmp::Reverse(term.id));
    found.truncate(page.limit + 1);
    let key = |term: &&Term| term.id.to_string();
    Ok(private(&page.of(found, key, |term| PublishedTerm::new(term, &catalog, now))))
}

/// Read a published version.
///
/// 404 `not_found`: unknown, or still a draft.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/{id}", tag = "admin-terms", operation_id = "published_term",
    params(TermPath),
    responses((status = 200, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn term(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadTerms>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = find(&catalog, &id)?;
    // A text for a market around is for the people inside, too.
    if !reach.touches(term.market.as_ref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(private(&PublishedTerm::new(term, &catalog, app.now())))
}

/// In the reader's language, else the default one.
pub fn title(term: &Term, ranges: &[&str]) -> String {
    choose_locale(ranges, &term.variants).map_or_else(String::new, |it| it.title.clone())
}

pub fn find<'a>(catalog: &'a Catalog, id: &str) -> Result<&'a Term, Problem> {
    id.parse().ok().and_then(|id| catalog.get(id)).ok_or_else(|| Problem::absent("term of this id"))
}

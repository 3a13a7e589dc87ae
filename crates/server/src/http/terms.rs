//! `GET /terms`, `/public/terms`, `/terms/{userId}/outstanding`.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use musette_core::instant::Instant;
use musette_core::session::Role;
use musette_core::terms::{
    Catalog, Term, TermType, Variant, choose_locale, language_ranges, outstanding,
};
use serde::Serialize;

use super::caching::{none_match, private};
use super::caller::{Caller, Owner, PublicRead};
use super::language::accept_language;
use super::origin::origin;
use super::problem::Problem;
use super::query::query_pairs;
use crate::app::App;
use crate::random;

/// More types than any product has.
const TYPES_MAX: usize = 32;
/// Further back nobody is shown what has changed.
const EARLIER_VERSIONS_MAX: usize = 20;
/// So long a shared cache may keep the public terms at the most.
const PUBLIC_MAX_AGE: Duration = Duration::from_secs(60);

/// One version of a text, in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct TermBody {
    /// Names exactly this version; a new text has a new id.
    pub id: i64,
    pub title: String,
    /// Absolute link to the document.
    pub content: String,
    pub mandatory: bool,
    pub display_order: i64,
    #[serde(rename = "type")]
    pub kind: String,
    /// Counts the versions of one document from 1.
    pub version: i64,
    /// What the document calls this version, such as `1.1`; null where it was given none, and the
    /// counter names it. At most 40 characters.
    #[schema(required)]
    pub label: Option<String>,
    pub locale: String,
    /// Of the document's bytes, in lower-case hex.
    pub sha256: String,
    /// RFC 3339.
    pub effective_from: String,
    /// Until then it is outstanding, but blocks nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<String>,
    /// The version that this one took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<i64>,
    /// A material version must be accepted again; a minor one inherits what was accepted.
    pub material: bool,
    /// What has changed, in plain words and in this language where it has a sentence of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// In lists of the terms in effect: the versions before this one, the newest first, up to 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_versions: Vec<EarlierVersion>,
}

/// A version that a newer one has replaced: what somebody may have agreed to.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct EarlierVersion {
    pub id: i64,
    /// Counts the versions of one document from 1.
    pub version: i64,
    /// What the document called that version; null where it was given none.
    #[schema(required)]
    pub label: Option<String>,
    /// Of this version's text; another than that of the term where it was not published in that one.
    pub locale: String,
    /// Of this version's document.
    pub sha256: String,
    pub material: bool,
    /// What this version had changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl EarlierVersion {
    fn new(term: &Term, ranges: &[&str]) -> Option<Self> {
        let variant = choose_locale(ranges, &term.variants)?;
        Some(Self {
            id: term.id,
            version: term.version,
            label: term.label.clone(),
            locale: variant.locale.clone(),
            sha256: variant.sha256.clone(),
            material: term.material,
            summary: term.summary_in(variant).map(str::to_owned),
        })
    }
}

impl TermBody {
    /// None only for a term without any text, which is never published.
    pub fn new(term: &Term, ranges: &[&str], origin: &str) -> Option<Self> {
        Some(Self::of_variant(term, choose_locale(ranges, &term.variants)?, origin))
    }

    /// With the versions that it came after, so that a client can show what has changed.
    fn with_earlier_versions(mut self, catalog: &Catalog, term: &Term) -> Self {
        // The older text is wanted in the language in which the newer one is shown.
        let ranges = [self.locale.as_str()];
        let earlier = catalog.earlier_versions(term).take(EARLIER_VERSIONS_MAX);
        self.earlier_versions =
            earlier.filter_map(|term| EarlierVersion::new(term, &ranges)).collect();
        self
    }

    pub fn of_variant(term: &Term, variant: &Variant, origin: &str) -> Self {
        Self {
            id: term.id,
            title: variant.title.clone(),
            content: format!("{origin}/documents/{}.pdf", variant.sha256),
            mandatory: term.mandatory,
            display_order: term.display_order,
            kind: term.kind.to_string(),
            version: term.version,
            label: term.label.clone(),
            locale: variant.locale.clone(),
            sha256: variant.sha256.clone(),
            effective_from: term.effective_from.to_string(),
            grace_until: term.grace_until.map(|until| until.to_string()),
            replaces: term.replaces,
            material: term.material,
            summary: term.summary_in(variant).map(str::to_owned),
            earlier_versions: Vec::new(),
        }
    }
}

/// `?types=A,B`; without it `FREELANCER,MARKETING`.
pub struct Types(pub Vec<TermType>);

impl<S: Send + Sync> FromRequestParts<S> for Types {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default();
        let mut given =
            query_pairs(query).filter(|(name, _)| name == "types").map(|(_, value)| value);
        let types = given.next().unwrap_or_else(|| "FREELANCER,MARKETING".to_owned());
        if given.next().is_some() {
            return Err(Problem::invalid_parameter("'types' stands twice."));
        }
        let parsed: Option<Vec<TermType>> = types.split(',').map(TermType::parse).collect();
        match parsed {
            Some(types) if types.len() <= TYPES_MAX => Ok(Self(types)),
            Some(_) => Err(Problem::invalid_parameter(format!(
                "'types' names more than {TYPES_MAX} types."
            ))),
            None => Err(Problem::invalid_parameter(
                "'types' is a list of types of the form [A-Z][A-Z0-9_]{0,31}, such as FREELANCER,MARKETING.",
            )),
        }
    }
}

fn bodies<'a>(
    catalog: &Catalog,
    terms: impl Iterator<Item = &'a Term>,
    language: &str,
    origin: &str,
) -> Vec<TermBody> {
    let ranges = language_ranges(language);
    terms
        .filter_map(|term| {
            Some(TermBody::new(term, &ranges, origin)?.with_earlier_versions(catalog, term))
        })
        .collect()
}

/// The terms in effect, for whoever has a session.
#[utoipa::path(
    get, path = "/api/rooster/v3/terms", tag = "terms",
    params(
        ("types" = Option<String>, Query, description = "Comma-separated types; FREELANCER,MARKETING without it"),
        ("Accept-Language" = Option<String>, Header, description = "RFC 4647 lookup among each term's languages")
    ),
    responses((status = 200, body = Vec<TermBody>), (status = "4XX", body = super::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn terms(
    State(app): State<Arc<App>>,
    Types(types): Types,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let live = app.live.load();
    let now = app.now();
    let in_effect = live.catalog.in_effect(&types, now);
    let body = bodies(&live.catalog, in_effect, &accept_language(&headers), &origin);
    if caller.has(Role::Rider) {
        app.views.shown(&caller.subject, body.iter().map(|term| term.id), now.millis());
    }
    Ok(private(&body))
}

/// The terms in effect, for anybody.
#[utoipa::path(
    get, path = "/api/rooster/v3/public/terms", tag = "terms",
    params(
        ("types" = Option<String>, Query, description = "Comma-separated types; FREELANCER,MARKETING without it"),
        ("Accept-Language" = Option<String>, Header, description = "RFC 4647 lookup among each term's languages")
    ),
    responses((status = 200, body = Vec<TermBody>), (status = "4XX", body = super::problem::ProblemBody))
)]
pub async fn public_terms(
    State(app): State<Arc<App>>,
    Types(types): Types,
    _read: PublicRead,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let language = accept_language(&headers);
    let now = app.now();
    let live = app.live.load();
    let rendered = live.rendered_terms.get(&live.catalog, types, language, origin, now);
    Ok(rendered.answer(&headers, now))
}

/// What a person must still accept, and whether that stops them from working.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OutstandingBody {
    pub user_id: String,
    /// False as soon as one of the outstanding terms is past its grace.
    pub may_work: bool,
    pub outstanding: Vec<TermBody>,
}

/// May this rider start a shift?
#[utoipa::path(
    get, path = "/api/rooster/v3/terms/{userId}/outstanding", tag = "terms",
    params(("userId" = String, Path), ("types" = Option<String>, Query)),
    responses((status = 200, body = OutstandingBody), (status = "4XX", body = super::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn outstanding_terms(
    State(app): State<Arc<App>>,
    Types(types): Types,
    owner: Owner,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let decisions = app.store.decisions(&owner.subject).await?;
    let live = app.live.load();
    let outstanding = outstanding(&live.catalog, &decisions, &types, app.now());
    Ok(private(&OutstandingBody {
        user_id: owner.user_id,
        may_work: outstanding.may_work,
        outstanding: bodies(
            &live.catalog,
            outstanding.terms.into_iter(),
            &accept_language(&headers),
            &origin,
        ),
    }))
}

/// The public terms as bytes, so that a thousand applicants cost one rendering. Bounded, and dropped
/// with the revision that it was made from.
#[derive(Default)]
pub struct RenderedTerms(RwLock<HashMap<Asked, Arc<Rendered>>>);

/// Types, languages and origin.
type Asked = (Vec<TermType>, String, String);

/// What a flood of odd languages may make us remember.
const RENDERED_MAX: usize = 1024;

struct Rendered {
    /// Up to the next change by schedule.
    until: Option<Instant>,
    body: Bytes,
    etag: HeaderValue,
}

impl RenderedTerms {
    fn get(
        &self,
        catalog: &Catalog,
        types: Vec<TermType>,
        language: String,
        origin: String,
        now: Instant,
    ) -> Arc<Rendered> {
        let key = (types, language, origin);
        let read = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(rendered) = read.get(&key)
            && rendered.until.is_none_or(|until| now < until)
        {
            return Arc::clone(rendered);
        }
        drop(read);
        let terms = bodies(catalog, catalog.in_effect(&key.0, now), &key.1, &key.2);
        let body = serde_json::to_vec(&terms).unwrap_or_default();
        let etag = format!("\"{}\"", &random::sha256_hex(&body)[..32]);
        let rendered = Arc::new(Rendered {
            until: catalog.next_change(now),
            etag: HeaderValue::try_from(etag).unwrap_or_else(|_| HeaderValue::from_static("\"\"")),
            body: body.into(),
        });
        let mut write = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if write.len() >= RENDERED_MAX {
            write.clear();
        }
        write.insert(key, Arc::clone(&rendered));
        rendered
    }
}

impl Rendered {
    fn answer(&self, headers: &HeaderMap, now: Instant) -> Response {
        let left = self.until.map_or(PUBLIC_MAX_AGE, |until| until.since(now).min(PUBLIC_MAX_AGE));
        let fixed = [
            (header::CACHE_CONTROL, format!("public, max-age={}", left.as_secs())),
            (header::VARY, "Accept-Language".to_owned()),
        ];
        let etag = [(header::ETAG, self.etag.clone())];
        if none_match(headers, &self.etag) {
            return (StatusCode::NOT_MODIFIED, fixed, etag).into_response();
        }
        let json = [(header::CONTENT_TYPE, "application/json")];
        (fixed, etag, json, self.body.clone()).into_response()
    }
}

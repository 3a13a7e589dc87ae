//! `GET /terms`, `/terms/{id}`: every published version with all its languages.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Term, TermType, choose_locale};
use serde::Serialize;

use super::page::{Page, Paged};
use crate::app::App;
use crate::http::caching::private;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};

/// One language of a version.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct VariantBody {
    pub locale: String,
    pub title: String,
    pub sha256: String,
    /// What has changed, in this language; without it the term's stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// A published version.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublishedTerm {
    pub id: i64,
    #[serde(rename = "type")]
    pub kind: String,
    /// `scheduled`, `active` or `superseded`.
    pub status: &'static str,
    pub version: i64,
    /// What the document calls this version; null where it was given none.
    #[schema(required)]
    pub label: Option<String>,
    pub mandatory: bool,
    pub display_order: i64,
    pub published_at: String,
    pub effective_from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<i64>,
    pub material: bool,
    /// What has changed, for languages without a sentence of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The first is the default language.
    pub variants: Vec<VariantBody>,
}

fn status(term: &Term, catalog: &Catalog, now: Instant) -> &'static str {
    if !term.is_effective(now) {
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
            material: term.material,
            summary: term.summary.clone(),
            variants: variants.collect(),
        }
    }
}

/// Published versions, the newest first.
#[utoipa::path(
    get, path = "/api/admin/v1/terms", tag = "admin", operation_id = "published_terms",
    params(
        ("type" = Option<String>, Query), ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query),
        ("status" = Option<String>, Query, description = "scheduled, active or superseded")
    ),
    responses((status = 200, body = Paged<PublishedTerm>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn terms(
    State(app): State<Arc<App>>,
    _operator: Operator,
    page: Page,
) -> Result<Response, Problem> {
    let kind = page.filter("type").map(TermType::parse);
    let kind = match kind {
        Some(None) => return Err(Problem::invalid_parameter("'type' is not a type of terms.")),
        Some(kind) => kind,
        None => None,
    };
    let wanted = page.filter("status");
    if wanted.is_some_and(|it| !matches!(it, "scheduled" | "active" | "superseded")) {
        return Err(Problem::invalid_parameter("'status' is scheduled, active or superseded."));
    }
    let before = page.before_number()?;
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let mut found: Vec<&Term> = catalog
        .all()
        .iter()
        .filter(|term| term.id < before && kind.as_ref().is_none_or(|kind| term.kind == *kind))
        .filter(|term| wanted.is_none_or(|wanted| status(term, &catalog, now) == wanted))
        .collect();
    found.sort_by_key(|term| std::cmp::Reverse(term.id));
    found.truncate(page.limit + 1);
    let key = |term: &&Term| term.id.to_string();
    Ok(private(&page.of(found, key, |term| PublishedTerm::new(term, &catalog, now))))
}

/// One published version.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/{id}", tag = "admin", operation_id = "published_term",
    params(("id" = i64, Path)),
    responses((status = 200, body = PublishedTerm), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn term(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = find(&catalog, &id)?;
    Ok(private(&PublishedTerm::new(term, &catalog, app.now())))
}

/// In the reader's language, else the default one.
pub fn title(term: &Term, ranges: &[&str]) -> String {
    choose_locale(ranges, &term.variants).map_or_else(String::new, |it| it.title.clone())
}

pub fn find<'a>(catalog: &'a Catalog, id: &str) -> Result<&'a Term, Problem> {
    id.parse().ok().and_then(|id| catalog.get(id)).ok_or_else(Problem::not_found)
}

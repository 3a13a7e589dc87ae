//! `GET /overview`: the first page of the console.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use musette_core::terms::{Term, language_ranges};
use serde::Serialize;

use super::coverage::counted;
use super::settings::engine;
use super::terms::title;
use crate::app::App;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::terms::{accept_language, private};

/// More mandatory terms than any product asks for at once.
const TERMS_MAX: usize = 20;

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Overview {
    version: &'static str,
    /// `sqlite` or `postgres`.
    engine: &'static str,
    /// How one-time codes leave: `log`, `smtp` or `webhook`.
    code_delivery: &'static str,
    riders: i64,
    /// Mandatory terms in effect, in order of display.
    mandatory: Vec<MandatoryTerm>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MandatoryTerm {
    id: i64,
    /// In the reader's language, else the default one.
    title: String,
    /// The default language first.
    titles: Vec<TermTitle>,
    #[serde(rename = "type")]
    kind: String,
    riders_outstanding: i64,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct TermTitle {
    locale: String,
    title: String,
}

fn titles(term: &Term) -> Vec<TermTitle> {
    let variants = term.variants.iter();
    variants.map(|it| TermTitle { locale: it.locale.clone(), title: it.title.clone() }).collect()
}

/// Numbers for whoever opens the console.
#[utoipa::path(
    get, path = "/api/admin/v1/overview", tag = "admin",
    params(("Accept-Language" = Option<String>, Header, description = "For the titles of terms")),
    responses((status = 200, body = Overview), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn overview(
    State(app): State<Arc<App>>,
    _operator: Operator,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let language = accept_language(&headers);
    let ranges = language_ranges(&language);
    let asked = |term: &&Term| term.mandatory && catalog.is_in_effect(term, now);
    let mut mandatory = Vec::new();
    for term in catalog.all().iter().filter(asked).take(TERMS_MAX) {
        let coverage = counted(&app, term).await?;
        mandatory.push(MandatoryTerm {
            id: term.id,
            title: title(term, &ranges),
            titles: titles(term),
            kind: term.kind.to_string(),
            riders_outstanding: coverage.riders_outstanding,
        });
    }
    Ok(private(&Overview {
        version: env!("CARGO_PKG_VERSION"),
        engine: engine(&app),
        code_delivery: app.delivery.name(),
        riders: app.store.count_riders().await?,
        mandatory,
    }))
}

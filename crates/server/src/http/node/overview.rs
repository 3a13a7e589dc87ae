//! `GET /overview`: the start page of the console.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{Term, language_ranges};
use musette_store::AsOf;
use serde::Serialize;

use super::settings::engine;
use crate::http::access::permission::{Read, Within};
use crate::http::terms::console::title;
use crate::http::terms::coverage::counted;
use crate::http::wire::caching::private;
use crate::http::wire::language::accept_language;
use crate::http::wire::parameters::AcceptLanguage;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::closed_sets;

/// More mandatory terms than any product has at once.
const TERMS_MAX: usize = 20;
/// The time to wait for counts. The response omits counts that take longer.
const WAIT: Duration = Duration::from_millis(100);

/// Numbers for the first page of the console.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Overview {
    /// The version of the program.
    version: &'static str,
    /// The database engine.
    #[schema(value_type = closed_sets::EngineName)]
    engine: &'static str,
    /// The delivery method of one-time codes.
    #[schema(value_type = closed_sets::DeliveryKind)]
    code_delivery: &'static str,
    /// The number of all riders.
    #[schema(minimum = 0)]
    riders: i64,
    /// The mandatory terms in effect, in order of display, at most 20.
    #[schema(max_items = 20)]
    mandatory: Vec<MandatoryTerm>,
    /// The progress of the first set-up.
    first_steps: FirstStepsBody,
}

/// The progress of the first set-up.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct FirstStepsBody {
    /// True if an admin exists.
    admin: bool,
    /// True if a term is published.
    term: bool,
    /// True if an environment is served.
    environment: bool,
    /// True if a valid flag key exists.
    flag_key: bool,
    /// True if codes are delivered, and not only written to the server log.
    code_delivery: bool,
    /// The time of the last `musette backup`. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    last_backup_at: Option<String>,
}

async fn first_steps(app: &App) -> Result<FirstStepsBody, Problem> {
    let steps = app.store.first_steps().await?;
    Ok(FirstStepsBody {
        admin: steps.admin,
        term: steps.term,
        environment: steps.environment,
        flag_key: steps.flag_key,
        code_delivery: app.delivery.name() != "log",
        last_backup_at: steps.backup_at.map(|at| Instant::from_millis(at).to_string()),
    })
}

/// A mandatory term in effect.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MandatoryTerm {
    /// The id of the version.
    #[schema(minimum = 1)]
    id: i64,
    /// The title in the reader's language, or else in the default language.
    title: String,
    /// The title in every language. The first one is the default.
    titles: Vec<TermTitle>,
    /// The type of the term.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    kind: String,
    /// The number of riders that the term concerns: those of its market, except where a narrower
    /// text replaces it. Absent during the first count; retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    riders: Option<i64>,
    /// The number of these riders who have not accepted it. Absent during the first count; retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    riders_outstanding: Option<i64>,
}

/// A title in one language.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct TermTitle {
    /// The language: a BCP 47 tag.
    #[schema(max_length = 35)]
    locale: String,
    /// The title.
    title: String,
}

fn titles(term: &Term) -> Vec<TermTitle> {
    let variants = term.variants.iter();
    let titles = variants
        .map(|variant| TermTitle { locale: variant.locale.clone(), title: variant.title.clone() });
    titles.collect()
}

/// Read the numbers of the console's start page.
///
/// The response omits a count that takes longer than 100 ms; retry for it.
#[utoipa::path(
    get, path = "/api/admin/v1/overview", tag = "admin-server",
    params(AcceptLanguage),
    responses((status = 200, body = Overview), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn overview(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<Read>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (catalog, now) = (Arc::clone(&app.live.load().catalog), app.now());
    let language = accept_language(&headers);
    let ranges = language_ranges(&language);
    let is_relevant = |term: &&Term| {
        let is_inside = reach.touches(term.market.as_ref());
        term.mandatory && is_inside && catalog.is_in_effect(term, now)
    };
    let terms: Vec<&Term> = catalog.all().iter().filter(is_relevant).take(TERMS_MAX).collect();
    // Each count continues after the time is over, so that its result is cached.
    let counts: Vec<_> = terms
        .iter()
        .map(|&term| (Arc::clone(&app), term.clone()))
        .filter_map(|(app, term)| {
            let markets = reach.counted(None)?;
            Some(tokio::spawn(async move { counted(&app, &term, None, markets).await }))
        })
        .collect();
    let until = tokio::time::Instant::now() + WAIT;
    let mut mandatory = Vec::new();
    let mut counts = counts.into_iter();
    for term in terms {
        let coverage = match counts.next() {
            Some(count) => match tokio::time::timeout_at(until, count).await {
                Ok(Ok(coverage)) => Some(coverage?),
                Ok(Err(_)) | Err(_) => None,
            },
            None => None,
        };
        mandatory.push(MandatoryTerm {
            id: term.id,
            title: title(term, &ranges),
            titles: titles(term),
            kind: term.kind.to_string(),
            riders: coverage.as_ref().map(|coverage| coverage.riders),
            riders_outstanding: coverage.map(|coverage| coverage.riders_outstanding),
        });
    }
    Ok(private(&Overview {
        version: env!("CARGO_PKG_VERSION"),
        engine: engine(&app),
        code_delivery: app.delivery.name(),
        riders: match &reach.markets {
            None => app.store.count_riders().await?,
            Some(_) => app.store.count_riders_at(AsOf::NOW, &reach.filter(None)).await?,
        },
        mandatory,
        first_steps: first_steps(&app).await?,
    }))
}

//! `GET /overview`: the first page of the console.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{Term, language_ranges};
use musette_store::AsOf;
use serde::Serialize;

use super::coverage::counted;
use super::settings::engine;
use super::terms::title;
use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::language::accept_language;
use crate::http::parameters::AcceptLanguage;
use crate::http::permission::{Read, Within};
use crate::http::problem::{Problem, ProblemBody};

/// More mandatory terms than any product asks for at once.
const TERMS_MAX: usize = 20;
/// The page comes without the counts that take longer.
const WAIT: Duration = Duration::from_millis(100);

/// Numbers for the first page of the console.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Overview {
    /// The version of the program.
    version: &'static str,
    /// The database engine.
    #[schema(value_type = closed_sets::EngineName)]
    engine: &'static str,
    /// How one-time codes are delivered.
    #[schema(value_type = closed_sets::DeliveryKind)]
    code_delivery: &'static str,
    /// All riders.
    #[schema(minimum = 0)]
    riders: i64,
    /// The mandatory terms in effect, in order of display, at most 20.
    #[schema(max_items = 20)]
    mandatory: Vec<MandatoryTerm>,
    /// What of the first set-up is done.
    first_steps: FirstStepsBody,
}

/// What of the first set-up is done.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct FirstStepsBody {
    /// Whether there is an admin.
    admin: bool,
    /// Whether a term is published.
    term: bool,
    /// Whether an environment is served.
    environment: bool,
    /// Whether a flag key is valid.
    flag_key: bool,
    /// Whether codes are delivered, and not only written to the log.
    code_delivery: bool,
    /// When `musette backup` last wrote a backup. Absent if it never did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    last_backup_at: Option<String>,
}

async fn first_steps(app: &App) -> Result<FirstStepsBody, Problem> {
    let done = app.store.first_steps().await?;
    Ok(FirstStepsBody {
        admin: done.admin,
        term: done.term,
        environment: done.environment,
        flag_key: done.flag_key,
        code_delivery: app.delivery.name() != "log",
        last_backup_at: done.backup_at.map(|at| Instant::from_millis(at).to_string()),
    })
}

/// A mandatory term in effect.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MandatoryTerm {
    /// Identifies the version.
    #[schema(minimum = 1)]
    id: i64,
    /// The title in the reader's language, or the default one.
    title: String,
    /// The title in every language. The first is the default.
    titles: Vec<TermTitle>,
    /// The type of the term.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    kind: String,
    /// Riders whom it is for: those of its market, where no narrower text takes its place. Absent while they are counted
    /// for the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    riders: Option<i64>,
    /// The part of them who have not accepted it. Absent while they are counted for the first time: ask
    /// again.
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
    variants.map(|it| TermTitle { locale: it.locale.clone(), title: it.title.clone() }).collect()
}

/// Read the numbers of the console's first page.
///
/// A count that takes longer than 100 ms is left out; ask again.
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
    let asked = |term: &&Term| {
        let is_inside = reach.touches(term.market.as_ref());
        term.mandatory && is_inside && catalog.is_in_effect(term, now)
    };
    let terms: Vec<&Term> = catalog.all().iter().filter(asked).take(TERMS_MAX).collect();
    // Each goes on when nobody waits for it any more.
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
            riders: coverage.as_ref().map(|it| it.riders),
            riders_outstanding: coverage.map(|it| it.riders_outstanding),
        });
    }
    Ok(private(&Overview {
        version: env!("CARGO_PKG_VERSION"),
        engine: engine(&app),
        code_delivery: app.delivery.name(),
        riders: match &reach.markets {
            None => app.store.count_riders().await?,
            Some(_) => app.store.count_riders_then(AsOf::NOW, &reach.filter(None)).await?,
        },
        mandatory,
        first_steps: first_steps(&app).await?,
    }))
}

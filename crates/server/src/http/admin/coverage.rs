//! `GET /terms/{id}/coverage`, `/terms/{id}/missing`: who has agreed, and who has not.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Term, TermId};
use musette_store::{Funnel, StoreError, Tally};
use serde::Serialize;

use super::page::{Page, Paged, cursor};
use super::terms::find;
use crate::app::App;
use crate::http::caching::private;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};

const DAYS_SHOWN: i64 = 366;
const DAY_MS: i64 = 86_400_000;
/// Riders looked at for one page of those who are missing, when almost nobody is.
const RIDERS_A_READ: i64 = 2_000;
const READS_A_PAGE: usize = 5;

/// Who has decided what about one term.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Coverage {
    pub terms_and_conditions_id: i64,
    /// When it was counted; RFC 3339.
    pub counted_at: String,
    /// People whose latest decision accepts, applicants included.
    pub accepted: i64,
    pub refused: i64,
    pub withdrawn: i64,
    pub riders: i64,
    /// Riders whose latest decision does not accept, or who have none.
    pub riders_outstanding: i64,
    pub funnel: FunnelBody,
    /// Decisions on exactly this version, of the last 366 days.
    pub by_day: Vec<DayTally>,
    /// Decisions on exactly this version.
    pub by_language: Vec<LanguageTally>,
}

/// Riders to whom this version was shown (`GET /terms` with their session) before they had decided on
/// it, and what became of exactly these. Applicants have no session and are not among them.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct FunnelBody {
    pub shown: i64,
    /// Asked for its document with their session, or said so with their decision.
    pub opened: i64,
    pub decided: i64,
    /// Their latest decision accepts.
    pub accepted: i64,
}

impl From<Funnel> for FunnelBody {
    fn from(Funnel { shown, opened, decided, accepted }: Funnel) -> Self {
        Self { shown, opened, decided, accepted }
    }
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct DayTally {
    /// In UTC.
    pub day: String,
    pub accepted: i64,
    pub refused: i64,
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct LanguageTally {
    pub locale: String,
    pub accepted: i64,
    pub refused: i64,
}

/// A rider who has not agreed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MissingRider {
    pub user_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

fn lineage(catalog: &Catalog, term: &Term) -> Vec<TermId> {
    catalog.lineage(term).map(|it| it.id).collect()
}

async fn count(app: &App, term: &Term) -> Result<Coverage, StoreError> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let now = app.now();
    let standing = app.store.standing(&lineage(&catalog, term)).await?;
    let riders = app.store.count_riders().await?;
    let funnel = app.store.funnel(term.id).await?;
    let since = Instant::from_millis(now.millis() - DAYS_SHOWN * DAY_MS);
    let days = app.store.decisions_by_day(term.id, since).await?;
    let documents = app.store.decisions_by_document(term.id).await?;
    let day = |tally: Tally<i64>| DayTally {
        day: Instant::from_millis(tally.of * DAY_MS).to_string()[..10].to_owned(),
        accepted: tally.accepted,
        refused: tally.refused,
    };
    let language = |tally: Tally<String>| {
        let variant = term.variants.iter().find(|variant| variant.sha256 == tally.of);
        LanguageTally {
            locale: variant.map_or_else(String::new, |variant| variant.locale.clone()),
            accepted: tally.accepted,
            refused: tally.refused,
        }
    };
    Ok(Coverage {
        terms_and_conditions_id: term.id,
        counted_at: now.to_string(),
        accepted: standing.accepted,
        refused: standing.refused,
        withdrawn: standing.withdrawn,
        riders,
        riders_outstanding: (riders - standing.riders).max(0),
        funnel: funnel.into(),
        by_day: days.into_iter().map(day).collect(),
        by_language: documents.into_iter().map(language).collect(),
    })
}

pub async fn counted(app: &Arc<App>, term: &Term) -> Result<Arc<Coverage>, StoreError> {
    let (counting, of) = (Arc::clone(app), term.clone());
    app.counted.get(term.id, async move { count(&counting, &of).await }).await
}

/// How many have agreed, refused, withdrawn, and how many riders have not agreed.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/{id}/coverage", tag = "admin",
    params(("id" = i64, Path)),
    responses((status = 200, body = Coverage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn coverage(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = find(&catalog, &id)?;
    Ok(private(&*counted(&app, term).await?))
}

/// Riders who have not agreed, in order of their ids.
///
/// A page may be shorter than asked and still have a next one: it looks at so many riders at the most.
#[utoipa::path(
    get, path = "/api/admin/v1/terms/{id}/missing", tag = "admin",
    params(
        ("id" = i64, Path),
        ("q" = Option<String>, Query, description = "The beginning of an id, e-mail or phone, or a part of a name"),
        ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query)
    ),
    responses((status = 200, body = Paged<MissingRider>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn missing(
    State(app): State<Arc<App>>,
    _operator: Operator,
    Path(id): Path<String>,
    page: Page,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let terms = lineage(&catalog, find(&catalog, &id)?);
    let text = page.search()?;
    let mut items = Vec::new();
    let mut after = page.after.clone();
    for _ in 0..READS_A_PAGE {
        let riders = app.store.standing_of_riders(&terms, text, &after, RIDERS_A_READ).await?;
        let was_last = i64::try_from(riders.len()).unwrap_or(0) < RIDERS_A_READ;
        for rider in riders {
            if items.len() == page.limit {
                return Ok(private(&Paged { items, next_cursor: Some(cursor(&after)) }));
            }
            after.clone_from(&rider.id);
            if !rider.accepted {
                items.push(MissingRider { user_id: rider.id, name: rider.name });
            }
        }
        if was_last {
            return Ok(private(&Paged { items, next_cursor: None }));
        }
    }
    Ok(private(&Paged { items, next_cursor: Some(cursor(&after)) }))
}

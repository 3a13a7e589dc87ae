//! `GET /notices/{id}`, `/notices/{id}/unreached`: the riders that a notice has reached.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::terms::{Catalog, Term};
use musette_store::{MarketFilter, NoticeCounts};
use serde::Serialize;

use crate::http::access::caller::Caller;
use crate::http::access::permission::{Reach, ReadPeople, ReadTerms, Within};
use crate::http::terms::console::find;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Following, PageAfter};
use crate::http::wire::parameters::NoticePath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::markets::scope;
use crate::node::app::App;
use crate::platform::closed_sets::{self, UNREACHED_REASONS};

/// The riders of a notice, by what has reached them.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct NoticeReach {
    /// The number of riders that the notice concerns.
    #[schema(minimum = 0)]
    addressed: i64,
    /// The number of riders with a sent message about the notice.
    #[schema(minimum = 0)]
    sent: i64,
    /// The number of riders whose channel accepted a message.
    #[schema(minimum = 0)]
    accepted: i64,
    /// The number of riders whose messages were all returned.
    #[schema(minimum = 0)]
    bounced: i64,
    /// The number of riders who opened the notice.
    #[schema(minimum = 0)]
    opened: i64,
    /// The number of riders without an accepted message who have not opened the notice.
    #[schema(minimum = 0)]
    not_reachable: i64,
}

/// A rider that a notice has not reached.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct UnreachedRider {
    /// The user id.
    user_id: String,
    /// The reason.
    #[schema(value_type = closed_sets::UnreachedReason)]
    reason: &'static str,
}

impl From<NoticeCounts> for NoticeReach {
    fn from(counts: NoticeCounts) -> Self {
        Self {
            addressed: counts.addressed,
            sent: counts.sent,
            accepted: counts.received,
            bounced: counts.bounced,
            opened: counts.opened,
            not_reachable: counts.addressed - counts.served,
        }
    }
}

/// Returns the notice, and its riders that the caller may count.
fn concerned<'a>(
    app: &App,
    catalog: &'a Catalog,
    (caller, reach): (&Caller, &Reach),
    id: &str,
) -> Result<(&'a Term, MarketFilter), Problem> {
    let term = find(catalog, id).ok().filter(|term| term.is_notice());
    let term = term.ok_or_else(|| Problem::absent("notice with this id"))?;
    let inside = reach.counted(None).filter(|_| reach.touches(term.market.as_ref()));
    let markets = inside.ok_or_else(|| Problem::denied_to(&caller.subject))?;
    Ok((term, scope(catalog, term, &markets, app.now())))
}

/// Count the riders that a notice has reached.
///
/// A caller with roles for some markets counts the riders of these markets.
///
/// - 404 `not_found`: the version does not exist, or is no notice.
#[utoipa::path(
    get, path = "/api/admin/v1/notices/{id}", tag = "admin-terms", operation_id = "notice_reach",
    params(NoticePath),
    responses((status = 200, body = NoticeReach), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_terms"]))
)]
pub async fn notice(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadTerms>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let (term, market) = concerned(&app, &catalog, (&caller, &reach), &id)?;
    let counts = app.store.notice_counts(term.id, &market).await?;
    Ok(private(&NoticeReach::from(counts)))
}

/// List the riders that a notice has not reached, by id.
///
/// - 400 `invalid_parameter`: the limit or the cursor is invalid.
/// - 404 `not_found`: the version does not exist, or is no notice.
#[utoipa::path(
    get, path = "/api/admin/v1/notices/{id}/unreached", tag = "admin-terms", operation_id = "unreached_riders",
    params(NoticePath, PageAfter),
    responses((status = 200, body = Following<UnreachedRider>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_people"]))
)]
pub async fn unreached(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPeople>,
    Path(id): Path<String>,
    Query(page): Query<PageAfter>,
) -> Result<Response, Problem> {
    let catalog = Arc::clone(&app.live.load().catalog);
    let (term, market) = concerned(&app, &catalog, (&caller, &reach), &id)?;
    let riders = app.store.unreached_riders(term.id, &market, &page.after, page.rows()).await?;
    let mut reasons = app.store.unreached_reasons(term.id, &riders).await?;
    let rider = |user_id: String| {
        let stored = reasons.remove(&user_id);
        let reason =
            UNREACHED_REASONS.into_iter().find(|reason| Some(*reason) == stored.as_deref());
        UnreachedRider { user_id, reason: reason.unwrap_or("not_contacted") }
    };
    Ok(private(&page.of(riders, String::clone, rider)))
}

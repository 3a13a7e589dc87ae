//! Excusals: many evaluations get the same reason `excused`, for example after a storm.
//!
//! The riders see nothing for ten minutes. Until then any dispatcher of the market can cancel it, because
//! a transition cannot be undone.

pub mod body;
pub mod preview;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::markets::Market;
use musette_store::{EvaluationPlace, Excusal, ExcusalScheduled, NewExcusal};

use self::body::{ExcusalBody, ExcusalDetail, ExcusalPage, NewExcusalBody};
use super::list::After;
use super::requests::{Call, IdOf, NoBody, Posted};
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{Dispatch, Reach, ReadPersonDecisions, Right, Within};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::ExcusalPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;

/// How long an excusal can be cancelled.
const DELAY: Duration = Duration::from_secs(10 * 60);

fn absent() -> Problem {
    Problem::absent("excusal with this id")
}

fn conflict(detail: &str) -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", detail)
}

/// Returns where a person has the permission. A service key excuses evaluations one by one, each with its
/// automated system.
fn reach<R: Right>(caller: &Caller) -> Result<Reach, Problem> {
    if caller.is_service {
        let detail = "Only a person may do this.";
        return Err(Problem::new(StatusCode::FORBIDDEN, "human_required", detail));
    }
    caller.reach_of::<R>().ok_or_else(|| Problem::denied_to(&caller.subject))
}

/// List excusals, the newest first.
///
/// A role for some markets sees the excusals in these markets.
///
/// - 400 `invalid_parameter`: the limit or the cursor is invalid.
#[utoipa::path(
    get, path = "/api/admin/v1/excusals", tag = "admin-decisions",
    params(After),
    responses((status = 200, body = ExcusalPage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_person_decisions"]))
)]
pub async fn excusals(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadPersonDecisions>,
    Query(page): Query<After>,
) -> Result<Response, Problem> {
    let (place, id) = page.after.clone().unwrap_or((i64::MAX, String::new()));
    let rows = app.store.excusals(&reach.filter(None), (place, &id), page.limit + 1).await?;
    let (rows, next) = page.cut(rows, |row| (row.created_at, row.id.as_str()));
    let items = rows.into_iter().map(ExcusalBody::of).collect::<Result<_, _>>()?;
    Ok(private(&ExcusalPage { items, next }))
}

/// Read an excusal with the result of each evaluation.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 403 `permission_denied`: it is outside the caller's markets.
#[utoipa::path(
    get, path = "/api/admin/v1/excusals/{id}", tag = "admin-decisions",
    params(ExcusalPath),
    responses((status = 200, body = ExcusalDetail), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_person_decisions"]))
)]
pub async fn excusal(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadPersonDecisions>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let excusal = find(&app, &caller, &reach, &id).await?;
    let items = app.store.excusal_items(&id).await?;
    Ok(private(&ExcusalDetail::of(excusal, items)?))
}

async fn find(app: &App, caller: &Caller, reach: &Reach, id: &str) -> Result<Excusal, Problem> {
    let excusal = app.store.excusal(id).await?.ok_or_else(absent)?;
    if !reach.covers_code(excusal.market.as_deref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(excusal)
}

/// Schedule an excusal.
///
/// After ten minutes each evaluation becomes `EVALUATED` with the reason `excused`.
/// The caller makes the id, so that a retry schedules it once. Until it is applied, the riders see
/// nothing and it can be cancelled. Each transition is made by the caller, and judged by the rules when
/// it is applied; `GET` then has the result of each evaluation.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 403 `human_required`: only a person may do this, and no service key.
/// - 409 `conflict`: the id exists with another body.
/// - 422 `invalid_request`: an evaluation does not exist, or is outside the market.
#[utoipa::path(
    put, path = "/api/admin/v1/excusals/{id}", tag = "admin-decisions", operation_id = "put_excusal",
    params(ExcusalPath), request_body = NewExcusalBody,
    responses((status = 200, body = ExcusalBody), (status = 201, body = ExcusalBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["dispatch"]))
)]
pub async fn put_excusal(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<Dispatch, NewExcusalBody>,
) -> Result<Response, Problem> {
    let id = call.id(&app).await?;
    let caller = &call.caller;
    let reach = reach::<Dispatch>(caller)?;
    let market = match call.body.market.as_deref() {
        // A role for one market can mean only that one.
        None => reach.markets.as_ref().and_then(|all| match all.as_slice() {
            [market] => Some(market.clone()),
            _ => None,
        }),
        Some(code) => {
            let market = app.live.load().markets.asked(code);
            Some(market.map_err(|_| Problem::unknown_market("/market"))?)
        }
    };
    if !reach.covers(market.as_ref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    let now = app.now();
    let new = NewExcusal {
        id: id.clone(),
        author: caller.subject.clone(),
        evaluations: evaluations(&app, &call, market.as_ref()).await?,
        market: market.map(|market| market.to_string()),
        body_sha256: call.request_sha256.clone(),
        text: serde_json::to_string(&call.body.text).map_err(Problem::internal)?,
        applies_at: now.plus(DELAY),
    };
    let status = match app.store.schedule_excusal(&new, now).await? {
        ExcusalScheduled::Created => StatusCode::CREATED,
        ExcusalScheduled::Existing => StatusCode::OK,
        ExcusalScheduled::Conflict => {
            return Err(conflict("This id belongs to another excusal."));
        }
    };
    let excusal = app.store.excusal(&id).await?.ok_or_else(absent)?;
    if status == StatusCode::CREATED {
        let event = event_about("excusal_scheduled", format!("{id} {}", excusal.total));
        audit_action(&app, &caller.subject, event).await;
    }
    Ok((status, private(&ExcusalBody::of(excusal)?)).into_response())
}

/// Returns the evaluations of the body with their riders.
async fn evaluations(
    app: &App,
    call: &Call<NewExcusalBody>,
    market: Option<&Market>,
) -> Result<Vec<(String, String, i64)>, Problem> {
    let inside = Reach { markets: market.map(|market| vec![market.clone()]), ..Reach::EVERYWHERE };
    let ids = call.body.ids()?;
    let borrowed: Vec<&str> = ids.iter().map(String::as_str).collect();
    let places = app.store.evaluation_places(&borrowed).await?;
    let places = places.into_iter().map(|place| (place.id.clone(), place));
    let places: HashMap<String, EvaluationPlace> = places.collect();
    let rows = ids.into_iter().zip(&call.body.evaluations).enumerate().map(|(i, (id, item))| {
        let place = places.get(&id).filter(|place| inside.covers_code(place.market.as_deref()));
        let place = place.ok_or_else(|| {
            let pointer = format!("/evaluations/{i}/id");
            super::fields::invalid(&pointer, "be an evaluation in the market")
        })?;
        Ok((id, place.person.clone(), item.version))
    });
    rows.collect()
}

/// Cancel an excusal before it is applied.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 403 `human_required`: only a person may do this, and no service key.
/// - 409 `conflict`: it was applied or cancelled.
#[utoipa::path(
    delete, path = "/api/admin/v1/excusals/{id}", tag = "admin-decisions", operation_id = "cancel_excusal",
    params(ExcusalPath),
    responses((status = 200, body = ExcusalBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["dispatch"]))
)]
pub async fn cancel_excusal(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<Dispatch, NoBody>,
) -> Result<Response, Problem> {
    let id = call.id(&app).await?;
    let reach = reach::<Dispatch>(&call.caller)?;
    find(&app, &call.caller, &reach, &id).await?;
    if !app.store.cancel_excusal(&id, app.now()).await? {
        return Err(conflict("The excusal was applied or cancelled."));
    }
    audit_action(&app, &call.caller.subject, event_about("excusal_cancelled", id.clone())).await;
    let excusal = app.store.excusal(&id).await?.ok_or_else(absent)?;
    Ok(private(&ExcusalBody::of(excusal)?))
}

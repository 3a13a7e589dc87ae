//! `GET /gate`: the permission to work of each rider, for the system that starts shifts.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use musette_core::terms::TermId;
use musette_store::{GateItem, GatePage, GatePlace};
use serde::Serialize;
use sha2::Digest as _;
use tokio::sync::watch::Receiver;

use super::events::{limit, wait};
use crate::http::access::permission::{Reach, ReadGate, Within};
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::integration::gate::PageKey;
use crate::node::app::App;

const LIMIT: i64 = 1000;
const LIMIT_MAX: i64 = 1000;
/// The time for computing more changes before a page is returned. After an event that affects many
/// people, pages are returned while further changes are computed.
const CATCH_UP: Duration = Duration::from_millis(500);

/// A reason why a rider may not work.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct GateReasonBody {
    /// `terms`: a mandatory term in effect is not accepted, and its grace period is over.
    #[schema(value_type = crate::platform::closed_sets::GateReason)]
    code: &'static str,
    /// The id of the term version.
    #[schema(value_type = i64)]
    term_id: TermId,
}

/// The state of one person. It has either `may_work`, `left` or `erased`.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct GateItemBody {
    /// The user id of the rider. Absent with `erased`.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    /// True if the rider may start a shift.
    #[serde(skip_serializing_if = "Option::is_none")]
    may_work: Option<bool>,
    /// The reasons why the rider may not work. Empty if the rider may work.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<GateReasonBody>>,
    /// The next time at which the state changes without a further event. Null if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    changes_at: Option<Option<String>>,
    /// True: the person has left the caller's markets or is no longer a rider. Delete their record.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<bool>,
    /// The SHA-256 of the id of an erased person, in lower-case hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id_sha256: Option<String>,
    /// True: the person was erased. Delete their record.
    #[serde(skip_serializing_if = "Option::is_none")]
    erased: Option<bool>,
}

impl From<GateItem> for GateItemBody {
    fn from(item: GateItem) -> Self {
        match item {
            GateItem::Answer { user_id, may_work, reasons, changes_at } => Self {
                user_id: Some(user_id),
                may_work: Some(may_work),
                reasons: Some(
                    reasons
                        .into_iter()
                        .map(|term_id| GateReasonBody { code: "terms", term_id })
                        .collect(),
                ),
                changes_at: Some(changes_at.map(|at| at.to_string())),
                ..Self::default()
            },
            GateItem::Left { user_id } => {
                Self { user_id: Some(user_id), left: Some(true), ..Self::default() }
            }
            GateItem::Erased { user_id_sha256 } => {
                Self { user_id_sha256: Some(user_id_sha256), erased: Some(true), ..Self::default() }
            }
        }
    }
}

/// A page of the gate.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct GateBody {
    /// The states. Empty: the copy is up to date.
    items: Vec<GateItemBody>,
    /// The value of `after` for the next request.
    cursor: String,
}

/// Options of the gate.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GateQuery {
    /// The `cursor` of the previous page. Absent: from the first rider.
    #[param(value_type = Option<String>)]
    after: Option<Cursor>,
    /// The maximum number of states. Default: 1000.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: i64,
    /// The time to wait for a change if there is none, in seconds. More than 30 counts as 30.
    #[param(value_type = Option<u32>, minimum = 0)]
    wait: Duration,
}

impl FromQuery for GateQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self {
            after: parameters.parsed("after", Cursor::parse, "the cursor of a page")?,
            limit: limit(parameters, LIMIT, LIMIT_MAX)?,
            wait: wait(parameters)?,
        })
    }
}

/// A position, and a hash of the markets it was read with. Callers with other markets see other
/// people.
struct Cursor {
    place: GatePlace,
    reach: String,
}

impl Cursor {
    fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (epoch, seq, reach, user_id) = serde_json::from_slice(&bytes).ok()?;
        Some(Self { place: GatePlace { epoch, seq, user_id }, reach })
    }

    fn text(place: &GatePlace, reach: &str) -> String {
        let values = serde_json::json!([place.epoch, place.seq, reach, place.user_id]);
        URL_SAFE_NO_PAD.encode(values.to_string())
    }
}

fn name(reach: &Reach) -> String {
    let Some(markets) = &reach.markets else { return String::new() };
    let mut markets: Vec<String> = markets.iter().map(ToString::to_string).collect();
    markets.sort();
    markets.dedup();
    hex::encode(&sha2::Sha256::digest(markets.join(" "))[..8])
}

/// Read which riders may work, and later changes.
///
/// Without `after`, the pages list every rider, in any order. From the last cursor on, they list
/// only changes: of consents, claims, markets, roles and terms, and changes over time. A copy that
/// applies every page equals `GET /api/rooster/v3/terms/{userId}/outstanding` of all riders. Store
/// the cursor with the copy. An empty page means that the copy is up to date; with `wait`, the
/// server sends it when the time is over. A role for some markets sees only those markets. A person
/// may occur more than once; the last state counts.
///
/// - 410 `gate_gone`: a change after the cursor was deleted, for example an erasure more than 24
///   hours ago. Delete the copy and read without `after`.
#[utoipa::path(
    get, path = "/api/admin/v1/gate", tag = "admin-integration",
    params(GateQuery),
    responses((status = 200, body = GateBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_gate"]))
)]
pub async fn gate(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadGate>,
    Query(query): Query<GateQuery>,
) -> Result<Response, Problem> {
    let until = tokio::time::Instant::now() + query.wait;
    let (market, reach) = (reach.filter(None), name(&reach));
    if query.after.as_ref().is_some_and(|after| after.reach != reach) {
        let detail = "The cursor belongs to a caller with other markets. Delete the copy and read without 'after'.";
        return Err(Problem::new(StatusCode::GONE, "gate_gone", detail));
    }
    let mut after = query.after.map(|after| after.place);
    app.enable_gate().await?;
    let mut changed = app.gate.changed();
    loop {
        let latest = *changed.borrow_and_update();
        // With a cursor, available changes are returned at once. Only an empty page means that
        // there are no more.
        let caught_up = after.is_none() && app.catch_up_gate(CATCH_UP).await?;
        let page = match &after {
            // During the first pass, each reader has its own position.
            Some(after) if after.user_id.is_none() => {
                let (after, market) = (after.clone(), market.clone());
                app.gate_changes(&PageKey { after, market, limit: query.limit, known: latest })
                    .await?
            }
            _ => app.store.gate_page(after.as_ref(), &market, query.limit, app.now()).await?,
        };
        let GatePage::Items(items, place) = page else { return Err(gone()) };
        if !items.is_empty() {
            return Ok(response(items, &place, &reach));
        }
        if !caught_up {
            let has_news = |receiver: &Receiver<i64>| receiver.has_changed().unwrap_or(true);
            // A person who was computed for the first time since the page was read is not a change.
            let was_filling = place.user_id.is_some();
            if !app.catch_up_gate(CATCH_UP).await? || was_filling || has_news(&changed) {
                after = Some(place);
                continue;
            }
        }
        if app.is_draining() || tokio::time::Instant::now() >= until {
            return Ok(response(items, &place, &reach));
        }
        after = Some(place);
        tokio::select! {
            _ = changed.changed() => {}
            () = app.drained() => {}
            () = tokio::time::sleep_until(until) => {}
        }
        caller.check_still_valid(&app).await?;
    }
}

fn response(items: Vec<GateItem>, place: &GatePlace, reach: &str) -> Response {
    let items = items.into_iter().map(GateItemBody::from).collect();
    private(&GateBody { items, cursor: Cursor::text(place, reach) })
}

fn gone() -> Problem {
    let detail =
        "Changes after this cursor were deleted. Delete the copy and read without 'after'.";
    Problem::new(StatusCode::GONE, "gate_gone", detail)
}

//! `GET /gate`: who may work, for the program that lets riders start.

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
use crate::app::App;
use crate::gate::PageKey;
use crate::http::caching::private;
use crate::http::permission::{Reach, ReadGate, Within};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};

const LIMIT: i64 = 1000;
const LIMIT_MAX: i64 = 1000;
/// What happened to many people at once is told page by page, while more of it is computed.
const CATCH_UP: Duration = Duration::from_millis(500);

/// What keeps a rider from working.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct GateReasonBody {
    /// `terms`: a mandatory term in effect is not accepted, and has no grace any more.
    #[schema(value_type = crate::closed_sets::GateReason)]
    code: &'static str,
    /// The term version.
    #[schema(value_type = i64)]
    term_id: TermId,
}

/// What a reader of the gate is told about one person. Either `may_work`, `left` or `erased` is there.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct GateItemBody {
    /// The rider; absent with `erased`.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    /// Whether the rider may start a shift.
    #[serde(skip_serializing_if = "Option::is_none")]
    may_work: Option<bool>,
    /// What blocks; empty if the rider may work.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<GateReasonBody>>,
    /// The next instant at which the answer turns by itself; null if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    changes_at: Option<Option<String>>,
    /// True: the person left the markets that the caller may read, or is no rider any more. Delete them.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<bool>,
    /// The SHA-256 of the id of a person who was erased, in lower-case hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id_sha256: Option<String>,
    /// True: the person was erased. Delete them.
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

/// Answers of the gate.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct GateBody {
    /// The answers. Empty: the copy is up to date.
    items: Vec<GateItemBody>,
    /// Pass it as `after` to read on.
    cursor: String,
}

/// What was read before.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GateQuery {
    /// `cursor` of the page before. Absent: from the first rider on.
    #[param(value_type = Option<String>)]
    after: Option<Cursor>,
    /// The largest number of answers, 1000 by default.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: i64,
    /// Seconds to wait for a change if there is none. More than 30 count as 30.
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

/// A place, and whose grants it was read with: others see other people.
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

/// Read who may work, and what changed since.
///
/// Without `after`: every rider, page by page, in any order. From the last cursor on only what changed: consents, claims,
/// markets, roles, terms, and what turns with time. A copy that takes every page equals `GET
/// /api/rooster/v3/terms/{userId}/outstanding` of everybody. Keep the cursor with the copy. An empty page means that the copy is up to date;
/// with `wait` it comes when the time is over. A grant for some markets sees those markets only. Somebody may come
/// twice; the last answer counts. 410 `gate_gone`: something after `after` cannot be told any more, as a person who was
/// erased more than 24 hours ago; drop the copy and read without `after`.
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
        let detail = "This cursor is of a caller who reads other markets. Read from the beginning: without 'after'.";
        return Err(Problem::new(StatusCode::GONE, "gate_gone", detail));
    }
    let mut after = query.after.map(|after| after.place);
    app.keep_gate().await?;
    let mut changed = app.gate.changed();
    loop {
        let known = *changed.borrow_and_update();
        // From a cursor on, what is known is told at once. Only an empty page says that there is nothing more.
        let caught_up = after.is_none() && app.catch_up_gate(CATCH_UP).await?;
        let page = match &after {
            // While everybody is read, each reader is at a place of its own.
            Some(after) if after.user_id.is_none() => {
                let (after, market) = (after.clone(), market.clone());
                app.gate_changes(&PageKey { after, market, limit: query.limit, known }).await?
            }
            _ => app.store.gate_page(after.as_ref(), &market, query.limit, app.now()).await?,
        };
        let GatePage::Items(items, place) = page else { return Err(gone()) };
        if !items.is_empty() {
            return Ok(answer(items, &place, &reach));
        }
        if !caught_up {
            let is_news = |it: &Receiver<i64>| it.has_changed().unwrap_or(true);
            // Whoever was computed for the first time since the page was read is no change.
            let was_filling = place.user_id.is_some();
            if !app.catch_up_gate(CATCH_UP).await? || was_filling || is_news(&changed) {
                after = Some(place);
                continue;
            }
        }
        if app.is_draining() || tokio::time::Instant::now() >= until {
            return Ok(answer(items, &place, &reach));
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

fn answer(items: Vec<GateItem>, place: &GatePlace, reach: &str) -> Response {
    let items = items.into_iter().map(GateItemBody::from).collect();
    private(&GateBody { items, cursor: Cursor::text(place, reach) })
}

fn gone() -> Problem {
    let detail = "Changes after this cursor are not kept any more. Read from the beginning: without 'after'.";
    Problem::new(StatusCode::GONE, "gate_gone", detail)
}

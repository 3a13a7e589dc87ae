//! Many changes of evaluations in one request and one transaction.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use musette_store::{Action, Change, ChangeOutcome, EvaluationPlace};
use serde::Serialize;

use super::evaluations::{NewEvaluationBody, TransitionBody};
use super::requests::{Posted, Posting, author, uuid};
use super::written::{Answer, absent, change, check_system, item_status, unknown_user};
use crate::http::access::caller::Caller;
use crate::http::access::permission::Dispatch;
use crate::http::wire::caching::private;
use crate::http::wire::json::{Bounds, Json};
use crate::http::wire::parameters::IdempotencyKey;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape;
use crate::node::app::App;

const ITEMS_MAX: usize = 500;
const BOUNDS: Bounds = Bounds { bytes: 1024 * 1024, values: 262_144 };

/// One item: an evaluation to create with its `id`, or a transition with `id`, `to` and `version`.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes the body in the API document and is never built")]
pub struct BatchItemBody {
    /// The id of the evaluation.
    #[schema(format = "uuid")]
    id: String,
    /// The status to reach. Absent: the evaluation is created. Further members are those of `PUT
    /// /evaluations/{id}`, or of `POST /evaluations/{id}/transitions`.
    #[schema(value_type = Option<crate::platform::closed_sets::EvaluationStatus>)]
    to: Option<String>,
}

/// Many changes of evaluations.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "it describes the body in the API document and is never built")]
#[schema(examples(json!({"items":[{"id":"0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e","to":"NO_SHOW","version":1,"reasons":[{"code":"absent","text":{"en":"No clock event"}}],"system":{"name":"roster","version":"7.2"}}]})))]
pub struct BatchBody {
    /// The items, which are done in this order. Each is judged by itself.
    #[schema(min_items = 1, max_items = 500)]
    items: Vec<BatchItemBody>,
}

/// The result of one item.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct BatchResultBody {
    /// The `id` of the item. Null if the item has none.
    #[schema(required)]
    id: Option<String>,
    /// The HTTP status that the item would have by itself.
    #[schema(minimum = 200, maximum = 499)]
    status: u16,
    /// The code of its error. Absent without an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    code: Option<&'static str>,
}

/// The results of a batch.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct BatchResults {
    /// The results, in the order of the items.
    items: Vec<BatchResultBody>,
}

/// An item that was parsed, or the error of its shape.
enum Item {
    Create(String, Box<NewEvaluationBody>),
    Transition(String, Box<TransitionBody>),
    Invalid(Option<String>, u16, &'static str),
}

/// The parsed items.
pub struct Batch(Vec<Item>);

impl Posting for Batch {
    const BOUNDS: Option<Bounds> = Some(BOUNDS);

    fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let invalid = || super::fields::invalid("/items", "be a list of 1 to 500 items");
        let json = Json::parse(bytes)?;
        let Some(Json::Array(items)) = json.get("items") else { return Err(invalid()) };
        if !(1..=ITEMS_MAX).contains(&items.len()) {
            return Err(invalid());
        }
        Ok(Self(items.iter().map(Item::parse).collect()))
    }
}

impl Item {
    fn parse(json: &Json<'_>) -> Self {
        let id = match json.get("id") {
            Some(Json::Text(id)) => Some(id.to_string()),
            _ => None,
        };
        let invalid =
            |problem: Problem| Self::Invalid(id.clone(), problem.status.as_u16(), problem.code);
        let Some(id) = &id else {
            return Self::Invalid(None, 422, "invalid_request");
        };
        let id = match uuid(Some(id)) {
            Ok(id) => id,
            Err(problem) => return invalid(problem),
        };
        let item = if json.get("to").is_some() {
            let body = shape::read::<TransitionBody>(json);
            body.map(|body| Self::Transition(id, Box::new(body)))
        } else {
            let body = shape::read::<NewEvaluationBody>(json);
            body.map(|body| Self::Create(id, Box::new(body)))
        };
        item.unwrap_or_else(invalid)
    }
}

/// People and markets of all items, which are read at once.
struct Places {
    evaluations: HashMap<String, EvaluationPlace>,
    users: HashMap<String, EvaluationPlace>,
}

impl Places {
    async fn read(app: &App, items: &[Item]) -> Result<Self, Problem> {
        let ids = items.iter().filter_map(|item| match item {
            Item::Create(id, _) | Item::Transition(id, _) => Some(id.as_str()),
            Item::Invalid(..) => None,
        });
        let users = items.iter().filter_map(|item| match item {
            Item::Create(_, body) => Some(body.user_id.as_str()),
            _ => None,
        });
        let by_id = |places: Vec<EvaluationPlace>| {
            places.into_iter().map(|place| (place.id.clone(), place)).collect()
        };
        let evaluations = app.store.evaluation_places(&ids.collect::<Vec<_>>()).await?;
        let users = app.store.user_places(&users.collect::<Vec<_>>()).await?;
        Ok(Self { evaluations: by_id(evaluations), users: by_id(users) })
    }

    /// Returns the change of an item, or its error. An evaluation that an earlier item creates gets
    /// its place, too.
    fn change(&mut self, app: &App, caller: &Caller, item: Item) -> Result<Change, Problem> {
        let denied = || Problem::denied_to(&caller.subject);
        match item {
            Item::Create(id, body) => {
                let mut new = body.checked()?;
                let user = self.users.get(&body.user_id);
                new.market = match body.subject.market.as_deref() {
                    None => user.and_then(|user| user.market.clone()),
                    Some(code) => {
                        let market = app.live.load().markets.asked(code);
                        let unknown = |_| Problem::unknown_market("/subject/market");
                        Some(market.map_err(unknown)?.to_string())
                    }
                };
                let author = super::evaluations::dispatcher(caller, new.market.as_deref())
                    .ok_or_else(denied)?;
                let person = user.ok_or_else(unknown_user)?.person.clone();
                check_system(app, new.system.as_ref())?;
                if let Some(place) = self.evaluations.get(&id) {
                    super::evaluations::dispatcher(caller, place.market.as_deref())
                        .ok_or_else(denied)?;
                } else {
                    let market = new.market.clone();
                    let place = EvaluationPlace { id: id.clone(), person, market };
                    self.evaluations.insert(id.clone(), place);
                }
                Ok(Change { id, author, action: Action::Create(new) })
            }
            Item::Transition(id, body) => {
                let request = body.checked()?;
                let place = self.evaluations.get(&id).ok_or_else(absent)?;
                let author = author(caller, place.market.as_deref()).ok_or_else(denied)?;
                check_system(app, request.system.as_ref())?;
                Ok(Change { id, author, action: Action::Transition(request) })
            }
            Item::Invalid(_, _, code) => Err(Problem::invalid(code, code, Vec::new())),
        }
    }
}

/// Create and change many evaluations.
///
/// Each item is judged by itself, in order, and all are written in one transaction. The response has
/// the status that each item would have by itself.
///
/// - 422 `invalid_request`: there is no list of 1 to 500 items.
#[utoipa::path(
    post, path = "/api/admin/v1/evaluations/batch", tag = "admin-decisions", operation_id = "change_evaluations",
    params(IdempotencyKey), request_body = BatchBody,
    responses((status = 200, body = BatchResults), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["dispatch"]))
)]
pub async fn batch(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<Dispatch, Batch>,
) -> Result<Response, Problem> {
    let items = std::mem::take(&mut call.body.0);
    let mut places = Places::read(&app, &items).await?;
    let (mut changes, mut results) = (Vec::new(), Vec::new());
    for item in items {
        let (id, error) = match &item {
            Item::Create(id, _) | Item::Transition(id, _) => (Some(id.clone()), None),
            Item::Invalid(id, status, code) => (id.clone(), Some((*status, *code))),
        };
        let change = match error {
            Some(error) => Err(error),
            None => places
                .change(&app, &call.caller, item)
                .map_err(|problem| (problem.status.as_u16(), problem.code)),
        };
        results.push(match change {
            Ok(change) => {
                changes.push(change);
                (id, None)
            }
            Err(error) => (id, Some(error)),
        });
    }
    let now = app.now();
    let body = move |outcomes: &[ChangeOutcome]| {
        let mut outcomes = outcomes.iter().cloned();
        let items = results.iter().map(|(id, error)| {
            let (status, code) = match error {
                Some((status, code)) => (*status, Some(*code)),
                None => outcomes.next().map_or((404, None), |outcome| item_status(outcome, now)),
            };
            BatchResultBody { id: id.clone(), status, code }
        });
        BatchResults { items: items.collect() }
    };
    let render = |outcomes: &Vec<ChangeOutcome>| {
        Some((200, serde_json::to_string(&body(outcomes)).unwrap_or_default()))
    };
    let reply = call.reply(None);
    match change(&app, &call, reply, &changes, &render).await? {
        Answer::Replayed(response) => Ok(response),
        Answer::Done(outcomes) => Ok(private(&body(&outcomes)).into_response()),
    }
}

//! Which reviewer works on which open discussion. An assignment informs other reviewers; it takes no
//! right from them. Two simultaneous answers are still decided by the version.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_store::{AssignOutcome, EvaluationAssignment, NewEvaluationAssignment};
use serde::{Deserialize, Serialize};

use super::evaluations::reviewer_of;
use super::list::After;
use super::requests::{NoBody, Posted, posting};
use crate::http::access::permission::{ReadPersonDecisions, Review, Within};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::EvaluationPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;

/// How long an assignment lasts. The console renews it while the reviewer works.
const LASTS: Duration = Duration::from_secs(15 * 60);

/// An assignment to take or to renew.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"instead_of":"reviewer-2"})))]
pub struct NewAssignmentBody {
    /// The user id of the reviewer whose assignment the caller takes over. Without it, or if another
    /// reviewer has the assignment, it is 409 `assigned`.
    pub instead_of: Option<String>,
}

/// A reviewer works on the open discussion of an evaluation.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct AssignmentBody {
    /// The id of the evaluation.
    #[schema(format = "uuid")]
    pub evaluation_id: String,
    /// The user id of the reviewer.
    pub user_id: String,
    /// When the assignment ends, if it is not renewed.
    #[schema(format = DateTime)]
    pub until: String,
}

/// A page of assignments.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct AssignmentPage {
    /// The assignments.
    pub items: Vec<AssignmentBody>,
    /// The `after` of the next page. Null on the last page.
    #[schema(required)]
    pub next: Option<String>,
}

/// Filters of assignments.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AssignmentsQuery {
    /// Only evaluations in this market and inside it.
    #[param(value_type = Option<String>)]
    market: Option<String>,
}

impl FromQuery for AssignmentsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self { market: parameters.text("market").map(str::to_owned) })
    }
}

posting!(NewAssignmentBody);

impl NewAssignmentBody {
    fn check(&self) -> Result<(), Problem> {
        Ok(())
    }
}

impl From<EvaluationAssignment> for AssignmentBody {
    fn from(assignment: EvaluationAssignment) -> Self {
        let EvaluationAssignment { evaluation, user_id, until } = assignment;
        let until = Instant::from_millis(until).to_string();
        Self { evaluation_id: evaluation, user_id, until }
    }
}

/// List the assignments of open discussions.
///
/// Those that end first are before the others. A role for some markets sees the assignments in these
/// markets.
///
/// - 400 `invalid_parameter`, `unknown_market`: the filter, the limit or the cursor is invalid.
#[utoipa::path(
    get, path = "/api/admin/v1/evaluations/assignments", tag = "admin-decisions", operation_id = "evaluation_assignments",
    params(AssignmentsQuery, After),
    responses((status = 200, body = AssignmentPage), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_person_decisions"]))
)]
pub async fn assignments(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadPersonDecisions>,
    Query(query): Query<AssignmentsQuery>,
    Query(page): Query<After>,
) -> Result<Response, Problem> {
    let market: Option<Market> = match &query.market {
        None => None,
        Some(code) => Some(app.live.load().markets.asked(code)?),
    };
    let filter = reach.filter(market.as_ref());
    let (place, id) = page.after.clone().unwrap_or((i64::MIN, String::new()));
    let store = &app.store;
    let rows =
        store.evaluation_assignments(&filter, (place, &id), page.limit + 1, app.now()).await?;
    let (rows, next) = page.cut(rows, |row| (row.until, row.evaluation.as_str()));
    let items = rows.into_iter().map(AssignmentBody::from).collect();
    Ok(private(&AssignmentPage { items, next }))
}

/// Assign an open discussion to the caller.
///
/// It lasts 15 minutes; the same request renews it. It shows other reviewers who works on the
/// discussion. It takes no right from them, and it ends with the next version of the evaluation.
///
/// - 409 `assigned`: another reviewer has it. `assignment` says who and until when.
/// - 409 `conflict`: no discussion is open.
#[utoipa::path(
    put, path = "/api/admin/v1/evaluations/{id}/assignment", tag = "admin-decisions", operation_id = "assign_evaluation",
    params(EvaluationPath), request_body = NewAssignmentBody,
    responses((status = 200, body = AssignmentBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["review"]))
)]
pub async fn assign(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<Review, NewAssignmentBody>,
) -> Result<Response, Problem> {
    let id = call.id(&app).await?;
    reviewer_of(&app, &call, &id).await?;
    let now = app.now();
    let new = NewEvaluationAssignment {
        evaluation: &id,
        reviewer: &call.caller.subject,
        until: now.plus(LASTS),
        instead_of: call.body.instead_of.as_deref(),
    };
    match app.store.assign_evaluation(&new, now).await? {
        AssignOutcome::Assigned(assignment) => Ok(private(&AssignmentBody::from(assignment))),
        AssignOutcome::Held(assignment) => {
            let detail = "Another reviewer works on this discussion: see 'assignment'.";
            let body = serde_json::to_value(AssignmentBody::from(assignment));
            let problem = Problem::new(StatusCode::CONFLICT, "assigned", detail);
            Err(problem.with_assignment(body.map_err(Problem::internal)?))
        }
        AssignOutcome::Closed => {
            Err(Problem::new(StatusCode::CONFLICT, "conflict", "No discussion is open."))
        }
    }
}

/// End the caller's assignment. The assignment of another reviewer stays.
#[utoipa::path(
    delete, path = "/api/admin/v1/evaluations/{id}/assignment", tag = "admin-decisions", operation_id = "end_evaluation_assignment",
    params(EvaluationPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["review"]))
)]
pub async fn end_assignment(
    State(app): State<Arc<App>>,
    Posted { mut call, .. }: Posted<Review, NoBody>,
) -> Result<Response, Problem> {
    let id = call.id(&app).await?;
    reviewer_of(&app, &call, &id).await?;
    app.store.end_assignment(&id, &call.caller.subject).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

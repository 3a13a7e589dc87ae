//! `POST /terms/consents/claims`: an applicant becomes a rider.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_store::ClaimOutcome;
use serde::Deserialize;

use super::{ConsentList, consent_list};
use crate::http::access::caller::Caller;
use crate::http::wire::caching::private;
use crate::http::wire::json::{Json, read_body};
use crate::http::wire::problem::Problem;
use crate::http::wire::shape;
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::platform::random;

/// A receipt that the caller holds. Only its `id` is read, so the whole receipt object may be sent.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"receipt":{"id":"zT8fQ2mW0cVbN4yLx7sRk1eHj9gUa6Pd"}})))]
pub struct ClaimBody {
    /// The receipt.
    receipt: ClaimReceipt,
}

/// The part of a receipt that the server reads.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct ClaimReceipt {
    /// The id of the receipt.
    pub id: String,
}

/// A valid claim of a caller with a session.
pub struct ValidClaim {
    caller: Caller,
    receipt_id: String,
}

impl FromRequest<Arc<App>> for ValidClaim {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        // The session comes first. A caller without one need not send a body.
        let caller = Caller::from_parts(&parts, app).await?;
        let body = read_body(Request::from_parts(parts, body)).await?;
        Ok(Self { receipt_id: receipt_id(&body)?, caller })
    }
}

shaped!(ClaimBody);

/// Returns the id in `{"receipt": {"id"}}`.
pub fn receipt_id(body: &[u8]) -> Result<String, Problem> {
    Ok(shape::read::<ClaimBody>(&Json::parse(body)?)?.receipt.id)
}

/// Claim an applicant's submission for the session's user.
///
/// 201: the submission now counts as this user's decisions, and only this user's sessions can read
/// the receipt. 200: the same user had claimed it before, so a retry is safe.
///
/// - 404 `receipt_unknown`: no applicant's submission has this receipt.
/// - 409 `receipt_claimed`: another user has claimed it.
#[utoipa::path(
    post, path = "/api/rooster/v3/terms/consents/claims", tag = "consents",
    request_body = ClaimBody,
    responses((status = 200, body = ConsentList), (status = 201, body = ConsentList), (status = "4XX", body = crate::http::wire::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn claim(State(app): State<Arc<App>>, claim: ValidClaim) -> Result<Response, Problem> {
    let unknown = || {
        Problem::new(
            StatusCode::NOT_FOUND,
            "receipt_unknown",
            "No applicant's submission has this receipt.",
        )
    };
    let receipt = app.receipt_key.parse(&claim.receipt_id).ok_or_else(unknown)?;
    let Caller { user_id, subject, .. } = claim.caller;
    let new_claim = musette_store::NewClaim {
        entry_id: random::uuid(),
        receipt: &receipt,
        receipts: &app.receipt_key,
        subject: &subject,
        now: app.now(),
    };
    let status = match app.store.claim(&new_claim).await? {
        ClaimOutcome::Now => StatusCode::CREATED,
        ClaimOutcome::Before => StatusCode::OK,
        ClaimOutcome::Unknown => return Err(unknown()),
        ClaimOutcome::ByAnother => {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "receipt_claimed",
                "Another user has already claimed this receipt.",
            ));
        }
    };
    let list = consent_list(&app, user_id, &subject).await?;
    Ok((status, private(&list)).into_response())
}

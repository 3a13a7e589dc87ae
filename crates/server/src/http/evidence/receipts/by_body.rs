//! `POST /receipts`: the same as `GET /receipts/{id}`, with the id in the body. Proxies write paths
//! to their access logs, and with the id of an applicant's receipt anyone can withdraw and claim
//! the submission.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts as _, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;

use super::{Format, ReadByOperator, Readable, Receipt, ReceiptName, rendered};
use crate::http::access::caller::client_address;
use crate::http::access::permission::{ReadEvidence, Within};
use crate::http::consents::claims::ClaimReceipt;
use crate::http::wire::json::{Json, read_body};
use crate::http::wire::parameters::AcceptLanguage;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape;
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::platform::closed_sets;

/// A receipt and the format in which to read it.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"receipt":{"id":"zT8fQ2mW0cVbN4yLx7sRk1eHj9gUa6Pd"},"format":"pdf"})))]
pub struct ReadReceiptBody {
    /// The receipt. Only its `id` is read, so the whole receipt object may be sent.
    receipt: ClaimReceipt,
    /// The format of the response. Default: `json`.
    #[serde(default)]
    #[schema(value_type = Option<closed_sets::ReceiptFormat>)]
    format: Option<String>,
}

shaped!(ReadReceiptBody);

impl ReceiptName {
    fn of_body(body: &[u8], app: &App) -> Result<Self, Problem> {
        let body = shape::read::<ReadReceiptBody>(&Json::parse(body)?)?;
        let format = match body.format.as_deref() {
            Some("pdf") => Format::Certificate,
            Some("tlog-proof") => Format::TlogProof,
            _ => Format::Json,
        };
        Self::of_id(&body.receipt.id, format, app)
    }
}

/// A receipt that the caller may read, named in the body.
pub struct ReadableByBody(Readable);

impl FromRequest<Arc<App>> for ReadableByBody {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        app.limits.read(client_address(&parts, app))?;
        let body = read_body(Request::from_parts(parts.clone(), body)).await?;
        let name = ReceiptName::of_body(&body, app)?;
        Ok(Self(Readable::named(name, &mut parts, app).await?))
    }
}

/// A receipt of any person, named in the body. The body is read only if the caller has the
/// permission.
pub struct ReadByOperatorByBody(ReadByOperator);

impl FromRequest<Arc<App>> for ReadByOperatorByBody {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let within = Within::<ReadEvidence>::from_request_parts(&mut parts, app).await?;
        let body = read_body(Request::from_parts(parts, body)).await?;
        let name = ReceiptName::of_body(&body, app)?;
        Ok(Self(ReadByOperator::named(name, within, app).await?))
    }
}

/// Read a receipt as JSON, as a proof or as a certificate, by an id in the body.
///
/// `format` selects the format: `json`, `tlog-proof` (the C2SP proof alone) or `pdf` (a page to
/// read and print, in the language of `Accept-Language`). An applicant's receipt requires only its
/// id; a user's receipt requires their session. The operation changes nothing, so a retry is safe.
///
/// - 404 `not_found`: the receipt does not exist or belongs to another user.
/// - 410 `receipt_erased`: the person was erased.
#[utoipa::path(
    post, path = "/receipts", tag = "receipts",
    request_body = ReadReceiptBody,
    params(AcceptLanguage),
    responses(
        (status = 200, body = Receipt),
        (status = 410, description = "`receipt_erased`", body = ProblemBody),
        (status = "4XX", body = ProblemBody)
    ),
    security((), ("bearer" = []))
)]
pub async fn read_receipt(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    ReadableByBody(readable): ReadableByBody,
) -> Result<Response, Problem> {
    rendered(&app, readable, &headers).await
}

/// Read any person's receipt as JSON, proof or certificate, by an id in the body.
///
/// The audit records the access as `receipt_read`. A role for one market gives access to receipts
/// of decisions that were made in that market.
///
/// - 404 `not_found`: the receipt does not exist.
/// - 410 `receipt_erased`: the person was erased.
#[utoipa::path(
    post, path = "/api/admin/v1/receipts", tag = "admin-evidence",
    request_body = ReadReceiptBody,
    params(AcceptLanguage),
    responses(
        (status = 200, body = Receipt),
        (status = 410, description = "`receipt_erased`", body = ProblemBody),
        (status = "4XX", body = ProblemBody)
    ),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn read_receipt_of_any_person(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    ReadByOperatorByBody(read): ReadByOperatorByBody,
) -> Result<Response, Problem> {
    read.response(&app, &headers).await
}

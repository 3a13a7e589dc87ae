//! `POST /notices/bounces`: reports of mail servers.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use musette_core::campaigns::{DeliveryReport, ReportError};
use musette_store::ReportOutcome;
use serde::Serialize;

use crate::campaigns::reported_message;
use crate::http::access::permission::{ManageCampaigns, May};
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// A report contains the returned message.
const REPORT_BYTES_MAX: usize = 1024 * 1024;

/// A report of a mail server (RFC 3464).
#[derive(utoipa::ToSchema)]
#[schema(value_type = String)]
#[expect(dead_code, reason = "it describes a body in the API document and is never built")]
pub struct ReportText(String);

/// The result of a report.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct BounceBody {
    /// The id of the message.
    #[schema(format = "uuid")]
    message: String,
    /// False if the report changed nothing: it reports no failure, or one that was known.
    changed: bool,
    /// True if the failure is temporary and the message is sent again.
    retried: bool,
}

/// Report the bounce of an e-mail of a campaign.
///
/// The body is the `multipart/report` of a mail server. The message is identified by the
/// `Message-ID` of the returned message. A temporary failure (4.x.x) is sent again, up to three
/// times in a day. A message that failed for good no longer counts as served.
///
/// - 404 `not_found`: the report has no returned message with a `Message-ID`, or no message has
///   this ID.
/// - 415 `unsupported_media_type`: the body is not a `multipart/report`.
/// - 422 `no_delivery_status`: the report has no delivery status.
#[utoipa::path(
    post, path = "/api/admin/v1/notices/bounces", tag = "admin-terms", operation_id = "report_bounce",
    request_body(content = ReportText, content_type = "multipart/report"),
    responses((status = 200, body = BounceBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_campaigns"]))
)]
pub async fn report_bounce(
    State(app): State<Arc<App>>,
    _: May<ManageCampaigns>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or_default();
    let bytes = to_bytes(body, REPORT_BYTES_MAX).await;
    let bytes = bytes.map_err(|_| Problem::body_too_large(REPORT_BYTES_MAX))?;
    let report = DeliveryReport::parse(content_type, &bytes).map_err(problem)?;
    let message = reported_message(&report).ok_or_else(unknown)?;
    let outcome = app.store.record_report(&message, &report, app.now()).await?;
    let (changed, retried) = match outcome {
        ReportOutcome::Unknown => return Err(unknown()),
        ReportOutcome::Unchanged => (false, false),
        ReportOutcome::Retried => (true, true),
        ReportOutcome::Failed => (true, false),
    };
    Ok(private(&BounceBody { message, changed, retried }))
}

fn unknown() -> Problem {
    Problem::absent("message with this Message-ID")
}

fn problem(error: ReportError) -> Problem {
    match error {
        ReportError::NotAReport => Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            "Send a multipart/report with its boundary.",
        ),
        ReportError::NoStatus => {
            let detail =
                "The report has no part message/delivery-status with an action and a status.";
            Problem::invalid("no_delivery_status", detail, Vec::new())
        }
        ReportError::NoMessage => unknown(),
    }
}

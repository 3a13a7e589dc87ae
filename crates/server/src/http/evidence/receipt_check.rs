//! `POST /receipts/verify`: verifies a receipt against this server's logs.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::log::entry::Consent;
use musette_core::log::key::VerifierKey;
use musette_core::log::receipt::{Receipt, ReceiptError, SubjectCheck, VerifiedReceipt};
use musette_store::Log;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::access::permission::{ReadEvidence, Within};
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::closed_sets;

/// A receipt to verify.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct ReceiptBody {
    /// The receipt, or the response to a submission that contains it.
    #[schema(value_type = Object)]
    receipt: Value,
    /// The user who is claimed to have submitted it. Absent: the owner is not verified.
    #[serde(default)]
    user_id: Option<String>,
}

/// The result of a verification. A receipt that is not genuine is a result, not an error.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct VerdictBody {
    /// True if the receipt is genuine and, if a user was named, belongs to that user.
    pub verified: bool,
    /// The reason why the receipt is not genuine. Absent if it is genuine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::ReceiptCheckError>)]
    pub code: Option<&'static str>,
    /// The reason as an English sentence. Absent if the receipt is genuine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The index of the entry in the log, counted from 0. Absent if the receipt is not genuine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The origin of the log. Absent if the receipt is not genuine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The time at which the submission was recorded. Absent if the receipt is not genuine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub recorded_at: Option<String>,
    /// The role in which the submission was made. Absent if the receipt is not genuine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::UserType>)]
    pub user_type: Option<&'static str>,
    /// The result of comparing the receipt with the named user. Absent if the receipt is not
    /// genuine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::SubjectCheck>)]
    pub subject: Option<&'static str>,
    /// The decisions of the submission. Empty if the receipt is not genuine.
    pub consents: Vec<VerdictConsent>,
}

/// A decision in a verified receipt.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct VerdictConsent {
    /// The id of the term version.
    pub terms_and_conditions_id: i64,
    /// True: accepted. False: refused or withdrawn.
    pub accepted: bool,
    /// The time of the decision, as the person's device sent it.
    #[schema(format = DateTime)]
    pub consented_at: String,
    /// The SHA-256 of the document, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
}

impl From<Consent> for VerdictConsent {
    fn from(consent: Consent) -> Self {
        Self {
            terms_and_conditions_id: consent.terms_and_conditions_id,
            accepted: consent.accepted,
            consented_at: consent.consented_at,
            sha256: consent.sha256,
        }
    }
}

fn code(error: &ReceiptError) -> &'static str {
    match error {
        ReceiptError::TooLong | ReceiptError::Json(_) | ReceiptError::SubjectKey(_) => "malformed",
        ReceiptError::Entry(_) | ReceiptError::NotASubmission => "entry",
        ReceiptError::Proof(_) | ReceiptError::Index { .. } => "proof",
        ReceiptError::Subject => "other_person",
        ReceiptError::Applicant => "applicant",
    }
}

fn verdict(verified: Result<VerifiedReceipt, ReceiptError>) -> VerdictBody {
    use musette_core::log::entry::UserType;
    match verified {
        Err(error) => VerdictBody {
            code: Some(code(&error)),
            reason: Some(error.to_string()),
            ..VerdictBody::default()
        },
        Ok(VerifiedReceipt { submission, index, checkpoint, subject }) => VerdictBody {
            verified: true,
            index: Some(index),
            origin: Some(checkpoint.origin),
            recorded_at: Some(submission.recorded_at),
            user_type: Some(match submission.user_type {
                UserType::Rider => "RIDER",
                UserType::Applicant => "APPLICANT",
            }),
            subject: Some(match subject {
                SubjectCheck::Matches => "matches",
                SubjectCheck::NotClaimed => "not_claimed",
            }),
            consents: submission.consents.into_iter().map(VerdictConsent::from).collect(),
            ..VerdictBody::default()
        },
    }
}

/// Verify a receipt against the keys of this server's logs.
///
/// The result is the same as offline with `musette receipt verify`. A receipt that is not genuine
/// is a result, not an error.
#[utoipa::path(
    post, path = "/api/admin/v1/receipts/verify", tag = "admin-evidence", operation_id = "verify_receipt",
    request_body = ReceiptBody,
    responses((status = 200, body = VerdictBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn verify(
    State(app): State<Arc<App>>,
    // The result reveals nothing beyond the receipt that the caller holds, so the market of the
    // decision does not matter.
    _: Within<ReadEvidence>,
    Body(body): Body<ReceiptBody>,
) -> Result<Response, Problem> {
    let logs = app.store.logs().await?;
    let keys: Vec<VerifierKey> = logs.iter().flat_map(Log::keys).collect();
    let ReceiptBody { mut receipt, user_id } = body;
    if let Some(inner) = receipt.get_mut("receipt") {
        receipt = inner.take();
    }
    let read = serde_json::from_value::<Receipt>(receipt)
        .map_err(|error| ReceiptError::Json(error.to_string()));
    let verified = read.and_then(|receipt| receipt.verify(&keys, user_id.as_deref()));
    Ok(private(&verdict(verified)))
}

//! Receipts of evaluations.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::decisions::DecisionReceipt;
use musette_store::{ReadAt, StoredDecisionReceipt};
use serde::Serialize;
use serde_json::Value;

use super::requests::IdOf;
use super::written::absent;
use crate::decisions::RANDOM;
use crate::http::access::permission::{ReadEvidence, Within};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::EvaluationPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// A receipt of a decision about a person. `musette receipt verify` checks it without the server.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DecisionReceiptBody {
    /// The canonical text of the log entry.
    pub entry: String,
    /// The proof that the entry is in the log, as C2SP `tlog-proof@v1`.
    pub proof: String,
    /// 32 random bytes in base64url.
    #[schema(pattern = "^[A-Za-z0-9_-]{43}$")]
    pub salt: String,
    /// The whole record. The entry commits to the SHA-256 of the salt and its RFC 8785 form.
    #[schema(value_type = Object)]
    pub record: Value,
    /// The key that links the entry to the person, in base64url.
    #[schema(pattern = "^[A-Za-z0-9_-]{43}$")]
    pub subject_key: String,
}

/// The receipts of an evaluation or a restriction.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ReceiptList {
    /// One receipt for each version and message, oldest first.
    pub items: Vec<DecisionReceiptBody>,
}

impl From<DecisionReceipt> for DecisionReceiptBody {
    fn from(receipt: DecisionReceipt) -> Self {
        let DecisionReceipt { entry, proof, salt, record, subject_key } = receipt;
        Self { entry, proof, salt, record, subject_key }
    }
}

impl ReceiptList {
    pub async fn read(app: &App, id: &str) -> Result<Self, Problem> {
        Ok(Self::of(app.store.evaluation_receipts(id).await?))
    }

    pub fn of(receipts: Vec<StoredDecisionReceipt>) -> Self {
        let items = receipts.into_iter().map(|stored| stored.receipt.into());
        Self { items: items.collect() }
    }
}

/// List the receipts of an evaluation: one for each version and message.
///
/// - 400 `invalid_parameter`: the id is not a UUID.
/// - 403 `permission_denied`: it is outside the caller's markets.
#[utoipa::path(
    get, path = "/api/admin/v1/evaluations/{id}/receipts", tag = "admin-decisions", operation_id = "evaluation_receipts",
    params(EvaluationPath),
    responses((status = 200, body = ReceiptList), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn receipts(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ReadEvidence>,
    IdOf(id): IdOf,
) -> Result<Response, Problem> {
    let read_at = ReadAt { random: RANDOM, now: app.now() };
    let row = app.store.evaluation(&id, read_at).await?.ok_or_else(absent)?;
    if !reach.covers_code(row.evaluation.market.as_deref()) {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(private(&ReceiptList::read(&app, &id).await?))
}

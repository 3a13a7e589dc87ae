//! `GET /receipts/{id}`: the proof that a person keeps.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_store::{Evidence, ReceiptHolder};
use serde::Serialize;

use super::caller::Caller;
use super::problem::Problem;
use super::terms::private;
use crate::app::App;

/// Everything that is needed to check, without us, that a submission is in the log.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Receipt {
    /// Unguessable: with it an applicant reads, goes on and claims.
    pub id: String,
    /// Of the entry in the log.
    pub index: u64,
    /// The entry: RFC 8785 canonical JSON.
    pub entry: String,
    /// C2SP `tlog-proof@v1`.
    pub proof: String,
    /// Base64url of the key under which the entry names the person.
    pub subject_key: String,
}

impl Receipt {
    pub fn new(id: String, evidence: Evidence) -> Self {
        let Evidence { index, entry, proof, subject_key } = evidence;
        Self { id, index, entry, proof, subject_key }
    }
}

enum Format {
    Json,
    TlogProof,
}

/// A receipt that the caller may read.
pub struct Readable {
    receipt: Receipt,
    format: Format,
}

impl FromRequestParts<Arc<App>> for Readable {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let file: Result<Path<String>, _> = Path::from_request_parts(parts, app).await;
        let Ok(Path(file)) = file else { return Err(Problem::not_found()) };
        let (id, format) = match file.split_once('.') {
            None | Some((_, "json")) => (file.split('.').next(), Format::Json),
            Some((id, "tlog-proof")) => (Some(id), Format::TlogProof),
            Some(_) => return Err(Problem::not_found()),
        };
        let id = id.unwrap_or_default();
        let parsed = app.receipt_key.parse(id).ok_or_else(Problem::not_found)?;
        let stored = app.store.receipt(parsed.seq).await?.ok_or_else(Problem::not_found)?;
        if !app.receipt_key.matches(&parsed, &stored.entry_id) {
            return Err(Problem::not_found());
        }
        // Nobody has a session any more who could ask for it.
        let evidence = stored.evidence.ok_or_else(erased)?;
        if let ReceiptHolder::Subject(subject) = stored.holder {
            let caller = Caller::from_parts(parts, app).await?;
            if caller.subject != subject {
                return Err(Problem::permission_denied());
            }
        }
        Ok(Self { receipt: Receipt::new(id.to_owned(), evidence), format })
    }
}

fn erased() -> Problem {
    Problem::new(
        StatusCode::GONE,
        "receipt_erased",
        "The person of this receipt was erased; its entry says nothing about anybody any more.",
    )
}

/// The receipt as `{id}.json`, or its proof alone as `{id}.tlog-proof`.
#[utoipa::path(
    get, path = "/receipts/{file}", tag = "receipts",
    params(("file" = String, Path, description = "The receipt's id with `.json` or `.tlog-proof`")),
    responses(
        (status = 200, body = Receipt),
        (status = 410, description = "`receipt_erased`", body = super::problem::ProblemBody),
        (status = "4XX", body = super::problem::ProblemBody)
    ),
    security((), ("bearer" = []))
)]
pub async fn receipt(readable: Readable) -> Response {
    match readable.format {
        Format::Json => private(&readable.receipt),
        Format::TlogProof => (
            [
                (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
                (header::CACHE_CONTROL, "private, no-store"),
            ],
            readable.receipt.proof,
        )
            .into_response(),
    }
}

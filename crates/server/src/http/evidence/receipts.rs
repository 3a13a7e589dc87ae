//! `GET /receipts/{id}`: the receipt that a person keeps as proof.

mod by_body;
mod lookup;

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::log::receipt as signed;
use musette_core::terms::ReceiptId;
use musette_store::{AuditEvent, Log, ProvenEntry, ReceiptHolder, ReceiptOwner};
use serde::Serialize;

use crate::evidence::certificate::{Content, ExistedBefore, certificate, texts};
use crate::http::access::audit::audit_action;
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ReadEvidence, Within};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{AcceptLanguage, ReceiptFile};
use crate::http::wire::problem::Problem;
use crate::node::app::App;
pub use by_body::{
    __path_read_receipt, __path_read_receipt_of_any_person, read_receipt,
    read_receipt_of_any_person,
};
pub use lookup::{__path_look_up, look_up};

/// Everything that is needed to verify without this server that a submission is in the log.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Receipt {
    /// The id of the receipt. It is a secret: with the id of an applicant's receipt, anyone can
    /// read, continue and claim the submission.
    #[schema(pattern = "^([0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){8}|[A-Za-z0-9_-]{32})$")]
    pub id: String,
    /// The index of the entry in the log, counted from 0.
    pub index: u64,
    /// The log entry: canonical JSON (RFC 8785).
    pub entry: String,
    /// The proof of inclusion: C2SP `tlog-proof@v1`.
    pub proof: String,
    /// The key by which the entry names the person, in base64url.
    pub subject_key: String,
}

impl Receipt {
    pub fn new(id: String, evidence: ProvenEntry) -> Self {
        let ProvenEntry { index, entry, proof, subject_key } = evidence;
        Self { id, index, entry, proof, subject_key }
    }
}

enum Format {
    Json,
    TlogProof,
    Certificate,
}

/// A receipt that the caller may read.
pub struct Readable {
    receipt: Receipt,
    format: Format,
    /// The user of the session. None for an applicant's receipt, which requires only its id.
    user_id: Option<String>,
}

/// A receipt from the store, before the check of the caller's permission.
struct StoredReceipt {
    receipt: Receipt,
    holder: ReceiptHolder,
    person: String,
}

impl StoredReceipt {
    /// Returns the receipt of this id. None if no submission has it.
    async fn of_id(id: &str, app: &App) -> Result<Option<Self>, Problem> {
        let Some(parsed) = app.receipt_key.parse(id) else { return Ok(None) };
        let Some(stored) = app.store.cosigned_receipt(parsed.seq).await? else { return Ok(None) };
        if !app.receipt_key.matches(&parsed, &stored.entry_id) {
            return Ok(None);
        }
        // An erased person has no session, so the id alone suffices for this error.
        let evidence = stored.evidence.ok_or_else(erased)?;
        let receipt = Receipt::new(app.receipt_key.id(parsed.seq, &stored.entry_id), evidence);
        Ok(Some(Self { receipt, holder: stored.holder, person: stored.person }))
    }

    /// Returns the caller who owns the receipt. None for an applicant's receipt, which requires
    /// only its id. For other callers the receipt does not exist.
    async fn reader(
        &self,
        parts: &Parts,
        app: &App,
        unknown: impl FnOnce() -> Problem,
    ) -> Result<Option<Caller>, Problem> {
        let ReceiptHolder::Subject(subject) = &self.holder else { return Ok(None) };
        let caller = Caller::from_parts(parts, app).await?;
        if caller.subject == *subject { Ok(Some(caller)) } else { Err(unknown()) }
    }
}

/// The id and the format of a receipt, from the path or the body of a request.
struct ReceiptName {
    id: ReceiptId,
    format: Format,
}

impl ReceiptName {
    async fn of_path(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let file: Result<Path<String>, _> = Path::from_request_parts(parts, app).await;
        let Ok(Path(file)) = file else { return Err(Problem::not_found()) };
        let (id, format) = match file.split_once('.') {
            None | Some((_, "json")) => (file.split('.').next(), Format::Json),
            Some((id, "tlog-proof")) => (Some(id), Format::TlogProof),
            Some((id, "pdf")) => (Some(id), Format::Certificate),
            Some(_) => return Err(Problem::not_found()),
        };
        Self::of_id(id.unwrap_or_default(), format, app)
    }

    /// Parses the id as a program or a person writes it.
    fn of_id(id: &str, format: Format, app: &App) -> Result<Self, Problem> {
        let id = app.receipt_key.parse(id).ok_or_else(Problem::not_found)?;
        Ok(Self { id, format })
    }

    /// Returns the number of the submission and its owner, if the receipt exists.
    async fn owner(&self, app: &App) -> Result<Option<(i64, ReceiptOwner)>, Problem> {
        let owner = app.store.receipt_owner(self.id.seq).await?;
        let owner = owner.filter(|owner| app.receipt_key.matches(&self.id, &owner.entry_id));
        Ok(owner.map(|owner| (self.id.seq, owner)))
    }

    async fn receipt(&self, app: &App, seq: i64) -> Result<Receipt, Problem> {
        let stored = match self.format {
            // The bytes of a certificate do not change with later cosignatures.
            Format::Certificate => app.store.receipt(seq).await?,
            Format::Json | Format::TlogProof => app.store.cosigned_receipt(seq).await?,
        };
        let stored = stored.ok_or_else(Problem::not_found)?;
        let evidence = stored.evidence.ok_or_else(erased)?;
        Ok(Receipt::new(app.receipt_key.id(seq, &stored.entry_id), evidence))
    }
}

impl Readable {
    /// Reads the receipt with this id. A receipt of another person returns the same error as a
    /// receipt that does not exist.
    async fn named(name: ReceiptName, parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let owned = name.owner(app).await?;
        if let Some((seq, ReceiptOwner { holder: ReceiptHolder::Bearer, .. })) = owned {
            let receipt = name.receipt(app, seq).await?;
            return Ok(Self { receipt, format: name.format, user_id: None });
        }
        let caller = match Caller::from_parts(parts, app).await {
            Ok(caller) => caller,
            // An erased person has no session, so the id alone suffices for this error.
            Err(_) if owned.as_ref().is_some_and(|(_, owner)| owner.is_erased) => {
                return Err(erased());
            }
            Err(problem) => return Err(problem),
        };
        match owned {
            Some((seq, ReceiptOwner { holder: ReceiptHolder::Subject(subject), .. }))
                if subject == caller.subject =>
            {
                let receipt = name.receipt(app, seq).await?;
                Ok(Self { receipt, format: name.format, user_id: Some(caller.user_id) })
            }
            _ => Err(Problem::not_found()),
        }
    }
}

impl FromRequestParts<Arc<App>> for Readable {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let name = ReceiptName::of_path(parts, app).await?;
        Self::named(name, parts, app).await
    }
}

/// A receipt of any person, read by an operator.
pub struct ReadByOperator {
    readable: Readable,
    operator: Caller,
    /// The owner. None for an applicant.
    subject: Option<String>,
}

impl ReadByOperator {
    async fn named(
        name: ReceiptName,
        Within { caller: operator, reach, .. }: Within<ReadEvidence>,
        app: &App,
    ) -> Result<Self, Problem> {
        let owned = name.owner(app).await?;
        // The market at the time of the decision counts, as in lists and exports. The check comes
        // first, so that callers without permission cannot learn whether the receipt exists.
        if !reach.covers_code(owned.as_ref().and_then(|(_, owner)| owner.market.as_deref())) {
            return Err(Problem::denied_to(&operator.subject));
        }
        let (seq, owner) = owned.ok_or_else(Problem::not_found)?;
        let (receipt, format) = (name.receipt(app, seq).await?, name.format);
        let subject = match owner.holder {
            ReceiptHolder::Subject(subject) => Some(subject),
            ReceiptHolder::Bearer => None,
        };
        let user_id = match &subject {
            Some(subject) => app.store.user_id_of_subject(subject).await?,
            None => None,
        };
        Ok(Self { readable: Readable { receipt, format, user_id }, operator, subject })
    }

    async fn response(self, app: &App, headers: &HeaderMap) -> Result<Response, Problem> {
        let response = rendered(app, self.readable, headers).await?;
        let event =
            AuditEvent { event: "receipt_read", subject: self.subject, ..AuditEvent::default() };
        audit_action(app, &self.operator.subject, event).await;
        Ok(response)
    }
}

impl FromRequestParts<Arc<App>> for ReadByOperator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let within = Within::<ReadEvidence>::from_request_parts(parts, app).await?;
        let name = ReceiptName::of_path(parts, app).await?;
        Self::named(name, within, app).await
    }
}

pub fn erased() -> Problem {
    Problem::new(
        StatusCode::GONE,
        "receipt_erased",
        "The person of this receipt was erased. Its log entry no longer identifies a person.",
    )
}

/// Get a receipt as JSON, as a proof or as a certificate.
///
/// The file extension selects the format: `{id}.json` or no extension, `{id}.tlog-proof` (the C2SP
/// proof alone) or `{id}.pdf` (a page to read and print, in the language of `Accept-Language`). An
/// applicant's receipt requires only its id; a user's receipt requires their session. The id of an
/// applicant's receipt is a secret, and paths appear in logs: programs should use `POST /receipts`.
/// This path is for printed links.
///
/// - 404 `not_found`: the receipt does not exist or belongs to another user.
/// - 410 `receipt_erased`: the person was erased.
#[utoipa::path(
    get, path = "/receipts/{file}", tag = "receipts",
    params(ReceiptFile, AcceptLanguage),
    responses(
        (status = 200, body = Receipt),
        (status = 410, description = "`receipt_erased`", body = crate::http::wire::problem::ProblemBody),
        (status = "4XX", body = crate::http::wire::problem::ProblemBody)
    ),
    security((), ("bearer" = []))
)]
pub async fn receipt(
    State(app): State<Arc<App>>,
    readable: Readable,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    rendered(&app, readable, &headers).await
}

/// Get any person's receipt as JSON, as a proof or as a certificate.
///
/// The file extension selects the format: `{id}.json` or no extension, `{id}.tlog-proof` or
/// `{id}.pdf`. The audit records the access as `receipt_read`. A role for one market gives access
/// to receipts of decisions that were made in that market.
///
/// - 404 `not_found`: the receipt does not exist.
/// - 410 `receipt_erased`: the person was erased.
#[utoipa::path(
    get, path = "/api/admin/v1/receipts/{file}", tag = "admin-evidence", operation_id = "receipt_of_any_person",
    params(ReceiptFile, AcceptLanguage),
    responses(
        (status = 200, body = Receipt),
        (status = 410, description = "`receipt_erased`", body = crate::http::wire::problem::ProblemBody),
        (status = "4XX", body = crate::http::wire::problem::ProblemBody)
    ),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn receipt_of_any_person(
    State(app): State<Arc<App>>,
    read: ReadByOperator,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    read.response(&app, &headers).await
}

async fn rendered(app: &App, readable: Readable, headers: &HeaderMap) -> Result<Response, Problem> {
    Ok(match readable.format {
        Format::Json => private(&readable.receipt),
        Format::TlogProof => file("text/plain; charset=utf-8", readable.receipt.proof),
        Format::Certificate => {
            let language =
                headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
            let pdf = pdf(app, readable, language.unwrap_or_default().to_owned()).await?;
            file("application/pdf", pdf)
        }
    })
}

fn file(media_type: &'static str, body: impl IntoResponse) -> Response {
    let fixed = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "private, no-store")];
    (fixed, body).into_response()
}

async fn pdf(app: &App, readable: Readable, language: String) -> Result<Vec<u8>, Problem> {
    let Receipt { id, index, entry, proof, subject_key } = readable.receipt;
    let receipt = signed::Receipt { id, index, entry, proof, subject_key };
    let public_url = app.settings.public_url.as_deref();
    let key_address = format!("{}/log/key", public_url.unwrap_or_default());
    let page_address = public_url.map(|url| format!("{url}/receipt"));
    let catalog = Arc::clone(&app.live.load().catalog);
    let logs = app.store.logs().await?;
    let vkey_of =
        |origin: &str| logs.iter().find(|log| log.origin == origin).map(|log| log.vkey.clone());
    let content = Content::new(&receipt, &catalog, readable.user_id, &vkey_of, key_address)
        .map_err(certificate_error)?
        .opened_at(page_address)
        .of_company(app.settings.company.name.clone());
    let log = logs.iter().find(|log| log.origin == content.head.origin);
    let content = content.stamped(existed_before(app, log, receipt.index).await?);
    // Rendering and compressing take milliseconds of CPU time and must not block other requests.
    let certificate =
        tokio::task::spawn_blocking(move || certificate(&receipt, &content, texts(&language)));
    certificate.await.map_err(certificate_error)?.map_err(certificate_error)
}

/// Returns the first time stamp that covers an entry.
async fn existed_before(
    app: &App,
    log: Option<&Log>,
    index: u64,
) -> Result<Option<ExistedBefore>, Problem> {
    let Some(log) = log else { return Ok(None) };
    let stamp = app.store.timestamp_covering(log, index).await?;
    Ok(stamp
        .map(|row| ExistedBefore { at: Instant::from_millis(row.at), authority: row.authority }))
}

fn certificate_error(error: impl std::fmt::Display) -> Problem {
    Problem::internal(format!("failed to create a certificate: {error}"))
}

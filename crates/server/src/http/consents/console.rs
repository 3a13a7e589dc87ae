//! `GET /consents`, `/consents/export`: lists and exports decisions.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Outcome, ReceiptId, ReceiptKey, TermType};
use musette_store::{ConsentFilter, ConsentPlace, ExportedConsent};
use serde::Serialize;

use crate::evidence::export::{Export, ExportFormat, ExportedDecision};
use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{Reach, ReadDecisions, ReadEvidence, Within};
use crate::http::markets::MarketQuery;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged, cursor, unknown_cursor};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;

/// The number of submissions per read, when the filter may match almost none of them.
const SUBMISSIONS_PER_READ: i64 = 2_000;
const READS_PER_PAGE: usize = 5;

/// One decision and the term that it was made on.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DecisionBody {
    #[serde(flatten)]
    row: ExportedDecision,
    /// The type of the term.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    kind: String,
    /// The number of the version.
    #[schema(minimum = 1)]
    version: i64,
    /// The document's own name for this version. Null if it has none.
    #[schema(required, max_length = 40)]
    label: Option<String>,
    /// The title in the language that was shown.
    title: String,
    /// The language of the text that was shown. Absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 35)]
    language: Option<String>,
}

/// Filters of decisions.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConsentsQuery {
    /// Only decisions on this version.
    #[param(minimum = 0)]
    term: Option<i64>,
    /// Only decisions on terms of this type, such as `MARKETING`.
    #[param(rename = "type")]
    kind: Option<String>,
    /// Only decisions of this user.
    user: Option<String>,
    /// True: only decisions that accept. False: only decisions that do not.
    accepted: Option<bool>,
    /// Only this decision.
    #[param(value_type = Option<closed_sets::DecisionOutcome>)]
    decision: Option<Outcome>,
    /// Only decisions that were recorded at this time or later.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Instant>,
    /// Only decisions that were recorded before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Instant>,
    /// Only decisions of people who worked in this market, or inside it, at that time.
    market: Option<String>,
}

impl FromQuery for ConsentsQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let term = |text: &str| text.parse().ok().filter(|term| *term >= 0);
        let kind = |text: &str| TermType::parse(text).map(|_| text.to_owned());
        Ok(Self {
            term: parameters.parsed("term", term, "the id of a term")?,
            kind: parameters.parsed("type", kind, "a type of terms, such as MARKETING")?,
            user: parameters.text("user").map(str::to_owned),
            accepted: parameters.parsed("accepted", |text| text.parse().ok(), "true or false")?,
            decision: parameters.parsed(
                "decision",
                Outcome::parse,
                "accepted, declined or withdrawn",
            )?,
            since: parameters.instant("since")?,
            until: parameters.instant("until")?,
            market: MarketQuery::from_query(parameters)?.market.map(|market| market.to_string()),
        })
    }
}

impl ConsentsQuery {
    /// Returns the filter, limited to the markets that the caller may read.
    fn within(self, reach: &Reach) -> ConsentFilter {
        let (query, everything) = (self, ConsentFilter::default());
        ConsentFilter {
            since: query.since.unwrap_or(everything.since),
            until: query.until.unwrap_or(everything.until),
            user_id: query.user.unwrap_or_default(),
            term: query.term,
            kind: query.kind.unwrap_or_default(),
            accepted: query.accepted,
            outcome: query.decision,
            market: reach.filter(query.market.as_deref().and_then(Market::from_stored).as_ref()),
        }
    }
}

/// The requested receipt.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReceiptQuery {
    /// Only the decisions of the submission with this receipt.
    receipt: Option<String>,
}

impl FromQuery for ReceiptQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self { receipt: parameters.text("receipt").map(str::to_owned) })
    }
}

impl ReceiptQuery {
    /// Parses the id of the receipt.
    fn id(&self, key: &ReceiptKey) -> Result<Option<ReceiptId>, Problem> {
        let Some(text) = &self.receipt else { return Ok(None) };
        let id = key.parse(text);
        let invalid = || Problem::invalid_parameter("'receipt' must be the id of a receipt.");
        id.map(Some).ok_or_else(invalid)
    }
}

/// Options of an export.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The format of the file. Default: `csv`.
    #[param(value_type = Option<closed_sets::ExportFormat>)]
    format: ExportFormat,
}

impl FromQuery for ExportQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let format = parameters.parsed("format", ExportFormat::parse, "csv, jsonl or dpv")?;
        Ok(Self { format: format.unwrap_or(ExportFormat::Csv) })
    }
}

/// Parses a cursor: the position of the last decision of the previous page.
fn place(page: &Page) -> Result<Option<ConsentPlace>, Problem> {
    if page.after.is_empty() {
        return Ok(None);
    }
    let parts = page.after.split_once('.');
    let place = parts.and_then(|(seq, position)| {
        Some(ConsentPlace { seq: seq.parse().ok()?, position: position.parse().ok()? })
    });
    place.filter(|place| place.seq >= 0).map(Some).ok_or_else(unknown_cursor)
}

fn cursor_of(place: ConsentPlace) -> String {
    cursor(&format!("{}.{}", place.seq, place.position))
}

/// List decisions, newest first.
///
/// A page may have fewer decisions than `limit` although another page follows, because each request
/// reads a limited number of submissions.
#[utoipa::path(
    get, path = "/api/admin/v1/consents", tag = "admin-evidence", operation_id = "find_consents",
    params(ConsentsQuery, ReceiptQuery, Page),
    responses((status = 200, body = Paged<DecisionBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_decisions"]))
)]
pub async fn consents(
    State(app): State<Arc<App>>,
    Within { reach, .. }: Within<ReadDecisions>,
    Query(query): Query<ConsentsQuery>,
    Query(receipt): Query<ReceiptQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let has_end = query.until.is_some();
    let filter = query.within(&reach);
    let receipt = receipt.id(&app.receipt_key)?;
    let mut before = match (place(&page)?, &receipt) {
        (Some(place), _) => place,
        (None, Some(receipt)) => ConsentPlace { seq: receipt.seq, position: -1 },
        (None, None) => {
            ConsentPlace { seq: app.store.next_submission().await?, position: i64::MAX }
        }
    };
    // An index finds the decisions of one person, and those on one term.
    let has_index = !filter.user_id.is_empty() || filter.term.is_some() && !has_end;
    let read = match receipt {
        Some(_) => 1,
        None if has_index => i64::MAX,
        None => SUBMISSIONS_PER_READ,
    };
    let mut matches: Vec<ExportedConsent> = Vec::new();
    let mut ended = false;
    for _ in 0..READS_PER_PAGE {
        let missing = page.rows() - i64::try_from(matches.len()).unwrap_or(i64::MAX);
        let rows = app.store.consents_before(&filter, before, missing, read).await?;
        let is_full = i64::try_from(rows.len()) == Ok(missing);
        matches.extend(rows);
        before = ConsentPlace { seq: before.seq.saturating_sub(read), position: -1 };
        ended = before.seq < 0 || receipt.is_some();
        if is_full || ended {
            break;
        }
    }
    if let Some(receipt) = receipt {
        matches.retain(|row| app.receipt_key.matches(&receipt, &row.entry_id));
    }
    let more = matches.len() > page.limit;
    matches.truncate(page.limit);
    let next_cursor = if more {
        matches.last().map(|last| cursor_of(last.place()))
    } else {
        (!ended).then(|| cursor_of(before))
    };
    let catalog = Arc::clone(&app.live.load().catalog);
    let body = |consent: ExportedConsent| {
        let term = catalog.get(consent.term_id);
        let variants = term.map(|term| &term.variants);
        let exact =
            variants.and_then(|all| all.iter().find(|variant| variant.sha256 == consent.sha256));
        let shown = exact.or(variants.and_then(|all| all.first()));
        DecisionBody {
            kind: consent.kind.clone(),
            version: consent.version,
            label: term.and_then(|term| term.label.clone()),
            title: shown.map_or_else(String::new, |variant| variant.title.clone()),
            language: exact.map(|variant| variant.locale.clone()),
            row: ExportedDecision::new(consent, &app.receipt_key),
        }
    };
    let items: Vec<DecisionBody> = matches.into_iter().map(body).collect();
    Ok(private(&Paged { items, next_cursor }))
}

/// Export all decisions that match the filters.
///
/// The response is streamed. A CSV cell that a spreadsheet would run as a formula begins with an
/// apostrophe. The audit records the export as `consents_exported`.
#[utoipa::path(
    get, path = "/api/admin/v1/consents/export", tag = "admin-evidence", operation_id = "export_consents",
    params(ExportQuery, ConsentsQuery),
    responses(
        (status = 200, content(
            (String = "text/csv"), (String = "application/x-ndjson"), (Object = "application/ld+json")
        )),
        (status = "4XX", body = ProblemBody)
    ),
    security(("bearer" = ["read_evidence"]))
)]
pub async fn export(
    State(app): State<Arc<App>>,
    Within { caller: operator, reach, .. }: Within<ReadEvidence>,
    Query(ExportQuery { format }): Query<ExportQuery>,
    Query(query): Query<ConsentsQuery>,
) -> Result<Response, Problem> {
    let scope = if query.user.is_some() { "one person" } else { "everybody" };
    let subject = match &query.user {
        Some(user) => app.store.user(user).await?.map(|user| user.subject),
        None => None,
    };
    let filter = query.within(&reach);
    let catalog = Arc::clone(&app.live.load().catalog);
    let key = app.receipt_key.clone();
    let mut export = Export::new(Arc::clone(&app.store), key, catalog, format, filter).await?;
    // The first piece is read before the response starts, so that an unavailable database still
    // results in a 503.
    let first = export.next().await?.unwrap_or_default();
    let detail = format!("{} {scope}", format.ending());
    let mut event = event_about("consents_exported", detail);
    event.subject = subject;
    audit_action(&app, &operator.subject, event).await;
    let pieces = stream::unfold((Some(first), export), |(first, mut export)| async move {
        let piece = match first {
            Some(first) => Ok(first),
            None => export.next().await.transpose()?,
        };
        Some((piece.map(Bytes::from), (None, export)))
    });
    let name = format!("attachment; filename=\"consents.{}\"", format.ending());
    let headers = [
        (header::CONTENT_TYPE, format.media_type()),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_DISPOSITION, name.as_str()),
    ];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

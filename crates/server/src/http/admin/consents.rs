//! `GET /consents`, `/consents/export`: what was decided, to look at and to take along.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use musette_core::terms::TermType;
use musette_store::{ConsentFilter, ConsentPlace, ExportedConsent};
use serde::Serialize;

use super::page::{Page, Paged, cursor, unknown_cursor};
use crate::app::App;
use crate::export::{Export, ExportFormat, Row};
use crate::http::caching::private;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};
use crate::sessions::audit_action;

/// Submissions looked at for one page, when almost none fits the filter.
const SUBMISSIONS_A_READ: i64 = 2_000;
const READS_A_PAGE: usize = 5;

/// One decision and the term that it was made on.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DecisionBody {
    #[serde(flatten)]
    row: Row,
    /// The type of the term.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    kind: String,
    /// The number of the version.
    #[schema(minimum = 1)]
    version: i64,
    /// The name that the document itself gives this version. Null if it gives none.
    #[schema(required, max_length = 40)]
    label: Option<String>,
    /// The title in the language that was shown.
    title: String,
}

fn filter(page: &Page) -> Result<ConsentFilter, Problem> {
    let everything = ConsentFilter::default();
    let term = page.filter("term").map(|text| {
        text.parse()
            .ok()
            .filter(|term| *term >= 0)
            .ok_or_else(|| Problem::invalid_parameter("'term' is the id of a term."))
    });
    let kind = page.filter("type").unwrap_or_default();
    if !kind.is_empty() && TermType::parse(kind).is_none() {
        return Err(Problem::invalid_parameter("'type' is a type of terms, such as MARKETING."));
    }
    let accepted = match page.filter("accepted") {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(_) => return Err(Problem::invalid_parameter("'accepted' is true or false.")),
    };
    Ok(ConsentFilter {
        since: page.instant("since")?.unwrap_or(everything.since),
        until: page.instant("until")?.unwrap_or(everything.until),
        user_id: page.filter("user").unwrap_or_default().to_owned(),
        term: term.transpose()?,
        kind: kind.to_owned(),
        accepted,
    })
}

/// A cursor is the place of the last decision of the page before.
fn place(page: &Page) -> Result<Option<ConsentPlace>, Problem> {
    if page.after.is_empty() {
        return Ok(None);
    }
    let parts = page.after.split_once('.');
    let place = parts.and_then(|(seq, position)| {
        Some(ConsentPlace { seq: seq.parse().ok()?, position: position.parse().ok()? })
    });
    place.filter(|it| it.seq >= 0).map(Some).ok_or_else(unknown_cursor)
}

fn cursor_of(place: ConsentPlace) -> String {
    cursor(&format!("{}.{}", place.seq, place.position))
}

/// Decisions, the newest first.
///
/// A page may be shorter than asked and still have a next one: it looks at so many submissions at the
/// most.
#[utoipa::path(
    get, path = "/api/admin/v1/consents", tag = "admin", operation_id = "find_consents",
    params(
        ("term" = Option<i64>, Query), ("type" = Option<String>, Query),
        ("user" = Option<String>, Query), ("accepted" = Option<bool>, Query),
        ("since" = Option<String>, Query, description = "Recorded then or later; RFC 3339"),
        ("until" = Option<String>, Query, description = "Recorded before"),
        ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query)
    ),
    responses((status = 200, body = Paged<DecisionBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn consents(
    State(app): State<Arc<App>>,
    _operator: Operator,
    page: Page,
) -> Result<Response, Problem> {
    let filter = filter(&page)?;
    let mut before = match place(&page)? {
        Some(place) => place,
        None => ConsentPlace { seq: app.store.next_submission().await?, position: i64::MAX },
    };
    // A person's own decisions, and those on one term, are found by an index.
    let is_found =
        !filter.user_id.is_empty() || filter.term.is_some() && page.filter("until").is_none();
    let read = if is_found { i64::MAX } else { SUBMISSIONS_A_READ };
    let mut found: Vec<ExportedConsent> = Vec::new();
    let mut ended = false;
    for _ in 0..READS_A_PAGE {
        let missing = page.rows() - i64::try_from(found.len()).unwrap_or(i64::MAX);
        let rows = app.store.consents_before(&filter, before, missing, read).await?;
        let is_full = i64::try_from(rows.len()) == Ok(missing);
        found.extend(rows);
        before = ConsentPlace { seq: before.seq.saturating_sub(read), position: -1 };
        ended = before.seq < 0;
        if is_full || ended {
            break;
        }
    }
    let more = found.len() > page.limit;
    found.truncate(page.limit);
    let next_cursor = if more {
        found.last().map(|last| cursor_of(last.place()))
    } else {
        (!ended).then(|| cursor_of(before))
    };
    let catalog = Arc::clone(&app.live.load().catalog);
    let body = |consent: ExportedConsent| {
        let term = catalog.get(consent.term_id);
        let variants = term.map(|term| &term.variants);
        let shown = variants
            .and_then(|all| all.iter().find(|it| it.sha256 == consent.sha256).or(all.first()));
        DecisionBody {
            kind: consent.kind.clone(),
            version: consent.version,
            label: term.and_then(|term| term.label.clone()),
            title: shown.map_or_else(String::new, |variant| variant.title.clone()),
            row: Row::new(consent, &app.receipt_key),
        }
    };
    let items: Vec<DecisionBody> = found.into_iter().map(body).collect();
    Ok(private(&Paged { items, next_cursor }))
}

/// All decisions that fit the filters, as a file that is streamed.
#[utoipa::path(
    get, path = "/api/admin/v1/consents/export", tag = "admin", operation_id = "export_consents",
    params(
        ("format" = Option<String>, Query, description = "`csv` (without it), `jsonl` or `dpv`"),
        ("term" = Option<i64>, Query), ("type" = Option<String>, Query),
        ("user" = Option<String>, Query), ("accepted" = Option<bool>, Query),
        ("since" = Option<String>, Query), ("until" = Option<String>, Query)
    ),
    responses(
        (status = 200, body = String, content_type = "text/csv"),
        (status = "4XX", body = ProblemBody)
    ),
    security(("bearer" = []))
)]
pub async fn export(
    State(app): State<Arc<App>>,
    Operator(operator): Operator,
    page: Page,
) -> Result<Response, Problem> {
    let format = ExportFormat::parse(page.filter("format").unwrap_or("csv"))
        .ok_or_else(|| Problem::invalid_parameter("'format' is csv, jsonl or dpv."))?;
    let filter = filter(&page)?;
    let catalog = Arc::clone(&app.live.load().catalog);
    let key = app.receipt_key.clone();
    let mut export = Export::new(Arc::clone(&app.store), key, catalog, format, filter).await?;
    // Before anything is answered: a store that does not answer is still a 503.
    let first = export.next().await?.unwrap_or_default();
    let whose = if page.filter("user").is_some() { "one person" } else { "everybody" };
    let detail = format!("{} {whose}", format.ending());
    audit_action(&app, &operator.subject, "consents_exported", detail).await;
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

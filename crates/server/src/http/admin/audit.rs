//! `GET /audit`: who did what, and what happened to accounts and sessions.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_store::{AuditEntry, AuditFilter, StoreError};
use serde::Serialize;

use super::page::{Page, Paged, cursor, unknown_cursor};
use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};

/// One entry of the audit. Entries are never changed.
#[derive(Serialize, utoipa::ToSchema)]
pub struct AuditEntryBody {
    /// Identifies the entry.
    id: String,
    /// When it happened.
    #[schema(format = DateTime)]
    at: String,
    /// What happened.
    #[schema(value_type = closed_sets::AuditEvent)]
    event: String,
    /// The reference of the person it was done to. It stays when the person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    /// The user id of that person. Absent once they are erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    /// The session that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
    /// More about the event, such as a term's id or a flag's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// The reference of whoever did it, or `command` for the command line. Absent: the person
    /// themselves, or the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    /// The user id of whoever did it. Absent once they are erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_user_id: Option<String>,
    /// How often it happened within the hour that begins with `at`. Only for events that people
    /// without a session can cause, such as `code_refused`. Absent: once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 2)]
    count: Option<i64>,
}

impl From<AuditEntry> for AuditEntryBody {
    fn from(entry: AuditEntry) -> Self {
        Self {
            id: entry.id,
            at: Instant::from_millis(entry.at).to_string(),
            event: entry.event,
            subject: entry.subject,
            user_id: entry.user_id,
            sid: entry.sid,
            detail: entry.detail,
            actor: entry.actor,
            actor_user_id: entry.actor_user_id,
            count: (entry.n > 1).then_some(entry.n),
        }
    }
}

/// Entries looked at for one page of a search, when almost none fits.
const ENTRIES_A_READ: i64 = 500;
const READS_A_PAGE: usize = 5;

/// A cursor is time and id of the last entry of the page before.
fn place(page: &Page) -> Result<Option<(i64, String)>, Problem> {
    if page.after.is_empty() {
        return Ok(None);
    }
    let parts = page.after.split_once('/');
    let place = parts.and_then(|(at, id)| Some((at.parse().ok()?, id.to_owned())));
    place.map(Some).ok_or_else(unknown_cursor)
}

fn cursor_text(entry: &AuditEntry) -> String {
    format!("{}/{}", entry.at, entry.id)
}

/// Whether the text stands in the event or the detail, or one of the people's ids begins with it.
fn fits(entry: &AuditEntry, text: &str) -> bool {
    let contains = |field: &str| field.to_lowercase().contains(text);
    let begins =
        |id: &Option<String>| id.as_ref().is_some_and(|id| id.to_lowercase().starts_with(text));
    contains(&entry.event)
        || entry.detail.as_deref().is_some_and(contains)
        || begins(&entry.user_id)
        || begins(&entry.actor_user_id)
}

/// What happened, the newest first. It is never rewritten, and names people by a reference, so that
/// nothing of a person is left in it when they are erased.
///
/// With `q` a page may be shorter than asked and still have a next one: it looks at so many entries at
/// the most.
#[utoipa::path(
    get, path = "/api/admin/v1/audit", tag = "admin",
    params(
        ("event" = Option<String>, Query, description = "Only this kind"),
        ("q" = Option<String>, Query, description = "A part of the event or the detail, or the beginning of a user's id"),
        ("user" = Option<String>, Query, description = "Done to, or by, this user"),
        ("subject" = Option<String>, Query, description = "The same by reference, also after an erasure"),
        ("since" = Option<String>, Query, description = "At or after"),
        ("until" = Option<String>, Query, description = "Before"),
        ("limit" = Option<u32>, Query, description = "50 where it is absent, 200 at the most"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before")
    ),
    responses((status = 200, body = Paged<AuditEntryBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn audit(
    State(app): State<Arc<App>>,
    _: Operator,
    page: Page,
) -> Result<Response, Problem> {
    let (user, given) = (page.filter("user"), page.filter("subject"));
    if user.is_some() && given.is_some() {
        return Err(Problem::invalid_parameter("Give user or subject, not both."));
    }
    let since = page.instant("since")?.map_or(i64::MIN, Instant::millis);
    let until = page.instant("until")?.map_or(i64::MAX, Instant::millis);
    let (after, text) = (place(&page)?, page.search()?.trim().to_lowercase());
    let subject = match user {
        None => given.map(str::to_owned),
        Some(user) => match app.store.user(user).await? {
            Some(user) => Some(user.subject),
            // Nothing names somebody who is not there.
            None => return Ok(private(&Paged::<AuditEntryBody>::empty())),
        },
    };
    let filter = AuditFilter {
        event: page.filter("event"),
        subject: subject.as_deref(),
        since,
        until,
        after: after.as_ref().map(|(at, id)| (*at, id.as_str())),
        limit: page.rows(),
    };
    if !text.is_empty() {
        return Ok(private(&search(&app, &page, filter, &text).await?));
    }
    let entries = app.store.audit_page(&filter).await?;
    Ok(private(&page.of(entries, cursor_text, AuditEntryBody::from)))
}

async fn search(
    app: &App,
    page: &Page,
    filter: AuditFilter<'_>,
    text: &str,
) -> Result<Paged<AuditEntryBody>, StoreError> {
    let mut items: Vec<AuditEntryBody> = Vec::new();
    let mut last: Option<(i64, String)> = filter.after.map(|(at, id)| (at, id.to_owned()));
    let next =
        |last: &Option<(i64, String)>| last.as_ref().map(|(at, id)| cursor(&format!("{at}/{id}")));
    for _ in 0..READS_A_PAGE {
        let after = last.clone();
        let after = after.as_ref().map(|(at, id)| (*at, id.as_str()));
        let read = AuditFilter { after, limit: ENTRIES_A_READ, ..filter };
        let entries = app.store.audit_page(&read).await?;
        let was_last = i64::try_from(entries.len()).unwrap_or(0) < ENTRIES_A_READ;
        for entry in entries {
            if items.len() == page.limit {
                return Ok(Paged { items, next_cursor: next(&last) });
            }
            last = Some((entry.at, entry.id.clone()));
            if fits(&entry, text) {
                items.push(entry.into());
            }
        }
        if was_last {
            return Ok(Paged { items, next_cursor: None });
        }
    }
    Ok(Paged { items, next_cursor: next(&last) })
}

//! `GET /audit`: actions of people, and events of accounts and sessions.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_store::{AuditEntry, AuditFilter, StoreError};
use serde::Serialize;

use super::permission::{May, ReadAudit};
use crate::http::people::sees_personal;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged, cursor, unknown_cursor};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;

/// One entry of the audit. Entries are never changed.
#[derive(Serialize, utoipa::ToSchema)]
pub struct AuditEntryBody {
    /// The id of the entry.
    id: String,
    /// The time of the event.
    #[schema(format = DateTime)]
    at: String,
    /// The type of the event.
    #[schema(value_type = closed_sets::AuditEvent)]
    event: String,
    /// The reference of the person who is affected. It stays when the person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    /// The user id of that person. Absent once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    /// The name of that person. Absent if it is unknown, and once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The id of the session that is affected.
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
    /// A detail of the event, such as a term's id or a flag's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// The kind of actor. Entries of earlier versions without this information have `program`.
    #[schema(value_type = closed_sets::AuditAgent)]
    by: &'static str,
    /// The reference of the person who did it, or `command`. Absent if the actor has no reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    /// The user id of the actor. Absent once the actor is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_user_id: Option<String>,
    /// The name of the actor. Absent if it is unknown, and once the actor is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_name: Option<String>,
    /// The number of times that the event happened in the hour that begins at `at`. Only for events
    /// that callers without a session can cause, such as `code_refused`. Absent: once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 2)]
    count: Option<i64>,
}

impl AuditEntryBody {
    fn without_names(self) -> Self {
        Self { name: None, actor_name: None, ..self }
    }

    /// Removes the references, ids and names of all other people.
    pub fn naming_only(mut self, subject: &str) -> Self {
        if self.subject.as_deref() != Some(subject) {
            (self.subject, self.user_id, self.name) = (None, None, None);
        }
        if self.actor.as_deref() != Some(subject) {
            (self.actor, self.actor_user_id, self.actor_name) = (None, None, None);
        }
        self
    }
}

impl From<AuditEntry> for AuditEntryBody {
    fn from(entry: AuditEntry) -> Self {
        let (by, is_self) = agent(&entry);
        let own = |value: &Option<String>| if is_self { value.clone() } else { None };
        let (actor, actor_user_id, actor_name) =
            (own(&entry.subject), own(&entry.user_id), own(&entry.name));
        Self {
            by,
            name: entry.name,
            actor_name: entry.actor_name.or(actor_name),
            id: entry.id,
            at: Instant::from_millis(entry.at).to_string(),
            event: entry.event,
            subject: entry.subject,
            user_id: entry.user_id,
            sid: entry.sid,
            detail: entry.detail,
            actor: entry.actor.or(actor),
            actor_user_id: entry.actor_user_id.or(actor_user_id),
            count: (entry.n > 1).then_some(entry.n),
        }
    }
}

/// Events that people cause on their own account.
const SELF_EVENTS: [&str; 6] = [
    "authenticator_set",
    "password_set",
    "session_ended_by_person",
    "signed_in",
    "signed_out",
    "signed_out_everywhere",
];
/// Events that need no session. The affected person may not know of them.
const PUBLIC_EVENTS: [&str; 4] =
    ["code_refused", "code_sent", "code_withheld", "console_sign_in_refused"];

/// Returns the kind of actor, and whether the actor is the affected person.
fn agent(entry: &AuditEntry) -> (&'static str, bool) {
    let event = entry.event.as_str();
    match entry.actor.as_deref() {
        Some("command") => ("command", false),
        Some(_) => ("person", false),
        None if SELF_EVENTS.contains(&event) => ("person", true),
        None if PUBLIC_EVENTS.contains(&event) => ("anybody", false),
        None if event == "roles_taken_away" || entry.detail.as_deref() == Some("oidc") => {
            ("provider", false)
        }
        None => ("program", false),
    }
}

/// The number of entries per read of a search, which may match almost none of them.
const ENTRIES_PER_READ: i64 = 500;
const READS_PER_PAGE: usize = 5;

/// Filters of audit entries.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// Only this event. An unknown event returns an empty list.
    event: Option<String>,
    /// Only entries with this text in the event or the detail, or at the beginning of a user id. At
    /// most 200 characters.
    #[param(value_type = Option<String>, max_length = 200)]
    q: String,
    /// Only entries that affect, or were caused by, this user. Not together with `subject`.
    user: Option<String>,
    /// Only entries that affect, or were caused by, the person with this reference. The reference
    /// remains after an erasure.
    subject: Option<String>,
    /// Only entries at this time or later.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Instant>,
    /// Only entries before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Instant>,
}

impl FromQuery for AuditQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let owned = |name| parameters.text(name).map(str::to_owned);
        Ok(Self {
            event: owned("event"),
            q: parameters.search()?,
            user: owned("user"),
            subject: owned("subject"),
            since: parameters.instant("since")?,
            until: parameters.instant("until")?,
        })
    }
}

/// Parses a cursor: the time and the id of the last entry of the previous page.
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

/// Returns whether the event or the detail contains the text, or the id of a person begins with it.
fn fits(entry: &AuditEntry, text: &str) -> bool {
    let contains = |field: &str| field.to_lowercase().contains(text);
    let begins =
        |id: &Option<String>| id.as_ref().is_some_and(|id| id.to_lowercase().starts_with(text));
    contains(&entry.event)
        || entry.detail.as_deref().is_some_and(contains)
        || begins(&entry.user_id)
        || begins(&entry.actor_user_id)
}

/// List audit entries, newest first.
///
/// Entries never change. They name people by a reference, so that after an erasure they contain
/// nothing personal. With `q`, a page may have fewer entries than `limit` although another page
/// follows, because each request reads a limited number of entries.
#[utoipa::path(
    get, path = "/api/admin/v1/audit", tag = "admin-evidence",
    params(AuditQuery, Page),
    responses((status = 200, body = Paged<AuditEntryBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_audit"]))
)]
pub async fn audit(
    State(app): State<Arc<App>>,
    May { caller, .. }: May<ReadAudit>,
    Query(query): Query<AuditQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let AuditQuery { event, q: text, user, subject: reference, since, until } = query;
    if user.is_some() && reference.is_some() {
        return Err(Problem::invalid_parameter("Send 'user' or 'subject', not both."));
    }
    let is_shown = sees_personal(&caller);
    let (after, text) = (place(&page)?, text.trim().to_lowercase());
    let subject = match user {
        None => reference,
        Some(user) => match app.store.user(&user).await? {
            Some(user) => Some(user.subject),
            // Entries of unknown users do not exist.
            None => return Ok(private(&Paged::<AuditEntryBody>::empty())),
        },
    };
    let filter = AuditFilter {
        event: event.as_deref(),
        subject: subject.as_deref(),
        since: since.map_or(i64::MIN, Instant::millis),
        until: until.map_or(i64::MAX, Instant::millis),
        after: after.as_ref().map(|(at, id)| (*at, id.as_str())),
        limit: page.rows(),
    };
    if !text.is_empty() {
        let mut matches = search(&app, &page, filter, &text).await?;
        if !is_shown {
            matches.items = matches.items.into_iter().map(AuditEntryBody::without_names).collect();
        }
        return Ok(private(&matches));
    }
    let entries = app.store.audit_page(&filter).await?;
    let body = |entry: AuditEntry| {
        let body = AuditEntryBody::from(entry);
        if is_shown { body } else { body.without_names() }
    };
    Ok(private(&page.of(entries, cursor_text, body)))
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
    for _ in 0..READS_PER_PAGE {
        let after = last.clone();
        let after = after.as_ref().map(|(at, id)| (*at, id.as_str()));
        let read = AuditFilter { after, limit: ENTRIES_PER_READ, ..filter };
        let entries = app.store.audit_page(&read).await?;
        let was_last = i64::try_from(entries.len()).unwrap_or(0) < ENTRIES_PER_READ;
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

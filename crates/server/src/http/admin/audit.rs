//! `GET /audit`: who did what, and what happened to accounts and sessions.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_store::{AuditEntry, AuditFilter, StoreError};
use serde::Serialize;

use super::page::{Page, Paged, cursor, unknown_cursor};
use super::people::sees_personal;
use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::permission::{May, ReadAudit};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};

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
    /// The name of that person. Absent if none is known, and once they are erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The session that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
    /// More about the event, such as a term's id or a flag's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// Who did it. Entries of earlier versions that do not say it have `program`.
    #[schema(value_type = closed_sets::AuditAgent)]
    by: &'static str,
    /// The reference of the person who did it, or `command`. Absent where `by` is nobody of whom there
    /// is a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    /// The user id of whoever did it. Absent once they are erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_user_id: Option<String>,
    /// The name of that person. Absent if none is known, and once they are erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_name: Option<String>,
    /// How often it happened within the hour that begins with `at`. Only for events that people
    /// without a session can cause, such as `code_refused`. Absent: once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 2)]
    count: Option<i64>,
}

impl AuditEntryBody {
    fn without_names(self) -> Self {
        Self { name: None, actor_name: None, ..self }
    }

    /// Without the references, ids and names of anybody else.
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
        let themselves = |of: &Option<String>| if is_self { of.clone() } else { None };
        let (actor, actor_user_id, actor_name) =
            (themselves(&entry.subject), themselves(&entry.user_id), themselves(&entry.name));
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

/// What people do to their own account.
const OF_THEIR_OWN: [&str; 6] = [
    "authenticator_set",
    "password_set",
    "session_ended_by_person",
    "signed_in",
    "signed_out",
    "signed_out_everywhere",
];
/// What needs no session: the person whom it concerns may know nothing of it.
const BY_ANYBODY: [&str; 4] =
    ["code_refused", "code_sent", "code_withheld", "console_sign_in_refused"];

/// Who did it, and whether that is the person whom it concerns.
fn agent(entry: &AuditEntry) -> (&'static str, bool) {
    let event = entry.event.as_str();
    match entry.actor.as_deref() {
        Some("command") => ("command", false),
        Some(_) => ("person", false),
        None if OF_THEIR_OWN.contains(&event) => ("person", true),
        None if BY_ANYBODY.contains(&event) => ("anybody", false),
        None if event == "roles_taken_away" || entry.detail.as_deref() == Some("oidc") => {
            ("provider", false)
        }
        None => ("program", false),
    }
}

/// Entries looked at for one page of a search, when almost none fits.
const ENTRIES_A_READ: i64 = 500;
const READS_A_PAGE: usize = 5;

/// Filters of audit entries.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// Only this event. One that there is not gives an empty list.
    event: Option<String>,
    /// A part of the event or the detail, or the beginning of a user id. At most 200 characters.
    #[param(value_type = Option<String>, max_length = 200)]
    q: String,
    /// Only what was done to, or by, this user. Not together with `subject`.
    user: Option<String>,
    /// Only what was done to, or by, the person with this reference, which survives an erasure.
    subject: Option<String>,
    /// Only what happened at this time or later.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Instant>,
    /// Only what happened before this time.
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

/// List audit entries, newest first.
///
/// Entries are never changed, and name people by a reference, so that nothing of a person is left in them after an
/// erasure. With `q` a page may be shorter than `limit` and still have a next one, because a request looks at a
/// limited number of entries.
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
    let AuditQuery { event, q: text, user, subject: given, since, until } = query;
    if user.is_some() && given.is_some() {
        return Err(Problem::invalid_parameter("Give user or subject, not both."));
    }
    let is_shown = sees_personal(&caller);
    let (after, text) = (place(&page)?, text.trim().to_lowercase());
    let subject = match user {
        None => given,
        Some(user) => match app.store.user(&user).await? {
            Some(user) => Some(user.subject),
            // No entry names an unknown person.
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
        let mut found = search(&app, &page, filter, &text).await?;
        if !is_shown {
            found.items = found.items.into_iter().map(AuditEntryBody::without_names).collect();
        }
        return Ok(private(&found));
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

//! `GET /audit`: who did what, and what happened to accounts and sessions.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use musette_core::instant::Instant;
use musette_store::{AuditEntry, AuditFilter};
use serde::Serialize;

use crate::app::App;
use crate::http::caller::Operator;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::terms::{private, url_pairs};

const LIMIT: u32 = 50;
const LIMIT_MAX: u32 = 200;

#[derive(Serialize, utoipa::ToSchema)]
pub struct AuditPageBody {
    /// The newest first.
    items: Vec<AuditEntryBody>,
    /// For the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct AuditEntryBody {
    id: String,
    at: String,
    /// Such as `signed_in` or `refresh_token_reused`.
    event: String,
    /// Whom it was done to: the reference, which outlives the person's erasure.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    /// The same person, until they are erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// Who did it; absent: the person themselves, or a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor_user_id: Option<String>,
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
        }
    }
}

/// What was asked for.
struct Asked {
    event: Option<String>,
    subject: Option<String>,
    user: Option<String>,
    since: i64,
    until: i64,
    limit: u32,
    after: Option<(i64, String)>,
}

impl Asked {
    fn parse(query: &str) -> Result<Self, Problem> {
        let mut asked = Self {
            event: None,
            subject: None,
            user: None,
            since: i64::MIN,
            until: i64::MAX,
            limit: LIMIT,
            after: None,
        };
        for (name, value) in url_pairs(query) {
            match name.as_str() {
                "event" => asked.event = Some(value),
                "subject" => asked.subject = Some(value),
                "user" => asked.user = Some(value),
                "since" => asked.since = instant("since", &value)?,
                "until" => asked.until = instant("until", &value)?,
                "limit" => asked.limit = limit(&value)?,
                "cursor" => asked.after = Some(cursor(&value)?),
                _ => {}
            }
        }
        if asked.user.is_some() && asked.subject.is_some() {
            return Err(Problem::invalid_parameter("Give user or subject, not both."));
        }
        Ok(asked)
    }
}

fn instant(name: &str, text: &str) -> Result<i64, Problem> {
    Instant::parse(text)
        .map(Instant::millis)
        .map_err(|_| Problem::invalid_parameter(format!("{name} is not an RFC 3339 instant.")))
}

fn limit(text: &str) -> Result<u32, Problem> {
    let limit = text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    let wrong = || format!("limit is a number from 1 to {LIMIT_MAX}.");
    limit.ok_or_else(|| Problem::invalid_parameter(wrong()))
}

fn cursor(text: &str) -> Result<(i64, String), Problem> {
    let parsed = || {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (at, id) = text.split_once('/')?;
        Some((at.parse().ok()?, id.to_owned()))
    };
    parsed().ok_or_else(|| Problem::invalid_parameter("cursor is none that was given here."))
}

fn cursor_after(entry: &AuditEntry) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}/{}", entry.at, entry.id))
}

/// What happened, the newest first. It is never rewritten, and names people by a reference, so that
/// nothing of a person is left in it when they are erased.
#[utoipa::path(
    get, path = "/api/admin/v1/audit", tag = "admin",
    params(
        ("event" = Option<String>, Query, description = "Only this kind"),
        ("user" = Option<String>, Query, description = "Done to, or by, this user"),
        ("subject" = Option<String>, Query, description = "The same by reference, also after an erasure"),
        ("since" = Option<String>, Query, description = "At or after"),
        ("until" = Option<String>, Query, description = "Before"),
        ("limit" = Option<u32>, Query, description = "50 where it is absent, 200 at the most"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before")
    ),
    responses((status = 200, body = AuditPageBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn audit(
    State(app): State<Arc<App>>,
    _: Operator,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let asked = Asked::parse(&query.unwrap_or_default())?;
    let subject = match &asked.user {
        None => asked.subject,
        Some(user) => match app.store.user(user).await? {
            Some(user) => Some(user.subject),
            // Nothing names somebody who is not there.
            None => return Ok(private(&AuditPageBody { items: Vec::new(), next_cursor: None })),
        },
    };
    let filter = AuditFilter {
        event: asked.event.as_deref(),
        subject: subject.as_deref(),
        since: asked.since,
        until: asked.until,
        after: asked.after.as_ref().map(|(at, id)| (*at, id.as_str())),
        // One more than asked for tells whether there is a next page.
        limit: asked.limit + 1,
    };
    let mut entries = app.store.audit_page(&filter).await?;
    let wanted = asked.limit as usize;
    let next_cursor = (entries.len() > wanted).then(|| cursor_after(&entries[wanted - 1]));
    entries.truncate(wanted);
    let items = entries.into_iter().map(Into::into).collect();
    Ok(private(&AuditPageBody { items, next_cursor }))
}

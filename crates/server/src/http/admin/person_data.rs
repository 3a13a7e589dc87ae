//! `GET /people/{userId}/data`: everything that is kept of one person, for the person.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_store::TermView;
use serde::Serialize;

use super::people::PersonBody;
use super::sessions::PersonSession;
use crate::app::App;
use crate::http::caching::private;
use crate::http::caller::OperatorOf;
use crate::http::parameters::UserPath;
use crate::http::problem::{Problem, ProblemBody};
use crate::sessions::{audit_action, event_of};

/// Read so many at a time; a person decides dozens of times, not thousands.
const HISTORY_READ: i64 = 200;
/// Whoever has decided more often gets the rest by `/history`.
const HISTORY_MAX: usize = 10_000;

/// A copy of everything that is kept of one person (GDPR article 15).
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonData {
    /// When the copy was made.
    #[schema(format = DateTime)]
    made_at: String,
    /// The person.
    person: PersonBody,
    /// The sessions that have not ended, last used first.
    sessions: Vec<PersonSession>,
    /// The terms that were shown before they were decided on, newest first.
    terms_shown: Vec<PersonView>,
    /// The decisions, newest first, at most about 10,000.
    decisions: Vec<PersonDecision>,
}

/// A term that was shown to a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonView {
    /// The id of the term version.
    terms_and_conditions_id: i64,
    /// When it was first shown.
    #[schema(format = DateTime)]
    shown_at: String,
    /// When the document was first opened. Absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    opened_at: Option<String>,
}

impl From<TermView> for PersonView {
    fn from(view: TermView) -> Self {
        let text = |at| Instant::from_millis(at).to_string();
        Self {
            terms_and_conditions_id: view.term_id,
            shown_at: text(view.shown_at),
            opened_at: view.opened_at.map(text),
        }
    }
}

/// A decision of a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonDecision {
    /// The id of the term version.
    terms_and_conditions_id: i64,
    /// True: accepted. False: refused or withdrawn.
    accepted: bool,
    /// When the person decided, by the clock of their device.
    #[schema(format = DateTime)]
    consented_at: String,
    /// When the decision was recorded, by the server's clock.
    #[schema(format = DateTime)]
    recorded_at: String,
    /// The id of the submission's receipt.
    receipt_id: String,
    /// The build of the application, as it was sent. Absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    app: Option<String>,
}

/// Export everything that is kept of one person.
///
/// A copy for the person (GDPR article 15). The audit records it as `person_data_read`. 403 `permission_denied`: an
/// admin's data is for admins only.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}/data", tag = "admin-people",
    params(UserPath),
    responses((status = 200, body = PersonData), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["operator"]), ("bearer" = ["admin"]))
)]
pub async fn person_data(
    State(app): State<Arc<App>>,
    OperatorOf { operator, person }: OperatorOf,
) -> Result<Response, Problem> {
    let subject = person.subject.clone();
    let sessions = app.store.live_sessions(&person.id, app.now()).await?;
    let views = app.store.views_of(&subject).await?;
    let apps = app.store.apps(&subject).await?;
    let mut decisions = Vec::new();
    let mut before = i64::MAX;
    while decisions.len() < HISTORY_MAX {
        let rows = app.store.history(&subject, before, HISTORY_READ).await?;
        let full = i64::try_from(rows.len()).unwrap_or(0) == HISTORY_READ;
        // The last submission may be cut in the middle: its decisions come again with the next read.
        let last = rows.last().map(|row| row.seq);
        let cut = |seq: i64| full && Some(seq) == last && rows.first().map(|row| row.seq) != last;
        decisions.extend(rows.iter().filter(|row| !cut(row.seq)).map(|row| PersonDecision {
            terms_and_conditions_id: row.term_id,
            accepted: row.accepted,
            consented_at: Instant::from_millis(row.consented_at).to_string(),
            recorded_at: Instant::from_millis(row.recorded_at).to_string(),
            receipt_id: app.receipt_key.id(row.seq, &row.entry_id),
            app: apps.get(&row.seq).cloned(),
        }));
        match last {
            Some(last) if full => before = if cut(last) { last + 1 } else { last },
            _ => break,
        }
    }
    audit_action(&app, &operator.subject, event_of("person_data_read", subject)).await;
    let mut answer = private(&PersonData {
        made_at: app.now().to_string(),
        person: PersonBody::from(person),
        sessions: sessions.into_iter().map(PersonSession::from).collect(),
        terms_shown: views.into_iter().map(PersonView::from).collect(),
        decisions,
    });
    let save = HeaderValue::from_static("attachment; filename=\"person.json\"");
    answer.headers_mut().insert(header::CONTENT_DISPOSITION, save);
    Ok(answer)
}

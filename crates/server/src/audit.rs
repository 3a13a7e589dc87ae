//! The rows of the audit: what happened, and who did it.

use musette_store::AuditEvent;

use crate::app::App;
use crate::random;

/// Keeps what happened. What cannot be kept does not stop what happened.
pub async fn audit(
    app: &App,
    event: &'static str,
    subject: Option<String>,
    sid: Option<String>,
    detail: Option<&'static str>,
) {
    keep(
        app,
        AuditEvent {
            id: random::uuid(),
            event,
            subject,
            sid,
            detail: detail.map(Into::into),
            actor: None,
        },
    )
    .await;
}

/// Keeps what somebody (a subject) did in the console. Each action is one row: `subject` is to whom it was
/// done, and `detail` names nobody.
pub async fn audit_action(app: &App, actor: &str, event: AuditEvent) {
    keep(app, AuditEvent { id: random::uuid(), actor: Some(actor.to_owned()), ..event }).await;
}

/// An event about a person.
pub fn event_of(event: &'static str, subject: String) -> AuditEvent {
    AuditEvent { event, subject: Some(subject), ..AuditEvent::default() }
}

/// An event about something else, which `detail` names.
pub fn event_about(event: &'static str, detail: String) -> AuditEvent {
    AuditEvent { event, detail: Some(detail.into()), ..AuditEvent::default() }
}

async fn keep(app: &App, event: AuditEvent) {
    if let Err(error) = app.store.audit(&event, app.now()).await {
        tracing::error!(error = %error, event = event.event, "an event was not kept");
    }
}

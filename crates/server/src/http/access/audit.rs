//! Records events in the audit: what happened, and who did it.

use musette_store::AuditEvent;

use crate::node::app::App;
use crate::platform::random;

/// Records an event. An error is only logged, because the event has already happened.
pub async fn audit(
    app: &App,
    event: &'static str,
    subject: Option<String>,
    sid: Option<String>,
    detail: Option<&'static str>,
) {
    record(
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

/// Records an action of a console user, the actor. `subject` is the person affected, and `detail`
/// must not identify a person.
pub async fn audit_action(app: &App, actor: &str, event: AuditEvent) {
    record(app, AuditEvent { id: random::uuid(), actor: Some(actor.to_owned()), ..event }).await;
}

/// Returns an event about a person.
pub fn event_of(event: &'static str, subject: String) -> AuditEvent {
    AuditEvent { event, subject: Some(subject), ..AuditEvent::default() }
}

/// Returns an event about another object, which `detail` names.
pub fn event_about(event: &'static str, detail: String) -> AuditEvent {
    AuditEvent { event, detail: Some(detail.into()), ..AuditEvent::default() }
}

async fn record(app: &App, event: AuditEvent) {
    if let Err(error) = app.store.audit(&event, app.now()).await {
        tracing::error!(error = %error, event = event.event, "an audit event was not recorded");
    }
}

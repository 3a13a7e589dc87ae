//! Audit events of commands: one row for each change that a command makes.

use musette_core::instant::Instant;
use musette_store::{AuditEvent, Store, StoreError};

use crate::platform::random;

/// The actor of these events: commands run with the rights of the operator of the store.
pub const COMMAND: &str = "command";

/// An event that is not written yet.
pub struct CommandEvent {
    event: &'static str,
    subject: Option<String>,
    detail: Option<String>,
}

impl CommandEvent {
    pub const fn new(event: &'static str) -> Self {
        Self { event, subject: None, detail: None }
    }

    /// Sets the person concerned. `subject` is a reference, never a user ID.
    pub fn to(self, subject: &str) -> Self {
        Self { subject: Some(subject.to_owned()), ..self }
    }

    /// Sets the detail, which must not identify a person.
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    /// Writes the event.
    pub async fn record(self, store: &Store, now: Instant) -> Result<(), StoreError> {
        store.audit(&self.into(), now).await
    }
}

impl From<CommandEvent> for AuditEvent {
    fn from(event: CommandEvent) -> Self {
        Self {
            id: random::uuid(),
            event: event.event,
            subject: event.subject,
            sid: None,
            detail: event.detail.map(Into::into),
            actor: Some(COMMAND.to_owned()),
        }
    }
}

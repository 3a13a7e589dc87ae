//! Audit events of commands: one row for each change that a command makes.

use musette_core::instant::Instant;
use musette_store::{AuditEvent, Store, StoreError};

use crate::random;

/// The actor of these events: whoever may open the store.
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

    /// The person concerned: a reference, never an id.
    pub fn to(self, subject: &str) -> Self {
        Self { subject: Some(subject.to_owned()), ..self }
    }

    /// `detail` must name nobody.
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

//! What a command did stands in the audit, as what somebody does in the console: one row a deed.

use musette_core::instant::Instant;
use musette_store::{AuditEvent, Store, StoreError};

use crate::random;

/// Stands where a person's reference would: whoever may open the store did it.
pub const COMMAND: &str = "command";

pub struct Deed {
    event: &'static str,
    subject: Option<String>,
    detail: Option<String>,
}

impl Deed {
    pub const fn new(event: &'static str) -> Self {
        Self { event, subject: None, detail: None }
    }

    /// To whom it was done: a reference, never an id.
    pub fn to(self, subject: &str) -> Self {
        Self { subject: Some(subject.to_owned()), ..self }
    }

    /// Nothing personal.
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    pub async fn keep(self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let event = AuditEvent {
            id: random::uuid(),
            event: self.event,
            subject: self.subject,
            sid: None,
            detail: self.detail.map(Into::into),
            actor: Some(COMMAND.to_owned()),
        };
        store.audit(&event, now).await
    }
}

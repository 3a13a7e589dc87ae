//! The record of a restriction, to which its entry in the log commits.

use serde_json::{Value, json};

use super::super::record::{Decided, canonical};
use super::table::RestrictionStatus;
use super::{Contact, Restriction, RestrictionReview};
use crate::decisions::System;
use crate::instant::Instant;
use crate::log::entry::DecisionKind;
use sha2::{Digest as _, Sha256};

fn instant(millis: Option<i64>) -> Value {
    millis.map(|millis| Instant::from_millis(millis).to_string()).into()
}

fn contact(contact: &Contact) -> Value {
    json!({"name": contact.name, "email": contact.email, "phone": contact.phone})
}

fn review(review: &RestrictionReview) -> Value {
    json!({
        "requested_at": instant(Some(review.requested_at)),
        "message": review.message,
        "answer_due": instant(Some(review.answer_due)),
        "outcome": review.outcome,
        "answer": review.answer,
        "answered_at": instant(review.answered_at),
    })
}

impl Restriction {
    /// Describes the transition from a status to this state. `system` is the one that the write
    /// names.
    pub fn decided<'a>(
        &'a self,
        entry_id: &'a str,
        from: Option<RestrictionStatus>,
        system: Option<&'a System>,
    ) -> Decided<'a> {
        Decided {
            kind: DecisionKind::Restriction,
            entry_id,
            user_id: &self.user_id,
            object_id: &self.id,
            version: self.version,
            from: from.map(RestrictionStatus::as_str),
            to: self.status.as_str(),
            by: self.decided_by.kind(),
            by_ref: None,
            system: system.map(|system| (system.name.as_str(), system.version.as_str())),
        }
    }

    /// Returns the whole record of a transition to this state.
    pub fn record(&self, decided: &Decided<'_>) -> Value {
        let at = Instant::from_millis(self.decided_at);
        let mut record = decided.record(self.decided_by.role(), at);
        for (name, value) in self.content_members() {
            record.insert(name.into(), value);
        }
        record.insert("market".into(), self.market.clone().into());
        record.insert("ended_at".into(), instant(self.ended_at));
        record.insert("lift_message".into(), self.lift_message.clone().into());
        record.insert("review".into(), self.review.as_ref().map(review).into());
        Value::Object(record)
    }

    fn content_members(&self) -> [(&'static str, Value); 8] {
        let content = &self.content;
        [
            ("kind", json!(content.kind)),
            ("statement", json!(content.statement)),
            ("reasons", json!(content.reasons)),
            ("contact", contact(&content.contact)),
            ("starts_at", instant(content.starts_at)),
            ("ends_at", instant(content.ends_at)),
            ("evaluations", json!(content.evaluations)),
            ("produced_by", json!(content.system)),
        ]
    }

    /// Returns the SHA-256 of everything that an approval covers, in lower-case hex.
    pub fn sha256(&self) -> String {
        let members = self.content_members().map(|(name, value)| (name.to_owned(), value));
        let mut members: serde_json::Map<String, Value> = members.into_iter().collect();
        members.insert("user_id".into(), self.user_id.clone().into());
        // Its values are texts, lists and objects, which have an RFC 8785 form.
        let text = canonical(&Value::Object(members)).unwrap_or_default();
        crate::log::hash::hex_digits(&Sha256::digest(text))
    }
}

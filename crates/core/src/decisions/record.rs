//! The record of a decision, and its commitment in the log.
//!
//! The log contains no text of a person: only the SHA-256 of a random salt and the RFC 8785 form of
//! the record. The record is stored outside of the log and is deleted with the person.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::evaluation::{By, Evaluation, Message};
use super::fields::System;
use super::table::Status;
use crate::instant::Instant;
use crate::log::entry::{DecisionBy, DecisionKind, DecisionSystem, DecisionTransition, Entry, V1};
use crate::log::hash::hex_digits;
use crate::log::subject::SubjectKey;

/// The largest integer that all JSON readers represent exactly.
const INTEGER_MAX: i64 = (1 << 53) - 1;

/// A value cannot be part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record has only integers below 2^53, texts, booleans, null, lists and objects")]
pub struct RecordError;

/// Returns the RFC 8785 form of a value without fractions.
///
/// # Errors
/// Returns an error if a number is not an integer below 2^53.
pub fn canonical(value: &Value) -> Result<String, RecordError> {
    let mut text = String::new();
    write(value, &mut text)?;
    Ok(text)
}

fn write(value: &Value, text: &mut String) -> Result<(), RecordError> {
    match value {
        Value::Number(number) => {
            let number = number.as_i64().filter(|number| number.abs() <= INTEGER_MAX);
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", number.ok_or(RecordError)?);
        }
        Value::Array(items) => {
            text.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                write(item, text)?;
            }
            text.push(']');
        }
        Value::Object(members) => write_object(members, text)?,
        // The escapes of `serde_json` are those of RFC 8785.
        other => text.push_str(&other.to_string()),
    }
    Ok(())
}

fn write_object(members: &Map<String, Value>, text: &mut String) -> Result<(), RecordError> {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    text.push('{');
    for (i, (name, value)) in sorted.into_iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        text.push_str(&Value::from(name.as_str()).to_string());
        text.push(':');
        write(value, text)?;
    }
    text.push('}');
    Ok(())
}

/// Returns the `commitment` of an entry: the lower-case hex SHA-256 of the salt followed by the RFC
/// 8785 form of the record.
///
/// # Errors
/// Returns an error if the record has no RFC 8785 form.
pub fn commitment(salt: &[u8; 32], record: &Value) -> Result<String, RecordError> {
    let record = canonical(record)?;
    Ok(hex_digits(&Sha256::new().chain_update(salt).chain_update(record).finalize()))
}

/// A transition, message or withdrawal, as the log and the receipt need it. The object may be an
/// evaluation or a restriction.
#[derive(Clone, Debug)]
pub struct Decided<'a> {
    /// The kind of object.
    pub kind: DecisionKind,
    /// UUID of the entry.
    pub entry_id: &'a str,
    /// The rider.
    pub user_id: &'a str,
    /// ID of the evaluation or restriction.
    pub object_id: &'a str,
    /// Version after the transition.
    pub version: i64,
    /// Status before; `None` for a new object.
    pub from: Option<&'a str>,
    /// Status after.
    pub to: &'a str,
    /// `service`, `human`, `rider` or `lapse`.
    pub by: &'a str,
    /// The HMAC of the colleague's user ID, or of the key's ID, under their own key.
    pub by_ref: Option<String>,
    /// Name and version of the automated system.
    pub system: Option<(&'a str, &'a str)>,
}

impl Decided<'_> {
    /// Returns the entry of the log.
    pub fn entry(&self, key: &SubjectKey, commitment: String, recorded_at: Instant) -> Entry {
        let object = key.subject(self.object_id);
        let (evaluation, restriction) = match self.kind {
            DecisionKind::Evaluation => (Some(object), None),
            DecisionKind::Restriction => (None, Some(object)),
        };
        Entry::Decision(DecisionTransition {
            by: DecisionBy { kind: self.by.into(), reference: self.by_ref.clone() },
            commitment,
            evaluation,
            from: self.from.map(str::to_owned),
            id: self.entry_id.to_owned(),
            recorded_at: recorded_at.to_string(),
            restriction,
            subject: key.subject(self.user_id),
            system: self.system.map(|(name, version)| DecisionSystem {
                name: name.to_owned(),
                version: version.to_owned(),
            }),
            to: self.to.to_owned(),
            kind: self.kind,
            v: V1,
            version: self.version,
        })
    }

    /// Returns the members that every record begins with. A record names no colleague.
    pub fn record(&self, role: Option<&str>, at: Instant) -> Map<String, Value> {
        let mut by = Map::new();
        by.insert("kind".into(), self.by.into());
        if let Some(role) = role {
            by.insert("role".into(), role.into());
        }
        let mut record = Map::new();
        record.insert("v".into(), 1.into());
        record.insert("type".into(), self.kind.as_str().into());
        record.insert("id".into(), self.object_id.into());
        record.insert("user_id".into(), self.user_id.into());
        record.insert("version".into(), self.version.into());
        record.insert("from".into(), self.from.into());
        record.insert("to".into(), self.to.into());
        record.insert("by".into(), Value::Object(by));
        record.insert("at".into(), at.to_string().into());
        if let Some((name, version)) = self.system {
            let system = serde_json::json!({"name": name, "version": version});
            record.insert("system".into(), system);
        }
        record
    }
}

fn instant(millis: Option<i64>) -> Value {
    millis.map(|millis| Instant::from_millis(millis).to_string()).into()
}

/// Serializes a value of this module, which cannot fail.
fn value(value: impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

impl Evaluation {
    /// Describes the transition from a status to this state. `system` is the one that the write
    /// names.
    pub fn decided<'a>(
        &'a self,
        entry_id: &'a str,
        from: Option<Status>,
        system: Option<&'a System>,
    ) -> Decided<'a> {
        Decided {
            kind: DecisionKind::Evaluation,
            entry_id,
            user_id: &self.user_id,
            object_id: &self.id,
            version: self.version,
            from: from.map(Status::as_str),
            to: self.status.as_str(),
            by: self.decided_by.kind(),
            by_ref: None,
            system: system.map(|system| (system.name.as_str(), system.version.as_str())),
        }
    }

    /// Returns the whole record of a transition to this state. `message` is the one that the
    /// transition adds to the discussion.
    pub fn record(&self, decided: &Decided<'_>, message: Option<&Message>) -> Value {
        let at = Instant::from_millis(self.decided_at);
        let mut record = decided.record(self.decided_by.role(), at);
        let subject = serde_json::json!({
            "kind": self.subject.kind,
            "reference": self.subject.reference,
            "starts_at": instant(Some(self.subject.starts_at)),
            "ends_at": instant(self.subject.ends_at),
            "market": self.market,
        });
        record.insert("subject".into(), subject);
        record.insert("figures".into(), value(self.figures));
        record.insert("reasons".into(), value(&self.reasons));
        record.insert("produced_by".into(), value(&self.system));
        record.insert("statement".into(), value(&self.statement));
        record.insert("contest_until".into(), instant(self.contest_until));
        record.insert("answer_due".into(), instant(self.answer_due));
        record.insert("finalised_at".into(), instant(self.finalised_at));
        if let Some(discussion) = &self.discussion {
            let discussion = serde_json::json!({
                "opened_by": discussion.opened_by.as_str(),
                "opened_at": instant(Some(discussion.opened_at)),
                "round": discussion.round,
                "contested": discussion.contested.as_str(),
                "figures": value(discussion.figures),
            });
            record.insert("discussion".into(), discussion);
        }
        if let Some(message) = message {
            record.insert("message".into(), message_value(message));
        }
        Value::Object(record)
    }

    /// Returns the record of a message, which is no version.
    pub fn message_record(&self, decided: &Decided<'_>, by: &By, message: &Message) -> Value {
        let mut record = decided.record(by.role(), Instant::from_millis(message.at));
        record.insert("message".into(), message_value(message));
        Value::Object(record)
    }
}

fn message_value(message: &Message) -> Value {
    serde_json::json!({
        "id": message.id,
        "from": message.from.as_str(),
        "message": message.message,
        "at": instant(Some(message.at)),
    })
}

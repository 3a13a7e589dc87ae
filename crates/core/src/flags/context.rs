//! The attributes of one person, as far as the configuration reads them.

mod fill;
mod scan;

use std::borrow::Cow;

use super::document::AttributeType;
use super::names::Names;
use super::value::Value;

/// Prepared for one snapshot, and only good for it.
#[derive(Debug, Default)]
pub struct Context<'a> {
    slots: Vec<Seen<'a>>,
}

#[derive(Debug, Default)]
struct Seen<'a> {
    /// As JSON; empty where it is missing.
    raw: &'a str,
    value: Value<'a>,
}

/// The attributes are no JSON object as the contract wants it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {at}")]
pub struct ContextFault {
    pub reason: &'static str,
    pub at: usize,
}

/// The attributes that some flag reads, each with its slot in every context.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub names: Names,
    pub types: Vec<AttributeType>,
}

/// Of an attribute, in every context of its snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SlotId(pub u16);

impl<'a> Context<'a> {
    /// A person of whom nothing is known.
    pub const fn empty() -> Self {
        Self { slots: Vec::new() }
    }

    pub(super) fn read(slots: &Slots, json: &'a str) -> Result<Self, ContextFault> {
        fill::fill(slots, json)
    }

    #[inline]
    pub(super) fn value(&self, slot: SlotId) -> &Value<'a> {
        const MISSING: &Value<'static> = &Value::Missing;
        self.slots.get(usize::from(slot.0)).map_or(MISSING, |seen| &seen.value)
    }

    /// As the request has it; empty where it is missing.
    pub(super) fn raw(&self, slot: SlotId) -> &'a str {
        self.slots.get(usize::from(slot.0)).map_or("", |seen| seen.raw)
    }

    /// The text that people are drawn by; none where it is absent, null, empty or nothing that
    /// could name a person.
    #[inline]
    pub(super) fn unit(&self, slot: SlotId) -> Option<&str> {
        let seen = self.slots.get(usize::from(slot.0))?;
        match &seen.value {
            Value::Text(Cow::Borrowed(text)) => Some(*text),
            Value::Number(_) => Some(seen.raw),
            Value::Other => other_unit(seen.raw),
            value => value.text(),
        }
        .filter(|unit| !unit.is_empty())
    }
}

/// A number where a text is expected, or the other way round, still tells people apart.
fn other_unit(raw: &str) -> Option<&str> {
    match raw.as_bytes().first()? {
        b'-' | b'0'..=b'9' => Some(raw),
        // With escapes it would have to be unescaped for every draw, and no id has any.
        b'"' if !raw.contains('\\') => raw.strip_prefix('"')?.strip_suffix('"'),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

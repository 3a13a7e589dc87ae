//! The attributes of one person that the configuration uses.

mod fill;
mod memo;
mod scan;
mod seen_names;

use super::interner::Interner;
use super::value::{AttributeType, Value};
use memo::Memo;

pub(super) use memo::MemoId;

/// The attributes of one person, prepared for one snapshot and valid only for it.
#[derive(Debug, Default)]
pub struct Context<'a> {
    slots: Vec<SlotValue<'a>>,
    memo: Memo,
}

#[derive(Debug, Default)]
struct SlotValue<'a> {
    /// The JSON text of the value; empty where the attribute is missing.
    raw: &'a str,
    value: Value<'a>,
}

/// The error for attributes that are not a valid JSON object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {at}")]
pub struct ContextError {
    /// The reason as a clause for a human reader.
    pub reason: &'static str,
    /// Offset of the error in the JSON text, in bytes.
    pub at: usize,
}

/// The attributes that the flags use, each with its slot in a context.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub names: Interner,
    pub types: Vec<AttributeType>,
}

/// Position of an attribute in all contexts of its snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SlotId(pub u16);

impl<'a> Context<'a> {
    /// Creates the context of a person without attributes.
    pub const fn empty() -> Self {
        Self { slots: Vec::new(), memo: Memo::new() }
    }

    /// Returns the result of a condition that many flags share. It is evaluated once per person and
    /// then stored.
    #[inline]
    pub(super) fn memoised(&self, id: MemoId, evaluate: impl FnOnce() -> bool) -> bool {
        self.memo.get(id).unwrap_or_else(|| {
            let outcome = evaluate();
            self.memo.set(id, outcome);
            outcome
        })
    }

    pub(super) fn read(slots: &Slots, json: &'a str) -> Result<Self, ContextError> {
        let (context, _) = fill::fill(slots, json, "", |_| 0)?;
        Ok(context)
    }

    /// Reads the attributes and also returns the JSON value of the member `extra`, as it is in the
    /// request. `known_length` receives the text after the member's name. It returns how many bytes
    /// of it are a value that was checked before and can be skipped; 0 is always correct.
    #[inline]
    pub(super) fn read_with_member(
        slots: &Slots,
        json: &'a str,
        extra: &str,
        known_length: impl Fn(&'a str) -> usize,
    ) -> Result<(Self, Option<&'a str>), ContextError> {
        fill::fill(slots, json, extra, known_length)
    }

    #[inline]
    pub(super) fn value(&self, slot: SlotId) -> &Value<'a> {
        const MISSING: &Value<'static> = &Value::Missing;
        self.slots.get(usize::from(slot.0)).map_or(MISSING, |slot_value| &slot_value.value)
    }

    /// Returns the JSON text as it is in the request; empty if the attribute is missing.
    pub(super) fn raw(&self, slot: SlotId) -> &'a str {
        self.slots.get(usize::from(slot.0)).map_or("", |slot_value| slot_value.raw)
    }

    /// Returns the text that a unit is drawn by. Returns `None` if it is absent, null, empty or not
    /// usable as an id.
    #[inline]
    pub(super) fn unit(&self, slot: SlotId) -> Option<&str> {
        let slot_value = self.slots.get(usize::from(slot.0))?;
        // Nearly all units are texts.
        let unit = match &slot_value.value {
            Value::Text(text) => *text,
            _ => slot_value.other_unit()?,
        };
        (!unit.is_empty()).then_some(unit)
    }
}

impl SlotValue<'_> {
    #[inline(never)]
    fn other_unit(&self) -> Option<&str> {
        match &self.value {
            Value::Number(_) => Some(self.raw),
            Value::Other => other_unit(self.raw),
            value => value.text(),
        }
    }
}

/// Returns a number in place of a text, or a text in place of a number. It still identifies a unit.
fn other_unit(raw: &str) -> Option<&str> {
    match raw.as_bytes().first()? {
        b'-' | b'0'..=b'9' => Some(raw),
        // A text with escapes would have to be unescaped for each draw, and no id has escapes.
        b'"' if !raw.contains('\\') => raw.strip_prefix('"')?.strip_suffix('"'),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

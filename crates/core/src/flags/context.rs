//! The attributes of one person, as far as the configuration reads them.

mod fill;
mod memo;
mod scan;
mod seen_names;

use super::document::AttributeType;
use super::interner::Interner;
use super::value::Value;
use memo::Memo;

pub(super) use memo::MemoId;

/// Prepared for one snapshot, and only good for it.
#[derive(Debug, Default)]
pub struct Context<'a> {
    slots: Vec<Seen<'a>>,
    memo: Memo,
}

#[derive(Debug, Default)]
struct Seen<'a> {
    /// The JSON text of the value; empty where the attribute is missing.
    raw: &'a str,
    value: Value<'a>,
}

/// The attributes are no JSON object as the contract wants it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {at}")]
pub struct ContextFault {
    /// Why the attributes were refused, as a clause that a person reads.
    pub reason: &'static str,
    /// Offset of the fault in the JSON text, in bytes.
    pub at: usize,
}

/// The attributes that some flag reads, each with its slot in every context.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub names: Interner,
    pub types: Vec<AttributeType>,
}

/// Position of an attribute in every context of its snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SlotId(pub u16);

impl<'a> Context<'a> {
    /// A person of whom nothing is known.
    pub const fn empty() -> Self {
        Self { slots: Vec::new(), memo: Memo::new() }
    }

    /// The outcome of a condition that many flags share, for this person: evaluated once and
    /// memoised.
    #[inline]
    pub(super) fn remembered(&self, id: MemoId, work_out: impl FnOnce() -> bool) -> bool {
        self.memo.get(id).unwrap_or_else(|| {
            let outcome = work_out();
            self.memo.set(id, outcome);
            outcome
        })
    }

    pub(super) fn read(slots: &Slots, json: &'a str) -> Result<Self, ContextFault> {
        let (context, _) = fill::fill(slots, json, "", |_| 0)?;
        Ok(context)
    }

    /// Beside the attributes the value of the member `beside` as the request has it. `known` is given
    /// what follows upon its name, and says how many bytes of it are a value that was read before: it
    /// is not read again. 0 is always right.
    #[inline]
    pub(super) fn read_beside(
        slots: &Slots,
        json: &'a str,
        beside: &str,
        known: impl Fn(&'a str) -> usize,
    ) -> Result<(Self, Option<&'a str>), ContextFault> {
        fill::fill(slots, json, beside, known)
    }

    #[inline]
    pub(super) fn value(&self, slot: SlotId) -> &Value<'a> {
        const MISSING: &Value<'static> = &Value::Missing;
        self.slots.get(usize::from(slot.0)).map_or(MISSING, |seen| &seen.value)
    }

    /// The JSON text as the request has it; empty where the attribute is missing.
    pub(super) fn raw(&self, slot: SlotId) -> &'a str {
        self.slots.get(usize::from(slot.0)).map_or("", |seen| seen.raw)
    }

    /// The text that people are drawn by; none where it is absent, null, empty or nothing that
    /// could name a person.
    #[inline]
    pub(super) fn unit(&self, slot: SlotId) -> Option<&str> {
        let seen = self.slots.get(usize::from(slot.0))?;
        // Nearly every unit is a text.
        let unit = match &seen.value {
            Value::Text(text) => *text,
            _ => seen.other_unit()?,
        };
        (!unit.is_empty()).then_some(unit)
    }
}

impl Seen<'_> {
    #[inline(never)]
    fn other_unit(&self) -> Option<&str> {
        match &self.value {
            Value::Number(_) => Some(self.raw),
            Value::Other => other_unit(self.raw),
            value => value.text(),
        }
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

//! Reads a JSON object into the slots that the configuration uses.

use std::borrow::Cow;

use super::memo::Memo;
use super::scan::{Opening, Scanner};
use super::seen_names::SeenNames;
use super::{Context, ContextError, SlotValue, Slots};
use crate::flags::interner::hash;
use crate::flags::value::{AttributeType, Value};

/// Reads the attributes and also returns the value of the member `extra`. `known_length` may
/// return its length, so that it is skipped without reading.
#[inline]
pub(super) fn fill<'a>(
    slots: &Slots,
    json: &'a str,
    extra: &str,
    known_length: impl Fn(&'a str) -> usize,
) -> Result<(Context<'a>, Option<&'a str>), ContextError> {
    let mut scanner = Scanner::new(json);
    scanner.blanks();
    if scanner.opening()? != Opening::Object {
        return scanner.error("the attributes are not a JSON object");
    }
    let mut filled: Vec<SlotValue<'a>> = slots.types.iter().map(|_| SlotValue::default()).collect();
    let mut other_names = SeenNames::new();
    let (mut extra_value, mut has_null) = (None, false);
    let mut more = scanner.open(b'}')?;
    while more {
        let name = scanner.name()?;
        let is_extra = *name == *extra;
        let hash = hash(name.as_bytes());
        let slot = slots.names.find_hashed(name.as_bytes(), hash);
        drop(name);
        let start = scanner.at();
        if let Some(slot) = slot {
            let slot_value = &mut filled[slot as usize];
            if !slot_value.raw.is_empty() {
                return scanner.error("an object has the same name twice");
            }
            read(&mut scanner, slots.types[slot as usize], &mut slot_value.value)?;
            slot_value.raw = scanner.since(start);
            has_null |= slot_value.value.is_missing();
        } else {
            scanner.check_new(&mut other_names, hash)?;
            match if is_extra { known_length(scanner.rest()) } else { 0 } {
                0 => scanner.skip()?,
                bytes => scanner.skip_known(bytes),
            }
        }
        if is_extra {
            extra_value = Some(scanner.since(start));
        }
        more = scanner.more(b'}')?;
    }
    scanner.end()?;
    if has_null {
        // A null value counts as missing, but its name must not be used twice, so it is cleared
        // only now.
        filled
            .iter_mut()
            .filter(|slot_value| slot_value.value.is_missing())
            .for_each(|slot_value| slot_value.raw = "");
    }
    Ok((Context { slots: filled, memo: Memo::new() }, extra_value))
}

/// Reads a value directly into its slot. Building it elsewhere and moving it costs as much as
/// reading it.
#[inline]
fn read<'a>(
    scanner: &mut Scanner<'a>,
    kind: AttributeType,
    into: &mut Value<'a>,
) -> Result<(), ContextError> {
    match scanner.opening()? {
        Opening::Text => match scanner.string()? {
            Cow::Borrowed(text) => into.set_text(text, kind),
            Cow::Owned(text) => *into = Value::of_escaped(text.into(), kind),
        },
        Opening::Number => {
            let number = scanner.number()?;
            *into =
                if kind == AttributeType::Number { Value::Number(number) } else { Value::Other };
        }
        Opening::True => {
            scanner.word("true")?;
            *into = boolean(true, kind);
        }
        Opening::False => {
            scanner.word("false")?;
            *into = boolean(false, kind);
        }
        Opening::Null => scanner.word("null")?,
        Opening::List if kind == AttributeType::Strings => *into = texts(scanner)?,
        Opening::List if kind == AttributeType::Numbers => *into = numbers(scanner)?,
        Opening::List | Opening::Object => {
            scanner.skip()?;
            *into = Value::Other;
        }
    }
    Ok(())
}

fn boolean<'a>(value: bool, kind: AttributeType) -> Value<'a> {
    if kind == AttributeType::Boolean { Value::Boolean(value) } else { Value::Other }
}

/// Reads a list of texts. Items of other types are dropped, because they never match.
fn texts<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, ContextError> {
    let mut texts = Vec::new();
    let mut more = scanner.open(b']')?;
    while more {
        if scanner.opening()? == Opening::Text {
            texts.push(scanner.string()?);
        } else {
            scanner.skip()?;
        }
        more = scanner.more(b']')?;
    }
    Ok(Value::texts(texts))
}

fn numbers<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, ContextError> {
    let mut numbers = Vec::new();
    let mut more = scanner.open(b']')?;
    while more {
        if scanner.opening()? == Opening::Number {
            numbers.push(scanner.number()?);
        } else {
            scanner.skip()?;
        }
        more = scanner.more(b']')?;
    }
    Ok(Value::numbers(numbers))
}

//! From a JSON object to the slots that the configuration reads.

use super::scan::{Opening, Scanner, SeenNames};
use super::{Context, ContextFault, Seen, Slots};
use crate::flags::document::AttributeType;
use crate::flags::names::hash;
use crate::flags::value::Value;

pub(super) fn fill<'a>(slots: &Slots, json: &'a str) -> Result<Context<'a>, ContextFault> {
    let mut scanner = Scanner::new(json);
    scanner.blanks();
    if scanner.opening()? != Opening::Object {
        return scanner.fault("the attributes are no object");
    }
    let mut filled: Vec<Seen<'a>> = Vec::new();
    filled.resize_with(slots.types.len(), Seen::default);
    let mut unread = SeenNames::new();
    let mut more = scanner.open(b'}')?;
    while more {
        let name = scanner.name()?;
        let hash = hash(name.as_bytes());
        if let Some(slot) = slots.names.find_hashed(&name, hash) {
            let seen = &mut filled[slot as usize];
            if !seen.raw.is_empty() {
                return scanner.fault("a name stands twice in an object");
            }
            let start = scanner.at();
            seen.value = value(&mut scanner, slots.types[slot as usize])?;
            seen.raw = scanner.since(start);
        } else {
            unread.insert(hash, &scanner)?;
            scanner.skip()?;
        }
        more = scanner.more(b'}')?;
    }
    scanner.end()?;
    for seen in &mut filled {
        // Null is as good as absent, but stood for its name until here.
        if seen.value.is_missing() {
            seen.raw = "";
        }
    }
    Ok(Context { slots: filled })
}

#[inline]
fn value<'a>(scanner: &mut Scanner<'a>, kind: AttributeType) -> Result<Value<'a>, ContextFault> {
    Ok(match scanner.opening()? {
        Opening::Text => Value::of_text(scanner.string()?, kind),
        Opening::Number => {
            let number = scanner.number()?;
            if kind == AttributeType::Number { Value::Number(number) } else { Value::Other }
        }
        Opening::True => {
            scanner.word("true")?;
            boolean(true, kind)
        }
        Opening::False => {
            scanner.word("false")?;
            boolean(false, kind)
        }
        Opening::Null => {
            scanner.word("null")?;
            Value::Missing
        }
        Opening::List if kind == AttributeType::Strings => texts(scanner)?,
        Opening::List if kind == AttributeType::Numbers => numbers(scanner)?,
        Opening::List | Opening::Object => {
            scanner.skip()?;
            Value::Other
        }
    })
}

fn boolean<'a>(value: bool, kind: AttributeType) -> Value<'a> {
    if kind == AttributeType::Boolean { Value::Boolean(value) } else { Value::Other }
}

/// Items of another type are equal to nothing.
fn texts<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, ContextFault> {
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
    Ok(Value::Texts(texts))
}

fn numbers<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, ContextFault> {
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
    Ok(Value::Numbers(numbers))
}

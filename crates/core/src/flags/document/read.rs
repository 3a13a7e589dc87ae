//! Reads a document from its JSON and collects all errors of its shape. A missing or wrong part is
//! replaced by a placeholder, so that the rest can still be read and checked.

mod conditions;
mod parts;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{Document, Number, Percent};
use crate::flags::diagnostic::{Diagnostic, ERRORS_MAX};
use crate::flags::json::Json;
use crate::flags::pointer::Pointer;

/// The errors that are collected while the document is read.
pub(super) struct Errors(RefCell<Vec<Diagnostic>>);

impl Errors {
    fn add(&self, place: &Pointer<'_>, code: &'static str, detail: impl Into<String>) {
        let mut errors = self.0.borrow_mut();
        if errors.len() >= ERRORS_MAX {
            return;
        }
        let detail = detail.into();
        errors.push(Diagnostic { pointer: place.pointer(), code, detail });
    }

    /// Returns whether no further error is reported, so that the rest need not be read.
    fn is_full(&self) -> bool {
        self.0.borrow().len() >= ERRORS_MAX
    }

    fn wrong_type(&self, place: &Pointer<'_>, expected: &str, actual: &Json) {
        let detail = format!("This should be {expected}, but it is {}.", actual.noun());
        self.add(place, "wrong_type", detail);
    }
}

/// Returns the document, with placeholders for its broken parts, and the errors.
pub(in crate::flags) fn read(json: &Json) -> (Document, Vec<Diagnostic>) {
    let errors = Errors(RefCell::new(Vec::new()));
    let document = Document::read(json, &Pointer::DOCUMENT, &errors);
    (document, errors.0.into_inner())
}

pub(super) trait Read: Sized {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self;
    /// Returns a placeholder for a broken part, which causes no further errors.
    fn placeholder() -> Self;
}

/// The members of an object while they are read. Null counts as absent.
pub(super) struct Members<'a> {
    members: &'a [(String, Json)],
    place: &'a Pointer<'a>,
    errors: &'a Errors,
}

impl<'a> Members<'a> {
    /// Returns the members; reports an error and returns `None` if the value is not an object.
    fn of(json: &'a Json, place: &'a Pointer<'a>, errors: &'a Errors) -> Option<Self> {
        match json {
            Json::Object(members) => Some(Self { members, place, errors }),
            other => {
                errors.wrong_type(place, "an object", other);
                None
            }
        }
    }

    fn get(&self, name: &str) -> Option<&'a Json> {
        let member = self.members.iter().find(|(other, _)| other == name);
        member.map(|(_, json)| json).filter(|json| **json != Json::Null)
    }

    fn optional<T: Read>(&self, name: &str) -> Option<T> {
        self.get(name).map(|json| T::read(json, &self.place.name(name), self.errors))
    }

    fn or<T: Read>(&self, name: &str, default: T) -> T {
        self.optional(name).unwrap_or(default)
    }

    /// Returns the list, or an empty one if it is absent.
    fn list<T: Read>(&self, name: &str) -> Vec<T> {
        self.or(name, Vec::new())
    }

    fn required<T: Read>(&self, name: &str) -> T {
        self.optional(name).unwrap_or_else(|| {
            let detail = format!("`{name}` is required.");
            self.errors.add(&self.place.name(name), "required", detail);
            T::placeholder()
        })
    }
}

impl Read for String {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        match json {
            Json::Text(text) => text.clone(),
            other => {
                errors.wrong_type(place, "a text", other);
                Self::placeholder()
            }
        }
    }

    fn placeholder() -> Self {
        Self::new()
    }
}

impl Read for bool {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        match json {
            Json::Bool(value) => *value,
            other => {
                errors.wrong_type(place, "a boolean", other);
                Self::placeholder()
            }
        }
    }

    fn placeholder() -> Self {
        false
    }
}

/// Reads a whole number within the range of the type.
fn whole<T: TryFrom<i64> + Default>(json: &Json, place: &Pointer<'_>, errors: &Errors) -> T {
    let value = match json {
        Json::Int(value) => *value,
        // 5.0 and 5 are the same number in JSON.
        Json::Float(value) if value.fract() == 0.0 => *value as i64,
        other => {
            errors.wrong_type(place, "a whole number", other);
            return T::default();
        }
    };
    T::try_from(value).unwrap_or_else(|_| {
        errors.add(place, "out_of_range", format!("{value} is out of range here."));
        T::default()
    })
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Read for $number {
            fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
                whole(json, place, errors)
            }

            fn placeholder() -> Self {
                0
            }
        }
    )*};
}
whole_numbers!(u32, u64, i32);

impl Read for Percent {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        let number = match json {
            Json::Int(value) => *value as f64,
            Json::Float(value) => *value,
            other => {
                errors.wrong_type(place, "a number", other);
                return Self::placeholder();
            }
        };
        Self::from_number(number).unwrap_or_else(|| {
            let detail = "A percentage is 0 to 100 with at most three decimals.";
            errors.add(place, "bad_percent", detail);
            Self::placeholder()
        })
    }

    fn placeholder() -> Self {
        Self::ZERO
    }
}

impl Read for Number {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        match json {
            Json::Int(value) => Self::new(*value as f64),
            Json::Float(value) => Self::new(*value),
            other => {
                errors.wrong_type(place, "a number", other);
                Self::placeholder()
            }
        }
    }

    fn placeholder() -> Self {
        Self::new(0.0)
    }
}

impl Read for Json {
    fn read(json: &Json, _: &Pointer<'_>, _: &Errors) -> Self {
        json.clone()
    }

    fn placeholder() -> Self {
        Self::Null
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        match json {
            Json::Array(items) => {
                // Parts in memory are larger than their text, so reading stops at the error limit.
                let items = items.iter().enumerate().take_while(|_| !errors.is_full());
                items.map(|(index, item)| T::read(item, &place.index(index), errors)).collect()
            }
            other => {
                errors.wrong_type(place, "a list", other);
                Self::placeholder()
            }
        }
    }

    fn placeholder() -> Self {
        Self::new()
    }
}

impl Read for BTreeMap<String, u32> {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        match json {
            Json::Object(members) => {
                let members = members.iter();
                let read = |(name, value): &(String, Json)| {
                    (name.clone(), u32::read(value, &place.name(name), errors))
                };
                members.map(read).collect()
            }
            other => {
                errors.wrong_type(place, "an object", other);
                Self::placeholder()
            }
        }
    }

    fn placeholder() -> Self {
        Self::new()
    }
}

/// Reads one word of a fixed list.
fn word<T: Copy>(
    words: &[(&str, T)],
    code: &'static str,
    json: &Json,
    place: &Pointer<'_>,
    errors: &Errors,
) -> T {
    let placeholder = words[0].1;
    let Json::Text(text) = json else {
        errors.wrong_type(place, "a text", json);
        return placeholder;
    };
    let entry = words.iter().find(|(word, _)| word == text);
    entry.map_or_else(
        || {
            let accepted: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let detail = format!("{text:?} is not one of {}.", accepted.join(", "));
            errors.add(place, code, detail);
            placeholder
        },
        |(_, value)| *value,
    )
}

/// Implements [`Read`] for an enum of words. The first word is the placeholder.
macro_rules! words {
    ($type:ty, $code:literal, $($word:literal => $value:ident),* $(,)?) => {
        impl $crate::flags::document::read::Read for $type {
            fn read(
                json: &$crate::flags::json::Json,
                place: &$crate::flags::pointer::Pointer<'_>,
                errors: &$crate::flags::document::read::Errors,
            ) -> Self {
                let words = [$(($word, Self::$value)),*];
                $crate::flags::document::read::word(&words, $code, json, place, errors)
            }

            fn placeholder() -> Self {
                [$(Self::$value),*][0]
            }
        }
    };
}
use words;

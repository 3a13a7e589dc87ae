//! A document from its JSON, with every fault of its shape. Where something is missing or of the
//! wrong kind, a stand-in takes its place, so that the rest can still be read and checked.

mod conditions;
mod parts;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{Document, Number, Percent};
use crate::flags::check::FAULTS_MAX;
use crate::flags::diagnostic::Diagnostic;
use crate::flags::json::Json;
use crate::flags::pointer::Pointer;

/// Collects while the document is read.
pub(super) struct Faults(RefCell<Vec<Diagnostic>>);

impl Faults {
    fn add(&self, place: &Pointer<'_>, code: &'static str, detail: impl Into<String>) {
        let mut faults = self.0.borrow_mut();
        if faults.len() >= FAULTS_MAX {
            return;
        }
        let detail = detail.into();
        faults.push(Diagnostic { pointer: place.pointer(), code, detail });
    }

    /// Whether no further fault is told: then the rest need not be read.
    fn is_full(&self) -> bool {
        self.0.borrow().len() >= FAULTS_MAX
    }

    fn wrong_type(&self, place: &Pointer<'_>, wanted: &str, got: &Json) {
        let detail = format!("This should be {wanted} and is {}.", got.noun());
        self.add(place, "wrong_type", detail);
    }
}

/// The document with stand-ins for what is broken, and what is broken.
pub(super) fn read(json: &Json) -> (Document, Vec<Diagnostic>) {
    let faults = Faults(RefCell::new(Vec::new()));
    let document = Document::read(json, &Pointer::DOCUMENT, &faults);
    (document, faults.0.into_inner())
}

pub(super) trait Read: Sized {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self;
    /// Stands where something broken stood; it causes no further fault elsewhere.
    fn stand_in() -> Self;
}

/// An object while its members are read. Null is as good as absent.
pub(super) struct Members<'a> {
    members: &'a [(String, Json)],
    place: &'a Pointer<'a>,
    faults: &'a Faults,
}

impl<'a> Members<'a> {
    /// None, and a fault, for what is no object.
    fn of(json: &'a Json, place: &'a Pointer<'a>, faults: &'a Faults) -> Option<Self> {
        match json {
            Json::Object(members) => Some(Self { members, place, faults }),
            other => {
                faults.wrong_type(place, "an object", other);
                None
            }
        }
    }

    fn get(&self, name: &str) -> Option<&'a Json> {
        let member = self.members.iter().find(|(other, _)| other == name);
        member.map(|(_, json)| json).filter(|json| **json != Json::Null)
    }

    fn optional<T: Read>(&self, name: &str) -> Option<T> {
        self.get(name).map(|json| T::read(json, &self.place.name(name), self.faults))
    }

    fn or<T: Read>(&self, name: &str, default: T) -> T {
        self.optional(name).unwrap_or(default)
    }

    /// The list, empty where it is absent.
    fn list<T: Read>(&self, name: &str) -> Vec<T> {
        self.or(name, Vec::new())
    }

    fn required<T: Read>(&self, name: &str) -> T {
        self.optional(name).unwrap_or_else(|| {
            let detail = format!("`{name}` must be said.");
            self.faults.add(&self.place.name(name), "required", detail);
            T::stand_in()
        })
    }
}

impl Read for String {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        match json {
            Json::Text(text) => text.clone(),
            other => {
                faults.wrong_type(place, "a text", other);
                Self::stand_in()
            }
        }
    }

    fn stand_in() -> Self {
        Self::new()
    }
}

impl Read for bool {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        match json {
            Json::Bool(value) => *value,
            other => {
                faults.wrong_type(place, "a boolean", other);
                Self::stand_in()
            }
        }
    }

    fn stand_in() -> Self {
        false
    }
}

/// A whole number within the type's range.
fn whole<T: TryFrom<i64> + Default>(json: &Json, place: &Pointer<'_>, faults: &Faults) -> T {
    let value = match json {
        Json::Int(value) => *value,
        // 5.0 is 5 to whoever wrote it.
        Json::Float(value) if value.fract() == 0.0 => *value as i64,
        other => {
            faults.wrong_type(place, "a whole number", other);
            return T::default();
        }
    };
    T::try_from(value).unwrap_or_else(|_| {
        faults.add(place, "out_of_range", format!("{value} is out of range here."));
        T::default()
    })
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Read for $number {
            fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
                whole(json, place, faults)
            }

            fn stand_in() -> Self {
                0
            }
        }
    )*};
}
whole_numbers!(u32, u64, i32);

impl Read for Percent {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        let number = match json {
            Json::Int(value) => *value as f64,
            Json::Float(value) => *value,
            other => {
                faults.wrong_type(place, "a number", other);
                return Self::stand_in();
            }
        };
        Self::from_number(number).unwrap_or_else(|| {
            let detail = "A percentage is 0 to 100 with at most three decimals.";
            faults.add(place, "bad_percent", detail);
            Self::stand_in()
        })
    }

    fn stand_in() -> Self {
        Self::ZERO
    }
}

impl Read for Number {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        match json {
            Json::Int(value) => Self::new(*value as f64),
            Json::Float(value) => Self::new(*value),
            other => {
                faults.wrong_type(place, "a number", other);
                Self::stand_in()
            }
        }
    }

    fn stand_in() -> Self {
        Self::new(0.0)
    }
}

impl Read for Json {
    fn read(json: &Json, _: &Pointer<'_>, _: &Faults) -> Self {
        json.clone()
    }

    fn stand_in() -> Self {
        Self::Null
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        match json {
            Json::Array(items) => {
                // A stand-in is larger than the text that it stands for.
                let items = items.iter().enumerate().take_while(|_| !faults.is_full());
                items.map(|(index, it)| T::read(it, &place.index(index), faults)).collect()
            }
            other => {
                faults.wrong_type(place, "a list", other);
                Self::stand_in()
            }
        }
    }

    fn stand_in() -> Self {
        Self::new()
    }
}

impl Read for BTreeMap<String, u32> {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        match json {
            Json::Object(members) => {
                let members = members.iter();
                let read = |(name, it): &(String, Json)| {
                    (name.clone(), u32::read(it, &place.name(name), faults))
                };
                members.map(read).collect()
            }
            other => {
                faults.wrong_type(place, "an object", other);
                Self::stand_in()
            }
        }
    }

    fn stand_in() -> Self {
        Self::new()
    }
}

/// One of a closed list of words.
fn word<T: Copy>(
    words: &[(&str, T)],
    code: &'static str,
    json: &Json,
    place: &Pointer<'_>,
    faults: &Faults,
) -> T {
    let stand_in = words[0].1;
    let Json::Text(text) = json else {
        faults.wrong_type(place, "a text", json);
        return stand_in;
    };
    let known = words.iter().find(|(word, _)| word == text);
    known.map_or_else(
        || {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let detail = format!("{text:?} is none of {}.", known.join(", "));
            faults.add(place, code, detail);
            stand_in
        },
        |(_, it)| *it,
    )
}

/// The first word stands in where none of them stands.
macro_rules! words {
    ($type:ty, $code:literal, $($word:literal => $value:ident),* $(,)?) => {
        impl $crate::flags::document::read::Read for $type {
            fn read(
                json: &$crate::flags::json::Json,
                place: &$crate::flags::pointer::Pointer<'_>,
                faults: &$crate::flags::document::read::Faults,
            ) -> Self {
                let words = [$(($word, Self::$value)),*];
                $crate::flags::document::read::word(&words, $code, json, place, faults)
            }

            fn stand_in() -> Self {
                [$(Self::$value),*][0]
            }
        }
    };
}
use words;

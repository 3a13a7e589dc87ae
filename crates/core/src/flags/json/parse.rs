//! Parses JSON with the rules of the contract: no duplicate names in an object, no numbers that
//! other parsers read differently, and limited depth. Well-formed JSON that breaks a rule is
//! reported with its pointer.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use serde::Deserializer;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::Json;
use crate::flags::diagnostic::{Diagnostic, ERRORS_MAX};
use crate::flags::pointer::Pointer;

const DEPTH_MAX: usize = 32;
/// 2^53 − 1. Many parsers cannot distinguish larger neighbouring integers.
pub const INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// Returns the value and the broken rules, or the position at which the text is not JSON.
pub fn parse(text: &str) -> Result<(Json, Vec<Diagnostic>), Diagnostic> {
    let errors = RefCell::new(Vec::new());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let malformed = |error: serde_json::Error| Diagnostic {
        pointer: String::new(),
        code: "malformed_json",
        detail: format!("This is not valid JSON: {error}."),
    };
    let seed = Seed { depth: DEPTH_MAX, place: &Pointer::DOCUMENT, errors: &errors };
    let json = seed.deserialize(&mut deserializer).map_err(malformed)?;
    deserializer.end().map_err(malformed)?;
    Ok((json, errors.into_inner()))
}

#[derive(Clone, Copy)]
struct Seed<'p> {
    /// Number of further levels that may be opened.
    depth: usize,
    place: &'p Pointer<'p>,
    errors: &'p RefCell<Vec<Diagnostic>>,
}

impl Seed<'_> {
    fn report(&self, place: &Pointer<'_>, code: &'static str, detail: &str) {
        let mut errors = self.errors.borrow_mut();
        if errors.len() >= ERRORS_MAX {
            return;
        }
        let detail = detail.to_owned();
        errors.push(Diagnostic { pointer: place.pointer(), code, detail });
    }

    fn deeper<E: de::Error>(&self) -> Result<usize, E> {
        let depth = self.depth.checked_sub(1);
        depth.ok_or_else(|| E::custom(format!("it is nested more than {DEPTH_MAX} deep")))
    }

    fn too_large(&self) {
        let detail = "Numbers beyond 2^53 - 1 are not exact in JavaScript.";
        self.report(self.place, "number_too_large", detail);
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        if value < -INTEGER_MAX {
            self.too_large();
        }
        Ok(Json::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        if value > INTEGER_MAX {
            self.too_large();
        }
        Ok(Json::Int(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        if value.abs() > INTEGER_MAX as f64 {
            self.too_large();
        }
        Ok(Json::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let depth = self.deeper()?;
        let mut values = Vec::new();
        loop {
            let place = self.place.index(values.len());
            let seed = Seed { depth, place: &place, errors: self.errors };
            match seq.next_element_seed(seed)? {
                Some(value) => values.push(value),
                None => return Ok(Json::Array(values)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let depth = self.deeper()?;
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            let place = self.place.name(&name);
            let seed = Seed { depth, place: &place, errors: self.errors };
            let value = map.next_value_seed(seed)?;
            // For few members, comparing each name is faster than a set.
            let is_new = if members.len() < 16 {
                members.iter().all(|(other, _)| *other != name)
            } else {
                if names.is_empty() {
                    names.extend(members.iter().map(|(name, _)| name.clone()));
                }
                names.insert(name.clone())
            };
            if is_new {
                members.push((name, value));
            } else {
                self.report(&place, "duplicate_name", "This name occurs twice in one object.");
            }
        }
        Ok(Json::Object(members))
    }
}

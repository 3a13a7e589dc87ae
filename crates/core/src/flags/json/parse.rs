//! Reading JSON as the contract wants it: no name twice in an object, no number that another reader
//! would read as another, bounded depth. What is well formed but refused is told with its pointer.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use serde::Deserializer;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::Json;
use crate::flags::check::FAULTS_MAX;
use crate::flags::diagnostic::Diagnostic;
use crate::flags::pointer::Pointer;

const DEPTH_MAX: usize = 32;
/// 2^53 − 1: beyond it neighbouring integers are one number to most readers.
pub const INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// The value, and what is refused in it; or the place where it is no JSON.
pub fn parse(text: &str) -> Result<(Json, Vec<Diagnostic>), Diagnostic> {
    let faults = RefCell::new(Vec::new());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let malformed = |error: serde_json::Error| Diagnostic {
        pointer: String::new(),
        code: "malformed_json",
        detail: format!("This is not JSON as it is accepted here: {error}."),
    };
    let seed = Seed { depth: DEPTH_MAX, place: &Pointer::DOCUMENT, faults: &faults };
    let json = seed.deserialize(&mut deserializer).map_err(malformed)?;
    deserializer.end().map_err(malformed)?;
    Ok((json, faults.into_inner()))
}

#[derive(Clone, Copy)]
struct Seed<'p> {
    /// How many more levels may open.
    depth: usize,
    place: &'p Pointer<'p>,
    faults: &'p RefCell<Vec<Diagnostic>>,
}

impl Seed<'_> {
    fn fault(&self, place: &Pointer<'_>, code: &'static str, detail: &str) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() >= FAULTS_MAX {
            return;
        }
        let detail = detail.to_owned();
        faults.push(Diagnostic { pointer: place.pointer(), code, detail });
    }

    fn deeper<E: de::Error>(&self) -> Result<usize, E> {
        let depth = self.depth.checked_sub(1);
        depth.ok_or_else(|| E::custom(format!("it is nested more than {DEPTH_MAX} deep")))
    }

    fn too_large(&self) {
        let detail = "A number beyond 2^53 - 1 is not the same number to every reader.";
        self.fault(self.place, "number_too_large", detail);
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
            let seed = Seed { depth, place: &place, faults: self.faults };
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
            let seed = Seed { depth, place: &place, faults: self.faults };
            let value = map.next_value_seed(seed)?;
            // Few members: looking through them is cheaper than a set.
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
                self.fault(&place, "duplicate_name", "This name stands twice in one object.");
            }
        }
        Ok(Json::Object(members))
    }
}

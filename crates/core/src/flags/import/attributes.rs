//! Types of attributes, derived from how a document uses them, because other services do not
//! declare them.

use std::collections::BTreeMap;

use crate::flags::check::UNITS;
use crate::flags::document::{Attribute, AttributeType};

/// A document is read twice. The first pass collects the types that each attribute is compared
/// with. The second pass converts, and rejects every use of another type.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    types: BTreeMap<String, AttributeType>,
    is_settled: bool,
}

impl Attributes {
    pub(super) fn settle(&mut self) {
        self.is_settled = true;
    }

    /// Records or checks that the attribute is compared as this type; returns the reason if it
    /// cannot be.
    pub(super) fn need(&mut self, name: &str, expected: AttributeType) -> Result<(), String> {
        let known_type = if UNITS.contains(&name) {
            AttributeType::String
        } else if self.is_settled {
            self.types.get(name).copied().unwrap_or(expected)
        } else {
            let known_type = self.types.entry(name.to_owned()).or_insert(expected);
            if rank(expected) > rank(*known_type) {
                *known_type = expected;
            }
            return Ok(());
        };
        if known_type == expected {
            return Ok(());
        }
        Err(format!(
            "an attribute must have one type, but {name} is used as {} elsewhere, not as {}",
            describe(known_type),
            describe(expected)
        ))
    }

    /// Records an attribute whose presence is tested, for any type.
    pub(super) fn mention(&mut self, name: &str) {
        if !UNITS.contains(&name) && !self.is_settled {
            self.types.entry(name.to_owned()).or_insert(AttributeType::String);
        }
    }

    /// Records that units are drawn by the attribute; returns the reason if they cannot be.
    pub(super) fn drawn_by(&mut self, name: &str) -> Result<(), String> {
        self.mention(name);
        match self.types.get(name) {
            Some(
                r#type @ (AttributeType::Boolean | AttributeType::Strings | AttributeType::Numbers),
            ) if self.is_settled => Err(format!(
                "users cannot be selected by {name}, because it is used as {} elsewhere",
                describe(*r#type)
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn declared(self) -> Vec<Attribute> {
        let attribute = |(name, r#type)| Attribute { name, r#type, description: None };
        self.types.into_iter().map(attribute).collect()
    }
}

/// Returns the precedence of a type. Any value may be compared as a text, so a more specific use
/// decides.
fn rank(r#type: AttributeType) -> u8 {
    match r#type {
        AttributeType::String => 0,
        AttributeType::Strings => 1,
        AttributeType::Numbers => 2,
        AttributeType::Boolean => 3,
        AttributeType::Number => 4,
        AttributeType::Date => 5,
        AttributeType::Ip => 6,
        AttributeType::Semver => 7,
    }
}

fn describe(r#type: AttributeType) -> &'static str {
    match r#type {
        AttributeType::String => "a text",
        AttributeType::Strings => "a list of texts",
        AttributeType::Numbers => "a list of numbers",
        AttributeType::Boolean => "true or false",
        AttributeType::Number => "a number",
        AttributeType::Date => "a date",
        AttributeType::Ip => "an address",
        AttributeType::Semver => "a version",
    }
}

#[cfg(test)]
mod tests {
    use super::{AttributeType, Attributes};

    #[test]
    fn the_more_specific_type_wins_and_other_uses_are_rejected() {
        let mut attributes = Attributes::default();
        for used_type in [AttributeType::String, AttributeType::Semver, AttributeType::String] {
            assert_eq!(attributes.need("app", used_type), Ok(()));
        }
        attributes.settle();
        assert_eq!(attributes.need("app", AttributeType::Semver), Ok(()));
        let reason = attributes.need("app", AttributeType::String).expect_err("two types");
        assert_eq!(
            reason,
            "an attribute must have one type, but app is used as a version elsewhere, not as a text"
        );
        assert_eq!(attributes.declared().len(), 1);
    }

    #[test]
    fn users_cannot_be_selected_by_a_list() {
        let mut attributes = Attributes::default();
        assert_eq!(attributes.drawn_by("zones"), Ok(()));
        assert_eq!(attributes.need("zones", AttributeType::Strings), Ok(()));
        attributes.settle();
        let reason = attributes.drawn_by("zones").expect_err("a list");
        assert_eq!(
            reason,
            "users cannot be selected by zones, because it is used as a list of texts elsewhere"
        );
    }

    #[test]
    fn predefined_attributes_are_texts_and_not_declared() {
        let mut attributes = Attributes::default();
        assert_eq!(attributes.drawn_by("userId"), Ok(()));
        assert!(attributes.need("userId", AttributeType::Number).is_err());
        assert_eq!(attributes.need("userId", AttributeType::String), Ok(()));
        assert!(attributes.declared().is_empty());
    }
}

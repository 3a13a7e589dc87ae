//! The types of attributes, found out from how a document uses them: no other service declares them.

use std::collections::BTreeMap;

use crate::flags::check::UNITS;
use crate::flags::document::{Attribute, AttributeType};

/// A document is read twice: first to see what each attribute is compared with, then to translate,
/// when whatever needs another type is refused.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    types: BTreeMap<String, AttributeType>,
    settled: bool,
}

impl Attributes {
    pub(super) fn settle(&mut self) {
        self.settled = true;
    }

    /// The attribute is compared as one of this type; the reason why that cannot be.
    pub(super) fn need(&mut self, name: &str, wanted: AttributeType) -> Result<(), String> {
        let known = if UNITS.contains(&name) {
            AttributeType::String
        } else if self.settled {
            self.types.get(name).copied().unwrap_or(wanted)
        } else {
            let known = self.types.entry(name.to_owned()).or_insert(wanted);
            if rank(wanted) > rank(*known) {
                *known = wanted;
            }
            return Ok(());
        };
        if known == wanted {
            return Ok(());
        }
        Err(format!(
            "an attribute has one type, and {name} is {} elsewhere, not {}",
            spelled(known),
            spelled(wanted)
        ))
    }

    /// Whether the attribute is there is asked, whatever its type is.
    pub(super) fn mention(&mut self, name: &str) {
        if !UNITS.contains(&name) && !self.settled {
            self.types.entry(name.to_owned()).or_insert(AttributeType::String);
        }
    }

    /// People are drawn by the attribute; the reason why that cannot be.
    pub(super) fn drawn_by(&mut self, name: &str) -> Result<(), String> {
        self.mention(name);
        match self.types.get(name) {
            Some(
                r#type @ (AttributeType::Boolean | AttributeType::Strings | AttributeType::Numbers),
            ) if self.settled => {
                Err(format!("nobody is drawn by {name}, which is {} elsewhere", spelled(*r#type)))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn declared(self) -> Vec<Attribute> {
        let attribute = |(name, r#type)| Attribute { name, r#type, description: None };
        self.types.into_iter().map(attribute).collect()
    }
}

/// A text may be anything; whoever compares it as a version means it.
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

fn spelled(r#type: AttributeType) -> &'static str {
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
    fn the_narrower_use_decides_and_the_other_is_refused() {
        let mut attributes = Attributes::default();
        for wanted in [AttributeType::String, AttributeType::Semver, AttributeType::String] {
            assert_eq!(attributes.need("app", wanted), Ok(()));
        }
        attributes.settle();
        assert_eq!(attributes.need("app", AttributeType::Semver), Ok(()));
        let refused = attributes.need("app", AttributeType::String).expect_err("two types");
        assert_eq!(
            refused,
            "an attribute has one type, and app is a version elsewhere, not a text"
        );
        assert_eq!(attributes.declared().len(), 1);
    }

    #[test]
    fn nobody_is_drawn_by_a_list() {
        let mut attributes = Attributes::default();
        assert_eq!(attributes.drawn_by("zones"), Ok(()));
        assert_eq!(attributes.need("zones", AttributeType::Strings), Ok(()));
        attributes.settle();
        let refused = attributes.drawn_by("zones").expect_err("a list");
        assert_eq!(refused, "nobody is drawn by zones, which is a list of texts elsewhere");
    }

    #[test]
    fn what_is_built_in_is_a_text_and_not_declared() {
        let mut attributes = Attributes::default();
        assert_eq!(attributes.drawn_by("userId"), Ok(()));
        assert!(attributes.need("userId", AttributeType::Number).is_err());
        assert_eq!(attributes.need("userId", AttributeType::String), Ok(()));
        assert!(attributes.declared().is_empty());
    }
}

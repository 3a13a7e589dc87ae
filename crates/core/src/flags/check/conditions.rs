//! Checks of conditions: attributes and segments exist, and operands match the operators.

use super::{Check, no_attribute};
use crate::flags::document::{Condition, Test};
use crate::flags::matcher::Matcher;
use crate::flags::pointer::Pointer;

impl Check<'_> {
    pub(super) fn condition(&mut self, condition: &Condition, place: &Pointer<'_>) {
        match condition {
            Condition::All(parts) => self.conditions(parts, &place.name("all")),
            Condition::Any(parts) => self.conditions(parts, &place.name("any")),
            Condition::Not(part) => self.condition(part, &place.name("not")),
            Condition::Segment(key) => {
                if !self.segments.contains_key(key.as_str()) {
                    let detail = format!("There is no segment named {key:?}.");
                    self.report(&place.name("segment"), "unknown_segment", detail);
                }
            }
            Condition::Test(test) => self.test(test, place),
        }
    }

    fn conditions(&mut self, parts: &[Condition], place: &Pointer<'_>) {
        for (index, part) in parts.iter().enumerate() {
            self.condition(part, &place.index(index));
        }
    }

    fn test(&mut self, test: &Test, place: &Pointer<'_>) {
        let Some(kind) = self.attributes.get(test.attr.as_str()) else {
            let detail = no_attribute(&test.attr);
            return self.report(&place.name("attr"), "unknown_attribute", detail);
        };
        // Nothing can be checked against an attribute of unreadable type.
        let Some(kind) = *kind else { return };
        if !self.broken.is_empty() && self.broken.contains(&*place.name("op").pointer()) {
            return;
        }
        if let Err(error) = Matcher::new(test, kind) {
            let member = place.name(error.member);
            match error.index {
                Some(index) => self.report(&member.index(index), error.code, error.detail),
                None => self.report(&member, error.code, error.detail),
            }
        }
    }
}

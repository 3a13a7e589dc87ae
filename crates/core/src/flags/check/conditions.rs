//! Conditions: every attribute and segment is known, every operand fits.

use super::Check;
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
                    let detail = format!("No segment is called {key:?}.");
                    self.fault(&place.name("segment"), "unknown_segment", detail);
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
            let detail = format!("No attribute is called {:?}.", test.attr);
            return self.fault(&place.name("attr"), "unknown_attribute", detail);
        };
        // An unreadable operand cannot be compared with either.
        let Some(kind) = *kind else { return };
        if !self.broken.is_empty() && self.broken.contains(&*place.name("op").pointer()) {
            return;
        }
        if let Err(fault) = Matcher::new(test, kind) {
            let member = place.name(fault.member);
            match fault.index {
                Some(index) => self.fault(&member.index(index), fault.code, fault.detail),
                None => self.fault(&member, fault.code, fault.detail),
            }
        }
    }
}

//! Compiles conditions: names become numbers, operands are parsed, and constant parts are
//! evaluated.

use super::Compiler;
use crate::flags::document;
use crate::flags::matcher::Matcher;
use crate::flags::snapshot::Condition;

impl<'d> Compiler<'d> {
    pub(super) fn condition(&mut self, condition: &'d document::Condition) -> Condition {
        match condition {
            document::Condition::All(parts) => self.all(parts),
            document::Condition::Any(parts) => self.any(parts),
            document::Condition::Not(part) => match self.condition(part) {
                Condition::Always(value) => Condition::Always(!value),
                compiled => Condition::Not(Box::new(compiled)),
            },
            document::Condition::Segment(key) => match self.segments.get(key.as_str()) {
                Some(segment) => Condition::Segment(*segment),
                None => Condition::Always(false),
            },
            document::Condition::Test(test) => {
                let slot = self.slot(&test.attr);
                match Matcher::new(test, self.type_of(&test.attr)) {
                    Ok(matcher) => Condition::Test(slot, matcher),
                    // Documents with such a test are rejected before they are compiled.
                    Err(_) => Condition::Always(false),
                }
            }
        }
    }

    fn all(&mut self, parts: &'d [document::Condition]) -> Condition {
        let mut compiled = Vec::with_capacity(parts.len());
        for part in parts {
            match self.condition(part) {
                Condition::Always(true) => {}
                Condition::Always(false) => return Condition::Always(false),
                part => compiled.push(part),
            }
        }
        match compiled.len() {
            0 => Condition::Always(true),
            1 => compiled.remove(0),
            _ => Condition::All(compiled.into()),
        }
    }

    fn any(&mut self, parts: &'d [document::Condition]) -> Condition {
        let mut compiled = Vec::with_capacity(parts.len());
        for part in parts {
            match self.condition(part) {
                Condition::Always(false) => {}
                Condition::Always(true) => return Condition::Always(true),
                part => compiled.push(part),
            }
        }
        match compiled.len() {
            0 => Condition::Always(false),
            1 => compiled.remove(0),
            _ => Condition::Any(compiled.into()),
        }
    }
}

/// Returns whether the condition names segments and no attributes.
pub(super) fn names_segments_only(condition: &document::Condition) -> bool {
    fn leaves(condition: &document::Condition, segments: &mut usize, tests: &mut usize) {
        match condition {
            document::Condition::All(parts) | document::Condition::Any(parts) => {
                for part in parts {
                    leaves(part, segments, tests);
                }
            }
            document::Condition::Not(part) => leaves(part, segments, tests),
            document::Condition::Segment(_) => *segments += 1,
            document::Condition::Test(_) => *tests += 1,
        }
    }
    let (mut segments, mut tests) = (0, 0);
    leaves(condition, &mut segments, &mut tests);
    segments > 0 && tests == 0
}

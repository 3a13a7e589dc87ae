//! Conditions: names become numbers, operands are read, what is always so is worked out.

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
                Condition::Always(it) => Condition::Always(!it),
                it => Condition::Not(Box::new(it)),
            },
            document::Condition::Segment(key) => match self.segments.get(key.as_str()) {
                Some(segment) => Condition::Segment(*segment),
                None => Condition::Always(false),
            },
            document::Condition::Test(test) => {
                let slot = self.slot(&test.attr);
                match Matcher::new(test, self.type_of(&test.attr)) {
                    Ok(matcher) => Condition::Test(slot, matcher),
                    // The check refuses such a document before it comes here.
                    Err(_) => Condition::Always(false),
                }
            }
        }
    }

    fn all(&mut self, parts: &'d [document::Condition]) -> Condition {
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            match self.condition(part) {
                Condition::Always(true) => {}
                Condition::Always(false) => return Condition::Always(false),
                it => kept.push(it),
            }
        }
        match kept.len() {
            0 => Condition::Always(true),
            1 => kept.remove(0),
            _ => Condition::All(kept.into()),
        }
    }

    fn any(&mut self, parts: &'d [document::Condition]) -> Condition {
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            match self.condition(part) {
                Condition::Always(false) => {}
                Condition::Always(true) => return Condition::Always(true),
                it => kept.push(it),
            }
        }
        match kept.len() {
            0 => Condition::Always(false),
            1 => kept.remove(0),
            _ => Condition::Any(kept.into()),
        }
    }
}

/// Whether it names segments and no attribute.
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

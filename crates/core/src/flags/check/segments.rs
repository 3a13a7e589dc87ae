//! Segments: none is part of itself, and none grows without bounds by naming others.

use super::Check;
use crate::flags::document::{Condition, Document};
use crate::flags::pointer::Pointer;

/// Segments within segments.
const DEPTH_MAX: usize = 8;
/// Tests that one segment may cause, with all that it names.
const COST_MAX: usize = 10_000;

impl Check<'_> {
    pub(super) fn segments(&mut self) {
        let document = self.document;
        let list = Pointer::DOCUMENT.name("segments");
        self.keys(document.segments.iter().map(|it| it.key.as_str()), &list, "key");
        for (index, segment) in document.segments.iter().enumerate() {
            let item = list.index(index);
            self.condition(&segment.r#match, &item.name("match"));
        }
        let mut costs = Costs {
            document,
            find: &|key| self.segments.get(key).copied(),
            known: vec![None; document.segments.len()],
        };
        let found: Vec<_> =
            (0..document.segments.len()).map(|it| costs.cost_and_depth(it, 0).0).collect();
        for (index, cost) in found.into_iter().enumerate() {
            let item = list.index(index);
            let place = item.name("match");
            match cost {
                Cost::Endless => {
                    let detail = "The segment is part of itself, or of one that is.";
                    self.fault(&place, "segment_cycle", detail);
                }
                Cost::Deep => {
                    let detail = format!("Segments name each other more than {DEPTH_MAX} deep.");
                    self.fault(&place, "too_deep", detail);
                }
                Cost::Tests(tests) => self.at_most(tests, COST_MAX, &place),
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Cost {
    Tests(usize),
    Deep,
    Endless,
}

impl Cost {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Tests(one), Self::Tests(other)) => Self::Tests(one.saturating_add(other)),
            (Self::Endless, _) | (_, Self::Endless) => Self::Endless,
            _ => Self::Deep,
        }
    }
}

struct Costs<'d> {
    document: &'d Document,
    find: &'d dyn Fn(&str) -> Option<usize>,
    /// None before a segment is looked at, endless while it is.
    known: Vec<Option<(Cost, usize)>>,
}

impl Costs<'_> {
    /// And how many segments deep it goes.
    fn cost_and_depth(&mut self, segment: usize, depth: usize) -> (Cost, usize) {
        if let Some(known) = self.known[segment] {
            return known;
        }
        self.known[segment] = Some((Cost::Endless, 0));
        let document = self.document;
        let mut found = self.of_condition(&document.segments[segment].r#match, depth);
        found.1 += 1;
        if found.1 > DEPTH_MAX && matches!(found.0, Cost::Tests(_)) {
            found.0 = Cost::Deep;
        }
        self.known[segment] = Some(found);
        found
    }

    fn of_condition(&mut self, condition: &Condition, depth: usize) -> (Cost, usize) {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                let mut sum = (Cost::Tests(1), 0);
                for part in parts {
                    let found = self.of_condition(part, depth);
                    sum = (sum.0.plus(found.0), sum.1.max(found.1));
                }
                sum
            }
            Condition::Not(part) => self.of_condition(part, depth),
            Condition::Segment(key) => match (self.find)(key) {
                // Refused anyway; the stack need not grow with the document.
                Some(_) if depth > 2 * DEPTH_MAX => (Cost::Deep, 0),
                Some(segment) => self.cost_and_depth(segment, depth + 1),
                None => (Cost::Tests(1), 0),
            },
            Condition::Test(_) => (Cost::Tests(1), 0),
        }
    }
}

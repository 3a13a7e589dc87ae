//! Checks of segments: no segment contains itself, and none causes too many tests.

use super::Check;
use crate::flags::document::{Condition, Document};
use crate::flags::pointer::Pointer;

/// Maximum depth of segments within segments.
const DEPTH_MAX: usize = 8;
/// Maximum number of tests that one segment may cause, including all segments that it names.
const COST_MAX: usize = 10_000;

impl Check<'_> {
    pub(super) fn segments(&mut self) {
        let document = self.document;
        let list = Pointer::DOCUMENT.name("segments");
        self.keys(document.segments.iter().map(|segment| segment.key.as_str()), &list, "key");
        for (index, segment) in document.segments.iter().enumerate() {
            let item = list.index(index);
            self.condition(&segment.r#match, &item.name("match"));
        }
        let mut costs = Costs {
            document,
            find: &|key| self.segments.get(key).copied(),
            results: vec![None; document.segments.len()],
        };
        let results: Vec<_> = (0..document.segments.len())
            .map(|segment| costs.cost_and_depth(segment, 0).0)
            .collect();
        for (index, cost) in results.into_iter().enumerate() {
            let item = list.index(index);
            let place = item.name("match");
            match cost {
                Cost::Endless => {
                    let detail = "The segment contains itself, or a segment that contains itself.";
                    self.report(&place, "segment_cycle", detail);
                }
                Cost::Deep => {
                    let detail = format!("Segments are nested more than {DEPTH_MAX} deep.");
                    self.report(&place, "too_deep", detail);
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
    /// Results by segment: `None` before a segment is visited, `Endless` while it is visited.
    results: Vec<Option<(Cost, usize)>>,
}

impl Costs<'_> {
    /// Returns the cost of a segment and how many levels of segments it has.
    fn cost_and_depth(&mut self, segment: usize, depth: usize) -> (Cost, usize) {
        if let Some(result) = self.results[segment] {
            return result;
        }
        self.results[segment] = Some((Cost::Endless, 0));
        let document = self.document;
        let mut result = self.of_condition(&document.segments[segment].r#match, depth);
        result.1 += 1;
        if result.1 > DEPTH_MAX && matches!(result.0, Cost::Tests(_)) {
            result.0 = Cost::Deep;
        }
        self.results[segment] = Some(result);
        result
    }

    fn of_condition(&mut self, condition: &Condition, depth: usize) -> (Cost, usize) {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                let mut sum = (Cost::Tests(1), 0);
                for part in parts {
                    let result = self.of_condition(part, depth);
                    sum = (sum.0.plus(result.0), sum.1.max(result.1));
                }
                sum
            }
            Condition::Not(part) => self.of_condition(part, depth),
            Condition::Segment(key) => match (self.find)(key) {
                // Such a document is rejected anyway. Stopping here limits the depth of the
                // recursion.
                Some(_) if depth > 2 * DEPTH_MAX => (Cost::Deep, 0),
                Some(segment) => self.cost_and_depth(segment, depth + 1),
                None => (Cost::Tests(1), 0),
            },
            Condition::Test(_) => (Cost::Tests(1), 0),
        }
    }
}

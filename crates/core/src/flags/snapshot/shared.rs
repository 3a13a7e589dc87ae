//! Conditions that several rules have: what one comes to for a person is worked out once, however many
//! flags are asked for.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::Snapshot;
use crate::flags::context::MemoId;
use crate::flags::document::Condition;

/// Positions of each condition: flag and rule.
#[derive(Default)]
pub(super) struct Places(HashMap<String, Vec<(u32, u32)>>);

impl Places {
    pub fn note(&mut self, condition: &Condition, flag: u32, rule: u32) {
        // No condition can fail to be written; and what is equal is written alike.
        let text = serde_json::to_string(condition).unwrap_or_default();
        self.0.entry(text).or_default().push((flag, rule));
    }

    /// Memoises the conditions that most rules share.
    pub fn remember(self, snapshot: &mut Snapshot) {
        let mut shared: Vec<_> = self.0.into_values().filter(|rules| rules.len() > 1).collect();
        shared.sort_unstable_by_key(|rules| (Reverse(rules.len()), rules[0]));
        for (number, rules) in shared.into_iter().take(MemoId::MAX).enumerate() {
            for (flag, rule) in rules {
                snapshot.flags[flag as usize].rules[rule as usize].memo = MemoId::new(number);
            }
        }
    }
}

//! Conditions that several rules share. Their result for a user is evaluated once, even if many
//! flags are evaluated.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::flags::context::MemoId;
use crate::flags::document::Condition;
use crate::flags::snapshot::Snapshot;

/// Positions of each condition: flag and rule.
#[derive(Default)]
pub(super) struct Places(HashMap<String, Vec<(u32, u32)>>);

impl Places {
    pub fn note(&mut self, condition: &Condition, flag: u32, rule: u32) {
        // Serialising a condition cannot fail, and equal conditions have equal texts.
        let text = serde_json::to_string(condition).unwrap_or_default();
        self.0.entry(text).or_default().push((flag, rule));
    }

    /// Assigns a memo to each of the conditions that most rules share.
    pub fn assign_memos(self, snapshot: &mut Snapshot) {
        let mut shared: Vec<_> = self.0.into_values().filter(|rules| rules.len() > 1).collect();
        shared.sort_unstable_by_key(|rules| (Reverse(rules.len()), rules[0]));
        for (number, rules) in shared.into_iter().take(MemoId::MAX).enumerate() {
            for (flag, rule) in rules {
                snapshot.flags[flag as usize].rules[rule as usize].memo = MemoId::new(number);
            }
        }
    }
}

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::root;

/// The results of all cases of a suite.
#[derive(Default)]
pub struct Outcome {
    passed: BTreeSet<String>,
    /// The reason for each failed case.
    failed: BTreeMap<String, String>,
}

impl Outcome {
    pub fn add(&mut self, case: String, result: Result<(), String>) {
        // Some suites use one name for two cases, so they are numbered.
        let is_used = |name: &str| self.passed.contains(name) || self.failed.contains_key(name);
        let mut name = case.clone();
        let mut number = 2;
        while is_used(&name) {
            name = format!("{case} ({number})");
            number += 1;
        }
        match result {
            Ok(()) => {
                self.passed.insert(name);
            }
            Err(reason) => {
                self.failed.insert(name, reason);
            }
        }
    }

    /// Checks that the list of failing cases, grouped by reason, is exactly right.
    pub fn check(&self, suite: &str, minimum: usize) {
        let path = root().join("crates/core/tests/suites").join(format!("{suite}.json"));
        let text = fs::read_to_string(&path).expect("a list");
        let list: BTreeMap<String, BTreeSet<String>> = serde_json::from_str(&text).expect("a list");
        let listed: BTreeSet<&String> = list.values().flatten().collect();
        let mut wrong = Vec::new();
        for (case, reason) in &self.failed {
            if !listed.contains(case) {
                wrong.push(format!("this case fails but is not listed: {case}: {reason}"));
            }
        }
        for case in listed {
            if self.passed.contains(case) {
                wrong.push(format!("this case passes but is listed: {case}"));
            } else if !self.failed.contains_key(case) {
                wrong.push(format!("this listed case does not exist: {case}"));
            }
        }
        println!("{suite}: {} cases pass, {} are listed", self.passed.len(), self.failed.len());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(self.passed.len() >= minimum, "only {} cases passed", self.passed.len());
    }
}

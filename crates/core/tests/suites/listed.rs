use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::root;

/// The outcome of each case of a suite.
#[derive(Default)]
pub struct Outcome {
    passed: BTreeSet<String>,
    /// By case, why.
    failed: BTreeMap<String, String>,
}

impl Outcome {
    pub fn add(&mut self, case: String, result: Result<(), String>) {
        // Some suites give two cases one name: number them.
        let taken = |name: &str| self.passed.contains(name) || self.failed.contains_key(name);
        let mut name = case.clone();
        let mut number = 2;
        while taken(&name) {
            name = format!("{case} ({number})");
            number += 1;
        }
        match result {
            Ok(()) => {
                self.passed.insert(name);
            }
            Err(why) => {
                self.failed.insert(name, why);
            }
        }
    }

    /// The list of cases that we do not pass, by reason, must be exactly right.
    pub fn check(&self, suite: &str, least: usize) {
        let path = root().join("crates/core/tests/suites").join(format!("{suite}.json"));
        let text = fs::read_to_string(&path).expect("a list");
        let list: BTreeMap<String, BTreeSet<String>> = serde_json::from_str(&text).expect("a list");
        let listed: BTreeSet<&String> = list.values().flatten().collect();
        let mut wrong = Vec::new();
        for (case, why) in &self.failed {
            if !listed.contains(case) {
                wrong.push(format!("does not pass, and is not listed: {case}: {why}"));
            }
        }
        for case in listed {
            if self.passed.contains(case) {
                wrong.push(format!("passes, and is listed: {case}"));
            } else if !self.failed.contains_key(case) {
                wrong.push(format!("is listed, and is no case: {case}"));
            }
        }
        println!("{suite}: {} cases pass, {} are listed", self.passed.len(), self.failed.len());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(self.passed.len() >= least, "only {} cases passed", self.passed.len());
    }
}

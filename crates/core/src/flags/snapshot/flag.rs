//! A compiled flag.

use super::pieces::{Explanation, Explanations};
use super::rule::Rule;
use crate::flags::context::SlotId;
use crate::flags::document;
use crate::flags::interner::Interner;
use crate::flags::json::json_text;

#[derive(Debug)]
pub(in crate::flags) struct Flag {
    pub client_visible: bool,
    /// Whether the flag is archived, switched off or waiting for a notice.
    pub is_off: bool,
    /// The explanation if the flag waits for a notice.
    pub waiting: Option<Box<Explanation>>,
    /// Whether the document has rules. A flag without rules always has the same result.
    pub has_rules: bool,
    /// Whether no override, prerequisite or holdout can decide before the rules.
    pub has_only_rules: bool,
    pub variations: Box<[Variation]>,
    pub off: Option<u16>,
    pub default: u16,
    pub baseline: u16,
    pub prerequisites: Box<[Prerequisite]>,
    pub overrides: Box<[Overrides]>,
    /// Indexes in the snapshot, in the order in which they decide.
    pub holdouts: Box<[u16]>,
    pub rules: Box<[Rule]>,
    /// Attributes that the result may depend on, sorted by name.
    pub relevant: Box<[SlotId]>,
    /// Sticky experiments that the result may depend on: flag and rule.
    pub sticky: Box<[(u32, u32)]>,
    /// Part of the result: `,"relevantContext":["country"],"holdoutsEvaluations":[`. Version 2 of
    /// the API writes only the first `tail_of_v2` bytes.
    pub tail: Box<str>,
    pub tail_of_v2: u32,
    /// Start of the OFREP item: `{"key":"quest-cards"`.
    pub ofrep: Box<str>,
    /// Index of the flag's first prepared result in the snapshot.
    pub whole: u32,
}

impl Flag {
    /// Returns why the flag is off.
    pub fn off_explanation<'a>(&'a self, explanations: &'a Explanations) -> &'a Explanation {
        self.waiting.as_deref().unwrap_or(&explanations.off)
    }
}

#[derive(Debug)]
pub(in crate::flags) struct Variation {
    pub key: Box<str>,
    /// Start of the result: `{"variation":true`.
    head: Box<str>,
    /// End of the result: `],"variationKey":"on","version":412}`.
    tail: Box<str>,
    /// Position in `tail` where the key ends.
    key_end: u32,
}

impl Variation {
    const HEAD: &str = r#"{"variation":"#;
    const TAIL: &str = r#"],"variationKey":"#;

    pub fn new(variation: &document::Variation, version_json: &str) -> Self {
        let mut tail = Self::TAIL.to_owned() + &json_text(&variation.key);
        let key_end = tail.len() as u32;
        tail.push_str(version_json);
        Self {
            key: variation.key.as_str().into(),
            head: (Self::HEAD.to_owned() + &variation.value.to_text()).into(),
            tail: tail.into(),
            key_end,
        }
    }

    pub fn json(&self) -> &str {
        &self.head[Self::HEAD.len()..]
    }

    pub fn key_json(&self) -> &str {
        &self.tail[Self::TAIL.len()..self.key_end as usize]
    }

    #[inline]
    pub fn head(&self) -> &[u8] {
        self.head.as_bytes()
    }

    #[inline]
    pub fn tail(&self) -> &[u8] {
        self.tail.as_bytes()
    }
}

#[derive(Debug)]
pub(in crate::flags) struct Prerequisite {
    /// Index of the flag in the snapshot.
    pub flag: u32,
    pub variations: Box<[u16]>,
    pub explanation: Explanation,
}

/// The overrides for one kind of unit.
#[derive(Debug)]
pub(in crate::flags) struct Overrides {
    pub unit: SlotId,
    pub ids: Interner,
    /// For each id: its position in the document, and the variation.
    pub serve: Box<[(u32, u16)]>,
}

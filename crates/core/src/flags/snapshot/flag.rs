//! A flag with everything resolved.

use super::pieces::{Explanation, json_text};
use super::rule::Rule;
use crate::flags::context::SlotId;
use crate::flags::document;
use crate::flags::interner::Interner;

#[derive(Debug)]
pub(in crate::flags) struct Flag {
    pub client_visible: bool,
    /// Archived or switched off.
    pub is_off: bool,
    /// Whether the document has rules: a flag without any always answers the same.
    pub has_rules: bool,
    /// No override, prerequisite or holdout can decide before the rules.
    pub has_only_rules: bool,
    pub variations: Box<[Variation]>,
    pub off: Option<u16>,
    pub default: u16,
    pub baseline: u16,
    pub prerequisites: Box<[Prerequisite]>,
    pub overrides: Box<[Overrides]>,
    /// By their place in the snapshot, in the order in which they decide.
    pub holdouts: Box<[u16]>,
    pub rules: Box<[Rule]>,
    /// Sorted by name.
    pub relevant: Box<[SlotId]>,
    /// Sticky experiments that the answer may depend on: flag and rule.
    pub sticky: Box<[(u32, u32)]>,
    /// `,"relevantContext":["country"],"holdoutsEvaluations":[`, of which the second version of the
    /// API writes the first so many bytes.
    pub tail: Box<str>,
    pub tail_of_v2: u32,
    /// `{"key":"quest-cards"`
    pub ofrep: Box<str>,
    /// The first of its answers among the snapshot's.
    pub whole: u32,
}

#[derive(Debug)]
pub(in crate::flags) struct Variation {
    pub key: Box<str>,
    /// `{"variation":true`
    head: Box<str>,
    /// `],"variationKey":"on","version":412}`
    tail: Box<str>,
    /// Position of the version in it.
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
    /// By its place in the snapshot.
    pub flag: u32,
    pub variations: Box<[u16]>,
    pub explanation: Explanation,
}

/// The overrides of one kind of unit.
#[derive(Debug)]
pub(in crate::flags) struct Overrides {
    pub unit: SlotId,
    pub ids: Interner,
    /// For each id: its place in the document, and the variation.
    pub serve: Box<[(u32, u16)]>,
}

//! A flag with everything resolved.

use super::pieces::{Explanation, json_text};
use super::rule::Rule;
use crate::flags::context::SlotId;
use crate::flags::document;
use crate::flags::names::Names;

#[derive(Debug)]
pub(in crate::flags) struct Flag {
    pub client_visible: bool,
    /// Archived or switched off.
    pub is_off: bool,
    /// As the document has it: a flag without rules always answers the same.
    pub has_rules: bool,
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
    pub stickies: Box<[(u32, u32)]>,
    /// `,"relevantContext":["country"],"holdoutsEvaluations":[`, of which the second version of the
    /// API writes the first so many bytes.
    pub tail: Box<str>,
    pub tail_of_v2: u32,
    /// `{"key":"quest-cards"`
    pub ofrep: Box<str>,
}

#[derive(Debug)]
pub(in crate::flags) struct Variation {
    pub key: Box<str>,
    pub json: Box<str>,
    pub key_json: Box<str>,
}

impl Variation {
    pub fn new(variation: &document::Variation) -> Self {
        Self {
            key: variation.key.as_str().into(),
            json: variation.value.to_text().into(),
            key_json: json_text(&variation.key).into(),
        }
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
    pub ids: Names,
    /// For each id: its place in the document, and the variation.
    pub serve: Box<[(u32, u16)]>,
}

//! The decisions of the demo, read from `demo/decisions.json`. Times are days before the first start.

use std::collections::BTreeMap;

use musette_core::decisions::System;
use musette_core::decisions::restrictions::{Contact, RestrictionKind};
use serde::Deserialize;

use super::super::plan::PlannedPerson;
use super::super::{DemoError, file, wrong};
use super::FILE;

#[derive(Deserialize)]
pub struct DecisionPlan {
    pub dispatcher: PlannedPerson,
    pub reviewers: Vec<PlannedPerson>,
    pub system: System,
    pub contact: Contact,
    /// The text of each reason by language.
    pub reasons: BTreeMap<String, BTreeMap<String, String>>,
    pub rejection: String,
    pub contests: Vec<String>,
    pub confirmations: Vec<String>,
    pub refusals: Vec<String>,
    pub shifts_of: ShiftsOf,
    pub restrictions: Vec<PlannedRestriction>,
}

/// The shifts of a rider that visitors can sign in as.
#[derive(Deserialize)]
pub struct ShiftsOf {
    pub rider: String,
    pub market: String,
    pub shifts: Vec<PlannedShift>,
}

#[derive(Deserialize)]
pub struct PlannedShift {
    pub days_ago: u64,
    #[serde(rename = "as")]
    pub result: ShiftResult,
    /// The index of the message with which the rider contests it.
    pub contest: Option<usize>,
    pub answer: Option<ShiftAnswer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShiftResult {
    Planned,
    FullShift,
    LateStart,
    NotStarted,
    LeftEarly,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShiftAnswer {
    Confirmed,
    Refused,
}

#[derive(Deserialize)]
pub struct PlannedRestriction {
    /// The index of a courier, or else `rider`.
    pub courier: Option<usize>,
    pub rider: Option<String>,
    pub days_ago: u64,
    pub kind: RestrictionKind,
    pub days: u32,
    pub reason: String,
    pub statement: BTreeMap<String, String>,
    #[serde(default)]
    pub proposed: bool,
    /// The message with which the rider requests a review.
    pub review: Option<String>,
    /// The answer that lifts it.
    pub lifted: Option<String>,
}

impl DecisionPlan {
    pub fn read() -> Result<Self, DemoError> {
        serde_json::from_slice(&file(FILE)?).map_err(|error| wrong(FILE, error))
    }
}

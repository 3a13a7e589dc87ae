//! Restrictions of riders' access to work: their states, records and receipts.
//!
//! [`write`] reads the restriction and its rider under the lock of the log, lets
//! `musette_core::decisions::restrictions` judge the change, and stores the result with its entry in
//! one transaction. [`read`] lists restrictions, [`expiry`] writes what the passing of time has
//! changed.
//!
//! Not here: who may do what.

mod events;
pub(crate) mod expiry;
mod plan;
pub(crate) mod read;
pub(crate) mod verify;
pub(crate) mod write;

use musette_core::decisions::restrictions::judge::{RestrictionRefusal, RestrictionRequest};
use musette_core::decisions::restrictions::table::RestrictionAct;
use musette_core::decisions::restrictions::{Restriction, RestrictionContent, ReviewOutcome};

use super::Author;
use crate::approvals::clearance::BreakGlass;
use crate::db::batch::table;
use crate::db::error::StoreError;
use crate::log::corrupt;

#[cfg(test)]
pub(crate) const ALL: &[&[&str]] = &[expiry::ALL, read::ALL, verify::ALL, write::ALL];

pub use read::{RestrictionFilter, RestrictionOf, RestrictionPlace, RestrictionRecord};

/// The subject of approval rules, and the kind of votes on proposed restrictions.
pub const RESTRICTIONS_SUBJECT: &str = "restrictions";

table! {
    struct RestrictionRow in "restrictions" as RESTRICTIONS {
        id: String,
        person: String,
        market: Option<String>,
        kind: String,
        status: String,
        version: i64,
        created_at: i64,
        place: i64,
        starts_at: Option<i64>,
        ends_at: Option<i64>,
        closes_at: Option<i64>,
        answer_due: Option<i64>,
        reminded: i64,
        proposed_by: Option<String>,
        imposed_by: Option<String>,
        state: String,
        review: Option<String>,
    }
}

table! {
    struct RestrictionRecordRow in "restriction_records" as RESTRICTION_RECORDS {
        restriction: String,
        version: i64,
        person: String,
        actor: Option<String>,
        salt: String,
        record: String,
        log: i64,
        idx: i64,
    }
}

/// A restriction to propose or impose.
#[derive(Debug, Clone)]
pub struct NewRestriction {
    /// The rider.
    pub user_id: String,
    /// The market of the rider.
    pub market: Option<String>,
    /// Kind, statement, reasons, contact and times.
    pub content: RestrictionContent,
    /// [`RestrictionAct::Propose`] or [`RestrictionAct::Impose`].
    pub act: RestrictionAct,
}

/// What to do with a restriction.
#[derive(Debug, Clone)]
pub enum RestrictionAction {
    /// Propose or impose it.
    Create(Box<NewRestriction>),
    /// Decide, lift, review or answer.
    Request(RestrictionRequest),
}

/// One change of one restriction.
#[derive(Debug, Clone)]
pub struct RestrictionChange {
    /// ID of the restriction.
    pub id: String,
    /// Who makes it.
    pub author: Author,
    /// What it does.
    pub action: RestrictionAction,
    /// The default language of the rider's market.
    pub market_language: Option<String>,
    /// An admin's reason to bypass missing approvals.
    pub bypass: Option<BreakGlass>,
}

impl RestrictionChange {
    /// Returns whether it imposes a restriction, for which approvals may be needed.
    fn imposes(&self) -> bool {
        match &self.action {
            RestrictionAction::Create(new) => new.act == RestrictionAct::Impose,
            RestrictionAction::Request(request) => {
                matches!(request, RestrictionRequest::Impose(_))
            }
        }
    }
}

/// Outcome of a [`RestrictionChange`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestrictionOutcome {
    /// The restriction was proposed or imposed.
    Created(Box<Restriction>),
    /// The restriction was changed.
    Changed(Box<Restriction>),
    /// A rule refuses the change. The restriction is unchanged; none if it is new.
    Refused(RestrictionRefusal, Option<Box<Restriction>>),
    /// No restriction has this ID.
    Unknown,
    /// No person has this user ID.
    UnknownUser,
}

fn parse_state(text: &str) -> Result<Restriction, StoreError> {
    serde_json::from_str(text)
        .map_err(|error| StoreError::Corrupt(format!("state of a restriction: {error}")))
}

/// In the column `review` instead of an outcome.
const OPEN_REVIEW: &str = "open";
/// Later than any time of a due date, so that open reviews come first in the list.
const PLACE_OF_CLOSED: i64 = 1 << 52;

/// Columns of a restriction that are not in its state.
#[derive(Debug, Clone)]
struct Meta {
    person: String,
    created_at: i64,
    reminded: i64,
    proposed_by: Option<String>,
    imposed_by: Option<String>,
}

fn row(state: &Restriction, meta: &Meta) -> Result<RestrictionRow, StoreError> {
    let answer_due = state.open_review().map(|review| review.answer_due);
    Ok(RestrictionRow {
        id: state.id.clone(),
        person: meta.person.clone(),
        market: state.market.clone(),
        kind: state.content.kind.as_str().into(),
        status: state.status.as_str().into(),
        version: state.version,
        created_at: meta.created_at,
        place: answer_due.unwrap_or(PLACE_OF_CLOSED - meta.created_at),
        starts_at: state.content.starts_at,
        ends_at: state.content.ends_at,
        closes_at: state.closes_at(),
        answer_due,
        reminded: meta.reminded,
        proposed_by: meta.proposed_by.clone(),
        imposed_by: meta.imposed_by.clone(),
        state: serde_json::to_string(state).map_err(corrupt)?,
        review: state
            .review
            .as_ref()
            .map(|review| review.outcome.map_or(OPEN_REVIEW, ReviewOutcome::as_str).to_owned()),
    })
}

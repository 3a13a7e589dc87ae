//! An evaluation as it was read under the lock of the log.

use std::collections::HashSet;

use musette_core::decisions::{Evaluation, Side, Status};
use musette_core::log::subject::SubjectKey;

use super::{EvaluationRow, parse_state};
use crate::approvals::independence::{self, SERVICE_KEY, Tie};
use crate::db::error::StoreError;
use crate::log::corrupt;

/// Later than any time of a due date, so that open discussions come first in the list.
const PLACE_OF_CLOSED: i64 = 1 << 52;

/// An evaluation as it was read.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    pub(super) person: String,
    pub(super) body_sha256: String,
    pub(super) created_at: i64,
    pub(super) reminded: i64,
    pub(super) records: i64,
    pub(super) answers: Answers,
    pub(super) key: SubjectKey,
    pub(super) state: Evaluation,
    /// Subjects of the colleagues who made its transitions.
    pub(super) actors: HashSet<String>,
}

/// A row of the query that reads evaluations.
#[derive(sqlx_macros::FromRow)]
pub(super) struct LoadedRow {
    pub(super) id: String,
    pub(super) person: String,
    pub(super) body_sha256: String,
    pub(super) created_at: i64,
    pub(super) reminded: i64,
    pub(super) records: i64,
    pub(super) state: String,
    pub(super) overturned: i64,
    pub(super) first_answer_ms: Option<i64>,
    pub(super) second_answer_ms: Option<i64>,
    pub(super) key: Option<String>,
}

/// The answers to the rider's contests, for the report.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answers {
    is_overturned: bool,
    first_ms: Option<i64>,
    second_ms: Option<i64>,
}

impl Answers {
    /// Adds the answer to a contest. It overturns the record if it is better for the rider, or if
    /// it corrects the figures.
    pub(super) fn add(&mut self, before: &Evaluation, next: &Evaluation, millis: i64) {
        let Some(contest) = before.open_discussion() else { return };
        if contest.opened_by != Side::Rider {
            return;
        }
        let place = if contest.round == 1 { &mut self.first_ms } else { &mut self.second_ms };
        *place = Some(millis);
        self.is_overturned |=
            next.status.rank() > contest.contested.rank() || next.figures != before.figures;
    }
}

impl Loaded {
    pub(super) fn of(row: LoadedRow) -> Result<Option<Self>, StoreError> {
        // Without a key the person is being erased.
        let Some(key) = row.key else { return Ok(None) };
        Ok(Some(Self {
            state: parse_state(&row.state)?,
            person: row.person,
            body_sha256: row.body_sha256,
            created_at: row.created_at,
            reminded: row.reminded,
            records: row.records,
            answers: Answers {
                is_overturned: row.overturned != 0,
                first_ms: row.first_answer_ms,
                second_ms: row.second_answer_ms,
            },
            key: crate::log::subject_key(&key)?,
            actors: HashSet::new(),
        }))
    }

    /// Returns whether this account made a transition, or one that gave it access or got access from
    /// it: two accounts of one person do not review each other. The admin who created a service
    /// key did not make its decisions.
    pub(super) fn is_of(&self, account: &str, ties: &[Tie]) -> bool {
        let author = |subject: &String| independence::Author {
            subject: subject.clone(),
            begun_at: self.created_at,
        };
        let people = self.actors.iter().filter(|actor| !actor.starts_with(SERVICE_KEY));
        let authors: Vec<_> = people.map(author).collect();
        !independence::is_independent(account, &authors, ties)
    }

    pub(super) fn row(&self) -> Result<EvaluationRow, StoreError> {
        let state = &self.state;
        Ok(EvaluationRow {
            id: state.id.clone(),
            person: self.person.clone(),
            body_sha256: self.body_sha256.clone(),
            market: state.market.clone(),
            status: state.status.as_str().into(),
            version: state.version,
            reference: state.subject.reference.clone(),
            created_at: self.created_at,
            place: state.answer_due.unwrap_or(PLACE_OF_CLOSED - self.created_at),
            closes_at: closes_at(state),
            answer_due: state.answer_due,
            opened_at: state.open_discussion().map(|discussion| discussion.opened_at),
            reminded: self.reminded,
            records: self.records,
            state: serde_json::to_string(state).map_err(corrupt)?,
            contested: i64::from(state.rider_rounds > 0),
            overturned: i64::from(self.answers.is_overturned),
            first_answer_ms: self.answers.first_ms,
            second_answer_ms: self.answers.second_ms,
            starts_at: state.subject.starts_at,
        })
    }
}

/// Returns when an evaluation becomes final by itself.
pub(super) fn closes_at(state: &Evaluation) -> Option<i64> {
    let is_open = state.status == Status::InDiscussion;
    state.contest_until.filter(|_| !is_open && state.finalised_at.is_none())
}

//! The end of the time to contest. It is judged at reading, so that an evaluation is final at the
//! instant, whichever task has run.

use super::evaluation::{By, Evaluation};
use super::table::Status;
use crate::instant::Instant;

/// What the passing of time has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Nothing.
    Unchanged,
    /// The evaluation became final in its status, without a new version.
    Final(Box<Evaluation>),
    /// `EVALUATED` became `ACCEPTED`, which is a new version.
    Lapsed(Box<Evaluation>),
}

/// Makes an evaluation final if its time to contest has passed. Nothing lapses while a discussion is
/// open. After a withdrawal the contest time may have passed meanwhile: then it is final at the
/// withdrawal.
pub fn settle(evaluation: &Evaluation, now: Instant) -> Settled {
    let Some(until) = evaluation.contest_until else { return Settled::Unchanged };
    let is_open = evaluation.finalised_at.is_none() && evaluation.status != Status::InDiscussion;
    if !is_open || now.millis() <= until {
        return Settled::Unchanged;
    }
    let at = until.max(evaluation.decided_at);
    let mut next = evaluation.clone();
    next.finalised_at = Some(at);
    if evaluation.status != Status::Evaluated {
        return Settled::Final(Box::new(next));
    }
    next.status = Status::Accepted;
    next.version += 1;
    next.decided_by = By::Lapse;
    next.decided_at = at;
    Settled::Lapsed(Box::new(next))
}

//! The end of what was published: a scheduled version that is cancelled, a document that is retired.
//! Both can be undone until they would have been noticed: they only ever change what is ahead.

use std::collections::BTreeMap;

use super::catalog::Catalog;
use super::term::{Term, TermId};
use crate::instant::Instant;

/// How a published version ends without a newer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The scheduled version never takes effect; since when.
    Cancelled(Instant),
    /// From then on nobody is asked for any version of its document.
    Retired(Instant),
}

/// The endings by the version that they name.
pub type Endings = BTreeMap<TermId, Ending>;

impl Ending {
    /// Reads what the store keeps.
    pub fn of(kind: &str, at: Instant) -> Option<Self> {
        match kind {
            "cancelled" => Some(Self::Cancelled(at)),
            "retired" => Some(Self::Retired(at)),
            _ => None,
        }
    }

    /// The word in the database.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Cancelled(_) => "cancelled",
            Self::Retired(_) => "retired",
        }
    }

    /// When it was cancelled, or from when it is retired.
    pub const fn at(self) -> Instant {
        match self {
            Self::Cancelled(at) | Self::Retired(at) => at,
        }
    }
}

/// What is to become of a published version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndingChange {
    /// A scheduled version is not to take effect.
    Cancel,
    /// It is to take effect after all.
    UndoCancellation,
    /// Nobody is to be asked for the document of the version in effect: from then on, else from now.
    Retire(Option<Instant>),
    /// It is to be asked for as before.
    UndoRetirement,
}

/// Why a change is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndingRefusal {
    /// No published term has this id.
    #[error("there is no term {0}")]
    Unknown(TermId),
    /// People have been asked for it, or no longer are: that cannot be undone.
    #[error("for term {0} it is too late: it has taken effect")]
    AlreadyEffective(TermId),
    /// A newer version builds on it.
    #[error("term {0} is already replaced by term {1}")]
    AlreadyReplaced(TermId, TermId),
    /// It was cancelled, or what it replaces was, after it.
    #[error("term {0} is cancelled")]
    AlreadyCancelled(TermId),
    /// Its document has a retirement, be it ahead or past.
    #[error("the document of term {0} is retired")]
    AlreadyRetired(TermId),
    /// Only a document that people are asked for can be retired, by the version that they are asked for.
    #[error("term {0} is not in effect")]
    NotInEffect(TermId),
    /// There is nothing to undo.
    #[error("term {0} is not cancelled")]
    NotCancelled(TermId),
    /// There is nothing to undo.
    #[error("the document of term {0} is not retired")]
    NotRetired(TermId),
    /// What people were asked for in the past stays so.
    #[error("a document cannot be retired in the past")]
    InThePast,
}

/// The version whose ending becomes another one; none where it ends no longer.
pub type EndingChanged = (TermId, Option<Ending>);

impl Catalog {
    /// What a change to the version `id` makes of the endings.
    ///
    /// # Errors
    /// The rule that the change breaks.
    pub fn end(
        &self,
        id: TermId,
        change: EndingChange,
        now: Instant,
    ) -> Result<EndingChanged, EndingRefusal> {
        let term = self.get(id).ok_or(EndingRefusal::Unknown(id))?;
        match change {
            EndingChange::Cancel => {
                self.check_cancellation(term, now)?;
                Ok((id, Some(Ending::Cancelled(now))))
            }
            EndingChange::UndoCancellation => {
                self.check_return(term, now)?;
                Ok((id, None))
            }
            EndingChange::Retire(at) => {
                let at = at.unwrap_or(now);
                self.check_retirement(term, at, now)?;
                Ok((id, Some(Ending::Retired(at))))
            }
            EndingChange::UndoRetirement => {
                let by = self.retired_by(id).ok_or(EndingRefusal::NotRetired(id))?;
                if self.is_retired(id, now) {
                    return Err(EndingRefusal::AlreadyEffective(id));
                }
                Ok((by, None))
            }
        }
    }

    fn check_cancellation(&self, term: &Term, now: Instant) -> Result<(), EndingRefusal> {
        if self.cancelled_at(term.id).is_some() {
            return Err(EndingRefusal::AlreadyCancelled(term.id));
        }
        if term.is_effective(now) {
            return Err(EndingRefusal::AlreadyEffective(term.id));
        }
        match self.successor(term.id) {
            // Whether that one is minor was decided with this one before it.
            Some(successor) => Err(EndingRefusal::AlreadyReplaced(term.id, successor.id)),
            None => Ok(()),
        }
    }

    /// Back into the chain as it was published into it: not where another version was published since,
    /// nor where what it replaces is gone.
    fn check_return(&self, term: &Term, now: Instant) -> Result<(), EndingRefusal> {
        let cancelled = self.cancelled_at(term.id);
        let cancelled = cancelled.ok_or(EndingRefusal::NotCancelled(term.id))?;
        if term.is_effective(now) {
            return Err(EndingRefusal::AlreadyEffective(term.id));
        }
        // Another one was checked against what stood before the cancelled one, even if it is cancelled too.
        let stays = |after: &&Term| {
            self.cancelled_at(after.id).is_none() || after.published_at >= cancelled
        };
        if let Some(after) = self.published_after(term.id).find(stays) {
            return Err(EndingRefusal::AlreadyReplaced(term.id, after.id));
        }
        let mut before =
            std::iter::successors(self.published_before(term.id), |&id| self.published_before(id))
                .map_while(|id| Some((id, self.cancelled_at(id)?)));
        match before.find(|&(_, at)| at > term.published_at) {
            Some((id, _)) => Err(EndingRefusal::AlreadyCancelled(id)),
            None => Ok(()),
        }
    }

    fn check_retirement(
        &self,
        term: &Term,
        at: Instant,
        now: Instant,
    ) -> Result<(), EndingRefusal> {
        if self.retired_at(term.id).is_some() {
            return Err(EndingRefusal::AlreadyRetired(term.id));
        }
        if !self.is_in_effect(term, now) {
            return Err(EndingRefusal::NotInEffect(term.id));
        }
        if at < now { Err(EndingRefusal::InThePast) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;

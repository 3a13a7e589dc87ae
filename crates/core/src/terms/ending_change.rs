//! Checks a requested change to the end of a published version.

use super::catalog::Catalog;
use super::ending::Ending;
use super::term::{Term, TermId};
use crate::instant::Instant;

/// A requested change to the end of a published version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndingChange {
    /// Cancels a scheduled version.
    Cancel,
    /// Restores a cancelled version.
    UndoCancellation,
    /// Retires the document of the version in effect, at this time or now.
    Retire(Option<Instant>),
    /// Undoes a scheduled retirement.
    UndoRetirement,
}

/// The reason why a change is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TermEndError {
    /// No published term has this id.
    #[error("there is no term {0}")]
    Unknown(TermId),
    /// The version or the retirement has taken effect, which cannot be undone.
    #[error("term {0} cannot be changed: the version or its retirement has taken effect")]
    AlreadyEffective(TermId),
    /// A newer version replaces it.
    #[error("term {0} is already replaced by term {1}")]
    AlreadyReplaced(TermId, TermId),
    /// The version was cancelled, or a version that it builds on was cancelled after its
    /// publication.
    #[error("term {0} is cancelled")]
    AlreadyCancelled(TermId),
    /// The document has a retirement, scheduled or past.
    #[error("the document of term {0} is retired")]
    AlreadyRetired(TermId),
    /// Only a document in effect can be retired, and only through its version in effect.
    #[error("term {0} is not in effect")]
    NotInEffect(TermId),
    /// The version is not cancelled, so there is nothing to undo.
    #[error("term {0} is not cancelled")]
    NotCancelled(TermId),
    /// The document is not retired, so there is nothing to undo.
    #[error("the document of term {0} is not retired")]
    NotRetired(TermId),
    /// A retirement must not change the past.
    #[error("a document cannot be retired in the past")]
    InThePast,
}

/// The version whose ending changes, with the new ending; `None` removes the ending.
pub type EndingChanged = (TermId, Option<Ending>);

impl Catalog {
    /// Checks a change to the version `id` and returns the ending that it results in.
    ///
    /// # Errors
    /// Returns the rule that the change breaks.
    pub fn end(
        &self,
        id: TermId,
        change: EndingChange,
        now: Instant,
    ) -> Result<EndingChanged, TermEndError> {
        let term = self.get(id).ok_or(TermEndError::Unknown(id))?;
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
                let by = self.retired_by(id).ok_or(TermEndError::NotRetired(id))?;
                if self.is_retired(id, now) {
                    return Err(TermEndError::AlreadyEffective(id));
                }
                Ok((by, None))
            }
        }
    }

    fn check_cancellation(&self, term: &Term, now: Instant) -> Result<(), TermEndError> {
        if self.cancelled_at(term.id).is_some() {
            return Err(TermEndError::AlreadyCancelled(term.id));
        }
        if term.is_effective(now) {
            return Err(TermEndError::AlreadyEffective(term.id));
        }
        match self.successor(term.id) {
            // The successor was checked as minor or material against this version.
            Some(successor) => Err(TermEndError::AlreadyReplaced(term.id, successor.id)),
            None => Ok(()),
        }
    }

    /// Checks that a cancelled version can return to its place in the chain. It cannot if another
    /// version was published there since, or if the version that it replaces was cancelled since.
    fn check_return(&self, term: &Term, now: Instant) -> Result<(), TermEndError> {
        let cancelled = self.cancelled_at(term.id);
        let cancelled = cancelled.ok_or(TermEndError::NotCancelled(term.id))?;
        if term.is_effective(now) {
            return Err(TermEndError::AlreadyEffective(term.id));
        }
        // A version published after the cancellation was checked against the version before the
        // cancelled one, even if it is cancelled itself now.
        let blocks_return = |after: &&Term| {
            self.cancelled_at(after.id).is_none() || after.published_at >= cancelled
        };
        if let Some(after) = self.published_after(term.id).find(blocks_return) {
            return Err(TermEndError::AlreadyReplaced(term.id, after.id));
        }
        let mut before =
            std::iter::successors(self.published_before(term.id), |&id| self.published_before(id))
                .map_while(|id| Some((id, self.cancelled_at(id)?)));
        match before.find(|&(_, at)| at > term.published_at) {
            Some((id, _)) => Err(TermEndError::AlreadyCancelled(id)),
            None => Ok(()),
        }
    }

    fn check_retirement(&self, term: &Term, at: Instant, now: Instant) -> Result<(), TermEndError> {
        if self.retired_at(term.id).is_some() {
            return Err(TermEndError::AlreadyRetired(term.id));
        }
        if !self.is_in_effect(term, now) {
            return Err(TermEndError::NotInEffect(term.id));
        }
        if at < now { Err(TermEndError::InThePast) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;

//! Stored cancellations and retirements, and their entries.

use musette_core::instant::Instant;
use musette_core::log::entry::{
    Entry, TermCancelled, TermCancelledType, TermReinstated, TermReinstatedType, TermRetired,
    TermRetiredType, V1,
};
use musette_core::terms::{Ending, Endings, TermId};

use super::append::{NewEntry, named};
use crate::db::error::StoreError;

pub(crate) const SELECT_ENDINGS: &str =
    "SELECT term_id, ending, at FROM term_endings ORDER BY term_id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_ENDINGS];

/// A row: the term, how it ended, and when.
pub(crate) type EndingRow = (TermId, String, i64);

pub(crate) fn endings(rows: Vec<EndingRow>) -> Result<Endings, StoreError> {
    let ending = |(term, kind, at): EndingRow| {
        let ending = Ending::of(&kind, Instant::from_millis(at));
        let ending = ending.ok_or_else(|| StoreError::Corrupt(format!("ending of term {term}")))?;
        Ok((term, ending))
    };
    rows.into_iter().map(ending).collect()
}

pub(crate) fn term_ended(
    term: TermId,
    ending: Ending,
    backfilled: bool,
    now: Instant,
) -> Result<NewEntry, StoreError> {
    let (recorded_at, terms_and_conditions_id, v) = (now.to_string(), term, V1);
    let entry = match ending {
        Ending::Cancelled(at) => Entry::TermCancelled(TermCancelled {
            backfilled,
            cancelled_at: at.to_string(),
            recorded_at,
            terms_and_conditions_id,
            kind: TermCancelledType::TermCancelled,
            v,
        }),
        Ending::Retired(at) => Entry::TermRetired(TermRetired {
            backfilled,
            recorded_at,
            retired_at: at.to_string(),
            terms_and_conditions_id,
            kind: TermRetiredType::TermRetired,
            v,
        }),
    };
    named(&entry, None)
}

pub(crate) fn term_reinstated(term: TermId, now: Instant) -> Result<NewEntry, StoreError> {
    let entry = Entry::TermReinstated(TermReinstated {
        recorded_at: now.to_string(),
        terms_and_conditions_id: term,
        kind: TermReinstatedType::TermReinstated,
        v: V1,
    });
    named(&entry, None)
}

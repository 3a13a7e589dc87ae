//! Replays the entries of cancellations and retirements and compares the result with the stored
//! rows.

use std::collections::BTreeSet;

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, TermPublished};
use musette_core::terms::{Ending, Endings, TermId};

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::{EndingRow, SELECT_ENDINGS, endings};

const COUNT_ENTRIES: &str = "SELECT count(*) FROM log_entries
    WHERE event IN ('term.cancelled', 'term.retired', 'term.reinstated')";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[COUNT_ENTRIES];

/// State of the replay.
#[derive(Default)]
pub(crate) struct ReplayedEndings {
    current: Endings,
    entries: i64,
}

/// Returns the change that an entry makes to a version.
fn change(entry: &Entry) -> Option<(TermId, Option<Ending>)> {
    let instant = |text: &str| Instant::parse(text).ok();
    match entry {
        Entry::TermCancelled(cancelled) => {
            let ending = Ending::Cancelled(instant(&cancelled.cancelled_at)?);
            Some((cancelled.terms_and_conditions_id, Some(ending)))
        }
        Entry::TermRetired(retired) => {
            let ending = Ending::Retired(instant(&retired.retired_at)?);
            Some((retired.terms_and_conditions_id, Some(ending)))
        }
        Entry::TermReinstated(reinstated) => Some((reinstated.terms_and_conditions_id, None)),
        _ => None,
    }
}

impl Run<'_> {
    pub(super) fn replay_ending(&mut self, place: &str, entry: &Entry) {
        let Some((id, ending)) = change(entry) else { return };
        self.replayed.endings.entries += 1;
        let Some(published) = self.replayed.terms.get(&id) else {
            return self.report(
                "log_entries",
                place,
                format!("term {id} was not published before"),
            );
        };
        let effective_from = effective_from(published);
        let current = &mut self.replayed.endings.current;
        let before = match ending {
            Some(ending) => current.insert(id, ending),
            None => current.remove(&id),
        };
        let message = match (before, ending) {
            (None, None) => "the version was not cancelled or retired before",
            (Some(_), Some(_)) => "the version was already cancelled or retired",
            (None, Some(Ending::Cancelled(at))) if Some(at) >= effective_from => {
                "the version was cancelled after it had taken effect"
            }
            (Some(ending), None) => {
                let until = match ending {
                    Ending::Cancelled(_) => effective_from,
                    Ending::Retired(at) => Some(at),
                };
                if Instant::parse(entry.recorded_at()).ok() < until {
                    return;
                }
                "the ending was undone too late"
            }
            (None, Some(_)) => return,
        };
        self.report("log_entries", place, message);
    }
}

fn effective_from(published: &TermPublished) -> Option<Instant> {
    Instant::parse(&published.effective_from).ok()
}

impl Store {
    pub(super) async fn verify_endings(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        // The rows are read first, and the entries counted after: see `verify_replayed`.
        let rows: Result<Vec<EndingRow>, _> =
            read!(self, |pool| sqlx::query_as(SELECT_ENDINGS).fetch_all(pool).await);
        let rows = run.readable("term_endings", "", rows)?;
        let entries: i64 =
            read!(self, |pool| sqlx::query_scalar(COUNT_ENTRIES).fetch_one(pool).await)?;
        if !run.replayed.extended || entries > run.replayed.endings.entries {
            return Ok(());
        }
        let Ok(stored) = endings(rows) else {
            run.report("term_endings", "", "a row has an unknown kind of ending");
            return Ok(());
        };
        let logged = std::mem::take(&mut run.replayed.endings.current);
        for id in logged.keys().chain(stored.keys()).collect::<BTreeSet<_>>() {
            if logged.get(id) != stored.get(id) {
                let place = format!("term_id {id}");
                run.report("term_endings", place, "the ending differs from the log");
            }
        }
        Ok(())
    }
}

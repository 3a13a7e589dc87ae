//! Entries of cancellations and retirements, replayed and compared with the stored rows.

use std::collections::BTreeSet;

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, TermPublished};
use musette_core::terms::{Ending, Endings, TermId};

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::{ENDED, EndingRow, endings};

const ENTRIES: &str = "SELECT count(*) FROM log_entries
    WHERE event IN ('term.cancelled', 'term.retired', 'term.reinstated')";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[ENTRIES];

/// State of the replay.
#[derive(Default)]
pub(crate) struct ReplayedEndings {
    standing: Endings,
    entries: i64,
}

/// What an entry does to the version that it names.
fn change(entry: &Entry) -> Option<(TermId, Option<Ending>)> {
    let instant = |text: &str| Instant::parse(text).ok();
    match entry {
        Entry::TermCancelled(it) => {
            let ending = Ending::Cancelled(instant(&it.cancelled_at)?);
            Some((it.terms_and_conditions_id, Some(ending)))
        }
        Entry::TermRetired(it) => {
            let ending = Ending::Retired(instant(&it.retired_at)?);
            Some((it.terms_and_conditions_id, Some(ending)))
        }
        Entry::TermReinstated(it) => Some((it.terms_and_conditions_id, None)),
        _ => None,
    }
}

impl Run<'_> {
    pub(super) fn replay_ending(&mut self, place: &str, entry: &Entry) {
        let Some((id, ending)) = change(entry) else { return };
        self.replayed.endings.entries += 1;
        let Some(published) = self.replayed.terms.get(&id) else {
            return self.fault("log_entries", place, format!("term {id} was not published before"));
        };
        let effective_from = effective_from(published);
        let standing = &mut self.replayed.endings.standing;
        let before = match ending {
            Some(ending) => standing.insert(id, ending),
            None => standing.remove(&id),
        };
        let what = match (before, ending) {
            (None, None) => "nothing was cancelled or retired by this version",
            (Some(_), Some(_)) => "it was cancelled or retired before",
            (None, Some(Ending::Cancelled(at))) if Some(at) >= effective_from => {
                "it had taken effect when it was cancelled"
            }
            (Some(ending), None) => {
                let until = match ending {
                    Ending::Cancelled(_) => effective_from,
                    Ending::Retired(at) => Some(at),
                };
                if Instant::parse(entry.recorded_at()).ok() < until {
                    return;
                }
                "it was undone too late"
            }
            (None, Some(_)) => return,
        };
        self.fault("log_entries", place, what);
    }
}

fn effective_from(published: &TermPublished) -> Option<Instant> {
    Instant::parse(&published.effective_from).ok()
}

impl Store {
    pub(super) async fn verify_endings(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        // The rows first, and the entries counted after: see `verify_replayed`.
        let rows: Result<Vec<EndingRow>, _> =
            read!(self, |pool| sqlx::query_as(ENDED).fetch_all(pool).await);
        let rows = run.readable("term_endings", "", rows)?;
        let entries: i64 = read!(self, |pool| sqlx::query_scalar(ENTRIES).fetch_one(pool).await)?;
        if !run.replayed.extended || entries > run.replayed.endings.entries {
            return Ok(());
        }
        let Ok(stored) = endings(rows) else {
            run.fault("term_endings", "", "no version ends like this");
            return Ok(());
        };
        let logged = std::mem::take(&mut run.replayed.endings.standing);
        for id in logged.keys().chain(stored.keys()).collect::<BTreeSet<_>>() {
            if logged.get(id) != stored.get(id) {
                let place = format!("term_id {id}");
                run.fault("term_endings", place, "its ending is not what was logged");
            }
        }
        Ok(())
    }
}

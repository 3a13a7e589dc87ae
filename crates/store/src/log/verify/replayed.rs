//! Entries beside the decisions, compared with the stored rows.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use musette_core::log::entry::{Entry, History, TermPublished};
use musette_core::terms::TermId;

use super::Run;
use super::endings::ReplayedEndings;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::events::PLACES;

const ENTRIES_OF: &str = "SELECT count(*) FROM log_entries WHERE event = $1";
const ERASED: &str = "SELECT count(*) FROM erasures";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[ENTRIES_OF, ERASED];

/// State of the replay.
#[derive(Default)]
pub(crate) struct Replayed {
    /// Everything that was published has an entry: the log says so.
    pub(crate) extended: bool,
    /// Published terms whose row was not found yet.
    pub(crate) terms: BTreeMap<TermId, TermPublished>,
    /// By the hash of a document, the digest of what is shown of it.
    pub(crate) documents: HashMap<String, String>,
    pub(super) endings: ReplayedEndings,
    /// Documents that consents name.
    pub(super) named: BTreeSet<String>,
    places: BTreeMap<TermId, i64>,
    orders: i64,
    erased: HashSet<String>,
    erasures: i64,
    /// Subjects of records whose key is gone.
    pub(crate) erased_records: Vec<String>,
    /// Count and hash of each entry.
    pub(crate) histories: HashMap<History, Vec<(i64, String)>>,
}

impl Run<'_> {
    /// Entries that name their type.
    pub(super) fn replay(&mut self, place: String, entry: Entry) {
        let is_backfilled = match &entry {
            Entry::TermPublished(it) => it.backfilled,
            Entry::TermsOrdered(it) => it.backfilled,
            Entry::TermCancelled(it) => it.backfilled,
            Entry::TermRetired(it) => it.backfilled,
            Entry::PersonErased(it) => it.backfilled,
            _ => false,
        };
        // Otherwise an attacker who inserts a row could have it entered by extending the log again.
        if self.replayed.extended && is_backfilled {
            self.fault("log_entries", &place, "it was entered after the log had been extended");
        }
        match entry {
            Entry::TermPublished(published) => self.replay_published(&place, published),
            Entry::TermCancelled(_) | Entry::TermRetired(_) | Entry::TermReinstated(_) => {
                self.replay_ending(&place, &entry);
            }
            Entry::TermsOrdered(ordered) => {
                self.replayed.orders += 1;
                self.replayed.places.extend(ordered.places);
            }
            Entry::PersonErased(erased) => {
                self.replayed.erasures += 1;
                self.replayed.erased.extend(erased.subjects);
            }
            Entry::Chained(chained) => {
                let heads = self.replayed.histories.entry(chained.history).or_default();
                let grows = heads.last().is_none_or(|(count, _)| *count < chained.count);
                heads.push((chained.count, chained.hash));
                if !grows {
                    self.fault("log_entries", place, "the history is not longer than before");
                }
            }
            Entry::LogExtended(_) if self.is_left_empty => {}
            Entry::LogExtended(_) if self.replayed.extended => {
                self.fault("log_entries", place, "the log had been extended before");
            }
            Entry::LogExtended(_) => self.replayed.extended = true,
            Entry::Submission(_) | Entry::Claim(_) | Entry::Continuation(_) => {}
        }
    }

    fn replay_published(&mut self, place: &str, published: TermPublished) {
        for (locale, sha256) in &published.sha256 {
            let Some(seal) = published.document_seals.get(locale) else { continue };
            let known = self.replayed.documents.insert(sha256.clone(), seal.clone());
            if known.is_some_and(|known| known != *seal) {
                self.fault("log_entries", place, "it was published with other pages before");
            }
        }
        let id = published.terms_and_conditions_id;
        if self.replayed.terms.insert(id, published).is_some() {
            self.fault("log_entries", place, format!("term {id} was published before"));
        }
    }
}

impl Store {
    pub(super) async fn verify_replayed(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        // Rows that change while this runs have an entry that was not replayed, and are left for the
        // next time: so the rows are read first, and the entries counted after.
        let places: Result<Vec<(i64, i64)>, _> =
            read!(self, |pool| sqlx::query_as(PLACES).fetch_all(pool).await);
        let places: BTreeMap<i64, i64> =
            run.readable("term_order", "", places)?.into_iter().collect();
        let erased: i64 = read!(self, |pool| sqlx::query_scalar(ERASED).fetch_one(pool).await)?;
        if self.entries_of("terms.ordered").await? <= run.replayed.orders {
            compare_places(run, &places);
        }
        if self.entries_of("person.erased").await? <= run.replayed.erasures {
            compare_erased(run, erased);
        }
        Ok(())
    }

    async fn entries_of(&self, event: &str) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(ENTRIES_OF).bind(event).fetch_one(pool).await)?)
    }
}

fn compare_places(run: &mut Run<'_>, stored: &BTreeMap<i64, i64>) {
    if !run.replayed.extended {
        return;
    }
    let logged = std::mem::take(&mut run.replayed.places);
    for id in logged.keys().chain(stored.keys()).collect::<BTreeSet<_>>() {
        if logged.get(id) != stored.get(id) {
            run.fault("term_order", format!("term_id {id}"), "its place is not what was logged");
        }
    }
}

fn compare_erased(run: &mut Run<'_>, stored: i64) {
    if !run.replayed.extended {
        return;
    }
    let records = std::mem::take(&mut run.replayed.erased_records);
    let unlogged = records.iter().filter(|subject| !run.replayed.erased.contains(*subject));
    if let Some(subject) = unlogged.min() {
        let what = format!("no entry of the log erases subject {subject}");
        run.fault("erasures", "", what);
    }
    if i64::try_from(run.replayed.erased.len()) != Ok(stored) {
        let what = format!("{stored} rows where {} were logged", run.replayed.erased.len());
        run.fault("erasures", "", what);
    }
}

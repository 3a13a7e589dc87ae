//! Compares entries other than decisions with the stored rows.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use musette_core::log::entry::{Entry, History, TermPublished};
use musette_core::terms::TermId;

use super::Run;
use super::decisions::ReplayedDecisions;
use super::endings::ReplayedEndings;
use super::notices::ReplayedBatches;
use super::openings::ReplayedOpenings;
use super::systems::ReplayedSystems;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::events::SELECT_PLACES;

const COUNT_ENTRIES: &str = "SELECT count(*) FROM log_entries WHERE event = $1";
const COUNT_ERASED: &str = "SELECT count(*) FROM erasures";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[COUNT_ENTRIES, COUNT_ERASED];

/// State of the replay.
#[derive(Default)]
pub(crate) struct Replayed {
    /// Whether everything that was published has an entry, as stated in the log.
    pub(crate) extended: bool,
    /// Published terms whose row was not read yet.
    pub(crate) terms: BTreeMap<TermId, TermPublished>,
    /// The digest of the shown pages, by the hash of a document.
    pub(crate) documents: HashMap<String, String>,
    pub(super) endings: ReplayedEndings,
    pub(crate) decisions: ReplayedDecisions,
    pub(super) systems: ReplayedSystems,
    pub(super) batches: ReplayedBatches,
    pub(crate) openings: ReplayedOpenings,
    /// Documents that consents reference.
    pub(super) named: BTreeSet<String>,
    /// Consents whose document is not the one in the log, by term and document: the first of them,
    /// and their number.
    pub(super) other_documents: BTreeMap<(TermId, String), (String, u64)>,
    /// Documents that a term refers to instead of the one in the log.
    pub(super) changed_documents: BTreeSet<String>,
    places: BTreeMap<TermId, i64>,
    orders: i64,
    erased: HashSet<String>,
    erasures: i64,
    /// Subjects of records whose key was destroyed.
    pub(crate) erased_records: Vec<String>,
    /// Count and hash of each entry.
    pub(crate) histories: HashMap<History, Vec<(i64, String)>>,
}

impl Replayed {
    /// Returns the number of entries of erased people.
    pub(crate) fn erasures(&self) -> i64 {
        self.erasures
    }

    /// Returns whether an entry erases this subject of the log.
    pub(crate) fn is_erased(&self, subject: &str) -> bool {
        self.erased.contains(subject)
    }
}

impl Run<'_> {
    /// Replays an entry that has a type.
    pub(super) fn replay(&mut self, place: String, entry: Entry) {
        let is_backfilled = match &entry {
            Entry::TermPublished(entry) => entry.backfilled,
            Entry::TermsOrdered(entry) => entry.backfilled,
            Entry::TermCancelled(entry) => entry.backfilled,
            Entry::TermRetired(entry) => entry.backfilled,
            Entry::PersonErased(entry) => entry.backfilled,
            _ => false,
        };
        // Otherwise an attacker who inserts a row could get an entry for it by extending the log
        // again.
        if self.replayed.extended && is_backfilled {
            self.report(
                "log_entries",
                &place,
                "the entry was backfilled after the log was extended",
            );
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
                    self.report(
                        "log_entries",
                        place,
                        "the history is not longer than in the previous entry",
                    );
                }
            }
            Entry::LogExtended(_) if self.is_left_empty => {}
            Entry::LogExtended(_) if self.replayed.extended => {
                self.report("log_entries", place, "the log was already extended");
            }
            Entry::LogExtended(_) => self.replayed.extended = true,
            // Counted by `ReplayedDecisions::count`, and compared with their records afterwards.
            Entry::Decision(_) => {}
            // Stored by `replay_batch` with its place.
            Entry::NoticeBatch(_) => {}
            Entry::SystemPublished(published) => self.replay_system(&place, published),
            Entry::NoticeOpened(opened) => self.replayed.openings.count(&opened),
            Entry::Submission(_) | Entry::Claim(_) | Entry::Continuation(_) => {}
        }
    }

    fn replay_published(&mut self, place: &str, published: TermPublished) {
        for (locale, sha256) in &published.sha256 {
            let Some(seal) = published.document_seals.get(locale) else { continue };
            let earlier = self.replayed.documents.insert(sha256.clone(), seal.clone());
            if earlier.is_some_and(|earlier| earlier != *seal) {
                self.report(
                    "log_entries",
                    place,
                    "the document was published before with other pages",
                );
            }
        }
        let id = published.terms_and_conditions_id;
        if self.replayed.terms.insert(id, published).is_some() {
            self.report("log_entries", place, format!("term {id} was published before"));
        }
    }
}

impl Store {
    pub(super) async fn verify_replayed(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        // Rows that change during the verification have an entry that was not replayed; they are
        // checked the next time. So the rows are read first, and the entries counted after.
        let places: Result<Vec<(i64, i64)>, _> =
            read!(self, |pool| sqlx::query_as(SELECT_PLACES).fetch_all(pool).await);
        let places: BTreeMap<i64, i64> =
            run.readable("term_order", "", places)?.into_iter().collect();
        let erased: i64 =
            read!(self, |pool| sqlx::query_scalar(COUNT_ERASED).fetch_one(pool).await)?;
        if self.entries_of("terms.ordered").await? <= run.replayed.orders {
            compare_places(run, &places);
        }
        if self.entries_of("person.erased").await? <= run.replayed.erasures {
            compare_erased(run, erased);
        }
        Ok(())
    }

    async fn entries_of(&self, event: &str) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_ENTRIES).bind(event).fetch_one(pool).await)?)
    }
}

fn compare_places(run: &mut Run<'_>, stored: &BTreeMap<i64, i64>) {
    if !run.replayed.extended {
        return;
    }
    let logged = std::mem::take(&mut run.replayed.places);
    for id in logged.keys().chain(stored.keys()).collect::<BTreeSet<_>>() {
        if logged.get(id) != stored.get(id) {
            run.report("term_order", format!("term_id {id}"), "the place differs from the log");
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
        let message = format!("no entry of the log erases subject {subject}");
        run.report("erasures", "", message);
    }
    // Evaluations and openings of notices are deleted with the person, so that nothing refers to a
    // subject without other records: it has no row.
    let records: HashSet<&String> = records.iter().collect();
    let has_row = |subject: &&String| {
        let is_deleted = run.replayed.decisions.has_entries(subject)
            || run.replayed.openings.has_entries(subject);
        records.contains(subject) || !is_deleted
    };
    let logged = run.replayed.erased.iter().filter(has_row).count();
    if i64::try_from(logged) != Ok(stored) {
        let message = format!("number of rows: {stored}, logged: {logged}");
        run.report("erasures", "", message);
    }
}

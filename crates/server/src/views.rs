//! Views of terms: to whom a term was shown, and who opened its document. A view that is known costs one
//! look into memory; a new one is written within a second, or dropped and counted when too many wait.

use std::hash::{BuildHasher as _, RandomState};

use metrics::counter;
use musette_core::terms::{Catalog, TermId};
use musette_store::{OpenedTerm, ShownTerm, Store, StoreError};
use tokio::sync::{Mutex, mpsc};

/// About 20 bytes each. When there are more, all are forgotten: each is then written once again,
/// which changes nothing.
const KNOWN_MAX: usize = 1_000_000;
const WAITING_MAX: usize = 50_000;
const WRITTEN_AT_ONCE: usize = 500;

/// Terms that somebody (a subject) was shown or has opened.
struct View {
    subject: String,
    terms: Vec<TermId>,
    opened: bool,
    at: i64,
}

struct Unwritten {
    new: mpsc::Receiver<View>,
    /// Views that the store did not take the last time.
    again: Vec<View>,
}

pub struct Views {
    hasher: RandomState,
    known: papaya::HashSet<u64>,
    new: mpsc::Sender<View>,
    unwritten: Mutex<Unwritten>,
}

impl Default for Views {
    fn default() -> Self {
        let (new, waiting) = mpsc::channel(WAITING_MAX);
        Self {
            hasher: RandomState::new(),
            known: papaya::HashSet::default(),
            new,
            unwritten: Mutex::new(Unwritten { new: waiting, again: Vec::new() }),
        }
    }
}

impl Views {
    pub fn shown(&self, subject: &str, terms: impl Iterator<Item = TermId>, at: i64) {
        self.add(subject, terms.collect(), false, at);
    }

    pub fn opened(&self, subject: &str, terms: impl Iterator<Item = TermId>, at: i64) {
        self.add(subject, terms.collect(), true, at);
    }

    fn add(&self, subject: &str, terms: Vec<TermId>, opened: bool, at: i64) {
        if terms.is_empty() {
            return;
        }
        let key = self.hasher.hash_one((subject, &terms, opened));
        let known = self.known.pin();
        if !known.insert(key) {
            return;
        }
        if known.len() > KNOWN_MAX {
            known.clear();
        }
        let view = View { subject: subject.to_owned(), terms, opened, at };
        if self.new.try_send(view).is_err() {
            known.remove(&key);
            counter!("musette_term_views_dropped_total").increment(1);
        }
    }

    /// Writes new views. Those that the store does not take are written the next time.
    pub async fn flush(&self, store: &Store, catalog: &Catalog) -> Result<(), StoreError> {
        let unwritten = &mut *self.unwritten.lock().await;
        loop {
            let room = WRITTEN_AT_ONCE.saturating_sub(unwritten.again.len());
            for _ in 0..room {
                let Ok(new) = unwritten.new.try_recv() else { break };
                unwritten.again.push(new);
            }
            if unwritten.again.is_empty() {
                return Ok(());
            }
            write(store, catalog, &unwritten.again).await?;
            unwritten.again.clear();
        }
    }
}

/// Writes views; whoever opened a document was shown its term first.
async fn write(store: &Store, catalog: &Catalog, views: &[View]) -> Result<(), StoreError> {
    let terms = |it: &View| it.terms.clone().into_iter().filter_map(|id| catalog.get(id));
    let (opened, shown): (Vec<&View>, Vec<&View>) = views.iter().partition(|it| it.opened);
    let shown: Vec<_> = shown
        .into_iter()
        .flat_map(|it| {
            terms(it).map(|term| ShownTerm {
                subject: it.subject.clone(),
                term: term.id,
                lineage: catalog.lineage(term).map(|it| it.id).collect(),
                at: it.at,
            })
        })
        .collect();
    let opened: Vec<_> = opened
        .into_iter()
        .flat_map(|it| {
            let (subject, at) = (&it.subject, it.at);
            terms(it).map(move |term| OpenedTerm { subject: subject.clone(), term: term.id, at })
        })
        .collect();
    if !shown.is_empty() {
        store.record_shown(&shown).await?;
    }
    if !opened.is_empty() {
        store.record_opened(&opened).await?;
    }
    counter!("musette_term_views_total").increment((shown.len() + opened.len()) as u64);
    Ok(())
}

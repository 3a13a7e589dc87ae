//! Records views of terms: which terms were shown to a person, and whose documents they opened. A
//! known view costs one lookup in memory. A new one is written within a second, or dropped and
//! counted if too many are waiting.

use std::hash::{BuildHasher as _, RandomState};

use metrics::counter;
use musette_core::terms::{Catalog, TermId};
use musette_store::{OpenedTerm, ShownTerm, Store, StoreError};
use tokio::sync::{Mutex, mpsc};

/// The number of known views, of about 20 bytes each, above which all are dropped. Each is then
/// written once more, which changes nothing.
const KNOWN_VIEWS_MAX: usize = 1_000_000;
const QUEUE_MAX: usize = 50_000;
const VIEWS_PER_WRITE: usize = 500;

/// Terms that were shown to a person (a subject), or that they have opened.
struct View {
    subject: String,
    terms: Vec<TermId>,
    opened: bool,
    at: i64,
}

struct Unwritten {
    new: mpsc::Receiver<View>,
    /// Views that the store rejected with the last flush.
    retries: Vec<View>,
}

pub struct Views {
    hasher: RandomState,
    known: papaya::HashSet<u64>,
    new: mpsc::Sender<View>,
    unwritten: Mutex<Unwritten>,
}

impl Default for Views {
    fn default() -> Self {
        let (new, waiting) = mpsc::channel(QUEUE_MAX);
        Self {
            hasher: RandomState::new(),
            known: papaya::HashSet::default(),
            new,
            unwritten: Mutex::new(Unwritten { new: waiting, retries: Vec::new() }),
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
        let known_views = self.known.pin();
        if !known_views.insert(key) {
            return;
        }
        if known_views.len() > KNOWN_VIEWS_MAX {
            known_views.clear();
        }
        let view = View { subject: subject.to_owned(), terms, opened, at };
        if self.new.try_send(view).is_err() {
            known_views.remove(&key);
            counter!("musette_term_views_dropped_total").increment(1);
        }
    }

    /// Writes new views. Those that the store rejects are retried with the next flush.
    pub async fn flush(&self, store: &Store, catalog: &Catalog) -> Result<(), StoreError> {
        let unwritten = &mut *self.unwritten.lock().await;
        loop {
            let room = VIEWS_PER_WRITE.saturating_sub(unwritten.retries.len());
            for _ in 0..room {
                let Ok(new) = unwritten.new.try_recv() else { break };
                unwritten.retries.push(new);
            }
            if unwritten.retries.is_empty() {
                return Ok(());
            }
            write(store, catalog, &unwritten.retries).await?;
            unwritten.retries.clear();
        }
    }
}

/// Writes views. If a document was opened, the store also records that its term was shown.
async fn write(store: &Store, catalog: &Catalog, views: &[View]) -> Result<(), StoreError> {
    let terms = |view: &View| view.terms.clone().into_iter().filter_map(|id| catalog.get(id));
    let (opened, shown): (Vec<&View>, Vec<&View>) = views.iter().partition(|view| view.opened);
    let shown: Vec<_> = shown
        .into_iter()
        .flat_map(|view| {
            terms(view).map(|term| ShownTerm {
                subject: view.subject.clone(),
                term: term.id,
                lineage: catalog.lineage(term).map(|term| term.id).collect(),
                at: view.at,
            })
        })
        .collect();
    let opened: Vec<_> = opened
        .into_iter()
        .flat_map(|view| {
            let (subject, at) = (&view.subject, view.at);
            terms(view).map(move |term| OpenedTerm { subject: subject.clone(), term: term.id, at })
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

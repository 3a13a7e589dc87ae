//! Writes exposures and metric values that clients report to the store: with a bounded queue, and
//! one writer that puts all queued events into one statement. If the queue is full, events are
//! dropped and counted, so that they slow down nothing else.

mod known_series;
mod undeclared;
pub mod usage;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::counter;
use musette_store::{NewExposure, NewMetricValue, Series, ShortHash, Store, StoreError};
use tokio::sync::{mpsc, oneshot};

use super::units::open_hash;
use known_series::KnownSeries;
pub use undeclared::UndeclaredNames;

/// The maximum number of rows in the queue, of about 100 bytes each.
const WAITING_MAX: usize = 100_000;
/// The maximum number of rows in one transaction, which delays a consent by at most about 20 ms.
const WRITTEN_AT_ONCE: usize = 2000;

/// Returns the series that a name is counted in.
pub fn series(environment: &str, kind: &'static str, name: &str, phase: i64, arm: &str) -> Series {
    let phase_text = phase.to_string();
    let hash = open_hash(&["series", environment, kind, name, &phase_text, arm]);
    let mut id = [0; 8];
    id.copy_from_slice(&hash[..8]);
    Series {
        id: i64::from_be_bytes(id),
        environment: environment.to_owned(),
        kind,
        name: name.to_owned(),
        phase,
        arm: arm.to_owned(),
    }
}

/// The events of one request.
pub enum Rows {
    Exposures(Vec<NewExposure>),
    Values(Vec<NewMetricValue>),
}

impl Rows {
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        match self {
            Self::Exposures(rows) => rows.len(),
            Self::Values(rows) => rows.len(),
        }
    }

    fn ids(&self) -> impl Iterator<Item = ShortHash> + '_ {
        let (exposures, values): (&[NewExposure], &[NewMetricValue]) = match self {
            Self::Exposures(rows) => (rows, &[]),
            Self::Values(rows) => (&[], rows),
        };
        exposures.iter().map(|row| row.id).chain(values.iter().map(|row| row.id))
    }

    fn retain(&mut self, mut predicate: impl FnMut(i64) -> bool) {
        match self {
            Self::Exposures(rows) => rows.retain(|row| predicate(row.series)),
            Self::Values(rows) => rows.retain(|row| predicate(row.series)),
        }
    }
}

/// The number of rows of a report that were stored, and of the others by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportCounts {
    pub accepted: usize,
    /// Rows whose IDs were already stored.
    pub duplicates: usize,
    /// Rows for which the queue had no room.
    pub dropped: usize,
    /// Rows that the database rejected.
    pub refused: usize,
}

struct Job {
    series: Vec<Series>,
    rows: Rows,
    answer: oneshot::Sender<Result<ReportCounts, StoreError>>,
}

/// The queue of the writer.
pub struct Events {
    queue: mpsc::UnboundedSender<Job>,
    /// The number of rows in the queue, which is bounded by `waiting_max`.
    waiting: Arc<AtomicUsize>,
    waiting_max: usize,
    pub undeclared: UndeclaredNames,
}

impl Events {
    pub fn start(store: Arc<Store>) -> Self {
        Self::start_with(store, WAITING_MAX)
    }

    fn start_with(store: Arc<Store>, waiting_max: usize) -> Self {
        let (queue, jobs) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let writer =
            EventWriter { store, waiting: Arc::clone(&waiting), known: KnownSeries::default() };
        tokio::spawn(writer.run(jobs));
        Self { queue, waiting, waiting_max, undeclared: UndeclaredNames::default() }
    }

    /// Queues the rows, and returns when they are on disk.
    pub async fn record(
        &self,
        series: Vec<Series>,
        rows: Rows,
    ) -> Result<ReportCounts, StoreError> {
        let unavailable =
            || StoreError::File(std::io::Error::other("the writer of events has stopped"));
        let count = rows.len();
        let before = self.waiting.fetch_add(count, Ordering::Relaxed);
        if before + count > self.waiting_max {
            self.waiting.fetch_sub(count, Ordering::Relaxed);
            return Ok(dropped(count));
        }
        let (answer, answered) = oneshot::channel();
        self.queue.send(Job { series, rows, answer }).map_err(|_| unavailable())?;
        answered.await.map_err(|_| unavailable())?
    }
}

fn dropped(count: usize) -> ReportCounts {
    counter!("musette_flag_events_dropped_total").increment(count as u64);
    ReportCounts { dropped: count, ..ReportCounts::default() }
}

struct EventWriter {
    store: Arc<Store>,
    waiting: Arc<AtomicUsize>,
    /// The names that the store has.
    known: KnownSeries,
}

impl EventWriter {
    /// Writes jobs until all senders are dropped and the queue is empty.
    async fn run(mut self, mut jobs: mpsc::UnboundedReceiver<Job>) {
        while let Some(first) = jobs.recv().await {
            let mut count = first.rows.len();
            let mut batch = vec![first];
            while count < WRITTEN_AT_ONCE {
                let Ok(job) = jobs.try_recv() else { break };
                count += job.rows.len();
                batch.push(job);
            }
            self.waiting.fetch_sub(count, Ordering::Relaxed);
            match self.write(&mut batch).await {
                Ok(outcomes) => {
                    for (job, outcome) in batch.into_iter().zip(outcomes) {
                        counter!("musette_flag_events_total").increment(outcome.accepted as u64);
                        // A client that has stopped waiting will send the same IDs again.
                        drop(job.answer.send(Ok(outcome)));
                    }
                }
                Err(error) => {
                    tracing::warn!(error = %error, events = count, "a batch of flag events was not written: clients retry it");
                    for job in batch {
                        drop(job.answer.send(Err(error.shared())));
                    }
                }
            }
        }
    }

    async fn write(&mut self, batch: &mut [Job]) -> Result<Vec<ReportCounts>, StoreError> {
        let refused_names = self.name(batch).await?;
        let mut outcomes = Vec::with_capacity(batch.len());
        for job in &mut *batch {
            let all = job.rows.len();
            if !refused_names.is_empty() {
                job.rows.retain(|series| !refused_names.contains(&series));
            }
            outcomes
                .push(ReportCounts { refused: all - job.rows.len(), ..ReportCounts::default() });
        }
        let (mut new, refused) = self.insert(batch).await?;
        for (job, outcome) in batch.iter().zip(&mut outcomes) {
            // If two rows of one batch have the same ID, the first one is accepted.
            let accepted = job.rows.ids().filter(|id| new.remove(id)).count();
            let refused = job.rows.ids().filter(|id| refused.contains(id)).count();
            outcome.accepted = accepted;
            outcome.duplicates = job.rows.len() - accepted - refused;
            outcome.refused += refused;
        }
        Ok(outcomes)
    }

    /// Stores new names, and returns those that the store rejects.
    async fn name(&mut self, batch: &[Job]) -> Result<HashSet<i64>, StoreError> {
        let mut unknown: Vec<Series> = Vec::new();
        for series in batch.iter().flat_map(|job| &job.series) {
            if !self.known.has(series.id) && unknown.iter().all(|other| other.id != series.id) {
                unknown.push(series.clone());
            }
        }
        let mut refused: HashSet<i64> = unknown.iter().map(|series| series.id).collect();
        if !unknown.is_empty() {
            for id in self.store.record_series(&unknown).await? {
                refused.remove(&id);
                self.known.add(id);
            }
        }
        Ok(refused)
    }

    /// Inserts the rows. Returns the IDs of new rows, and of those that the store rejects.
    async fn insert(
        &self,
        batch: &[Job],
    ) -> Result<(HashSet<ShortHash>, HashSet<ShortHash>), StoreError> {
        let (mut unique, mut exposures, mut values) = (HashSet::new(), Vec::new(), Vec::new());
        for job in batch {
            match &job.rows {
                Rows::Exposures(rows) => {
                    exposures.extend(rows.iter().filter(|row| unique.insert((true, row.id))));
                }
                Rows::Values(rows) => {
                    values.extend(rows.iter().filter(|row| unique.insert((false, row.id))));
                }
            }
        }
        let mut new = HashSet::with_capacity(unique.len());
        let mut refused = HashSet::new();
        if !exposures.is_empty() {
            let inserted = self.store.record_exposures(&exposures).await?;
            new.extend(inserted.new);
            refused.extend(inserted.refused);
        }
        if !values.is_empty() {
            let inserted = self.store.record_metric_values(&values).await?;
            new.extend(inserted.new);
            refused.extend(inserted.refused);
        }
        Ok((new, refused))
    }
}

#[cfg(test)]
mod tests;

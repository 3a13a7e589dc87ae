//! Exposures and metric values that clients report, on their way to the store: a bounded queue, and one
//! writer that puts everything that waits into one statement. When the queue is full, events are
//! dropped and counted: nothing else may become slow for them.

mod known_series;
mod undeclared;
pub mod usage;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::counter;
use musette_store::{NewExposure, NewMetricValue, Series, ShortHash, Store, StoreError};
use tokio::sync::{mpsc, oneshot};

use crate::units::open_hash;
use known_series::KnownSeries;
pub use undeclared::Undeclared;

/// About 100 bytes each.
const WAITING_MAX: usize = 100_000;
/// A transaction of so many rows holds up a consent by some 20 ms at the most.
const WRITTEN_AT_ONCE: usize = 2000;

/// The series under which a name is counted.
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

/// One request's events.
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
        exposures.iter().map(|it| it.id).chain(values.iter().map(|it| it.id))
    }

    fn keep(&mut self, mut of: impl FnMut(i64) -> bool) {
        match self {
            Self::Exposures(rows) => rows.retain(|it| of(it.series)),
            Self::Values(rows) => rows.retain(|it| of(it.series)),
        }
    }
}

/// How many rows of a report were stored, and why the others were not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportOutcome {
    pub accepted: usize,
    /// Their ids were there already.
    pub duplicates: usize,
    /// There was no room.
    pub dropped: usize,
    /// The database would not take them.
    pub refused: usize,
}

struct Job {
    series: Vec<Series>,
    rows: Rows,
    answer: oneshot::Sender<Result<ReportOutcome, StoreError>>,
}

/// The way to the writer.
pub struct Events {
    queue: mpsc::UnboundedSender<Job>,
    /// Rows in the queue; this is what bounds it.
    waiting: Arc<AtomicUsize>,
    waiting_max: usize,
    pub undeclared: Undeclared,
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
        Self { queue, waiting, waiting_max, undeclared: Undeclared::default() }
    }

    /// Answers when they are on disk.
    pub async fn record(
        &self,
        series: Vec<Series>,
        rows: Rows,
    ) -> Result<ReportOutcome, StoreError> {
        let unavailable = || StoreError::File(std::io::Error::other("the events' writer is gone"));
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

fn dropped(count: usize) -> ReportOutcome {
    counter!("musette_flag_events_dropped_total").increment(count as u64);
    ReportOutcome { dropped: count, ..ReportOutcome::default() }
}

struct EventWriter {
    store: Arc<Store>,
    waiting: Arc<AtomicUsize>,
    /// The names that the store knows.
    known: KnownSeries,
}

impl EventWriter {
    /// Ends when nobody can send any more and the queue is empty.
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
                Ok(taken) => {
                    for (job, taken) in batch.into_iter().zip(taken) {
                        counter!("musette_flag_events_total").increment(taken.accepted as u64);
                        // A client that stopped waiting will send the same ids again.
                        drop(job.answer.send(Ok(taken)));
                    }
                }
                Err(error) => {
                    tracing::warn!(error = %error, events = count, "events were not written");
                    for job in batch {
                        drop(job.answer.send(Err(error.shared())));
                    }
                }
            }
        }
    }

    async fn write(&mut self, batch: &mut [Job]) -> Result<Vec<ReportOutcome>, StoreError> {
        let refused_names = self.name(batch).await?;
        let mut taken = Vec::with_capacity(batch.len());
        for job in &mut *batch {
            let all = job.rows.len();
            if !refused_names.is_empty() {
                job.rows.keep(|series| !refused_names.contains(&series));
            }
            taken.push(ReportOutcome { refused: all - job.rows.len(), ..ReportOutcome::default() });
        }
        let (mut new, refused) = self.insert(batch).await?;
        for (job, taken) in batch.iter().zip(&mut taken) {
            // If two rows in one batch have the same id, the first is the accepted one.
            let accepted = job.rows.ids().filter(|id| new.remove(id)).count();
            let refused = job.rows.ids().filter(|id| refused.contains(id)).count();
            taken.accepted = accepted;
            taken.duplicates = job.rows.len() - accepted - refused;
            taken.refused += refused;
        }
        Ok(taken)
    }

    /// Makes the names known that the store does not know yet; gives those that it refuses.
    async fn name(&mut self, batch: &[Job]) -> Result<HashSet<i64>, StoreError> {
        let mut unknown: Vec<Series> = Vec::new();
        for series in batch.iter().flat_map(|job| &job.series) {
            if !self.known.has(series.id) && unknown.iter().all(|it| it.id != series.id) {
                unknown.push(series.clone());
            }
        }
        let mut refused: HashSet<i64> = unknown.iter().map(|it| it.id).collect();
        if !unknown.is_empty() {
            for id in self.store.record_series(&unknown).await? {
                refused.remove(&id);
                self.known.add(id);
            }
        }
        Ok(refused)
    }

    /// Gives the ids that were not there, and those that the store refuses.
    async fn insert(
        &self,
        batch: &[Job],
    ) -> Result<(HashSet<ShortHash>, HashSet<ShortHash>), StoreError> {
        let (mut seen, mut exposures, mut values) = (HashSet::new(), Vec::new(), Vec::new());
        for job in batch {
            match &job.rows {
                Rows::Exposures(rows) => {
                    exposures.extend(rows.iter().filter(|it| seen.insert((true, it.id))));
                }
                Rows::Values(rows) => {
                    values.extend(rows.iter().filter(|it| seen.insert((false, it.id))));
                }
            }
        }
        let mut new = HashSet::with_capacity(seen.len());
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

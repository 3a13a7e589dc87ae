//! The one writer: whatever submissions wait are checked and recorded in one transaction, and
//! nobody is answered before it is on disk. A write is never cancelled: who stops waiting for the
//! answer does not stop the write.

mod commit;
mod state;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::SignInMethod;
use musette_core::terms::{
    Catalog, DecisionRecord, KeptLocale, ReceiptId, ReceiptKey, Refusal, SubmittedDecision,
};
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument as _;

use crate::db::Store;
use crate::db::error::StoreError;
use crate::log::ProvenEntry;
use crate::traces;

pub(crate) use commit::{
    ADVANCE, BEFORE, BeforeRow, CONSENTS, ConsentRow, IDEMPOTENCY, SUBMISSIONS, SubmissionRow,
};
#[cfg(test)]
pub(crate) use commit::{ALL, DECISIONS, LISTS, LOCK_BY_INDEX, PANICS, TELL, UNPROVABLE, together};
use state::{Measures, WriterState};

/// How many submissions one commit takes at the most.
const BATCH_MAX: usize = 256;
/// Nobody waits longer for an answer; the write goes on.
pub const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// How many may wait for the writer; one more is answered "not available" at once.
const QUEUE_MAX: usize = 4096;
/// So is whoever would wait longer than this. What is recorded after [`ANSWERED_WITHIN`] was answered "not available"
/// already, and comes again: a queue that is too long does the same work twice.
const WAITS_AT_MOST: Duration = Duration::from_secs(2);

/// Sender of a submission.
#[derive(Debug, Clone)]
pub enum Submitter {
    /// Somebody with an account, by their subject.
    Rider {
        /// Their subject.
        subject: String,
    },
    /// Somebody without an account.
    Applicant {
        /// Reference of the subject that this submission makes; random.
        subject: String,
        /// Key of that subject: 32 random bytes in hex.
        key: String,
        /// The receipt of an earlier submission that this one continues.
        continues: Option<Continues>,
    },
}

/// The receipt of an earlier submission, as it was given.
#[derive(Debug, Clone)]
pub struct Continues {
    /// None: what was given has not even the form of one.
    pub receipt: Option<ReceiptId>,
}

/// One person's request, with everything that is needed to judge and record it.
#[derive(Debug, Clone)]
pub struct Submission {
    /// UUIDv7.
    pub entry_id: String,
    /// Sender of the submission.
    pub submitter: Submitter,
    /// The decisions, in the order in which they were sent.
    pub entries: Vec<SubmittedDecision>,
    /// The languages that the device asked for.
    pub ranges: Vec<String>,
    /// Language in which the terms were shown.
    pub locale: Option<KeptLocale>,
    /// The application's description of itself: stored encrypted, and only its hash is in the log.
    pub app: Option<String>,
    /// How a rider had signed in, if that is known.
    pub signed_in_by: Option<SignInMethod>,
    /// Where an applicant says to work; an account has its own.
    pub market: Option<Market>,
    /// Key by which a repetition is recognised.
    pub idempotency: Option<Idempotency>,
    /// The terms as they are now.
    pub catalog: Arc<Catalog>,
    /// Makes the id of an applicant's receipt, by which the log names the applicant.
    pub receipts: ReceiptKey,
    /// Time of the server.
    pub now: Instant,
    /// The request, for traces.
    pub span: tracing::Span,
}

/// The key of a request, in whose name it counts, and what the request said.
#[derive(Debug, Clone)]
pub struct Idempotency {
    /// The rider's subject, or empty.
    pub scope: String,
    /// The value of the `Idempotency-Key` header.
    pub key: String,
    /// SHA-256 of the request's body, in lower-case hex.
    pub body_sha256: String,
}

/// A submission as it stands on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Number of the submission: they are counted without a gap.
    pub seq: i64,
    /// UUIDv7.
    pub entry_id: String,
    /// Time of the server.
    pub recorded_at: Instant,
    /// The decisions, in the order in which they were sent.
    pub entries: Vec<RecordedDecision>,
}

/// A decision as it stands on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedDecision {
    /// Id of the exact version.
    pub term: i64,
    /// Whether the person agreed.
    pub accepted: bool,
    /// When, by the device's clock.
    pub consented_at: Instant,
}

impl From<&DecisionRecord> for RecordedDecision {
    fn from(record: &DecisionRecord) -> Self {
        let entry = &record.entry;
        Self { term: entry.term, accepted: entry.accepted, consented_at: entry.consented_at }
    }
}

/// Outcome of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is on disk, with its receipt.
    Recorded(Recorded, ProvenEntry),
    /// This key came before with the same bytes.
    Replayed(Recorded),
    /// The key came before with other bytes.
    KeyReused,
    /// The rider was erased while this was on its way.
    SubjectGone,
    /// The receipt that it continues is not one of ours, or was claimed.
    ReceiptUnknown,
    /// It breaks a rule.
    Refused(Refusal),
}

/// Dropped when a submission is on disk or refused, whether anybody waits for the answer or not.
pub type Held = Box<dyn Any + Send>;

/// Whoever is to be answered.
struct Answer {
    to: oneshot::Sender<Result<Outcome, StoreError>>,
    held: Option<Held>,
}

impl Answer {
    fn send(self, outcome: Result<Outcome, StoreError>) {
        // First: who has the answer may ask again at once.
        drop(self.held);
        // The record stands, although nobody waits for the answer any more.
        drop(self.to.send(outcome));
    }
}

/// The way to the writer; cloning it is cheap.
#[derive(Debug, Clone)]
pub struct Writer {
    queue: mpsc::Sender<(Submission, Answer)>,
    batch_max: usize,
    state: Arc<WriterState>,
}

impl Writer {
    /// Starts the writer; it ends when every `Writer` is dropped and the queue is empty.
    pub fn start(store: Arc<Store>) -> (Self, tokio::task::JoinHandle<()>) {
        Self::start_with(store, BATCH_MAX)
    }

    /// Starts with another batch size: 1 is one commit a submission, the floor of the bench.
    pub fn start_with(store: Arc<Store>, batch_max: usize) -> (Self, tokio::task::JoinHandle<()>) {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let state = Arc::new(WriterState::default());
        let running = tokio::spawn(run(store, waiting, batch_max, Arc::clone(&state)));
        (Self { queue, batch_max, state }, running)
    }

    /// Returns when the submission is on disk, or refused. With `StoreError::Uncertain` it may be on
    /// disk; with every other error nothing of it is.
    pub async fn submit(&self, submission: Submission) -> Result<Outcome, StoreError> {
        self.submit_holding(submission, None).await
    }

    /// [`Self::submit`] that drops `held` when the submission is on disk or refused, although this may
    /// return, or be dropped, long before.
    pub async fn submit_holding(
        &self,
        submission: Submission,
        held: Option<Held>,
    ) -> Result<Outcome, StoreError> {
        if self.state.batches_take(self.waiting() / self.batch_max) > WAITS_AT_MOST {
            return Err(StoreError::timed_out());
        }
        let (to, answered) = oneshot::channel();
        let answer = Answer { to, held };
        self.queue.try_send((submission, answer)).map_err(|_| StoreError::timed_out())?;
        match tokio::time::timeout(ANSWERED_WITHIN, answered).await {
            Ok(answer) => answer.map_err(|_| StoreError::Uncertain(sqlx::Error::WorkerCrashed))?,
            Err(_) => Err(StoreError::no_answer_yet()),
        }
    }

    /// How many submissions wait for the next batch.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// For how long the batch that is being recorded has been; zero when there is none.
    pub fn recording_for(&self) -> Duration {
        self.state.recording_for()
    }
}

async fn run(
    store: Arc<Store>,
    mut waiting: mpsc::Receiver<(Submission, Answer)>,
    batch_max: usize,
    state: Arc<WriterState>,
) {
    let measures = Measures::new();
    let mut batch = Vec::with_capacity(batch_max);
    // Submissions that arrive while one batch is committed make the next: no timer is needed to fill it.
    while waiting.recv_many(&mut batch, batch_max).await > 0 {
        let (submissions, answers): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        let submissions: Arc<[Submission]> = Arc::from(submissions);
        let began = state.begin();
        let recorded = record(&store, &submissions).await;
        measures.batch(submissions.len(), began.elapsed());
        match recorded {
            Ok(outcomes) => {
                for (answer, outcome) in answers.into_iter().zip(outcomes) {
                    answer.send(Ok(outcome));
                }
            }
            Err(error) => one_by_one(&store, &submissions, answers, error).await,
        }
        state.end();
    }
}

/// In a task of its own: a panic is that batch's misfortune. It must not end the writer, which would
/// refuse everybody from then on.
async fn record(store: &Arc<Store>, batch: &Arc<[Submission]>) -> Result<Vec<Outcome>, StoreError> {
    let (store, batch) = (Arc::clone(store), Arc::clone(batch));
    let span = traces::batch(batch.iter().map(|submission| &submission.span));
    let recorded = tokio::spawn(async move { store.record(&batch).await }.instrument(span));
    recorded.await.unwrap_or_else(|_| Err(StoreError::Uncertain(sqlx::Error::WorkerCrashed)))
}

/// One bad submission must not refuse its neighbours. Nothing of the batch is on disk unless the error
/// is `Uncertain`, and then nothing is tried again. Once the database is away, trying on would only make
/// everyone wait.
async fn one_by_one(
    store: &Arc<Store>,
    submissions: &[Submission],
    answers: Vec<Answer>,
    error: StoreError,
) {
    tracing::warn!(error = %error, submissions = submissions.len(), "a batch of consents failed: each one is retried by itself");
    let mut away = error.is_unavailable().then_some(error);
    for (submission, answer) in submissions.iter().zip(answers) {
        let outcome = match &away {
            Some(error) => Err(error.shared()),
            None => record(store, &Arc::from([submission.clone()]))
                .await
                .map(|mut outcomes| outcomes.pop().unwrap_or(Outcome::ReceiptUnknown)),
        };
        if away.is_none() && outcome.as_ref().is_err_and(StoreError::is_unavailable) {
            // The batches that follow were not tried, so it is certain that nothing of them is on disk.
            away = Some(StoreError::timed_out());
        }
        answer.send(outcome);
    }
}

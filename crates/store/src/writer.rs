//! The writer, which records all submissions. It checks and records all pending ones in one
//! transaction, and sends no response before they are on disk. A write is never cancelled: if the
//! caller stops waiting, the write continues.

mod commit;
mod state;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::SignInMethod;
use musette_core::terms::{
    Catalog, DecisionRecord, DeviceClock, ReceiptId, ReceiptKey, StoredLocale, SubmissionRefusal,
    SubmittedDecision,
};
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument as _;

use crate::db::Store;
use crate::db::error::StoreError;
use crate::log::ProvenEntry;
use crate::traces;

#[cfg(test)]
pub(crate) use commit::{
    ALL, DECISIONS, INSERT_EVENTS, LISTS, LOCK_BY_INDEX, PANICS, UNPROVABLE, insert_batch_sql,
};
pub(crate) use commit::{
    BeforeRow, CONSENTS, ConsentRow, IDEMPOTENCY, SELECT_EARLIER_DECISIONS, SET_NEXT_SEQ,
    SUBMISSIONS, SubmissionRow,
};
use state::{Measures, WriterState};

/// Maximum number of submissions in one commit.
const BATCH_MAX: usize = 256;
/// A caller waits at most this long for the response; the write continues.
pub const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// Maximum length of the queue; a further submission fails at once as "not available".
const QUEUE_MAX: usize = 4096;
/// A submission that would wait longer than this also fails as "not available". A submission that
/// is recorded after [`ANSWERED_WITHIN`] was already reported as failed and is sent again, so a
/// longer queue would do the same work twice.
const WAIT_MAX: Duration = Duration::from_secs(2);

/// Sender of a submission.
#[derive(Debug, Clone)]
pub enum Submitter {
    /// A person with an account.
    Rider {
        /// Subject of the person.
        subject: String,
    },
    /// A person without an account.
    Applicant {
        /// Reference of the new subject of this submission; random.
        subject: String,
        /// Key of that subject: 32 random bytes in hex.
        key: String,
        /// The receipt of an earlier submission that this one continues.
        continues: Option<EarlierReceipt>,
    },
}

/// The receipt of an earlier submission, as the client sent it.
#[derive(Debug, Clone)]
pub struct EarlierReceipt {
    /// The receipt ID; none if it is malformed.
    pub receipt: Option<ReceiptId>,
}

/// A request of one person, with everything that is needed to check and record it.
#[derive(Debug, Clone)]
pub struct Submission {
    /// UUIDv7.
    pub entry_id: String,
    /// Sender of the submission.
    pub submitter: Submitter,
    /// The decisions, in the order in which they were sent.
    pub entries: Vec<SubmittedDecision>,
    /// The languages that the device requested.
    pub ranges: Vec<String>,
    /// Language in which the terms were shown.
    pub locale: Option<StoredLocale>,
    /// The description of the client app. It is stored encrypted, and only its hash is in the log.
    pub app: Option<String>,
    /// The device's clock, if the app sent it.
    pub device_clock: DeviceClock,
    /// How a rider had signed in, if it is known.
    pub signed_in_by: Option<SignInMethod>,
    /// Market that an applicant stated; an account has its own.
    pub market: Option<Market>,
    /// Key that identifies retries of the request.
    pub idempotency: Option<Idempotency>,
    /// The current terms.
    pub catalog: Arc<Catalog>,
    /// Creates the ID of an applicant's receipt, by which the log identifies the applicant.
    pub receipts: ReceiptKey,
    /// Time of the server.
    pub now: Instant,
    /// The span of the request, for traces.
    pub span: tracing::Span,
}

/// The idempotency key of a request, its scope, and the hash of the body.
#[derive(Debug, Clone)]
pub struct Idempotency {
    /// The rider's subject, or empty.
    pub scope: String,
    /// The value of the `Idempotency-Key` header.
    pub key: String,
    /// SHA-256 of the request's body, in lower-case hex.
    pub body_sha256: String,
}

/// A recorded submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedSubmission {
    /// Number of the submission, without gaps.
    pub seq: i64,
    /// UUIDv7.
    pub entry_id: String,
    /// Time of the server.
    pub recorded_at: Instant,
    /// The decisions, in the order in which they were sent.
    pub entries: Vec<RecordedDecision>,
}

/// A recorded decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedDecision {
    /// ID of the exact version.
    pub term: i64,
    /// Whether the person agreed.
    pub accepted: bool,
    /// When the person decided, by the device's clock.
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
pub enum SubmissionOutcome {
    /// The submission is on disk; contains its receipt.
    Recorded(RecordedSubmission, ProvenEntry),
    /// The key was used before with the same body.
    Replayed(RecordedSubmission),
    /// The key was used before with another body.
    KeyReused,
    /// The rider was erased before the submission was recorded.
    SubjectGone,
    /// The receipt that it continues is not genuine, or was claimed.
    ReceiptUnknown,
    /// The submission violates a rule.
    Refused(SubmissionRefusal),
}

/// A value that is dropped when a submission is on disk or rejected, even if the caller stopped
/// waiting.
pub type HeldUntilRecorded = Box<dyn Any + Send>;

/// The channel to the caller.
struct Answer {
    to: oneshot::Sender<Result<SubmissionOutcome, StoreError>>,
    held: Option<HeldUntilRecorded>,
}

impl Answer {
    fn send(self, outcome: Result<SubmissionOutcome, StoreError>) {
        // Dropped first, because a caller with a response may send the next request at once.
        drop(self.held);
        // The submission stays recorded even if the caller stopped waiting.
        drop(self.to.send(outcome));
    }
}

/// A handle to the writer; cloning it is cheap.
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

    /// Starts the writer with another batch size: 1 means one commit per submission, the baseline
    /// of the benchmark.
    pub fn start_with(store: Arc<Store>, batch_max: usize) -> (Self, tokio::task::JoinHandle<()>) {
        let (queue, requests) = mpsc::channel(QUEUE_MAX);
        let state = Arc::new(WriterState::default());
        let running = tokio::spawn(run(store, requests, batch_max, Arc::clone(&state)));
        (Self { queue, batch_max, state }, running)
    }

    /// Records a submission and returns when it is on disk or rejected. With
    /// `StoreError::Uncertain` it may be on disk; with every other error nothing of it is.
    pub async fn submit(&self, submission: Submission) -> Result<SubmissionOutcome, StoreError> {
        self.submit_holding(submission, None).await
    }

    /// Records a submission like [`Self::submit`] and drops `held` when it is on disk or rejected.
    /// This call may return, or be dropped, long before.
    pub async fn submit_holding(
        &self,
        submission: Submission,
        held: Option<HeldUntilRecorded>,
    ) -> Result<SubmissionOutcome, StoreError> {
        if self.state.estimate(self.waiting() / self.batch_max) > WAIT_MAX {
            return Err(StoreError::timed_out());
        }
        let (to, response) = oneshot::channel();
        let answer = Answer { to, held };
        self.queue.try_send((submission, answer)).map_err(|_| StoreError::timed_out())?;
        match tokio::time::timeout(ANSWERED_WITHIN, response).await {
            Ok(answer) => answer.map_err(|_| StoreError::Uncertain(sqlx::Error::WorkerCrashed))?,
            Err(_) => Err(StoreError::still_writing()),
        }
    }

    /// Returns how many submissions wait for the next batch.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Returns how long the current batch has been recorded; zero if there is none.
    pub fn recording_for(&self) -> Duration {
        self.state.recording_for()
    }
}

async fn run(
    store: Arc<Store>,
    mut requests: mpsc::Receiver<(Submission, Answer)>,
    batch_max: usize,
    state: Arc<WriterState>,
) {
    let measures = Measures::new();
    let mut batch = Vec::with_capacity(batch_max);
    // Submissions that arrive while one batch is committed form the next one, so no timer is needed
    // to fill it.
    while requests.recv_many(&mut batch, batch_max).await > 0 {
        let (submissions, answers): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        let submissions: Arc<[Submission]> = Arc::from(submissions);
        let start = state.begin();
        let recorded = record(&store, &submissions).await;
        measures.batch(submissions.len(), start.elapsed());
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

/// Records a batch in a separate task, so that a panic only fails this batch. It must not end the
/// writer, which would then reject all submissions.
async fn record(
    store: &Arc<Store>,
    batch: &Arc<[Submission]>,
) -> Result<Vec<SubmissionOutcome>, StoreError> {
    let (store, batch) = (Arc::clone(store), Arc::clone(batch));
    let span = traces::batch(batch.iter().map(|submission| &submission.span));
    let recorded = tokio::spawn(async move { store.record(&batch).await }.instrument(span));
    recorded.await.unwrap_or_else(|_| Err(StoreError::Uncertain(sqlx::Error::WorkerCrashed)))
}

/// Records submissions one by one, so that an invalid one does not fail the others. Nothing of the
/// batch is on disk unless the error is `Uncertain`, and then nothing is retried. If the database
/// is unavailable, retries would only make all callers wait.
async fn one_by_one(
    store: &Arc<Store>,
    submissions: &[Submission],
    answers: Vec<Answer>,
    error: StoreError,
) {
    tracing::warn!(error = %error, submissions = submissions.len(), "a batch of consents failed: each one is retried by itself");
    let mut unavailable = error.is_unavailable().then_some(error);
    for (submission, answer) in submissions.iter().zip(answers) {
        let outcome = match &unavailable {
            Some(error) => Err(error.shared()),
            None => record(store, &Arc::from([submission.clone()]))
                .await
                .map(|mut outcomes| outcomes.pop().unwrap_or(SubmissionOutcome::ReceiptUnknown)),
        };
        if unavailable.is_none() && outcome.as_ref().is_err_and(StoreError::is_unavailable) {
            // The remaining submissions were not attempted, so nothing of them is on disk.
            unavailable = Some(StoreError::timed_out());
        }
        answer.send(outcome);
    }
}

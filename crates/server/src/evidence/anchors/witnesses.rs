//! Asks witnesses for cosignatures of the log's newest checkpoint, and stores them.
//!
//! All witnesses get the same checkpoint, because a quorum must cosign one. The next round does not
//! wait for a witness that fails.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::FuturesUnordered;
use metrics::{Counter, counter, gauge};
use musette_core::instant::Instant;
use musette_core::log::note::{Note, NoteSignature};
use musette_store::{Log, SignedHead, StampedHead, Store, StoreError};
use tokio::time::{Instant as Monotonic, Interval, MissedTickBehavior};

use super::add_checkpoint::{Answer, AskError, ask};
use super::client::Client;
use super::witness_policy::{AskedWitness, WitnessPolicy, log_keys};
use crate::platform::clock::Clock;

const EVERY: Duration = Duration::from_secs(1);
/// The longest pause after a failure. The first is a second, and each next twice as long.
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// How often a failure of one kind is logged.
const LOG_EVERY: Duration = Duration::from_secs(60 * 60);
const HOUR: Duration = Duration::from_secs(60 * 60);
/// A node asks alone for this long. Longer than two requests, which take at most 10 s each.
const LEASE: Duration = Duration::from_secs(40);
const RENEW_BEFORE: Duration = Duration::from_secs(30);
/// How often a node that does not ask tries to take over, and reads what the other has stored.
const TAKE_OVER_EVERY: Duration = Duration::from_secs(5);

/// A checkpoint that is sent to the witnesses.
struct Target {
    head: StampedHead,
    /// The cosignatures so far.
    lines: Mutex<Vec<NoteSignature>>,
}

struct Witness {
    asked: Arc<AskedWitness>,
    /// ID of the log and size that it confirmed last.
    confirmed: Option<(i64, u64)>,
    is_asked: bool,
    /// Failures since the last cosignature.
    failures: u32,
    retry_at: Option<Monotonic>,
    /// When a failure of this status was logged last.
    logged_at: HashMap<u16, Monotonic>,
}

/// The answer of the witness with this index.
pub struct Answered {
    index: usize,
    target: Arc<Target>,
    answer: Result<Answer, AskError>,
}

/// What happened next.
pub enum Event {
    /// A second is over.
    Tick,
    Answered(Answered),
}

/// Asks all witnesses of a policy.
pub struct Witnesses {
    policy: Arc<WitnessPolicy>,
    witnesses: Vec<Witness>,
    clock: Clock,
    client: Arc<Client>,
    node: String,
    running: FuturesUnordered<BoxFuture<'static, Answered>>,
    /// The checkpoint that was sent last. A witness that recovers adds its line to the others.
    target: Option<Arc<Target>>,
    ticks: Interval,
    /// Whether this node has asked, or found that another node asks.
    is_started: bool,
    leased_until: Option<Monotonic>,
    take_over_at: Option<Monotonic>,
    thinned_at: Option<Monotonic>,
    counter: Counter,
    /// When the newest cosigned checkpoint was stored.
    newest: Option<Instant>,
}

fn is_over(at: Option<Monotonic>) -> bool {
    at.is_none_or(|at| at <= Monotonic::now())
}

impl Witness {
    fn new(asked: AskedWitness) -> Self {
        Self {
            asked: Arc::new(asked),
            confirmed: None,
            is_asked: false,
            failures: 0,
            retry_at: None,
            logged_at: HashMap::new(),
        }
    }

    fn is_due(&self, head: &StampedHead) -> bool {
        let is_confirmed = self.confirmed == Some((head.log, head.size.unsigned_abs()));
        !self.is_asked && !is_confirmed && is_over(self.retry_at)
    }

    fn succeed(&mut self) {
        if self.failures > 0 {
            tracing::info!(
                witness = self.asked.names,
                url = self.asked.url,
                "a witness cosigns again"
            );
        }
        (self.failures, self.retry_at) = (0, None);
    }

    fn fail(&mut self, error: &AskError) {
        let pause = EVERY.saturating_mul(1 << self.failures.min(10)).min(PAUSE_MAX);
        self.failures = self.failures.saturating_add(1);
        self.retry_at = Some(Monotonic::now() + pause);
        let (kind, is_refusal) = match error {
            AskError::Refused { status: status @ (403 | 404 | 409 | 422), .. } => (*status, true),
            AskError::Refused { status: 0, .. } => (200, true),
            _ => (0, false),
        };
        let is_logged = self.logged_at.get(&kind).is_some_and(|at| at.elapsed() < LOG_EVERY);
        if is_logged {
            return;
        }
        self.logged_at.insert(kind, Monotonic::now());
        let (witness, url) = (&self.asked.names, &self.asked.url);
        if is_refusal {
            tracing::error!(witness, url, error = %error, "a witness does not cosign this log: it is asked again within a minute");
        } else {
            tracing::warn!(witness, url, error = %error, "a witness does not respond: it is asked again within a minute");
        }
    }
}

impl Witnesses {
    /// Prepares to ask. Returns `None` if no witness of the policy has a URL.
    pub fn new(policy: Arc<WitnessPolicy>, node: String, clock: Clock) -> Option<Self> {
        let witnesses: Vec<Witness> = policy.asked().into_iter().map(Witness::new).collect();
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        (!witnesses.is_empty()).then(|| Self {
            policy,
            witnesses,
            clock,
            client: Arc::new(Client::with_kept_connections()),
            node,
            running: FuturesUnordered::new(),
            target: None,
            ticks,
            is_started: false,
            leased_until: None,
            take_over_at: None,
            thinned_at: None,
            counter: counter!("musette_anchor_failures_total", "kind" => "witness"),
            newest: None,
        })
    }

    /// Waits for the next second or the next answer.
    pub async fn next(&mut self) -> Event {
        tokio::select! {
            Some(answered) = self.running.next(), if !self.running.is_empty() => {
                Event::Answered(answered)
            }
            _ = self.ticks.tick() => Event::Tick,
        }
    }

    /// Handles an event.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or written. A witness that fails is not an
    /// error.
    pub async fn handle(&mut self, event: Event, store: &Arc<Store>) -> Result<(), StoreError> {
        match event {
            Event::Tick => {
                let begun = self.begin_round(store).await;
                self.measure();
                begun
            }
            Event::Answered(answered) => self.receive(answered, store).await,
        }
    }

    /// Sets the metric of the age.
    fn measure(&self) {
        if let Some(newest) = self.newest {
            let age = self.clock.now().since(newest);
            gauge!("musette_anchor_age_seconds", "kind" => "witness").set(age.as_secs_f64());
        }
    }

    /// Sends the newest checkpoint to all witnesses that have not confirmed it.
    async fn begin_round(&mut self, store: &Arc<Store>) -> Result<(), StoreError> {
        if self.newest.is_none() {
            self.newest = store.newest_cosigned_at().await?;
        }
        let is_waiting = self.witnesses.iter().any(|witness| {
            // One that fails is not waited for.
            witness.is_asked && witness.failures == 0
        });
        let head = if is_waiting { None } else { store.head_to_stamp().await? };
        let Some(head) = head.filter(|head| head.size > 0) else { return Ok(()) };
        if !self.witnesses.iter().any(|witness| witness.is_due(&head)) {
            return Ok(());
        }
        let cosigned = store.newest_cosigned(head.log, None).await?;
        let likely = cosigned.map_or(0, |cosigned| cosigned.size);
        let is_begun = self.target.as_ref().is_some_and(|target| target.head == head);
        // The first request is made even so: the witnesses may know more than a restored store.
        if self.is_started && likely == head.size.unsigned_abs() && !is_begun {
            return self.skip(&head, store).await;
        }
        self.is_started = true;
        if !self.holds_lease(store).await? {
            return Ok(());
        }
        let Some(log) = store.log().await?.filter(|log| log.id == head.log) else { return Ok(()) };
        let log_id = log.id;
        let same = self.target.take().filter(|target| target.head == head);
        let target = same.unwrap_or_else(|| Arc::new(Target { head, lines: Mutex::default() }));
        self.target = Some(Arc::clone(&target));
        self.send(&target, &Arc::new(log), store, likely);
        self.thin(store, log_id).await
    }

    /// Begins the requests to the witnesses that are due. `likely` is the size that a witness probably
    /// has, if this process has not asked it yet.
    fn send(&mut self, target: &Arc<Target>, log: &Arc<Log>, store: &Arc<Store>, likely: u64) {
        for (index, witness) in self.witnesses.iter_mut().enumerate() {
            if !witness.is_due(&target.head) {
                continue;
            }
            witness.is_asked = true;
            let of_log = witness.confirmed.filter(|(id, _)| *id == target.head.log);
            let old = of_log.map_or(likely, |(_, size)| size).min(target.head.size.unsigned_abs());
            let (client, store) = (Arc::clone(&self.client), Arc::clone(store));
            let (witness, log, target) =
                (Arc::clone(&witness.asked), Arc::clone(log), Arc::clone(target));
            let exchange = async move {
                let answer = ask(&client, &store, &witness, (&log, &target.head), old).await;
                Answered { index, target, answer }
            };
            self.running.push(exchange.boxed());
        }
    }

    /// Waits for the next checkpoint, because another node has collected the cosignatures of this one.
    async fn skip(&mut self, head: &StampedHead, store: &Store) -> Result<(), StoreError> {
        for witness in &mut self.witnesses {
            witness.confirmed = Some((head.log, head.size.unsigned_abs()));
        }
        self.newest = store.newest_cosigned_at().await?;
        Ok(())
    }

    /// Returns whether this node asks. One node asks for all.
    async fn holds_lease(&mut self, store: &Store) -> Result<bool, StoreError> {
        let is_held = self
            .leased_until
            .is_some_and(|until| until.saturating_duration_since(Monotonic::now()) > RENEW_BEFORE);
        if is_held {
            return Ok(true);
        }
        if !is_over(self.take_over_at) {
            return Ok(false);
        }
        let (now, began) = (self.clock.now(), Monotonic::now());
        let is_held = store.take_witness_lease(&self.node, now.plus(LEASE), now).await?;
        self.leased_until = is_held.then(|| began + LEASE);
        self.take_over_at = (!is_held).then(|| began + TAKE_OVER_EVERY);
        if !is_held {
            self.newest = store.newest_cosigned_at().await?;
        }
        Ok(is_held)
    }

    async fn receive(&mut self, answered: Answered, store: &Store) -> Result<(), StoreError> {
        let Answered { index, target, answer } = answered;
        let witness = &mut self.witnesses[index];
        witness.is_asked = false;
        let lines = match answer {
            Ok(Answer::Cosigned(lines)) => lines,
            Ok(Answer::Newer(size)) => {
                witness.confirmed = Some((target.head.log, size));
                return Ok(());
            }
            Err(AskError::Store(error)) => {
                witness.retry_at = Some(Monotonic::now() + EVERY);
                return Err(error);
            }
            Err(error) => {
                self.counter.increment(1);
                witness.fail(&error);
                return Ok(());
            }
        };
        witness.succeed();
        witness.confirmed = Some((target.head.log, target.head.size.unsigned_abs()));
        let cosignatures = {
            let mut all = target.lines.lock().unwrap_or_else(PoisonError::into_inner);
            let keys = &witness.asked.keys;
            all.retain(|line| !keys.iter().any(|key| key.is_of(line)));
            all.extend(lines);
            all.clone()
        };
        let stored = self.store_if_fulfilled(&target.head, &cosignatures, store).await;
        if stored.is_err() {
            // Asked again, because nothing else stores this cosignature.
            self.witnesses[index].confirmed = None;
        }
        stored
    }

    async fn store_if_fulfilled(
        &mut self,
        head: &StampedHead,
        cosignatures: &[NoteSignature],
        store: &Store,
    ) -> Result<(), StoreError> {
        let Ok(note) = Note::parse(&head.checkpoint) else { return Ok(()) };
        let note = cosignatures.iter().cloned().fold(note, Note::with_signature).to_string();
        let keys = log_keys(store).await?;
        if !self.policy.is_fulfilled(&note, &keys) {
            return Ok(());
        }
        // Later cosignatures of the same checkpoint, after a restart, would change case files.
        let stored = store.newest_cosigned(head.log, None).await?;
        let stored = stored.filter(|stored| stored.size == head.size.unsigned_abs());
        let is_other =
            |stored: &SignedHead| stored.checkpoint.lines().any(|line| !note.contains(line));
        if stored.is_some_and(|stored| {
            is_other(&stored) && self.policy.is_fulfilled(&stored.checkpoint, &keys)
        }) {
            return Ok(());
        }
        let lines: String = cosignatures.iter().map(|line| format!("{line}\n")).collect();
        let now = self.clock.now();
        store.set_cosignatures(head, &lines, now).await?;
        self.newest = Some(now);
        Ok(())
    }

    /// Deletes old cosignatures, once an hour.
    async fn thin(&mut self, store: &Store, log: i64) -> Result<(), StoreError> {
        if self.thinned_at.is_some_and(|at| at.elapsed() < HOUR) {
            return Ok(());
        }
        self.thinned_at = Some(Monotonic::now());
        store.thin_cosignatures(log, self.clock.now()).await
    }
}

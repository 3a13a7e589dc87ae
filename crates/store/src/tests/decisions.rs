//! Random calls of evaluations, compared with the table of transitions in `core`: two nodes whose
//! clocks differ and jump, calls at the same time, lost answers, crashes, and erased people.
//!
//! `MUSETTE_MODEL_STEPS` sets the number of steps on each engine. A failure names the seed of its
//! run; `MUSETTE_MODEL_SEED` starts with it.

mod expected;
mod operations;
mod requests;
mod world;

use std::collections::BTreeMap;

use musette_core::decisions::Evaluation;
use musette_core::instant::Instant;
use sqlx::Row as _;

use super::evidence::assert_valid;
use super::random_runs::{Nodes, Numbers, dropped_after, runs_on_both, seeds, setting};
use super::{NOW, in_time};
use crate::db::read;
use crate::{Engine, EvaluationFilter, NewUser, ReadAt, ReviewRule};
use operations::{Operation, Outcome, RANDOM, run};
use requests::COLLEAGUES;
use world::World;

runs_on_both!(random_calls_follow_the_table);

/// Steps on each engine in `make test`.
const STEPS: u64 = 1_000;
/// Steps of one run. Each run has a new store.
const STEPS_OF_RUN: u64 = 1_000;
/// Outcomes that runs must reach, the frequent ones first.
const CODES: [&str; 21] = [
    "Created",
    "Changed",
    "Replayed",
    "Erased",
    "dropped",
    "conflict",
    "evaluation_final",
    "transition_not_allowed",
    "Existing",
    "KeyReused",
    "Unknown",
    "UnknownUser",
    "contest_closed",
    "human_required",
    "message_too_short",
    "outcome_worse",
    "own_decision",
    "reasons_required",
    "rounds_exhausted",
    "statement_required",
    "system_required",
];
const RIDERS: [&str; 3] = ["r1", "r2", "r3"];
const HOUR_MS: i64 = 3_600_000;

async fn random_calls_follow_the_table(engine: Engine) {
    let steps = setting("MUSETTE_MODEL_STEPS").unwrap_or(STEPS);
    let mut counts = BTreeMap::new();
    for seed in seeds(steps.div_ceil(STEPS_OF_RUN)) {
        // On the heap, because the calls of a step need a large stack.
        let run = Box::pin(async {
            let mut model = Model::start(engine, seed).await;
            for _ in 0..STEPS_OF_RUN.min(steps) {
                Box::pin(model.step()).await;
            }
            Box::pin(model.compare_all()).await;
            model.counts
        });
        for (code, count) in in_time(run).await {
            *counts.entry(code).or_insert(0) += count;
        }
    }
    eprintln!("{counts:?}");
    // Seldom outcomes occur in long runs only.
    let codes = if steps < 10_000 { &CODES[..8] } else { &CODES[..] };
    for code in codes {
        assert!(counts.contains_key(*code), "{code} did not occur: {counts:?}");
    }
}

struct Model {
    nodes: Nodes,
    numbers: Numbers,
    /// The time, in milliseconds since 1970, and how far the clock of each node is ahead of it.
    time: i64,
    ahead: [i64; 2],
    world: World,
    /// Requests that had an idempotency key.
    sent: Vec<Operation>,
    /// Number of accounts and requests so far.
    next: u64,
    counts: BTreeMap<String, u64>,
    context: String,
}

impl Model {
    async fn start(engine: Engine, seed: u64) -> Self {
        let mut model = Self {
            nodes: Nodes::start(engine).await,
            numbers: Numbers::new(seed),
            // After the entries of a new store.
            time: NOW.millis() + HOUR_MS,
            ahead: [0, 0],
            world: World::new(),
            sent: Vec::new(),
            next: 0,
            counts: BTreeMap::new(),
            context: format!("MUSETTE_MODEL_SEED={seed}"),
        };
        for id in RIDERS.into_iter().chain(COLLEAGUES.map(|(id, ..)| id)) {
            model.add(id).await;
        }
        model
    }

    /// Adds an account, which gets another subject and key each time.
    async fn add(&mut self, id: &str) {
        self.next += 1;
        let subject = format!("subject-{id}-{}", self.next);
        let new = NewUser {
            id: id.into(),
            roles: vec![musette_core::session::Role::Rider.into()],
            name: None,
            email: None,
            phone: None,
            market: None,
            subject: subject.clone(),
            subject_key: super::sha256(&subject),
        };
        self.nodes.stores[0].add_user(&new, NOW).await.expect("a user");
        self.world.accounts.insert(id.into(), subject);
    }

    fn now(&self, node: usize) -> i64 {
        self.time + self.ahead[node]
    }

    async fn step(&mut self) {
        self.time += i64::try_from(self.numbers.below(20 * 60_000)).expect("a time");
        let node = self.numbers.index(2);
        match self.numbers.below(1_000) {
            0..700 => {
                let operation = self.random_change();
                self.run(node, operation).await;
            }
            700..780 => self.run_two().await,
            780..830 => self.drop_and_retry(node).await,
            830..880 => self.retry(node).await,
            880..920 => {
                let id = self.random_evaluation();
                self.run(node, Operation::Read(id)).await;
            }
            920..930 => self.run(node, Operation::Remind).await,
            930..945 => self.jump(),
            945..960 => self.go_to_the_end_of_a_contest_time(node),
            960..970 => self.set_rules(node).await,
            970..975 => self.nodes.restart(node).await,
            975..978 => {
                let person = self.random_person();
                self.run(node, Operation::Erase(person)).await;
            }
            _ => self.add_missing_account().await,
        }
    }

    fn random_person(&mut self) -> String {
        let colleagues = COLLEAGUES.map(|(id, ..)| id);
        let all: Vec<&str> = RIDERS.into_iter().chain(colleagues).collect();
        self.numbers.pick(&all).to_owned()
    }

    async fn add_missing_account(&mut self) {
        let person = self.random_person();
        if !self.world.accounts.contains_key(&person) {
            self.add(&person).await;
        }
    }

    /// Clocks differ by up to three days, and time may pass in which no call is made.
    fn jump(&mut self) {
        let days = i64::try_from(self.numbers.below(7)).expect("days");
        self.time += days * 24 * HOUR_MS;
        self.ahead = [0, 1].map(|_| self.numbers.around_zero(72 * 60) * 60_000);
    }

    /// Sets the clock of a node to the last millisecond in which an evaluation can be contested, or
    /// to the next one.
    fn go_to_the_end_of_a_contest_time(&mut self, node: usize) {
        let id = self.random_evaluation();
        let evaluation = self.world.evaluations.get(&id);
        if let Some(until) = evaluation.and_then(|evaluation| evaluation.state.contest_until) {
            let late = i64::try_from(self.numbers.below(2)).expect("a bit");
            self.ahead[node] = until + late - self.time;
            // The other one is right.
            self.ahead[1 - node] = 0;
        }
    }

    async fn set_rules(&mut self, node: usize) {
        let numbers = &mut self.numbers;
        let mut rule = |market: &str| ReviewRule {
            market: market.into(),
            contest_days: 1 + i64::try_from(numbers.below(9)).expect("days"),
            answer_days: 1 + i64::try_from(numbers.below(15)).expect("days"),
        };
        self.world.rules = vec![rule("*"), rule("IT")];
        let set = self.nodes.stores[node].set_review_rules(&self.world.rules).await;
        set.expect("works");
    }

    /// Runs an operation and compares its outcome.
    async fn run(&mut self, node: usize, operation: Operation) {
        let now = self.now(node);
        let outcome = run(&self.nodes.stores[node], &operation, now).await;
        let expected = self.world.apply(&operation, now);
        assert_eq!(outcome, expected, "{}: {operation:#?} at {now}", self.context);
        self.record(&outcome);
    }

    /// Runs two operations at the same time on both nodes: the outcome is that of one after the
    /// other.
    async fn run_two(&mut self) {
        let both = [self.random_change(), self.random_operation()];
        let now = [self.now(0), self.now(1)];
        let stores = &self.nodes.stores;
        let (first, second) =
            tokio::join!(run(&stores[0], &both[0], now[0]), run(&stores[1], &both[1], now[1]));
        let outcomes = [Some(first), Some(second)];
        let orders = [[0, 1], [1, 0]].map(|order| {
            let mut world = self.world.clone();
            let mut expected = [None, None];
            for node in order {
                expected[node] = Some(world.apply(&both[node], now[node]));
            }
            (expected, world)
        });
        let (expected, worlds): (Vec<_>, Vec<World>) = orders.into_iter().unzip();
        let is_possible = |order: &usize| expected[*order] == outcomes;
        let possible: Vec<usize> = [0, 1].into_iter().filter(is_possible).collect();
        let Some(first) = possible.first() else {
            panic!("{}: {both:#?} at {now:?} gave {outcomes:#?}, not {expected:#?}", self.context)
        };
        // A call need not show what the other one changed.
        let order = if possible.len() == 2 && worlds[0] != worlds[1] {
            let states = self.states().await;
            *possible.iter().find(|order| worlds[**order].states() == states).unwrap_or(first)
        } else {
            *first
        };
        self.world = worlds.into_iter().nth(order).expect("a world");
        outcomes.iter().flatten().for_each(|outcome| self.record(outcome));
    }

    /// Returns all evaluations as they are stored.
    async fn states(&self) -> Vec<Evaluation> {
        let select = "SELECT state FROM evaluations ORDER BY id";
        let states: Vec<String> = read!(self.nodes.stores[0], |pool| {
            sqlx::query_scalar(select).fetch_all(pool).await.expect("reads")
        });
        states.iter().map(|state| serde_json::from_str(state).expect("a state")).collect()
    }

    fn random_operation(&mut self) -> Operation {
        match self.numbers.below(20) {
            0 => Operation::Erase(self.random_person()),
            1..4 => Operation::Read(self.random_evaluation()),
            // The same call, as if a client had sent it twice.
            4..8 => match self.sent.last() {
                Some(last) => last.clone(),
                None => self.random_change(),
            },
            _ => self.random_change(),
        }
    }

    /// Drops a call at any instant. The client does not know its outcome and sends it again, to the
    /// other node: it takes effect once.
    async fn drop_and_retry(&mut self, node: usize) {
        let is_erasure = self.numbers.once_in(20);
        let operation =
            if is_erasure { Operation::Erase(self.random_person()) } else { self.with_key() };
        let (now, polls) = (self.now(node), self.numbers.below(60));
        let first = run(&self.nodes.stores[node], &operation, now);
        if dropped_after(polls, first).await.is_none() {
            *self.counts.entry("dropped".into()).or_default() += 1;
        }
        let outcome = run(&self.nodes.stores[1 - node], &operation, now).await;
        let expected = self.world.apply(&operation, now);
        if outcome != expected {
            // The first one took effect.
            let replayed = self.world.clone().apply(&operation, now);
            assert_eq!(outcome, replayed, "{}: {operation:#?} at {now}", self.context);
        }
        self.record(&outcome);
    }

    /// Sends an earlier request again, whose answer was lost, or another one with its key.
    async fn retry(&mut self, node: usize) {
        if self.sent.is_empty() {
            return;
        }
        let mut operation = self.sent[self.numbers.index(self.sent.len())].clone();
        if self.numbers.once_in(3)
            && let Operation::Change { reply: Some(reply), .. } = &mut operation
        {
            reply.request_sha256 = "another".into();
        }
        self.run(node, operation).await;
    }

    fn record(&mut self, outcome: &Outcome) {
        let mut count = |code: &str| *self.counts.entry(code.to_owned()).or_default() += 1;
        match outcome {
            Outcome::Changed(outcomes) => outcomes.iter().for_each(|outcome| match outcome {
                crate::ChangeOutcome::Refused(refusal, _) => count(refusal.code()),
                other => count(name_of(&format!("{other:?}"))),
            }),
            other => count(name_of(&format!("{other:?}"))),
        }
    }

    /// Compares the whole store with the expected state, and verifies its log.
    async fn compare_all(&mut self) {
        let store = &self.nodes.stores[0];
        let now = Instant::from_millis(self.time + 4 * 24 * HOUR_MS);
        let read_at = ReadAt { random: RANDOM, now };
        store.settle_evaluations(RANDOM, now).await.expect("works");
        for (id, known) in self.world.at_rest(now) {
            let read = store.evaluation(id, read_at).await.expect("reads").expect("exists");
            assert_eq!(read.evaluation, known.state, "{}", self.context);
            assert_eq!(read.person, known.person, "{}", self.context);
            let history = store.evaluation_history(id).await.expect("reads");
            assert_eq!(history.len(), known.records, "{}: {id}", self.context);
            let receipts = store.evaluation_receipts(id).await.expect("reads");
            assert_eq!(receipts.len(), known.records, "{}: {id}", self.context);
        }
        let count = "SELECT count(*) FROM evaluations";
        let rows: i64 =
            read!(store, |pool| sqlx::query_scalar(count).fetch_one(pool).await).expect("reads");
        assert_eq!(rows, self.world.evaluations.len() as i64, "{}", self.context);
        let events =
            "SELECT kind, count(*) FROM outbox WHERE kind LIKE 'evaluation.%' GROUP BY kind";
        let events: BTreeMap<String, u64> = read!(store, |pool| {
            let rows = sqlx::query(events).fetch_all(pool).await.expect("reads");
            rows.iter().map(|row| (row.get(0), row.get::<i64, _>(1).unsigned_abs())).collect()
        });
        let expected = self.world.events.iter().filter(|(_, count)| **count > 0);
        let expected = expected.map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
        assert_eq!(events, expected, "{}", self.context);
        assert_valid(store).await;
    }
}

/// Returns the name of a variant from its debug text.
fn name_of(text: &str) -> &str {
    text.split(['(', ' ']).next().unwrap_or(text)
}

/// SQLite reads the evaluations that a filter selects, and no others.
#[tokio::test]
async fn lists_read_the_selected_evaluations_only() {
    let (store, _dir) = super::store(Engine::Sqlite).await;
    let crate::db::Db::Sqlite(pools) = &store.db else { panic!("not SQLite") };
    for (filter, index) in [
        (EvaluationFilter { status: "PENDING".into(), ..Default::default() }, "(status=?"),
        (EvaluationFilter { due_before: Some(9), ..Default::default() }, "place<?"),
        (EvaluationFilter { person: "subject-r1".into(), ..Default::default() }, "(person=?"),
        (EvaluationFilter { reference: "shift-1".into(), ..Default::default() }, "(reference=?"),
    ] {
        let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", filter.statement()));
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(explain).fetch_all(&pools.read).await.expect("a plan");
        assert!(steps.iter().any(|(.., step)| step.contains(index)), "{index}: {steps:?}");
    }
}

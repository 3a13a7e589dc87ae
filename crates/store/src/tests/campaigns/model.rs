//! Random runs of campaigns: two nodes whose clocks differ and jump, crashes at any instant, pauses,
//! quiet hours, decisions, bounces, and erased riders. After each run, no rider has two messages of
//! a step, and each rider was notified or skipped with a reason.
//!
//! `MUSETTE_MODEL_RUNS` sets the number of runs on each engine. A failure names the seed of its run;
//! `MUSETTE_MODEL_SEED` starts with it.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use musette_core::campaigns::{Attempt, CampaignAction, CampaignStatus, DeliveryReport};
use musette_core::instant::Instant;
use sqlx::Row as _;

use super::super::evidence::assert_valid;
use super::super::random_runs::{Nodes, Numbers, dropped_after, runs_on_both, seeds, setting};
use super::super::submissions::rider;
use super::super::{NOW, in_time};
use super::{CampaignDefinition, Running, TERM, definition};
use crate::db::read;
use crate::{Engine, LeasedMessage, MarketFilter, ReportOutcome};

runs_on_both!(random_runs_tell_each_rider_once_for_each_step);

/// Runs on each engine in `make test`.
const RUNS: u64 = 12;
const RIDERS: u64 = 6;
const STEPS: u64 = 70;

async fn random_runs_tell_each_rider_once_for_each_step(engine: Engine) {
    for seed in seeds(setting("MUSETTE_MODEL_RUNS").unwrap_or(RUNS)) {
        // On the heap, because the calls of a step need a large stack.
        in_time(Box::pin(async {
            let mut model = Model::start(engine, seed).await;
            for _ in 0..STEPS {
                Box::pin(model.step()).await;
            }
            Box::pin(model.complete()).await;
            Box::pin(model.check()).await;
        }))
        .await;
    }
}

struct Model {
    /// The campaign, with the node that acts.
    running: Running,
    nodes: Nodes,
    numbers: Numbers,
    /// How far the clock of each node is ahead of the time.
    ahead: [i64; 2],
    time: Instant,
    /// ID and hash of the text of each message that left a node, by person and step.
    sent: HashMap<(String, i64), (String, String)>,
    /// Messages that were recorded as accepted, and of which no bounce was reported.
    accepted: BTreeSet<String>,
    erased: BTreeSet<String>,
    context: String,
}

/// Returns whether messages may be sent in the zone at this time: from 8 to 20 o'clock.
fn is_open(zone: &str, now: Instant) -> bool {
    let hours = match zone {
        "IT" => 1,
        "JP" => 9,
        "US" => -7,
        _ => 0,
    };
    (8..20).contains(&(now.millis() / 3_600_000 + hours).rem_euclid(24))
}

impl Model {
    async fn start(engine: Engine, seed: u64) -> Self {
        let mut numbers = Numbers::new(seed);
        let definition = CampaignDefinition { any_time: numbers.once_in(3), ..definition() };
        let mut running = Running::start_with(engine, 6, definition).await;
        let nodes = Nodes::of(running.store.clone(), running.dir.take()).await;
        Self {
            running,
            nodes,
            numbers,
            ahead: [0, 0],
            time: NOW,
            sent: HashMap::new(),
            accepted: BTreeSet::new(),
            erased: BTreeSet::new(),
            context: format!("MUSETTE_MODEL_SEED={seed}"),
        }
    }

    /// Lets a node act. Its clock may differ from the other's.
    fn select(&mut self, node: usize) {
        self.running.store = self.nodes.stores[node].clone();
        self.running.now = Instant::from_millis(self.time.millis() + self.ahead[node]);
    }

    /// Returns after how many polls the node crashes. Most calls end before.
    fn crash(&mut self) -> u64 {
        if self.numbers.once_in(4) { self.numbers.below(40) } else { u64::MAX }
    }

    async fn step(&mut self) {
        let node = self.numbers.index(2);
        self.select(node);
        let crash = self.crash();
        match self.numbers.below(40) {
            0..6 => drop(dropped_after(crash, self.running.prepare()).await),
            6..9 => self.prepare_on_both().await,
            9..22 => self.send(crash).await,
            22..24 => self.lease_on_both().await,
            24..27 => self.pause_or_resume(crash).await,
            27..29 => drop(dropped_after(crash, self.running.close(true)).await),
            29..31 => self.decide().await,
            31..33 => self.report(crash).await,
            33 => self.opt_out().await,
            34 => self.nodes.restart(node).await,
            35 => self.jump(),
            36 if self.numbers.once_in(6) => self.erase().await,
            _ => self.pass(20 * 60),
        }
    }

    fn pass(&mut self, seconds_max: u64) {
        let seconds = 1 + self.numbers.below(seconds_max);
        self.time = self.time.plus(Duration::from_secs(seconds));
    }

    fn jump(&mut self) {
        self.ahead = [0, 1].map(|_| self.numbers.around_zero(3_600) * 1_000);
        self.pass(12 * 3_600);
    }

    async fn prepare_on_both(&mut self) {
        self.select(0);
        let other = self.beside().await;
        tokio::join!(self.running.prepare(), other.prepare());
    }

    /// Returns the campaign on the second node.
    async fn beside(&self) -> Running {
        let store = self.nodes.stores[1].clone();
        Running {
            catalog: store.catalog().await.expect("reads"),
            store,
            dir: None,
            definition: self.running.definition.clone(),
            now: Instant::from_millis(self.time.millis() + self.ahead[1]),
        }
    }

    /// Leases messages, sends them, and records the results. A node that crashes between sends them
    /// and records nothing, or leases them and sends nothing.
    async fn send(&mut self, crash: u64) {
        let free = 1 + i64::try_from(self.numbers.below(4)).expect("a number");
        let now = self.running.now;
        let lease = self.running.lease_in(free, |zone| is_open(zone, now) || zone.is_empty());
        let Some(leased) = dropped_after(crash, lease).await else { return };
        self.record(&leased, now);
        if self.numbers.once_in(8) {
            return;
        }
        let attempt = match self.numbers.below(8) {
            0 => Attempt::Deferred("4.2.0".into()),
            1 => Attempt::Bounced("5.1.1".into()),
            2 => Attempt::Unanswered,
            3 => Attempt::Unreachable,
            _ => Attempt::Accepted,
        };
        let ids: Vec<String> = leased.iter().map(|message| message.id.clone()).collect();
        let crash = self.crash();
        let settled = dropped_after(crash, self.running.settle(leased, &attempt)).await;
        if settled.is_some() && attempt == Attempt::Accepted {
            self.accepted.extend(ids);
        }
    }

    /// Both nodes lease at the same time, and crash after they have sent.
    async fn lease_on_both(&mut self) {
        self.select(0);
        let other = self.beside().await;
        let (now, other_now) = (self.running.now, other.now);
        let (first, second) = tokio::join!(
            self.running.lease_in(3, |zone| is_open(zone, now) || zone.is_empty()),
            other.lease_in(3, |zone| is_open(zone, other_now) || zone.is_empty()),
        );
        self.record(&first, now);
        self.record(&second, other_now);
    }

    #[track_caller]
    fn record(&mut self, leased: &[LeasedMessage], now: Instant) {
        for message in leased {
            let zone = message.recipient.market.as_deref().unwrap_or("UTC");
            let is_quiet = !self.running.definition.any_time && !is_open(zone, now);
            assert!(!is_quiet, "{}: told in quiet hours", self.context);
            let of = (message.recipient.subject.clone(), message.step);
            let contact = (message.id.clone(), message.text.sha256.clone());
            let first = self.sent.entry(of).or_insert_with(|| contact.clone());
            assert_eq!(*first, contact, "{}: contacted twice", self.context);
            assert!(!message.recipient.has_decided, "{}: told after deciding", self.context);
        }
    }

    async fn pause_or_resume(&mut self, crash: u64) {
        let action = match self.running.campaign().await.status {
            CampaignStatus::Running => CampaignAction::Pause,
            CampaignStatus::Paused => CampaignAction::Resume,
            _ => return,
        };
        dropped_after(crash, self.running.act(action)).await;
        let is_running = self.running.campaign().await.status == CampaignStatus::Running;
        self.running.close(is_running).await;
    }

    fn random_rider(&mut self) -> (String, String) {
        let i = 1 + self.numbers.below(RIDERS);
        (format!("r{i}"), format!("subject-r{i}"))
    }

    async fn decide(&mut self) {
        let (id, subject) = self.random_rider();
        if !self.erased.contains(&subject) {
            let submission = rider(&self.running.store, &id, &[(TERM, true)]).await;
            self.running.store.record(&[submission]).await.expect("works");
        }
    }

    /// Reports the bounce of a message that was sent.
    async fn report(&mut self, crash: u64) {
        let mut ids: Vec<&String> = self
            .sent
            .iter()
            .filter(|((subject, _), _)| !self.erased.contains(subject))
            .map(|(_, (id, _))| id)
            .collect();
        ids.sort();
        if ids.is_empty() {
            return;
        }
        let id = ids[self.numbers.index(ids.len())].clone();
        let report = DeliveryReport {
            message_id: format!("{id}@larkspur.example"),
            action: "failed".into(),
            status: self.numbers.pick(&["4.4.1", "5.2.2"]).into(),
        };
        let recorded = self.running.store.record_report(&id, &report, self.running.now);
        if let Some(outcome) = dropped_after(crash, recorded).await {
            // A message that reached no server is unknown.
            let is_known = outcome.expect("works") != ReportOutcome::Unknown;
            assert!(is_known || !self.accepted.contains(&id), "{}: {id}", self.context);
        }
        self.accepted.remove(&id);
    }

    async fn opt_out(&mut self) {
        let messages: BTreeSet<&String> = self.sent.values().map(|(id, _)| id).collect();
        if let Some(id) = messages.first() {
            let opted_out = self.running.store.opt_out_of_notices(id, self.running.now).await;
            opted_out.expect("works");
        }
    }

    async fn erase(&mut self) {
        let (id, subject) = self.random_rider();
        assert_eq!(
            self.running.store.erase_user(&id, self.running.now).await.expect("works"),
            !self.erased.contains(&subject),
        );
        self.erased.insert(subject);
    }

    /// Lets the campaign run to its end.
    async fn complete(&mut self) {
        for _ in 0..600 {
            self.select(0);
            match self.running.campaign().await.status {
                CampaignStatus::Finished => return,
                CampaignStatus::Paused => drop(self.running.act(CampaignAction::Resume).await),
                _ => {}
            }
            self.running.prepare().await;
            let now = self.running.now;
            let leased =
                self.running.lease_in(9, |zone| is_open(zone, now) || zone.is_empty()).await;
            self.record(&leased, now);
            self.accepted.extend(leased.iter().map(|message| message.id.clone()));
            self.running.settle(leased, &Attempt::Accepted).await;
            self.running.finish().await;
            self.time = self.time.plus(Duration::from_secs(3_600));
        }
        panic!("{}: the campaign does not finish", self.context);
    }

    async fn check(&mut self) {
        let (running, context) = (&self.running, &self.context);
        let rows = "SELECT id, coalesce(person, '') AS person, step, status,
            coalesce(reason, '') AS reason, coalesce(outcome, '') AS outcome FROM notice_messages";
        let rows: Vec<[String; 6]> = read!(running.store, |pool| {
            let rows = sqlx::query(rows).fetch_all(pool).await.expect("reads");
            rows.iter()
                .map(|row| {
                    let step: i64 = row.get("step");
                    let text = |column: &str| row.get::<String, _>(column);
                    [
                        text("id"),
                        text("person"),
                        step.to_string(),
                        text("status"),
                        text("reason"),
                        text("outcome"),
                    ]
                })
                .collect()
        });
        let mut steps = BTreeSet::new();
        for [id, person, step, status, reason, outcome] in &rows {
            let is_told = status == "done" && !outcome.is_empty();
            let is_skipped = status == "skipped" && !reason.is_empty();
            assert!(is_told || is_skipped || status == "erased", "{context}: {id} is {status}");
            assert!(status == "erased" || steps.insert((person, step)), "{context}: two messages");
            let is_accepted = outcome == "accepted" || status == "erased";
            assert!(!self.accepted.contains(id) || is_accepted, "{context}: {id} was accepted");
        }
        // Each pass has a message for each rider who had not decided.
        let audience = running.audience();
        let (of, markets) = (("c1", &audience), MarketFilter::EVERYWHERE);
        let people = running.store.people_of_campaign(of, &markets, "", 100).await.expect("reads");
        let passes = running.store.campaign_passes("c1").await.expect("reads");
        let planned: BTreeSet<usize> = passes.iter().flat_map(|pass| pass.steps.clone()).collect();
        assert_eq!(planned.len(), running.definition.steps.len(), "{context}: a step is missing");
        for person in people.iter().filter(|person| !person.has_decided) {
            for pass in &passes {
                let count = pass
                    .steps
                    .iter()
                    .filter(|step| steps.contains(&(&person.subject, &step.to_string())))
                    .count();
                assert_eq!(count, 1, "{context}: {} was missed", person.user_id);
            }
        }
        assert_valid(&running.store).await;
    }
}

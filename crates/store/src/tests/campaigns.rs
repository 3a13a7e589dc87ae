//! Campaigns: messages are leased once, survive crashes, and are proved by batches.

mod model;

use std::collections::BTreeMap;
use std::time::Duration;

use musette_core::campaigns::{
    Attempt, CampaignAction, CampaignDefinition, CampaignStep, CampaignText, Channel, Period,
    StepTime, text_sha256,
};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Term};
use sqlx::{AssertSqlSafe, Executor as _};

use super::evidence::assert_valid;
use super::submissions::with_terms;
use super::{NOW, on_both};
use crate::db::modify;
use crate::decisions::Randomness;
use crate::{
    Audience, Campaign, ComposedText, Engine, LeaseLimits, LeasedMessage, MarketFilter, NewUser,
    Preparing, Recipient, SettledMessage, Store,
};

on_both!(
    leases_each_message_once_until_the_lease_ends,
    a_changed_message_is_detected,
    an_erased_rider_leaves_only_the_leaf,
);

fn bytes() -> [u8; 32] {
    [7; 32]
}

const RANDOM: Randomness = Randomness { bytes, uuid: super::next_id };
const TERM: i64 = 3;
/// Names of markets, and of their time zones in these tests.
const MARKETS: [&str; 3] = ["IT", "JP", "US"];
const LEASE: Duration = Duration::from_secs(20);

fn definition() -> CampaignDefinition {
    let step = |days: &str, channel| CampaignStep {
        at: StepTime::AfterStart(Period::parse(days).expect("a period")),
        channel,
    };
    let text = CampaignText { subject: "a".into(), body: "b".into() };
    CampaignDefinition {
        term_id: TERM,
        market: None,
        steps: vec![step("P0D", Channel::Email), step("PT1H", Channel::Email)],
        texts: BTreeMap::from([("en".to_owned(), text)]),
        any_time: true,
    }
}

fn compose(_: &Recipient, step: i64) -> Option<ComposedText> {
    let (subject, body) = (format!("step {step}"), "b".to_owned());
    let sha256 = text_sha256(Channel::Email, &subject, &body);
    Some(ComposedText { locale: "en".into(), subject, body, sha256 })
}

/// A running campaign with its riders.
struct Running {
    store: std::sync::Arc<Store>,
    dir: Option<tempfile::TempDir>,
    catalog: Catalog,
    definition: CampaignDefinition,
    now: Instant,
}

impl Running {
    async fn start(engine: Engine, riders: usize) -> Self {
        Self::start_with(engine, riders, definition()).await
    }

    /// Starts a campaign. Riders after the second one work in different markets.
    async fn start_with(engine: Engine, riders: usize, definition: CampaignDefinition) -> Self {
        let (store, dir) = with_terms(engine).await;
        for i in 1..=riders {
            let new = NewUser {
                id: format!("r{i}"),
                roles: vec![musette_core::session::Role::Rider.into()],
                name: None,
                email: Some(format!("r{i}@larkspur.example")),
                phone: None,
                market: Some(MARKETS[i % MARKETS.len()]).and_then(Market::from_stored),
                // The first two exist and keep their subjects.
                subject: format!("{}-r{i}", if i <= 2 { "unused" } else { "subject" }),
                subject_key: "aa".repeat(32),
            };
            store.add_user(&new, NOW).await.expect("a user");
        }
        // Riders of the fixture without an address are not addressed by e-mail.
        let catalog = store.catalog().await.expect("reads");
        let running = Self { store, dir, catalog, definition, now: NOW };
        running
            .store
            .add_campaign("c1", &running.definition, "subject-r1", NOW)
            .await
            .expect("adds");
        running.act(CampaignAction::Start).await;
        running
    }

    fn term(&self) -> &Term {
        self.catalog.get(TERM).expect("a term")
    }

    fn audience(&self) -> Audience<'_> {
        let versions = [TERM].into_iter();
        Audience::new(&self.definition, self.term(), MarketFilter::EVERYWHERE, versions)
    }

    async fn campaign(&self) -> Campaign {
        self.store.campaign("c1").await.expect("reads").expect("a campaign")
    }

    async fn act(&self, action: CampaignAction) -> bool {
        let campaign = self.campaign().await;
        let planned = self.store.campaign_passes("c1").await.expect("reads");
        let passes = match action {
            CampaignAction::Start | CampaignAction::Resume => {
                campaign.new_passes(self.term(), &planned, self.now)
            }
            _ => Vec::new(),
        };
        self.store.set_campaign_status(&campaign, action, &passes, self.now).await.expect("works")
    }

    async fn prepare(&self) {
        let zone_of = |market: Option<&str>| market.unwrap_or("UTC").to_owned();
        let preparing = Preparing { campaign: "c1", zone_of: &zone_of, random: RANDOM };
        for pass in self.store.campaign_passes("c1").await.expect("reads") {
            if pass.prepared_at.is_none() && pass.due_at <= self.now {
                let audience = self.audience();
                let prepared =
                    self.store.prepare_messages(&pass, &audience, preparing, self.now).await;
                prepared.expect("works");
            }
        }
    }

    async fn lease(&self, free: i64) -> Vec<LeasedMessage> {
        self.lease_in(free, |_| true).await
    }

    /// Leases messages in the time zones that are open.
    async fn lease_in(&self, free: i64, is_open: impl Fn(&str) -> bool) -> Vec<LeasedMessage> {
        let limits = LeaseLimits { free, rate: 10_000, until: self.now.plus(LEASE) };
        let zones: Vec<String> = self
            .store
            .waiting_zones("c1")
            .await
            .expect("reads")
            .into_iter()
            .map(|(zone, _)| zone)
            .filter(|zone| is_open(zone))
            .collect();
        let audience = self.audience();
        let of = ("c1", &audience);
        let leased =
            self.store.lease_messages(of, &zones, limits, &compose, self.now).await.expect("works");
        leased.messages
    }

    async fn settle(&self, messages: Vec<LeasedMessage>, attempt: &Attempt) {
        let settled = |message| SettledMessage { message, attempt: attempt.clone(), at: self.now };
        let settled: Vec<SettledMessage> = messages.into_iter().map(settled).collect();
        self.store.settle_messages("c1", TERM, &settled).await.expect("works");
    }

    async fn close(&self, is_running: bool) {
        let campaign = self.campaign().await;
        self.store.close_batches(&campaign, is_running, RANDOM, self.now).await.expect("works");
    }

    async fn finish(&self) {
        self.close(true).await;
        self.store.finish_campaign("c1", self.now).await.expect("works");
    }

    fn pass_time(&mut self, seconds: u64) {
        self.now = self.now.plus(Duration::from_secs(seconds));
    }

    async fn run(&self, sql: &str) {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        modify!(self.store, |pool| pool.execute(sql).await.map(drop)).expect("works");
    }
}

async fn leases_each_message_once_until_the_lease_ends(engine: Engine) {
    let mut running = Running::start(engine, 3).await;
    running.prepare().await;
    let first = running.lease(2).await;
    assert_eq!(first.len(), 2);
    let second = running.lease(9).await;
    assert_eq!(second.len(), 1, "the others are leased");
    running.settle(second, &Attempt::Accepted).await;
    running.pass_time(19);
    assert_eq!(running.lease(9).await, []);
    running.pass_time(2);
    let mut repeated = running.lease(9).await;
    repeated.sort_by(|one, other| one.id.cmp(&other.id));
    let mut ids: Vec<&String> = first.iter().map(|message| &message.id).collect();
    ids.sort();
    assert_eq!(repeated.iter().map(|message| &message.id).collect::<Vec<_>>(), ids);
    assert!(repeated.iter().all(|message| message.was_in_doubt && message.attempts == 2));
    assert!(repeated.iter().all(|message| message.sent_at == NOW), "the date stays the same");
    running.settle(repeated, &Attempt::Deferred("4.7.1".into())).await;
    running.pass_time(14 * 60);
    assert_eq!(running.lease(9).await, []);
    running.pass_time(2 * 60);
    let retried = running.lease(9).await;
    assert_eq!(retried.len(), 2);
    assert!(retried.iter().all(|message| !message.was_in_doubt), "the refusal was an answer");
    assert!(running.act(CampaignAction::Pause).await);
    running.settle(retried, &Attempt::Bounced("5.1.1".into())).await;
    running.close(false).await;
    let counts = running.store.count_messages("c1").await.expect("reads");
    let outcomes: Vec<_> = counts
        .iter()
        .filter_map(|count| Some((count.outcome.as_deref()?, count.messages)))
        .collect();
    assert_eq!(outcomes.iter().map(|(_, n)| n).sum::<i64>(), 3);
    assert!(outcomes.contains(&("bounced", 2)) && outcomes.contains(&("accepted", 1)));
    assert_valid(&running.store).await;
}

async fn a_changed_message_is_detected(engine: Engine) {
    let running = Running::start(engine, 3).await;
    running.prepare().await;
    let leased = running.lease(9).await;
    running.settle(leased, &Attempt::Accepted).await;
    running.close(false).await;
    assert_valid(&running.store).await;
    let id = "(SELECT min(id) FROM notice_messages WHERE batch IS NOT NULL)";
    for change in [
        "sha256 = 'x'",
        "sent_at = sent_at + 1",
        "channel = 'sms'",
        "step = 9",
        "locale = 'de'",
        "person = 'subject-r9'",
        "person = NULL, record = NULL, salt = NULL, leaf = NULL",
        "salt = repeat('ab', 32)",
        "record = record || ' '",
        "leaf = repeat('ab', 32)",
        "idx = 7",
        "batch = 'other'",
    ] {
        // SQLite has no such function.
        let change = change.replace("repeat('ab', 32)", &format!("'{}'", "ab".repeat(32)));
        running.run("CREATE TABLE saved AS SELECT * FROM notice_messages").await;
        running.run(&format!("UPDATE notice_messages SET {change} WHERE id = {id}")).await;
        let errors = super::evidence::verify(&running.store, None).await.errors;
        assert!(errors.iter().any(|error| error.table == "notice_messages"), "{change}");
        running.run("DELETE FROM notice_messages").await;
        running.run("INSERT INTO notice_messages SELECT * FROM saved").await;
        running.run("DROP TABLE saved").await;
    }
    assert_valid(&running.store).await;
    let change = "UPDATE notice_batches SET count = 9";
    let refused = modify!(running.store, |pool| pool.execute(change).await.map(drop));
    assert!(refused.is_err(), "a batch is immutable");
}

async fn an_erased_rider_leaves_only_the_leaf(engine: Engine) {
    let running = Running::start(engine, 3).await;
    running.prepare().await;
    let leased = running.lease(9).await;
    running.settle(leased, &Attempt::Accepted).await;
    running.store.opt_out_of_notices("none", running.now).await.expect("works");
    running.close(false).await;
    assert!(running.store.erase_user("r2", NOW).await.expect("erases"));
    assert_valid(&running.store).await;
    let audience = running.audience();
    let people = running.store.recipients(&audience, &["subject-r1", "subject-r2"]).await;
    let people = people.expect("reads");
    assert_eq!(people.len(), 1, "one of them was erased");
    let messages = running.store.messages_of("c1", &people).await.expect("reads");
    let proof = running.store.message_proof(&messages[0].id).await.expect("reads");
    assert_eq!(proof.expect("a proof").count, 3, "the leaf of the other remains");
    let proofs = running.store.message_proofs_of("subject-r2").await.expect("reads");
    assert_eq!(proofs, []);
}

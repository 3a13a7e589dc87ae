//! Tests that a copy built from the pages of the gate equals the answers for all riders, whatever
//! happens meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::RoleGrant;
use musette_core::terms::{GateAnswer, TermId, TermType};
use sha2::Digest as _;

use super::{NOW, add_user, on_both, store};
use crate::markets::filter::MarketFilter;
use crate::{Engine, GateItem, GatePage, GatePlace, GateTermCache, Store};

mod month;

on_both!(
    stores_nothing_before_the_first_read,
    reports_a_person_who_is_no_longer_a_rider,
    reports_an_erasure_for_a_day,
    reports_people_who_leave_the_readers_market,
    a_page_starts_after_the_previous_one,
);

type Answer = (bool, Vec<TermId>, Option<Instant>);

fn types() -> Vec<TermType> {
    ["FREELANCER", "MARKETING"].iter().filter_map(|kind| TermType::parse(kind)).collect()
}

/// A client that maintains a copy.
#[derive(Default, Clone)]
struct Reader {
    place: Option<GatePlace>,
    copy: BTreeMap<String, Answer>,
    market: MarketFilter,
    /// The items of the last reading.
    items: Vec<GateItem>,
}

impl Reader {
    fn of(market: &str) -> Self {
        let market = Market::from_stored(market).expect("a market");
        Self { market: MarketFilter::inside(&[market]), ..Self::default() }
    }

    fn take(&mut self, item: &GateItem) {
        match item.clone() {
            GateItem::Answer { user_id, may_work, reasons, changes_at } => {
                self.copy.insert(user_id, (may_work, reasons, changes_at));
            }
            GateItem::Left { user_id } => drop(self.copy.remove(&user_id)),
            GateItem::Erased { user_id_sha256 } => {
                let hash = |id: &str| hex::encode(sha2::Sha256::digest(id));
                self.copy.retain(|id, _| hash(id) != user_id_sha256);
            }
        }
    }

    /// Reads one page and returns whether it had items; `None` if the position is no longer
    /// available.
    async fn page(&mut self, store: &Store, limit: i64, now: Instant) -> Option<bool> {
        catch_up(store, now).await;
        let page = store.gate_page(self.place.as_ref(), &self.market, limit, now).await;
        let GatePage::Items(page_items, place) = page.expect("reads") else { return None };
        assert!(i64::try_from(page_items.len()).expect("few") <= limit);
        page_items.iter().for_each(|item| self.take(item));
        self.place = Some(place);
        let is_empty = page_items.is_empty();
        self.items.extend(page_items);
        Some(!is_empty)
    }

    async fn read(&mut self, store: &Store, limit: i64, now: Instant) {
        self.items.clear();
        while self.page(store, limit, now).await.expect("the position is available") {}
    }
}

async fn catch_up(store: &Store, now: Instant) {
    let mut keeper = GateTermCache::default();
    while store.gate_state(now).await.expect("reads").is_some_and(|state| state.is_behind) {
        store.update_gate(&mut keeper, &types(), now).await.expect("steps");
    }
}

/// Computes the answers about these riders, like `/outstanding`.
async fn answers(store: &Store, riders: &[String], now: Instant) -> BTreeMap<String, Answer> {
    let catalog = store.catalog().await.expect("reads");
    let mut all = BTreeMap::new();
    for id in riders {
        let Some(user) = store.user(id).await.expect("reads") else { continue };
        let is_rider = user.roles.iter().any(|grant| grant.to_string() == "rider");
        if !is_rider {
            continue;
        }
        let decisions = store.decisions(&user.subject).await.expect("reads");
        let market = store.market_of(&user.subject).await.expect("reads");
        let answer = GateAnswer::of(&catalog, &decisions, &types(), market.as_ref(), now);
        all.insert(id.clone(), (answer.may_work(), answer.reasons.clone(), answer.changes_at));
    }
    all
}

async fn enabled_store(engine: Engine, riders: &[&str]) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = store(engine).await;
    for id in riders {
        add_user(&store, id).await;
    }
    store.enable_gate("epoch").await.expect("enables the gate");
    (store, dir)
}

async fn stores_nothing_before_the_first_read(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    assert!(!store.gate_is_enabled().await.expect("reads"));
    assert_eq!(store.gate_state(NOW).await.expect("reads"), None);
    let rows = store.rows_of_person("r1", "").await.expect("reads");
    assert!(rows["gate_touched"].is_empty() && rows["gate_states"].is_empty());
    store.enable_gate("one").await.expect("enables the gate");
    store.enable_gate("two").await.expect("a second call changes nothing");
    let mut reader = Reader::default();
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.copy, answers(&store, &["r1".into()], NOW).await);
    assert_eq!(reader.place.expect("a place").epoch, "one");
    let quiet = store.events_after(None, &["gate.changed"], 10).await.expect("reads");
    assert!(matches!(quiet, crate::EventPage::Kept(events, _) if events.is_empty()));
}

async fn reports_a_person_who_is_no_longer_a_rider(engine: Engine) {
    let (store, _dir) = enabled_store(engine, &["r1", "r2", "boss"]).await;
    let roles = |all: &[&str]| -> Vec<RoleGrant> {
        all.iter().filter_map(|role| RoleGrant::parse(role)).collect()
    };
    assert!(store.set_roles("boss", &roles(&["admin"]), NOW).await.expect("works"));
    let mut reader = Reader::default();
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.copy.len(), 2);
    assert!(store.set_roles("r1", &roles(&["viewer"]), NOW).await.expect("works"));
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.items, [GateItem::Left { user_id: "r1".into() }]);
    assert!(store.set_roles("r1", &roles(&["rider"]), NOW).await.expect("works"));
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.copy.len(), 2);
}

async fn reports_an_erasure_for_a_day(engine: Engine) {
    let (store, _dir) = enabled_store(engine, &["r1", "r2"]).await;
    let (mut reader, mut late) = (Reader::default(), Reader::default());
    reader.read(&store, 10, NOW).await;
    late.read(&store, 10, NOW).await;
    assert!(store.erase_user("r1", NOW).await.expect("erases"));
    reader.read(&store, 10, NOW).await;
    let hash = hex::encode(sha2::Sha256::digest("r1"));
    assert_eq!(reader.items, [GateItem::Erased { user_id_sha256: hash }]);
    assert_eq!(reader.copy.keys().collect::<Vec<_>>(), ["r2"]);
    let rows = store.rows_of_person("r1", "").await.expect("reads");
    for table in ["gate_states", "gate_left", "gate_touched"] {
        assert!(rows[table].is_empty(), "{table}");
    }
    let day = NOW.plus(crate::ERASED_TOLD);
    assert_eq!(
        reader.page(&store, 10, day).await,
        Some(false),
        "the reader has seen the erasure in time"
    );
    assert_eq!(late.page(&store, 10, day).await, None, "the position is no longer available");
    store.delete_erased_from_gate(day).await.expect("forgets");
    assert_eq!(reader.page(&store, 10, day).await, Some(false));
    assert_eq!(late.page(&store, 10, day).await, None, "the position is no longer available");
}

async fn reports_people_who_leave_the_readers_market(engine: Engine) {
    let (store, _dir) = enabled_store(engine, &["r1", "r2"]).await;
    let move_to = async |id: &str, market: &str| {
        let market = Market::from_stored(market).expect("a market");
        store.move_person(id, Some(&market)).await.expect("moves");
    };
    move_to("r1", "DE-BE").await;
    let (mut all, mut germany) = (Reader::default(), Reader::of("DE"));
    all.read(&store, 10, NOW).await;
    germany.read(&store, 10, NOW).await;
    assert_eq!(germany.copy.keys().collect::<Vec<_>>(), ["r1"]);
    move_to("r1", "DE-BB").await;
    germany.read(&store, 10, NOW).await;
    assert_eq!(germany.copy.len(), 1, "the place is in the market too");
    move_to("r1", "FR").await;
    germany.read(&store, 10, NOW).await;
    assert_eq!(germany.items, [GateItem::Left { user_id: "r1".into() }]);
    move_to("r1", "UY").await;
    germany.read(&store, 10, NOW).await;
    assert_eq!(germany.items, [], "it is reported once");
    all.read(&store, 10, NOW).await;
    assert!(
        all.items.iter().all(|item| matches!(item, GateItem::Answer { .. })),
        "{:?}",
        all.items
    );
    store.erase_user("r1", NOW).await.expect("erases");
    let mut france = Reader::of("FR-IDF");
    france.read(&store, 10, NOW).await;
    assert_eq!(france.items, []);
}

async fn a_page_starts_after_the_previous_one(engine: Engine) {
    let riders: Vec<String> = (0..7).map(|i| format!("r{i}")).collect();
    let ids: Vec<&str> = riders.iter().map(String::as_str).collect();
    let (store, _dir) = enabled_store(engine, &ids).await;
    let mut reader = Reader::default();
    reader.read(&store, 2, NOW).await;
    assert_eq!(reader.items.len(), 7, "each rider is reported once");
    assert_eq!(reader.copy, answers(&store, &riders, NOW).await);
    let elsewhere = GatePlace { epoch: "another".into(), ..reader.place.clone().expect("one") };
    let result = store.gate_page(Some(&elsewhere), &reader.market, 2, NOW).await;
    assert_eq!(result.expect("reads"), GatePage::Gone);
    let later = NOW.plus(Duration::from_secs(1));
    reader.read(&store, 2, later).await;
    assert_eq!(reader.items, []);
}

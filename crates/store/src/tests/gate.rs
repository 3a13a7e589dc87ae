//! The gate: a copy that is kept from its pages equals the answers of everybody, whatever happens meanwhile.

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
use crate::{Engine, GateItem, GateKeeper, GatePage, GatePlace, Store};

mod month;

on_both!(
    nothing_is_kept_before_somebody_asks,
    who_is_no_rider_any_more_left,
    an_erased_person_is_told_of_for_a_day,
    a_reader_of_one_market_sees_who_leaves_it,
    a_page_begins_where_the_last_one_ended,
);

type Answer = (bool, Vec<TermId>, Option<Instant>);

fn types() -> Vec<TermType> {
    ["FREELANCER", "MARKETING"].iter().filter_map(|it| TermType::parse(it)).collect()
}

/// A program that keeps a copy.
#[derive(Default, Clone)]
struct Reader {
    place: Option<GatePlace>,
    copy: BTreeMap<String, Answer>,
    market: MarketFilter,
    /// What the last reading told.
    told: Vec<GateItem>,
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

    /// One page; whether there was anything in it. None: gone.
    async fn page(&mut self, store: &Store, limit: i64, now: Instant) -> Option<bool> {
        catch_up(store, now).await;
        let page = store.gate_page(self.place.as_ref(), &self.market, limit, now).await;
        let GatePage::Items(items, place) = page.expect("reads") else { return None };
        assert!(i64::try_from(items.len()).expect("few") <= limit);
        items.iter().for_each(|item| self.take(item));
        self.place = Some(place);
        let is_empty = items.is_empty();
        self.told.extend(items);
        Some(!is_empty)
    }

    async fn read(&mut self, store: &Store, limit: i64, now: Instant) {
        self.told.clear();
        while self.page(store, limit, now).await.expect("is not gone") {}
    }
}

async fn catch_up(store: &Store, now: Instant) {
    let mut keeper = GateKeeper::default();
    while store.gate_state(now).await.expect("reads").is_some_and(|it| it.is_behind) {
        store.step_gate(&mut keeper, &types(), now).await.expect("steps");
    }
}

/// The answers of these riders, as `/outstanding` finds them.
async fn answers(store: &Store, riders: &[String], now: Instant) -> BTreeMap<String, Answer> {
    let catalog = store.catalog().await.expect("reads");
    let mut all = BTreeMap::new();
    for id in riders {
        let Some(user) = store.user(id).await.expect("reads") else { continue };
        let is_rider = user.roles.iter().any(|it| it.to_string() == "rider");
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

async fn kept(engine: Engine, riders: &[&str]) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = store(engine).await;
    for id in riders {
        add_user(&store, id).await;
    }
    store.keep_gate("epoch").await.expect("begins");
    (store, dir)
}

async fn nothing_is_kept_before_somebody_asks(engine: Engine) {
    let (store, _dir) = store(engine).await;
    add_user(&store, "r1").await;
    assert!(!store.gate_is_kept().await.expect("reads"));
    assert_eq!(store.gate_state(NOW).await.expect("reads"), None);
    let rows = store.rows_of_person("r1", "").await.expect("reads");
    assert!(rows["gate_touched"].is_empty() && rows["gate_states"].is_empty());
    store.keep_gate("one").await.expect("begins");
    store.keep_gate("two").await.expect("changes nothing");
    let mut reader = Reader::default();
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.copy, answers(&store, &["r1".into()], NOW).await);
    assert_eq!(reader.place.expect("a place").epoch, "one");
    let quiet = store.events_after(None, &["gate.changed"], 10).await.expect("reads");
    assert!(matches!(quiet, crate::EventPage::Kept(events, _) if events.is_empty()));
}

async fn who_is_no_rider_any_more_left(engine: Engine) {
    let (store, _dir) = kept(engine, &["r1", "r2", "boss"]).await;
    let roles = |all: &[&str]| -> Vec<RoleGrant> {
        all.iter().filter_map(|it| RoleGrant::parse(it)).collect()
    };
    assert!(store.set_roles("boss", &roles(&["admin"]), NOW).await.expect("works"));
    let mut reader = Reader::default();
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.copy.len(), 2);
    assert!(store.set_roles("r1", &roles(&["viewer"]), NOW).await.expect("works"));
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.told, [GateItem::Left { user_id: "r1".into() }]);
    assert!(store.set_roles("r1", &roles(&["rider"]), NOW).await.expect("works"));
    reader.read(&store, 10, NOW).await;
    assert_eq!(reader.copy.len(), 2);
}

async fn an_erased_person_is_told_of_for_a_day(engine: Engine) {
    let (store, _dir) = kept(engine, &["r1", "r2"]).await;
    let (mut reader, mut late) = (Reader::default(), Reader::default());
    reader.read(&store, 10, NOW).await;
    late.read(&store, 10, NOW).await;
    assert!(store.erase_user("r1", NOW).await.expect("erases"));
    reader.read(&store, 10, NOW).await;
    let hash = hex::encode(sha2::Sha256::digest("r1"));
    assert_eq!(reader.told, [GateItem::Erased { user_id_sha256: hash }]);
    assert_eq!(reader.copy.keys().collect::<Vec<_>>(), ["r2"]);
    let rows = store.rows_of_person("r1", "").await.expect("reads");
    for table in ["gate_states", "gate_left", "gate_touched"] {
        assert!(rows[table].is_empty(), "{table}");
    }
    let day = NOW.plus(crate::ERASED_TOLD);
    assert_eq!(reader.page(&store, 10, day).await, Some(false), "knew it in time");
    assert_eq!(late.page(&store, 10, day).await, None, "is gone");
    store.forget_erased_at_gate(day).await.expect("forgets");
    assert_eq!(reader.page(&store, 10, day).await, Some(false));
    assert_eq!(late.page(&store, 10, day).await, None, "is gone");
}

async fn a_reader_of_one_market_sees_who_leaves_it(engine: Engine) {
    let (store, _dir) = kept(engine, &["r1", "r2"]).await;
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
    assert_eq!(germany.copy.len(), 1, "it is inside as well");
    move_to("r1", "FR").await;
    germany.read(&store, 10, NOW).await;
    assert_eq!(germany.told, [GateItem::Left { user_id: "r1".into() }]);
    move_to("r1", "UY").await;
    germany.read(&store, 10, NOW).await;
    assert_eq!(germany.told, [], "it comes once");
    all.read(&store, 10, NOW).await;
    assert!(all.told.iter().all(|it| matches!(it, GateItem::Answer { .. })), "{:?}", all.told);
    store.erase_user("r1", NOW).await.expect("erases");
    let mut france = Reader::of("FR-IDF");
    france.read(&store, 10, NOW).await;
    assert_eq!(france.told, []);
}

async fn a_page_begins_where_the_last_one_ended(engine: Engine) {
    let riders: Vec<String> = (0..7).map(|i| format!("r{i}")).collect();
    let ids: Vec<&str> = riders.iter().map(String::as_str).collect();
    let (store, _dir) = kept(engine, &ids).await;
    let mut reader = Reader::default();
    reader.read(&store, 2, NOW).await;
    assert_eq!(reader.told.len(), 7, "everybody comes once");
    assert_eq!(reader.copy, answers(&store, &riders, NOW).await);
    let elsewhere = GatePlace { epoch: "another".into(), ..reader.place.clone().expect("one") };
    let refused = store.gate_page(Some(&elsewhere), &reader.market, 2, NOW).await;
    assert_eq!(refused.expect("reads"), GatePage::Gone);
    let later = NOW.plus(Duration::from_secs(1));
    reader.read(&store, 2, later).await;
    assert_eq!(reader.told, []);
}

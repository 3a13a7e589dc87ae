//! Simulates a month of a company. After each event, copies from the feed of the gate equal the
//! answers about all riders. Readers crash and continue with an older copy, and so does the process
//! that updates the gate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::RoleGrant;
use musette_core::terms::{
    Decisions, EndingChange, NewTerm, TermId, TermKind, TermType, Variant, outstanding,
};

use super::{NOW, Reader, add_user, answers, catch_up, on_both, store, types};
use crate::tests::submissions::{applicant, claim, receipt, rider};
use crate::tests::{document, new_term, sha256};
use crate::{Engine, EventPage, GateTermCache, Store, SubmissionOutcome};

on_both!(a_copy_equals_the_answers_about_all_riders_for_a_month);

const STEPS: u64 = 150;
const DAYS: u64 = 30;
const MARKETS: [Option<&str>; 5] = [None, Some("DE"), Some("DE-BE"), Some("FR"), Some("UY")];

/// A splitmix64 generator: the month is the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 33).expect("31 bits") % n
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn hours(&mut self, at_most: usize) -> Duration {
        Duration::from_secs(3600 * u64::try_from(self.below(at_most)).expect("few"))
    }
}

struct Company {
    store: Arc<Store>,
    random: Random,
    now: Instant,
    people: Vec<String>,
    terms: Vec<TermId>,
    applicants: usize,
    receipts: Vec<String>,
    counts: BTreeMap<&'static str, u32>,
}

impl Company {
    async fn publish(&mut self) -> bool {
        let title = format!("text {}", self.terms.len());
        let replaces = (self.random.below(3) == 0).then(|| self.terms.last().copied()).flatten();
        let catalog = self.store.catalog().await.expect("reads");
        let old = replaces.and_then(|id| catalog.get(id));
        let market = match old {
            Some(old) => old.market.clone(),
            None => self.random.of(&MARKETS).and_then(Market::from_stored),
        };
        let general = catalog.all().iter().find(|term| term.market.is_none()).map(|term| term.id);
        let instead_of = match old {
            Some(old) => old.instead_of,
            None => general.filter(|_| market.is_some() && self.random.below(2) == 0),
        };
        let kind = match old.or(instead_of.and_then(|id| catalog.get(id))) {
            Some(base) => base.kind.clone(),
            None => {
                let kinds = ["FREELANCER", "MARKETING", "OTHER"];
                TermType::parse(kinds[self.random.below(3)]).expect("a type")
            }
        };
        let effective_from = self.now.plus(self.random.hours(72));
        let grace = self.random.below(3) > 0;
        let grace_until = grace.then(|| effective_from.plus(self.random.hours(96)));
        let variant = Variant {
            locale: "en".into(),
            sha256: sha256(&title),
            title: title.clone(),
            summary: None,
        };
        let new = NewTerm {
            kind,
            term_kind: TermKind::Consent,
            mandatory: self.random.below(4) > 0,
            effective_from,
            grace_until: grace_until.filter(|instant| *instant > effective_from),
            replaces,
            material: self.random.below(2) == 0,
            market,
            instead_of,
            variants: vec![variant],
            ..new_term(&title)
        };
        let result = self.store.publish_term(&new, &[document(&title)], self.now).await;
        let Ok(term) = result.expect("a working store") else { return false };
        self.terms.push(term.id);
        true
    }

    async fn end(&mut self) -> bool {
        let Some(&id) = self.terms.get(self.random.below(self.terms.len().max(1))) else {
            return false;
        };
        let later = self.now.plus(self.random.hours(48));
        let change = [
            EndingChange::Cancel,
            EndingChange::UndoCancellation,
            EndingChange::Retire(Some(later)),
            EndingChange::Retire(None),
            EndingChange::UndoRetirement,
        ][self.random.below(5)];
        self.store.end_term(id, change, self.now).await.expect("works").is_ok()
    }

    async fn decide(&mut self, is_applicant: bool) -> bool {
        let id = self.random.of(&self.people).clone();
        let market = if is_applicant {
            None
        } else {
            self.store.market_of(&format!("subject-{id}")).await.expect("reads")
        };
        let catalog = self.store.catalog().await.expect("reads");
        let (no_decisions, kinds) = (Decisions::default(), types());
        let open = outstanding(&catalog, &no_decisions, &kinds, market.as_ref(), self.now);
        let mut entries = Vec::new();
        for term in open.terms {
            if self.random.below(3) > 0 {
                entries.push((term.id, self.random.below(5) > 0));
            }
        }
        if entries.is_empty() {
            return false;
        }
        let mut submission = if is_applicant {
            self.applicants += 1;
            applicant(&self.store, &self.applicants.to_string(), &entries).await
        } else {
            rider(&self.store, &id, &entries).await
        };
        submission.now = self.now;
        let outcome = self.store.record(&[submission]).await.expect("works").remove(0);
        let SubmissionOutcome::Recorded(recorded, _) = outcome else { return false };
        if is_applicant {
            self.receipts.push(receipt(&recorded));
        }
        true
    }

    async fn claim(&mut self) -> bool {
        let id = self.random.of(&self.people).clone();
        let Some(receipt_id) = self.receipts.pop() else { return false };
        if self.store.user(&id).await.expect("reads").is_none() {
            return false;
        }
        claim(&self.store, &receipt_id, &format!("subject-{id}")).await;
        true
    }

    async fn change_person(&mut self, change: usize) -> bool {
        let id = self.random.of(&self.people).clone();
        match change {
            0 => {
                let market = self.random.of(&MARKETS).and_then(Market::from_stored);
                self.store.move_person(&id, market.as_ref()).await.expect("works");
            }
            1 => {
                let role = ["rider", "viewer"][self.random.below(2)];
                let roles: Vec<_> = RoleGrant::parse(role).into_iter().collect();
                if self.store.user(&id).await.expect("reads").is_none() {
                    return false;
                }
                return self.store.set_roles(&id, &roles, NOW).await.expect("works");
            }
            2 => {
                let id = format!("p{}", self.people.len());
                add_user(&self.store, &id).await;
                self.people.push(id);
            }
            _ => return self.store.erase_user(&id, self.now).await.expect("works"),
        }
        true
    }

    async fn step(&mut self) {
        let (event, is_done) = match self.random.below(20) {
            0..3 => ("publish", self.publish().await),
            3..5 => ("end", self.end().await),
            5..10 => ("decide", self.decide(false).await),
            10..12 => ("apply", self.decide(true).await),
            12 => ("claim", self.claim().await),
            13..15 => ("move", self.change_person(0).await),
            15 => ("role", self.change_person(1).await),
            16 => ("add", self.change_person(2).await),
            17 => ("erase", self.random.below(3) == 0 && self.change_person(3).await),
            _ => ("wait", true),
        };
        *self.counts.entry(event).or_default() += u32::from(is_done);
    }
}

/// Reads to the end; starts again if the position is no longer available.
async fn follow(reader: &mut Reader, store: &Store, limit: i64, now: Instant) {
    loop {
        match reader.page(store, limit, now).await {
            Some(true) => {}
            Some(false) => return,
            None => {
                let market = reader.market.clone();
                *reader = Reader { market, ..Reader::default() };
            }
        }
    }
}

async fn new_company(engine: Engine) -> (Company, Option<tempfile::TempDir>) {
    let (store, dir) = store(engine).await;
    let people: Vec<String> = (0..8).map(|i| format!("p{i}")).collect();
    for id in people.iter().map(String::as_str).chain(["boss"]) {
        add_user(&store, id).await;
    }
    let admin: Vec<_> = RoleGrant::parse("admin").into_iter().collect();
    store.set_roles("boss", &admin, NOW).await.expect("works");
    let (terms, receipts) = (Vec::new(), Vec::new());
    let (random, counts) = (Random(20), BTreeMap::new());
    (Company { store, random, now: NOW, people, terms, applicants: 0, receipts, counts }, dir)
}

async fn a_copy_equals_the_answers_about_all_riders_for_a_month(engine: Engine) {
    let (mut company, _dir) = new_company(engine).await;
    for _ in 0..5 {
        company.step().await;
    }
    let store = Arc::clone(&company.store);
    store.enable_gate("epoch").await.expect("enables the gate");
    let (mut reader, mut germany) = (Reader::default(), Reader::of("DE"));
    let mut older = reader.clone();
    for _ in 0..STEPS {
        company.step().await;
        company.now = company.now.plus(Duration::from_secs(DAYS * 24 * 3600 / STEPS));
        let (now, limit) = (company.now, [1, 3, 1000][company.random.below(3)]);
        match company.random.below(6) {
            // The reader crashes, and continues with what it had stored.
            0 => reader = older.clone(),
            1 => older = reader.clone(),
            // No reader reads, and the server stops in between.
            2 => {
                store
                    .update_gate(&mut GateTermCache::default(), &types(), now)
                    .await
                    .expect("steps");
                continue;
            }
            3 => store.delete_erased_from_gate(now).await.expect("forgets"),
            _ => {}
        }
        follow(&mut reader, &store, limit, now).await;
        follow(&mut germany, &store, limit, now).await;
        let mut expected = answers(&store, &company.people, now).await;
        assert_eq!(reader.copy, expected, "after {:?}", company.counts);
        let mut inside = BTreeSet::new();
        for id in expected.keys() {
            let market = store.market_of(&format!("subject-{id}")).await.expect("reads");
            if market.is_some_and(|market| market.to_string().starts_with("DE")) {
                inside.insert(id.clone());
            }
        }
        expected.retain(|id, _| inside.contains(id));
        assert_eq!(germany.copy, expected, "after {:?}", company.counts);
    }
    for what in ["publish", "end", "decide", "apply", "claim", "move", "role", "add", "erase"] {
        assert!(company.counts.get(what).is_some_and(|n| *n > 0), "{what}: {:?}", company.counts);
    }
    catch_up(&store, company.now).await;
    check_events(&store, &reader).await;
}

/// Checks that the last `gate.changed` event of each person matches the copy.
async fn check_events(store: &Store, reader: &Reader) {
    let page = store.events_after(None, &["gate.changed"], 100_000).await.expect("reads");
    let EventPage::Kept(events, _) = page else { panic!("the events are stored") };
    assert!(events.len() > 20, "{}", events.len());
    let mut last = BTreeMap::new();
    for event in events.iter().filter(|event| event.user_id.is_some()) {
        let data: serde_json::Value = serde_json::from_str(&event.data).expect("JSON");
        last.insert(event.user_id.clone().unwrap_or_default(), data["may_work"].as_bool());
    }
    for (id, may_work) in last {
        assert_eq!(reader.copy.get(&id).map(|answer| answer.0), may_work, "{id}");
    }
}

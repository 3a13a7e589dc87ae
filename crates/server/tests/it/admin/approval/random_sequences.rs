//! Random sequences of calls by four colleagues, compared with a model of who edited and who
//! approved each item. The server must publish or apply an item only with its approvals, and must
//! not refuse an item that has them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::{ADMIN, Console};
use super::require_approvals;
use crate::request::{Answer, Request};
use crate::store::{Engine, TestStore};

on_both!(random_call_sequences_never_bypass_approvals);

const STEPS: usize = 160;
const NEEDED: usize = 2;
const PEOPLE: [&str; 4] = ["c1", "c2", "c3", "c4"];

/// Xorshift generator: the same sequence in each run.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % 1_000_003).expect("a number") % n
    }
}

/// A draft or change in the model.
struct ModelItem {
    path: String,
    editors: BTreeSet<usize>,
    approvers: BTreeSet<usize>,
}

impl ModelItem {
    fn new(path: String, by: usize) -> Self {
        Self { path, editors: BTreeSet::from([by]), approvers: BTreeSet::new() }
    }

    /// Picks an item. In half of the calls it picks an approved item if there is one.
    fn any(all: &[Self], random: &mut RandomNumbers) -> usize {
        let approved = all.iter().position(Self::is_approved).filter(|_| random.below(2) == 0);
        approved.unwrap_or_else(|| random.below(all.len()))
    }

    fn is_approved(&self) -> bool {
        self.approvers.len() >= NEEDED
    }
}

struct World {
    console: Console,
    tokens: Vec<String>,
    random: RandomNumbers,
    drafts: Vec<ModelItem>,
    changes: Vec<ModelItem>,
    published: usize,
    applied: usize,
}

impl World {
    fn call(&self, method: &str, path: &str, by: usize) -> Request {
        self.console.app.request(method, path).token(&self.tokens[by])
    }

    fn read(&self, path: &str) -> Answer {
        self.call("GET", path, 0).gives(200)
    }

    fn environment() -> String {
        format!("{ADMIN}/environments/production")
    }

    /// Returns the version and whether the flag is on.
    fn flags(&self) -> (String, Value) {
        let current = self.read(&format!("{}/flags", Self::environment()));
        (current.header("etag").to_owned(), current.json())
    }

    fn terms(&self) -> usize {
        let terms = self.read(&format!("{ADMIN}/terms?limit=200")).json();
        terms["items"].as_array().map_or(0, Vec::len)
    }

    /// Approves or sends back an item and updates the model.
    fn vote(&mut self, is_draft: bool, by: usize) {
        let (at, rejects, withdraws) =
            (self.random.below(8), self.random.below(15) == 0, self.random.below(8) == 0);
        let list = if is_draft { &self.drafts } else { &self.changes };
        if list.is_empty() {
            return;
        }
        let at = at % list.len();
        let path = list[at].path.clone();
        let sha256 = self.read(&path).json()["sha256"].clone();
        let vote = |method, what| self.call(method, &format!("{path}/{what}"), by);
        let status = if rejects {
            vote("POST", "rejections").json(&json!({"comment": "No."})).send().status
        } else if withdraws {
            vote("DELETE", "approvals").send().status
        } else {
            vote("POST", "approvals").json(&json!({"sha256": sha256})).send().status
        };
        let item = if is_draft { &mut self.drafts[at] } else { &mut self.changes[at] };
        let is_own = item.editors.contains(&by) && !rejects && !withdraws;
        assert_eq!(status, if is_own { 403 } else { 204 }, "{path}");
        if rejects {
            item.approvers.clear();
        } else if withdraws {
            item.approvers.remove(&by);
        } else if !is_own {
            item.approvers.insert(by);
        }
        let shown = self.read(&path).json()["approvals"].as_array().map_or(0, Vec::len);
        let item = if is_draft { &self.drafts[at] } else { &self.changes[at] };
        assert_eq!(shown, item.approvers.len(), "{path}");
    }

    fn write_draft(&mut self, by: usize) {
        let drafts = format!("{ADMIN}/term-drafts");
        let body = |n: usize| {
            json!({"type": "FREELANCER", "mandatory": true,
                "variants": [{"locale": "en", "title": format!("Rules {n}")}]})
        };
        let n = self.random.below(1000);
        if self.drafts.len() < 2 {
            let created = self.call("POST", &drafts, by).json(&body(n)).gives(201).json();
            let path = format!("{drafts}/{}", created["id"].as_str().expect("an id"));
            let document = self.call("PUT", &format!("{path}/documents/en"), by);
            let document = document.header("if-match", "\"1\"");
            document.body("application/pdf", &crate::pdf::page("Rules")).gives(200);
            return self.drafts.push(ModelItem::new(path, by));
        }
        if self.random.below(3) > 0 {
            return;
        }
        let at = n % self.drafts.len();
        let path = self.drafts[at].path.clone();
        let etag = self.read(&path).header("etag").to_owned();
        self.call("PUT", &path, by).header("if-match", &etag).json(&body(n)).gives(200);
        self.drafts[at].editors.insert(by);
        self.drafts[at].approvers.clear();
    }

    fn publish(&mut self, by: usize) {
        if self.drafts.is_empty() {
            return;
        }
        let at = ModelItem::any(&self.drafts, &mut self.random);
        let (path, before) = (self.drafts[at].path.clone(), self.terms());
        let etag = self.read(&path).header("etag").to_owned();
        let label = self.random.below(4) == 0;
        let publish = self.call("POST", &format!("{path}/publish"), by).header("if-match", &etag);
        let publish = if label { publish.json(&json!({"label": "other"})) } else { publish };
        let answer = publish.send();
        let may = self.drafts[at].is_approved() && !label;
        assert_eq!(answer.status, if may { 201 } else { 409 }, "{}", answer.json());
        assert_eq!(self.terms() - before, usize::from(may));
        if may {
            self.drafts.remove(at);
            self.published += 1;
        }
    }

    fn propose(&mut self, by: usize) {
        if self.changes.len() > 1 {
            return;
        }
        let (etag, mut document) = self.flags();
        document["flags"][0]["on"] = (self.random.below(4) > 0).into();
        document["flags"][0]["description"] = format!("by {}", self.random.below(1000)).into();
        let changes = format!("{}/changes", Self::environment());
        let request = self.call("POST", &changes, by).header("if-match", &etag);
        let created = request.json(&json!({"at": null, "document": document})).gives(201).json();
        let path = format!("{changes}/{}", created["id"].as_str().expect("an id"));
        self.changes.push(ModelItem::new(path, by));
    }

    fn apply(&mut self, by: usize) {
        if self.changes.is_empty() {
            return;
        }
        let at = ModelItem::any(&self.changes, &mut self.random);
        let (path, before) = (self.changes[at].path.clone(), self.flags());
        let answer = self.call("POST", &format!("{path}/apply"), by).send();
        if !self.changes[at].is_approved() {
            // The server refuses a change that conflicts with the current version, even if it is
            // approved.
            assert!(
                answer.status == 409 || answer.json()["status"] == "refused",
                "{}",
                answer.json()
            );
            assert_eq!(self.flags(), before);
        } else if answer.json()["status"] == "done" {
            self.applied += 1;
        } else {
            assert_eq!(answer.json()["reason"], "conflict", "{}", answer.json());
        }
        if answer.status == 200 {
            self.changes.remove(at);
        }
    }

    /// Tries every other way to change flags. Only switching a flag off is allowed without
    /// approval.
    fn change_directly(&mut self, by: usize) {
        let environment = Self::environment();
        let (etag, mut document) = self.flags();
        let was = document["flags"][0]["on"].clone();
        let off = was == true && self.random.below(6) == 0;
        let call = match self.random.below(4) {
            0 => {
                document["flags"][0]["on"] = (!off).into();
                document["flags"][0]["description"] =
                    if off { document["flags"][0]["description"].clone() } else { json!("mine") };
                self.call("PUT", &format!("{environment}/flags"), by).json(&document)
            }
            1 => self
                .call("PUT", &format!("{environment}/flags/greeting/on"), by)
                .json(&json!({"on": !off && was == false})),
            2 => self.call("POST", &format!("{environment}/versions/1/revert"), by),
            _ => self
                .call("POST", &format!("{environment}/copy"), by)
                .json(&json!({"from": "staging"})),
        };
        let status = call.header("if-match", &etag).send().status;
        let after = self.flags().1;
        if status == 200 && after["version"] != document["version"] {
            document["flags"][0]["on"] = false.into();
            assert_eq!(after["flags"], document["flags"], "more than a switch went off");
            assert_eq!(was, true);
        } else {
            assert!(status == 200 || status == 409, "{status}");
        }
    }

    fn step(&mut self) {
        let by = self.random.below(PEOPLE.len());
        match self.random.below(20) {
            0..=1 => self.write_draft(by),
            2..=6 => self.vote(true, by),
            7..=8 => self.publish(by),
            9..=10 => self.propose(by),
            11..=15 => self.vote(false, by),
            16..=17 => self.apply(by),
            _ => self.change_directly(by),
        }
    }
}

fn random_call_sequences_never_bypass_approvals(engine: Engine) {
    let store = TestStore::new(engine);
    for user in PEOPLE {
        store.add_user(user, &["operator"]);
    }
    for environment in ["production", "staging"] {
        store.import(environment, &crate::flags::document("hello"));
    }
    let console = Console::serve(store);
    require_approvals(
        &console,
        &json!([
            {"subject": "terms", "scope": "*", "approvals": NEEDED},
            {"subject": "flags", "scope": "production", "approvals": NEEDED},
        ]),
    );
    let tokens = PEOPLE.iter().map(|user| console.app.token(user)).collect();
    let (drafts, changes) = (Vec::new(), Vec::new());
    let random = RandomNumbers(7);
    let mut world = World { console, tokens, random, drafts, changes, published: 0, applied: 0 };
    for _ in 0..STEPS {
        world.step();
    }
    assert!(world.published > 0 && world.applied > 0, "{} {}", world.published, world.applied);
}

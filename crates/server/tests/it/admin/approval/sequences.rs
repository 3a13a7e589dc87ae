//! Random sequences of calls by four colleagues, beside a model that knows who wrote and who approved what. Nothing is
//! published or changed without its approvals, and everything that has them is.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::{ADMIN, Console};
use super::demand;
use crate::request::{Answer, Request};
use crate::store::{Engine, TestStore};

on_both!(nothing_goes_past_the_rules);

const STEPS: usize = 160;
const NEEDED: usize = 2;
const PEOPLE: [&str; 4] = ["c1", "c2", "c3", "c4"];

/// Xorshift: the same sequence in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % 1_000_003).expect("a number") % n
    }
}

/// A draft or change as the model knows it.
struct Known {
    path: String,
    editors: BTreeSet<usize>,
    approvers: BTreeSet<usize>,
}

impl Known {
    fn new(path: String, by: usize) -> Self {
        Self { path, editors: BTreeSet::from([by]), approvers: BTreeSet::new() }
    }

    /// One of them: an approved one in half of the calls, if there is one.
    fn any(all: &[Self], dice: &mut Dice) -> usize {
        let approved = all.iter().position(Self::is_approved).filter(|_| dice.below(2) == 0);
        approved.unwrap_or_else(|| dice.below(all.len()))
    }

    fn is_approved(&self) -> bool {
        self.approvers.len() >= NEEDED
    }
}

struct World {
    console: Console,
    tokens: Vec<String>,
    dice: Dice,
    drafts: Vec<Known>,
    changes: Vec<Known>,
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

    /// The version and whether the flag is on.
    fn flags(&self) -> (String, Value) {
        let current = self.read(&format!("{}/flags", Self::environment()));
        (current.header("etag").to_owned(), current.json())
    }

    fn terms(&self) -> usize {
        let terms = self.read(&format!("{ADMIN}/terms?limit=200")).json();
        terms["items"].as_array().map_or(0, Vec::len)
    }

    /// A vote, and what the model makes of it.
    fn vote(&mut self, is_draft: bool, by: usize) {
        let (at, rejects, withdraws) =
            (self.dice.below(8), self.dice.below(15) == 0, self.dice.below(8) == 0);
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
        let known = if is_draft { &mut self.drafts[at] } else { &mut self.changes[at] };
        let is_own = known.editors.contains(&by) && !rejects && !withdraws;
        assert_eq!(status, if is_own { 403 } else { 204 }, "{path}");
        if rejects {
            known.approvers.clear();
        } else if withdraws {
            known.approvers.remove(&by);
        } else if !is_own {
            known.approvers.insert(by);
        }
        let shown = self.read(&path).json()["approvals"].as_array().map_or(0, Vec::len);
        let known = if is_draft { &self.drafts[at] } else { &self.changes[at] };
        assert_eq!(shown, known.approvers.len(), "{path}");
    }

    fn write_draft(&mut self, by: usize) {
        let drafts = format!("{ADMIN}/term-drafts");
        let body = |n: usize| {
            json!({"type": "FREELANCER", "mandatory": true,
                "variants": [{"locale": "en", "title": format!("Rules {n}")}]})
        };
        let n = self.dice.below(1000);
        if self.drafts.len() < 2 {
            let made = self.call("POST", &drafts, by).json(&body(n)).gives(201).json();
            let path = format!("{drafts}/{}", made["id"].as_str().expect("an id"));
            let document = self.call("PUT", &format!("{path}/documents/en"), by);
            let document = document.header("if-match", "\"1\"");
            document.body("application/pdf", &crate::pdf::page("Rules")).gives(200);
            return self.drafts.push(Known::new(path, by));
        }
        if self.dice.below(3) > 0 {
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
        let at = Known::any(&self.drafts, &mut self.dice);
        let (path, before) = (self.drafts[at].path.clone(), self.terms());
        let etag = self.read(&path).header("etag").to_owned();
        let label = self.dice.below(4) == 0;
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
        document["flags"][0]["on"] = (self.dice.below(4) > 0).into();
        document["flags"][0]["description"] = format!("by {}", self.dice.below(1000)).into();
        let changes = format!("{}/changes", Self::environment());
        let made = self.call("POST", &changes, by).header("if-match", &etag);
        let made = made.json(&json!({"at": null, "document": document})).gives(201).json();
        let path = format!("{changes}/{}", made["id"].as_str().expect("an id"));
        self.changes.push(Known::new(path, by));
    }

    fn apply(&mut self, by: usize) {
        if self.changes.is_empty() {
            return;
        }
        let at = Known::any(&self.changes, &mut self.dice);
        let (path, before) = (self.changes[at].path.clone(), self.flags());
        let answer = self.call("POST", &format!("{path}/apply"), by).send();
        if !self.changes[at].is_approved() {
            // What does not go into the current version is refused, whoever approves it.
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

    /// Every other way to change flags: only off is one.
    fn change_directly(&mut self, by: usize) {
        let environment = Self::environment();
        let (etag, mut document) = self.flags();
        let was = document["flags"][0]["on"].clone();
        let off = was == true && self.dice.below(6) == 0;
        let call = match self.dice.below(4) {
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
        let by = self.dice.below(PEOPLE.len());
        match self.dice.below(20) {
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

fn nothing_goes_past_the_rules(engine: Engine) {
    let store = TestStore::new(engine);
    for user in PEOPLE {
        store.add_user(user, &["operator"]);
    }
    for environment in ["production", "staging"] {
        store.import(environment, &crate::flags::document("hello"));
    }
    let console = Console::serve(store);
    demand(
        &console,
        &json!([
            {"subject": "terms", "scope": "*", "approvals": NEEDED},
            {"subject": "flags", "scope": "production", "approvals": NEEDED},
        ]),
    );
    let tokens = PEOPLE.iter().map(|user| console.app.token(user)).collect();
    let (drafts, changes) = (Vec::new(), Vec::new());
    let dice = Dice(7);
    let mut world = World { console, tokens, dice, drafts, changes, published: 0, applied: 0 };
    for _ in 0..STEPS {
        world.step();
    }
    assert!(world.published > 0 && world.applied > 0, "{} {}", world.published, world.applied);
}

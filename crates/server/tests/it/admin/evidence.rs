//! Decisions, the log, receipts and erasure in the console's API.

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant, entry, receipt, rider};

on_both!(
    finds_decisions_by_their_properties,
    exports_decisions_in_three_formats,
    reports_the_state_of_the_log,
    verifies_a_presented_receipt,
    an_operator_reads_the_receipt_of_a_user,
    erasure_needs_confirmation_and_is_final,
);

struct Decided {
    console: Console,
    terms: i64,
    messages: i64,
    /// The ids of the receipts, the oldest first.
    receipts: Vec<String>,
}

/// r1 accepts both terms and withdraws one; an applicant accepts the terms.
fn decided(engine: Engine) -> Decided {
    let store = TestStore::new(engine);
    let terms = store.term("FREELANCER", &["--mandatory"]);
    let messages = store.term("MARKETING", &[]);
    let console = Console::serve(store);
    let app = &console.app;
    let mut receipts = Vec::new();
    for body in [rider("r1", &accept(&[terms, messages])), rider("r1", &[entry(messages, false)])] {
        receipts.push(receipt(&app.post(SUBMIT).token(&console.rider).json(&body).gives(201)));
    }
    receipts.push(receipt(&app.post(SUBMIT).json(&applicant(&accept(&[terms]))).gives(201)));
    Decided { console, terms, messages, receipts }
}

impl Decided {
    #[track_caller]
    fn list(&self, query: &str) -> Value {
        let path = format!("{ADMIN}/consents?{query}");
        self.console.app.get(&path).token(&self.console.operator).gives(200).json()
    }

    /// Returns `(term, accepted)` of each decision.
    #[track_caller]
    fn matching(&self, query: &str) -> Vec<(i64, bool)> {
        let list = self.list(query);
        assert!(list.get("next_cursor").is_none(), "{list}");
        let items = list["items"].as_array().expect("a list");
        let term = |item: &Value| item["terms_and_conditions_id"].as_i64().expect("an id");
        items.iter().map(|item| (term(item), item["accepted"].as_bool().expect("a bool"))).collect()
    }
}

fn finds_decisions_by_their_properties(engine: Engine) {
    let decided = decided(engine);
    let (terms, messages) = (decided.terms, decided.messages);
    let all = [(terms, true), (messages, false), (terms, true), (messages, true)];
    assert_eq!(decided.matching(""), all, "the newest first");
    assert_eq!(decided.matching("user=r1"), all[1..]);
    assert_eq!(decided.matching("user=nobody"), []);
    assert_eq!(decided.matching("type=MARKETING"), [(messages, false), (messages, true)]);
    assert_eq!(decided.matching(&format!("term={terms}")), [(terms, true), (terms, true)]);
    assert_eq!(decided.matching("accepted=false"), [(messages, false)]);
    assert_eq!(decided.matching("decision=withdrawn"), [(messages, false)]);
    assert_eq!(decided.matching("decision=declined"), []);
    assert_eq!(decided.matching("decision=accepted").len(), 3);
    assert_eq!(decided.matching(&format!("decision=withdrawn&term={messages}")).len(), 1);
    let of_receipt = |at: usize| decided.matching(&format!("receipt={}", decided.receipts[at]));
    assert_eq!(of_receipt(0), [(terms, true), (messages, true)]);
    assert_eq!(of_receipt(1), [(messages, false)]);
    assert_eq!(of_receipt(2), [(terms, true)]);
    assert_eq!(decided.matching("since=2999-01-01T00:00:00Z"), []);
    assert_eq!(decided.matching("until=2999-01-01T00:00:00Z&user=r1&accepted=true").len(), 2);
    let item = &decided.list("accepted=false")["items"][0];
    assert_eq!(item["receipt_id"], json!(decided.receipts[1]));
    assert_eq!((&item["user_id"], &item["type"]), (&json!("r1"), &json!("MARKETING")));
    assert_eq!((&item["title"], &item["version"]), (&json!("A text"), &json!(1)));
    assert_eq!((&item["decision"], &item["language"]), (&json!("withdrawn"), &json!("en")));

    let mut paged = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = decided.list(&format!("limit=1&cursor={cursor}"));
        paged.extend(page["items"].as_array().expect("a list").clone());
        let Some(next) = page["next_cursor"].as_str() else { break };
        next.clone_into(&mut cursor);
    }
    assert_eq!(Value::Array(paged), decided.list("")["items"]);

    for query in [
        "term=x",
        "type=x",
        "accepted=1",
        "decision=refused",
        "receipt=x",
        "since=today",
        "cursor=eA",
        "limit=0",
    ] {
        let path = format!("{ADMIN}/consents?{query}");
        let request = decided.console.app.get(&path).token(&decided.console.operator);
        request.refused(400, "invalid_parameter");
    }
}

/// A page reads a few thousand submissions, 2,000 at a time. Submissions that an index finds must
/// not come after them.
#[test]
fn finds_old_decisions_of_a_user_on_the_first_page() {
    let decided = decided(Engine::Sqlite);
    let withdrawn = (decided.messages, false);
    let body = applicant(&accept(&[decided.terms]));
    for _ in 0..2_000 {
        decided.console.app.post(SUBMIT).json(&body).gives(201);
    }
    assert_eq!(decided.matching("user=r1").len(), 3);
    let messages = decided.messages;
    assert_eq!(decided.matching(&format!("term={messages}")), [withdrawn, (messages, true)]);
}

fn exports_decisions_in_three_formats(engine: Engine) {
    let decided = decided(engine);
    let app = &decided.console.app;
    let export = |query: &str| {
        let path = format!("{ADMIN}/consents/export?{query}");
        app.get(&path).token(&decided.console.operator).gives(200)
    };
    for (query, format, media_type, name) in [
        ("", "csv", "text/csv; charset=utf-8", "consents.csv"),
        ("format=jsonl", "jsonl", "application/x-ndjson", "consents.jsonl"),
        ("format=dpv", "dpv", "application/ld+json", "consents.jsonld"),
    ] {
        let file = export(query);
        assert_eq!(file.header("content-type"), media_type);
        let disposition = format!("attachment; filename=\"{name}\"");
        assert_eq!(file.header("content-disposition"), disposition);
        assert_eq!(file.header("cache-control"), "private, no-store");
        let output = app.command(&["consents", "export", "--format", format]).expect_success();
        assert_eq!(String::from_utf8(file.body).expect("UTF-8"), output);
    }
    let lines = export("format=jsonl&user=r1&type=MARKETING").body;
    assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count(), 2);
    let decisions: Vec<Value> = String::from_utf8(lines)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["decision"].clone())
        .collect();
    assert_eq!(decisions, ["accepted", "withdrawn"]);
    let withdrawn = String::from_utf8(export("decision=withdrawn").body).expect("UTF-8");
    assert_eq!(withdrawn.lines().count(), 2, "{withdrawn}");
    assert!(withdrawn.lines().nth(1).is_some_and(|line| line.ends_with(",withdrawn")));
    let path = format!("{ADMIN}/consents/export?format=xml");
    app.get(&path).token(&decided.console.operator).refused(400, "invalid_parameter");
}

fn reports_the_state_of_the_log(engine: Engine) {
    let decided = decided(engine);
    let app = &decided.console.app;
    let log =
        || app.get(&format!("{ADMIN}/log")).token(&decided.console.operator).gives(200).json();
    let before = log();
    let checkpoint = String::from_utf8(app.get("/log/checkpoint").gives(200).body).expect("UTF-8");
    let size: u64 = checkpoint.lines().nth(1).expect("a size").parse().expect("a number");
    assert!(size > 3, "{size}");
    assert_eq!((&before["size"], before.get("verified")), (&json!(size), None));
    assert_eq!(before["checkpoint"], checkpoint);
    let key = String::from_utf8(app.get("/log/key").gives(200).body).expect("UTF-8");
    assert_eq!(before["vkey"], key.trim_end());
    assert_eq!(before["earlier"], json!([]));
    assert!(before["last_entry_at"].as_str().is_some_and(|at| at.ends_with('Z')));
    app.command(&["log", "verify"]).expect_success();
    let verified = log()["verified"].clone();
    // Later events may have been chained in the meantime.
    assert!(verified["entries"].as_u64() >= Some(size), "{verified}");
    assert_eq!(verified["faults"], 0);
    assert!(verified["at"].as_str() >= before["last_entry_at"].as_str());
}

fn verifies_a_presented_receipt(engine: Engine) {
    let decided = decided(engine);
    let app = &decided.console.app;
    let path = format!("/receipts/{}.json", decided.receipts[0]);
    let receipt = app.get(&path).token(&decided.console.rider).gives(200).json();
    let verify = |body: &Value| {
        let path = format!("{ADMIN}/receipts/verify");
        app.post(&path).token(&decided.console.operator).json(body).gives(200).json()
    };
    let good = verify(&json!({"receipt": receipt}));
    assert_eq!((&good["verified"], &good["subject"]), (&json!(true), &json!("not_claimed")));
    assert_eq!(good["consents"].as_array().map(Vec::len), Some(2));
    assert_eq!(good["user_type"], "RIDER");
    let of_r1 = verify(&json!({"receipt": {"receipt": receipt}, "user_id": "r1"}));
    assert_eq!((&of_r1["verified"], &of_r1["subject"]), (&json!(true), &json!("matches")));
    let changed = receipt["entry"].as_str().expect("a text").replace("true", "false");
    let mut forged = receipt.clone();
    forged["entry"] = json!(changed);
    let mut unproved = receipt.clone();
    unproved["proof"] = json!("none");
    for (body, code) in [
        (json!({"receipt": receipt, "user_id": "r2"}), "other_person"),
        (json!({"receipt": forged}), "proof"),
        (json!({"receipt": unproved}), "proof"),
        (json!({"receipt": {"id": "x"}}), "malformed"),
        (json!({"receipt": 7}), "malformed"),
    ] {
        let verdict = verify(&body);
        assert_eq!((&verdict["verified"], &verdict["code"]), (&json!(false), &json!(code)));
    }
    let path = format!("{ADMIN}/receipts/verify");
    let empty = app.post(&path).token(&decided.console.operator).json(&json!({}));
    empty.refused(422, "invalid_request");
}

fn erasure_needs_confirmation_and_is_final(engine: Engine) {
    let decided = decided(engine);
    let (app, console) = (&decided.console.app, &decided.console);
    let erase = |user: &str, confirm: &str| {
        let path = format!("{ADMIN}/people/{user}");
        app.request("DELETE", &path).token(&console.admin).json(&json!({"confirm": confirm}))
    };
    erase("r1", "r2").refused(422, "not_confirmed");
    erase("a1", "a1").refused(409, "own_account");
    erase("r9", "r9").refused(404, "not_found");
    erase("r1", "r1").gives(204);
    erase("r1", "r1").refused(404, "not_found");
    let path = format!("/receipts/{}.json", decided.receipts[0]);
    app.get(&path).token(&console.rider).refused(410, "receipt_erased");
    let me = app.get("/api/session/v1/me").token(&console.rider);
    me.refused(401, "unauthenticated");
    assert_eq!(decided.matching("user=r1"), []);
    assert!(app.export(&[]).iter().all(|row| row["user_id"] == ""), "the decisions stay");
    assert!(app.command(&["log", "verify"]).expect_success().starts_with("verified: "));
}

fn an_operator_reads_the_receipt_of_a_user(engine: Engine) {
    let Decided { console, receipts, .. } = decided(engine);
    let app = &console.app;
    for (file, media_type) in [
        (format!("{}.json", receipts[0]), "application/json"),
        (format!("{}.tlog-proof", receipts[0]), "text/plain; charset=utf-8"),
        (format!("{}.pdf", receipts[0]), "application/pdf"),
    ] {
        let read = app.get(&format!("{ADMIN}/receipts/{file}")).token(&console.operator).gives(200);
        assert_eq!(read.header("content-type"), media_type);
    }
    // At the owner's address the receipt is still readable by the owner only.
    let owners = format!("/receipts/{}.json", receipts[0]);
    app.get(&owners).token(&console.operator).refused(404, "not_found");
    let nothing = format!("{ADMIN}/receipts/nothing.json");
    app.get(&nothing).token(&console.operator).refused(404, "not_found");
    let path = format!("{ADMIN}/audit?event=receipt_read");
    let audit = app.get(&path).token(&console.operator).gives(200).json();
    let items = audit["items"].as_array().expect("items");
    assert_eq!(items.len(), 3);
    assert_eq!((&items[0]["user_id"], &items[0]["actor_user_id"]), (&json!("r1"), &json!("o1")));
}

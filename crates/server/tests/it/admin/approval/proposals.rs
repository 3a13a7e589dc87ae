//! Approvals for retiring, cancelling and reordering terms, and for undoing these actions.

use serde_json::{Value, json};

use super::super::{ADMIN, Console};
use super::{colleagues, require_approvals};
use crate::request::Answer;
use crate::store::Engine;

on_both!(
    every_action_on_a_published_term_needs_approvals,
    reordering_terms_needs_approvals,
    refuses_a_proposal_that_no_longer_applies,
    ignores_the_approval_of_a_colleague_without_the_role,
    concurrent_applications_apply_a_proposal_once,
    an_admin_bypasses_missing_approvals,
    limits_proposals_to_the_markets_of_a_grant,
);

pub fn propose(console: &Console, token: &str, act: &Value) -> Answer {
    console.app.post(&format!("{ADMIN}/proposals")).token(token).json(act).send()
}

/// Adds a proposal and returns its path.
pub fn proposed(console: &Console, token: &str, act: &Value) -> String {
    let answer = propose(console, token, act);
    let proposal = answer.json();
    assert_eq!(answer.status, 201, "{proposal}");
    assert_eq!(proposal["status"], "proposed", "{proposal}");
    format!("{ADMIN}/proposals/{}", proposal["id"].as_str().expect("an id"))
}

pub fn approve(console: &Console, path: &str, token: &str) -> Answer {
    let proposal = console.app.get(path).token(&console.operator).gives(200).json();
    let approval = console.app.post(&format!("{path}/approvals")).token(token);
    approval.json(&json!({"sha256": proposal["sha256"]})).send()
}

pub fn apply(console: &Console, path: &str, token: &str) -> Answer {
    console.app.post(&format!("{path}/apply")).token(token).send()
}

fn term(console: &Console, options: &[&str]) -> i64 {
    console.app.store().term("FREELANCER", options)
}

fn status(console: &Console, id: i64) -> Value {
    console.app.get(&format!("{ADMIN}/terms/{id}")).token(&console.admin).gives(200).json()["status"].clone()
}

fn every_action_on_a_published_term_needs_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let active = term(&console, &["--mandatory"]);
    let scheduled = term(&console, &["--effective-from", "2199-01-01T00:00:00Z"]);
    require_approvals(&console, &json!([{"subject": "terms", "scope": "*", "approvals": 1}]));
    let (l1, l2) = (app.token("l1"), app.token("l2"));
    for (act, method, rest, id, after) in [
        ("cancel_term", "POST", "cancellation", scheduled, "cancelled"),
        ("undo_cancellation", "DELETE", "cancellation", scheduled, "scheduled"),
        ("retire_term", "POST", "retirement", active, "active"),
        ("undo_retirement", "DELETE", "retirement", active, "active"),
        ("retire_term", "POST", "retirement", active, "retired"),
    ] {
        // A retirement in the future needs approvals as well. It leaves the term active for now.
        let at = (act == "retire_term" && after == "active").then_some("2199-06-01T00:00:00.000Z");
        let mut body = json!({"act": act, "term_id": id});
        let mut direct = app.request(method, &format!("{ADMIN}/terms/{id}/{rest}")).token(&l1);
        if let Some(at) = at {
            body["at"] = at.into();
            direct = direct.json(&json!({"at": at}));
        }
        let before = status(&console, id);
        let refused = direct.refused(409, "approval_required").json();
        assert_eq!((&refused["needed"], &refused["given"]), (&json!(1), &json!(0)), "{act}");
        let path = proposed(&console, &l1, &body);
        apply(&console, &path, &l1).assert_problem(409, "approval_required");
        approve(&console, &path, &l1).assert_problem(403, "own_change");
        assert_eq!(status(&console, id), before, "{act}");
        // A withdrawn approval does not count. Neither does an approval after the proposal is sent
        // back.
        assert_eq!(approve(&console, &path, &l2).status, 204);
        app.request("DELETE", &format!("{path}/approvals")).token(&l2).gives(204);
        apply(&console, &path, &l1).assert_problem(409, "approval_required");
        assert_eq!(approve(&console, &path, &l2).status, 204);
        let comment = json!({"comment": "Not yet."});
        app.post(&format!("{path}/rejections")).token(&l2).json(&comment).gives(204);
        apply(&console, &path, &l1).assert_problem(409, "approval_required");
        assert_eq!(approve(&console, &path, &l2).status, 204);
        let applied = apply(&console, &path, &l1).json();
        assert_eq!(applied["status"], "done", "{act}: {applied}");
        apply(&console, &path, &l1).assert_problem(409, "conflict");
        approve(&console, &path, &console.admin).assert_problem(409, "conflict");
        assert_eq!(status(&console, id), after, "{act}");
    }
    let audit = app.get(&format!("{ADMIN}/audit?event=term_retired")).token(&console.admin);
    let audit = audit.gives(200).json();
    assert!(audit["items"][0]["detail"].as_str().is_some_and(|text| text.contains("proposal")));
}

fn reordering_terms_needs_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let (first, _) = (term(&console, &[]), term(&console, &[]));
    require_approvals(
        &console,
        &json!([{"subject": "terms", "scope": "FREELANCER", "approvals": 1}]),
    );
    let (l1, l2) = (app.token("l1"), app.token("l2"));
    let path = format!("{ADMIN}/terms/order");
    let read = || app.get(&format!("{path}?type=FREELANCER")).token(&l1).gives(200);
    let ids = || {
        let items = read().json()["items"].as_array().expect("items").clone();
        items.iter().map(|item| item["id"].as_i64().expect("an id")).collect::<Vec<_>>()
    };
    let before = ids();
    let after: Vec<i64> = before.iter().rev().copied().collect();
    let order = |etag: &str| {
        let body = json!({"type": "FREELANCER", "ids": after});
        app.request("PUT", &path).token(&l1).header("if-match", etag).json(&body)
    };
    let etag = read().header("etag").to_owned();
    order(&etag).refused(409, "approval_required");
    assert_eq!(ids(), before);
    let revision: i64 = etag.trim_matches('"').parse().expect("a number");
    let act = |revision: i64| json!({"act": "reorder_terms", "type": "FREELANCER", "ids": after, "revision": revision});
    propose(&console, &l1, &act(revision + 1)).assert_problem(412, "precondition_failed");
    let short =
        json!({"act": "reorder_terms", "type": "FREELANCER", "ids": [first], "revision": revision});
    propose(&console, &l1, &short).assert_problem(422, "order_incomplete");
    let proposal = proposed(&console, &l1, &act(revision));
    assert_eq!(approve(&console, &proposal, &l2).status, 204);
    assert_eq!(apply(&console, &proposal, &l1).json()["status"], "done");
    assert_eq!(ids(), after);
    // Another order was saved after this one was proposed.
    let late = json!({"act": "reorder_terms", "type": "FREELANCER", "ids": before, "revision": revision + 1});
    let (one, other) = (proposed(&console, &l1, &late), proposed(&console, &l1, &late));
    for proposal in [&one, &other] {
        assert_eq!(approve(&console, proposal, &l2).status, 204);
    }
    assert_eq!(apply(&console, &one, &l1).json()["status"], "done");
    let refused = apply(&console, &other, &l1).json();
    assert_eq!((&refused["status"], &refused["refusal"]), (&json!("refused"), &json!("conflict")));
    assert_eq!(ids(), before);
}

fn refuses_a_proposal_that_no_longer_applies(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let id = term(&console, &[]);
    require_approvals(&console, &json!([{"subject": "terms", "scope": "*", "approvals": 1}]));
    let (l1, l2) = (app.token("l1"), app.token("l2"));
    propose(&console, &l1, &json!({"act": "cancel_term", "term_id": id}))
        .assert_problem(409, "already_effective");
    propose(&console, &l1, &json!({"act": "undo_retirement", "term_id": id}))
        .assert_problem(409, "not_retired");
    propose(&console, &l1, &json!({"act": "retire_term", "term_id": 999}))
        .assert_problem(404, "not_found");
    for body in [
        json!({}),
        json!({"act": "burn"}),
        json!({"act": "retire_term"}),
        json!({"act": "reorder_terms"}),
    ] {
        propose(&console, &l1, &body).assert_problem(422, "invalid_request");
    }
    let past = json!({"act": "retire_term", "term_id": id, "at": "2020-01-01T00:00:00Z"});
    propose(&console, &l1, &past).assert_problem(422, "invalid_instant");
    let act = json!({"act": "retire_term", "term_id": id});
    let (one, other) = (proposed(&console, &l1, &act), proposed(&console, &l1, &act));
    for proposal in [&one, &other] {
        assert_eq!(approve(&console, proposal, &l2).status, 204);
    }
    assert_eq!(apply(&console, &one, &l2).json()["status"], "done");
    let refused = apply(&console, &other, &l2).json();
    let expected = (&json!("refused"), &json!("already_retired"));
    assert_eq!((&refused["status"], &refused["refusal"]), expected, "{refused}");
    // A cancelled proposal is closed and listed as cancelled.
    let third = propose(&console, &l1, &json!({"act": "undo_retirement", "term_id": id}));
    third.assert_problem(409, "already_effective");
    let listed = |query: &str| {
        let path = format!("{ADMIN}/proposals?status={query}");
        app.get(&path).token(&l1).gives(200).json()["items"].as_array().map(Vec::len)
    };
    assert_eq!(
        (listed("proposed"), listed("done"), listed("refused")),
        (Some(0), Some(1), Some(1))
    );
    app.get(&format!("{ADMIN}/proposals?status=lost")).token(&l1).refused(400, "invalid_parameter");
}

fn ignores_the_approval_of_a_colleague_without_the_role(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let id = term(&console, &[]);
    require_approvals(&console, &json!([{"subject": "terms", "scope": "*", "approvals": 1}]));
    let (l1, l2, p1) = (app.token("l1"), app.token("l2"), app.token("p1"));
    let path = proposed(&console, &l1, &json!({"act": "retire_term", "term_id": id}));
    approve(&console, &path, &p1).assert_problem(403, "permission_denied");
    assert_eq!(approve(&console, &path, &l2).status, 204);
    let roles = app.request("PUT", &format!("{ADMIN}/people/l2/roles")).token(&console.admin);
    roles.json(&json!({"roles": ["product"]})).gives(200);
    apply(&console, &path, &l1).assert_problem(409, "approval_required");
    assert_eq!(app.get(&path).token(&l1).gives(200).json()["approvals"], json!([]));
    assert_eq!(status(&console, id), "active");
}

fn concurrent_applications_apply_a_proposal_once(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &json!([{"subject": "terms", "scope": "*", "approvals": 1}]));
    for round in 0..4 {
        let id = term(&console, &[]);
        let (l1, l2) = (app.token("l1"), app.token("l2"));
        let path = proposed(&console, &l1, &json!({"act": "retire_term", "term_id": id}));
        assert_eq!(approve(&console, &path, &l2).status, 204);
        let answers: Vec<Answer> = std::thread::scope(|scope| {
            let calls: Vec<_> = [&l1, &l2]
                .map(|token| scope.spawn(|| apply(&console, &path, token)))
                .into_iter()
                .collect();
            calls.into_iter().map(|call| call.join().expect("an answer")).collect()
        });
        for answer in &answers {
            let body = answer.json();
            assert!(body["status"] == "done" || body["code"] == "conflict", "{round}: {body}");
        }
        assert!(answers.iter().any(|answer| answer.status == 200), "{round}");
        assert_eq!(status(&console, id), "retired");
    }
    let path = format!("{ADMIN}/audit?event=term_retired");
    let audit = app.get(&path).token(&console.admin).gives(200).json();
    assert_eq!(audit["items"].as_array().map(Vec::len), Some(4), "{audit}");
}

fn an_admin_bypasses_missing_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let (one, other) = (term(&console, &[]), term(&console, &[]));
    require_approvals(&console, &json!([{"subject": "terms", "scope": "*", "approvals": 2}]));
    let l1 = app.token("l1");
    let retire = format!("{ADMIN}/terms/{one}/retirement?break_glass=court%20order");
    app.post(&retire).token(&l1).refused(403, "permission_denied");
    app.post(&retire).token(&console.admin).gives(200);
    let path = proposed(&console, &l1, &json!({"act": "retire_term", "term_id": other}));
    let apply = format!("{path}/apply?break_glass=court%20order");
    app.post(&apply).token(&l1).refused(403, "permission_denied");
    assert_eq!(app.post(&apply).token(&console.admin).gives(200).json()["status"], "done");
    let audit = app.get(&format!("{ADMIN}/audit?event=approval_bypassed")).token(&console.admin);
    let audit = audit.gives(200).json();
    assert_eq!(audit["items"].as_array().map(Vec::len), Some(2), "{audit}");
    // A command runs with the rights of the machine's operator, so it needs no approval.
    let third = term(&console, &[]);
    app.command(&["terms", "retire", &third.to_string()]).expect_success();
}

fn limits_proposals_to_the_markets_of_a_grant(engine: Engine) {
    let store = crate::store::TestStore::new(engine);
    for (user, role) in [("l1", "legal"), ("de", "legal@DE"), ("fr", "legal@FR")] {
        store.add_user(user, &[role]);
    }
    let id = store.term("FREELANCER", &["--market", "DE"]);
    let console = Console::serve(store);
    let app = &console.app;
    require_approvals(&console, &json!([{"subject": "terms", "scope": "*", "approvals": 1}]));
    let (l1, de, fr) = (app.token("l1"), app.token("de"), app.token("fr"));
    let act = json!({"act": "retire_term", "term_id": id});
    propose(&console, &fr, &act).assert_problem(403, "permission_denied");
    let path = proposed(&console, &l1, &act);
    app.get(&path).token(&fr).refused(403, "permission_denied");
    let listed = |token: &str| {
        let list = app.get(&format!("{ADMIN}/proposals")).token(token).gives(200).json();
        list["items"].as_array().map(Vec::len)
    };
    assert_eq!((listed(&l1), listed(&de), listed(&fr)), (Some(1), Some(1), Some(0)));
    approve(&console, &path, &fr).assert_problem(403, "permission_denied");
    apply(&console, &path, &fr).assert_problem(403, "permission_denied");
    app.request("DELETE", &path).token(&fr).refused(403, "permission_denied");
    assert_eq!(approve(&console, &path, &de).status, 204);
    assert_eq!(apply(&console, &path, &de).json()["status"], "done");
}

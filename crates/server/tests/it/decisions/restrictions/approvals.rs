//! Approvals of restrictions, where the rules demand them.

use serde_json::json;

use super::super::work::Work;
use super::fixture::{LIMITS, content};
use crate::admin::ADMIN;
use crate::request::Answer;
use crate::store::Engine;

on_both!(
    a_rule_demands_approvals_of_other_reviewers,
    approvals_are_of_one_version_and_of_independent_people,
    an_admin_bypasses_missing_approvals_with_a_reason,
);

impl Work {
    fn demand(&self, scope: &str, approvals: i64) {
        let request = self.app.request("PUT", &format!("{ADMIN}/approval-rules"));
        let rules = json!([{"subject": "restrictions", "scope": scope, "approvals": approvals}]);
        assert_eq!(request.token(&self.admin).json(&rules).gives(200).json(), rules);
    }

    fn proposed(&self, token: &str) -> String {
        let proposed = self.propose(token, &content("suspension")).gives_status(201).json();
        proposed["id"].as_str().expect("an id").to_owned()
    }

    fn approve(&self, id: &str, token: &str) -> Answer {
        let sha256 = self.restriction(id)["sha256"].clone();
        let request = self.app.post(&format!("{LIMITS}/{id}/approvals")).token(token);
        request.json(&json!({"sha256": sha256})).send()
    }
}

fn a_rule_demands_approvals_of_other_reviewers(engine: Engine) {
    let work = Work::start(engine);
    let request = work.app.request("PUT", &format!("{ADMIN}/approval-rules")).token(&work.admin);
    let unknown = json!([{"subject": "restrictions", "scope": "ban", "approvals": 1}]);
    request.json(&unknown).refused(422, "invalid_request");
    work.demand("suspension", 1);
    let refused = work.impose(&work.reviewer, &content("suspension"));
    refused.assert_problem(409, "approval_required");
    assert_eq!((&refused.json()["needed"], &refused.json()["given"]), (&json!(1), &json!(0)));
    work.impose(&work.reviewer, &content("limitation")).gives_status(201);
    work.demand("*", 1);
    work.impose(&work.reviewer, &content("limitation")).assert_problem(409, "approval_required");
    // The reviewer proposes instead.
    let id = work.proposed(&work.reviewer);
    assert_eq!(work.restriction(&id)["approvals_needed"], 1);
    let impose = json!({"effect": "impose"});
    work.decide(&id, &work.second_reviewer, &impose).assert_problem(409, "approval_required");
    work.approve(&id, &work.reviewer).assert_problem(403, "own_change");
    work.approve(&id, &work.dispatcher).assert_problem(403, "permission_denied");
    work.approve(&id, &work.key).assert_problem(403, "permission_denied");
    work.approve(&id, &work.second_reviewer).gives_status(204);
    work.approve(&id, &work.second_reviewer).gives_status(204);
    assert_eq!(work.restriction(&id)["approvals"][0]["user_id"], "v2");
    // The decider does not count as one who approves.
    work.decide(&id, &work.second_reviewer, &impose).assert_problem(409, "approval_required");
    work.app.store().add_user("v3", &["reviewer"]);
    let third = work.app.store().token("v3");
    work.decide(&id, &third, &impose).gives_status(200);
    work.approve(&id, &third).assert_problem(409, "conflict");
    // Dismissing and lifting need no approval.
    work.lift(&id, &work.reviewer).gives_status(200);
    let other = work.proposed(&work.reviewer);
    work.decide(&other, &third, &json!({"effect": "dismiss"})).gives_status(200);
}

fn approvals_are_of_one_version_and_of_independent_people(engine: Engine) {
    let work = Work::start(engine);
    work.demand("*", 1);
    let id = work.proposed(&work.key);
    let request = work.app.post(&format!("{LIMITS}/{id}/approvals")).token(&work.reviewer);
    request.clone().json(&json!({"sha256": "0".repeat(64)})).refused(409, "conflict");
    request.json(&json!({"sha256": 7})).refused(422, "invalid_request");
    work.approve(&id, &work.reviewer).gives_status(204);
    // What differs from the approved content is not approved.
    let other = json!({"effect": "impose", "statement": {"en": "z".repeat(50)}});
    work.decide(&id, &work.second_reviewer, &other).assert_problem(409, "approval_required");
    let withdraw = work.app.request("DELETE", &format!("{LIMITS}/{id}/approvals"));
    withdraw.token(&work.reviewer).gives(204);
    let impose = json!({"effect": "impose"});
    work.decide(&id, &work.second_reviewer, &impose).assert_problem(409, "approval_required");
    // A second account of the decider does not count either.
    let second =
        json!({"user_id": "second", "roles": ["reviewer"], "email": "second@larkspur.example"});
    work.app.post(&format!("{ADMIN}/people")).token(&work.admin).json(&second).gives(201);
    work.approve(&id, &work.app.store().token("second")).gives_status(204);
    work.decide(&id, &work.admin, &impose).assert_problem(409, "approval_required");
    work.approve(&id, &work.reviewer).gives_status(204);
    work.decide(&id, &work.second_reviewer, &impose).gives_status(200);
}

fn an_admin_bypasses_missing_approvals_with_a_reason(engine: Engine) {
    let work = Work::start(engine);
    work.demand("*", 2);
    let glass = |token: &str| {
        let request = work.app.post(&format!("{LIMITS}?break_glass=danger%20to%20others"));
        request.token(token).json(&content("suspension")).send()
    };
    glass(&work.reviewer).assert_problem(403, "permission_denied");
    glass(&work.admin).gives_status(201);
    let id = work.proposed(&work.key);
    let path = format!("{LIMITS}/{id}/decision?break_glass=danger");
    let request = work.app.post(&path).token(&work.admin);
    request.json(&json!({"effect": "impose"})).gives(200);
    let events = work.app.get(&format!("{ADMIN}/events?types=approval.bypassed"));
    let events = events.token(&work.admin).gives(200).json();
    assert_eq!(events["items"].as_array().map(Vec::len), Some(2), "{events}");
    assert_eq!(events["items"][1]["data"]["subject"], "restrictions");
}

//! An approval needs two different people. An account that the author created or reset does not
//! count as a second person, and the rules cannot be switched off and on again to avoid approvals.

use serde_json::{Value, json};

use super::super::{ADMIN, Console};
use super::proposals::{apply, approve, propose, proposed};
use super::{colleagues, require_approvals};
use crate::app::{Start, TestApp};
use crate::integration::receiver::{Receiver, Reply};
use crate::request::{Answer, Request};
use crate::store::{Engine, TestStore};

on_both!(
    weakening_a_rule_needs_the_approvals_of_that_rule,
    counts_an_account_and_its_creator_as_one_person,
    colleagues_of_one_admin_may_approve_until_one_is_reset,
    a_reset_voids_earlier_approvals,
    counts_a_chain_of_accounts_and_keys_as_one_person,
    an_import_and_a_new_role_link_accounts,
    a_command_unlinks_an_account,
    an_approval_shows_that_the_sign_in_link_was_displayed,
    sends_the_link_of_a_colleague_by_email_only,
    a_backup_keeps_which_account_gave_access,
);

fn draft(console: &Console, token: &str) -> String {
    let drafts = format!("{ADMIN}/term-drafts");
    let body = json!({"type": "FREELANCER", "mandatory": true,
        "variants": [{"locale": "en", "title": "Rules"}]});
    let created = console.app.post(&drafts).token(token).json(&body).gives(201).json();
    format!("{drafts}/{}", created["id"].as_str().expect("an id"))
}

/// Adds a colleague through the API and returns the response.
fn add(console: &Console, token: &str, id: &str, role: &str) -> Value {
    let email = format!("{id}@larkspur.example");
    let body = json!({"user_id": id, "email": email, "roles": [role]});
    console.app.post(&format!("{ADMIN}/people")).token(token).json(&body).gives(201).json()
}

/// Creates a sign-in link for a colleague, which resets the account.
fn reset(console: &Console, token: &str, id: &str) -> Value {
    console.app.post(&format!("{ADMIN}/people/{id}/link")).token(token).gives(201).json()
}

fn rules(console: &Console, rules: &Value) -> Request {
    let path = format!("{ADMIN}/approval-rules");
    console.app.request("PUT", &path).token(&console.admin).json(rules)
}

fn one_approval() -> Value {
    json!([{"subject": "terms", "scope": "*", "approvals": 1}])
}

fn weakening_a_rule_needs_the_approvals_of_that_rule(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    let both = json!([
        {"subject": "flags", "scope": "production", "approvals": 1},
        {"subject": "terms", "scope": "*", "approvals": 1},
    ]);
    rules(&console, &both).gives(200);
    let without_terms = json!([{"subject": "flags", "scope": "production", "approvals": 1}]);
    for weaker in [
        json!([]),
        without_terms.clone(),
        json!([both[0], {"subject": "terms", "scope": "*", "approvals": 0}]),
        json!([both[0], both[1], {"subject": "terms", "scope": "FREELANCER", "approvals": 0}]),
    ] {
        rules(&console, &weaker).refused(409, "approval_required");
    }
    let read =
        || app.get(&format!("{ADMIN}/approval-rules")).token(&console.admin).gives(200).json();
    assert_eq!(read(), both);
    // Stricter rules need no approval. They are then the rules that must not be weakened.
    let stronger = json!([both[0], {"subject": "terms", "scope": "*", "approvals": 2}]);
    rules(&console, &stronger).gives(200);
    let (l1, l2, p1) = (app.token("l1"), app.token("l2"), app.token("p1"));
    let act = json!({"act": "replace_rules", "rules": without_terms});
    propose(&console, &l1, &act).assert_problem(403, "permission_denied");
    let path = proposed(&console, &console.admin, &act);
    let shown = app.get(&path).token(&l1).gives(200).json();
    assert_eq!((&shown["rules_before"], &shown["rules"]), (&stronger, &without_terms));
    approve(&console, &path, &console.admin).assert_problem(403, "own_change");
    approve(&console, &path, &p1).assert_problem(403, "permission_denied");
    assert_eq!(approve(&console, &path, &l1).status, 204);
    let refused = apply(&console, &path, &console.admin);
    refused.assert_problem(409, "approval_required");
    assert_eq!((&refused.json()["needed"], &refused.json()["given"]), (&json!(2), &json!(1)));
    assert_eq!(approve(&console, &path, &l2).status, 204);
    apply(&console, &path, &l1).assert_problem(403, "permission_denied");
    assert_eq!(apply(&console, &path, &console.admin).json()["status"], "done");
    assert_eq!(read(), without_terms);
    // A proposal to replace rules is refused if the rules were replaced in the meantime.
    let act = json!({"act": "replace_rules", "rules": []});
    let path = proposed(&console, &console.admin, &act);
    approve(&console, &path, &l1).assert_problem(403, "permission_denied");
    assert_eq!(approve(&console, &path, &p1).status, 204);
    rules(&console, &both).gives(200);
    let refused = apply(&console, &path, &console.admin).json();
    assert_eq!((&refused["status"], &refused["refusal"]), (&json!("refused"), &json!("conflict")));
    assert_eq!(read(), both);
    // Every colleague can see that the break-glass parameter was used.
    let path = format!("{ADMIN}/approval-rules?break_glass=everyone%20is%20ill");
    app.request("PUT", &path).token(&console.admin).json(&json!([])).gives(200);
    let audit = app.get(&format!("{ADMIN}/audit?event=approval_bypassed")).token(&console.admin);
    let audit = audit.gives(200).json();
    assert!(
        audit["items"][0]["detail"].as_str().is_some_and(|text| text.contains("everyone is ill"))
    );
}

fn counts_an_account_and_its_creator_as_one_person(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    add(&console, &console.admin, "puppet", "legal");
    let puppet = app.token("puppet");
    // Either account may be the author.
    for (author, approver) in [(&console.admin, &puppet), (&puppet, &console.admin)] {
        let path = draft(&console, author);
        approve(&console, &path, approver).assert_problem(403, "own_change");
        let approvals = app.get(&path).token(author).gives(200).json()["approvals"].clone();
        assert_eq!(approvals, json!([]));
        assert_eq!(approve(&console, &path, &app.token("l1")).status, 204);
    }
    // The author resets the account of an existing colleague.
    let path = draft(&console, &console.admin);
    reset(&console, &console.admin, "l2");
    approve(&console, &path, &app.token("l2")).assert_problem(403, "own_change");
    assert_eq!(approve(&console, &path, &app.token("l1")).status, 204);
}

fn colleagues_of_one_admin_may_approve_until_one_is_reset(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    add(&console, &console.admin, "m1", "legal");
    add(&console, &console.admin, "m2", "legal");
    let (m1, m2) = (app.token("m1"), app.token("m2"));
    let path = draft(&console, &m1);
    assert_eq!(approve(&console, &path, &m2).status, 204);
    let path = draft(&console, &m1);
    reset(&console, &console.admin, "m2");
    approve(&console, &path, &m2).assert_problem(403, "own_change");
    // A draft that is started after the reset counts two people again.
    let path = draft(&console, &m1);
    assert_eq!(approve(&console, &path, &m2).status, 204);
}

fn a_reset_voids_earlier_approvals(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    let id = app.store().term("FREELANCER", &[]);
    let act = json!({"act": "retire_term", "term_id": id});
    let path = proposed(&console, &console.admin, &act);
    assert_eq!(approve(&console, &path, &app.token("l1")).status, 204);
    reset(&console, &console.admin, "l1");
    apply(&console, &path, &console.admin).assert_problem(409, "approval_required");
    assert_eq!(app.get(&path).token(&console.admin).gives(200).json()["approvals"], json!([]));
}

fn counts_a_chain_of_accounts_and_keys_as_one_person(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    add(&console, &console.admin, "second", "admin");
    let second = app.token("second");
    add(&console, &second, "third", "legal");
    let third = app.token("third");
    for (author, approver) in
        [(&console.admin, &third), (&third, &console.admin), (&second, &third)]
    {
        let path = draft(&console, author);
        approve(&console, &path, approver).assert_problem(403, "own_change");
    }
    // A service key that a second account created.
    let key = app.post(&format!("{ADMIN}/service-keys")).token(&second);
    let key = key.json(&json!({"name": "ci", "roles": ["legal"]})).gives(201).json();
    let path = draft(&console, key["key"].as_str().expect("a key"));
    approve(&console, &path, &console.admin).assert_problem(403, "own_change");
    approve(&console, &path, &third).assert_problem(403, "own_change");
    assert_eq!(approve(&console, &path, &app.token("l1")).status, 204);
    // Erasing the account between the two does not remove the link.
    let path = draft(&console, &console.admin);
    app.request("DELETE", &format!("{ADMIN}/people/second")).token(&console.admin).send();
    approve(&console, &path, &third).assert_problem(403, "own_change");
}

fn an_import_and_a_new_role_link_accounts(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    let import = |file: &str| {
        let import = app.post(&format!("{ADMIN}/people/import")).token(&console.admin);
        import.body("text/csv", file.as_bytes()).gives(200);
    };
    let refuses = |id: &str, refused: bool| {
        let path = draft(&console, &console.admin);
        let answer = approve(&console, &path, &app.token(id));
        assert_eq!(answer.status, if refused { 403 } else { 204 }, "{id}: {}", answer.json());
    };
    import("id,email,roles\nn1,n1@larkspur.example,legal\n");
    refuses("n1", true);
    // An import sets another address for an existing colleague.
    refuses("l1", false);
    import("id,email\nl1,other@larkspur.example\n");
    refuses("l1", true);
    // A name gives no access.
    import("id,name\nl2,Lea Example\n");
    refuses("l2", false);
    // A rider becomes a colleague.
    let roles = |id: &str, role: &str| {
        let call = app.request("PUT", &format!("{ADMIN}/people/{id}/roles")).token(&console.admin);
        call.json(&json!({"roles": [role]})).gives(200);
    };
    roles("r1", "legal");
    refuses("r1", true);
    // The admin did not create a person who was a colleague before.
    roles("p1", "legal");
    refuses("p1", false);
}

fn a_command_unlinks_an_account(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    add(&console, &console.admin, "m1", "admin");
    let path = draft(&console, &console.admin);
    approve(&console, &path, &app.token("m1")).assert_problem(403, "own_change");
    // The operator of the machine returns the account to its owner, by address and by link.
    app.command(&[
        "user",
        "add",
        "--id",
        "m1",
        "--role",
        "admin",
        "--email",
        "m1@larkspur.example",
    ])
    .expect_success();
    assert_eq!(approve(&console, &path, &app.token("m1")).status, 204);
}

fn an_approval_shows_that_the_sign_in_link_was_displayed(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    let link = reset(&console, &console.admin, "l2");
    assert!(link["url"].as_str().is_some_and(|text| text.contains("/console/sign-in#")), "{link}");
    assert_eq!(link["sent"], false);
    let path = draft(&console, &app.token("l1"));
    assert_eq!(approve(&console, &path, &app.token("l2")).status, 204);
    let approval = app.get(&path).token(&console.admin).gives(200).json()["approvals"][0].clone();
    assert_eq!(approval["link_shown_to"], "a1", "{approval}");
    assert!(
        approval["link_shown_at"].as_str().is_some_and(|text| text.ends_with('Z')),
        "{approval}"
    );
    let audit = app.get(&format!("{ADMIN}/audit?event=sign_in_link_made")).token(&console.admin);
    let audit = audit.gives(200).json();
    assert!(
        audit["items"][0]["detail"]
            .as_str()
            .is_some_and(|text| text.starts_with("shown to the admin")),
        "{audit}"
    );
}

fn sends_the_link_of_a_colleague_by_email_only(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("l1", &["legal"]);
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    let receiver = Receiver::start(Reply::Status(204));
    let args = ["--code-delivery", &receiver.url];
    let admin = store.token("a1");
    let app =
        TestApp::serve_with(&std::sync::Arc::new(store), Start { args: &args, ..Start::default() });
    let people = format!("{ADMIN}/people");
    let add = |body: &Value| -> Answer { app.post(&people).token(&admin).json(body).gives(201) };
    let added = add(&json!({"user_id": "n1", "email": "n1@larkspur.example", "roles": ["legal"]}));
    let link = &added.json()["sign_in_link"];
    assert_eq!((&link["url"], &link["sent"]), (&Value::Null, &json!(true)), "{link}");
    let message = receiver.next().json();
    assert_eq!(message["identifier"], "n1@larkspur.example");
    assert_eq!(message["notice"]["type"], "sign_in_link");
    let url = message["notice"]["url"].as_str().expect("a link").to_owned();
    assert!(
        !String::from_utf8_lossy(&added.body).contains(url.split('#').nth(1).expect("a token"))
    );
    let token = url.split('#').nth(1).expect("a token");
    let redeem = json!({"token": token, "password": "a long and plain sentence"});
    app.post("/api/session/v1/console/links").json(&redeem).gives(200);
    // Without an address the link is neither shown nor sent.
    let added = add(&json!({"user_id": "n2", "roles": ["legal"]})).json();
    assert_eq!(added["sign_in_link"], Value::Null, "{added}");
    app.post(&format!("{people}/l1/link")).token(&admin).refused(409, "no_email");
    let link = app.post(&format!("{people}/n1/link")).token(&admin).gives(201).json();
    assert_eq!((&link["url"], &link["sent"]), (&Value::Null, &json!(true)), "{link}");
    receiver.next();
    let audit = app.get(&format!("{ADMIN}/audit?event=sign_in_link_made")).token(&admin);
    assert_eq!(audit.gives(200).json()["items"][0]["detail"], "sent by e-mail");
}

fn a_backup_keeps_which_account_gave_access(engine: Engine) {
    let console = colleagues(engine);
    let app = &console.app;
    require_approvals(&console, &one_approval());
    add(&console, &console.admin, "puppet", "legal");
    let id = app.store().term("FREELANCER", &[]);
    let act = json!({"act": "retire_term", "term_id": id});
    let path = proposed(&console, &console.admin, &act);
    let file = app.path("backup").into_os_string().into_string().expect("UTF-8");
    app.command(&["backup", &file]).expect_success();
    let restored = TestStore::new(engine);
    restored.command(&["restore", &file]).expect_success();
    let console = Console { app: TestApp::serve(restored), ..console };
    let token = |user: &str| console.app.token(user);
    let puppet = token("puppet");
    let proposal = console.app.get(&path).token(&puppet).gives(200).json();
    let approve = |token: &str| {
        let approval = console.app.post(&format!("{path}/approvals")).token(token);
        approval.json(&json!({"sha256": proposal["sha256"]})).send()
    };
    approve(&puppet).assert_problem(403, "own_change");
    assert_eq!(approve(&token("l1")).status, 204);
}

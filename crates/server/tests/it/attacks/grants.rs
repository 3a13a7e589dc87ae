//! Colleagues and programs that try to get more rights than their grants give.

use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

use crate::admin::{ADMIN, Console};
use crate::app::{Start, TestApp};
use crate::request::Answer;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, rider};

on_both!(
    a_second_grant_shows_no_names_of_other_markets,
    refuses_an_export_under_a_misleading_name,
    a_legal_grant_for_a_market_opens_receipts_of_that_market_only,
    a_market_grant_imports_only_people_of_its_market,
    does_not_reveal_people_of_other_markets,
    dry_runs_are_audited_and_limited,
    refuses_a_file_that_expands_too_much,
    concurrent_removals_leave_one_admin,
    refuses_an_approval_by_the_owner_of_the_key,
    losing_a_role_voids_approvals,
    limits_the_number_of_webhooks,
    refuses_grants_for_invalid_places,
);

fn person(store: &TestStore, id: &str, name: &str, market: &str) {
    let email = format!("{id}@larkspur.example");
    let args = ["user", "add", "--id", id, "--name", name, "--email", &email, "--market", market];
    store.command(&args).expect_success();
}

/// Bea works in Berlin, Pia in Paris.
fn two_cities(engine: Engine) -> TestStore {
    let store = TestStore::new(engine);
    person(&store, "p-berlin", "Bea Fictional", "DE-BE");
    person(&store, "p-paris", "Pia Fictional", "FR");
    store
}

fn import(app: &TestApp, token: &str, file: &str) -> Answer {
    app.post(&format!("{ADMIN}/people/import"))
        .token(token)
        .body("text/csv", file.as_bytes())
        .send()
}

fn key(console: &Console, name: &str, role: &str) -> String {
    let request = console.app.post(&format!("{ADMIN}/service-keys")).token(&console.admin);
    let created = request.json(&json!({"name": name, "roles": [role]})).gives(201).json();
    created["key"].as_str().expect("a key").to_owned()
}

/// Each grant keeps its own scope: a grant for all markets does not extend the data of the other
/// grant.
fn a_second_grant_shows_no_names_of_other_markets(engine: Engine) {
    let store = two_cities(engine);
    for (id, second) in [("s1", "viewer"), ("s2", "product"), ("s3", "product@staging")] {
        store.add_user(id, &["support@DE", second]);
    }
    let term = store.term("FREELANCER", &["--mandatory"]);
    let console = Console::serve(store);
    for id in ["s1", "s2", "s3"] {
        let token = console.app.token(id);
        let get = |path: &str| console.app.get(&format!("{ADMIN}{path}")).token(&token).send();
        let mut answers = String::new();
        for path in [
            "/people".to_owned(),
            "/people?market=FR".into(),
            "/people?role=rider".into(),
            "/people?q=Pia".into(),
            "/people?q=p-paris%40".into(),
            "/people/p-paris".into(),
            "/people/p-paris/standing".into(),
            "/people/p-paris/data".into(),
            "/people/p-paris/sessions".into(),
            format!("/terms/{term}/missing"),
            format!("/terms/{term}/missing?market=FR"),
            format!("/terms/{term}/missing?q=Pia"),
            "/consents?user=p-paris".into(),
            "/audit".into(),
            "/gate".into(),
        ] {
            answers.push_str(&String::from_utf8_lossy(&get(&path).body));
        }
        assert!(!answers.contains("Pia") && !answers.contains("p-paris@"), "{id}: {answers}");
        let berlin = get("/people/p-berlin").json();
        assert_eq!(berlin["name"], "Bea Fictional", "{id}");
        for (method, path, body) in [
            ("GET", "/people/p-paris/data", Value::Null),
            ("DELETE", "/people/p-paris/sessions", Value::Null),
            ("PUT", "/people/p-paris/market", json!({"market": "DE"})),
            ("PUT", "/people/p-berlin/market", json!({"market": "FR"})),
            ("POST", "/people", json!({"user_id": "n1", "market": "FR"})),
        ] {
            let call = console.app.request(method, &format!("{ADMIN}{path}")).token(&token);
            let call = if body.is_null() { call } else { call.json(&body) };
            call.refused(403, "permission_denied");
        }
    }
}

/// An environment, key or version named like the end of the list of environments gives no access.
fn refuses_an_export_under_a_misleading_name(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("p1", &["product@staging"]);
    store.import("production", &crate::flags::document("hello"));
    store.import("environments", &crate::flags::document("hello"));
    let app = TestApp::serve(store);
    let token = app.token("p1");
    let production = format!("{ADMIN}/environments/production");
    for (method, path) in [
        ("DELETE", format!("{production}/keys/environments")),
        ("GET", format!("{production}/changes/environments")),
        ("DELETE", format!("{production}/changes/environments")),
        ("GET", format!("{production}/versions/environments")),
        ("GET", format!("{ADMIN}/environments/environments/flags")),
    ] {
        app.request(method, &path).token(&token).refused(403, "permission_denied");
    }
    let listed = app.get(&format!("{ADMIN}/environments")).token(&token).gives(200).json();
    assert_eq!(listed["items"], json!([]), "there is no staging");
}

fn a_legal_grant_for_a_market_opens_receipts_of_that_market_only(engine: Engine) {
    let store = two_cities(engine);
    store.add_user("l1", &["legal@DE"]);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let console = Console::serve(store);
    let app = &console.app;
    let [berlin, paris] = ["p-berlin", "p-paris"].map(|id| {
        let body = rider(id, &accept(&[term]));
        let created = app.post(SUBMIT).token(&app.token(id)).json(&body).gives(201).json();
        created["receipt"].clone()
    });
    let token = app.token("l1");
    let open = |receipt: &Value, ending: &str| {
        let id = receipt["id"].as_str().expect("an id");
        app.get(&format!("{ADMIN}/receipts/{id}{ending}")).token(&token)
    };
    for ending in [".json", ".tlog-proof", ".pdf", ""] {
        open(&berlin, ending).gives(200);
        open(&paris, ending).refused(403, "permission_denied");
    }
    // An unknown receipt gives the same response as a receipt of another market.
    open(&json!({"id": "A".repeat(32)}), ".json").refused(403, "permission_denied");
    // Verifying a presented receipt returns only what the receipt itself contains.
    let verify = app.post(&format!("{ADMIN}/receipts/verify")).token(&token);
    let verdict = verify.json(&json!({"receipt": paris})).gives(200).json();
    assert_eq!(verdict["verified"], true);
    for (person, status) in [("p-berlin", 200), ("p-paris", 403)] {
        app.get(&format!("{ADMIN}/people/{person}/case.zip")).token(&token).gives(status);
    }
}

fn a_market_grant_imports_only_people_of_its_market(engine: Engine) {
    let store = two_cities(engine);
    store.add_user("s1", &["support@DE"]);
    store.add_user("s2", &["support@DE", "viewer"]);
    store
        .command(&["user", "add", "--id", "l9", "--role", "legal", "--market", "DE"])
        .expect_success();
    let console = Console::serve(store);
    let app = &console.app;
    for id in ["s1", "s2"] {
        let token = app.token(id);
        for outside in [
            "id,market\nn1,FR\n",
            "id,market\nn1,\n",
            "id,name\nn1,Nobody\n",
            // The import neither fetches nor changes people of other markets, even if other lines
            // are valid.
            "id,market\np-paris,DE\n",
            "id,market,name\nn1,DE,A\np-paris,FR,Changed\n",
            "id,market\np-berlin,FR\n",
            "id,roles,market\np-berlin,rider support,DE\n",
            "id,market\nl9,DE\n",
        ] {
            import(app, &token, outside).assert_problem(403, "permission_denied");
        }
        let person = app.get(&format!("{ADMIN}/people/p-paris")).token(&console.admin).gives(200);
        assert_eq!(person.json()["name"], "Pia Fictional");
        let new =
            format!("id,market,name\nnew-{id},DE-BB,New One\np-berlin,DE-BE,Bea Other {id}\n");
        let imported = import(app, &token, &new);
        assert_eq!((imported.status, &imported.json()["added"]), (200, &json!(1)));
    }
}

/// A person of another market and an unknown person who may not be added there give the same
/// status, code and text.
fn does_not_reveal_people_of_other_markets(engine: Engine) {
    let store = two_cities(engine);
    store.add_user("s1", &["support@DE"]);
    store.add_user("s2", &["support"]);
    let console = Console::serve(store);
    let app = &console.app;
    let token = app.token("s1");
    let without_id = |answer: &Answer| {
        let id = answer.header("x-request-id");
        (answer.status, String::from_utf8_lossy(&answer.body).replace(id, ""))
    };
    let add = |token: &str, body: Value| {
        app.post(&format!("{ADMIN}/people")).token(token).json(&body).send()
    };
    let denied = add(&token, json!({"user_id": "n1", "market": "FR"}));
    denied.assert_problem(403, "permission_denied");
    for body in [
        json!({"user_id": "p-paris", "market": "DE"}),
        json!({"user_id": "n1", "market": "DE", "email": "p-paris@larkspur.example"}),
        json!({"user_id": "n1", "market": "DE", "email": "P-Paris@larkspur.example", "phone": "+4930100"}),
    ] {
        let answer = add(&token, body.clone());
        assert_eq!(without_id(&answer), without_id(&denied), "{body}");
        add(&app.token("s2"), body).assert_problem(409, "conflict");
    }
    for own in [
        json!({"user_id": "p-berlin", "market": "DE"}),
        json!({"user_id": "n1", "market": "DE", "email": "p-berlin@larkspur.example"}),
    ] {
        add(&token, own).assert_problem(409, "conflict");
    }
    let run = |query: &str, file: &str| {
        let path = format!("{ADMIN}/people/import{query}");
        app.post(&path).token(&token).body("text/csv", file.as_bytes()).send()
    };
    for query in ["", "?dry_run=true"] {
        let denied = run(query, "id,market\nn1,FR\n");
        denied.assert_problem(403, "permission_denied");
        for file in [
            "id,market\np-paris,DE\n",
            "id,market,email\nn1,DE,p-paris@larkspur.example\n",
            "id,market,email\nn1,DE,p-paris@larkspur.example\nn2,DE,p-berlin@larkspur.example\n",
            "id,market,email\np-berlin,DE,p-paris@larkspur.example\n",
        ] {
            assert_eq!(without_id(&run(query, file)), without_id(&denied), "{query} {file}");
        }
        let own = run(query, "id,market,email\nn1,DE,p-berlin@larkspur.example\n");
        own.assert_problem(422, "invalid_request");
    }
}

fn dry_runs_are_audited_and_limited(engine: Engine) {
    let store = two_cities(engine);
    store.add_user("s1", &["support@DE"]);
    store.add_user("a1", &["admin"]);
    let (admin, token) = (store.token("a1"), store.token("s1"));
    let start = Start { limited: true, ..Start::default() };
    let app = TestApp::serve_with(&Arc::new(store), start);
    let run = |file: &str| {
        let path = format!("{ADMIN}/people/import?dry_run=true");
        app.post(&path).token(&token).body("text/csv", file.as_bytes()).send()
    };
    let file = "id,market,name\np-berlin,DE,Bea Other\n";
    assert_eq!(run(file).status, 200);
    let path = format!("{ADMIN}/audit?event=people_import_checked");
    let rows = app.get(&path).token(&admin).gives(200).json();
    assert_eq!(rows["items"][0]["actor_user_id"], "s1");
    assert_eq!(rows["items"][0]["detail"], "1 people");
    // A refused file counts as a dry run.
    for _ in 0..29 {
        assert_eq!(run(file).status, 200);
        import(&app, &token, "id,market\nn1,\n").assert_problem(403, "permission_denied");
    }
    assert_eq!(run(file).status, 200, "the last of sixty");
    run(file).assert_problem(429, "rate_limited");
    import(&app, &token, "id,market\nn1,\n").assert_problem(429, "rate_limited");
    assert_eq!(import(&app, &token, file).status, 200, "a valid import continues");
}

fn refuses_a_file_that_expands_too_much(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("s1", &["support"]);
    let console = Console::serve(store);
    let token = console.app.token("s1");
    let mib = 1024 * 1024;
    let lines = |line: &str, count: usize| format!("id\n{}", line.repeat(count));
    let people = (0..100_001).map(|i| format!("n{i}\n")).collect::<String>();
    for (what, file) in [
        ("columns without a name", ",".repeat(3 * mib)),
        ("one column, again and again", "id,".repeat(mib)),
        ("one name of a column", "x".repeat(3 * mib)),
        ("one cell that never ends", format!("id\n\"{}", "x".repeat(3 * mib))),
        ("lines with too many cells", lines("a,b\n", mib / 2)),
        ("lines of the same person", lines("a\n", mib)),
        ("a role of megabytes", format!("id,roles\nr1,{}\n", "x".repeat(3 * mib))),
        ("more people than a file has", format!("id\n{people}")),
    ] {
        let answer = import(&console.app, &token, &file);
        // A file with too many cells or people is too large. Any other error is malformed content.
        match answer.status {
            413 => answer.assert_problem(413, "body_too_large"),
            _ => answer.assert_problem(422, "invalid_request"),
        }
        assert!(answer.body.len() < 4 * mib, "{what}: {} bytes", answer.body.len());
    }
    import(&console.app, &token, &"x".repeat(4 * mib + mib / 2))
        .assert_problem(413, "body_too_large");
    let all = console.app.get(&format!("{ADMIN}/people?q=n1")).token(&token).gives(200).json();
    assert_eq!(all["items"], json!([]), "no line was imported");
}

/// Two admins remove each other's role at the same time. One admin remains.
fn concurrent_removals_leave_one_admin(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    for _ in 0..6 {
        app.add_user("a1", &["admin"]);
        app.add_user("a2", &["admin"]);
        let tokens = [app.token("a1"), app.token("a2")];
        let take = |token: &str, from: &str| {
            let path = format!("{ADMIN}/people/{from}/roles");
            app.request("PUT", &path).token(token).json(&json!({"roles": ["viewer"]})).send().status
        };
        let (one, two) = thread::scope(|scope| {
            let one = scope.spawn(|| take(&tokens[0], "a2"));
            let two = scope.spawn(|| take(&tokens[1], "a1"));
            (one.join().expect("an answer"), two.join().expect("an answer"))
        });
        // The second call comes too late, concerns the last admin, or fails because the first
        // call signed the caller out.
        assert!(one == 200 || two == 200, "{one} {two}");
        assert!([one, two].iter().all(|status| [200, 401, 409].contains(status)), "{one} {two}");
        assert!(one != 200 || two != 200, "no admin remains");
    }
}

fn refuses_an_approval_by_the_owner_of_the_key(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "a2", "--role", "admin"]).expect_success();
    store.import("production", &crate::flags::document("hello"));
    let console = Console::serve(store);
    let app = &console.app;
    let rules = json!([{"subject": "terms", "scope": "*", "approvals": 1},
        {"subject": "flags", "scope": "*", "approvals": 1}]);
    let put = app.request("PUT", &format!("{ADMIN}/approval-rules")).token(&console.admin);
    put.json(&rules).gives(200);
    let key = key(&console, "build", "operator");
    let other = app.token("a2");
    let draft = json!({"type": "FREELANCER", "variants": [{"locale": "en", "title": "Rules"}]});
    let draft = app.post(&format!("{ADMIN}/term-drafts")).token(&key).json(&draft).gives(201);
    let flags = format!("{ADMIN}/environments/production");
    let current = app.get(&format!("{flags}/flags")).token(&key).gives(200);
    let mut document = current.json();
    document["flags"][0]["description"] = "by a program".into();
    let change = app.post(&format!("{flags}/changes")).token(&key);
    let change = change.header("if-match", current.header("etag"));
    let change = change.json(&json!({"document": document})).gives(201);
    let id = |answer: &Answer| answer.json()["id"].as_str().expect("an id").to_owned();
    for (path, created) in [
        (format!("{ADMIN}/term-drafts/{}", id(&draft)), &draft),
        (format!("{flags}/changes/{}", id(&change)), &change),
    ] {
        let approve = |token: &str| {
            let sha256 = &created.json()["sha256"];
            let vote = app.post(&format!("{path}/approvals")).token(token);
            vote.json(&json!({"sha256": sha256}))
        };
        approve(&console.admin).refused(403, "own_change");
        approve(&key).refused(403, "permission_denied");
        approve(&other).gives(204);
    }
    // A key that was revoked in the meantime still counts as the approver's own.
    let keys = app.get(&format!("{ADMIN}/service-keys")).token(&console.admin).gives(200).json();
    let key_id = keys["items"][0]["id"].as_str().expect("an id");
    let path = format!("{ADMIN}/service-keys/{key_id}");
    app.request("DELETE", &path).token(&console.admin).gives(204);
    let vote = app.post(&format!("{ADMIN}/term-drafts/{}/approvals", id(&draft)));
    let vote = vote.token(&console.admin).json(&json!({"sha256": draft.json()["sha256"]}));
    vote.refused(403, "own_change");
}

fn losing_a_role_voids_approvals(engine: Engine) {
    let store = TestStore::new(engine);
    for (user, role) in [("p1", "product"), ("p2", "product"), ("p3", "product")] {
        store.add_user(user, &[role]);
    }
    store.import("production", &crate::flags::document("hello"));
    let console = Console::serve(store);
    let app = &console.app;
    let rules = json!([{"subject": "flags", "scope": "*", "approvals": 2}]);
    let put = app.request("PUT", &format!("{ADMIN}/approval-rules")).token(&console.admin);
    put.json(&rules).gives(200);
    let flags = format!("{ADMIN}/environments/production");
    let p1 = app.token("p1");
    let current = app.get(&format!("{flags}/flags")).token(&p1).gives(200);
    let mut document = current.json();
    document["flags"][0]["description"] = "new".into();
    let change = app.post(&format!("{flags}/changes")).token(&p1);
    let change = change.header("if-match", current.header("etag"));
    let change = change.json(&json!({"document": document})).gives(201).json();
    let path = format!("{flags}/changes/{}", change["id"].as_str().expect("an id"));
    let approve = |user: &str| {
        let vote = app.post(&format!("{path}/approvals")).token(&app.token(user));
        vote.json(&json!({"sha256": change["sha256"]})).gives(204);
    };
    let approvals = || {
        let read = app.get(&path).token(&console.admin).gives(200).json();
        read["approvals"].as_array().map(Vec::len)
    };
    approve("p2");
    approve("p3");
    assert_eq!(approvals(), Some(2));
    let roles = app.request("PUT", &format!("{ADMIN}/people/p3/roles")).token(&console.admin);
    roles.json(&json!({"roles": ["viewer"]})).gives(200);
    assert_eq!(approvals(), Some(1));
    let refused = app.post(&format!("{path}/apply")).token(&p1).send();
    refused.assert_problem(409, "approval_required");
    assert_eq!(refused.json()["given"], 1);
    // The same applies to an import file.
    let file = "id,roles\np2,rider\np1,product\n";
    assert_eq!(import(app, &console.admin, file).status, 200);
    assert_eq!(approvals(), Some(0));
    let flags = app.get(&format!("{flags}/flags")).token(&console.admin).gives(200).json();
    assert_ne!(flags["flags"][0]["description"], "new");
}

fn limits_the_number_of_webhooks(engine: Engine) {
    let console = Console::start(engine);
    let webhooks = format!("{ADMIN}/webhooks");
    let add = || {
        let body = json!({"url": "https://8.8.8.8/", "types": ["flag.changed"]});
        console.app.post(&webhooks).token(&console.admin).json(&body)
    };
    let mut last = Value::Null;
    for _ in 0..100 {
        last = add().gives(201).json();
    }
    add().refused(409, "conflict");
    let path = format!("{webhooks}/{}", last["id"].as_str().expect("an id"));
    console.app.request("DELETE", &path).token(&console.admin).gives(204);
    add().gives(201);
}

/// The server refuses a grant with a typing error, so that the error is not discovered only when a
/// colleague sees nothing.
fn refuses_grants_for_invalid_places(engine: Engine) {
    let store = two_cities(engine);
    let add = |role: &str| store.command(&["user", "add", "--id", "c1", "--role", role]);
    add("legal@XX").failed(2, "must be one of");
    store.command(&["service-key", "create", "--name", "pay", "--role", "viewer@XX"]).failed(2, "");
    // A script may create the objects in any order.
    for (role, missing) in [
        (
            "product@nowhere",
            "the environment nowhere does not exist yet, so product@nowhere has no effect",
        ),
        ("support@DE-BE.moon", "the market DE-BE.moon is not declared yet, so support@DE-BE.moon"),
    ] {
        let output = add(role);
        assert!(output.stderr.contains(missing), "{}", output.stderr);
        output.expect_success();
    }
    let declared = add("legal@DE-BE");
    assert!(!declared.stderr.contains("yet"), "{}", declared.stderr);
    declared.expect_success();

    let console = Console::serve(store);
    let roles = json!({"roles": ["viewer", "legal@DE-XX"]});
    let set = console.app.request("PUT", &format!("{ADMIN}/people/c1/roles"));
    let refused = set.token(&console.admin).json(&roles).refused(422, "invalid_request");
    assert_eq!(refused.pointers(), ["/roles/1"]);
    let key = json!({"name": "pay", "roles": ["viewer@XX"]});
    let request = console.app.post(&format!("{ADMIN}/service-keys")).token(&console.admin);
    assert_eq!(request.json(&key).refused(422, "invalid_request").pointers(), ["/roles/0"]);
    let file = "id,roles\np-berlin,legal@XX\n";
    let bad = import(&console.app, &console.admin, file);
    assert_eq!(bad.status, 422);
}

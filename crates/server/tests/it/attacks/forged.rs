//! Cross-site requests that a browser sends on behalf of another site, fields that no client may
//! set, and text with a meaning for a database or a script.

use serde_json::json;

use super::operations;
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, rider};

on_both!(
    cross_site_requests_change_nothing,
    reading_changes_nothing,
    ignores_fields_that_clients_may_not_set,
    treats_sql_and_script_text_as_plain_text,
    treats_prototype_member_names_as_plain_names,
);

fn cross_site_requests_change_nothing(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("a1", &["admin", "rider"]);
    let app = TestApp::serve(store);
    let tokens = app.command(&["token", "issue", "--user", "a1"]).json();
    let text = |name: &str| tokens[name].as_str().expect("a token").to_owned();
    let (access, refresh) = (text("dhhToken"), text("refreshToken"));
    // Everything that a browser adds by itself.
    let cookies =
        format!("dhh_token={access}; refresh_token={refresh}; __Host-refresh_token={refresh}");
    let people = || app.get("/api/admin/v1/people").token(&access).gives(200).json();
    let (before, recorded) = (people(), app.export(&[]));
    for operation in operations(&app).iter().filter(|operation| operation.writes()) {
        // Media types that a form or a fetch without a preflight can send.
        for media_type in
            ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
        {
            let call = operation.ask(&app).header("cookie", &cookies);
            let call = call
                .header("sec-fetch-site", "cross-site")
                .header("origin", "https://evil.example");
            let answer = call.body(media_type, b"{\"user_id\":\"\"}").send();
            let name = operation.name();
            assert!(
                (400..500).contains(&answer.status),
                "{name} as {media_type}: {}",
                answer.status
            );
            assert_eq!(answer.header("set-cookie"), "", "{name}");
            // Flag requests use no cookies, so any page may call them with a key.
            let is_flags = name.contains("/api/flags/") || name.contains("/ofrep/");
            let want = if is_flags { "*" } else { "" };
            assert_eq!(answer.header("access-control-allow-origin"), want, "{name}");
            assert_eq!(answer.header("access-control-allow-credentials"), "", "{name}");
        }
    }
    assert_eq!(people(), before);
    assert_eq!(app.export(&[]), recorded);
    app.get("/api/session/v1/me").token(&access).gives(200);
}

fn reading_changes_nothing(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("a1", &["admin", "rider"]);
    store.import("production", &crate::flags::document("hello"));
    store.term("FREELANCER", &[]);
    let app = TestApp::serve(store);
    let token = app.token("a1");
    let state = || {
        let ask = |path: &str| app.get(path).token(&token).gives(200).json();
        (
            ask("/api/admin/v1/terms"),
            ask("/api/admin/v1/environments"),
            ask("/api/admin/v1/term-drafts"),
            app.export(&[]),
        )
    };
    let before = state();
    for operation in operations(&app) {
        for method in ["GET", "HEAD", "OPTIONS"] {
            let is_stream = operation.path.ends_with("/stream");
            if !is_stream {
                app.request(method, &operation.address).token(&token).send();
            }
        }
    }
    assert_eq!(state(), before);
    app.get("/api/session/v1/me").token(&token).gives(200);
}

fn ignores_fields_that_clients_may_not_set(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    store.add_user("a1", &["admin"]);
    let app = TestApp::serve(store);
    let (own_token, admin) = (app.token("r1"), app.token("a1"));
    let mut body = rider("r1", &accept(&[term]));
    let extra = json!({
        "id": 99, "recorded_at": "2001-01-01T00:00:00Z", "evidence": "presented", "index": 99,
        "subject": "x", "role": "admin", "roles": ["admin"], "receipt": {"id": "x"}, "is_admin": true,
    });
    for (name, value) in extra.as_object().expect("an object") {
        body[name] = value.clone();
        body["consents"][0][name] = value.clone();
    }
    let created = app.post(SUBMIT).token(&own_token).json(&body).gives(201).json();
    assert_ne!(created["receipt"]["id"], "x");
    assert_ne!(created["recorded_at"], "2001-01-01T00:00:00.000Z");
    let row = &app.export(&[])[0];
    assert_eq!(row["user_id"], "r1");
    assert!(!row.to_string().contains("2001-01-01"), "{row}");
    assert_eq!(
        app.get("/api/session/v1/me").token(&own_token).gives(200).json()["roles"],
        json!(["rider"])
    );
    // No refresh and no operator's form gives a role that was not assigned.
    let refresh = app.command(&["token", "issue", "--user", "r1"]).json()["refreshToken"].clone();
    let body = json!({"refresh_token": refresh, "roles": ["admin"], "user_id": "a1", "sub": "a1"});
    let tokens = app.post("/api/session/v1/refresh").json(&body).gives(200).json();
    let next = tokens["dhhToken"].as_str().expect("a token");
    let me = app.get("/api/session/v1/me").token(next).gives(200).json();
    assert_eq!((&me["user_id"], &me["roles"]), (&json!("r1"), &json!(["rider"])));
    let body = json!({"user_id": "r9", "id": "x", "roles": ["rider"], "role": "admin", "password_hash": "x", "subject": "x"});
    app.post("/api/admin/v1/people").token(&admin).json(&body).gives(201);
    assert_eq!(
        app.get("/api/admin/v1/people/r9").token(&admin).gives(200).json()["roles"],
        json!(["rider"])
    );
}

fn treats_sql_and_script_text_as_plain_text(engine: Engine) {
    const WORDS: [&str; 10] = [
        "' OR '1'='1",
        "'; DROP TABLE users; --",
        "\" OR 1=1 --",
        "1; SELECT pg_sleep(9)",
        "%' UNION SELECT NULL--",
        "$1",
        "\\'; --",
        "%",
        "_",
        "x'||(SELECT seed FROM logs)||'",
    ];
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    store.add_user("a1", &["admin"]);
    let client = store.flag_key("production", "client", &[]);
    let app = TestApp::serve(store);
    let admin = app.token("a1");
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let people = || app.get("/api/admin/v1/people").token(&admin).gives(200).json();
    let before = people();
    for word in WORDS {
        let encoded: String = word.bytes().map(|byte| format!("%{byte:02x}")).collect();
        for operation in operations(&app) {
            let path: Vec<String> = operation
                .path
                .split('/')
                .map(|part| match part {
                    "{version}" => "v3".to_owned(),
                    _ if part.contains('{') => encoded.clone(),
                    _ => part.to_owned(),
                })
                .collect();
            let token = if operation.path.contains("/flags/v") { &client } else { &admin };
            // Erasing and signing out do what they are meant to do.
            let is_danger = operation.method == "DELETE"
                || operation.path.ends_with("/stream")
                || operation.path.contains("/logout");
            if is_danger {
                continue;
            }
            let address = format!(
                "{}?q={encoded}&types={encoded}&user={encoded}&cursor={encoded}",
                path.join("/")
            );
            let call = app
                .request(&operation.method, &address)
                .token(token)
                .header("if-match", &format!("\"{}\"", word.len()));
            let call = if operation.takes_body {
                call.json(&json!({"id": word, "user_id": word, "identifier": word, "code": word}))
            } else {
                call
            };
            let answer = call.send();
            assert!(answer.status < 500, "{} with {word}: {}", operation.name(), answer.status);
        }
        for list in ["terms", "markets"] {
            let path = format!("{V3}/public/{list}?types={encoded}");
            app.get(&path).refused(400, "invalid_parameter");
        }
    }
    let after = people().to_string();
    for id in ["r1", "a1"] {
        let named = format!("\"user_id\":\"{id}\"");
        assert!(
            before.to_string().contains(&named) && after.contains(&named),
            "{id} no longer exists"
        );
    }
    assert_eq!(app.export(&[]).len(), 1);
}

/// Names of prototype members (`__proto__`), and repeated parameters.
fn treats_prototype_member_names_as_plain_names(engine: Engine) {
    let store = TestStore::new(engine);
    let (first, second) = (store.term("FREELANCER", &[]), store.term("MARKETING", &[]));
    store.import("production", &crate::flags::document("hello"));
    let client = store.flag_key("production", "client", &[]);
    let app = TestApp::serve(store);
    for name in ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"] {
        let body = json!({"userId": "u1", name: {"isAdmin": true, "key": "u2"}});
        let one = app.request("PUT", "/api/flags/v3/features/greeting").token(&client).json(&body);
        assert_eq!(one.gives(200).json()["variation"], "Hello", "{name}");
        let path = format!("/api/flags/v3/features/{name}");
        let none =
            app.request("PUT", &path).token(&client).json(&json!({"userId": "u1"})).gives(200);
        assert_eq!(none.json()["explanation"]["from"], "error:FLAG_NOT_FOUND", "{name}");
        let list = json!({"userId": "u1", "featureList": [name, "greeting"]});
        let many =
            app.request("PUT", "/api/flags/v3/features").token(&client).json(&list).gives(200);
        assert_eq!(many.json()["flags"][name]["explanation"]["kind"], "ERROR", "{name}");
    }
    // If a parameter is repeated, the server always uses the same occurrence.
    let ask = |query: &str| {
        let list = app.get(&format!("{V3}/public/terms?{query}")).send();
        (list.status, if list.status == 200 { crate::wire::ids(&list.json()) } else { Vec::new() })
    };
    let twice = ask("types=FREELANCER&types=MARKETING");
    assert!(
        [(200, vec![first]), (200, vec![second]), (200, vec![first, second]), (400, vec![])]
            .contains(&twice),
        "{twice:?}"
    );
    assert_eq!(ask("types=FREELANCER&types=MARKETING"), twice);
}

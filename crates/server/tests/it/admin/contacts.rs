//! E-mail addresses and phone numbers: who changes them, and the consequences.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::app::TestApp;
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, entry, rider};

on_both!(
    support_cannot_change_the_address_of_a_user_who_has_signed_in,
    a_changed_address_ends_sessions_and_codes_and_is_audited,
    notifies_the_former_address,
    audit_entries_name_the_sign_in_method
);

const SESSION: &str = "/api/session/v1";

fn import(app: &TestApp, token: &str, csv: &str) -> Request {
    app.post(&format!("{ADMIN}/people/import")).token(token).body("text/csv", csv.as_bytes())
}

/// Returns the log lines with this beginning once there is one more than `before`.
fn logged(store: &TestStore, begins: &str, before: usize) -> Vec<String> {
    let started = Instant::now();
    loop {
        let log = std::fs::read_to_string(store.path("serve.log")).unwrap_or_default();
        let lines = log.lines().filter(|line| line.starts_with(begins));
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        if lines.len() > before {
            return lines;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "no line '{begins}'");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn new_code(app: &TestApp, identifier: &str) -> String {
    let log = std::fs::read_to_string(app.path("serve.log")).unwrap_or_default();
    let before = log.lines().filter(|line| line.starts_with("code=")).count();
    app.post(&format!("{SESSION}/codes")).json(&json!({"identifier": identifier})).gives(202);
    let lines = logged(app, "code=", before);
    let line = lines.last().expect("a line");
    line["code=".len()..].split(' ').next().expect("a code").to_owned()
}

fn redeem(app: &TestApp, identifier: &str, code: &str) -> Request {
    let body = json!({"identifier": identifier, "code": code});
    app.post(&format!("{SESSION}/tokens")).json(&body)
}

fn sign_in(app: &TestApp, identifier: &str) -> String {
    let code = new_code(app, identifier);
    let tokens = redeem(app, identifier, &code).gives(200).json();
    tokens["dhhToken"].as_str().expect("a token").to_owned()
}

fn status_of(app: &TestApp, token: &str) -> u16 {
    app.get(&format!("{SESSION}/me")).token(token).send().status
}

fn audit(console: &Console, event: &str) -> Vec<Value> {
    let path = format!("{ADMIN}/audit?event={event}");
    let page = console.app.get(&path).token(&console.admin).gives(200).json();
    page["items"].as_array().expect("items").clone()
}

fn console(engine: Engine) -> Console {
    let store = TestStore::new(engine);
    for (id, email) in [("seen", "noor@larkspur.example"), ("fresh", "ivo@larkspur.example")] {
        store.command(&["user", "add", "--id", id, "--email", email]).expect_success();
    }
    store.add_user("s1", &["support"]);
    Console::serve(store)
}

fn support_cannot_change_the_address_of_a_user_who_has_signed_in(engine: Engine) {
    let console = console(engine);
    let app = &console.app;
    let support = app.token("s1");
    let rider = sign_in(app, "noor@larkspur.example");
    for csv in [
        "id,email\nseen,eve@larkspur.example\n",
        "id,phone\nseen,+15550166\n",
        "id,email\nseen,\n",
        "id,name,email\nfresh,Ivo Quill,ivo@larkspur.example\nseen,Noor,eve@larkspur.example\n",
    ] {
        let refused = import(app, &support, csv).refused(403, "permission_denied").json();
        assert_eq!(refused["errors"][0]["code"], "contact_needs_admin", "{csv}");
        let dry = format!("{ADMIN}/people/import?dry_run=true");
        let dry = app.post(&dry).token(&support).body("text/csv", csv.as_bytes());
        dry.refused(403, "permission_denied");
    }
    assert_eq!(status_of(app, &rider), 200);
    // A person who signed out is not new. Codes that reach another person would open the same
    // account.
    app.post(&format!("{SESSION}/logout")).token(&rider).gives(204);
    import(app, &support, "id,email\nseen,eve@larkspur.example\n")
        .refused(403, "permission_denied");
    // This account was never used, and support may always change data that is not an address.
    import(app, &support, "id,email\nfresh,ivo.q@larkspur.example\n").gives(200);
    import(app, &support, "id,name\nseen,Noor Quill\n").gives(200);
    import(app, &support, "id,email,name\nseen,noor@larkspur.example,Noor\n").gives(200);
    import(app, &console.admin, "id,email\nseen,noor.q@larkspur.example\n").gives(200);
}

fn a_changed_address_ends_sessions_and_codes_and_is_audited(engine: Engine) {
    let console = console(engine);
    let app = &console.app;
    let file = app.file("back.csv", b"id,email\nseen,noor@larkspur.example\n");
    let ways: [(&str, &str, &dyn Fn()); 3] = [
        ("noor@larkspur.example", "o1", &|| {
            import(app, &console.admin, "id,email,phone\nseen,eve@larkspur.example,+15550166\n")
                .gives(200);
        }),
        ("eve@larkspur.example", "command", &|| {
            app.command(&["people", "import", &file]).expect_success();
        }),
        ("noor@larkspur.example", "command", &|| {
            let change = ["user", "add", "--id", "seen", "--email", "noor.q@larkspur.example"];
            app.command(&change).expect_success();
        }),
    ];
    for (address, by, change) in ways {
        let token = sign_in(app, address);
        let pending = new_code(app, address);
        change();
        let started = Instant::now();
        while status_of(app, &token) != 401 {
            assert!(started.elapsed() < Duration::from_secs(10), "{by}: the session stays valid");
        }
        redeem(app, address, &pending).refused(401, "code_invalid");
    }
    let rows = audit(&console, "contact_changed");
    let actual: Vec<_> =
        rows.iter().map(|row| (&row["user_id"], &row["detail"], &row["by"])).collect();
    let row = |detail: &str, by: &str| (json!("seen"), json!(detail), json!(by));
    let expected = [row("email", "command"), row("email", "command"), row("email phone", "person")];
    let expected: Vec<_> = expected.iter().map(|(id, detail, by)| (id, detail, by)).collect();
    assert_eq!(actual, expected);
    assert_eq!(rows[2]["actor_user_id"], "a1");
    let text = serde_json::to_string(&rows).expect("JSON");
    assert!(!text.contains("larkspur") && !text.contains("+1555"), "no value: {text}");
    // The same address in another spelling is no change.
    import(app, &console.admin, "id,email\nseen,Noor.Q@Larkspur.example\n").gives(200);
    assert_eq!(audit(&console, "contact_changed").len(), 3);
}

fn notifies_the_former_address(engine: Engine) {
    let console = console(engine);
    let app = &console.app;
    import(app, &console.admin, "id,email\nseen,eve@larkspur.example\n").gives(200);
    let notices = logged(app, "notice=contact_changed", 0);
    assert_eq!(notices, ["notice=contact_changed identifier=noor@larkspur.example"]);
    app.command(&["user", "add", "--id", "seen", "--phone", "+15550166"]).expect_success();
    let notices = logged(app, "notice=contact_changed", 1);
    assert_eq!(notices[1], "notice=contact_changed identifier=eve@larkspur.example");
}

fn audit_entries_name_the_sign_in_method(engine: Engine) {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &[]);
    store
        .command(&["user", "add", "--id", "r2", "--email", "noor@larkspur.example"])
        .expect_success();
    let console = Console::serve(store);
    let app = &console.app;
    let by_code = sign_in(app, "noor@larkspur.example");
    let consents = [entry(term, true)];
    for (user, token, amr) in
        [("r2", &by_code, Some("[\"otp\"]")), ("r1", &console.rider, Some("[\"command\"]"))]
    {
        let answer = app.post(SUBMIT).token(token).json(&rider(user, &consents)).gives(201);
        let logged = answer.json()["receipt"]["entry"].as_str().expect("an entry").to_owned();
        let record: Value = serde_json::from_str(&logged).expect("JSON");
        assert_eq!(Some(record["amr"].to_string().as_str()), amr, "{logged}");
    }
    let exported = app.export(&[]);
    let amr: Vec<_> = exported.iter().map(|row| (&row["user_id"], &row["amr"])).collect();
    assert_eq!(amr, [(&json!("r2"), &json!(["otp"])), (&json!("r1"), &json!(["command"]))]);
    app.command(&["log", "verify"]).expect_success();
}

//! Finding people, adding them, and signing them out.

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::store::Engine;
use crate::wire::{SUBMIT, V3, entry, rider};

on_both!(
    refuses_ids_that_are_path_segments,
    finds_people,
    adds_a_person,
    gives_an_operator_a_sign_in_link,
    signs_a_person_out,
    exports_all_data_of_a_person,
    lists_the_first_page,
    shows_titles_in_the_callers_language
);

fn finds_people(engine: Engine) {
    let console = Console::start(engine);
    let add =
        ["user", "add", "--id", "r_2", "--name", "Noor Quill", "--email", "noor@larkspur.example"];
    console.app.command(&add).expect_success();
    let find = |query: &str| -> Vec<String> {
        let path = format!("{ADMIN}/people{query}");
        let people = console.app.get(&path).token(&console.operator).gives(200).json();
        let items = people["items"].as_array().expect("items").iter();
        items.map(|item| item["user_id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(find(""), ["a1", "o1", "r1", "r_2"]);
    assert_eq!(find("?q=R"), ["r1", "r_2"], "whatever the case");
    assert_eq!(find("?q=r_"), ["r_2"], "an underscore is an underscore");
    assert_eq!(find("?q=%25"), Vec::<String>::new());
    assert_eq!(find("?q=quill"), ["r_2"], "a part of a name");
    assert_eq!(find("?q=noor@"), ["r_2"]);
    assert_eq!(find("?role=operator"), ["o1"]);
    let path = format!("{ADMIN}/people?role=king");
    console.app.get(&path).token(&console.operator).refused(400, "invalid_parameter");
    let one = console.app.get(&format!("{ADMIN}/people/r_2")).token(&console.operator).gives(200);
    assert_eq!(one.json()["email"], "noor@larkspur.example");
    assert_eq!(one.header("cache-control"), "private, no-store");
    let nobody = format!("{ADMIN}/people/nobody");
    console.app.get(&nobody).token(&console.operator).refused(404, "not_found");
}

fn adds_a_person(engine: Engine) {
    let console = Console::start(engine);
    let add = |body: Value| {
        console.app.post(&format!("{ADMIN}/people")).token(&console.admin).json(&body)
    };
    let added =
        add(json!({"user_id": "o2", "email": "O2@Larkspur.example", "roles": ["operator"]}));
    assert_eq!(added.gives(201).json()["email"], "o2@larkspur.example");
    added.refused(409, "conflict");
    add(json!({"user_id": "o3", "email": "o2@larkspur.example"})).refused(409, "conflict");
    let refused = add(json!({"user_id": "", "email": "x", "phone": "y", "name": ""}));
    let refused = refused.refused(422, "invalid_request");
    assert_eq!(refused.pointers(), ["/user_id", "/name", "/email", "/phone"]);
    let path = format!("{ADMIN}/people/o3");
    console.app.get(&path).token(&console.operator).refused(404, "not_found");
}

fn gives_an_operator_a_sign_in_link(engine: Engine) {
    let console = Console::start(engine);
    let people = format!("{ADMIN}/people");
    let new = json!({"user_id": "o2", "email": "o2@larkspur.example", "roles": ["operator"]});
    let added = console.app.post(&people).token(&console.admin).json(&new).gives(201).json();
    let token = |link: &Value| {
        let url = link["url"].as_str().expect("an address");
        let (page, token) = url.split_once('#').expect("a token");
        assert_eq!(page, format!("http://{}/console/sign-in", console.app.address));
        token.to_owned()
    };
    let first = token(&added["sign_in_link"]);
    let path = format!("{people}/o2/link");
    let link = console.app.post(&path).token(&console.admin).gives(201).json();
    let redeem = |token: &str| {
        let body = json!({"token": token, "password": "correct horse battery"});
        console.app.post("/api/session/v1/console/links").json(&body)
    };
    redeem(&first).refused(401, "link_invalid");
    let tokens = redeem(&token(&link)).gives(200).json();
    let theirs = tokens["dhhToken"].as_str().expect("a token");
    console.app.get(&people).token(theirs).gives(200);
    redeem(&token(&link)).refused(401, "link_invalid");
    let rider = format!("{people}/r1/link");
    console.app.post(&rider).token(&console.admin).refused(409, "no_console_role");
    let nobody = format!("{people}/nobody/link");
    console.app.post(&nobody).token(&console.admin).refused(404, "not_found");
    let new = json!({"user_id": "r9"});
    let added = console.app.post(&people).token(&console.admin).json(&new).gives(201).json();
    assert_eq!(added.get("sign_in_link"), None);
}

fn signs_a_person_out(engine: Engine) {
    let console = Console::start(engine);
    let second = console.app.token("r1");
    let path = format!("{ADMIN}/people/r1/sessions");
    let list = || console.app.get(&path).token(&console.operator).gives(200).json();
    let sessions = list();
    assert_eq!(sessions.as_array().map(Vec::len), Some(2), "{sessions}");
    let one = format!("{path}/{}", sessions[0]["sid"].as_str().expect("a sid"));
    let end = |path: &str| console.app.request("DELETE", path).token(&console.operator);
    end(&one).gives(204);
    assert_eq!(list().as_array().map(Vec::len), Some(1));
    end(&format!("{ADMIN}/people/o1/sessions/{}", "0".repeat(32))).refused(404, "not_found");
    end(&path).gives(204);
    for token in [&console.rider, &second] {
        console.app.get(&format!("{V3}/terms")).token(token).refused(401, "unauthenticated");
    }
}

fn exports_all_data_of_a_person(engine: Engine) {
    let console = Console::start(engine);
    let terms = [console.app.term("MARKETING", &[]), console.app.term("MARKETING", &[])];
    // More decisions than one read of the store returns. The limit falls between the two decisions
    // of a submission.
    for n in 0..110 {
        let entries = terms.map(|term| entry(term, n % 2 == 0));
        let body = rider("r1", &entries);
        console.app.post(SUBMIT).token(&console.rider).json(&body).gives(201);
    }
    let path = format!("{ADMIN}/people/r1/data");
    let data = console.app.get(&path).token(&console.operator).gives(200).json();
    assert_eq!(data["person"]["user_id"], "r1");
    assert_eq!(data["sessions"].as_array().map(Vec::len), Some(1));
    assert_eq!(data["terms_shown"], json!([]));
    let decisions = data["decisions"].as_array().expect("decisions");
    assert_eq!(decisions.len(), 220);
    let receipts: std::collections::HashSet<_> =
        decisions.iter().map(|decision| decision["receipt_id"].as_str()).collect();
    assert_eq!(receipts.len(), 110);
    let first = &decisions[0];
    assert_eq!((&first["title"], &first["version"]), (&json!("A text"), &json!("1")));
    assert_eq!((&first["language"], &first["evidence"]), (&json!("en"), &json!("inferred")));
    assert_eq!(first["sha256"].as_str().map(str::len), Some(64));
    let stored_receipts = data["receipts"].as_array().expect("receipts");
    assert_eq!((stored_receipts.len(), &stored_receipts[0]["id"]), (110, &first["receipt_id"]));
    assert_eq!(data["records"]["users"][0]["id"], "r1");
    assert_eq!(data["records"]["sessions"].as_array().map(Vec::len), Some(1));
    // The session was used just now, which is otherwise written only once a second.
    assert_eq!(data["records"]["sessions"][0]["acked_generation"], 0);
    assert_eq!(data["experiments"]["assignments"], json!([]));
    let audit = data["audit"].as_array().expect("entries");
    assert!(audit.iter().all(|entry| entry["user_id"] == "r1" || entry["actor_user_id"] == "r1"));
    assert!(audit.iter().any(|entry| entry["event"] == "user_added"), "{audit:?}");

    let own = console.app.get("/api/session/v1/me/data");
    own.refused(401, "unauthenticated");
    let own = console.app.get("/api/session/v1/me/data").token(&console.rider).gives(200);
    assert_eq!(own.header("cache-control"), "private, no-store");
    let own = own.json();
    assert_eq!(own["decisions"], data["decisions"]);
    assert_eq!(own["records"], data["records"]);
    // The user may see that a colleague read the data, but not which colleague.
    let read = &own["audit"][0];
    assert_eq!((&read["event"], &read["by"]), (&json!("person_data_read"), &json!("person")));
    for name in ["actor", "actor_user_id", "actor_name"] {
        assert_eq!(read.get(name), None);
    }
}

fn lists_the_first_page(engine: Engine) {
    let console = Console::start(engine);
    console.app.term("FREELANCER", &["--mandatory"]);
    console.app.term("MARKETING", &[]);
    let first =
        console.app.get(&format!("{ADMIN}/overview")).token(&console.operator).gives(200).json();
    assert_eq!(first["riders"], 1);
    assert_eq!(first["mandatory"].as_array().map(Vec::len), Some(1), "{first}");
    assert_eq!(first["mandatory"][0]["riders_outstanding"], 1);
    assert_eq!(first["code_delivery"], "log");
}

fn shows_titles_in_the_callers_language(engine: Engine) {
    let console = Console::start(engine);
    let file = console.app.pdf("Bedingungen");
    let german = format!("de={file}:Die Bedingungen");
    console.app.term("FREELANCER", &["--mandatory", "--variant", &german]);
    let first = |language: &str| {
        let path = format!("{ADMIN}/overview");
        let request = console.app.get(&path).token(&console.operator);
        request.header("accept-language", language).gives(200).json()["mandatory"][0].clone()
    };
    assert_eq!(first("de-AT, en;q=0.5")["title"], "Die Bedingungen");
    assert_eq!(first("fr")["title"], "A text");
    let titles = json!([
        {"locale": "en", "title": "A text"}, {"locale": "de", "title": "Die Bedingungen"}
    ]);
    assert_eq!(first("")["titles"], titles);
}

fn refuses_ids_that_are_path_segments(engine: Engine) {
    let console = Console::start(engine);
    for id in [".", ".."] {
        let add = console.app.post(&format!("{ADMIN}/people")).token(&console.admin);
        let refused = add.json(&json!({"user_id": id})).refused(422, "invalid_request");
        assert_eq!(refused.pointers(), ["/user_id"]);
        let file = format!("id\n{id}\n");
        let import = console.app.post(&format!("{ADMIN}/people/import")).token(&console.admin);
        let refused = import.body("text/csv", file.as_bytes()).refused(422, "invalid_request");
        assert_eq!(refused.pointers(), ["/2"]);
        console.app.command(&["user", "add", "--id", id]).failed(2, "must not be . or ..");
    }
    console.app.command(&["user", "add", "--id", "..."]).expect_success();
}

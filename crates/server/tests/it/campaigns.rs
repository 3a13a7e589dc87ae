//! Campaigns: messages to riders, once for each person and step, with proof.

mod fixture;
mod mail_server;
mod sending;

use hex::FromHex as _;
use musette_core::campaigns::verify;
use musette_core::log::hash::Hash;
use serde_json::{Value, json};

use crate::admin::ADMIN;
use crate::case_archive::Archive;
use crate::store::Engine;
use crate::wire::{SUBMIT, V3, accept, rider};
use fixture::{Campaigns, at_once, store};

on_both!(
    sends_one_email_to_each_undecided_rider_and_proves_it,
    previews_each_rider_once,
    changes_drafts_and_paused_campaigns_only,
    rejects_invalid_campaigns,
    lets_only_some_roles_manage_campaigns,
    apps_accept_messages_when_they_fetch_the_list,
    erasure_and_data_copy_cover_messages,
    a_case_file_proves_each_message,
);

/// Returns the message of a person.
fn message(person: &Value) -> Value {
    person["messages"][0].clone()
}

fn sends_one_email_to_each_undecided_rider_and_proves_it(engine: Engine) {
    let store = store(engine, 3);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    let token = store.token("r2");
    campaigns.app.post(SUBMIT).token(&token).json(&rider("r2", &accept(&[term]))).gives(201);
    let id = campaigns.started(term, "email");
    let mut mails = [campaigns.mail.next(), campaigns.mail.next()];
    mails.sort_by(|one, other| one.recipient.cmp(&other.recipient));
    assert_eq!(mails[0].recipient, "r1@larkspur.example");
    assert_eq!(mails[1].recipient, "r3@larkspur.example");
    assert_eq!(mails[0].header("subject").as_deref(), Some("A text for Ada"));
    assert_eq!(mails[0].header("list-unsubscribe"), None, "the term is mandatory");
    let link = format!("http://{}/terms", campaigns.app.address);
    assert!(mails[0].text.replace("=\r\n", "").contains(&link), "{}", mails[0].text);
    campaigns.until_status(&id, "finished");
    let status = |user: &str, status: &str| (user.to_owned(), status.to_owned());
    let expected = [status("r1", "served"), status("r2", "decided"), status("r3", "served")];
    assert_eq!(campaigns.statuses(&id), expected);
    let served = message(&campaigns.people(&id)[0]);
    assert_eq!(served["message_id"], mails[0].message_id());
    assert_eq!((&served["outcome"], &served["locale"]), (&json!("accepted"), &json!("en")));
    assert_eq!(served.get("repeated"), None);
    assert_is_proved(&campaigns, &id, &served);
    let events = campaigns.events("notice.sent");
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["data"]["count"], 2);
    campaigns.app.command(&["log", "verify"]).expect_success();
    assert_eq!(campaigns.mail.unread(), []);
}

/// Verifies the proof of a message with `receipt verify`, and changed copies of it.
#[track_caller]
fn assert_command_verifies(campaigns: &Campaigns, proof: &Value) {
    let app = &campaigns.app;
    let keys = app.file("keys.txt", &app.get("/log/keys").gives(200).body);
    let verify = |proof: &Value| {
        let file = app.file("proof.json", proof.to_string().as_bytes());
        app.command(&["receipt", "verify", &file, "--key", &keys])
    };
    let output = verify(proof).expect_success();
    let text = |member: &str| proof["record"][member].as_str().expect("a text").to_owned();
    let expected = format!("with the text {} was sent by {} at", text("sha256"), text("channel"));
    assert!(output.contains(&expected), "{output}");
    assert!(output.contains("the recipient was not checked"), "{output}");
    for (member, value) in [("sha256", "0".repeat(64)), ("sent_at", "2020-01-01T00:00:00Z".into())]
    {
        let mut forged = proof.clone();
        forged["record"][member] = value.into();
        verify(&forged).failed(1, "not verified");
    }
}

/// Verifies the proof of a message by the rules of the contract.
#[track_caller]
fn assert_is_proved(campaigns: &Campaigns, id: &str, message: &Value) {
    let message_id = message["id"].as_str().expect("an id");
    let proof = campaigns.get(&format!("/campaigns/{id}/messages/{message_id}/proof"));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    assert_command_verifies(campaigns, &proof);
    let record = &proof["record"];
    assert_eq!(record["message"], message_id);
    assert_eq!(record["campaign"], id);
    assert_eq!(record["sha256"], message["sha256"]);
    assert_eq!(record["sent_at"], message["sent_at"]);
    let hash = |text: &str| Hash(<[u8; 32]>::from_hex(text).expect("a hash"));
    let path = proof["path"].as_array().expect("a path").iter();
    let path: Vec<Hash> = path.map(|node| hash(node.as_str().expect("a text"))).collect();
    let salt = <[u8; 32]>::from_hex(text(&proof["salt"])).expect("a salt");
    let entry: Value = serde_json::from_str(&text(&proof["entry"])).expect("an entry");
    assert_eq!(entry["type"], "notice.batch");
    assert_eq!((&entry["root"], &entry["campaign"]), (&proof["root"], &record["campaign"]));
    let (count, index) = (proof["count"].as_u64(), proof["index"].as_u64());
    let of = (count.expect("a count"), index.expect("an index"));
    // `serde_json` sorts the members, as RFC 8785 does for these names.
    let record = record.to_string();
    let root = hash(&text(&proof["root"]));
    verify(root, of.0, of.1, (&salt, &record), &path).expect("the path leads to the root");
    assert!(text(&proof["proof"]).starts_with("c2sp.org/tlog-proof@v1"));
}

fn previews_each_rider_once(engine: Engine) {
    let store = store(engine, 3);
    store
        .command(&["user", "add", "--id", "p1", "--role", "rider", "--phone", "+15550100"])
        .expect_success();
    store.add_user("x1", &["rider"]);
    store.tamper("UPDATE users SET locale = 'de-AT' WHERE id = 'r1'");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    let token = store.token("r2");
    campaigns.app.post(SUBMIT).token(&token).json(&rider("r2", &accept(&[term]))).gives(201);
    let mut body = at_once(term, "email");
    body["texts"]["de"] = json!({"subject": "a", "body": "b"});
    body["steps"].as_array_mut().expect("steps").push(json!(
        {"at": {"after": "start", "by": "P1D"}, "channel": "sms"}
    ));
    let id = campaigns.add(&body);
    let preview = campaigns.act(&id, "preview");
    preview.assert_status(200);
    let expected = json!({
        "addressed": 3,
        "by_channel": {"email": 2, "sms": 1},
        "by_locale": {"de": 1, "en": 2},
        "skipped": {"decided": 1, "no_text": 0, "bounced": 0, "restricted_channel": 0, "no_address": 1},
    });
    assert_eq!(preview.json(), expected);
    campaigns.act(&id, "start").assert_problem(409, "channel_not_configured");
    assert_eq!(campaigns.status(&id), "draft");
}

fn changes_drafts_and_paused_campaigns_only(engine: Engine) {
    let store = store(engine, 1);
    let (term, other) = (store.term("FREELANCER", &[]), store.term("MARKETING", &[]));
    let campaigns = Campaigns::start(&store);
    let mut body = at_once(term, "email");
    body["steps"].as_array_mut().expect("steps").push(json!(
        {"at": {"after": "start", "by": "P1D"}, "channel": "email"}
    ));
    let id = campaigns.add(&body);
    for action in ["pause", "resume"] {
        campaigns.act(&id, action).assert_problem(409, "conflict");
    }
    let put = |body: &Value| {
        let request = campaigns.app.request("PUT", &format!("{ADMIN}/campaigns/{id}"));
        request.token(&campaigns.legal).json(body).send()
    };
    put(&body).assert_status(200);
    campaigns.act(&id, "start").assert_status(200);
    campaigns.mail.next();
    campaigns.until_person(&id, "r1", "served");
    put(&body).assert_problem(409, "conflict");
    campaigns.act(&id, "start").assert_problem(409, "conflict");
    let paused = campaigns.act(&id, "pause");
    assert_eq!((paused.status, &paused.json()["status"]), (200, &json!("paused")));
    let mut changed = body.clone();
    changed["steps"][0]["channel"] = json!("app");
    put(&changed).assert_problem(422, "step_begun");
    changed = body.clone();
    changed["term_id"] = json!(other);
    put(&changed).assert_problem(422, "step_begun");
    changed = body.clone();
    changed["steps"][1]["at"]["by"] = json!("P2D");
    changed["texts"]["en"]["subject"] = json!("Another subject");
    put(&changed).assert_status(200);
    campaigns.act(&id, "resume").assert_status(200);
    campaigns.act(&id, "cancel").assert_status(200);
    assert_eq!(campaigns.status(&id), "cancelled");
    campaigns.act(&id, "cancel").assert_problem(409, "conflict");
    campaigns.app.command(&["log", "verify"]).expect_success();
}

fn rejects_invalid_campaigns(engine: Engine) {
    let store = store(engine, 0);
    let term = store.term("FREELANCER", &[]);
    let campaigns = Campaigns::start(&store);
    let check = |change: fn(&mut Value), code: &str, pointer: &str| {
        let mut body = at_once(term, "email");
        change(&mut body);
        let request = campaigns.app.post(&format!("{ADMIN}/campaigns")).token(&campaigns.legal);
        let answer = request.json(&body).send();
        answer.assert_problem(422, code);
        assert_eq!(answer.pointers(), [pointer], "{body}");
    };
    check(|body| body["term_id"] = json!(99), "unknown_term", "/term_id");
    check(|body| body["market"] = json!("XX"), "unknown_market", "/market");
    let unknown = "unknown_placeholder";
    check(|body| body["texts"]["en"]["body"] = json!("{{nam}}"), unknown, "/texts/en/body");
    check(|body| body["steps"] = json!([]), "invalid_request", "/steps");
    check(|body| body["texts"] = json!({}), "invalid_request", "/texts");
    let step = "/steps/0/at";
    check(|body| body["steps"][0]["at"] = json!({}), "invalid_request", step);
    let of_grace = |body: &mut Value| {
        body["steps"][0]["at"] = json!({"before": "grace_until", "by": "P1D"});
    };
    check(of_grace, "no_such_date", "/steps/0/at/before");
    let by = |body: &mut Value| body["steps"][0]["at"]["by"] = json!("30 days");
    check(by, "invalid_request", "/steps/0/at/by");
    let channel = |body: &mut Value| body["steps"][0]["channel"] = json!("fax");
    check(channel, "invalid_request", "/steps/0/channel");
    let subject = |body: &mut Value| body["texts"]["en"]["subject"] = json!("a\r\nBcc: b");
    check(subject, "invalid_request", "/texts/en/subject");
}

fn lets_only_some_roles_manage_campaigns(engine: Engine) {
    let store = store(engine, 1);
    let term = store.term("FREELANCER", &[]);
    let campaigns = Campaigns::start(&store);
    let id = campaigns.add(&at_once(term, "email"));
    for (role, may_read_people) in
        [("viewer", false), ("support", true), ("product", false), ("reviewer", false)]
    {
        store.add_user(role, &[role]);
        let token = store.token(role);
        let get = |path: &str| campaigns.app.get(&format!("{ADMIN}{path}")).token(&token).send();
        get("/campaigns").assert_status(200);
        get(&format!("/campaigns/{id}")).assert_status(200);
        let people = get(&format!("/campaigns/{id}/people"));
        assert_eq!(people.status, if may_read_people { 200 } else { 403 }, "{role}");
        for action in ["preview", "start", "pause", "resume", "cancel"] {
            let path = format!("{ADMIN}/campaigns/{id}/{action}");
            campaigns.app.post(&path).token(&token).refused(403, "permission_denied");
        }
        let add = campaigns.app.post(&format!("{ADMIN}/campaigns")).token(&token);
        add.json(&at_once(term, "email")).refused(403, "permission_denied");
        let bounce = campaigns.app.post(&format!("{ADMIN}/notices/bounces")).token(&token);
        bounce.body("multipart/report; boundary=b", b"").refused(403, "permission_denied");
    }
    let args = ["service-key", "create", "--name", "mail", "--role", "legal"];
    let key = store.command(&args).json()["key"].as_str().expect("a key").to_owned();
    let bounce = campaigns.app.post(&format!("{ADMIN}/notices/bounces")).token(&key);
    bounce.body("text/plain", b"").refused(415, "unsupported_media_type");
    let path = format!("{ADMIN}/campaigns/{id}/people?status=read");
    campaigns.app.get(&path).token(&campaigns.legal).refused(400, "invalid_parameter");
    campaigns.app.get(&format!("{ADMIN}/campaigns")).refused(401, "unauthenticated");
}

fn apps_accept_messages_when_they_fetch_the_list(engine: Engine) {
    let store = store(engine, 1);
    let notice = store.term("PAY", &["--kind", "notice"]);
    let term = store.term("FREELANCER", &[]);
    let campaigns = Campaigns::start(&store);
    let token = store.token("r1");
    let notices =
        || campaigns.app.get(&format!("{V3}/riders/r1/notices")).token(&token).gives(200).json();
    assert_eq!(notices()["items"][0]["received_at"], Value::Null, "before the step");
    let of_notice = campaigns.started(notice, "app");
    let of_term = campaigns.started(term, "app");
    campaigns.until_person(&of_notice, "r1", "waiting");
    crate::until::until("the notice is received", || {
        notices()["items"][0]["received_at"].is_string()
    });
    assert_eq!(notices()["items"][0]["channel"], "app");
    let person = campaigns.until_person(&of_notice, "r1", "served");
    let message = message(&person);
    let deadline = message["sha256"].as_str().expect("a hash").len();
    assert_eq!((deadline, &message["outcome"]), (64, &json!("accepted")));
    campaigns.until_status(&of_notice, "finished");
    assert_is_proved(&campaigns, &of_notice, &message);
    assert_eq!(campaigns.status(&of_term), "running");
    let terms = format!("{V3}/terms?types=FREELANCER");
    campaigns.app.get(&terms).token(&token).gives(200);
    campaigns.until_status(&of_term, "finished");
    let reach = campaigns.get(&format!("/notices/{notice}"));
    assert_eq!((&reach["addressed"], &reach["accepted"]), (&json!(1), &json!(1)));
    let sha256 = campaigns.app.get(&format!("{V3}/riders/r1/notices")).token(&token).gives(200);
    let sha256 = sha256.json()["items"][0]["sha256"].clone();
    let opened = json!({"sha256": sha256, "opened_at": "2026-01-01T00:00:00Z"});
    let path = format!("{V3}/riders/r1/notices/{notice}/openings");
    campaigns.app.post(&path).token(&token).json(&opened).gives(201);
    campaigns.until_person(&of_notice, "r1", "opened");
}

fn a_case_file_proves_each_message(engine: Engine) {
    let store = store(engine, 2);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    let id = campaigns.started(term, "email");
    campaigns.until_status(&id, "finished");
    let case = |query: &str| {
        let path = format!("{ADMIN}/people/r1/case.zip{query}");
        Archive::of(campaigns.app.get(&path).token(&campaigns.admin).gives(200).body)
    };
    let archive = case("");
    let contents = archive.json("case.json");
    let listed = &contents["messages"][0];
    let served = message(&campaigns.people(&id)[0]);
    for name in ["id", "step", "channel", "locale", "sha256", "sent_at", "outcome"] {
        assert_eq!(listed[name], served[name], "{name}");
    }
    assert_eq!(
        (&listed["campaign"], &listed["terms_and_conditions_id"]),
        (&json!(id), &json!(term))
    );
    let message_id = listed["id"].as_str().expect("an id");
    let path = format!("messages/{message_id}.json");
    let proof = archive.json(&path);
    let of_api = campaigns.get(&format!("/campaigns/{id}/messages/{message_id}/proof"));
    for name in ["record", "salt", "index", "count", "path", "root", "entry"] {
        assert_eq!(proof[name], of_api[name], "{name}");
    }
    assert!(String::from_utf8_lossy(archive.file("index.html")).contains("served"));
    let verify = |bytes: &[u8]| {
        let file = campaigns.app.file("case.zip", bytes);
        campaigns.app.command(&["case", "verify", &file])
    };
    let output = verify(&archive.bytes).expect_success();
    assert!(output.contains("1 message"), "{output}");
    let sha256 = listed["sha256"].as_str().expect("a hash");
    let other = "0".repeat(64);
    for (path, from, to) in [
        (path.as_str(), sha256, other.as_str()),
        (path.as_str(), "\"step\": 0", "\"step\": 1"),
        (path.as_str(), proof["salt"].as_str().expect("a salt"), other.as_str()),
        ("case.json", sha256, other.as_str()),
        ("case.json", "\"channel\": \"email\"", "\"channel\": \"phone\""),
    ] {
        let output = verify(&archive.forged(path, from, to));
        assert_eq!(output.code, Some(1), "{path} {from}: {output:?}");
        assert!(output.stderr.contains(path), "{path} {from}: {output:?}");
    }
    // The outcome may change, so a file of a past time is without it.
    let recorded = listed["recorded_at"].as_str().expect("a time");
    let past = case(&format!("?as_of={recorded}"));
    let of_past = past.json("case.json")["messages"][0].clone();
    assert_eq!((&of_past["id"], &of_past["outcome"]), (&listed["id"], &Value::Null));
    verify(&past.bytes).expect_success();
    let attempt = listed["sent_at"].as_str().expect("a time");
    let before = case(&format!("?as_of={attempt}")).json("case.json");
    assert!(before["messages"].is_null() || attempt == recorded, "the entry was written later");
}

fn erasure_and_data_copy_cover_messages(engine: Engine) {
    let store = store(engine, 2);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let campaigns = Campaigns::start(&store);
    let id = campaigns.started(term, "email");
    campaigns.until_status(&id, "finished");
    let data = campaigns.app.get(&format!("{ADMIN}/people/r1/data")).token(&campaigns.admin);
    let data = data.gives(200).json();
    assert_eq!(data["message_proofs"][0]["record"]["campaign"], id);
    let rows = &data["records"]["notice_messages"];
    assert_eq!(rows[0]["address"], "r1@larkspur.example", "{data}");
    let erase = campaigns.app.request("DELETE", &format!("{ADMIN}/people/r1"));
    let erased = erase.token(&campaigns.admin).json(&json!({"confirm": "r1"})).send();
    assert!(erased.status < 300, "{}", String::from_utf8_lossy(&erased.body));
    campaigns.app.command(&["log", "verify"]).expect_success();
    assert_eq!(campaigns.statuses(&id), [("r2".to_owned(), "served".to_owned())]);
    // The message of the other person is still proved.
    assert_is_proved(&campaigns, &id, &message(&campaigns.people(&id)[0]));
    let file = campaigns.app.path("data/musette.db");
    if engine == Engine::Sqlite {
        let bytes = std::fs::read(file).expect("a database");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("r1@larkspur.example"));
    }
}

//! `POST /terms/consents`: valid and refused submissions.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{PRESSED, SUBMIT, V3, accept, applicant, decisions, entry, receipt, rider};

on_both!(
    records_a_submission_of_an_applicant,
    records_a_submission_of_a_rider,
    refuses_invalid_shapes,
    accepts_values_at_their_limits,
    records_the_clock_of_the_device,
    requires_all_mandatory_terms,
    an_applicant_continues_with_a_receipt,
    records_a_hundred_concurrent_submissions,
);

fn records_a_submission_of_an_applicant(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let (one, two) = (store.term("FREELANCER", &["--mandatory"]), store.term("MARKETING", &[]));
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let mut first = entry(one, true);
    first["consented_at"] = json!("2026-01-02T05:04:05.6789+02:00");
    let body = applicant(&[first, entry(two, false)]);
    let answer = app.post(SUBMIT).json(&body).gives(201);
    let list = answer.json();
    assert_eq!((&list["user_id"], &list["user_type"]), (&json!(""), &json!("APPLICANT")));
    assert_eq!(decisions(&list), [(one, true), (two, false)]);
    assert_eq!(list["consents"][0]["consented_at"], PRESSED, "UTC with milliseconds");
    let recorded_at = list["recorded_at"].as_str().expect("recorded_at");
    assert!(recorded_at.len() == 24 && recorded_at.ends_with('Z'), "{recorded_at}");
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(answer.header("idempotency-replayed"), "");
    // A session, valid or invalid, does not matter: the submission is an applicant's.
    for token in [token.as_str(), "broken"] {
        let list = app.post(SUBMIT).token(token).json(&body).gives(201).json();
        assert_eq!(list["user_id"], "");
    }
    let receipts: Vec<_> = (0..5).map(|_| receipt(&app.post(SUBMIT).json(&body).send())).collect();
    assert!(receipts.windows(2).all(|pair| pair[0] != pair[1]));
    let rows = app.export(&[]);
    assert_eq!(rows.len(), 16);
    let own_row = rows.iter().find(|row| row["receipt_id"] == receipt(&answer)).expect("exported");
    assert_eq!((&own_row["user_id"], &own_row["user_type"]), (&json!(""), &json!("APPLICANT")));
    assert_eq!(own_row["recorded_at"], recorded_at);
}

fn records_a_submission_of_a_rider(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let (r1, r2) = (store.token("r1"), store.token("r2"));
    let app = TestApp::serve(store);
    let body = rider("r1", &accept(&[term]));
    app.post(SUBMIT).json(&body).refused(401, "unauthenticated");
    app.post(SUBMIT).json(&body).token(&r2).refused(403, "permission_denied");
    let nobody = rider("nobody", &accept(&[term]));
    app.post(SUBMIT).json(&nobody).token(&r2).refused(403, "permission_denied");
    let list = app.post(SUBMIT).json(&body).token(&r1).gives(201).json();
    assert_eq!((&list["user_id"], &list["user_type"]), (&json!("r1"), &json!("RIDER")));
    assert_eq!(app.export(&[]).len(), 1);
    for (user_id, user_type) in [("", "RIDER"), ("r1", "APPLICANT")] {
        let body = json!({"user_id": user_id, "user_type": user_type, "consents": accept(&[term])});
        let answer = app.post(SUBMIT).json(&body).token(&r1).refused(422, "user_type_mismatch");
        assert_eq!(answer.pointers(), ["/user_type"]);
    }
    // An operator cannot accept terms for another person either.
    app.add_user("boss", &["operator"]);
    let boss = app.token("boss");
    app.post(SUBMIT).json(&body).token(&boss).refused(403, "permission_denied");
}

fn refuses_invalid_shapes(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &[]);
    let good = applicant(&accept(&[term]));
    let refused = |body: &Value, pointer: &str| {
        let answer = app.post(SUBMIT).json(body).refused(422, "invalid_request");
        assert!(
            answer.pointers().iter().any(|actual| actual == pointer),
            "{body}: {:?}",
            answer.pointers()
        );
    };
    for body in [json!([]), json!("x"), json!(1), json!(null)] {
        refused(&body, "");
    }
    let long = |length: usize| json!("x".repeat(length));
    for (name, value) in [
        ("user_id", json!(null)),
        ("user_id", json!(7)),
        ("user_id", long(256)),
        ("user_type", json!(null)),
        ("user_type", json!("rider")),
        ("user_type", json!("OPERATOR")),
        ("consents", json!(null)),
        ("consents", json!({})),
        ("consents", json!([])),
        ("consents", json!(accept(&(1..=101).collect::<Vec<i64>>()))),
        ("locale", long(36)),
        ("locale", json!(5)),
        ("app", long(201)),
        ("app", json!("a\u{0}b")),
        ("receipt_id", json!(1)),
    ] {
        let mut body = good.clone();
        body[name] = value;
        refused(&body, &format!("/{name}"));
    }
    for (name, value) in [
        ("terms_and_conditions_id", json!(null)),
        ("terms_and_conditions_id", json!("1")),
        ("terms_and_conditions_id", json!(1.5)),
        ("terms_and_conditions_id", json!(18_446_744_073_709_551_615_u64)),
        ("accepted", json!(null)),
        ("accepted", json!("true")),
        ("accepted", json!(1)),
        ("consented_at", json!(null)),
        ("consented_at", json!(1_700_000_000)),
        ("consented_at", json!("2026-01-02")),
        ("consented_at", json!("2026-01-02T03:04:05")),
        ("consented_at", json!("2026-02-30T03:04:05Z")),
        ("consented_at", json!("2026-01-02T03:04:05+0200")),
        ("consented_at", json!("2026-01-02T03:04:05Z[Europe/Berlin]")),
        ("sha256", json!("abc")),
        ("sha256", json!("A".repeat(64))),
        ("method", json!("guess")),
        ("opened", json!("yes")),
        ("last_page", json!(-1)),
        ("last_page", json!(10_001)),
        ("last_page", json!(1.5)),
    ] {
        let mut body = applicant(&[entry(term, true), entry(term, true)]);
        body["consents"][1][name] = value;
        refused(&body, &format!("/consents/1/{name}"));
    }
    assert!(app.export(&[]).is_empty());
}

fn accepts_values_at_their_limits(engine: Engine) {
    let app = TestApp::start(engine);
    let german = format!("de={}", app.pdf("deutsch"));
    let term = app.publish("MARKETING", "News", &["--variant", &german]);
    let id = term["id"].as_i64().expect("an id");
    let hash = |i: usize| term["variants"][i]["sha256"].clone();
    let mut body = applicant(&[entry(id, true)]);
    body["locale"] = json!("x".repeat(35));
    body["app"] = json!("🚲".repeat(200));
    body["unknown"] = json!({"is": ["ignored"]});
    body["receipt_id"] = json!(null);
    let extra = [
        ("sha256", hash(1)),
        ("method", json!("agree_all")),
        ("opened", json!(true)),
        ("last_page", json!(10_000)),
        ("unknown", json!(1)),
    ];
    for (name, value) in extra {
        body["consents"][0][name] = value;
    }
    app.post(SUBMIT).json(&body).gives(201);
    // Without a hash the language of the request selects the document, and the record marks it as
    // inferred.
    let plain = applicant(&[entry(id, true)]);
    app.post(SUBMIT).header("accept-language", "de-DE").json(&plain).gives(201);
    app.post(SUBMIT).json(&plain).gives(201);
    let rows = app.export(&[]);
    let evidence_of = |row: &Value| (row["sha256"].clone(), row["evidence"].clone());
    let want =
        [(hash(1), json!("presented")), (hash(1), json!("inferred")), (hash(0), json!("inferred"))];
    assert_eq!(rows.iter().map(evidence_of).collect::<Vec<_>>(), want);

    let other = app.publish("MARKETING", "Other", &[]);
    let mut foreign = plain.clone();
    foreign["consents"][0]["sha256"] = other["sha256"].clone();
    let answer = app.post(SUBMIT).json(&foreign).refused(422, "unknown_document");
    assert_eq!(answer.pointers(), ["/consents/0/sha256"]);

    // The clock of a device may be up to 5 minutes ahead.
    let now = musette::parts::clock::Clock::default().now();
    let ahead = |seconds| now.plus(std::time::Duration::from_secs(seconds)).to_string();
    let mut early = plain;
    early["consents"][0]["consented_at"] = json!(ahead(299));
    app.post(SUBMIT).json(&early).gives(201);
    early["consents"][0]["consented_at"] = json!(ahead(330));
    let answer = app.post(SUBMIT).json(&early).refused(422, "consented_at_in_future");
    assert_eq!(answer.pointers(), ["/consents/0/consented_at"]);
    early["consents"][0]["consented_at"] = json!("0001-01-01T00:00:00Z");
    app.post(SUBMIT).json(&early).gives(201);
}

fn records_the_clock_of_the_device(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.publish("MARKETING", "News", &[])["id"].as_i64().expect("an id");
    let mut body = applicant(&[entry(term, true)]);
    body["device_at"] = json!("2026-01-02T03:10:05.000Z");
    body["clock_offset_ms"] = json!(-360_000);
    let answer = app.post(SUBMIT).json(&body).gives(201).json();
    let logged = answer["receipt"]["entry"].as_str().expect("an entry");
    let logged: Value = serde_json::from_str(logged).expect("JSON");
    assert_eq!(logged["device_at"], "2026-01-02T03:10:05.000Z");
    assert_eq!(logged["clock_offset_ms"], -360_000);
    assert_eq!(logged["consents"][0]["consented_at"], PRESSED);
    app.command(&["log", "verify"]).expect_success();

    for (name, value) in [
        ("device_at", json!("yesterday")),
        ("device_at", json!(1)),
        ("clock_offset_ms", json!(1.5)),
        ("clock_offset_ms", json!(1_i64 << 53)),
    ] {
        let mut body = body.clone();
        body[name] = value;
        let answer = app.post(SUBMIT).json(&body).gives(422);
        assert_eq!(answer.pointers(), [format!("/{name}")]);
    }
}

fn requires_all_mandatory_terms(engine: Engine) {
    let app = TestApp::start(engine);
    let one = app.term("FREELANCER", &["--mandatory"]);
    let two = app.term("FREELANCER", &["--mandatory"]);
    let optional = app.term("FREELANCER", &[]);
    let other = app.term("MARKETING", &[]);
    let post = |consents: &[Value]| app.post(SUBMIT).json(&applicant(consents));
    let refusal =
        post(&[entry(one, true), entry(two, false)]).refused(422, "mandatory_term_refused");
    assert_eq!(refusal.pointers(), ["/consents/1/accepted"]);
    post(&accept(&[one])).refused(422, "mandatory_term_missing");
    post(&accept(&[optional])).refused(422, "mandatory_term_missing");
    // Only for the types of which a term is accepted.
    post(&accept(&[other])).gives(201);
    post(&[entry(optional, false), entry(other, true)]).gives(201);
    post(&accept(&[two, one])).gives(201);
    // A submission is recorded completely or not at all.
    let before = app.export(&[]).len();
    post(&[entry(one, true), entry(two, true), entry(9999, true)]).refused(422, "unknown_term");
    post(&[entry(one, true), entry(two, true), entry(-1, false)]).refused(422, "unknown_term");
    assert_eq!(app.export(&[]).len(), before);
    let hundred = app.post(SUBMIT).json(&applicant(&accept(&(1..=100).collect::<Vec<i64>>())));
    assert_eq!(hundred.refused(422, "unknown_term").pointers().len(), 96);
}

fn an_applicant_continues_with_a_receipt(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let mandatory = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let first = app.post(SUBMIT).json(&applicant(&accept(&[mandatory]))).gives(201);
    let riders = rider("r1", &accept(&[mandatory]));
    let riders = receipt(&app.post(SUBMIT).token(&token).json(&riders).gives(201));
    let go_on = |receipt: &str, consents: &[Value]| {
        let mut body = applicant(consents);
        body["receipt_id"] = json!(receipt);
        app.post(SUBMIT).json(&body)
    };
    let id = receipt(&first);
    let wrong = if id.ends_with('A') { 'B' } else { 'A' };
    let forged = format!("{}{wrong}", &id[..id.len() - 1]);
    for unknown in ["", "x", &forged, &riders, &"x".repeat(255)] {
        let answer = go_on(unknown, &accept(&[optional])).refused(422, "receipt_unknown");
        assert_eq!(answer.pointers(), ["/receipt_id"]);
    }
    // Without a receipt earlier acceptances do not count. With a receipt they do.
    let alone = applicant(&accept(&[optional]));
    app.post(SUBMIT).json(&alone).refused(422, "mandatory_term_missing");
    let second = receipt(&go_on(&id, &accept(&[optional])).gives(201));
    assert_ne!(second, id);
    let third = go_on(&second, &[entry(optional, false)]).gives(201);
    // All three belong to one person: claiming one receipt claims all.
    let claim = json!({"receipt": third.json()["receipt"]});
    let list = app.post(crate::wire::CLAIM).token(&token).json(&claim).gives(201).json();
    assert_eq!(decisions(&list), [(mandatory, true), (optional, false)]);
    go_on(&id, &[entry(optional, false)]).refused(422, "receipt_unknown");
}

fn records_a_hundred_concurrent_submissions(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let receipts: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..100)
            .map(|i| {
                let (app, token) = (&app, &token);
                scope.spawn(move || {
                    let request = if i % 2 == 0 {
                        app.post(SUBMIT).json(&applicant(&accept(&[term])))
                    } else {
                        app.post(SUBMIT).token(token).json(&rider("r1", &accept(&[term])))
                    };
                    receipt(&request.key(&format!("key-of-the-person-no-{i:03}")).gives(201))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let mut answered = receipts;
    let mut exported: Vec<String> = app
        .export(&[])
        .iter()
        .map(|row| row["receipt_id"].as_str().expect("an id").to_owned())
        .collect();
    answered.sort();
    exported.sort();
    assert_eq!(answered, exported, "each submission is recorded once");
    let path = format!("{V3}/terms/r1/history");
    let history = app.get(&path).token(&token).gives(200).json();
    assert_eq!(history["history"].as_array().map(Vec::len), Some(50));
}

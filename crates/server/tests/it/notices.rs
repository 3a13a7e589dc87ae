//! Notices: texts that are served and not agreed to.

mod openings;
mod push;

use serde_json::{Value, json};

use crate::admin::{ADMIN, Console};
use crate::app::{Start, TestApp};
use crate::pdf;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, entry, ids, rider};

on_both!(
    a_notice_is_served_and_never_agreed_to,
    the_command_refuses_a_mandatory_notice_and_another_kind,
    a_draft_becomes_a_notice,
    riders_see_the_newest_version_from_its_publication_on,
    riders_see_the_notices_of_their_market_in_their_language,
    publishing_warns_of_a_short_notice_period,
);

pub const NOTICE: &[&str] = &["--kind", "notice"];
const AHEAD: &str = "2100-01-01T00:00:00.000Z";

/// Returns the notices that the rider `r1` sees.
fn own(app: &TestApp, token: &str) -> Value {
    let path = format!("{V3}/riders/r1/notices");
    app.get(&path).token(token).gives(200).json()["items"].clone()
}

fn public(app: &TestApp, query: &str) -> Value {
    app.get(&format!("{V3}/public/notices{query}")).gives(200).json()["items"].clone()
}

fn a_notice_is_served_and_never_agreed_to(engine: Engine) {
    let store = TestStore::new(engine);
    let consent = store.term("FREELANCER", &["--mandatory"]);
    let published = store.publish("FREELANCER", "Rules of pay", NOTICE);
    assert_eq!((&published["kind"], &published["mandatory"]), (&json!("notice"), &json!(false)));
    let notice = published["id"].as_i64().expect("an id");
    let console = Console::serve(store);
    let (app, token) = (&console.app, &console.rider);

    assert_eq!(ids(&app.get(&format!("{V3}/terms")).token(token).gives(200).json()), [consent]);
    assert_eq!(ids(&app.get(&format!("{V3}/public/terms")).gives(200).json()), [consent]);
    let outstanding = || app.get(&format!("{V3}/terms/r1/outstanding")).token(token).gives(200);
    assert_eq!(ids(&outstanding().json()["outstanding"]), [consent]);
    let gate = app.get(&format!("{ADMIN}/gate")).token(&console.admin).gives(200).json();
    assert_eq!(gate["items"][0]["reasons"], json!([{"code": "terms", "term_id": consent}]));

    // A submission that names a notice records nothing, not even the decision on the consent.
    for accepted in [true, false] {
        let mut decisions = accept(&[consent]);
        decisions.push(entry(notice, accepted));
        let submission = app.post(SUBMIT).token(token).json(&rider("r1", &decisions));
        assert_eq!(
            submission.refused(422, "unknown_term").pointers(),
            ["/consents/1/terms_and_conditions_id"]
        );
    }
    let consents = app.get(&format!("{V3}/terms/r1/consents")).token(token).gives(200).json();
    assert_eq!(consents["consents"], json!([]));
    app.post(SUBMIT).token(token).json(&rider("r1", &accept(&[consent]))).gives(201);
    assert_eq!(outstanding().json()["may_work"], true);

    let admin = |path: &str| app.get(&format!("{ADMIN}{path}")).token(&console.operator);
    admin(&format!("/terms/{notice}/coverage")).refused(404, "not_found");
    admin(&format!("/terms/{notice}/missing")).refused(404, "not_found");
    let order = admin("/terms/order?type=FREELANCER").gives(200).json();
    assert_eq!(ids(&order["items"]), [consent]);
    let standing = admin("/people/r1/standing").gives(200).json();
    assert_eq!(standing["terms"].as_array().map(Vec::len), Some(1));
    let term = admin(&format!("/terms/{notice}")).gives(200).json();
    assert_eq!((&term["kind"], &term["status"]), (&json!("notice"), &json!("active")));
    assert_eq!(admin(&format!("/terms/{consent}")).gives(200).json()["kind"], "consent");

    let notices = own(app, token);
    assert_eq!(ids(&notices), [notice]);
    for (name, expected) in [
        ("title", json!("Rules of pay")),
        ("sha256", published["sha256"].clone()),
        ("effective_from", published["effective_from"].clone()),
        ("received_at", Value::Null),
        ("opened_at", Value::Null),
        ("channel", Value::Null),
    ] {
        assert_eq!(notices[0].get(name), Some(&expected), "{name}");
    }
    assert!(notices[0]["content"].as_str().is_some_and(|link| link.ends_with(".pdf")));
    app.command(&["log", "verify"]).expect_success();
}

fn the_command_refuses_a_mandatory_notice_and_another_kind(engine: Engine) {
    let store = TestStore::new(engine);
    let consent = store.term("FREELANCER", &[]).to_string();
    let notice = store.term("FREELANCER", NOTICE).to_string();
    let file = store.pdf("another");
    let publish = |more: &[&str]| {
        let mut args = vec!["terms", "publish", &file, "--type", "FREELANCER", "--title", "T"];
        args.extend(more);
        store.command(&args)
    };
    publish(&["--kind", "notice", "--mandatory"]).failed(2, "--mandatory");
    assert_eq!(publish(&["--kind", "other"]).code, Some(2));
    publish(&["--kind", "notice", "--replaces", &consent]).failed(1, "kind");
    publish(&["--replaces", &notice]).failed(1, "kind");
    let narrow = ["--market", "DE", "--instead-of", &notice];
    publish(&narrow).failed(1, "invalid_market");
    publish(&[&narrow[..], NOTICE].concat()).expect_success();
    publish(&["--kind", "notice", "--replaces", &notice]).expect_success();
}

fn a_draft_becomes_a_notice(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    let drafts = |method: &str, path: &str| {
        app.request(method, &format!("{ADMIN}/term-drafts{path}")).token(&console.operator)
    };
    let mut draft = json!({"type": "FREELANCER", "kind": "other",
        "variants": [{"locale": "en", "title": "Rules of pay"}]});
    assert_eq!(
        drafts("POST", "").json(&draft).refused(422, "invalid_request").pointers(),
        ["/kind"]
    );
    draft["kind"] = json!("notice");
    draft["mandatory"] = json!(true);
    let added = drafts("POST", "").json(&draft).gives(201);
    assert_eq!(added.json()["kind"], "notice");
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let check = || drafts("POST", &format!("/{id}/check")).gives(200).json();
    let pointers = |check: &Value| -> Vec<String> {
        let problems = check["problems"].as_array().expect("problems").iter();
        problems.map(|problem| problem["pointer"].as_str().expect("a pointer").into()).collect()
    };
    assert!(pointers(&check()).contains(&"/mandatory".to_owned()));
    draft["mandatory"] = json!(false);
    let changed = drafts("PUT", &format!("/{id}")).header("if-match", added.header("etag"));
    let changed = changed.json(&draft).gives(200);
    let uploaded = drafts("PUT", &format!("/{id}/documents/en"))
        .header("if-match", changed.header("etag"))
        .body("application/pdf", &pdf::page("the rules"))
        .gives(200);
    let checked = check();
    assert_eq!((pointers(&checked), &checked["riders_asked"]), (vec![], &json!(0)));
    let term = drafts("POST", &format!("/{id}/publish"))
        .header("if-match", uploaded.header("etag"))
        .gives(201)
        .json();
    assert_eq!((&term["kind"], &term["mandatory"]), (&json!("notice"), &json!(false)));

    // The next version must be a notice, too.
    let next = json!({"type": "FREELANCER", "replaces": term["id"]});
    let next = drafts("POST", "").json(&next).gives(201).json();
    let path = format!("/{}/check", next["id"].as_str().expect("an id"));
    let codes = drafts("POST", &path).gives(200).json()["problems"].to_string();
    assert!(codes.contains("other_kind"), "{codes}");
}

fn riders_see_the_newest_version_from_its_publication_on(engine: Engine) {
    let store = TestStore::new(engine);
    let first = store.term("FREELANCER", NOTICE);
    let other = store.term("MARKETING", NOTICE);
    let replaces = first.to_string();
    let scheduled = ["--replaces", &replaces, "--effective-from", AHEAD];
    let scheduled = store.term("FREELANCER", &[NOTICE, &scheduled].concat());
    let console = Console::serve(store);
    let app = &console.app;
    assert_eq!(ids(&own(app, &console.rider)), [scheduled, other]);
    assert_eq!(ids(&public(app, "")), [scheduled, other]);
    let path = format!("{ADMIN}/terms/{scheduled}/cancellation");
    app.post(&path).token(&console.admin).gives(200);
    assert_eq!(ids(&own(app, &console.rider)), [other, first]);
    assert_eq!(ids(&public(app, "")), [other, first]);
    // A cancelled version is not opened either.
    let opening = json!({"sha256": "0".repeat(64), "opened_at": "2026-01-01T00:00:00Z"});
    let path = format!("{V3}/riders/r1/notices/{scheduled}/openings");
    app.post(&path).token(&console.rider).json(&opening).refused(404, "not_found");
}

fn riders_see_the_notices_of_their_market_in_their_language(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2");
    let variant = format!("de={}:Bezahlung", store.pdf("Bezahlung"));
    let everywhere = store.term("FREELANCER", &[NOTICE, &["--variant", &variant]].concat());
    let german = store.term("FREELANCER", &[NOTICE, &["--market", "DE"]].concat());
    let french = store.term("FREELANCER", &[NOTICE, &["--market", "FR"]].concat());
    let other = store.token("r2");
    let console = Console::serve(store);
    let app = &console.app;
    let path = format!("{ADMIN}/people/r1/market");
    let market = json!({"market": "DE-BE"});
    app.request("PUT", &path).token(&console.operator).json(&market).gives(200);
    assert_eq!(ids(&own(app, &console.rider)), [german, everywhere]);
    let own = || app.get(&format!("{V3}/riders/r1/notices"));
    let in_german =
        own().token(&console.rider).header("accept-language", "de-AT").gives(200).json();
    assert_eq!(in_german["items"][1]["title"], "Bezahlung");
    assert_eq!(ids(&public(app, "")), [everywhere]);
    assert_eq!(ids(&public(app, "?market=FR-IDF")), [french, everywhere]);
    app.get(&format!("{V3}/public/notices?market=XX")).refused(400, "unknown_market");
    own().token(&other).refused(403, "permission_denied");
    let with_market = app.get(&format!("{V3}/riders/r1/notices?market=FR"));
    with_market.token(&console.rider).refused(400, "invalid_parameter");
    let cached = app.get(&format!("{V3}/public/notices")).gives(200);
    let again = app.get(&format!("{V3}/public/notices"));
    again.header("if-none-match", cached.header("etag")).gives(304);
}

fn publishing_warns_of_a_short_notice_period(engine: Engine) {
    let store = std::sync::Arc::new(TestStore::new(engine).with_rider("r1"));
    store.add_user("o1", &["operator"]);
    let token = store.token("o1");
    let rules = ["--notice-days", "FREELANCER=15,MARKETING=3"];
    let file = store.pdf("the rules");
    let warned = |more: &[&str]| {
        let args = ["terms", "publish", &file, "--type", "FREELANCER", "--title", "T"];
        let published = store.command(&[&args, &rules[..], more].concat());
        assert_eq!(published.code, Some(0), "{published:?}");
        published.stderr.contains("notice_too_short")
    };
    assert!(warned(&[]));
    assert!(!warned(&["--effective-from", AHEAD]));
    assert_eq!(
        store
            .command(&[
                "terms",
                "publish",
                &file,
                "--type",
                "A",
                "--title",
                "T",
                "--notice-days",
                "15"
            ])
            .code,
        Some(2)
    );

    let app = TestApp::serve_with(&store, Start { args: &rules, ..Start::default() });
    let warnings = |draft: Value| -> Vec<Value> {
        let drafts = format!("{ADMIN}/term-drafts");
        let added = app.post(&drafts).token(&token).json(&draft).gives(201).json();
        let path = format!("{drafts}/{}/check", added["id"].as_str().expect("an id"));
        let checked = app.post(&path).token(&token).gives(200).json();
        checked["warnings"].as_array().expect("warnings").clone()
    };
    let short = warnings(json!({"type": "FREELANCER"}));
    assert_eq!(
        (&short[0]["code"], &short[0]["pointer"]),
        (&json!("notice_too_short"), &json!("/effective_from"))
    );
    assert_eq!(warnings(json!({"type": "FREELANCER", "effective_from": AHEAD})), [Value::Null; 0]);
    assert_eq!(warnings(json!({"type": "OTHER"})), [Value::Null; 0]);
}

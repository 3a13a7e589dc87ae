//! `GET /terms` and `GET /public/terms`.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{V3, ids};

on_both!(
    filters_by_type,
    returns_terms_in_order_with_all_fields,
    selects_the_language_of_the_request,
    supports_caching,
    returns_text_unchanged,
    returns_the_change_summary_in_each_language
);

fn public(app: &TestApp, query: &str) -> Value {
    app.get(&format!("{V3}/public/terms{query}")).gives(200).json()
}

fn filters_by_type(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let freelancer = store.term("FREELANCER", &[]);
    let marketing = store.term("MARKETING", &[]);
    let other = store.term("A_2", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    for (query, want) in [
        ("", vec![freelancer, marketing]),
        ("?types=FREELANCER,MARKETING", vec![freelancer, marketing]),
        ("?types=FREELANCER%2CMARKETING", vec![freelancer, marketing]),
        ("?types=MARKETING,A_2", vec![marketing, other]),
        ("?types=A_2,A_2", vec![other]),
        ("?types=NOBODY,A_2", vec![other]),
        ("?types=NOBODY", vec![]),
        ("?unknown=1&types=A_2", vec![other]),
    ] {
        assert_eq!(ids(&public(&app, query)), want, "{query}");
        let own = app.get(&format!("{V3}/terms{query}")).token(&token).gives(200);
        assert_eq!(ids(&own.json()), want, "{query}");
        assert_eq!(own.header("cache-control"), "private, no-store");
    }
    let long = "A".repeat(33);
    for types in
        ["", "a", "FREELANCER,", ",A", "1A", "_A", "A-B", "A%20B", "%C3%84", "A,,B", "%ff", &long]
    {
        for path in ["public/terms", "terms"] {
            let request = app.get(&format!("{V3}/{path}?types={types}")).token(&token);
            request.refused(400, "invalid_parameter");
        }
    }
    app.get(&format!("{V3}/public/terms?types=A&types=B")).refused(400, "invalid_parameter");
    app.get(&format!("{V3}/terms")).refused(401, "unauthenticated");
}

fn returns_terms_in_order_with_all_fields(engine: Engine) {
    let store = TestStore::new(engine);
    let third = store.term("FREELANCER", &["--order", "7"]);
    let second = store.publish("MARKETING", "News", &["--order", "7", "--summary", "All new"]);
    let first = store.term("FREELANCER", &["--order", "-3", "--mandatory"]);
    let app = TestApp::serve(store);
    let terms = public(&app, "");
    // With equal order, the lower id comes first.
    assert_eq!(ids(&terms), [first, third, second["id"].as_i64().expect("an id")]);
    assert_eq!(terms[0]["mandatory"], true);
    assert_eq!(terms[0]["display_order"], -3);
    let news = &terms[2];
    let sha256 = second["sha256"].as_str().expect("a hash");
    for (name, want) in [
        ("title", json!("News")),
        ("content", json!(format!("http://{}/documents/{sha256}.pdf", app.address))),
        ("mandatory", json!(false)),
        ("display_order", json!(7)),
        ("type", json!("MARKETING")),
        ("version", json!(1)),
        ("locale", json!("en")),
        ("sha256", json!(sha256)),
        ("effective_from", second["effective_from"].clone()),
        ("material", json!(true)),
        ("summary", json!("All new")),
    ] {
        assert_eq!(news[name], want, "{name}");
    }
    let instant = news["effective_from"].as_str().expect("an instant");
    assert!(instant.len() == 24 && instant.ends_with('Z'), "{instant}");
    assert_eq!(news.get("grace_until"), None);
    assert_eq!(news.get("replaces"), None);
}

fn selects_the_language_of_the_request(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let german = format!("de={}:Vertrag", store.pdf("deutsch"));
    let arabic = format!("ar={}", store.pdf("arabi"));
    let args = ["--variant", &german, "--variant", &arabic, "--locale", "en-GB"];
    let printed = store.publish("FREELANCER", "Contract", &args);
    assert_eq!(printed["variants"].as_array().map(Vec::len), Some(3));
    let token = store.token("r1");
    let app = TestApp::serve(store);
    for (accepted, locale, title) in [
        ("", "en-GB", "Contract"),
        ("*", "en-GB", "Contract"),
        ("fr", "en-GB", "Contract"),
        ("de", "de", "Vertrag"),
        ("de-AT, en;q=0.5", "de", "Vertrag"),
        ("DE-ch-1996", "de", "Vertrag"),
        ("fr, ar-EG;q=0.8, de;q=0.7", "ar", "Contract"),
        ("de;q=0, ar;q=0.1", "ar", "Contract"),
        ("en", "en-GB", "Contract"),
        (";;;,,,q=;-", "en-GB", "Contract"),
    ] {
        for path in ["public/terms", "terms"] {
            let request = app.get(&format!("{V3}/{path}")).token(&token);
            let terms = request.header("accept-language", accepted).gives(200).json();
            let term = &terms[0];
            assert_eq!(
                (&term["locale"], &term["title"]),
                (&json!(locale), &json!(title)),
                "{accepted}"
            );
            let variants = printed["variants"].as_array().expect("variants");
            let variant = variants.iter().find(|variant| variant["locale"] == locale).expect("it");
            assert_eq!(term["sha256"], variant["sha256"], "{accepted}");
        }
    }
}

fn supports_caching(engine: Engine) {
    let app = TestApp::start(engine);
    app.term("FREELANCER", &[]);
    let german = format!("de={}", app.pdf("deutsch"));
    app.term("MARKETING", &["--variant", &german]);
    let path = format!("{V3}/public/terms");
    let answer = app.get(&path).gives(200);
    let etag = answer.header("etag").to_owned();
    assert!(etag.starts_with('"') && etag.len() > 10, "{etag}");
    assert_eq!(answer.header("cache-control"), "public, max-age=60");
    assert!(answer.header("vary").to_ascii_lowercase().contains("accept-language"));
    for tag in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
        let same = app.get(&path).header("if-none-match", &tag).gives(304);
        assert_eq!(same.body, b"");
        for name in ["etag", "cache-control", "vary"] {
            assert_eq!(same.header(name), answer.header(name), "{name}");
        }
    }
    app.request("HEAD", &path).header("if-none-match", &etag).gives(304);
    app.get(&path).header("if-none-match", "\"x\"").gives(200);
    // Another language, another list and another version have other ETags.
    let other = app.get(&path).header("accept-language", "de").header("if-none-match", &etag);
    other.gives(200);
    app.get(&format!("{path}?types=MARKETING")).header("if-none-match", &etag).gives(200);
    app.term("FREELANCER", &[]);
    app.get(&path).header("if-none-match", &etag).gives(200);
}

fn returns_text_unchanged(engine: Engine) {
    let app = TestApp::start(engine);
    let titles = [
        "<img src=x onerror=alert(1)>",
        "\u{202e}smret\u{202c} \u{2066}x\u{2069}",
        "'; DROP TABLE terms; --",
        "\"quoted\" \\ back {{x}} ${x} %s",
        "🚲 شروط",
    ];
    for title in titles {
        app.publish("FREELANCER", title, &["--summary", title]);
    }
    let answer = app.get(&format!("{V3}/public/terms")).gives(200);
    assert_eq!(answer.header("content-type"), "application/json");
    let terms = answer.json();
    for (i, title) in titles.iter().enumerate() {
        assert_eq!((&terms[i]["title"], &terms[i]["summary"]), (&json!(title), &json!(title)));
    }
}

fn returns_the_change_summary_in_each_language(engine: Engine) {
    let app = TestApp::start(engine);
    let variants = ["de", "ar"].map(|locale| format!("{locale}={}", app.pdf(locale)));
    let args = ["--variant", &variants[0], "--variant", &variants[1]];
    let summaries = ["--summary", "Lights are checked.", "--summary-in", "AR=تُفحص الأضواء."];
    app.term("FREELANCER", &[&args[..], &summaries].concat());
    for (accepted, summary) in
        [("en", "Lights are checked."), ("de", "Lights are checked."), ("ar-EG", "تُفحص الأضواء.")]
    {
        let path = format!("{V3}/public/terms");
        let terms = app.get(&path).header("accept-language", accepted).gives(200).json();
        assert_eq!(terms[0]["summary"], summary, "{accepted}");
    }
    app.command(&["log", "verify"]).expect_success();
}

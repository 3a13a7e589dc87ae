//! `terms publish`.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{V3, ids};

on_both!(
    refuses_invalid_publications,
    prints_the_published_term,
    labels_a_version_as_its_document_does
);

fn refuses_invalid_publications(engine: Engine) {
    let store = TestStore::new(engine);
    let pdf = store.pdf("good");
    let term = store.term("FREELANCER", &["--mandatory"]).to_string();
    let publish = |file: &str, more: &[&str]| {
        let mut args = vec!["terms", "publish", file];
        args.extend(more);
        store.command(&args)
    };
    let base = ["--type", "FREELANCER", "--title", "T"];
    let with = |more: &[&'static str]| -> Vec<&'static str> { [&base, more].concat() };
    for (name, bytes) in [
        ("text.pdf", &b"no document"[..]),
        ("empty.pdf", b""),
        ("page.html", b"<!doctype html><p>%PDF-1.4"),
    ] {
        let file = store.file(name, bytes);
        publish(&file, &base).failed(1, name);
    }
    publish("missing.pdf", &base).failed(1, "missing.pdf");
    let mut large = std::fs::read(&pdf).expect("the file");
    large.resize(20 * 1024 * 1024 + 1, b' ');
    let large = store.file("large.pdf", &large);
    publish(&large, &base).failed(1, "large.pdf");
    // A variant that is not a PDF makes the whole version invalid.
    let variant = format!("de={}", store.file("de.pdf", b"no document"));
    publish(&pdf, &[&base[..], &["--variant", &variant]].concat()).failed(1, "de.pdf");

    publish(&pdf, &with(&["--replaces", "99", "--mandatory"])).failed(1, "99");
    let minor = ["--replaces", &term, "--minor"];
    publish(&pdf, &[&base[..], &minor].concat()).failed(1, "mandatory");
    let other = ["--type", "MARKETING", "--title", "T", "--replaces", &term, "--mandatory"];
    publish(&pdf, &other).failed(1, "type");
    let good = [&base[..], &["--replaces", &term, "--mandatory"]].concat();
    publish(&pdf, &good).expect_success();
    publish(&pdf, &good).failed(1, "already replaced");

    publish(&pdf, &with(&["--minor"])).failed(2, "--replaces");
    publish(&pdf, &["--title", "T"]).failed(2, "--type");
    publish(&pdf, &["--type", "FREELANCER"]).failed(2, "--title");
    publish(&pdf, &["--type", "lower", "--title", "T"]).failed(2, "--type");
    publish(&pdf, &["--type", "FREELANCER", "--title", ""]).failed(2, "--title");
    publish(&pdf, &["--type", "FREELANCER", "--title", "a\nb"]).failed(2, "--title");
    publish(&pdf, &with(&["--locale", "english!"])).failed(2, "--locale");
    publish(&pdf, &with(&["--order", "first"])).failed(2, "--order");
    publish(&pdf, &with(&["--effective-from", "tomorrow"])).failed(2, "--effective-from");
    let grace =
        ["--effective-from", "2030-01-01T00:00:00Z", "--grace-until", "2030-01-01T00:00:00Z"];
    publish(&pdf, &with(&grace)).failed(2, "--grace-until");
    publish(&pdf, &with(&["--variant", "de"])).failed(2, "--variant");
    for bad in ["de=Neu", "en", "en=", "en= "] {
        publish(&pdf, &with(&["--summary-in", bad])).failed(2, "--summary-in");
    }
    publish(&pdf, &[&base[..], &["--variant", &format!("en={pdf}")]].concat())
        .failed(2, "--variant");

    for bad in ["", " ", "1\n1", "1\u{2028}1", &"1".repeat(41)] {
        publish(&pdf, &with(&[])[..].iter().copied().chain(["--label", bad]).collect::<Vec<_>>())
            .failed(2, "--label");
    }

    // Refused publications leave no data.
    let app = TestApp::serve(store);
    assert_eq!(ids(&app.get(&format!("{V3}/public/terms")).gives(200).json()).len(), 1);
}

fn prints_the_published_term(engine: Engine) {
    let store = TestStore::new(engine);
    let german = format!("de={}:Der Vertrag", store.pdf("deutsch"));
    let args = [
        "--locale",
        "en",
        "--mandatory",
        "--order",
        "3",
        "--summary",
        "New",
        "--effective-from",
        "2030-01-01T01:00:00+01:00",
        "--grace-until",
        "2030-02-01T00:00:00Z",
        "--variant",
        &german,
    ];
    let term = store.publish("FREELANCER", "The contract", &args);
    for (name, want) in [
        ("id", json!(1)),
        ("version", json!(1)),
        ("mandatory", json!(true)),
        ("display_order", json!(3)),
        ("type", json!("FREELANCER")),
        ("title", json!("The contract")),
        ("locale", json!("en")),
        ("effective_from", json!("2030-01-01T00:00:00.000Z")),
        ("grace_until", json!("2030-02-01T00:00:00.000Z")),
        ("summary", json!("New")),
    ] {
        assert_eq!(term[name], want, "{name}");
    }
    assert_eq!(term["variants"][1]["title"], "Der Vertrag");
    // Identical bytes are stored once, even as the document of another term.
    let pdf = store.pdf("shared");
    let publish =
        || store.command(&["terms", "publish", &pdf, "--type", "MARKETING", "--title", "S"]).json();
    let (one, two) = (publish(), publish());
    assert_eq!(one["sha256"], two["sha256"]);
    assert_ne!(one["id"], two["id"]);
}

fn labels_a_version_as_its_document_does(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "o", "--role", "operator"]).expect_success();
    let plain = store.publish("MARKETING", "Plain", &[]);
    assert_eq!(plain["label"], Value::Null);
    let first = store.publish("FREELANCER", "Terms", &["--label", "1.0"]);
    assert_eq!((&first["label"], &first["version"]), (&json!("1.0"), &json!(1)));
    let longest = "١".repeat(40);
    let replaces = first["id"].to_string();
    let args = ["--replaces", &replaces, "--minor", "--label", &longest];
    let second = store.publish("FREELANCER", "Terms", &args);
    let token = store.token("o");
    let app = TestApp::serve(store);
    app.command(&["log", "verify"]).expect_success();
    let served = app.get(&format!("{V3}/public/terms")).gives(200).json();
    let label = |id: &Value| -> Value {
        let all = served.as_array().expect("a list");
        all.iter().find(|term| term["id"] == *id).expect("it is served")["label"].clone()
    };
    assert_eq!(label(&plain["id"]), Value::Null, "null, and not left out");
    assert_eq!(label(&second["id"]), json!(longest));
    assert!(served[0].as_object().expect("a term").contains_key("label"));
    let former = app.get(&format!("/api/admin/v1/terms/{replaces}")).token(&token).gives(200);
    assert_eq!(former.json()["label"], "1.0");
}

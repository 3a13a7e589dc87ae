//! `terms publish` with documents that cannot be rendered completely or have active content.

use std::path::Path;

use crate::app::TestApp;
use crate::hostile::{self, Hostile};
use crate::store::{Engine, TestStore};
use crate::wire::{V3, ids};

on_both!(a_reason_allows_the_publication_and_is_audited);

const BASE: [&str; 4] = ["--type", "FREELANCER", "--title", "T"];

fn refuses(all: Vec<Hostile>, code: &str) {
    let store = TestStore::new(Engine::Sqlite);
    for hostile in all {
        let file = store.file("hostile.pdf", &hostile.bytes);
        let output = store.command(&[&["terms", "publish", &file][..], &BASE].concat());
        assert_eq!(output.code, Some(1), "{}: {output:?}", hostile.name);
        assert_eq!((output.stdout.as_str(), output.stderr.lines().count()), ("", 1), "{output:?}");
        let page = hostile.page.map_or_else(String::new, |page| format!("age {page} has "));
        for part in [code, hostile.named, &page] {
            assert!(output.stderr.contains(part), "{}: no '{part}' in {output:?}", hostile.name);
        }
    }
}

#[test]
fn refuses_documents_that_cannot_be_rendered() {
    refuses(hostile::undrawable(), "unreadable_document");
}

#[test]
fn refuses_incomplete_documents_and_names_page_and_object() {
    refuses(hostile::incomplete(), "unreadable_document");
}

#[test]
fn refuses_active_content_and_names_its_location() {
    refuses(hostile::active(), "active_content");
}

#[test]
fn publishes_unusual_but_harmless_documents() {
    let store = TestStore::new(Engine::Sqlite);
    for (name, bytes) in hostile::harmless() {
        let file = store.file("harmless.pdf", &bytes);
        let output = store.command(&[&["terms", "publish", &file][..], &BASE].concat());
        assert_eq!(output.code, Some(0), "{name}: {output:?}");
        assert!(!output.stderr.contains("document"), "{name}: {output:?}");
    }
}

fn a_reason_allows_the_publication_and_is_audited(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "o", "--role", "operator"]).expect_success();
    let cut = store.file("cut.pdf", b"%PDF-1.4\n");
    let with_script = hostile::with("/OpenAction<</S/JavaScript/JS(1)>>", "", &[]);
    let scripted = store.file("scripted.pdf", &with_script);
    let publish = |file: &str, more: &[&str]| {
        store.command(&[&["terms", "publish", file][..], &BASE, more].concat())
    };
    publish(&cut, &["--active-content-ok", "no reason for this"]).failed(1, "unreadable_document");
    publish(&scripted, &["--unreadable-ok", "nor for this"]).failed(1, "active_content");
    for bad in ["", " ", "a\nb", &"x".repeat(201)] {
        publish(&cut, &["--unreadable-ok", bad]).failed(2, "--unreadable-ok");
        publish(&scripted, &["--active-content-ok", bad]).failed(2, "--active-content-ok");
    }
    // No reason allows a file that is not a PDF.
    let text = store.file("text.pdf", b"no document");
    publish(&text, &["--unreadable-ok", "x"]).failed(1, "unreadable_document");

    let first = publish(&cut, &["--unreadable-ok", "the printer's file, read on paper"]).json();
    let second = publish(&scripted, &["--active-content-ok", "counts pages"]).json();
    let good = store.pdf("good");
    let third = publish(&good, &["--active-content-ok", "not needed"]).json();
    let token = store.token("o");
    let app = TestApp::serve(store);
    let served = app.get(&format!("{V3}/public/terms")).gives(200).json();
    assert_eq!(ids(&served).len(), 3);
    let audit = app.get("/api/admin/v1/audit?limit=200").token(&token).gives(200).json();
    let is_audited = |id: &serde_json::Value, rest: &str| {
        let detail = format!("{id}{rest}");
        let all = audit["items"].as_array().expect("a list");
        assert!(
            all.iter()
                .any(|entry| entry["event"] == "term_published" && entry["detail"] == *detail),
            "{detail} is not in {audit}"
        );
    };
    is_audited(&first["id"], "; unreadable_ok: the printer's file, read on paper");
    is_audited(&second["id"], "; active_content_ok: counts pages");
    is_audited(&third["id"], "");
}

#[test]
fn warns_of_a_document_in_another_language_than_its_option() {
    let store = TestStore::new(Engine::Sqlite);
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    let english = demo.join("freelancer-agreement.en.pdf").display().to_string();
    let arabic = format!("ar={}", demo.join("freelancer-agreement.ar.pdf").display());
    let publish = |locale: &str| {
        let more = ["--locale", locale, "--variant", &arabic];
        store.command(&[&["terms", "publish", &english][..], &BASE, &more].concat())
    };
    let wrong = publish("de");
    assert_eq!(wrong.code, Some(0), "{wrong:?}");
    let warning = format!("warning: {english}: the text seems to be in en, not in de");
    assert!(wrong.stderr.contains(&warning), "{wrong:?}");
    let right = publish("en");
    assert!(!right.stderr.contains("seems to be"), "{right:?}");
}

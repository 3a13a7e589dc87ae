//! `terms publish` of documents that cannot be drawn whole, or that act by themselves.

use crate::app::TestApp;
use crate::hostile::{self, Hostile};
use crate::store::{Engine, TestStore};
use crate::wire::{V3, ids};

on_both!(a_reason_publishes_and_stays_in_the_audit);

const BASE: [&str; 4] = ["--type", "FREELANCER", "--title", "T"];

fn refuses(all: Vec<Hostile>, code: &str) {
    let store = TestStore::new(Engine::Sqlite);
    for hostile in all {
        let file = store.file("hostile.pdf", &hostile.bytes);
        let ran = store.command(&[&["terms", "publish", &file][..], &BASE].concat());
        assert_eq!(ran.code, Some(1), "{}: {ran:?}", hostile.name);
        assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{ran:?}");
        let page = hostile.page.map_or_else(String::new, |page| format!("age {page} has "));
        for part in [code, hostile.named, &page] {
            assert!(ran.stderr.contains(part), "{}: no '{part}' in {ran:?}", hostile.name);
        }
    }
}

#[test]
fn what_cannot_be_drawn_at_all_is_refused() {
    refuses(hostile::undrawable(), "unreadable_document");
}

#[test]
fn what_cannot_be_drawn_whole_is_refused_with_page_and_name() {
    refuses(hostile::incomplete(), "unreadable_document");
}

#[test]
fn what_acts_by_itself_is_refused_with_its_place() {
    refuses(hostile::active(), "active_content");
}

#[test]
fn what_only_looks_odd_is_published() {
    let store = TestStore::new(Engine::Sqlite);
    for (name, bytes) in hostile::harmless() {
        let file = store.file("harmless.pdf", &bytes);
        let ran = store.command(&[&["terms", "publish", &file][..], &BASE].concat());
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        assert!(!ran.stderr.contains("document"), "{name}: {ran:?}");
    }
}

fn a_reason_publishes_and_stays_in_the_audit(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "o", "--role", "operator"]).done();
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
    // No reason opens the door to what is no PDF.
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
    let told = |id: &serde_json::Value, rest: &str| {
        let detail = format!("{id}{rest}");
        let all = audit["items"].as_array().expect("a list");
        assert!(
            all.iter().any(|it| it["event"] == "term_published" && it["detail"] == *detail),
            "{detail} is not in {audit}"
        );
    };
    told(&first["id"], "; unreadable_ok: the printer's file, read on paper");
    told(&second["id"], "; active_content_ok: counts pages");
    told(&third["id"], "");
}

//! Drafts whose documents cannot be rendered completely or have active content, and uploads that
//! are too large or too many.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::hostile;
use crate::pdf;
use crate::request::{Answer, Request};
use crate::store::Engine;

on_both!(a_reason_allows_the_publication_and_is_audited);

fn drafts(console: &Console, method: &str, path: &str) -> Request {
    console.app.request(method, &format!("{ADMIN}/term-drafts{path}")).token(&console.operator)
}

struct Draft {
    id: String,
    revision: String,
}

fn draft(console: &Console, more: &Value) -> Draft {
    let mut body = json!({"type": "FREELANCER", "variants": [
        {"locale": "de", "title": "Ohne"}, {"locale": "en", "title": "Terms"}
    ]});
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    let added = drafts(console, "POST", "").json(&body).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let path = format!("/{id}/documents/de");
    let german = drafts(console, "PUT", &path).header("if-match", added.header("etag"));
    let german = german.body("application/pdf", &pdf::page("x")).gives(200);
    Draft { id, revision: german.header("etag").to_owned() }
}

fn upload(console: &Console, draft: &Draft, query: &str, bytes: &[u8]) -> Request {
    drafts(console, "PUT", &format!("/{}/documents/en{query}", draft.id))
        .header("if-match", &draft.revision)
        .body("application/pdf", bytes)
}

fn publish(console: &Console, draft: &Draft, uploaded: &Answer) -> Request {
    drafts(console, "POST", &format!("/{}/publish", draft.id))
        .header("if-match", uploaded.header("etag"))
}

#[test]
fn refuses_an_upload_that_cannot_be_rendered() {
    let console = Console::start(Engine::Sqlite);
    let draft = draft(&console, &json!({}));
    for hostile in hostile::undrawable() {
        let refused = upload(&console, &draft, "", &hostile.bytes);
        let refused = refused.refused(422, "unreadable_document");
        assert_eq!(refused.pointers(), ["/variants/1/document"], "{}", hostile.name);
    }
    upload(&console, &draft, "", b"no PDF").refused(422, "unreadable_document");
    upload(&console, &draft, "?unreadable_ok=x", b"no PDF").refused(422, "unreadable_document");
    upload(&console, &draft, "?unreadable_ok=", b"%PDF-").refused(400, "invalid_parameter");
}

#[test]
fn lists_incomplete_and_active_content_and_refuses_to_publish_it() {
    let console = Console::start(Engine::Sqlite);
    let incomplete =
        hostile::incomplete().into_iter().map(|document| (document, "unreadable_document"));
    let active = hostile::active().into_iter().map(|document| (document, "active_content"));
    for (hostile, code) in incomplete.chain(active) {
        let draft = draft(&console, &json!({}));
        let uploaded = upload(&console, &draft, "", &hostile.bytes).gives(200);
        let document = &uploaded.json()["variants"][1]["document"];
        let findings = document["findings"].as_array().expect("a list").clone();
        let finding =
            findings.iter().find(|finding| finding["kind"] == *hostile.kind.expect("a kind"));
        let finding = finding.unwrap_or_else(|| panic!("{}: {findings:?}", hostile.name));
        assert_eq!(finding["page"].as_u64(), hostile.page.map(u64::from), "{}", hostile.name);
        let name = finding["name"].as_str().expect("a name");
        assert!(name.contains(hostile.named), "{}: {finding}", hostile.name);
        let check = drafts(&console, "POST", &format!("/{}/check", draft.id)).gives(200).json();
        assert_eq!(check["problems"][0]["code"], code, "{}: {check}", hostile.name);
        let refused = publish(&console, &draft, &uploaded).refused(422, code);
        let errors = refused.json()["errors"].as_array().expect("errors").clone();
        assert!(
            errors.iter().all(|error| error["pointer"] == "/variants/1/document"),
            "{errors:?}"
        );
        let page = |item: &Value| item["page"].as_u64() == hostile.page.map(u64::from);
        assert!(errors.iter().any(page), "{}: {errors:?}", hostile.name);
    }
}

#[test]
fn publishes_unusual_but_harmless_documents() {
    let console = Console::start(Engine::Sqlite);
    for (name, bytes) in hostile::harmless() {
        let draft = draft(&console, &json!({}));
        let uploaded = upload(&console, &draft, "", &bytes).gives(200);
        let findings = &uploaded.json()["variants"][1]["document"]["findings"];
        assert_eq!(findings, &json!([]), "{name}");
        publish(&console, &draft, &uploaded).gives(201);
    }
}

fn a_reason_allows_the_publication_and_is_audited(engine: Engine) {
    let console = Console::start(engine);
    let script = hostile::with("/OpenAction<</S/JavaScript/JS(1)>>", "", &[]);
    let note = hostile::annotation("/Subtype/Text/Contents(The fee is 99 euros)");
    // One reason comes with the draft, one with the upload, and one with the publication.
    let of_draft = draft(&console, &json!({"unreadable_ok": "the note is ours"}));
    let uploaded = upload(&console, &of_draft, "", &note).gives(200);
    let first = publish(&console, &of_draft, &uploaded).gives(201).json();
    let of_upload = draft(&console, &json!({}));
    let uploaded =
        upload(&console, &of_upload, "?unreadable_ok=on%20paper", b"%PDF-1.4\n").gives(200);
    assert_eq!(uploaded.json()["unreadable_ok"], "on paper");
    assert!(uploaded.json()["variants"][1]["document"]["undrawn"].is_string());
    let second = publish(&console, &of_upload, &uploaded).gives(201).json();
    let of_moment = draft(&console, &json!({"label": "1.0"}));
    let uploaded = upload(&console, &of_moment, "", &script).gives(200);
    let publish_with = |body: &Value| publish(&console, &of_moment, &uploaded).json(body);
    publish_with(&json!({"unreadable_ok": "x"})).refused(422, "active_content");
    publish_with(&json!({"active_content_ok": " "})).refused(422, "active_content");
    publish_with(&json!({"active_content_ok": "a\nb"})).refused(422, "invalid_request");
    publish_with(&json!({"label": "x".repeat(41)})).refused(422, "invalid_request");
    let third = publish_with(&json!({"active_content_ok": "counts pages", "label": "1.1"}));
    let third = third.gives(201).json();
    assert_eq!(third["label"], "1.1");
    let audit = format!("{ADMIN}/audit?event=term_published&limit=50");
    let audit = console.app.get(&audit).token(&console.admin).gives(200).json();
    for (term, rest) in [
        (first, "; unreadable_ok: the note is ours"),
        (second, "; unreadable_ok: on paper"),
        (third, "; active_content_ok: counts pages"),
    ] {
        let detail = format!("{}{rest}", term["id"]);
        let all = audit["items"].as_array().expect("a list");
        assert!(all.iter().any(|entry| entry["detail"] == *detail), "{detail}: {audit}");
    }
    console.app.command(&["log", "verify"]).expect_success();
}

/// Opens a raw connection, on which an upload can be left incomplete.
fn begin_upload(console: &Console, draft: &Draft, length: &str) -> TcpStream {
    let address = &console.app.address;
    let mut stream = TcpStream::connect(address).expect("connects");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    let head = format!(
        "PUT {ADMIN}/term-drafts/{}/documents/en HTTP/1.1\r\nHost: {address}\r\n\
         Authorization: Bearer {}\r\nIf-Match: {}\r\nContent-Type: application/pdf\r\n{length}\r\n\r\n",
        draft.id, console.operator, draft.revision
    );
    stream.write_all(head.as_bytes()).expect("sends");
    stream
}

fn status(stream: &mut TcpStream) -> String {
    let mut head = [0; 12];
    stream.read_exact(&mut head).expect("an answer");
    String::from_utf8_lossy(&head[9..]).into_owned()
}

#[test]
fn refuses_a_gibibyte_unread_and_a_chunked_body_at_the_limit() {
    let console = Console::start(Engine::Sqlite);
    let draft = draft(&console, &json!({}));
    let start = Instant::now();
    let mut declared = begin_upload(&console, &draft, "Content-Length: 1073741824");
    assert_eq!(status(&mut declared), "413");
    let took = start.elapsed();
    eprintln!("1 GiB declared: 413 after {took:?}");
    assert!(took < Duration::from_secs(5), "it was waited for: {took:?}");

    let mut flood = begin_upload(&console, &draft, "Transfer-Encoding: chunked");
    let chunk = [b"100000\r\n", &vec![b'x'; 1 << 20][..], b"\r\n"].concat();
    let mut sent_chunks = 0;
    // The server closes the connection, so at some chunk the write fails.
    while sent_chunks < 200 && flood.write_all(&chunk).is_ok() {
        sent_chunks += 1;
    }
    eprintln!("a chunked flood: cut after {sent_chunks} MiB");
    assert!(sent_chunks < 60, "{sent_chunks} MiB were read");
}

#[test]
fn a_full_upload_queue_refuses_until_a_client_disconnects() {
    let console = Console::start(Engine::Sqlite);
    let draft = draft(&console, &json!({}));
    // No upload finishes, so each one keeps its slot.
    let mut begun = Vec::new();
    let full = loop {
        let upload = upload(&console, &draft, "", b"no PDF").send();
        if upload.status == 503 {
            break upload;
        }
        assert!(begun.len() < 64, "the queue has no end");
        begun.push(begin_upload(&console, &draft, "Content-Length: 1000"));
        std::thread::sleep(Duration::from_millis(100));
    };
    eprintln!("places in the queue: {}", begun.len());
    assert_eq!(full.json()["code"], "rendering_busy");
    assert!(full.header("retry-after").parse::<u64>().expect("seconds") > 0);
    // Requests of riders are not affected.
    console.app.get("/api/rooster/v3/public/terms").gives(200);
    drop(begun);
    let deadline = Instant::now() + Duration::from_secs(20);
    while upload(&console, &draft, "", b"no PDF").send().status != 422 {
        assert!(Instant::now() < deadline, "the slots of disconnected clients are not free");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn demo_document(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/documents");
    std::fs::read(folder.join(name)).expect("a document")
}

#[test]
fn warns_of_a_document_in_another_language_than_its_variant() {
    let console = Console::start(Engine::Sqlite);
    let body = json!({"type": "FREELANCER", "variants": [
        {"locale": "de", "title": "Vertrag"}, {"locale": "ar", "title": "A"}
    ]});
    let mut saved = drafts(&console, "POST", "").json(&body).gives(201);
    let id = saved.json()["id"].as_str().expect("an id").to_owned();
    let documents = [("de", "freelancer-agreement.en.pdf"), ("ar", "freelancer-agreement.ar.pdf")];
    for (locale, name) in documents {
        let upload = drafts(&console, "PUT", &format!("/{id}/documents/{locale}"));
        let upload = upload.header("if-match", saved.header("etag"));
        saved = upload.body("application/pdf", &demo_document(name)).gives(200);
    }
    let draft = saved.json();
    let languages: Vec<&Value> =
        (0..2).map(|variant| &draft["variants"][variant]["document"]["language"]).collect();
    assert_eq!(languages, ["en", "ar"]);
    let check = drafts(&console, "POST", &format!("/{id}/check")).gives(200).json();
    assert_eq!(
        check["warnings"],
        json!([{
            "code": "other_language", "pointer": "/variants/0/document",
            "detail": "The text seems to be in en, not in de."
        }])
    );
    assert_eq!(check["problems"], json!([]), "a warning does not prevent publishing");
}

//! Drafts, from creation to the published version.

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::pdf;
use crate::request::{Answer, Request};
use crate::store::Engine;
use crate::wire::{SUBMIT, V3, entry, rider};

on_both!(
    a_draft_is_written_uploaded_checked_and_published,
    refuses_a_stale_edit_of_a_draft,
    concurrent_publications_publish_a_draft_once,
    hides_drafts_from_callers_without_permission,
    checks_permissions_again_before_storing_an_upload,
    refuses_invalid_drafts,
    publishes_only_uploaded_documents,
    streams_upload_progress_on_request,
    refuses_an_invalid_predecessor
);

fn drafts(console: &Console, method: &str, path: &str) -> Request {
    console.app.request(method, &format!("{ADMIN}/term-drafts{path}")).token(&console.operator)
}

fn revision(answer: &Answer) -> String {
    let revision = answer.header("etag").to_owned();
    assert_eq!(revision, format!("\"{}\"", answer.json()["revision"]));
    revision
}

fn english() -> Value {
    json!({"type": "FREELANCER", "mandatory": true, "label": "3.1", "variants": [{"locale": "en", "title": "Terms"}]})
}

fn upload(console: &Console, id: &str, etag: &str, text: &str) -> Answer {
    drafts(console, "PUT", &format!("/{id}/documents/en"))
        .header("if-match", etag)
        .body("application/pdf", &pdf::page(text))
        .gives(200)
}

fn a_draft_is_written_uploaded_checked_and_published(engine: Engine) {
    let console = Console::start(engine);
    let added = drafts(&console, "POST", "").json(&english()).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let check = || drafts(&console, "POST", &format!("/{id}/check")).gives(200).json();
    assert_eq!(check()["problems"][0]["pointer"], "/variants/0/document");
    let publish =
        |etag: &str| drafts(&console, "POST", &format!("/{id}/publish")).header("if-match", etag);
    let early = publish(&revision(&added)).refused(422, "draft_incomplete");
    assert_eq!(early.pointers(), ["/variants/0/document"]);

    let uploaded = upload(&console, &id, &revision(&added), "the terms");
    let document = &uploaded.json()["variants"][0]["document"];
    assert_eq!(document["pages"], 1);
    let sha256 = document["sha256"].as_str().expect("a hash").to_owned();

    let checked = check();
    assert_eq!(checked["problems"], json!([]));
    assert_eq!((&checked["riders"], &checked["riders_asked"]), (&json!(1), &json!(1)));
    publish("\"1\"").refused(412, "precondition_failed");
    let term = publish(&revision(&uploaded)).gives(201).json();
    assert_eq!((&term["status"], &term["version"]), (&json!("active"), &json!(1)));
    publish(&revision(&uploaded)).refused(404, "not_found");
    // It is served at once, and its evidence is complete.
    let served = console.app.get(&format!("{V3}/public/terms")).gives(200).json();
    assert_eq!(served[0]["sha256"], sha256);
    assert_eq!((&term["label"], &served[0]["label"]), (&json!("3.1"), &json!("3.1")));
    let list = console.app.get(&format!("{ADMIN}/terms?status=active")).token(&console.operator);
    assert_eq!(list.gives(200).json()["items"][0]["id"], term["id"]);
    console.app.command(&["log", "verify"]).expect_success();
}

fn hides_drafts_from_callers_without_permission(engine: Engine) {
    let console = Console::start(engine);
    let added = drafts(&console, "POST", "").json(&english()).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let uploaded = upload(&console, &id, &revision(&added), "not yet for anybody");
    let document = &uploaded.json()["variants"][0]["document"];
    let sha256 = document["sha256"].as_str().expect("a hash").to_owned();
    let paths = [
        format!("/documents/{sha256}.pdf"),
        format!("/documents/{sha256}/manifest.json"),
        format!("/documents/{sha256}/1.png"),
    ];
    let etag = format!("\"{sha256}\"");
    for path in &paths {
        for method in ["GET", "HEAD"] {
            let ask = || console.app.request(method, path);
            let status = |request: Request| request.send().status;
            assert_eq!(status(ask()), 404, "{path}");
            assert_eq!(status(ask().token(&console.rider)), 404, "{path}");
            assert_eq!(status(ask().header("if-none-match", &etag)), 404, "{path}");
            assert_eq!(status(ask().header("range", "bytes=0-0")), 404, "{path}");
            // The client gets a new token and sends the request again.
            assert_eq!(status(ask().token("nonsense")), 401, "{path}");
            let cookie = format!("dhh_token={}", console.operator);
            for allowed in [
                ask().token(&console.operator),
                ask().token(&console.admin),
                ask().header("cookie", &cookie),
            ] {
                let answer = allowed.gives(200);
                assert_eq!(answer.header("cache-control"), "private, no-store", "{path}");
            }
        }
    }
    // A draft that never existed gives the same response.
    let unknown = console.app.get(&format!("/documents/{}.pdf", "0".repeat(64)));
    unknown.clone().token("nonsense").refused(401, "unauthenticated");
    unknown.token(&console.operator).refused(404, "not_found");
    drafts(&console, "POST", &format!("/{id}/publish"))
        .header("if-match", &revision(&uploaded))
        .gives(201);
    for path in &paths {
        let answer = console.app.get(path).gives(200);
        assert!(answer.header("cache-control").contains("immutable"), "{path}");
    }
}

fn refuses_a_stale_edit_of_a_draft(engine: Engine) {
    let console = Console::start(engine);
    let added = drafts(&console, "POST", "").json(&english()).gives(201);
    let path = format!("/{}", added.json()["id"].as_str().expect("an id"));
    let change = |etag: &str, title: &str| {
        let mut body = english();
        body["variants"][0]["title"] = json!(title);
        drafts(&console, "PUT", &path).header("if-match", etag).json(&body)
    };
    drafts(&console, "PUT", &path).json(&english()).refused(428, "precondition_required");
    let first = revision(&added);
    let second = revision(&change(&first, "Hers").gives(200));
    change(&first, "His").refused(412, "precondition_failed");
    let now = drafts(&console, "GET", &path).gives(200);
    assert_eq!(now.json()["variants"][0]["title"], "Hers");
    drafts(&console, "DELETE", &path)
        .header("if-match", &first)
        .refused(412, "precondition_failed");
    drafts(&console, "DELETE", &path).header("if-match", &second).gives(204);
    drafts(&console, "GET", &path).refused(404, "not_found");
}

fn concurrent_publications_publish_a_draft_once(engine: Engine) {
    let console = Console::start(engine);
    let added = drafts(&console, "POST", "").json(&english()).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let uploaded = upload(&console, &id, &revision(&added), "published once");
    let publish = drafts(&console, "POST", &format!("/{id}/publish"))
        .header("if-match", &revision(&uploaded));
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| publish.clone().send().status)).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses[0], 201, "{statuses:?}");
    assert!(statuses[1..].iter().all(|status| matches!(status, 404 | 409 | 412)), "{statuses:?}");
    let terms = console.app.get(&format!("{ADMIN}/terms")).token(&console.operator);
    assert_eq!(terms.gives(200).json()["items"].as_array().expect("a list").len(), 1);
    console.app.command(&["log", "verify"]).expect_success();
}

fn refuses_invalid_drafts(engine: Engine) {
    let console = Console::start(engine);
    let cases = [
        (json!({"type": "freelancer"}), "/type"),
        (json!({"effective_from": "tomorrow"}), "/effective_from"),
        (json!({"summary": "a\nb"}), "/summary"),
        (json!({"label": "1\n1"}), "/label"),
        (json!({"label": "1".repeat(41)}), "/label"),
        (json!({"variants": [{"locale": "english language"}]}), "/variants/0/locale"),
        (json!({"variants": [{"locale": "en", "summary": "a\nb"}]}), "/variants/0/summary"),
        (json!({"variants": [{"locale": "en"}, {"locale": "EN"}]}), "/variants/1/locale"),
    ];
    for (body, pointer) in cases {
        let refused = drafts(&console, "POST", "").json(&body).refused(422, "invalid_request");
        assert_eq!(refused.pointers(), [pointer]);
    }
    drafts(&console, "POST", "").json(&json!({"mandatory": "yes"})).refused(422, "invalid_request");
    drafts(&console, "POST", "").json(&json!([])).refused(422, "invalid_request");
    assert_eq!(drafts(&console, "GET", "").gives(200).json()["items"], json!([]));
}

fn publishes_only_uploaded_documents(engine: Engine) {
    let console = Console::start(engine);
    let mut claims = english();
    claims["variants"][0]["document"] = json!({"sha256": "0".repeat(64), "bytes": 1, "pages": 1});
    let added = drafts(&console, "POST", "").json(&claims).gives(201);
    assert!(added.json()["variants"][0].get("document").is_none(), "{:?}", added.json());
    let path = format!("/{}/documents/", added.json()["id"].as_str().expect("an id"));
    let put = |locale: &str, media_type: &str, body: &[u8]| {
        drafts(&console, "PUT", &format!("{path}{locale}"))
            .header("if-match", "\"1\"")
            .body(media_type, body)
    };
    put("en", "application/pdf", b"no PDF").refused(422, "unreadable_document");
    put("en", "text/plain", &pdf::page("x")).refused(415, "unsupported_media_type");
    put("de", "application/pdf", &pdf::page("x")).refused(404, "not_found");
    put("en", "application/pdf", &vec![b'%'; 20 * 1024 * 1024 + 1]).refused(413, "body_too_large");
}

fn streams_upload_progress_on_request(engine: Engine) {
    let console = Console::start(engine);
    let added = drafts(&console, "POST", "").json(&english()).gives(201);
    let path = format!("/{}/documents/en", added.json()["id"].as_str().expect("an id"));
    let lines = |revision: &str, pdf: &[u8]| -> Vec<Value> {
        let answer = drafts(&console, "PUT", &path)
            .header("if-match", revision)
            .header("accept", "application/x-ndjson, application/json")
            .body("application/pdf", pdf)
            .gives(200);
        assert_eq!(answer.header("content-type"), "application/x-ndjson");
        assert_eq!(answer.header("cache-control"), "private, no-store");
        let text = String::from_utf8(answer.body).expect("UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    };
    let progress = lines("\"1\"", &pdf::page("Hello"));
    assert_eq!(progress[0], json!({"page": 1, "pages": 1}));
    let last = progress.last().expect("an answer");
    assert_eq!((&last["status"], &last["body"]["revision"]), (&json!(200), &json!(2)), "{last}");
    assert_eq!(last["body"]["variants"][0]["document"]["pages"], 1);
    let refused = lines("\"2\"", b"no PDF");
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0]["status"], 422);
    assert_eq!(refused[0]["body"]["code"], "unreadable_document");
    // Errors in the request itself are answered as usual, not as progress.
    let stale = drafts(&console, "PUT", &path).header("accept", "application/x-ndjson");
    stale
        .header("if-match", "\"2\"")
        .body("text/plain", b"x")
        .refused(415, "unsupported_media_type");
}

fn refuses_an_invalid_predecessor(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let post = rider("r1", &[entry(first, true)]);
    console.app.post(SUBMIT).token(&console.rider).json(&post).gives(201);
    let mut body = english();
    body["replaces"] = json!(first);
    body["type"] = json!("MARKETING");
    let added = drafts(&console, "POST", "").json(&body).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let uploaded = upload(&console, &id, &revision(&added), "other");
    let check = drafts(&console, "POST", &format!("/{id}/check")).gives(200).json();
    assert_eq!(check["agreements"], 1);
    assert_eq!((&check["riders_asked"], &check["riders_asked_again"]), (&json!(1), &json!(1)));
    assert_eq!(check["problems"][0]["code"], "other_type", "{check}");
    assert_eq!(check["problems"][0]["pointer"], "/type");
    assert_eq!(uploaded.json()["updated_by"], "o1");
    let publish = drafts(&console, "POST", &format!("/{id}/publish"));
    publish.header("if-match", &revision(&uploaded)).refused(409, "other_type");
    // The refused draft still exists.
    drafts(&console, "GET", &format!("/{id}")).gives(200);
}

/// Sends the head and half of the body, calls `meanwhile`, and sends the rest. Returns the status
/// of the response.
fn interrupted(console: &Console, head: &str, body: &[u8], meanwhile: impl FnOnce()) -> u16 {
    use std::io::{BufRead as _, BufReader, Write as _};
    let mut stream = std::net::TcpStream::connect(&console.app.address).expect("it connects");
    let (token, length) = (&console.operator, body.len());
    let host = &console.app.address;
    let head = format!(
        "{head}\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n"
    );
    let (first, rest) = body.split_at(length / 2);
    stream.write_all(head.as_bytes()).expect("it is sent");
    stream.write_all(first).expect("it is sent");
    // The server checks the request by its head when it asks for the body. There is no response to
    // wait for yet.
    std::thread::sleep(std::time::Duration::from_millis(500));
    meanwhile();
    stream.write_all(rest).expect("it is sent");
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).expect("an answer");
    line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
}

/// An upload stores nothing if the caller loses the role while the document or the file of people
/// is being sent.
fn checks_permissions_again_before_storing_an_upload(engine: Engine) {
    let console = Console::start(engine);
    let added = drafts(&console, "POST", "").json(&english()).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let path = format!("{ADMIN}/term-drafts/{id}");
    let head = format!(
        "PUT {path}/documents/en HTTP/1.1\r\nIf-Match: {}\r\nContent-Type: application/pdf",
        revision(&added)
    );
    let take_role = || {
        let roles = format!("{ADMIN}/people/o1/roles");
        let put = console.app.request("PUT", &roles).token(&console.admin);
        put.json(&json!({"roles": ["viewer"]})).gives(200);
    };
    let status = interrupted(&console, &head, &pdf::page("too late"), take_role);
    assert!([401, 403].contains(&status), "{status}");
    let draft = console.app.get(&path).token(&console.admin).gives(200).json();
    assert_eq!(draft["variants"][0]["document"], Value::Null);

    let console = Console::start(engine);
    let head = format!("POST {ADMIN}/people/import HTTP/1.1\r\nContent-Type: text/csv");
    let take_role = || {
        let roles = format!("{ADMIN}/people/o1/roles");
        let put = console.app.request("PUT", &roles).token(&console.admin);
        put.json(&json!({"roles": ["viewer"]})).gives(200);
    };
    let status = interrupted(&console, &head, b"id,name\nlate-1,Late\n", take_role);
    assert!([401, 403].contains(&status), "{status}");
    let late = console.app.get(&format!("{ADMIN}/people/late-1")).token(&console.admin);
    late.refused(404, "not_found");
}

//! An upload takes minutes on a slow connection, so the server checks the caller's permissions
//! again when the upload is complete.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::{ADMIN, Console};
use crate::pdf;
use crate::store::{Engine, TestStore};

on_both!(checks_permissions_again_when_an_upload_is_complete);

/// A request with half of its body sent.
struct HalfSent {
    stream: TcpStream,
    rest: Vec<u8>,
}

impl HalfSent {
    fn begin(console: &Console, method: &str, path: &str, head: &str, body: &[u8]) -> Self {
        let address = &console.app.address;
        let mut stream = TcpStream::connect(address).expect("it accepts");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket option");
        let (token, length) = (&console.operator, body.len());
        let head = format!(
            "{method} {ADMIN}{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\nConnection: close\r\n{head}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it takes the head");
        let (first, rest) = body.split_at(length / 2);
        stream.write_all(first).expect("it takes half of the body");
        Self { stream, rest: rest.to_vec() }
    }

    /// Sends the rest and returns the status and the body of the response.
    fn end(mut self) -> (String, String) {
        self.stream.write_all(&self.rest).expect("it takes the rest");
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).expect("an answer");
        (answer.split(' ').nth(1).unwrap_or_default().to_owned(), answer)
    }
}

fn checks_permissions_again_when_an_upload_is_complete(engine: Engine) {
    let store = TestStore::new(engine);
    store.import("production", &crate::flags::document("hello"));
    let console = Console::serve(store);
    let app = &console.app;
    let draft = json!({"type": "FREELANCER", "mandatory": true, "variants": [{"locale": "en", "title": "Terms"}]});
    let drafts = app.post(&format!("{ADMIN}/term-drafts")).token(&console.operator);
    let added = drafts.json(&draft).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let document = format!("/term-drafts/{id}/documents/en");
    let etag = format!("If-Match: {}\r\nContent-Type: application/pdf", added.header("etag"));
    let upload = || HalfSent::begin(&console, "PUT", &document, &etag, &pdf::page("the terms"));
    let people = || {
        let file = b"id,name\nr7,Jo\nr8,Kim\n";
        HalfSent::begin(&console, "POST", "/people/import", "Content-Type: text/csv", file)
    };
    let flags = || {
        let body = crate::flags::document("welcome").to_string();
        let head = "If-Match: \"1\"\r\nContent-Type: application/json";
        HalfSent::begin(&console, "PUT", "/environments/production/flags", head, body.as_bytes())
    };
    let begun = [upload(), people(), flags()];
    // The server has checked the heads of the uploads before this response.
    std::thread::sleep(Duration::from_millis(300));
    let roles = app.request("PUT", &format!("{ADMIN}/people/o1/roles")).token(&console.admin);
    assert!(roles.json(&json!({"roles": ["viewer"]})).send().status < 300);
    for half in begun {
        let (status, answer) = half.end();
        assert_eq!(status, "401", "{answer}");
    }
    let read = |path: &str| app.get(&format!("{ADMIN}{path}")).token(&console.admin);
    let variant = &read(&format!("/term-drafts/{id}")).gives(200).json()["variants"][0];
    assert_eq!(
        variant.get("document").filter(|document| !document.is_null()),
        None,
        "nothing is stored"
    );
    read("/people/r7").gives(404);
    assert_eq!(read("/environments/production/flags").gives(200).header("etag"), "\"1\"");
}

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use musette_core::webhooks::{Secret, sign};
use serde_json::{Value, json};

use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(
    an_event_arrives_signed_and_again_when_asked,
    who_is_gone_is_told_no_more,
    private_addresses_are_refused,
);

/// A message as it arrived.
struct Message {
    head: String,
    body: String,
}

impl Message {
    fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines();
        let value = lines.find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        });
        value.expect("a header")
    }
}

/// Answers every message with this status.
fn receiver(status: u16) -> (String, Receiver<Message>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let (arrived, messages) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let (mut read, mut part) = (Vec::new(), [0; 4096]);
            let message = loop {
                let text = String::from_utf8_lossy(&read).into_owned();
                if let Some((head, body)) = text.split_once("\r\n\r\n") {
                    let message = Message { head: head.to_owned(), body: body.to_owned() };
                    let length: usize = message.header("content-length").parse().expect("a length");
                    if message.body.len() >= length {
                        break message;
                    }
                }
                let n = stream.read(&mut part).expect("a message");
                assert!(n > 0, "cut off");
                read.extend(&part[..n]);
            };
            let answer =
                format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).expect("it takes the answer");
            if arrived.send(message).is_err() {
                break;
            }
        }
    });
    (url, messages)
}

fn serve(engine: Engine) -> (TestApp, String) {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).done();
    let admin = store.token("a1");
    let args = ["--webhook-allow", "127.0.0.0/8"];
    (TestApp::serve_with(&Arc::new(store), Start { args: &args, ..Start::default() }), admin)
}

const WITHIN: Duration = Duration::from_secs(60);

fn an_event_arrives_signed_and_again_when_asked(engine: Engine) {
    let (app, admin) = serve(engine);
    let (url, messages) = receiver(204);
    let body = json!({"url": url, "types": ["consent.recorded"], "description": "shifts"});
    let added = app.post(&format!("{ADMIN}/webhooks")).token(&admin).json(&body).gives(201).json();
    let id = added["id"].as_str().expect("an id");
    let secret = Secret::parse(added["secret"].as_str().expect("a secret")).expect("one");
    let term = app.term("FREELANCER", &[]);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let message = messages.recv_timeout(WITHIN).expect("a message");
    let seconds = message.header("webhook-timestamp").parse().expect("seconds");
    let signed = sign(&[secret], message.header("webhook-id"), seconds, &message.body);
    assert_eq!(message.header("webhook-signature"), signed);
    let envelope: Value = serde_json::from_str(&message.body).expect("JSON");
    assert_eq!(envelope["type"], "consent.recorded");
    let listed = super::events(&app, &admin, "types=consent.recorded");
    assert_eq!(listed["items"][0], envelope, "the same as in the list");
    assert_eq!(envelope["id"], message.header("webhook-id"));

    let one = format!("{ADMIN}/webhooks/{id}");
    let shown = app.get(&one).token(&admin).gives(200).json();
    assert!(shown.get("secret").is_none() && shown["enabled"] == true, "{shown}");
    app.post(&format!("{one}/rotate-secret")).token(&admin).gives(200);
    let resend = format!("{one}/deliveries/{}/resend", envelope["seq"]);
    app.post(&resend).token(&admin).gives(202);
    let again = messages.recv_timeout(WITHIN).expect("a message");
    assert_eq!(again.header("webhook-id"), message.header("webhook-id"));
    assert_eq!(again.header("webhook-signature").split(' ').count(), 2, "both secrets sign");
    app.post(&format!("{one}/test")).token(&admin).gives(202);
    let test = messages.recv_timeout(WITHIN).expect("a message");
    assert!(test.body.contains("\"webhook.test\""), "{}", test.body);
    let deliveries = app.get(&format!("{one}/deliveries")).token(&admin).gives(200).json();
    assert_eq!(deliveries["items"].as_array().map(Vec::len), Some(2), "{deliveries}");
    app.request("DELETE", &one).token(&admin).gives(204);
    app.get(&one).token(&admin).refused(404, "not_found");
}

fn who_is_gone_is_told_no_more(engine: Engine) {
    let (app, admin) = serve(engine);
    let (url, messages) = receiver(410);
    let body = json!({"url": url, "types": ["consent.recorded"]});
    let added = app.post(&format!("{ADMIN}/webhooks")).token(&admin).json(&body).gives(201).json();
    let term = app.term("FREELANCER", &[]);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    messages.recv_timeout(WITHIN).expect("a message");
    let told = super::events(&app, &admin, "types=webhook.disabled&wait=25");
    assert_eq!(told["items"][0]["data"], json!({"webhook_id": added["id"], "reason": "gone"}));
    let one = format!("{ADMIN}/webhooks/{}", added["id"].as_str().expect("an id"));
    assert_eq!(app.get(&one).token(&admin).gives(200).json()["disabled_because"], "gone");
    app.post(&format!("{one}/test")).token(&admin).refused(409, "conflict");
    // Who changes the description does not enable it.
    let changed = json!({"url": url, "types": ["consent.recorded"], "description": "d"});
    let changed = app.request("PUT", &one).token(&admin).json(&changed).gives(200).json();
    assert_eq!((&changed["enabled"], &changed["description"]), (&json!(false), &json!("d")));
}

fn private_addresses_are_refused(engine: Engine) {
    let (app, admin) = serve(engine);
    let add = |url: &str| {
        let body = json!({"url": url, "types": ["gate.changed"]});
        app.post(&format!("{ADMIN}/webhooks")).token(&admin).json(&body)
    };
    for url in ["https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/x"] {
        add(url).refused(422, "address_not_allowed");
    }
    add("http://8.8.8.8/").refused(422, "address_not_allowed");
    add("ftp://8.8.8.8/").refused(422, "invalid_request");
    add("https://8.8.8.8/").gives(201);
    let body = json!({"url": "https://8.8.8.8/", "types": ["webhook.test"]});
    app.post(&format!("{ADMIN}/webhooks"))
        .token(&admin)
        .json(&body)
        .refused(422, "invalid_request");
}

//! Delivery of codes to a webhook and by e-mail.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use super::{ask_code, redeem};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

/// Accepts this number of connections. `serve` reads each one and returns what the client sent.
fn listen<T: Send + 'static>(
    connections: usize,
    serve: impl Fn(TcpStream, usize) -> T + Send + 'static,
) -> (String, Receiver<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for i in 0..connections {
            let (stream, _) = listener.accept().expect("a connection");
            // The test has no receiver any more if it has failed.
            drop(sender.send(serve(stream, i)));
        }
    });
    (address, receiver)
}

fn receive<T>(receiver: &Receiver<T>) -> T {
    receiver.recv_timeout(Duration::from_secs(10)).expect("something is heard")
}

/// Reads one request. The first is answered with 500, so that the server sends it again.
fn flaky_webhook(mut stream: TcpStream, i: usize) -> (String, Value) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if line.trim_end().is_empty() {
            break;
        }
        let line = line.to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let status = if i == 0 { "500 No" } else { "204 Yes" };
    let answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    stream.write_all(answer.as_bytes()).expect("written");
    (head, serde_json::from_slice(&body).expect("JSON"))
}

#[test]
fn retries_a_webhook_with_the_same_key() {
    let (address, receiver) = listen(2, flaky_webhook);
    let store = TestStore::new(Engine::Sqlite);
    store.command(&["user", "add", "--id", "r1", "--phone", "+15550100"]).expect_success();
    let url = format!("http://sms:secret@{address}/send?x=1");
    let args = ["--code-delivery", &url];
    let app = TestApp::serve_with(&Arc::new(store), Start { args: &args, ..Start::default() });
    ask_code(&app, "+15550100").header("accept-language", "ar").gives(202);
    let (first_head, first) = receive(&receiver);
    let (head, body) = receive(&receiver);
    assert_eq!(first, body);
    let key = |head: &str| {
        head.lines().find(|line| line.starts_with("idempotency-key:")).expect("a key").to_owned()
    };
    assert_eq!(key(&first_head), key(&head));
    assert!(head.starts_with("post /send?x=1 http/1.1"), "{head}");
    // "sms:secret", in lower case like the whole head.
    assert!(head.contains("authorization: basic c21zonnly3jlda=="), "{head}");
    assert_eq!((&body["identifier"], &body["kind"]), (&"+15550100".into(), &"phone".into()));
    assert_eq!(body["languages"], "ar");
    redeem(&app, "+15550100", body["code"].as_str().expect("a code")).gives(200);
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(!log.contains("15550100"), "{log}");
}

/// Answers like a mail server and returns the mail.
fn mail_server(mut stream: TcpStream, _: usize) -> String {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut say = |text: &str| stream.write_all(format!("{text}\r\n").as_bytes()).expect("written");
    say("220 mail.larkspur.example");
    let (mut mail, mut in_data) = (String::new(), false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).expect("a line") == 0 {
            return mail;
        }
        let text = line.trim_end();
        match text {
            "." if in_data => {
                in_data = false;
                say("250 taken");
            }
            _ if in_data => mail.push_str(&line),
            "DATA" => {
                in_data = true;
                say("354 go on");
            }
            "QUIT" => {
                say("221 bye");
                return mail;
            }
            _ if text.starts_with("RCPT") || text.starts_with("MAIL") => {
                mail.push_str(&line);
                say("250 ok");
            }
            _ => say("250 mail.larkspur.example"),
        }
    }
}

#[test]
fn sends_the_code_by_email_in_the_users_language() {
    let (address, receiver) = listen(1, mail_server);
    let store = TestStore::new(Engine::Sqlite);
    store
        .command(&["user", "add", "--id", "r1", "--email", "noor@larkspur.example"])
        .expect_success();
    let url = format!("smtp://{address}");
    let args = ["--code-delivery", &url, "--code-sender", "Larkspur <codes@larkspur.example>"];
    let app = TestApp::serve_with(&Arc::new(store), Start { args: &args, ..Start::default() });
    ask_code(&app, "noor@larkspur.example").header("accept-language", "de-AT, en;q=0.5").gives(202);
    let mail = receive(&receiver);
    for part in ["RCPT TO:<noor@larkspur.example>", "From: Larkspur <codes@larkspur.example>"] {
        assert!(mail.contains(part), "{part}: {mail}");
    }
    let subject = mail.lines().find_map(|line| line.strip_prefix("Subject: ")).expect("a subject");
    let (code, words) = subject.split_at(6);
    assert_eq!(words, " ist dein Anmeldecode");
    redeem(&app, "noor@larkspur.example", code).gives(200);
}

#[test]
fn signs_an_email_with_the_name_of_the_company() {
    let (address, receiver) = listen(1, mail_server);
    let store = TestStore::new(Engine::Sqlite);
    store
        .command(&["user", "add", "--id", "r1", "--email", "noor@larkspur.example"])
        .expect_success();
    let url = format!("smtp://{address}");
    let sender = ["--code-delivery", &url, "--code-sender", "codes@larkspur.example"];
    let args = [&sender[..], &["--company-name", "Larkspur"]].concat();
    let app = TestApp::serve_with(&Arc::new(store), Start { args: &args, ..Start::default() });
    ask_code(&app, "noor@larkspur.example").gives(202);
    let mail = receive(&receiver);
    assert!(mail.contains("From: Larkspur <codes@larkspur.example>"), "{mail}");
    assert!(mail.replace("\r\n", "\n").contains("\n-- \nLarkspur\n"), "{mail}");
}

#[test]
fn refuses_to_start_with_invalid_delivery_settings() {
    let store = TestStore::new(Engine::Sqlite);
    for (args, named) in [
        (&["--code-delivery", "ftp://a"][..], "--code-delivery"),
        (&["--code-delivery", "http://sms.larkspur.example/"], "--code-delivery"),
        (&["--code-delivery", "smtp://localhost"], "--code-sender"),
        (&["--code-delivery", "smtp://localhost", "--code-sender", "x"], "--code-sender"),
    ] {
        let args = [&["serve", "--listen", "127.0.0.1:0"], args].concat();
        store.command(&args).failed(2, named);
    }
}

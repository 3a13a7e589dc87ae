//! Builds requests and reads responses, so that a test contains only its subject.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::request::Answer;

pub const V3: &str = "/api/rooster/v3";
pub const SUBMIT: &str = "/api/rooster/v3/terms/consents";
pub const CLAIM: &str = "/api/rooster/v3/terms/consents/claims";
pub const LOOK_UP: &str = "/api/rooster/v3/terms/consents/receipts";
/// The time at which the user pressed the button, according to the device of these tests.
pub const PRESSED: &str = "2026-01-02T03:04:05.678Z";

pub fn entry(term: i64, accepted: bool) -> Value {
    json!({"terms_and_conditions_id": term, "accepted": accepted, "consented_at": PRESSED})
}

pub fn accept(terms: &[i64]) -> Vec<Value> {
    terms.iter().map(|&term| entry(term, true)).collect()
}

pub fn applicant(consents: &[Value]) -> Value {
    json!({"user_id": "", "user_type": "APPLICANT", "consents": consents})
}

pub fn rider(id: &str, consents: &[Value]) -> Value {
    json!({"user_id": id, "user_type": "RIDER", "consents": consents})
}

#[track_caller]
pub fn receipt(answer: &Answer) -> String {
    let id = answer.json()["receipt"]["id"].as_str().expect("a receipt").to_owned();
    assert!(id.len() >= 22, "128 bits do not fit into {id}");
    id
}

/// Returns `(term, accepted)` of a consent list.
#[track_caller]
pub fn decisions(list: &Value) -> Vec<(i64, bool)> {
    let consents = list["consents"].as_array().expect("a list");
    consents
        .iter()
        .map(|consent| {
            let term = consent["terms_and_conditions_id"].as_i64().expect("an id");
            (term, consent["accepted"].as_bool().expect("true or false"))
        })
        .collect()
}

/// Returns the ids of a list of terms.
#[track_caller]
pub fn ids(terms: &Value) -> Vec<i64> {
    let terms = terms.as_array().expect("a list of terms");
    terms.iter().map(|term| term["id"].as_i64().expect("an id")).collect()
}

/// Returns the response to a request with only the required headers.
pub fn bare(app: &TestApp, path: &str) -> String {
    let mut stream = TcpStream::connect(&app.address).expect("it accepts");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
    let host = &app.address;
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("it takes the head");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Returns the entries of a log with up to 256 entries, the oldest first.
pub fn log_entries(app: &TestApp) -> Vec<Value> {
    let checkpoint = app.get("/log/checkpoint").gives(200);
    let checkpoint = String::from_utf8_lossy(&checkpoint.body).into_owned();
    let size = checkpoint.lines().nth(1).expect("a size");
    let bundle = app.get(&format!("/log/tile/entries/000.p/{size}")).gives(200);
    // Each entry follows its length, as defined by C2SP tlog-tiles.
    let (mut rest, mut all) = (&bundle.body[..], Vec::new());
    while let [high, low, entries @ ..] = rest {
        let (entry, next) = entries.split_at(usize::from(u16::from_be_bytes([*high, *low])));
        all.push(serde_json::from_slice(entry).expect("JSON"));
        rest = next;
    }
    all
}

//! Receipts, the log in public, and what the commands say of them.

mod log;
mod lookup;
mod marks;
mod receipts;
mod reference;
mod upgrade;

use musette_core::log::key::VerifierKey;
use musette_core::log::receipt::Receipt;
use serde_json::Value;

use crate::app::TestApp;
use crate::request::Answer;
use crate::store::TestStore;

/// The receipt in the answer of a submission.
#[track_caller]
pub fn receipt_of(answer: &Answer) -> Receipt {
    serde_json::from_value(answer.json()["receipt"].clone()).expect("a receipt")
}

#[track_caller]
pub fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).expect("UTF-8")
}

pub fn known(app: &TestApp) -> [VerifierKey; 1] {
    let line = text(&app.get("/log/key").gives(200));
    [VerifierKey::parse(line.trim_end()).expect("a vkey")]
}

/// Every receipt that was handed out verifies, and so does the log behind them.
#[track_caller]
pub fn all_verify(store: &TestStore, app: &TestApp, receipts: &[Receipt]) {
    let known = known(app);
    for receipt in receipts {
        receipt.verify(&known, None).expect("it verifies");
    }
    let said = store.command(&["log", "verify"]).done();
    assert!(said.starts_with("verified: "), "{said}");
}

pub fn saved(app: &TestApp, name: &str, receipt: &Value) -> String {
    app.file(name, receipt.to_string().as_bytes())
}

//! Receipts, the public log, and the commands that verify them.

mod log;
mod lookup;
mod ml_dsa;
mod other_implementations;
mod personal_data;
mod policy;
mod receipts;
mod timestamps;
pub mod tsa;
mod upgrade;

use musette_core::log::key::VerifierKey;
use musette_core::log::receipt::Receipt;
use serde_json::Value;

use crate::app::TestApp;
use crate::request::Answer;
use crate::store::TestStore;

/// Returns the receipt in the response to a submission.
#[track_caller]
pub fn receipt_of(answer: &Answer) -> Receipt {
    serde_json::from_value(answer.json()["receipt"].clone()).expect("a receipt")
}

#[track_caller]
pub fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).expect("UTF-8")
}

pub fn verifier_keys(app: &TestApp) -> [VerifierKey; 1] {
    let line = text(&app.get("/log/key").gives(200));
    [VerifierKey::parse(line.trim_end()).expect("a vkey")]
}

/// Checks that all these receipts verify, and that the log verifies.
#[track_caller]
pub fn all_verify(store: &TestStore, app: &TestApp, receipts: &[Receipt]) {
    let keys = verifier_keys(app);
    for receipt in receipts {
        receipt.verify(&keys, None).expect("it verifies");
    }
    let output = store.command(&["log", "verify"]).expect_success();
    assert!(output.starts_with("verified: "), "{output}");
}

pub fn saved(app: &TestApp, name: &str, receipt: &Value) -> String {
    app.file(name, receipt.to_string().as_bytes())
}

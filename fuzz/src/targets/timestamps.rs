//! Replies of time-stamping authorities. The seeds are replies of `openssl ts`.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use musette_core::instant::Instant;
use musette_core::log::timestamp::{Authorities, TimeStamp};
use serde_json::Value;

use super::kind;

static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../testdata/timestamp-vectors.json"))
        .unwrap_or_default()
});

/// The times of the valid replies.
static TIMES: LazyLock<Vec<Instant>> = LazyLock::new(|| {
    let stamps = replies().into_iter().map(|reply| TimeStamp::open(&reply, note()));
    stamps.filter_map(Result::ok).map(|stamp| stamp.at).collect()
});

static AUTHORITIES: LazyLock<Option<Authorities>> = LazyLock::new(|| {
    let root = VECTORS["replies"][0]["root"].as_str().unwrap_or_default();
    Authorities::parse(root.as_bytes()).ok()
});

fn note() -> &'static str {
    VECTORS["note"].as_str().unwrap_or_default()
}

pub fn replies() -> Vec<Vec<u8>> {
    let cases = VECTORS["replies"].as_array().map(Vec::as_slice).unwrap_or_default();
    cases.iter().filter_map(|case| STANDARD.decode(case["reply"].as_str()?).ok()).collect()
}

pub fn reply(input: &[u8]) -> String {
    let opened = TimeStamp::open(input, note());
    let trusted = opened.as_ref().ok().zip(AUTHORITIES.as_ref()).map(|(stamp, authorities)| {
        assert!(TIMES.contains(&stamp.at), "accepted a time that no authority signed");
        kind(&stamp.verify_trust(authorities))
    });
    format!("{} {trusted:?}", kind(&opened))
}

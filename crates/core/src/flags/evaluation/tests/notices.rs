//! Flags that wait for a notice.

use std::collections::BTreeSet;

use super::{ApiVersion, ExplanationKind, NOW, at, document, snapshot};
use crate::flags::Snapshot;

const PARTS: &str = r#""flags":[
    {"key":"pay","type":"boolean","variations":[{"key":"off","value":false},{"key":"on","value":true}],
     "offVariation":"off","defaultVariation":"on","requires_notice":{"term_id":7},
     "overrides":[{"id":"u1","variation":"on"}],
     "rules":[{"id":"r1","serve":{"experiment":{"key":"x","weights":{"off":0,"on":100000}}}}]},
    {"key":"after","type":"boolean","variations":[{"key":"off","value":false},{"key":"on","value":true}],
     "offVariation":"off","defaultVariation":"on","prerequisites":[{"flag":"pay","in":["on","off"]}]},
    {"key":"off","type":"boolean","on":false,"variations":[{"key":"off","value":false}],
     "offVariation":"off","defaultVariation":"off","requires_notice":{"term_id":7}}]"#;

/// Returns the result of a flag for `u1` in the newest version of the API.
fn result(snapshot: &Snapshot, flag: &str) -> String {
    let context = snapshot.context(r#"{"key":"u1"}"#).expect("a context");
    let id = snapshot.flag(flag).expect("a flag");
    let evaluation = snapshot.evaluate(id, &context, &at(NOW));
    let mut prepared = Vec::new();
    evaluation.write(ApiVersion::V3, &mut prepared);
    let text = String::from_utf8(prepared).expect("UTF-8");
    let source =
        format!(r#""kind":"{}","from":"{}""#, evaluation.kind().as_str(), evaluation.from());
    assert!(text.contains(&source), "the prepared result differs: {text}, {source}");
    text
}

#[test]
fn a_flag_serves_its_off_variation_while_it_waits() {
    let waiting = snapshot(PARTS);
    let text = result(&waiting, "pay");
    assert!(text.starts_with(r#"{"variation":false"#), "{text}");
    assert!(text.contains(r#""kind":"OFF","from":"notice:7""#), "{text}");
    assert!(!text.contains("experiment"), "{text}");
    let after = result(&waiting, "after");
    assert!(after.contains(ExplanationKind::PrerequisiteFailed.as_str()), "{after}");
    // The switch is the reason that a person can change at once.
    assert!(result(&waiting, "off").contains(r#""from":"flag""#));
}

#[test]
fn a_released_flag_is_evaluated() {
    let document = document(PARTS).expect("a document");
    let keys: BTreeSet<String> = ["pay".to_owned()].into();
    let released = Snapshot::compile_released(&document, &keys).expect("a snapshot");
    let text = result(&released, "pay");
    assert!(text.starts_with(r#"{"variation":true"#), "{text}");
    assert!(text.contains(r#""kind":"OVERRIDE""#), "{text}");
    assert!(result(&released, "after").starts_with(r#"{"variation":true"#));
}

#[test]
fn waiting_and_released_flags_have_different_fingerprints() {
    let document = document(PARTS).expect("a document");
    let keys: BTreeSet<String> = ["pay".to_owned()].into();
    let fingerprint = |released: &BTreeSet<String>| {
        let snapshot = Snapshot::compile_released(&document, released).expect("a snapshot");
        let context = snapshot.context(r#"{"key":"u2"}"#).expect("a context");
        snapshot.fingerprint(snapshot.flags(), &context, &at(NOW))
    };
    assert_ne!(fingerprint(&BTreeSet::new()), fingerprint(&keys));
}

#[test]
fn a_requirement_has_defaults_and_bounds() {
    let parse = |notice: &str| document(&PARTS.replacen(r#"{"term_id":7}"#, notice, 1));
    let notice = parse(r#"{"term_id":7}"#).expect("valid").flags[0].requires_notice;
    let notice = notice.expect("a notice");
    assert_eq!((notice.term_id, notice.days, notice.share_served.get()), (7, 15, 0.9));
    for (notice, member, code) in [
        (r#"{}"#, "/term_id", "required"),
        (r#"{"term_id":0}"#, "/term_id", "out_of_range"),
        (r#"{"term_id":-1}"#, "/term_id", "out_of_range"),
        (r#"{"term_id":9007199254740993}"#, "/term_id", "number_too_large"),
        (r#"{"term_id":"7"}"#, "/term_id", "wrong_type"),
        (r#"{"term_id":7,"days":3651}"#, "/days", "out_of_range"),
        (r#"{"term_id":7,"days":1.5}"#, "/days", "wrong_type"),
        (r#"{"term_id":7,"share_served":1.001}"#, "/share_served", "out_of_range"),
        (r#"{"term_id":7,"share_served":-0.1}"#, "/share_served", "out_of_range"),
        (r#"{"term_id":7,"share_served":"all"}"#, "/share_served", "wrong_type"),
        ("[7]", "", "wrong_type"),
    ] {
        let errors = parse(notice).expect_err(notice);
        let place = format!("/flags/0/requires_notice{member}");
        assert!(
            errors.iter().any(|e| e.pointer == place && e.code == code),
            "{notice}: {errors:?}"
        );
    }
}

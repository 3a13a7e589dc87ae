use std::collections::HashMap;

use crate::flags::{
    Assigned, Document, EvaluationInputs, NoStickyAssignments, Snapshot, StickyLookup,
};
use crate::instant::Instant;

const DOCUMENT: &str = r#"{"schema":"musette.flags/1","environment":"test","version":7,
  "attributes":[{"name":"country","type":"string"},{"name":"hours","type":"number"},{"name":"unused","type":"string"}],
  "holdouts":[{"key":"h","unit":"userId","percent":1,"applies":{"mode":"selected","flags":["held"]},
    "schedule":{"stopAt":"2027-01-01T00:00:00Z"}}],
  "flags":[
   {"key":"a","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on",
    "rules":[{"id":"r","when":{"attr":"country","op":"eq","value":"UY"},"serve":{"variation":"on"}}]},
   {"key":"b","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on",
    "prerequisites":[{"flag":"a","in":["on"]}],
    "rules":[{"id":"r","when":{"attr":"hours","op":"gt","value":3},"serve":{"variation":"on"}}]},
   {"key":"held","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on"},
   {"key":"sticky","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on",
    "rules":[{"id":"r","serve":{"experiment":{"key":"e","unit":"userId","fallbackUnit":"anonymousId",
      "weights":{"on":100000},"sticky":true}}}]},
   {"key":"behind","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on",
    "prerequisites":[{"flag":"sticky","in":["on"]}]},
   {"key":"plain","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on"}]}"#;

fn snapshot(text: &str) -> Snapshot {
    Snapshot::compile(&Document::parse(text).expect("valid")).expect("valid")
}

fn at(text: &str) -> Instant {
    Instant::parse(text).expect(text)
}

fn fingerprint_of(
    snapshot: &Snapshot,
    flags: &[&str],
    attributes: &str,
    sticky: &dyn StickyLookup,
) -> u128 {
    let flags = flags.iter().map(|flag| snapshot.flag(flag).expect("a flag"));
    let context = snapshot.context(attributes).expect("attributes");
    let moment = EvaluationInputs { now: at("2026-11-21T09:30:00Z"), sticky };
    snapshot.fingerprint(flags, &context, &moment)
}

struct One(&'static str, Assigned);

impl StickyLookup for One {
    fn assigned(&self, _: &str, unit_kind: &str, _: &str) -> Option<Assigned> {
        (unit_kind == self.0).then(|| self.1.clone())
    }
}

fn one(unit_kind: &'static str, variation: &str, bucket_version: u32) -> One {
    One(unit_kind, Assigned { variation: variation.to_owned(), bucket_version })
}

#[test]
fn depends_on_the_relevant_attributes_and_no_others() {
    let snapshot = snapshot(DOCUMENT);
    let full = r#"{"userId":"u","country":"UY","hours":4,"unused":"x","free":1}"#;
    for (flags, attributes, differs) in [
        (&["a"][..], r#"{"userId":"u","country":"AR","hours":4,"unused":"x","free":1}"#, true),
        (&["a"], r#"{"userId":"v","country":"UY","hours":5,"unused":"y"}"#, false),
        (&["a"], r#"{"country":"UY"}"#, false),
        (&["a"], "{}", true),
        // The prerequisite reads this attribute.
        (&["b"], r#"{"country":"AR","hours":4}"#, true),
        (&["b"], r#"{"country":"UY","hours":5}"#, true),
        (&["b"], r#"{"country":"UY","hours":4}"#, false),
        // The holdout and the experiment use this attribute.
        (&["held"], r#"{"userId":"v"}"#, true),
        (&["held"], r#"{"userId":"u"}"#, false),
        (&["sticky"], r#"{"userId":"u","anonymousId":"x"}"#, true),
        (&["plain"], "{}", false),
        (&["plain", "a"], r#"{"country":"AR"}"#, true),
    ] {
        let (one, other) = (
            fingerprint_of(&snapshot, flags, full, &NoStickyAssignments),
            fingerprint_of(&snapshot, flags, attributes, &NoStickyAssignments),
        );
        assert_eq!(one != other, differs, "{flags:?} {attributes}");
    }
}

#[test]
fn depends_on_the_requested_flags_and_their_order() {
    let snapshot = snapshot(DOCUMENT);
    let lists: [&[&str]; 6] =
        [&[], &["plain"], &["a"], &["a", "plain"], &["plain", "a"], &["a", "a"]];
    let all: HashMap<u128, &[&str]> = lists
        .into_iter()
        .map(|list| (fingerprint_of(&snapshot, list, "{}", &NoStickyAssignments), list))
        .collect();
    assert_eq!(all.len(), lists.len());
}

#[test]
fn depends_on_the_configuration() {
    let one = snapshot(DOCUMENT);
    let same = snapshot(DOCUMENT);
    assert_eq!(
        fingerprint_of(&one, &["plain"], "{}", &NoStickyAssignments),
        fingerprint_of(&same, &["plain"], "{}", &NoStickyAssignments)
    );
    for (part, other) in [
        (r#""version":7"#, r#""version":8"#),
        (r#""environment":"test""#, r#""environment":"live""#),
        // A store that was restored from a backup can have the same version with other content.
        (r#""percent":1"#, r#""percent":2"#),
    ] {
        let changed = snapshot(&DOCUMENT.replace(part, other));
        let changed = fingerprint_of(&changed, &["plain"], "{}", &NoStickyAssignments);
        assert_ne!(
            fingerprint_of(&one, &["plain"], "{}", &NoStickyAssignments),
            changed,
            "{other}"
        );
    }
}

#[test]
fn depends_on_the_scheduled_steps_that_apply() {
    let snapshot = snapshot(DOCUMENT);
    let context = snapshot.context("{}").expect("attributes");
    let fingerprint_at = |now: &str| {
        let moment = EvaluationInputs { now: at(now), sticky: &NoStickyAssignments };
        snapshot.fingerprint(snapshot.flag("held"), &context, &moment)
    };
    assert_eq!(fingerprint_at("2026-01-01T00:00:00Z"), fingerprint_at("2026-12-31T23:59:59.999Z"));
    assert_ne!(fingerprint_at("2026-12-31T23:59:59.999Z"), fingerprint_at("2027-01-01T00:00:00Z"));
    assert_eq!(fingerprint_at("2027-01-01T00:00:00Z"), fingerprint_at("2040-01-01T00:00:00Z"));
}

#[test]
fn depends_on_the_assignments_that_are_read() {
    let snapshot = snapshot(DOCUMENT);
    let person = r#"{"userId":"u","anonymousId":"x"}"#;
    let fingerprints = [
        fingerprint_of(&snapshot, &["sticky"], person, &NoStickyAssignments),
        fingerprint_of(&snapshot, &["sticky"], person, &one("userId", "on", 1)),
        fingerprint_of(&snapshot, &["sticky"], person, &one("userId", "off", 1)),
        fingerprint_of(&snapshot, &["sticky"], person, &one("userId", "on", 2)),
        fingerprint_of(&snapshot, &["sticky"], person, &one("anonymousId", "on", 1)),
    ];
    let different: std::collections::HashSet<u128> = fingerprints.into_iter().collect();
    assert_eq!(different.len(), fingerprints.len());
    // The assignment of a prerequisite counts too.
    let with_prerequisite = |sticky| fingerprint_of(&snapshot, &["behind"], person, sticky);
    assert_ne!(
        with_prerequisite(&NoStickyAssignments),
        with_prerequisite(&one("userId", "off", 1))
    );
    // Assignments that no requested flag reads do not count.
    let plain = fingerprint_of(&snapshot, &["plain", "a"], person, &NoStickyAssignments);
    assert_eq!(plain, fingerprint_of(&snapshot, &["plain", "a"], person, &one("userId", "on", 1)));
}

use std::collections::HashMap;

use crate::flags::{Assigned, Document, Moment, NoStickyAssignments, Snapshot, StickyLookup};
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

fn of(snapshot: &Snapshot, flags: &[&str], attributes: &str, sticky: &dyn StickyLookup) -> u128 {
    let flags = flags.iter().map(|flag| snapshot.flag(flag).expect("a flag"));
    let context = snapshot.context(attributes).expect("attributes");
    let moment = Moment { now: at("2026-11-21T09:30:00Z"), sticky };
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
fn it_covers_the_relevant_attributes_and_no_other() {
    let snapshot = snapshot(DOCUMENT);
    let full = r#"{"userId":"u","country":"UY","hours":4,"unused":"x","free":1}"#;
    for (flags, attributes, differs) in [
        (&["a"][..], r#"{"userId":"u","country":"AR","hours":4,"unused":"x","free":1}"#, true),
        (&["a"], r#"{"userId":"v","country":"UY","hours":5,"unused":"y"}"#, false),
        (&["a"], r#"{"country":"UY"}"#, false),
        (&["a"], "{}", true),
        // By the prerequisite.
        (&["b"], r#"{"country":"AR","hours":4}"#, true),
        (&["b"], r#"{"country":"UY","hours":5}"#, true),
        (&["b"], r#"{"country":"UY","hours":4}"#, false),
        // By the holdout and by the test.
        (&["held"], r#"{"userId":"v"}"#, true),
        (&["held"], r#"{"userId":"u"}"#, false),
        (&["sticky"], r#"{"userId":"u","anonymousId":"x"}"#, true),
        (&["plain"], "{}", false),
        (&["plain", "a"], r#"{"country":"AR"}"#, true),
    ] {
        let (one, other) = (
            of(&snapshot, flags, full, &NoStickyAssignments),
            of(&snapshot, flags, attributes, &NoStickyAssignments),
        );
        assert_eq!(one != other, differs, "{flags:?} {attributes}");
    }
}

#[test]
fn it_covers_the_flags_that_are_asked() {
    let snapshot = snapshot(DOCUMENT);
    let lists: [&[&str]; 6] =
        [&[], &["plain"], &["a"], &["a", "plain"], &["plain", "a"], &["a", "a"]];
    let all: HashMap<u128, &[&str]> = lists
        .into_iter()
        .map(|list| (of(&snapshot, list, "{}", &NoStickyAssignments), list))
        .collect();
    assert_eq!(all.len(), lists.len());
}

#[test]
fn it_covers_the_configuration() {
    let one = snapshot(DOCUMENT);
    let again = snapshot(DOCUMENT);
    assert_eq!(
        of(&one, &["plain"], "{}", &NoStickyAssignments),
        of(&again, &["plain"], "{}", &NoStickyAssignments)
    );
    for (part, other) in [
        (r#""version":7"#, r#""version":8"#),
        (r#""environment":"test""#, r#""environment":"live""#),
        // A store that was set back has the number again, with something else.
        (r#""percent":1"#, r#""percent":2"#),
    ] {
        let changed = snapshot(&DOCUMENT.replace(part, other));
        let changed = of(&changed, &["plain"], "{}", &NoStickyAssignments);
        assert_ne!(of(&one, &["plain"], "{}", &NoStickyAssignments), changed, "{other}");
    }
}

#[test]
fn it_covers_the_steps_in_force() {
    let snapshot = snapshot(DOCUMENT);
    let context = snapshot.context("{}").expect("attributes");
    let of = |now: &str| {
        let moment = Moment { now: at(now), sticky: &NoStickyAssignments };
        snapshot.fingerprint(snapshot.flag("held"), &context, &moment)
    };
    assert_eq!(of("2026-01-01T00:00:00Z"), of("2026-12-31T23:59:59.999Z"));
    assert_ne!(of("2026-12-31T23:59:59.999Z"), of("2027-01-01T00:00:00Z"));
    assert_eq!(of("2027-01-01T00:00:00Z"), of("2040-01-01T00:00:00Z"));
}

#[test]
fn it_covers_the_assignments_that_are_read() {
    let snapshot = snapshot(DOCUMENT);
    let person = r#"{"userId":"u","anonymousId":"x"}"#;
    let answers = [
        of(&snapshot, &["sticky"], person, &NoStickyAssignments),
        of(&snapshot, &["sticky"], person, &one("userId", "on", 1)),
        of(&snapshot, &["sticky"], person, &one("userId", "off", 1)),
        of(&snapshot, &["sticky"], person, &one("userId", "on", 2)),
        of(&snapshot, &["sticky"], person, &one("anonymousId", "on", 1)),
    ];
    let different: std::collections::HashSet<u128> = answers.into_iter().collect();
    assert_eq!(different.len(), answers.len());
    // A prerequisite's, too.
    let behind = |sticky| of(&snapshot, &["behind"], person, sticky);
    assert_ne!(behind(&NoStickyAssignments), behind(&one("userId", "off", 1)));
    // Attributes that no rule reads do not count.
    let plain = of(&snapshot, &["plain", "a"], person, &NoStickyAssignments);
    assert_eq!(plain, of(&snapshot, &["plain", "a"], person, &one("userId", "on", 1)));
}

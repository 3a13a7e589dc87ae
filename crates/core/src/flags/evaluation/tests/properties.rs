//! Properties of every document and every person. The cases are built from a list of choices, so
//! that a failing one shrinks.

mod random;

use proptest::prelude::*;
use random::{ATTRIBUTES, Choices};
use serde_json::{Map, Value};

use super::{ApiVersion, NOW};
use crate::flags::json;
use crate::flags::{Assigned, Context, Document, FlagId, Moment, Snapshot, StickyLookup};

/// Remembers something of about every second unit.
struct EveryOther;

impl StickyLookup for EveryOther {
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned> {
        let sum: usize = [experiment, unit_kind, unit].iter().map(|it| it.len()).sum();
        let variation = ["a", "b", "gone"][sum % 3].to_owned();
        sum.is_multiple_of(2).then_some(Assigned { variation, bucket_version: (sum % 4) as u32 })
    }
}

const MOMENT: Moment<'static> = Moment { now: NOW, sticky: &EveryOther };

fn answer(snapshot: &Snapshot, flag: FlagId, person: &Map<String, Value>) -> Vec<u8> {
    let attributes = serde_json::to_string(person).expect("JSON");
    let context = snapshot.context(&attributes).expect("attributes");
    let answer = snapshot.evaluate(flag, &context, &MOMENT);
    let mut out = Vec::new();
    for version in [ApiVersion::V1, ApiVersion::V2, ApiVersion::V3] {
        let start = out.len();
        answer.write(version, &mut out);
        let _: Value = serde_json::from_slice(&out[start..]).expect("JSON");
    }
    let start = out.len();
    answer.write_ofrep(&mut out);
    let _: Value = serde_json::from_slice(&out[start..]).expect("JSON");
    let (explained, trace) = snapshot.explain(flag, &context, &MOMENT);
    assert_eq!((explained.kind(), explained.from()), (answer.kind(), answer.from()));
    // The pre-rendered answer equals the assembled one.
    let [mut ready, mut put_together, mut member] = [const { Vec::new() }; 3];
    answer.write(ApiVersion::V3, &mut ready);
    explained.write_v3(&mut put_together);
    answer.write_member(ApiVersion::V3, &mut member);
    assert_eq!(String::from_utf8_lossy(&ready), String::from_utf8_lossy(&put_together));
    let member: Value = serde_json::from_slice(&[b"{", &*member, b"}"].concat()).expect("JSON");
    let alone: Value = serde_json::from_slice(&ready).expect("JSON");
    assert_eq!(member, serde_json::json!({snapshot.key(flag): alone}));
    let mut debug = Vec::new();
    explained.write_debug(ApiVersion::V3, &context, &trace, &mut debug);
    let _: Value = serde_json::from_slice(&debug).expect("JSON");
    // Assignments to remember are part of the outcome.
    out.extend(format!("{:?}", answer.assign()).bytes());
    out
}

fn fingerprint(snapshot: &Snapshot, flag: FlagId, person: &Map<String, Value>) -> u128 {
    let attributes = serde_json::to_string(person).expect("JSON");
    let context = snapshot.context(&attributes).expect("attributes");
    snapshot.fingerprint([flag], &context, &MOMENT)
}

/// The results of all flags, of each as often as asked, from one context.
fn together(snapshot: &Snapshot, context: &Context<'_>, times: usize) -> Vec<String> {
    let flags = || snapshot.flags();
    let answers = (0..times).flat_map(|_| flags()).map(|flag| {
        let mut out = Vec::new();
        snapshot.evaluate(flag, context, &MOMENT).write(ApiVersion::V3, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    });
    answers.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_remembered_of_a_person_changes_no_answer(
        choices in prop::collection::vec(any::<u16>(), 0..600)
    ) {
        let mut choices = Choices::new(&choices);
        let mut document = choices.document();
        // Each flag twice, so that there is something to remember.
        let mut again = document.flags.clone();
        again.iter_mut().for_each(|flag| flag.key.push_str("-again"));
        document.flags.extend(again);
        let Ok(snapshot) = Snapshot::compile(&document) else { return Ok(()) };
        for _ in 0..4 {
            let attributes = serde_json::to_string(&choices.person()).expect("JSON");
            let context = snapshot.context(&attributes).expect("attributes");
            let explained = snapshot.flags().map(|flag| {
                let mut out = Vec::new();
                snapshot.explain(flag, &context, &MOMENT).0.write(ApiVersion::V3, &mut out);
                String::from_utf8_lossy(&out).into_owned()
            });
            let explained: Vec<String> = explained.collect();
            let twice = [explained.clone(), explained].concat();
            prop_assert_eq!(together(&snapshot, &context, 2), twice);
        }
    }

    #[test]
    fn the_relevant_context_is_complete_and_the_fingerprint_covers_it(
        choices in prop::collection::vec(any::<u16>(), 0..600)
    ) {
        let mut choices = Choices::new(&choices);
        let document = choices.document();
        let snapshot = match Snapshot::compile(&document) {
            Ok(snapshot) => snapshot,
            Err(faults) => panic!("the document is built to be valid: {faults:?}"),
        };
        let read = Document::parse(&document.to_json()).expect("what is written can be read");
        prop_assert_eq!(&read, &document);
        for _ in 0..4 {
            let (person, other) = (choices.person(), choices.person());
            for flag in snapshot.flags() {
                let relevant: Vec<&str> = snapshot.relevant(flag).collect();
                prop_assert!(relevant.is_sorted());
                // Somebody who shares only what is said to be relevant.
                let mut alike = other.clone();
                for name in ATTRIBUTES {
                    if relevant.contains(&name) {
                        alike.remove(name);
                        alike.extend(person.get(name).map(|it| (name.to_owned(), it.clone())));
                    }
                }
                let mine = answer(&snapshot, flag, &person);
                prop_assert_eq!(&mine, &answer(&snapshot, flag, &alike));
                let fingerprint_of = |person| fingerprint(&snapshot, flag, person);
                prop_assert_eq!(fingerprint_of(&person), fingerprint_of(&alike));
                if mine != answer(&snapshot, flag, &other) {
                    prop_assert_ne!(fingerprint_of(&person), fingerprint_of(&other));
                }
            }
        }
    }

    #[test]
    fn a_spoilt_document_is_refused_or_compiles(
        spoils in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)
    ) {
        const WHOLE: &str = include_str!("../../check/tests/whole.json");
        const PIECES: [&str; 12] =
            ["{", "}", "[", "]", "\"", ",", ":", "0", "-1", "null", "true", "\"on\""];
        let mut bytes = WHOLE.as_bytes().to_vec();
        for (place, with) in spoils {
            let place = place.index(bytes.len());
            let piece = PIECES[usize::from(with) % PIECES.len()];
            match with / 86 {
                0 => drop(bytes.splice(place..place, piece.bytes())),
                1 => drop(bytes.remove(place)),
                _ => drop(bytes.splice(place..=place, piece.bytes())),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match Document::parse(&text) {
            Ok(document) => {
                let snapshot = Snapshot::compile(&document).expect("what was parsed compiles");
                for flag in snapshot.flags() {
                    answer(&snapshot, flag, &Map::new());
                }
            }
            Err(faults) => prop_assert!(!faults.is_empty()),
        }
    }

    #[test]
    fn attributes_are_taken_exactly_where_another_reader_takes_them(
        text in r#"(\{("(country|hours|zones|free|é|\\u00e9|\\n)": ?("(\\.|[a-zé😀])*"|-?[0-9]{1,3}(\.[0-9])?(e[+-]?[0-9]{1,4})?|true|null|\[("x"|1|\{"a":1\})?\]|\{"b":(1|"")\}),? ?){0,3}\}?|[\[{}":,a1 ]{0,12})"#
    ) {
        let document = Choices::new(&[]).document();
        let snapshot = Snapshot::compile(&document).expect("valid");
        let ours = snapshot.context(&text).is_ok();
        let other = json::parse(&text).is_ok_and(|(value, faults)| {
            matches!(value, json::Json::Object(_))
                && faults.iter().all(|fault| fault.code != "duplicate_name")
        });
        prop_assert_eq!(ours, other);
    }

    #[test]
    fn no_text_makes_the_readers_fall_over(text in any::<String>()) {
        let document = Choices::new(&[]).document();
        let snapshot = Snapshot::compile(&document).expect("valid");
        let _ = snapshot.context(&text);
        let _ = Document::parse(&text);
    }
}

#[test]
fn a_thousand_threads_get_the_same() {
    let choices: Vec<u16> = (0..2_000_u32).map(|it| ((it * 40_503) >> 3) as u16).collect();
    let mut choices = Choices::new(&choices);
    let document = choices.document();
    let snapshot = Snapshot::compile(&document).expect("valid");
    let people: Vec<_> = (0..10).map(|_| choices.person()).collect();
    let all = || -> Vec<Vec<u8>> {
        let flags = || snapshot.flags();
        people.iter().flat_map(|it| flags().map(|flag| answer(&snapshot, flag, it))).collect()
    };
    let alone = all();
    assert!(alone.len() > 10);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..1_000).map(|_| scope.spawn(all)).collect();
        for thread in threads {
            assert!(thread.join().expect("no panic") == alone);
        }
    });
}

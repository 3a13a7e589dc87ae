//! Properties that hold for every document and person. Cases are built from a list of choices, so
//! that a failing case can be minimised.

mod random;

use proptest::prelude::*;
use random::{ATTRIBUTES, Choices};
use serde_json::{Map, Value};

use super::{ApiVersion, NOW};
use crate::flags::json;
use crate::flags::{Assigned, Context, Document, EvaluationInputs, FlagId, Snapshot, StickyLookup};

/// A lookup with assignments for about every second unit.
struct EveryOther;

impl StickyLookup for EveryOther {
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned> {
        let sum: usize = [experiment, unit_kind, unit].iter().map(|text| text.len()).sum();
        let variation = ["a", "b", "gone"][sum % 3].to_owned();
        sum.is_multiple_of(2).then_some(Assigned { variation, bucket_version: (sum % 4) as u32 })
    }
}

const MOMENT: EvaluationInputs<'static> = EvaluationInputs { now: NOW, sticky: &EveryOther };

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
    // The prepared result equals the assembled one.
    let [mut ready, mut assembled, mut member] = [const { Vec::new() }; 3];
    answer.write(ApiVersion::V3, &mut ready);
    explained.write_v3(&mut assembled);
    answer.write_member(ApiVersion::V3, &mut member);
    assert_eq!(String::from_utf8_lossy(&ready), String::from_utf8_lossy(&assembled));
    let member: Value = serde_json::from_slice(&[b"{", &*member, b"}"].concat()).expect("JSON");
    let alone: Value = serde_json::from_slice(&ready).expect("JSON");
    assert_eq!(member, serde_json::json!({snapshot.key(flag): alone}));
    let mut debug = Vec::new();
    explained.write_debug(ApiVersion::V3, &context, &trace, &mut debug);
    let _: Value = serde_json::from_slice(&debug).expect("JSON");
    // Assignments to store are part of the result.
    out.extend(format!("{:?}", answer.assign()).bytes());
    out
}

fn fingerprint(snapshot: &Snapshot, flag: FlagId, person: &Map<String, Value>) -> u128 {
    let attributes = serde_json::to_string(person).expect("JSON");
    let context = snapshot.context(&attributes).expect("attributes");
    snapshot.fingerprint([flag], &context, &MOMENT)
}

/// Returns the results of all flags, each evaluated `times` times, from one context.
fn evaluate_repeatedly(snapshot: &Snapshot, context: &Context<'_>, times: usize) -> Vec<String> {
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
    fn memoised_conditions_do_not_change_results(
        choices in prop::collection::vec(any::<u16>(), 0..600)
    ) {
        let mut choices = Choices::new(&choices);
        let mut document = choices.document();
        // Each flag occurs twice, so that conditions are shared and memoised.
        let mut copies = document.flags.clone();
        copies.iter_mut().for_each(|flag| flag.key.push_str("-again"));
        document.flags.extend(copies);
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
            prop_assert_eq!(evaluate_repeatedly(&snapshot, &context, 2), twice);
        }
    }

    #[test]
    fn results_and_fingerprints_depend_only_on_the_relevant_context(
        choices in prop::collection::vec(any::<u16>(), 0..600)
    ) {
        let mut choices = Choices::new(&choices);
        let document = choices.document();
        let snapshot = match Snapshot::compile(&document) {
            Ok(snapshot) => snapshot,
            Err(errors) => panic!("the document is built to be valid: {errors:?}"),
        };
        let read = Document::parse(&document.to_json()).expect("what is written can be read");
        prop_assert_eq!(&read, &document);
        for _ in 0..4 {
            let (person, other) = (choices.person(), choices.person());
            for flag in snapshot.flags() {
                let relevant: Vec<&str> = snapshot.relevant(flag).collect();
                prop_assert!(relevant.is_sorted());
                // A person who has only the relevant attributes in common with the first.
                let mut similar = other.clone();
                for name in ATTRIBUTES {
                    if relevant.contains(&name) {
                        similar.remove(name);
                        similar.extend(person.get(name).map(|value| (name.to_owned(), value.clone())));
                    }
                }
                let result = answer(&snapshot, flag, &person);
                prop_assert_eq!(&result, &answer(&snapshot, flag, &similar));
                let fingerprint_of = |person| fingerprint(&snapshot, flag, person);
                prop_assert_eq!(fingerprint_of(&person), fingerprint_of(&similar));
                if result != answer(&snapshot, flag, &other) {
                    prop_assert_ne!(fingerprint_of(&person), fingerprint_of(&other));
                }
            }
        }
    }

    #[test]
    fn a_corrupted_document_is_rejected_or_compiles(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)
    ) {
        const WHOLE: &str = include_str!("../../check/tests/whole.json");
        const PIECES: [&str; 12] =
            ["{", "}", "[", "]", "\"", ",", ":", "0", "-1", "null", "true", "\"on\""];
        let mut bytes = WHOLE.as_bytes().to_vec();
        for (position, with) in changes {
            let position = position.index(bytes.len());
            let piece = PIECES[usize::from(with) % PIECES.len()];
            match with / 86 {
                0 => drop(bytes.splice(position..position, piece.bytes())),
                1 => drop(bytes.remove(position)),
                _ => drop(bytes.splice(position..=position, piece.bytes())),
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
            Err(errors) => prop_assert!(!errors.is_empty()),
        }
    }

    #[test]
    fn the_scanner_accepts_the_same_attributes_as_the_json_parser(
        text in r#"(\{("(country|hours|zones|free|é|\\u00e9|\\n)": ?("(\\.|[a-zé😀])*"|-?[0-9]{1,3}(\.[0-9])?(e[+-]?[0-9]{1,4})?|true|null|\[("x"|1|\{"a":1\})?\]|\{"b":(1|"")\}),? ?){0,3}\}?|[\[{}":,a1 ]{0,12})"#
    ) {
        let document = Choices::new(&[]).document();
        let snapshot = Snapshot::compile(&document).expect("valid");
        let scanner_accepts = snapshot.context(&text).is_ok();
        let parser_accepts = json::parse(&text).is_ok_and(|(value, errors)| {
            matches!(value, json::Json::Object(_))
                && errors.iter().all(|error| error.code != "duplicate_name")
        });
        prop_assert_eq!(scanner_accepts, parser_accepts);
    }

    #[test]
    fn the_parsers_never_panic(text in any::<String>()) {
        let document = Choices::new(&[]).document();
        let snapshot = Snapshot::compile(&document).expect("valid");
        let _ = snapshot.context(&text);
        let _ = Document::parse(&text);
    }
}

#[test]
fn a_thousand_threads_get_the_same_results() {
    let choices: Vec<u16> = (0..2_000_u32).map(|i| ((i * 40_503) >> 3) as u16).collect();
    let mut choices = Choices::new(&choices);
    let document = choices.document();
    let snapshot = Snapshot::compile(&document).expect("valid");
    let people: Vec<_> = (0..10).map(|_| choices.person()).collect();
    let all = || -> Vec<Vec<u8>> {
        let flags = || snapshot.flags();
        people
            .iter()
            .flat_map(|person| flags().map(|flag| answer(&snapshot, flag, person)))
            .collect()
    };
    let single_threaded = all();
    assert!(single_threaded.len() > 10);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..1_000).map(|_| scope.spawn(all)).collect();
        for thread in threads {
            assert!(thread.join().expect("no panic") == single_threaded);
        }
    });
}

//! Tests that an evaluation allocates no memory. It is a separate binary, because the counter
//! replaces the allocator.

use musette_core::flags::{ApiVersion, Document, EvaluationInputs, NoStickyAssignments, Snapshot};
use musette_core::instant::Instant;

const DOCUMENT: &str = include_str!("../../../testdata/flags-evaluation.json");

fn snapshot() -> Snapshot {
    let vectors: serde_json::Value = serde_json::from_str(DOCUMENT).expect("JSON");
    let document = Document::parse(&vectors["document"].to_string()).expect("valid");
    Snapshot::compile(&document).expect("valid")
}

#[test]
fn evaluating_every_kind_of_flag_allocates_nothing() {
    let snapshot = snapshot();
    let now = Instant::parse("2026-11-21T09:30:00Z").expect("an instant");
    let moment = EvaluationInputs { now, sticky: &NoStickyAssignments };
    for unit in 0..200 {
        let attributes = format!(
            r#"{{"userId":"u{unit}","anonymousId":"x{unit}","country":"UY","appVersion":"7.{unit}.0","zoneIds":["centro"]}}"#
        );
        let context = snapshot.context(&attributes).expect("attributes");
        let mut served = 0;
        let info = allocation_counter::measure(|| {
            for key in ["quest-cards", "quests-backend", "legal-fix", "checkin-v2", "checkin-map"] {
                let flag = snapshot.flag(key).expect("a flag");
                let answer = snapshot.evaluate(flag, &context, &moment);
                served += usize::from(answer.variation().is_some()) + answer.holdouts().count();
            }
        });
        assert!(served >= 5);
        assert_eq!(info.count_total, 0, "u{unit}: {info:?}");
    }
}

#[test]
fn writing_into_a_buffer_that_is_large_enough_allocates_nothing() {
    let snapshot = snapshot();
    let moment = EvaluationInputs {
        now: Instant::from_millis(1_795_253_400_000),
        sticky: &NoStickyAssignments,
    };
    let context = snapshot.context(r#"{"userId":"u1","appVersion":"7.2.0"}"#).expect("attributes");
    let mut out = Vec::with_capacity(1 << 16);
    let info = allocation_counter::measure(|| {
        for flag in snapshot.flags() {
            for version in [ApiVersion::V1, ApiVersion::V2, ApiVersion::V3] {
                snapshot.evaluate(flag, &context, &moment).write(version, &mut out);
            }
        }
    });
    assert!(!out.is_empty());
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn a_context_of_plain_texts_and_numbers_is_one_allocation() {
    let snapshot = snapshot();
    let mut count = 0;
    let info = allocation_counter::measure(|| {
        let person =
            r#"{"userId":"u1","country":"UY","appVersion":"7.2.0","hoursThisWeek":32,"free":1}"#;
        count += usize::from(snapshot.context(person).is_ok());
    });
    assert_eq!((count, info.count_total), (1, 1), "{info:?}");
}

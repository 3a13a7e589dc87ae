use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Term, TermKind, TermType, Variant};
use musette_store::DecisionHistories;

use super::{Import, ImportFormat};

fn catalog() -> Catalog {
    let variant = |locale: &str, digit: &str| Variant {
        locale: locale.into(),
        title: "A text".into(),
        sha256: digit.repeat(64),
        summary: None,
    };
    Catalog::new(vec![Term {
        id: 7,
        kind: TermType::parse("FREELANCER").expect("a type"),
        version: 1,
        term_kind: TermKind::Consent,
        mandatory: true,
        display_order: 0,
        effective_from: Instant::from_millis(0),
        grace_until: None,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        published_at: Instant::from_millis(0),
        market: None,
        instead_of: None,
        variants: vec![variant("en", "a"), variant("de", "b")],
    }])
}

fn now() -> Instant {
    Instant::parse("2026-11-21T09:30:00Z").expect("an instant")
}

/// Returns the line number and the code of each error; only r1 exists.
fn errors(text: &str, format: ImportFormat) -> Vec<(u64, &'static str)> {
    let import = Import::read(text.as_bytes(), format, &catalog(), now());
    let pasts: DecisionHistories = [("r1".to_owned(), Default::default())].into();
    let errors = import.plan(&pasts).err().unwrap_or_default();
    errors.into_iter().map(|error| (error.line, error.code)).collect()
}

const HEADER: &str = "user_id,terms_and_conditions_id,accepted,consented_at";

#[test]
fn reports_every_invalid_line() {
    let text = format!(
        "{HEADER}\nr1,7,true,2024-01-01T00:00:00Z\nr9,7,true,2024-01-01T00:00:00Z\n\
         r1,8,true,2024-01-01T00:00:00Z\nr1,x,true,2024-01-01T00:00:00Z\n\
         r1,7,yes,2024-01-01T00:00:00Z\nr1,7,true,01/02/2024\nr1,7,true,2027-01-01T00:00:00Z\n\
         r1,7,true\n,7,true,2024-01-01T00:00:00Z\nr1,7,false,2023-01-01T00:00:00Z\n\
         r1,7,false,2024-01-01T00:00:00Z\n"
    );
    let expected = [
        (3, "unknown_user"),
        (4, "unknown_term"),
        (5, "unknown_term"),
        (6, "invalid_accepted"),
        (7, "invalid_consented_at"),
        (8, "consented_at_in_future"),
        (9, "malformed_line"),
        (10, "missing_column"),
        (12, "decided_since"),
    ];
    assert_eq!(errors(&text, ImportFormat::Csv), expected);
}

#[test]
fn reports_an_invalid_header_once() {
    for (header, code) in [
        ("user_id,accepted,consented_at", "missing_column"),
        ("user_id,user_id,terms_and_conditions_id,accepted,consented_at", "duplicate_column"),
        ("user_id,terms_and_conditions_id,accepted,consented_at,sha265", "unknown_column"),
        ("user_id,terms_and_conditions_id,accepted,consented_at,locale,locale", "duplicate_column"),
    ] {
        assert_eq!(errors(&format!("{header}\n1,2,3\n4,5,6\n"), ImportFormat::Csv), [(1, code)]);
    }
}

#[test]
fn checks_lines_of_json_like_lines_of_csv() {
    let line = |more: &str| {
        format!(
            r#"{{"user_id":"r1","terms_and_conditions_id":7,"accepted":true,"consented_at":"2024-01-01T00:00:00Z"{more}}}"#
        )
    };
    let text = [
        &line(r#","evidence":"presented","receipt_id":"x","recorded_at":"y""#),
        "",
        &line(r#","sha256":"cc""#),
        &line(r#","locale":"fr""#),
        &line(r#","user_type":"APPLICANT""#),
        &line(r#","colour":"red""#),
        &line(r#","locale":["de"]"#),
        "[1]",
        "{",
        "\u{fffd}",
        // With duplicates, it is unclear which value was meant.
        &line(r#","accepted":false"#),
        &line(r#","accept\u0065d":true"#),
        &line(r#","receipt_id":"x","receipt_id":"x""#),
    ]
    .join("\n");
    let expected = [
        (3, "unknown_document"),
        (4, "unknown_document"),
        (5, "invalid_user_type"),
        (6, "unknown_column"),
        (7, "malformed_line"),
        (8, "malformed_line"),
        (9, "malformed_line"),
        (10, "malformed_line"),
        (11, "duplicate_column"),
        (12, "duplicate_column"),
        (13, "duplicate_column"),
    ];
    assert_eq!(errors(&text, ImportFormat::Jsonl), expected);
}

#[test]
fn sorts_decisions_by_time_and_keeps_their_text() {
    let text = format!(
        "\u{feff}{HEADER},locale,sha256\n\
         \"r1\",7,false,2024-06-01T12:00:00+02:00,DE,\nr1,7,true,2024-01-01T00:00:00Z,,\n\
         r1,7,true,2024-01-01T00:00:00Z,,{}\n",
        "b".repeat(64)
    );
    let import = Import::read(text.as_bytes(), ImportFormat::Csv, &catalog(), now());
    assert_eq!(import.user_ids(), ["r1"]);
    let pasts: DecisionHistories = [("r1".to_owned(), Default::default())].into();
    let (new, existing) = import.plan(&pasts).expect("valid lines");
    let actual: Vec<_> = new
        .iter()
        .map(|decision| {
            (decision.accepted, decision.consented_at_text.as_str(), &decision.sha256[..1])
        })
        .collect();
    let expected = [(true, "2024-01-01T00:00:00Z", "a"), (false, "2024-06-01T12:00:00+02:00", "b")];
    assert_eq!((actual.as_slice(), existing), (&expected[..], 1));
}

//! Parsers of request bodies, import files and headers.

use std::sync::LazyLock;

use ed25519_dalek::SigningKey;
use musette::parts::{Import, ImportFormat, Json};
use musette_core::instant::Instant;
use musette_core::session::{Identifier, RefreshToken, verify};
use musette_core::terms::{
    Catalog, ReceiptKey, Term, TermKind, TermType, Variant, language_ranges,
};

use super::text;

const SUBMISSION: &str = r#"{"user_id":"","user_type":"APPLICANT","consents":[{"accepted":true,"terms_and_conditions_id":1,"consented_at":"2026-11-21T09:30:00.000Z","sha256":"aa","method":"agree_all","opened":true,"last_page":3}],"locale":"ar","app":"rider \"1\" \u00fc \ud83d\udeb2"}"#;
const CSV: &str = "user_id,terms_and_conditions_id,accepted,consented_at,locale\nr1,1,true,2024-01-01T00:00:00Z,en\n\"r,\"\"2\",1,false,2024-06-01T12:00:00+02:00,\n";
const JSONL: &str = r#"{"user_id":"r1","terms_and_conditions_id":1,"accepted":true,"consented_at":"2024-01-01T00:00:00Z"}"#;

pub fn bodies() -> Vec<Vec<u8>> {
    let bodies =
        [SUBMISSION, JSONL, "[]", "{}", "null", "[[[[[[[[1]]]]]]]]", r#"{"receipt":{"id":"x"}}"#];
    bodies.map(|body| body.as_bytes().to_vec()).into()
}

pub fn json(input: &[u8]) -> String {
    match Json::parse(input) {
        Ok(json) => {
            // Other parsers must accept all that our parser accepts.
            assert!(serde_json::from_slice::<serde_json::Value>(input).is_ok(), "{json:?}");
            let shape = ["user_id", "consents", "receipt"].map(|name| json.get(name).is_some());
            format!("taken {shape:?}")
        }
        Err(error) => error.detail.chars().take(72).collect(),
    }
}

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let variant = Variant {
        locale: "en".into(),
        title: "A text".into(),
        sha256: "a".repeat(64),
        summary: None,
    };
    let kind = TermType::parse("FREELANCER");
    let term = kind.map(|kind| Term {
        id: 1,
        kind,
        version: 1,
        term_kind: TermKind::Consent,
        mandatory: true,
        display_order: 0,
        effective_from: Instant::from_millis(0),
        grace_until: None,
        published_at: Instant::from_millis(0),
        market: None,
        instead_of: None,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        variants: vec![variant],
    });
    Catalog::new(term.into_iter().collect())
});

pub fn csv() -> Vec<Vec<u8>> {
    vec![CSV.as_bytes().to_vec(), b"\xef\xbb\xbfuser_id\n1\n".to_vec()]
}

pub fn jsonl() -> Vec<Vec<u8>> {
    vec![JSONL.as_bytes().to_vec(), format!("{JSONL}\n\n{JSONL}\n").into_bytes()]
}

fn import(input: &[u8], format: ImportFormat) -> String {
    let now = Instant::from_millis(1_800_000_000_000);
    let import = Import::read(input, format, &CATALOG, now);
    let pasts = [("r1".to_owned(), Default::default())].into();
    match import.plan(&pasts) {
        Ok((new, existing)) => format!("taken {} {}", new.len().min(3), existing.min(3)),
        Err(errors) => {
            let mut codes: Vec<&str> = errors.iter().map(|error| error.code).collect();
            codes.sort_unstable();
            codes.dedup();
            codes.join(" ")
        }
    }
}

pub fn import_csv(input: &[u8]) -> String {
    import(input, ImportFormat::Csv)
}

pub fn import_jsonl(input: &[u8]) -> String {
    import(input, ImportFormat::Jsonl)
}

pub fn headers() -> Vec<Vec<u8>> {
    let texts = [
        "de-AT, ar;q=0.9, *;q=0.1",
        "2026-11-21T10:30:00.25+01:00",
        "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJyMSJ9.AAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "+49 30 555 0100",
        "rider@example.com",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// Parsers of short texts in headers, queries and paths.
pub fn header(input: &[u8]) -> String {
    let text = text(input);
    let ranges = language_ranges(&text).len().min(3);
    let instant = Instant::parse(&text);
    if let Ok(instant) = instant {
        assert_eq!(Instant::parse(&instant.to_string()), Ok(instant));
    }
    let receipt = ReceiptKey::new(b"fuzz").parse(&text).is_some();
    let refresh = RefreshToken::parse(&text).is_ok();
    let identifier = Identifier::parse(&text).is_some();
    let key = SigningKey::from_bytes(&[7; 32]).verifying_key();
    let token = verify(&text, |_| Some(&key), "musette", Instant::from_millis(0));
    assert!(token.is_err(), "accepted a token without a valid signature");
    format!("{ranges} {} {receipt} {refresh} {identifier}", instant.is_ok())
}

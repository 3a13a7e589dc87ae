//! Parsers of flag configurations and of evaluation contexts.

use std::sync::LazyLock;

use musette_core::flags::{Document, EvaluationInputs, NoStickyAssignments, Snapshot};
use musette_core::instant::Instant;
use serde_json::Value;

use super::text;

const VECTORS: &str = include_str!("../../../testdata/flags-evaluation.json");

static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap_or_default();
    vectors["document"].to_string()
});
static SNAPSHOT: LazyLock<Option<Snapshot>> =
    LazyLock::new(|| Snapshot::compile(&Document::parse(&DOCUMENT).ok()?).ok());

pub fn documents() -> Vec<Vec<u8>> {
    vec![DOCUMENT.as_bytes().to_vec(), b"{}".to_vec()]
}

pub fn document(input: &[u8]) -> String {
    let parsed = Document::parse(&text(input));
    match &parsed {
        // Serving compiles the document. It does not matter here whether that fails.
        Ok(document) => format!("taken {}", Snapshot::compile(document).is_ok()),
        Err(errors) => {
            assert!(!errors.is_empty(), "rejected without a reason");
            let mut codes: Vec<&str> = errors.iter().map(|error| error.code).collect();
            codes.sort_unstable();
            codes.dedup();
            codes.join(" ")
        }
    }
}

pub fn contexts() -> Vec<Vec<u8>> {
    let contexts = [
        "{}",
        r#"{"userId":"r1","country":"de","appVersion":"1.2.3","hoursThisWeek":12.5,"key":null}"#,
        r#"{"userId":7,"country":["de"],"anonymousId":"\u00e9","custom":{"deep":[1,2]}}"#,
    ];
    contexts.map(|context| context.as_bytes().to_vec()).into()
}

pub fn context(input: &[u8]) -> String {
    let Some(snapshot) = &*SNAPSHOT else { return "no snapshot".into() };
    let text = text(input);
    let context = match snapshot.context(&text) {
        Ok(context) => context,
        Err(error) => return format!("{error:?}").chars().take(24).collect(),
    };
    let moment = EvaluationInputs {
        now: Instant::from_millis(1_800_000_000_000),
        sticky: &NoStickyAssignments,
    };
    let kinds = snapshot.flags().map(|flag| snapshot.evaluate(flag, &context, &moment).kind());
    kinds.map(|kind| format!("{kind:?} ")).collect()
}

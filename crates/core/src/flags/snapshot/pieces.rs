//! Parts of results that are written once, when the snapshot is built.

use crate::flags::evaluation::ExplanationKind;

/// The explanation of a result.
#[derive(Debug)]
pub(in crate::flags) struct Explanation {
    pub kind: ExplanationKind,
    pub from: Box<str>,
    /// Part of the result: `,"abTest":false,"explanation":{"kind":"RULE","from":"rule:r1"}`
    json: Box<str>,
    /// Position of the explanation in `json`.
    start: u8,
}

impl Explanation {
    pub fn new(kind: ExplanationKind, from: String) -> Self {
        let ab_test = format!(r#","abTest":{}"#, kind == ExplanationKind::AbTest);
        let (text, kind_text) = (json_text(&from), kind.as_str());
        let json = format!(r#"{ab_test},"explanation":{{"kind":"{kind_text}","from":{text}}}"#);
        Self { kind, from: from.into(), json: json.into(), start: ab_test.len() as u8 }
    }

    #[inline]
    pub fn json(&self) -> &[u8] {
        self.json.as_bytes()
    }

    /// Returns the explanation for version 1 of the API.
    pub fn json_alone(&self) -> &[u8] {
        &self.json.as_bytes()[usize::from(self.start)..]
    }
}

/// Explanations that any flag can have.
#[derive(Debug)]
pub(in crate::flags) struct Explanations {
    pub off: Explanation,
    pub overridden: Explanation,
    pub default: Explanation,
}

impl Explanations {
    pub fn new() -> Self {
        Self {
            off: Explanation::new(ExplanationKind::Off, "flag".to_owned()),
            overridden: Explanation::new(ExplanationKind::Override, "override".to_owned()),
            default: Explanation::new(ExplanationKind::Default, "default".to_owned()),
        }
    }
}

/// Returns a text as JSON.
pub(in crate::flags) fn json_text(text: &str) -> String {
    // Serialising a text cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

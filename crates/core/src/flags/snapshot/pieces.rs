//! Parts of answers that are written once, when the snapshot is built.

use crate::flags::evaluation::Kind;

/// Why an answer is what it is.
#[derive(Debug)]
pub(in crate::flags) struct Explanation {
    pub kind: Kind,
    pub from: Box<str>,
    /// `,"explanation":{"kind":"RULE","from":"rule:r1"}`
    pub json: Box<str>,
}

impl Explanation {
    pub fn new(kind: Kind, from: String) -> Self {
        let text = json_text(&from);
        let kind_text = kind.as_str();
        let json = format!(r#","explanation":{{"kind":"{kind_text}","from":{text}}}"#);
        Self { kind, from: from.into(), json: json.into() }
    }
}

/// A text as JSON.
pub(in crate::flags) fn json_text(text: &str) -> String {
    // No text can fail to be written.
    serde_json::to_string(text).unwrap_or_default()
}

//! Parts of results that are written once, when the snapshot is built.

use crate::flags::json::json_text;

/// The part of the configuration that decided (OpenFeature: reason).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExplanationKind {
    /// The flag is off or archived, or waits for a notice.
    Off,
    /// An individual override.
    Override,
    /// A prerequisite serves another variation than this flag needs.
    PrerequisiteFailed,
    /// A holdout withholds the change.
    Holdout,
    /// A rule that serves one variation to users in segments.
    Target,
    /// A rule that serves one variation to users who meet its condition.
    Rule,
    /// A rollout.
    Rollout,
    /// A running experiment.
    AbTest,
    /// No rule decided.
    Default,
}

impl ExplanationKind {
    /// Returns the word in the JSON, such as `PREREQUISITE_FAILED`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "OFF",
            Self::Override => "OVERRIDE",
            Self::PrerequisiteFailed => "PREREQUISITE_FAILED",
            Self::Holdout => "HOLDOUT",
            Self::Target => "TARGET",
            Self::Rule => "RULE",
            Self::Rollout => "ROLLOUT",
            Self::AbTest => "AB_TEST",
            Self::Default => "DEFAULT",
        }
    }
}

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

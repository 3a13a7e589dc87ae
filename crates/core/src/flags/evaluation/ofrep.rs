//! Writes results in the format of OFREP 0.3.0.

use super::{Evaluation, ExplanationKind};
use crate::flags::json::json_text;

impl Evaluation<'_> {
    /// Writes the success item of OFREP. A flag that is off has no value, so the application uses
    /// its own default.
    pub fn write_ofrep(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.flag.ofrep.as_bytes());
        if let Some(variation) = self.compiled().filter(|_| self.kind() != ExplanationKind::Off) {
            out.extend_from_slice(br#","value":"#);
            out.extend_from_slice(variation.json().as_bytes());
            out.extend_from_slice(br#","variant":"#);
            out.extend_from_slice(variation.key_json().as_bytes());
        }
        out.extend_from_slice(br#","reason":""#);
        out.extend_from_slice(self.reason().as_bytes());
        out.extend_from_slice(br#"","metadata":{"kind":""#);
        out.extend_from_slice(self.kind().as_str().as_bytes());
        out.extend_from_slice(br#"","from":"#);
        out.extend_from_slice(json_text(self.from()).as_bytes());
        // Clients drop metadata that is not a boolean, text or number.
        if let Some(holdout) = self.holdouts().find(|holdout| holdout.applied) {
            out.extend_from_slice(br#","holdout":"#);
            out.extend_from_slice(json_text(holdout.key).as_bytes());
        }
        if let Some(part) = &self.part {
            out.extend_from_slice(br#","experiment":"#);
            out.extend_from_slice(json_text(&part.experiment.key).as_bytes());
        }
        out.extend_from_slice(self.snapshot.version_json.as_bytes());
        out.push(b'}');
    }

    /// Returns the `reason` of OFREP and OpenFeature. A flag without rules is `STATIC`.
    pub const fn reason(&self) -> &'static str {
        match self.explanation.kind {
            ExplanationKind::Off => "DISABLED",
            ExplanationKind::Override | ExplanationKind::Target | ExplanationKind::Rule => {
                "TARGETING_MATCH"
            }
            ExplanationKind::Rollout | ExplanationKind::AbTest | ExplanationKind::Holdout => {
                "SPLIT"
            }
            ExplanationKind::PrerequisiteFailed | ExplanationKind::Default
                if self.flag.has_rules =>
            {
                "DEFAULT"
            }
            ExplanationKind::PrerequisiteFailed | ExplanationKind::Default => "STATIC",
        }
    }
}

/// Writes the error item of OFREP for a flag that is not in the snapshot.
pub fn write_unknown_ofrep(key: &str, out: &mut Vec<u8>) {
    let key = json_text(key);
    out.extend_from_slice(
        format!(r#"{{"key":{key},"errorCode":"FLAG_NOT_FOUND","errorDetails":"no such flag"}}"#)
            .as_bytes(),
    );
}

//! Rules for the form of a campaign.

use super::definition::{CampaignDefinition, StepTime};
use super::template::unknown_placeholder;
use crate::instant::Instant;
use crate::terms::{Term, is_language_tag};

const STEPS_MAX: usize = 20;
const TEXTS_MAX: usize = 40;
const SUBJECT_CHARS_MAX: usize = 200;
const BODY_CHARS_MAX: usize = 10_000;

/// A member that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignFieldError {
    /// JSON pointer to the member.
    pub pointer: String,
    /// Stable code.
    pub code: &'static str,
    /// A description of the error, for developers.
    pub detail: String,
}

impl CampaignFieldError {
    /// Creates the error of a member that has an invalid value.
    pub fn invalid(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code: "invalid_value", detail: detail.into() }
    }
}

/// Escapes a member's name in a JSON pointer (RFC 6901).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

impl CampaignDefinition {
    /// Returns every member that breaks a rule. `term` is the published version of `term_id`.
    pub fn check(&self, term: &Term) -> Vec<CampaignFieldError> {
        let mut errors = Vec::new();
        if !(1..=STEPS_MAX).contains(&self.steps.len()) {
            let detail = format!("There must be 1 to {STEPS_MAX} steps.");
            errors.push(CampaignFieldError::invalid("/steps", detail));
        }
        for (i, step) in self.steps.iter().enumerate() {
            if let StepTime::Before(date, _) = &step.at
                && step.due(term, Instant::from_millis(0)).is_none()
            {
                let detail = format!("The term has no {}.", date.as_str());
                errors.push(CampaignFieldError {
                    pointer: format!("/steps/{i}/at/before"),
                    code: "no_such_date",
                    detail,
                });
            }
            if self.steps[..i].contains(step) {
                let detail = "Another step has the same time and channel.";
                errors.push(CampaignFieldError::invalid(format!("/steps/{i}"), detail));
            }
        }
        if !(1..=TEXTS_MAX).contains(&self.texts.len()) {
            let detail = format!("There must be texts in 1 to {TEXTS_MAX} languages.");
            errors.push(CampaignFieldError::invalid("/texts", detail));
        }
        for (locale, text) in &self.texts {
            let pointer = format!("/texts/{}", escaped(locale));
            if !is_language_tag(locale) {
                let detail = "The language must be a BCP 47 tag such as en or pt-BR.";
                errors.push(CampaignFieldError::invalid(&pointer, detail));
            }
            errors.extend(check_subject(&pointer, &text.subject));
            errors.extend(check_body(&pointer, &text.body));
        }
        errors
    }
}

fn check_subject(pointer: &str, subject: &str) -> Option<CampaignFieldError> {
    let pointer = format!("{pointer}/subject");
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let is_blank = subject.trim().is_empty();
    if is_blank || subject.chars().count() > SUBJECT_CHARS_MAX || subject.contains(breaks) {
        let detail = format!("This must be one line of 1 to {SUBJECT_CHARS_MAX} characters.");
        return Some(CampaignFieldError::invalid(pointer, detail));
    }
    check_placeholders(pointer, subject)
}

fn check_body(pointer: &str, body: &str) -> Option<CampaignFieldError> {
    let pointer = format!("{pointer}/body");
    let is_unprintable = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let is_blank = body.trim().is_empty();
    if is_blank || body.chars().count() > BODY_CHARS_MAX || body.contains(is_unprintable) {
        let detail =
            format!("This must have 1 to {BODY_CHARS_MAX} characters, without control characters.");
        return Some(CampaignFieldError::invalid(pointer, detail));
    }
    check_placeholders(pointer, body)
}

fn check_placeholders(pointer: String, text: &str) -> Option<CampaignFieldError> {
    let name = unknown_placeholder(text)?;
    let detail = format!(
        "There is no placeholder '{{{{{name}}}}}'. Use {{{{name}}}}, {{{{title}}}}, {{{{link}}}} or {{{{deadline}}}}."
    );
    Some(CampaignFieldError { pointer, code: "unknown_placeholder", detail })
}

#[cfg(test)]
mod tests;

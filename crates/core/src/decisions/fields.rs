//! Fields that decisions of every kind have: figures, reasons, and the automated system.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::terms::is_language_tag;

/// The largest figure.
pub const FIGURE_MAX: i64 = 10_000_000;
/// The largest number of reasons of one decision.
pub const REASONS_MAX: usize = 20;
/// The longest text of a reason in characters.
pub const REASON_CHARS_MAX: usize = 1_000;
/// The longest name or version of an automated system in characters.
pub const SYSTEM_CHARS_MAX: usize = 200;
const CODE_CHARS_MAX: usize = 64;

/// Measured values of one piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Planned length in minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_minutes: Option<i64>,
    /// Worked time in minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worked_minutes: Option<i64>,
    /// Seconds between the planned and the actual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_by_seconds: Option<i64>,
    /// Seconds between the actual and the planned end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early_by_seconds: Option<i64>,
    /// Seconds worked after the planned end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overtime_seconds: Option<i64>,
}

/// Why a decision was taken: a code for programs, and a text for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// A stable code.
    pub code: String,
    /// The text by language.
    pub text: BTreeMap<String, String>,
}

/// The automated system that produced a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct System {
    /// Its name, or its key in the register of automated systems.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A field that breaks a rule of its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// A JSON pointer (RFC 6901), relative to the field.
    pub pointer: String,
    /// The rule, as the end of the sentence "it must …".
    pub rule: &'static str,
}

impl Figures {
    /// Returns whether it has no figure.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Checks the form of reasons.
///
/// # Errors
/// Returns the first reason that breaks a rule.
pub fn check_reasons(reasons: &[Reason]) -> Result<(), FieldError> {
    let error = |pointer: String, rule| Err(FieldError { pointer, rule });
    if reasons.len() > REASONS_MAX {
        return error(String::new(), "have at most 20 reasons");
    }
    for (i, reason) in reasons.iter().enumerate() {
        if !is_code(&reason.code) {
            return error(format!("/{i}/code"), "match [a-z][a-z0-9_]{0,63}");
        }
        if reason.text.is_empty() {
            return error(format!("/{i}/text"), "have a text in at least one language");
        }
        for (locale, text) in &reason.text {
            if !is_language_tag(locale) {
                return error(format!("/{i}/text"), "have texts by BCP 47 language tag");
            }
            if text.trim().is_empty() || text.chars().count() > REASON_CHARS_MAX {
                return error(format!("/{i}/text/{locale}"), "have 1 to 1,000 characters");
            }
        }
    }
    Ok(())
}

fn is_code(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    text.len() <= CODE_CHARS_MAX
        && text.bytes().next().is_some_and(|first| first.is_ascii_lowercase())
        && text.bytes().all(is_part)
}

impl System {
    /// Checks that name and version have 1 to [`SYSTEM_CHARS_MAX`] characters.
    ///
    /// # Errors
    /// Returns the first field that breaks the rule.
    pub fn check(&self) -> Result<(), FieldError> {
        for (name, text) in [("/name", &self.name), ("/version", &self.version)] {
            if text.trim().is_empty() || text.chars().count() > SYSTEM_CHARS_MAX {
                let rule = "have 1 to 200 characters";
                return Err(FieldError { pointer: name.into(), rule });
            }
        }
        Ok(())
    }
}

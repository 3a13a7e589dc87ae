//! How long before it takes effect a text must be published, by its type.

use musette_core::instant::Instant;
use musette_core::terms::TermType;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Ten years.
const DAYS_MAX: u32 = 3650;

/// The days of notice that texts of a type need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeDays {
    /// The type of the texts.
    pub kind: TermType,
    /// The days from the publication until the text takes effect.
    pub days: u32,
}

impl NoticeDays {
    /// Parses `TYPE=DAYS`.
    ///
    /// # Errors
    ///
    /// When the type or the number is malformed.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "it must be TYPE=DAYS, such as FREELANCER=15".to_owned();
        let (kind, days) = text.trim().split_once('=').ok_or_else(wrong)?;
        let days = days.parse().ok().filter(|days| *days <= DAYS_MAX);
        Ok(Self { kind: TermType::parse(kind).ok_or_else(wrong)?, days: days.ok_or_else(wrong)? })
    }
}

/// Returns the warning for a text that would take effect before its notice period has passed.
pub fn notice_too_short(
    rules: &[NoticeDays],
    kind: &TermType,
    effective_from: Instant,
    now: Instant,
) -> Option<String> {
    let rule = rules.iter().find(|rule| rule.kind == *kind)?;
    let notice_ms = effective_from.millis() - now.millis();
    (notice_ms < i64::from(rule.days) * DAY_MS).then(|| {
        let NoticeDays { kind, days } = rule;
        format!("A text of the type {kind} needs {days} days of notice before it takes effect.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warns_of_a_period_that_is_shorter_than_the_rule_of_the_type() {
        let rules = [NoticeDays::parse("FREELANCER=15").expect("a rule")];
        let [freelancer, other] =
            ["FREELANCER", "MARKETING"].map(|kind| TermType::parse(kind).expect("a type"));
        let at = |days: i64, ms: i64| Instant::from_millis(days * DAY_MS + ms);
        let is_warned =
            |kind, effective| notice_too_short(&rules, kind, effective, at(1, 0)).is_some();
        assert!(is_warned(&freelancer, at(16, -1)));
        assert!(!is_warned(&freelancer, at(16, 0)));
        assert!(!is_warned(&other, at(1, 0)));
        for text in ["", "FREELANCER", "a=1", "A=-1", "A=x", "A=4000", "=1"] {
            assert!(NoticeDays::parse(text).is_err(), "{text}");
        }
    }
}

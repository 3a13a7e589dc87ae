//! Checks a submission against the terms. The rules run in the order in which the contract lists
//! them. The first broken rule is reported with all entries that break it.

use std::collections::HashSet;
use std::time::Duration;

use super::catalog::Catalog;
use super::decision::Decisions;
use super::term::{Term, TermId, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// How far a device's clock may run ahead of the server's.
const AHEAD_MAX: Duration = Duration::from_secs(5 * 60);

/// Returns whether a time of a device is further ahead of the server's than its clock may run.
pub fn is_ahead_of_server(at: Instant, now: Instant) -> bool {
    at > now.plus(AHEAD_MAX)
}

/// One decision as the device sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedDecision {
    /// Id of the version that was decided on.
    pub term: TermId,
    /// Whether the person agreed.
    pub accepted: bool,
    /// Time of the decision by the device's clock.
    pub consented_at: Instant,
    /// The timestamp as the device wrote it, kept as evidence.
    pub consented_at_text: String,
    /// SHA-256 of the document that was shown, if the device sent it.
    pub sha256: Option<String>,
    /// How the person accepted, if the device sent it.
    pub method: Option<Method>,
    /// Whether the person opened the document, if the device sent it.
    pub opened: Option<bool>,
    /// Last page of the document that was on screen, counted from 1.
    pub last_page: Option<u32>,
}

/// How the person accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Each term with its own checkbox.
    Tick,
    /// All terms with one button.
    AgreeAll,
}

impl Method {
    /// Parses the word in the JSON.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "tick" => Some(Self::Tick),
            "agree_all" => Some(Self::AgreeAll),
            _ => None,
        }
    }

    /// Returns the word in the JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::AgreeAll => "agree_all",
        }
    }
}

/// How the server knows which document was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The device named the document.
    Presented,
    /// The server inferred it from the language that the device requested.
    Inferred,
}

impl Evidence {
    /// Returns the word in the JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Presented => "presented",
            Self::Inferred => "inferred",
        }
    }
}

/// A rule of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmissionRule {
    /// Two entries name the same term.
    DuplicateTerm,
    /// A term does not exist, is a notice, is not effective yet, or is accepted outside of its
    /// market.
    UnknownTerm,
    /// A mandatory term is declined or withdrawn.
    MandatoryTermRefused,
    /// A decision was made more than 5 minutes ahead of the server's clock.
    ConsentedAtInFuture,
    /// A term was replaced and the grace period of the replacement is over, or its document is
    /// retired.
    TermsChanged,
    /// The document in an entry is not one of the term's documents.
    UnknownDocument,
    /// A mandatory term of the same type is neither in the submission nor accepted before.
    MandatoryTermMissing,
}

impl SubmissionRule {
    /// Returns the error code in the response.
    pub const fn code(self) -> &'static str {
        match self {
            Self::DuplicateTerm => "duplicate_term",
            Self::UnknownTerm => "unknown_term",
            Self::MandatoryTermRefused => "mandatory_term_refused",
            Self::ConsentedAtInFuture => "consented_at_in_future",
            Self::TermsChanged => "terms_changed",
            Self::UnknownDocument => "unknown_document",
            Self::MandatoryTermMissing => "mandatory_term_missing",
        }
    }
}

/// One entry, or one missing term, that breaks the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Index of the entry; `None` if a term is missing.
    pub entry: Option<usize>,
    /// The term that the violation is about.
    pub term: TermId,
    /// The newest term in effect that replaces an outdated one; `None` for a retired document.
    pub replaced_by: Option<TermId>,
}

/// The broken rule, with all its violations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionRefusal {
    /// The rule.
    pub rule: SubmissionRule,
    /// The violations; never empty.
    pub violations: Vec<Violation>,
}

/// A decision as it will be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRecord {
    /// The decision as it was sent.
    pub entry: SubmittedDecision,
    /// SHA-256 of the exact document in the language shown, in lower-case hex.
    pub sha256: String,
    /// How the server knows which document was shown.
    pub evidence: Evidence,
}

/// The clock of the device that a submission comes from. Both values are evidence only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceClock {
    /// The uncorrected time, as the app wrote it.
    pub at: Option<String>,
    /// Milliseconds that the app added to it to get `consented_at`.
    pub offset_ms: Option<i64>,
}

/// A submission that breaks no rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidSubmission {
    /// The decisions to record, in the order of the submission.
    pub entries: Vec<DecisionRecord>,
}

/// Checks all entries of a user of this market.
///
/// `before` are the user's earlier decisions. `ranges` are the languages that the device requested;
/// they are used for entries that name no document.
///
/// # Errors
/// Returns the first broken rule, with every entry that breaks it.
pub fn check(
    entries: Vec<SubmittedDecision>,
    catalog: &Catalog,
    market: Option<&Market>,
    before: &Decisions,
    ranges: &[&str],
    now: Instant,
) -> Result<ValidSubmission, SubmissionRefusal> {
    let mut terms = HashSet::new();
    check_entries(&entries, SubmissionRule::DuplicateTerm, |entry| {
        terms.insert(entry.term).then_some(())
    })?;
    check_entries(&entries, SubmissionRule::UnknownTerm, |entry| {
        catalog.get(entry.term).filter(|term| !term.is_notice()).map(|_| ())
    })?;
    let term = |entry: &SubmittedDecision| catalog.get(entry.term);
    // A user who has moved to another market may still withdraw.
    check_entries(&entries, SubmissionRule::UnknownTerm, |entry| {
        (!entry.accepted || Catalog::is_for(term(entry)?, market)).then_some(())
    })?;
    check_entries(&entries, SubmissionRule::MandatoryTermRefused, |entry| {
        let is_asked =
            !catalog.is_retired(entry.term, now) && catalog.is_asked(term(entry)?, market, now);
        (entry.accepted || !term(entry)?.mandatory || !is_asked).then_some(())
    })?;
    check_entries(&entries, SubmissionRule::ConsentedAtInFuture, |entry| {
        (!is_ahead_of_server(entry.consented_at, now)).then_some(())
    })?;
    check_entries(&entries, SubmissionRule::UnknownTerm, |entry| {
        catalog.is_effective(term(entry)?, now).then_some(())
    })?;
    check_outdated(&entries, catalog, now)?;
    check_entries(&entries, SubmissionRule::UnknownDocument, |entry| {
        let has_document = entry
            .sha256
            .as_ref()
            .is_none_or(|sha256| term(entry).is_some_and(|t| t.has_document(sha256)));
        has_document.then_some(())
    })?;
    check_completeness(&entries, catalog, market, before, now)?;
    let entries = entries.into_iter().filter_map(|entry| record(entry, catalog, ranges)).collect();
    Ok(ValidSubmission { entries })
}

fn check_entries(
    entries: &[SubmittedDecision],
    rule: SubmissionRule,
    mut obeys: impl FnMut(&SubmittedDecision) -> Option<()>,
) -> Result<(), SubmissionRefusal> {
    let violations: Vec<Violation> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| obeys(entry).is_none())
        .map(|(i, entry)| Violation { entry: Some(i), term: entry.term, replaced_by: None })
        .collect();
    if violations.is_empty() { Ok(()) } else { Err(SubmissionRefusal { rule, violations }) }
}

/// Checks that no accepted term is outdated. A replaced term is accepted only during the grace
/// period of its replacement, a term of a retired document never. A withdrawal is always accepted.
fn check_outdated(
    entries: &[SubmittedDecision],
    catalog: &Catalog,
    now: Instant,
) -> Result<(), SubmissionRefusal> {
    let violations: Vec<Violation> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.accepted)
        .filter_map(|(i, entry)| {
            if catalog.is_retired(entry.term, now) {
                return Some(Violation { entry: Some(i), term: entry.term, replaced_by: None });
            }
            let replacement = catalog.first_replacement(entry.term, now)?;
            let newest = catalog.newest_replacement(entry.term, now)?;
            let violation =
                Violation { entry: Some(i), term: entry.term, replaced_by: Some(newest.id) };
            (!replacement.is_in_grace(now)).then_some(violation)
        })
        .collect();
    if violations.is_empty() {
        Ok(())
    } else {
        Err(SubmissionRefusal { rule: SubmissionRule::TermsChanged, violations })
    }
}

/// Checks that no mandatory term is missing. Only types with an accepted entry are checked, so that
/// a withdrawal alone is never rejected.
fn check_completeness(
    entries: &[SubmittedDecision],
    catalog: &Catalog,
    market: Option<&Market>,
    before: &Decisions,
    now: Instant,
) -> Result<(), SubmissionRefusal> {
    let accepted: Vec<&Term> = entries
        .iter()
        .filter(|entry| entry.accepted)
        .filter_map(|entry| catalog.get(entry.term))
        .collect();
    let types: Vec<TermType> = accepted.iter().map(|term| term.kind.clone()).collect();
    let violations: Vec<Violation> = catalog
        .in_effect_for(&types, market, now)
        .filter(|term| term.mandatory && !term.is_in_grace(now))
        .filter(|term| {
            !accepted.iter().any(|other| other.id == term.id) && !before.has_accepted(catalog, term)
        })
        .map(|term| Violation { entry: None, term: term.id, replaced_by: None })
        .collect();
    if violations.is_empty() {
        Ok(())
    } else {
        Err(SubmissionRefusal { rule: SubmissionRule::MandatoryTermMissing, violations })
    }
}

fn record(entry: SubmittedDecision, catalog: &Catalog, ranges: &[&str]) -> Option<DecisionRecord> {
    let (sha256, evidence) = match &entry.sha256 {
        Some(sha256) => (sha256.clone(), Evidence::Presented),
        None => {
            let term = catalog.get(entry.term)?;
            (super::choose_locale(ranges, &term.variants)?.sha256.clone(), Evidence::Inferred)
        }
    };
    Some(DecisionRecord { entry, sha256, evidence })
}

#[cfg(test)]
mod tests;

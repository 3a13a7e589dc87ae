//! A submission checked against the terms. The rules run in the order in which the contract lists
//! them, and the first that is broken answers with every entry that breaks it.

use std::collections::HashSet;
use std::time::Duration;

use super::catalog::Catalog;
use super::decision::Decisions;
use super::term::{Term, TermId, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// How far a device's clock may run ahead of ours.
const AHEAD_MAX: Duration = Duration::from_secs(5 * 60);

/// One decision as the device sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedDecision {
    /// Id of the version that was decided on.
    pub term: TermId,
    /// Whether the person agreed.
    pub accepted: bool,
    /// When, by the clock of the device.
    pub consented_at: Instant,
    /// The instant as the device wrote it, kept as evidence.
    pub consented_at_text: String,
    /// SHA-256 of the document that was shown, if the device says so.
    pub sha256: Option<String>,
    /// How the person pressed, if the device says so.
    pub method: Option<Method>,
    /// Whether the person opened the document, if the device says so.
    pub opened: Option<bool>,
    /// Last page of the document that was on screen, from 1.
    pub last_page: Option<u32>,
}

/// How the person pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Each term by itself.
    Tick,
    /// All of them at once.
    AgreeAll,
}

impl Method {
    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "tick" => Some(Self::Tick),
            "agree_all" => Some(Self::AgreeAll),
            _ => None,
        }
    }

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::AgreeAll => "agree_all",
        }
    }
}

/// How we know which text was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The device named the document.
    Presented,
    /// We take the language that the device asked for.
    Inferred,
}

impl Evidence {
    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Presented => "presented",
            Self::Inferred => "inferred",
        }
    }
}

/// A rule of the contract; `code` is what the wire calls a breach of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmissionRule {
    /// Two entries name the same term.
    DuplicateTerm,
    /// A term does not exist, is not effective yet, or is accepted outside of its market.
    UnknownTerm,
    /// A mandatory term is refused or withdrawn.
    MandatoryTermRefused,
    /// A decision was made more than 5 minutes ahead of our clock.
    ConsentedAtInFuture,
    /// A term has been replaced, and the grace of the replacement is over; or its document is retired.
    TermsChanged,
    /// A named document is not one of the term's.
    UnknownDocument,
    /// A mandatory term of the same type is neither in the submission nor agreed to before.
    MandatoryTermMissing,
}

impl SubmissionRule {
    /// The `code` of the answer.
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
    /// Index of the entry; none where a term is missing.
    pub entry: Option<usize>,
    /// The term that is meant.
    pub term: TermId,
    /// The newest term in effect in the place of an outdated one; none in that of a retired one.
    pub replaced_by: Option<TermId>,
}

/// The rule that a submission breaks, with all places that break it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The rule.
    pub rule: SubmissionRule,
    /// Never empty.
    pub faults: Vec<Violation>,
}

/// A decision as it will be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRecord {
    /// The decision as it was sent.
    pub entry: SubmittedDecision,
    /// SHA-256 of the exact document in the language shown, in lower-case hex.
    pub sha256: String,
    /// How we know which document it is.
    pub evidence: Evidence,
}

/// A submission that keeps every rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The decisions to record, in the order of the submission.
    pub entries: Vec<DecisionRecord>,
}

/// Checks all entries of somebody of this market; `before` are the person's decisions until now, `ranges` the
/// languages that the device asked for (used where an entry names no document).
///
/// # Errors
/// The first rule that is broken, with every decision that breaks it.
pub fn check(
    entries: Vec<SubmittedDecision>,
    catalog: &Catalog,
    market: Option<&Market>,
    before: &Decisions,
    ranges: &[&str],
    now: Instant,
) -> Result<Accepted, Refusal> {
    let mut seen = HashSet::new();
    refuse(&entries, SubmissionRule::DuplicateTerm, |entry| seen.insert(entry.term).then_some(()))?;
    refuse(&entries, SubmissionRule::UnknownTerm, |entry| catalog.get(entry.term).map(|_| ()))?;
    let term = |entry: &SubmittedDecision| catalog.get(entry.term);
    // Who has moved may still withdraw.
    refuse(&entries, SubmissionRule::UnknownTerm, |entry| {
        (!entry.accepted || Catalog::is_for(term(entry)?, market)).then_some(())
    })?;
    refuse(&entries, SubmissionRule::MandatoryTermRefused, |entry| {
        let is_asked =
            !catalog.is_retired(entry.term, now) && catalog.is_asked(term(entry)?, market, now);
        (entry.accepted || !term(entry)?.mandatory || !is_asked).then_some(())
    })?;
    refuse(&entries, SubmissionRule::ConsentedAtInFuture, |entry| {
        (entry.consented_at <= now.plus(AHEAD_MAX)).then_some(())
    })?;
    refuse(&entries, SubmissionRule::UnknownTerm, |entry| {
        catalog.is_effective(term(entry)?, now).then_some(())
    })?;
    refuse_outdated(&entries, catalog, now)?;
    refuse(&entries, SubmissionRule::UnknownDocument, |entry| {
        let known = entry
            .sha256
            .as_ref()
            .is_none_or(|sha256| term(entry).is_some_and(|t| t.has_document(sha256)));
        known.then_some(())
    })?;
    refuse_incomplete(&entries, catalog, market, before, now)?;
    let entries = entries.into_iter().filter_map(|entry| record(entry, catalog, ranges)).collect();
    Ok(Accepted { entries })
}

fn refuse(
    entries: &[SubmittedDecision],
    rule: SubmissionRule,
    mut keeps: impl FnMut(&SubmittedDecision) -> Option<()>,
) -> Result<(), Refusal> {
    let faults: Vec<Violation> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| keeps(entry).is_none())
        .map(|(i, entry)| Violation { entry: Some(i), term: entry.term, replaced_by: None })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(Refusal { rule, faults }) }
}

/// A replaced term is taken only in the grace of what replaced it, one whose document is retired not at
/// all; a withdrawal always.
fn refuse_outdated(
    entries: &[SubmittedDecision],
    catalog: &Catalog,
    now: Instant,
) -> Result<(), Refusal> {
    let faults: Vec<Violation> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.accepted)
        .filter_map(|(i, entry)| {
            if catalog.is_retired(entry.term, now) {
                return Some(Violation { entry: Some(i), term: entry.term, replaced_by: None });
            }
            let replacement = catalog.first_replacement(entry.term, now)?;
            let newest = catalog.newest_replacement(entry.term, now)?;
            let fault =
                Violation { entry: Some(i), term: entry.term, replaced_by: Some(newest.id) };
            (!replacement.is_in_grace(now)).then_some(fault)
        })
        .collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Refusal { rule: SubmissionRule::TermsChanged, faults })
    }
}

/// Only the types of which something is accepted are looked at, so that a pure withdrawal is
/// never blocked.
fn refuse_incomplete(
    entries: &[SubmittedDecision],
    catalog: &Catalog,
    market: Option<&Market>,
    before: &Decisions,
    now: Instant,
) -> Result<(), Refusal> {
    let accepted: Vec<&Term> = entries
        .iter()
        .filter(|entry| entry.accepted)
        .filter_map(|entry| catalog.get(entry.term))
        .collect();
    let types: Vec<TermType> = accepted.iter().map(|term| term.kind.clone()).collect();
    let faults: Vec<Violation> = catalog
        .in_effect_for(&types, market, now)
        .filter(|term| term.mandatory && !term.is_in_grace(now))
        .filter(|term| {
            !accepted.iter().any(|it| it.id == term.id) && !before.has_accepted(catalog, term)
        })
        .map(|term| Violation { entry: None, term: term.id, replaced_by: None })
        .collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Refusal { rule: SubmissionRule::MandatoryTermMissing, faults })
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

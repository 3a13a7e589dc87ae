//! What a transition of a restriction needs: statement, reasons, contact, times, and another person.

use std::collections::BTreeMap;

use super::context::{RestrictionContext, RestrictionRefusal};
use super::table::{REVIEW_MONTHS, RestrictionNeed, RestrictionTransition, STATEMENT_CHARS_MIN};
use super::{Contact, Restriction, RestrictionContent, RestrictionKind};
use crate::instant::Instant;
use crate::session::is_reachable;
use crate::terms::lookup_language;

pub(super) fn check_start(starts_at: Option<i64>, at: Instant) -> Result<(), RestrictionRefusal> {
    if starts_at.is_some_and(|start| start < at.millis()) {
        return Err(RestrictionRefusal::Field {
            pointer: "/starts_at",
            rule: "not be in the past",
        });
    }
    Ok(())
}

pub(super) fn check_end(content: &RestrictionContent, at: i64) -> Result<(), RestrictionRefusal> {
    let start = content.starts_at.unwrap_or(at);
    if content.ends_at.is_some_and(|end| end <= start) {
        return Err(RestrictionRefusal::Field { pointer: "/ends_at", rule: "be after the start" });
    }
    Ok(())
}

/// Checks the end against the kind and the start.
pub(super) fn check_times(
    content: &RestrictionContent,
    start: Instant,
) -> Result<(), RestrictionRefusal> {
    let error = |rule| Err(RestrictionRefusal::Field { pointer: "/ends_at", rule });
    match (content.kind, content.ends_at) {
        (RestrictionKind::Suspension, None) => error("have the end of the suspension"),
        (RestrictionKind::Termination, Some(_)) => error("be absent for a termination"),
        (_, Some(end)) if end <= start.millis() => error("be after the start"),
        _ => check_end(content, start.millis()),
    }
}

pub(super) fn check_needs(
    next: &Restriction,
    row: &RestrictionTransition,
    message: &str,
    context: &RestrictionContext<'_>,
) -> Result<(), RestrictionRefusal> {
    let content = &next.content;
    for need in row.needs {
        let (is_met, refusal) = match need {
            RestrictionNeed::OtherThanProposer => {
                (!context.is_proposer, RestrictionRefusal::OwnDecision)
            }
            RestrictionNeed::OtherThanImposer => {
                (!context.is_imposer, RestrictionRefusal::OwnDecision)
            }
            RestrictionNeed::Reasons => {
                (!content.reasons.is_empty(), RestrictionRefusal::ReasonsRequired)
            }
            RestrictionNeed::Statement => (
                has_statement(&content.statement, context.language),
                RestrictionRefusal::StatementRequired,
            ),
            RestrictionNeed::Contact => {
                (is_complete(&content.contact), RestrictionRefusal::ContactRequired)
            }
            RestrictionNeed::Message(least) => {
                (message.chars().count() >= *least, RestrictionRefusal::MessageTooShort)
            }
            RestrictionNeed::FirstReview if next.review.is_some() => {
                (false, RestrictionRefusal::Conflict)
            }
            RestrictionNeed::FirstReview => {
                let is_open = next.ended_at.is_none_or(|end| !is_too_late(end, context.at));
                (is_open, RestrictionRefusal::ContestClosed)
            }
            RestrictionNeed::OpenReview => {
                (next.open_review().is_some(), RestrictionRefusal::Conflict)
            }
        };
        if !is_met {
            return Err(refusal);
        }
    }
    Ok(())
}

/// Returns whether the text in the rider's language is long enough; without a language, any text.
fn has_statement(statement: &BTreeMap<String, String>, language: Option<&str>) -> bool {
    let is_long = |text: &str| text.trim().chars().count() >= STATEMENT_CHARS_MIN;
    match language {
        None => statement.values().any(|text| is_long(text)),
        Some(language) => {
            let texts: Vec<_> = statement.iter().collect();
            lookup_language(language, &texts, |(tag, _)| tag).is_some_and(|(_, text)| is_long(text))
        }
    }
}

fn is_complete(contact: &Contact) -> bool {
    !contact.name.trim().is_empty()
        && is_reachable(contact.email.as_deref(), contact.phone.as_deref())
}

/// Returns whether the months for a review have passed since the end.
fn is_too_late(end: i64, at: Instant) -> bool {
    let last = jiff::Timestamp::from_millisecond(end).ok().and_then(|end| {
        let months = jiff::Span::new().try_months(REVIEW_MONTHS).ok()?;
        end.to_zoned(jiff::tz::TimeZone::UTC).checked_add(months).ok()
    });
    last.is_some_and(|last| at.millis() > last.timestamp().as_millisecond())
}

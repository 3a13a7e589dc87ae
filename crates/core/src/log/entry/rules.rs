//! Rules for the members of an entry. They apply when an entry is written and when it is read, so
//! that everything that is written can be read.

use std::collections::BTreeSet;

use super::decision::{DecisionKind, DecisionTransition};
use super::history::{Chained, PersonErased, TermPublished, TermsOrdered};
use super::notice::NoticeOpened;
use super::notice_batch::{BATCH_MESSAGES_MAX, NoticeBatch};
use super::record::{Claim, Consent, Continuation, Submission};
use super::system::{SystemPublished, is_system_key};
use super::{Entry, EntryError};
use crate::instant::Instant;
use crate::log::checkpoint::Checkpoint;
use crate::log::hash::Hash;
use crate::log::note::Note;
use crate::terms::{is_language_tag, is_sha256};

const CONSENTS_MAX: usize = 100;
const ID_MAX: usize = 64;
const LOCALE_CHARS_MAX: usize = 35;
const APP_CHARS_MAX: usize = 200;
const AMR_MAX: usize = 8;
const AMR_BYTES_MAX: usize = 32;
const STATUS_CHARS_MAX: usize = 32;
const SYSTEM_CHARS_MAX: usize = 200;
const LAST_PAGE_MAX: u32 = 10_000;
/// The largest integer that all JSON readers represent exactly.
const TERM_ID_MAX: i64 = (1 << 53) - 1;

pub(super) fn check(entry: &Entry) -> Result<(), EntryError> {
    entry.id().map_or(Ok(()), |id| check_id("id", id))?;
    check_own_instant("recorded_at", entry.recorded_at())?;
    match entry {
        Entry::Submission(submission) => check_submission(submission),
        Entry::Claim(claim) => check_claim(claim),
        Entry::Continuation(continuation) => check_continuation(continuation),
        Entry::TermPublished(published) => check_published(published),
        Entry::TermCancelled(cancelled) => {
            check_own_instant("cancelled_at", &cancelled.cancelled_at)?;
            check_term_id(cancelled.terms_and_conditions_id)
        }
        Entry::TermRetired(retired) => {
            check_own_instant("retired_at", &retired.retired_at)?;
            check_term_id(retired.terms_and_conditions_id)
        }
        Entry::TermReinstated(reinstated) => check_term_id(reinstated.terms_and_conditions_id),
        Entry::TermsOrdered(ordered) => check_ordered(ordered),
        Entry::PersonErased(erased) => check_erased(erased),
        Entry::Chained(chained) => check_chained(chained),
        Entry::LogExtended(_) => Ok(()),
        Entry::Decision(decision) => check_decision(decision),
        Entry::SystemPublished(published) => check_system(published),
        Entry::NoticeBatch(batch) => check_batch(batch),
        Entry::NoticeOpened(opened) => check_opened(opened),
    }
}

fn check_decision(decision: &DecisionTransition) -> Result<(), EntryError> {
    let is_by = matches!(decision.by.kind.as_str(), "service" | "human" | "rider" | "lapse");
    require(is_by, "by", "by a service, a human, the rider or a lapse")?;
    let is_colleague = matches!(decision.by.kind.as_str(), "service" | "human");
    require(is_colleague || decision.by.reference.is_none(), "by", "without a reference")?;
    decision.by.reference.as_deref().map_or(Ok(()), |text| check_hash("by", text))?;
    check_hash("commitment", &decision.commitment)?;
    check_hash("subject", &decision.subject)?;
    let objects = (decision.evaluation.as_deref(), decision.restriction.as_deref());
    match (decision.kind, objects) {
        (DecisionKind::Evaluation, (Some(object), None)) => check_hash("evaluation", object)?,
        (DecisionKind::Restriction, (None, Some(object))) => check_hash("restriction", object)?,
        _ => require(false, "type", "that of its object")?,
    }
    decision.from.as_deref().map_or(Ok(()), |text| check_status("from", text))?;
    check_status("to", &decision.to)?;
    if let Some(system) = &decision.system {
        let is_text = |text: &str| (1..=SYSTEM_CHARS_MAX).contains(&text.chars().count());
        let is_system = is_text(&system.name) && is_text(&system.version);
        require(is_system, "system", "a name and a version of 1 to 200 characters")?;
    }
    require((1..=TERM_ID_MAX).contains(&decision.version), "version", "from 1 to 2^53 - 1")
}

fn check_status(member: &'static str, text: &str) -> Result<(), EntryError> {
    let is_part = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    let is_status = (1..=STATUS_CHARS_MAX).contains(&text.len()) && text.bytes().all(is_part);
    require(is_status, member, "1 to 32 upper-case letters or _")
}

fn check_system(published: &SystemPublished) -> Result<(), EntryError> {
    check_own_instant("effective_from", &published.effective_from)?;
    require(is_system_key(&published.key), "key", "the key of an automated system")?;
    check_hash("sha256", &published.sha256)?;
    require((1..=TERM_ID_MAX).contains(&published.version), "version", "from 1 to 2^53 - 1")
}

fn check_batch(batch: &NoticeBatch) -> Result<(), EntryError> {
    check_id("campaign", &batch.campaign)?;
    let is_count =
        usize::try_from(batch.count).is_ok_and(|n| (1..=BATCH_MESSAGES_MAX).contains(&n));
    require(is_count, "count", "from 1 to 1000")?;
    check_hash("root", &batch.root)?;
    require((0..=TERM_ID_MAX).contains(&batch.step), "step", "from 0 to 2^53 - 1")
}

fn check_opened(opened: &NoticeOpened) -> Result<(), EntryError> {
    let is_locale = |text: &str| text == "und" || is_language_tag(text);
    let is_locale = opened
        .locale
        .as_deref()
        .is_none_or(|text| text.chars().count() <= LOCALE_CHARS_MAX && is_locale(text));
    require(is_locale, "locale", "a language tag of at most 35 characters")?;
    check_own_instant("opened_at", &opened.opened_at)?;
    check_hash("sha256", &opened.sha256)?;
    check_hash("subject", &opened.subject)?;
    check_term_id(opened.terms_and_conditions_id)
}

fn check_published(published: &TermPublished) -> Result<(), EntryError> {
    check_term_id(published.terms_and_conditions_id)?;
    published.instead_of.map_or(Ok(()), check_term_id)?;
    check_own_instant("effective_from", &published.effective_from)?;
    let grace_until = published.grace_until.as_deref();
    grace_until.map_or(Ok(()), |text| check_own_instant("grace_until", text))?;
    check_market(published.market.as_deref())?;
    require(is_seal(&published.seal), "seal", "32 bytes in base64")?;
    require(!published.sha256.is_empty(), "sha256", "of at least one language")?;
    for (locale, sha256) in &published.sha256 {
        require(is_language_tag(locale), "sha256", "by language")?;
        check_hash("sha256", sha256)?;
    }
    let has_each_language = published.document_seals.keys().eq(published.sha256.keys());
    let are_seals = published.document_seals.values().all(|text| is_seal(text));
    require(
        has_each_language && are_seals,
        "document_seals",
        "32 bytes in base64 for each language",
    )?;
    published.written_by.iter().try_for_each(|text| check_hash("written_by", text))?;
    published.approved_by.iter().try_for_each(|text| check_hash("approved_by", text))
}

fn check_market(code: Option<&str>) -> Result<(), EntryError> {
    let is_code = |text: &str| {
        (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    require(code.is_none_or(is_code), "market", "the code of a market")
}

fn check_ordered(ordered: &TermsOrdered) -> Result<(), EntryError> {
    let mut terms = BTreeSet::new();
    for &(term, place) in &ordered.places {
        check_term_id(term)?;
        require((-TERM_ID_MAX..=TERM_ID_MAX).contains(&place), "places", "up to 2^53 - 1")?;
        require(terms.insert(term), "places", "one for each term")?;
    }
    Ok(())
}

fn check_erased(erased: &PersonErased) -> Result<(), EntryError> {
    erased.subjects.iter().try_for_each(|subject| check_hash("subjects", subject))
}

fn check_chained(chained: &Chained) -> Result<(), EntryError> {
    require((0..=TERM_ID_MAX).contains(&chained.count), "count", "from 0 to 2^53 - 1")?;
    check_hash("hash", &chained.hash)
}

fn is_seal(text: &str) -> bool {
    Hash::from_base64(text).is_some()
}

fn check_term_id(id: i64) -> Result<(), EntryError> {
    require((0..=TERM_ID_MAX).contains(&id), "terms_and_conditions_id", "from 0 to 2^53 - 1")
}

fn check_submission(submission: &Submission) -> Result<(), EntryError> {
    check_amr(submission.amr.as_deref())?;
    check_hash("subject", &submission.subject)?;
    submission.continues.as_deref().map_or(Ok(()), |id| check_id("continues", id))?;
    let is_within =
        |text: &Option<String>, max| text.as_ref().is_none_or(|text| text.chars().count() <= max);
    require(is_within(&submission.locale, LOCALE_CHARS_MAX), "locale", "at most 35 characters")?;
    check_market(submission.market.as_deref())?;
    require(is_within(&submission.app, APP_CHARS_MAX), "app", "at most 200 characters")?;
    submission.app_sha256.as_deref().map_or(Ok(()), |text| check_hash("app_sha256", text))?;
    let offset = submission.clock_offset_ms.unwrap_or(0);
    let is_exact = (-TERM_ID_MAX..=TERM_ID_MAX).contains(&offset);
    require(is_exact, "clock_offset_ms", "between -(2^53 - 1) and 2^53 - 1")?;
    let is_instant = submission.device_at.as_deref().is_none_or(|at| Instant::parse(at).is_ok());
    require(is_instant, "device_at", "an RFC 3339 instant")?;
    let is_one = submission.app.is_none() || submission.app_sha256.is_none();
    require(is_one, "app", "either itself or its hash")?;
    if !(1..=CONSENTS_MAX).contains(&submission.consents.len()) {
        return Err(EntryError::ConsentCount);
    }
    let mut terms = BTreeSet::new();
    for consent in &submission.consents {
        check_consent(consent)?;
        if !terms.insert(consent.terms_and_conditions_id) {
            return Err(EntryError::DuplicateTerm(consent.terms_and_conditions_id));
        }
    }
    Ok(())
}

/// Checks only the form of the words. Their meaning is not checked, because later versions may add
/// words.
fn check_amr(amr: Option<&[String]>) -> Result<(), EntryError> {
    let is_word = |word: &String| {
        let is_word_byte =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        (1..=AMR_BYTES_MAX).contains(&word.len()) && word.bytes().all(is_word_byte)
    };
    let is_list =
        |words: &[String]| (1..=AMR_MAX).contains(&words.len()) && words.iter().all(is_word);
    require(amr.is_none_or(is_list), "amr", "1 to 8 words of lower-case letters, digits and _")
}

fn check_consent(consent: &Consent) -> Result<(), EntryError> {
    check_term_id(consent.terms_and_conditions_id)?;
    check_hash("sha256", &consent.sha256)?;
    let instant = Instant::parse(&consent.consented_at).is_ok();
    require(instant, "consented_at", "an RFC 3339 instant")?;
    let last_page = consent.last_page.is_none_or(|page| page <= LAST_PAGE_MAX);
    require(last_page, "last_page", "from 0 to 10000")
}

fn check_claim(claim: &Claim) -> Result<(), EntryError> {
    check_hash("subject", &claim.subject)?;
    check_hash("claimed_subject", &claim.claimed_subject)?;
    check_id("claimed_entry", &claim.claimed_entry)
}

fn check_continuation(continuation: &Continuation) -> Result<(), EntryError> {
    let note = Note::parse(&continuation.checkpoint);
    let is_checkpoint = note.is_ok_and(|note| Checkpoint::parse(note.text()).is_ok());
    require(is_checkpoint, "checkpoint", "a signed checkpoint")
}

/// Checks an instant that the server wrote, which has exactly one spelling: UTC with milliseconds.
fn check_own_instant(member: &'static str, text: &str) -> Result<(), EntryError> {
    let is_canonical = Instant::parse(text).is_ok_and(|instant| instant.to_string() == text);
    require(is_canonical, member, "an instant in UTC with milliseconds")
}

fn check_id(member: &'static str, id: &str) -> Result<(), EntryError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_id = (1..=ID_MAX).contains(&id.len()) && id.bytes().all(allowed);
    require(is_id, member, "1 to 64 letters, digits, - or _")
}

fn check_hash(member: &'static str, text: &str) -> Result<(), EntryError> {
    require(is_sha256(text), member, "64 lower-case hex digits")
}

fn require(holds: bool, member: &'static str, rule: &'static str) -> Result<(), EntryError> {
    if holds { Ok(()) } else { Err(EntryError::Member { member, rule }) }
}

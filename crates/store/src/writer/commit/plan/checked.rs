//! The rules of a submission, checked against what the person decided before.

use musette_core::markets::Market;
use musette_core::terms::{Decisions, SubmissionRefusal, SubmissionRule, ValidSubmission, check};

use crate::writer::Submission;

pub(super) fn check_after(
    submission: &Submission,
    market: Option<&Market>,
    before: &Decisions,
) -> Result<ValidSubmission, SubmissionRefusal> {
    let ranges: Vec<&str> = submission.ranges.iter().map(String::as_str).collect();
    let Submission { entries, catalog, now, .. } = submission;
    check(entries.clone(), catalog, market, before, &ranges, *now)
}

pub(super) fn is_incomplete(submission: &Submission, market: Option<&Market>) -> bool {
    let refusal = check_after(submission, market, &Decisions::default()).err();
    refusal.is_some_and(|refusal| refusal.rule == SubmissionRule::MandatoryTermMissing)
}

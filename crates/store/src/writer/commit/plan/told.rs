//! The events of submissions.

use musette_core::instant::Instant;
use musette_core::terms::{DecisionRecord, UserType};

use super::Plan;
use crate::outbox::{Decided, DecidedTerm, NewEvent};
use crate::writer::{EarlierReceipt, Submission, Submitter};

impl Plan<'_> {
    /// Adds the events of a submission. Call it before its decisions are added to the earlier ones.
    pub(super) fn add_events(
        &mut self,
        submission: &Submission,
        person: &str,
        records: &[DecisionRecord],
        at: Instant,
    ) {
        let (user_type, user_id) = match &submission.submitter {
            Submitter::Rider { subject } => {
                (UserType::Rider, self.riders.get(subject).map(|rider| rider.user_id.clone()))
            }
            Submitter::Applicant { .. } => (UserType::Applicant, None),
        };
        let (entry_id, user_type) = (submission.entry_id.as_str(), user_type.as_str());
        let mut event = |kind, consents: &[DecidedTerm]| {
            let data = Decided { entry_id, user_type, consents };
            let event = NewEvent::new(kind, at, &data).caused_by(&submission.span);
            self.events.push(NewEvent { user_id: user_id.clone(), ..event });
        };
        let decided = |record: &DecisionRecord| DecidedTerm {
            term_id: record.entry.term,
            accepted: record.entry.accepted,
        };
        event("consent.recorded", &records.iter().map(decided).collect::<Vec<_>>());
        let Some(earlier) = self.earlier.get(person) else { return };
        let is_withdrawal = |record: &&DecisionRecord| {
            let term = submission.catalog.get(record.entry.term);
            !record.entry.accepted
                && term.is_some_and(|term| earlier.has_accepted(&submission.catalog, term))
        };
        let withdrawn: Vec<DecidedTerm> =
            records.iter().filter(is_withdrawal).map(decided).collect();
        if !withdrawn.is_empty() {
            event("consent.withdrawn", &withdrawn);
        }
    }
}

/// Returns whether it refuses anything that the person may have accepted before.
pub(super) fn refuses(submission: &Submission) -> bool {
    let has_past = match &submission.submitter {
        Submitter::Rider { .. } => true,
        Submitter::Applicant { .. } => continues(submission).is_some(),
    };
    has_past && submission.entries.iter().any(|entry| !entry.accepted)
}

pub(super) fn continues(submission: &Submission) -> Option<&EarlierReceipt> {
    match &submission.submitter {
        Submitter::Applicant { continues, .. } => continues.as_ref(),
        Submitter::Rider { .. } => None,
    }
}

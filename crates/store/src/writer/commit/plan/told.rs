//! The events of submissions.

use musette_core::instant::Instant;
use musette_core::terms::{DecisionRecord, UserType};

use super::Plan;
use crate::outbox::{Decided, DecidedTerm, NewEvent};
use crate::writer::{Continues, Submission, Submitter};

impl Plan<'_> {
    /// The events of a submission, before its decisions are among the earlier ones.
    pub(super) fn tell(
        &mut self,
        submission: &Submission,
        person: &str,
        records: &[DecisionRecord],
        at: Instant,
    ) {
        let (user_type, user_id) = match &submission.submitter {
            Submitter::Rider { subject } => {
                (UserType::Rider, self.riders.get(subject).map(|it| it.user_id.clone()))
            }
            Submitter::Applicant { .. } => (UserType::Applicant, None),
        };
        let (entry_id, user_type) = (submission.entry_id.as_str(), user_type.as_str());
        let mut event = |kind, consents: &[DecidedTerm]| {
            let data = Decided { entry_id, user_type, consents };
            let event = NewEvent::new(kind, at, &data).caused_by(&submission.span);
            self.events.push(NewEvent { user_id: user_id.clone(), ..event });
        };
        let decided = |it: &DecisionRecord| DecidedTerm {
            term_id: it.entry.term,
            accepted: it.entry.accepted,
        };
        event("consent.recorded", &records.iter().map(decided).collect::<Vec<_>>());
        let Some(before) = self.before.get(person) else { return };
        let had = |it: &&DecisionRecord| {
            let term = submission.catalog.get(it.entry.term);
            !it.entry.accepted
                && term.is_some_and(|term| before.has_accepted(&submission.catalog, term))
        };
        let withdrawn: Vec<DecidedTerm> = records.iter().filter(had).map(decided).collect();
        if !withdrawn.is_empty() {
            event("consent.withdrawn", &withdrawn);
        }
    }
}

/// Whether it refuses anything that its sender may have accepted before.
pub(super) fn refuses(submission: &Submission) -> bool {
    let has_past = match &submission.submitter {
        Submitter::Rider { .. } => true,
        Submitter::Applicant { .. } => continues(submission).is_some(),
    };
    has_past && submission.entries.iter().any(|entry| !entry.accepted)
}

pub(super) fn continues(submission: &Submission) -> Option<&Continues> {
    match &submission.submitter {
        Submitter::Applicant { continues, .. } => continues.as_ref(),
        Submitter::Rider { .. } => None,
    }
}

//! The expected state of a store, and what each operation makes of it.

use std::collections::BTreeMap;

use musette_core::decisions::{
    By, Caller, Evaluation, Message, Refusal, Rules, Side, Status, judge_message,
};
use musette_core::instant::Instant;

use super::super::NOW;
use super::expected::{Call, lapsed};
use super::operations::{Operation, Outcome, rendered};
use crate::{Action, Author, Change, ChangeOutcome, NewEvaluation, NewReply, ReviewRule};

const DUE_SOON_MS: i64 = 4 * 86_400_000;

/// The expected state of a store.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct World {
    /// The instant of the newest entry of the log. Entries never get an earlier one.
    log: i64,
    pub(super) rules: Vec<ReviewRule>,
    /// Subjects by user ID.
    pub(super) accounts: BTreeMap<String, String>,
    pub(super) evaluations: BTreeMap<String, Known>,
    replies: BTreeMap<(String, String), Remembered>,
    /// Number of events by type.
    pub(super) events: BTreeMap<&'static str, u64>,
}

/// The expected state of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) person: String,
    body_sha256: String,
    pub(super) state: Evaluation,
    /// The number of transitions and messages.
    pub(super) records: usize,
    /// Subjects of the people who made transitions.
    actors: Vec<String>,
    reminders: u8,
}

#[derive(Clone, Debug, PartialEq)]
struct Remembered {
    request_sha256: String,
    person: Option<String>,
    body: String,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            log: NOW.millis(),
            rules: Vec::new(),
            accounts: BTreeMap::new(),
            evaluations: BTreeMap::new(),
            replies: BTreeMap::new(),
            events: BTreeMap::new(),
        }
    }

    /// Applies an operation, which takes place at once.
    pub(super) fn apply(&mut self, operation: &Operation, now: i64) -> Outcome {
        let at = self.log.max(now);
        match operation {
            Operation::Change { changes, reply } => self.change(changes, reply.as_ref(), now),
            Operation::Erase(user) => {
                let Some(subject) = self.accounts.remove(user) else {
                    return Outcome::Erased(false);
                };
                self.log = at;
                self.evaluations.retain(|_, evaluation| evaluation.person != subject);
                self.replies.retain(|(scope, _), reply| {
                    *scope != subject && reply.person.as_ref() != Some(&subject)
                });
                Outcome::Erased(true)
            }
            Operation::Read(id) => {
                self.settle_all(now);
                let evaluation = self.evaluations.get(id);
                Outcome::Read(evaluation.map(|evaluation| Box::new(evaluation.state.clone())))
            }
            Operation::Remind => Outcome::Reminded(self.remind(now)),
        }
    }

    /// Returns all evaluations, by ID.
    pub(super) fn states(&self) -> Vec<Evaluation> {
        self.evaluations.values().map(|evaluation| evaluation.state.clone()).collect()
    }

    fn count(&mut self, event: &'static str) {
        *self.events.entry(event).or_default() += 1;
    }

    fn settle_all(&mut self, now: i64) {
        let at = self.log.max(now);
        for id in self.evaluations.keys().cloned().collect::<Vec<_>>() {
            self.settle(&id, now, at);
        }
    }

    /// Applies the passing of time, which is an entry if it makes a version.
    fn settle(&mut self, id: &str, now: i64, at: i64) {
        let Some(evaluation) = self.evaluations.get_mut(id) else { return };
        let Some(next) = lapsed(&evaluation.state, now) else { return };
        let is_version = next.version != evaluation.state.version;
        evaluation.state = next;
        if is_version {
            evaluation.records += 1;
            self.log = at;
            self.count("evaluation.changed");
        }
        self.count("evaluation.finalised");
    }

    fn remind(&mut self, now: i64) -> u64 {
        let mut count = 0;
        for (event, before, reminders) in
            [("evaluation.overdue", now, 2), ("evaluation.due_soon", now + DUE_SOON_MS, 1)]
        {
            let reminded = self.evaluations.values_mut().filter(|evaluation| {
                evaluation.reminders < reminders
                    && evaluation.state.answer_due.is_some_and(|due| due < before)
            });
            let reminded =
                reminded.map(|evaluation| evaluation.reminders = reminders).count() as u64;
            *self.events.entry(event).or_default() += reminded;
            count += reminded;
        }
        count
    }

    fn change(&mut self, changes: &[Change], reply: Option<&NewReply>, now: i64) -> Outcome {
        let place = reply.map(|new| (new.scope.clone(), new.key.clone()));
        let earlier = place.as_ref().and_then(|place| self.replies.get(place));
        if let (Some(earlier), Some(new)) = (earlier, reply) {
            return if earlier.request_sha256 == new.request_sha256 {
                Outcome::Replayed(earlier.body.clone())
            } else {
                Outcome::KeyReused
            };
        }
        let at = self.log.max(now);
        let outcomes: Vec<ChangeOutcome> =
            changes.iter().map(|change| self.change_one(change, now, at)).collect();
        if let (Some(place), Some(new), Some((_, body))) = (place, reply, rendered(&outcomes)) {
            let (request_sha256, person) = (new.request_sha256.clone(), new.person.clone());
            self.replies.insert(place, Remembered { request_sha256, person, body });
        }
        Outcome::Changed(outcomes)
    }

    fn change_one(&mut self, change: &Change, now: i64, at: i64) -> ChangeOutcome {
        let id = &change.id;
        self.settle(id, now, at);
        if let Action::Create(new) = &change.action {
            return self.create(id, new, &change.author, at);
        }
        let Some(evaluation) = self.evaluations.get(id) else { return ChangeOutcome::Unknown };
        let before = evaluation.state.clone();
        let subject = change.author.subject.clone();
        let verdict = match &change.action {
            Action::Transition(request) => {
                let is_own = subject.as_ref().is_some_and(|own| evaluation.actors.contains(own));
                let rules = self.rules_of(before.market.as_deref());
                let (evaluation, caller) = (&before, &change.author.caller);
                Call { evaluation, caller, request, is_own, rules, at }.verdict()
            }
            Action::Message { id, text } => {
                let is_rider = change.author.caller == Caller::Rider;
                let from = if is_rider { Side::Rider } else { Side::Reviewer };
                let message = Message { id: id.clone(), from, message: text.clone(), at };
                judge_message(&before, message)
            }
            Action::Create(_) => unreachable!("created above"),
        };
        let next = match verdict {
            Ok(next) => next,
            Err(refusal) => return ChangeOutcome::Refused(refusal, Box::new(before)),
        };
        self.log = at;
        let is_message = matches!(change.action, Action::Message { .. });
        if is_message {
            self.count("evaluation.message");
        } else {
            self.count_transition(&before, &next);
        }
        let evaluation = self.evaluations.get_mut(id).expect("it exists");
        evaluation.records += 1;
        if next.version == before.version + 2 {
            evaluation.records += 1;
        }
        if !is_message {
            let is_person = matches!(change.author.caller, Caller::Person { .. });
            evaluation.actors.extend(subject.filter(|_| is_person));
            if next.status == Status::InDiscussion {
                evaluation.reminders = 0;
            }
        }
        evaluation.state = next.clone();
        ChangeOutcome::Changed(Box::new(next))
    }

    /// A withdrawal may be followed by a lapse at once.
    fn count_transition(&mut self, before: &Evaluation, next: &Evaluation) {
        for _ in before.version..next.version {
            self.count("evaluation.changed");
        }
        if next.finalised_at.is_some() {
            self.count("evaluation.finalised");
        }
    }

    fn create(&mut self, id: &str, new: &NewEvaluation, author: &Author, at: i64) -> ChangeOutcome {
        if let Some(evaluation) = self.evaluations.get(id) {
            let state = Box::new(evaluation.state.clone());
            return if evaluation.body_sha256 == new.body_sha256 {
                ChangeOutcome::Existing(state)
            } else {
                ChangeOutcome::Refused(Refusal::Conflict, state)
            };
        }
        let Some(person) = self.accounts.get(&new.user_id).cloned() else {
            return ChangeOutcome::UnknownUser;
        };
        let is_key = author.caller == Caller::Key;
        let by = if is_key { By::Service } else { By::Human { role: "dispatcher".into() } };
        let state = Evaluation {
            id: id.to_owned(),
            user_id: new.user_id.clone(),
            market: new.market.clone(),
            subject: new.subject.clone(),
            status: Status::Pending,
            version: 1,
            figures: musette_core::decisions::Figures::default(),
            reasons: Vec::new(),
            system: new.system.clone(),
            statement: None,
            decided_by: by,
            decided_at: at,
            contest_until: None,
            answer_due: None,
            finalised_at: None,
            discussion: None,
            rider_rounds: 0,
            reviewer_rounds: 0,
        };
        if is_key && new.system.is_none() {
            return ChangeOutcome::Refused(Refusal::SystemRequired, Box::new(state));
        }
        self.log = at;
        self.count("evaluation.created");
        let evaluation = Known {
            person,
            body_sha256: new.body_sha256.clone(),
            state: state.clone(),
            records: 1,
            actors: author.subject.clone().filter(|_| !is_key).into_iter().collect(),
            reminders: 0,
        };
        self.evaluations.insert(id.to_owned(), evaluation);
        ChangeOutcome::Created(Box::new(state))
    }

    /// Returns the rules of the market, or of all others.
    fn rules_of(&self, market: Option<&str>) -> Rules {
        let of = |code: &str| self.rules.iter().find(|rule| rule.market == code);
        let rule = market.and_then(of).or_else(|| of("*"));
        rule.map_or(Rules { contest_days: 7, answer_days: 14 }, |rule| Rules {
            contest_days: rule.contest_days,
            answer_days: rule.answer_days,
        })
    }

    /// Returns the evaluations that a read at this time finds.
    pub(super) fn at_rest(&mut self, now: Instant) -> &BTreeMap<String, Known> {
        self.settle_all(now.millis());
        &self.evaluations
    }
}

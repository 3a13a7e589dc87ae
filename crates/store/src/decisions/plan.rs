//! Applies changes to the rows that were read under the lock, and collects what must be written.

use std::collections::{HashMap, HashSet};

use musette_core::decisions::{
    By, Caller, Evaluation, Message, Refusal, Request, Settled, Side, Status, System, canonical,
    commitment, judge, judge_message, settle,
};
use musette_core::instant::Instant;
use musette_core::log::subject::SubjectKey;
use serde_json::{Value, json};

use super::RecordRow;
use super::loaded::{Answers, Loaded};
use super::{Action, Author, Change, ChangeOutcome, NewEvaluation, Randomness};
use crate::approvals::independence::Tie;
use crate::db::error::StoreError;
use crate::log::append::named;
use crate::log::{NewEntry, corrupt};
use crate::outbox::NewEvent;

/// Everything that the changes need.
pub(super) struct Plan {
    pub(super) evaluations: HashMap<String, Loaded>,
    /// Subject and key by user ID.
    pub(super) users: HashMap<String, (String, SubjectKey)>,
    /// The reference of each author in the log, by [`Author::subject`].
    pub(super) references: HashMap<String, String>,
    pub(super) rules: super::rules::RuleSet,
    /// Which accounts gave access to which, to recognise one person with two accounts.
    pub(super) ties: Vec<Tie>,
    pub(super) random: Randomness,
    pub(super) now: Instant,
    /// The instant of the log's next entry.
    pub(super) at: Instant,
    pub(super) entries: Vec<NewEntry>,
    /// The rows of the entries, without their places in the log.
    pub(super) records: Vec<RecordRow>,
    pub(super) events: Vec<NewEvent>,
    /// IDs of the evaluations to write, in order.
    pub(super) changed: Vec<String>,
    /// Times to answer with their markets.
    pub(super) answered: Vec<(Option<String>, i64)>,
}

/// What a record is about.
struct Recorded<'a> {
    id: &'a str,
    from: Option<Status>,
    author: Option<&'a Author>,
    system: Option<&'a System>,
    /// The message that is new in it.
    message: Option<&'a Message>,
    is_message: bool,
    by: By,
}

impl Plan {
    /// Applies one change.
    pub(super) fn apply(&mut self, change: &Change) -> Result<ChangeOutcome, StoreError> {
        self.settle(&change.id, self.now)?;
        match &change.action {
            Action::Create(new) => self.create(&change.id, new, &change.author),
            Action::Transition(request) => self.transition(&change.id, request, &change.author),
            Action::Message { id, text } => self.message(&change.id, id, text, &change.author),
        }
    }

    /// Writes what the passing of time has changed.
    pub(super) fn settle(&mut self, id: &str, now: Instant) -> Result<(), StoreError> {
        let Some(loaded) = self.evaluations.get_mut(id) else { return Ok(()) };
        let from = loaded.state.status;
        let is_lapse = match settle(&loaded.state, now) {
            Settled::Unchanged => return Ok(()),
            Settled::Final(next) => {
                loaded.state = *next;
                false
            }
            Settled::Lapsed(next) => {
                loaded.state = *next;
                true
            }
        };
        if is_lapse {
            self.record(&Recorded {
                id,
                from: Some(from),
                author: None,
                system: None,
                message: None,
                is_message: false,
                by: By::Lapse,
            })?;
            self.changed_event(id, from);
        }
        self.finalised(id);
        self.touch(id);
        Ok(())
    }

    fn touch(&mut self, id: &str) {
        if !self.changed.iter().any(|changed| changed == id) {
            self.changed.push(id.to_owned());
        }
    }

    fn create(
        &mut self,
        id: &str,
        new: &NewEvaluation,
        author: &Author,
    ) -> Result<ChangeOutcome, StoreError> {
        if let Some(loaded) = self.evaluations.get(id) {
            let state = Box::new(loaded.state.clone());
            let is_same = loaded.body_sha256 == new.body_sha256;
            return Ok(if is_same {
                ChangeOutcome::Existing(state)
            } else {
                ChangeOutcome::Refused(Refusal::Conflict, state)
            });
        }
        let Some((person, key)) = self.users.get(&new.user_id).cloned() else {
            return Ok(ChangeOutcome::UnknownUser);
        };
        let by = match author.caller {
            Caller::Key => By::Service,
            _ => By::Human { role: "dispatcher".into() },
        };
        let state = Evaluation::create(
            id.to_owned(),
            new.user_id.clone(),
            new.market.clone(),
            new.subject.clone(),
            new.system.clone(),
            by.clone(),
            self.at,
        );
        if author.caller == Caller::Key && new.system.is_none() {
            return Ok(ChangeOutcome::Refused(Refusal::SystemRequired, Box::new(state)));
        }
        let loaded = Loaded {
            person,
            body_sha256: new.body_sha256.clone(),
            created_at: self.at.millis(),
            reminded: 0,
            records: 0,
            answers: Answers::default(),
            key,
            state,
            actors: HashSet::new(),
        };
        self.evaluations.insert(id.to_owned(), loaded);
        self.record(&Recorded {
            id,
            from: None,
            author: Some(author),
            system: new.system.as_ref(),
            message: None,
            is_message: false,
            by,
        })?;
        self.event("evaluation.created", id, json!({}));
        self.touch(id);
        Ok(self.evaluations.get(id).map_or(ChangeOutcome::Unknown, |loaded| {
            ChangeOutcome::Created(Box::new(loaded.state.clone()))
        }))
    }

    fn transition(
        &mut self,
        id: &str,
        request: &Request,
        author: &Author,
    ) -> Result<ChangeOutcome, StoreError> {
        let Some(loaded) = self.evaluations.get_mut(id) else { return Ok(ChangeOutcome::Unknown) };
        let before = loaded.state.clone();
        let is_own = author.key.is_none()
            && author.subject.as_ref().is_some_and(|own| loaded.is_of(own, &self.ties));
        let rules = self.rules.of_market(before.market.as_deref());
        let next = match judge(&before, &author.caller, request, is_own, rules, self.at) {
            Ok(next) => next,
            Err(refusal) => return Ok(ChangeOutcome::Refused(refusal, Box::new(before))),
        };
        if next.status == Status::InDiscussion {
            loaded.reminded = 0;
        }
        let message = added_message(&before, &next).cloned();
        loaded.state = next.clone();
        if let Some(answer) = answered_after(&before, &next) {
            loaded.answers.add(&before, &next, answer);
            self.answered.push((next.market.clone(), answer));
        }
        self.record(&Recorded {
            id,
            from: Some(before.status),
            author: Some(author),
            system: request.system.as_ref().filter(|_| author.subject.is_some()),
            message: message.as_ref(),
            is_message: false,
            by: next.decided_by.clone(),
        })?;
        self.changed_event(id, before.status);
        if next.finalised_at.is_some() {
            self.finalised(id);
        }
        self.touch(id);
        // After a withdrawal the time to contest may have passed meanwhile.
        self.settle(id, self.at)?;
        Ok(self.evaluations.get(id).map_or(ChangeOutcome::Unknown, |loaded| {
            ChangeOutcome::Changed(Box::new(loaded.state.clone()))
        }))
    }

    fn message(
        &mut self,
        id: &str,
        message_id: &str,
        text: &str,
        author: &Author,
    ) -> Result<ChangeOutcome, StoreError> {
        let at = self.at.millis();
        let Some(loaded) = self.evaluations.get_mut(id) else { return Ok(ChangeOutcome::Unknown) };
        let (from, by) = match author.caller {
            Caller::Rider => (Side::Rider, By::Rider),
            _ => (Side::Reviewer, By::Human { role: "reviewer".into() }),
        };
        let message = Message { id: message_id.to_owned(), from, message: text.to_owned(), at };
        match judge_message(&loaded.state, message.clone()) {
            Ok(next) => loaded.state = next,
            Err(refusal) => {
                return Ok(ChangeOutcome::Refused(refusal, Box::new(loaded.state.clone())));
            }
        }
        let state = loaded.state.clone();
        self.record(&Recorded {
            id,
            from: Some(Status::InDiscussion),
            author: Some(author),
            system: None,
            message: Some(&message),
            is_message: true,
            by,
        })?;
        self.event("evaluation.message", id, json!({"from": from.as_str()}));
        self.touch(id);
        Ok(ChangeOutcome::Changed(Box::new(state)))
    }

    /// Adds the entry and the row of the current state, or of a message in it.
    fn record(&mut self, recorded: &Recorded<'_>) -> Result<(), StoreError> {
        let Some(loaded) = self.evaluations.get_mut(recorded.id) else { return Ok(()) };
        let entry_id = (self.random.uuid)();
        let state = &loaded.state;
        let mut decided = state.decided(&entry_id, recorded.from, recorded.system);
        decided.by = recorded.by.kind();
        let subject = recorded.author.and_then(|author| author.subject.as_ref());
        decided.by_ref = subject.and_then(|subject| self.references.get(subject).cloned());
        let record: Value = match recorded.message {
            Some(message) if recorded.is_message => {
                state.message_record(&decided, &recorded.by, message)
            }
            message => state.record(&decided, message),
        };
        let salt = (self.random.bytes)();
        let hash = commitment(&salt, &record).map_err(corrupt)?;
        self.entries.push(named(&decided.entry(&loaded.key, hash, self.at), None)?);
        loaded.records += 1;
        if !recorded.is_message {
            loaded.actors.extend(subject.cloned());
        }
        self.records.push(RecordRow {
            evaluation: recorded.id.to_owned(),
            position: loaded.records,
            person: loaded.person.clone(),
            version: state.version,
            is_message: recorded.is_message,
            actor: subject.cloned(),
            salt: hex::encode(salt),
            record: canonical(&record).map_err(corrupt)?,
            log: 0,
            idx: 0,
        });
        Ok(())
    }

    fn changed_event(&mut self, id: &str, from: Status) {
        let Some(loaded) = self.evaluations.get(id) else { return };
        let by = loaded.state.decided_by.kind();
        let data = json!({"from": from.as_str(), "to": loaded.state.status.as_str(), "by": by});
        self.event("evaluation.changed", id, data);
    }

    fn finalised(&mut self, id: &str) {
        self.event("evaluation.finalised", id, json!({}));
    }

    /// Adds an event with the ID, status, version and market of the evaluation.
    fn event(&mut self, kind: &'static str, id: &str, mut data: Value) {
        let Some(loaded) = self.evaluations.get(id) else { return };
        data["evaluation_id"] = id.into();
        data["status"] = loaded.state.status.as_str().into();
        data["version"] = loaded.state.version.into();
        data["market"] = loaded.state.market.clone().into();
        let event = NewEvent::new(kind, self.at, &data).for_user(loaded.state.user_id.clone());
        self.events.push(event);
    }
}

/// Returns the message that a transition added.
fn added_message<'a>(before: &Evaluation, next: &'a Evaluation) -> Option<&'a Message> {
    let last = next.discussion.as_ref()?.messages.last()?;
    let earlier = before.discussion.as_ref().and_then(|discussion| discussion.messages.last());
    (earlier != Some(last)).then_some(last)
}

/// Returns the milliseconds from the opening of a discussion to its answer.
fn answered_after(before: &Evaluation, next: &Evaluation) -> Option<i64> {
    let open = before.open_discussion()?;
    let is_answer = added_message(before, next).is_some();
    is_answer.then_some(next.decided_at - open.opened_at)
}

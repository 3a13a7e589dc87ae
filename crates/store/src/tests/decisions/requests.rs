//! Random requests: each part of them may be missing, too short or complete.

use musette_core::decisions::table::TRANSITIONS;
use musette_core::decisions::{
    Caller, Figures, Reason, Request, Requested, Status, System, WorkSubject,
};

use super::operations::Operation;
use super::{Model, RIDERS};
use crate::{Action, Author, Change, NewEvaluation, NewReply};

/// Colleagues, and whether they have the rights of a dispatcher and of a reviewer.
pub(super) const COLLEAGUES: [(&str, bool, bool); 4] =
    [("d1", true, false), ("v1", false, true), ("v2", false, true), ("a1", true, true)];

impl Model {
    /// Returns a change, or several of one author.
    pub(super) fn random_change(&mut self) -> Operation {
        if self.numbers.once_in(3) {
            return self.with_key();
        }
        Operation::Change { changes: self.changes(), reply: None }
    }

    /// Returns a change with an idempotency key.
    pub(super) fn with_key(&mut self) -> Operation {
        self.next += 1;
        let changes = self.changes();
        let person = match changes.as_slice() {
            [change] => self.world.evaluations.get(&change.id).map(|known| known.person.clone()),
            _ => None,
        };
        let author = &changes[0].author;
        let scope = author.key.clone().or_else(|| author.subject.clone());
        let scope = scope.or_else(|| person.clone()).unwrap_or_else(|| "erased".into());
        let reply = NewReply {
            scope,
            key: format!("key-{}", self.next),
            request_sha256: format!("request-{}", self.next),
            person,
        };
        let operation = Operation::Change { changes, reply: Some(reply) };
        if self.sent.len() == 20 {
            self.sent.remove(0);
        }
        self.sent.push(operation.clone());
        operation
    }

    fn changes(&mut self) -> Vec<Change> {
        let author = self.author();
        let is_dispatcher =
            !matches!(author.caller, Caller::Rider | Caller::Person { is_dispatcher: false, .. });
        let count =
            if is_dispatcher && self.numbers.once_in(8) { 2 + self.numbers.below(4) } else { 1 };
        let mut changes: Vec<Change> = Vec::new();
        for _ in 0..count {
            let creates = is_dispatcher && self.numbers.once_in(4);
            let mut id = if creates { self.new_evaluation() } else { self.random_evaluation() };
            // Items of a batch may be about the same evaluation.
            if let Some(first) = changes.first()
                && self.numbers.once_in(3)
            {
                id.clone_from(&first.id);
            }
            let action = match self.numbers.below(12) {
                _ if creates => Action::Create(self.creation()),
                0 if !matches!(author.caller, Caller::Key) => {
                    Action::Message { id: super::super::next_id(), text: "One more thing".into() }
                }
                _ => Action::Transition(self.request(&id, &author)),
            };
            changes.push(Change { id, author: author.clone(), action });
        }
        changes
    }

    fn author(&mut self) -> Author {
        let existing = COLLEAGUES.into_iter().filter_map(|(id, is_dispatcher, is_reviewer)| {
            let subject = self.world.accounts.get(id)?.clone();
            let caller = Caller::Person { subject: subject.clone(), is_dispatcher, is_reviewer };
            Some(Author { caller, subject: Some(subject), key: None })
        });
        let mut authors: Vec<Author> = existing.collect();
        let (subject, key) = (Some("service:roster".to_owned()), Some("key-roster".to_owned()));
        authors.push(Author { caller: Caller::Key, subject, key });
        let rider = || Author { caller: Caller::Rider, subject: None, key: None };
        authors.extend([rider(), rider(), rider()]);
        authors.swap_remove(self.numbers.index(authors.len()))
    }

    /// Returns the ID of one of the newest evaluations that are not final, and seldom of any or of
    /// none.
    pub(super) fn random_evaluation(&mut self) -> String {
        let mut ids: Vec<(bool, &String)> = self
            .world
            .evaluations
            .iter()
            .map(|(id, known)| (known.state.finalised_at.is_some(), id))
            .collect();
        // IDs have the same length as long as a run has less than 9,999 requests.
        ids.sort_by(|(is_final, id), (other_is_final, other)| {
            is_final.cmp(other_is_final).then_with(|| other.cmp(id))
        });
        let among = if self.numbers.once_in(10) { ids.len() } else { ids.len().min(5) };
        if among == 0 || self.numbers.once_in(40) {
            return format!("e-{:04}", self.numbers.below(self.next + 1));
        }
        ids[self.numbers.index(among)].1.clone()
    }

    /// Returns a new ID, or one that may exist or have existed.
    fn new_evaluation(&mut self) -> String {
        if self.numbers.once_in(4) {
            return self.random_evaluation();
        }
        self.next += 1;
        format!("e-{:04}", self.next)
    }

    fn creation(&mut self) -> NewEvaluation {
        let user_id = self.numbers.pick(&RIDERS).to_owned();
        let market = self.numbers.once_in(2).then(|| "IT".to_owned());
        NewEvaluation {
            subject: WorkSubject {
                kind: "shift".into(),
                reference: "shift-1".into(),
                starts_at: 0,
                ends_at: None,
            },
            system: self.system(),
            body_sha256: format!("{user_id} {market:?}"),
            user_id,
            market,
        }
    }

    fn system(&mut self) -> Option<System> {
        let version = self.numbers.below(3).to_string();
        (!self.numbers.once_in(5)).then(|| System { name: "roster".into(), version })
    }

    fn text(&mut self) -> Option<String> {
        let length = self.numbers.pick(&[0, 9, 10, 19, 20, 20, 21, 40, 40, 40]);
        // Characters are counted, not bytes.
        (length > 0).then(|| "é".repeat(length))
    }

    /// Returns a status, mostly one that a row of the table leads to.
    fn likely_status(&mut self, id: &str) -> Status {
        let from = self.world.evaluations.get(id).map(|known| known.state.status);
        let rows =
            TRANSITIONS.iter().filter(|row| from.is_some_and(|from| row.from.contains(&from)));
        let statuses: Vec<Status> = rows.flat_map(|row| row.to).copied().collect();
        if statuses.is_empty() || self.numbers.once_in(4) {
            return self.numbers.pick(&Status::ALL);
        }
        self.numbers.pick(&statuses)
    }

    fn request(&mut self, id: &str, author: &Author) -> Request {
        let own = [Requested::Acceptance, Requested::Discussion, Requested::Withdrawal];
        let requested = match author.caller {
            Caller::Rider => own[self.numbers.index(3)],
            Caller::Person { .. } if self.numbers.once_in(8) => Requested::Withdrawal,
            _ => Requested::To(self.likely_status(id)),
        };
        let reason = Reason { code: "late".into(), text: [("en".into(), "Late".into())].into() };
        let version = self.world.evaluations.get(id).map_or(1, |known| known.state.version);
        let version = if self.numbers.once_in(20) { version - 1 } else { version };
        let message = self.text();
        Request {
            requested,
            version: (requested != Requested::Withdrawal).then_some(version),
            figures: (!self.numbers.once_in(3)).then(|| Figures {
                worked_minutes: (!self.numbers.once_in(4)).then_some(7),
                ..Figures::default()
            }),
            reasons: match self.numbers.below(4) {
                0 => None,
                1 => Some(Vec::new()),
                _ => Some(vec![reason]),
            },
            // The server always passes on what a rider wrote.
            message: match author.caller {
                Caller::Rider => message.or(Some(String::new())),
                _ => message,
            },
            statement: self.text(),
            system: self.system(),
            message_id: super::super::next_id(),
        }
    }
}

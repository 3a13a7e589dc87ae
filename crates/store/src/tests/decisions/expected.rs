//! What the table of transitions says about a call: a second implementation, which shares only the
//! table and the types with the program.

use musette_core::decisions::table::{Act, Actor, Keys, Need, ROUNDS_MAX, TRANSITIONS, Transition};
use musette_core::decisions::{
    By, Caller, Discussion, Evaluation, Message, Reason, Refusal, Request, Requested, Rules, Side,
    Status, System,
};

const DAY_MS: i64 = 86_400_000;

/// A call with everything that the rules look at.
pub(super) struct Call<'a> {
    pub(super) evaluation: &'a Evaluation,
    pub(super) caller: &'a Caller,
    pub(super) request: &'a Request,
    /// Whether the caller made an earlier transition.
    pub(super) is_own: bool,
    pub(super) rules: Rules,
    pub(super) at: i64,
}

/// Returns the evaluation once its time to contest has passed.
pub(super) fn lapsed(evaluation: &Evaluation, now: i64) -> Option<Evaluation> {
    let until = evaluation.contest_until?;
    let waits = evaluation.finalised_at.is_none() && evaluation.status != Status::InDiscussion;
    if !waits || now <= until {
        return None;
    }
    let mut next = evaluation.clone();
    let end = until.max(next.decided_at);
    next.finalised_at = Some(end);
    if next.status == Status::Evaluated {
        (next.status, next.version) = (Status::Accepted, next.version + 1);
        (next.decided_by, next.decided_at) = (By::Lapse, end);
    }
    Some(next)
}

impl Call<'_> {
    pub(super) fn verdict(&self) -> Result<Evaluation, Refusal> {
        self.without_list().map_err(|refusal| match refusal {
            Refusal::NotAllowed(_) => Refusal::NotAllowed(self.reachable()),
            other => other,
        })
    }

    fn without_list(&self) -> Result<Evaluation, Refusal> {
        let (evaluation, request) = (self.evaluation, self.request);
        let is_contest = request.requested == Requested::Discussion;
        if request.version.is_some_and(|version| version != evaluation.version) {
            return Err(Refusal::Conflict);
        }
        if evaluation.finalised_at.is_some() {
            return Err(match (is_contest, evaluation.rider_rounds) {
                (true, ROUNDS_MAX..) => Refusal::RoundsExhausted,
                (true, _) => Refusal::ContestClosed,
                (false, _) => Refusal::Final,
            });
        }
        let rows = TRANSITIONS.iter().filter(|row| self.is_for(row));
        let Some(row) = rows.into_iter().next() else {
            return Err(Refusal::NotAllowed(Vec::new()));
        };
        let is_key = *self.caller == Caller::Key;
        if is_key && row.keys == Keys::HumanRequired {
            return Err(Refusal::HumanRequired);
        }
        if row.act == Act::Answer && self.is_own {
            return Err(Refusal::OwnDecision);
        }
        let opened = match self.caller {
            Caller::Rider => evaluation.rider_rounds,
            _ => evaluation.reviewer_rounds,
        };
        if row.act == Act::Open && opened == ROUNDS_MAX {
            return Err(Refusal::RoundsExhausted);
        }
        if is_key && request.system.is_none() {
            return Err(Refusal::SystemRequired);
        }
        match row.needs.iter().find_map(|need| self.missing(*need)) {
            Some(refusal) => Err(refusal),
            None => Ok(self.after(row.act)),
        }
    }

    fn is_for(&self, row: &Transition) -> bool {
        let is_requested = match self.request.requested {
            // A rider confirms by another call.
            Requested::To(to) => row.act != Act::Accept && row.to.contains(&to),
            Requested::Acceptance => row.act == Act::Accept,
            Requested::Discussion => row.act == Act::Open,
            Requested::Withdrawal => row.act == Act::Withdraw,
        };
        let is_callers = match self.caller {
            Caller::Key => row.keys != Keys::NotTheirs,
            _ => row.by.iter().any(|actor| self.is_actor(*actor)),
        };
        is_requested && row.from.contains(&self.evaluation.status) && is_callers
    }

    fn is_actor(&self, actor: Actor) -> bool {
        let opened = self.evaluation.discussion.as_ref();
        match (self.caller, actor) {
            (Caller::Rider, Actor::Opener) => {
                opened.is_some_and(|round| round.opened_by == Side::Rider)
            }
            (Caller::Rider, actor) => actor == Actor::Rider,
            (Caller::Person { is_dispatcher, .. }, Actor::Dispatcher) => *is_dispatcher,
            (Caller::Person { is_reviewer, .. }, Actor::Reviewer) => *is_reviewer,
            (Caller::Person { subject, is_reviewer, .. }, Actor::Opener) => {
                *is_reviewer && opened.is_some_and(|round| round.opener.as_ref() == Some(subject))
            }
            _ => false,
        }
    }

    fn missing(&self, need: Need) -> Option<Refusal> {
        let request = self.request;
        let length = |text: &Option<String>| text.iter().flat_map(|text| text.chars()).count();
        let has_reasons = request.reasons.iter().flatten().count() > 0;
        let has_figures = request.figures.is_some_and(|figures| !figures.is_empty());
        let (is_there, otherwise) = match need {
            Need::FiguresOrReasons => (has_reasons || has_figures, Refusal::ReasonsRequired),
            Need::Reasons => (has_reasons, Refusal::ReasonsRequired),
            Need::Statement => (length(&request.statement) >= 20, Refusal::StatementRequired),
            Need::Message(least) => (length(&request.message) >= least, Refusal::MessageTooShort),
            Need::NotWorse => {
                let opened = self.evaluation.discussion.as_ref().expect("a discussion");
                let Requested::To(to) = request.requested else { panic!("not an answer") };
                let is_better = to.rank() >= opened.contested.rank();
                (opened.opened_by == Side::Reviewer || is_better, Refusal::OutcomeWorse)
            }
        };
        (!is_there).then_some(otherwise)
    }

    fn after(&self, act: Act) -> Evaluation {
        let (request, at) = (self.request, self.at);
        let until = Some(at + self.rules.contest_days * DAY_MS);
        let mut next = self.evaluation.clone();
        (next.version, next.decided_at) = (next.version + 1, at);
        next.decided_by = match self.caller {
            Caller::Rider => By::Rider,
            Caller::Key => By::Service,
            Caller::Person { is_reviewer: true, .. } if act != Act::Evaluate => {
                By::Human { role: "reviewer".into() }
            }
            Caller::Person { .. } => By::Human { role: "dispatcher".into() },
        };
        match act {
            Act::Accept => (next.status, next.contest_until) = (Status::Accepted, until),
            Act::Open => self.open(&mut next),
            Act::Withdraw => {
                next.status = next.discussion.as_ref().expect("a discussion").contested;
                close(&mut next, at);
                // The time to contest may have passed meanwhile.
                return lapsed(&next, at).unwrap_or(next);
            }
            Act::Evaluate | Act::Reject | Act::Answer => {
                let Requested::To(to) = request.requested else { panic!("without a status") };
                (next.status, next.contest_until) = (to, until);
                next.figures = request.figures.unwrap_or(next.figures);
                next.reasons = request.reasons.clone().unwrap_or(next.reasons);
                next.system = request.system.clone().or(next.system);
                next.statement = request.statement.clone().or(next.statement);
                next.statement.take_if(|_| to != Status::Rejected);
            }
            Act::Create => panic!("not a transition"),
        }
        if act == Act::Answer {
            let opened = next.discussion.as_mut().expect("a discussion");
            opened.messages.push(self.message(Side::Reviewer));
            if (opened.opened_by, opened.round) == (Side::Rider, ROUNDS_MAX) {
                (next.contest_until, next.finalised_at) = (None, Some(at));
            }
            close(&mut next, at);
        }
        next
    }

    fn open(&self, next: &mut Evaluation) {
        let (side, opener) = match self.caller {
            Caller::Person { subject, .. } => (Side::Reviewer, Some(subject.clone())),
            _ => (Side::Rider, None),
        };
        let is_rider = side == Side::Rider;
        let rounds = if is_rider { &mut next.rider_rounds } else { &mut next.reviewer_rounds };
        *rounds += 1;
        next.discussion = Some(Discussion {
            opened_by: side,
            opener,
            opened_at: self.at,
            round: *rounds,
            contested: next.status,
            figures: if is_rider { self.request.figures } else { None },
            messages: vec![self.message(side)],
            closed_at: None,
        });
        next.status = Status::InDiscussion;
        next.answer_due = Some(self.at + self.rules.answer_days * DAY_MS);
    }

    fn message(&self, from: Side) -> Message {
        let message = self.request.message.clone().expect("a message");
        Message { id: self.request.message_id.clone(), from, message, at: self.at }
    }

    /// Returns the statuses that a complete request could reach.
    fn reachable(&self) -> Vec<Status> {
        let own = [Requested::Acceptance, Requested::Discussion, Requested::Withdrawal];
        let calls = Status::ALL.into_iter().map(Requested::To).chain(own);
        let mut statuses: Vec<Status> = calls
            .filter_map(|requested| {
                let request = complete(requested);
                Call { request: &request, ..*self }.without_list().ok()
            })
            .map(|next| next.status)
            .collect();
        statuses.sort_unstable();
        statuses.dedup();
        statuses
    }
}

fn complete(requested: Requested) -> Request {
    let text = Some("x".repeat(20));
    let reason = Reason { code: "late".into(), text: [("en".into(), "Late".into())].into() };
    Request {
        requested,
        version: None,
        figures: None,
        reasons: Some(vec![reason]),
        message: text.clone(),
        statement: text,
        system: Some(System { name: "roster".into(), version: "1".into() }),
        message_id: "m".into(),
    }
}

fn close(next: &mut Evaluation, at: i64) {
    next.answer_due = None;
    next.discussion.as_mut().expect("a discussion").closed_at = Some(at);
}

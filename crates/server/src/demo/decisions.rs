//! Plans the evaluations and restrictions of the demo's riders: the shifts of each day, what riders
//! contest, and what reviewers answer.

mod plan;

use std::time::Duration;

use musette_core::decisions::restrictions::judge::RestrictionRequest;
use musette_core::decisions::restrictions::table::RestrictionAct;
use musette_core::decisions::restrictions::{RestrictionContent, ReviewOutcome};
use musette_core::decisions::{Caller, Figures, Reason, Request, Requested, Status, WorkSubject};
use musette_core::instant::Instant;
use musette_core::session::Role;
use musette_store::{
    Action, Author, Change, ChangeOutcome, NewEvaluation, NewRestriction, RestrictionAction,
    RestrictionChange, RestrictionOutcome, Store, User, Written,
};

pub use plan::DecisionPlan;
use plan::{PlannedRestriction, PlannedShift, ShiftAnswer, ShiftResult, ShiftsOf};

use super::people::{self, DemoPerson};
use super::plan::{DAY, DAYS, PlannedPerson, before, chance, days_before};
use super::{DemoError, wrong};
use crate::decisions::{RANDOM, keep};
use crate::platform::random;

const FILE: &str = "decisions.json";
/// The days whose shifts are evaluated.
const SHIFT_DAYS: u64 = 42;
/// A courier works each seventh day.
const DAYS_BETWEEN_SHIFTS: u64 = 7;
const HOUR: Duration = Duration::from_secs(60 * 60);
const SHIFT_HOURS: u32 = 4;

/// A change of evaluations by one author, or of a restriction.
enum Planned {
    Evaluations(Vec<Change>),
    Restriction(Box<RestrictionChange>),
}

/// Changes in chronological order.
pub struct PlannedDecisions(Vec<(Instant, Planned)>);

struct Planner<'p> {
    plan: &'p DecisionPlan,
    dispatcher: Author,
    reviewers: [Author; 2],
    now: Instant,
    planned: Vec<(Instant, Planned)>,
}

impl PlannedDecisions {
    /// Adds the colleagues, and plans all decisions up to `now`.
    pub async fn plan(
        store: &Store,
        plan: &DecisionPlan,
        couriers: &[DemoPerson],
        now: Instant,
    ) -> Result<Self, DemoError> {
        let began = days_before(now, DAYS);
        let colleague = async |person: &PlannedPerson, role: Role| {
            people::add(store, &person.user_id, &person.name, role, None, began).await
        };
        let dispatcher = colleague(&plan.dispatcher, Role::Dispatcher).await?;
        let [first, second] = &plan.reviewers[..] else {
            return Err(wrong(FILE, "it needs two reviewers"));
        };
        let first = colleague(first, Role::Reviewer).await?;
        let second = colleague(second, Role::Reviewer).await?;
        let mut planner = Planner {
            plan,
            dispatcher: author(&dispatcher, true),
            reviewers: [author(&first, false), author(&second, false)],
            now,
            planned: Vec::new(),
        };
        for day in 1..SHIFT_DAYS {
            planner.shifts_of_day(couriers, day);
        }
        let ShiftsOf { rider, market, shifts } = &plan.shifts_of;
        for shift in shifts {
            planner.shift(rider, Some(market), shift);
        }
        for restriction in &plan.restrictions {
            let courier = restriction.courier.and_then(|number| couriers.get(number));
            let rider = courier.map(|courier| &courier.user.id).or(restriction.rider.as_ref());
            let Some(rider) = rider else { continue };
            planner.restriction(restriction, rider, courier.and_then(DemoPerson::market_code));
        }
        let mut planned = planner.planned;
        planned.retain(|(at, _)| *at < now);
        planned.sort_by_key(|(at, _)| *at);
        Ok(Self(planned))
    }

    /// Makes the changes up to `until`, and ends what ended by then.
    pub async fn make_until(&mut self, store: &Store, until: Instant) -> Result<(), DemoError> {
        let rest = self.0.split_off(self.0.partition_point(|(at, _)| *at <= until));
        for (at, planned) in std::mem::replace(&mut self.0, rest) {
            keep(store, at).await?;
            match planned {
                Planned::Evaluations(changes) => change(store, &changes, at).await?,
                Planned::Restriction(change) => restrict(store, &change, at).await?,
            }
        }
        Ok(())
    }

    /// Returns the times of the changes.
    pub fn times(&self) -> Vec<Instant> {
        self.0.iter().map(|(at, _)| *at).collect()
    }
}

fn author(user: &User, is_dispatcher: bool) -> Author {
    let subject = user.subject.clone();
    Author {
        caller: Caller::Person {
            subject: subject.clone(),
            is_dispatcher,
            is_reviewer: !is_dispatcher,
        },
        subject: Some(subject),
        key: None,
    }
}

fn rider() -> Author {
    Author { caller: Caller::Rider, subject: None, key: None }
}

fn pick(texts: &[String], number: u64) -> Option<String> {
    let number = usize::try_from(number).unwrap_or(0) % texts.len().max(1);
    texts.get(number).cloned()
}

impl Planner<'_> {
    /// Plans the shifts of the couriers who work on that day.
    fn shifts_of_day(&mut self, couriers: &[DemoPerson], days_ago: u64) {
        let at = days_before(self.now, days_ago);
        for (number, courier) in (0u64..).zip(couriers) {
            let works = (number + days_ago).is_multiple_of(DAYS_BETWEEN_SHIFTS);
            if !works || courier.joined >= before(at, DAY) || courier.is_erased() {
                continue;
            }
            let seed = number * SHIFT_DAYS + days_ago;
            let result = match chance(seed, 10) {
                0..7 => ShiftResult::FullShift,
                7 | 8 => ShiftResult::LateStart,
                _ => ShiftResult::NotStarted,
            };
            let is_contested = result != ShiftResult::FullShift && chance(seed + 1, 3) == 0;
            let answer = match chance(seed + 2, 8) {
                0..3 => Some(ShiftAnswer::Confirmed),
                3..7 => Some(ShiftAnswer::Refused),
                _ => None,
            };
            let contest = usize::try_from(chance(seed + 3, 4)).ok().filter(|_| is_contested);
            let shift = PlannedShift { days_ago, result, contest, answer };
            let market = courier.market_code();
            self.shift(&courier.user.id, market.as_deref(), &shift);
        }
    }

    /// Plans a shift with its evaluation, a discussion and its answer.
    fn shift(&mut self, user_id: &str, market: Option<&str>, shift: &PlannedShift) {
        let seed = random_of(user_id) + shift.days_ago;
        let at = days_before(self.now, shift.days_ago);
        // Full hours, so that the times look agreed.
        let hour = i64::try_from(HOUR.as_millis()).unwrap_or(1);
        let end = Instant::from_millis(at.millis() / hour * hour);
        let id = random::uuid_of(at);
        let change =
            |author: &Author, action| Change { id: id.clone(), author: author.clone(), action };
        let transition = |author: &Author, request| change(author, Action::Transition(request));
        let created = NewEvaluation {
            user_id: user_id.to_owned(),
            market: market.map(str::to_owned),
            subject: WorkSubject {
                kind: "shift".into(),
                reference: format!("Shift {}", 4_000 + seed % 5_000),
                starts_at: before(end, HOUR * SHIFT_HOURS).millis(),
                ends_at: Some(end.millis()),
            },
            system: Some(self.plan.system.clone()),
            body_sha256: random::hex::<32>(),
        };
        let mut changes = vec![change(&self.dispatcher, Action::Create(created))];
        let at = before(at, Duration::from_secs(60 * chance(seed, 40)));
        if shift.result == ShiftResult::Planned {
            // The shift of today has begun.
            self.planned.push((before(at, HOUR), Planned::Evaluations(changes)));
            return;
        }
        let evaluated = self.evaluated(shift.result, seed);
        changes.push(transition(&self.dispatcher, evaluated));
        if shift.result == ShiftResult::LeftEarly {
            let statement = Some(self.plan.rejection.clone());
            let rejected = Request {
                reasons: Some(vec![self.reason("left_early")]),
                statement,
                ..request(Requested::To(Status::Rejected), None)
            };
            changes.push(transition(&self.dispatcher, rejected));
        }
        self.planned.push((at, Planned::Evaluations(changes)));
        let Some(message) = shift.contest.and_then(|index| self.plan.contests.get(index)) else {
            return;
        };
        let at = at.plus(HOUR * (5 + u32::try_from(chance(seed, 30)).unwrap_or(0)));
        let contested = request(Requested::Discussion, Some(message.clone()));
        self.planned.push((at, Planned::Evaluations(vec![transition(&rider(), contested)])));
        let (to, texts) = match shift.answer {
            None => return,
            Some(ShiftAnswer::Confirmed) => (Status::Accepted, &self.plan.confirmations),
            Some(ShiftAnswer::Refused) if shift.result == ShiftResult::NotStarted => {
                (Status::NoShow, &self.plan.refusals)
            }
            Some(ShiftAnswer::Refused) => (Status::Evaluated, &self.plan.refusals),
        };
        let at = at.plus(HOUR * (20 + u32::try_from(chance(seed, 150)).unwrap_or(0)));
        let [first, second] = &self.reviewers;
        let reviewer = if seed.is_multiple_of(3) { second } else { first };
        let answer = transition(reviewer, request(Requested::To(to), pick(texts, seed)));
        self.planned.push((at, Planned::Evaluations(vec![answer])));
    }

    fn evaluated(&self, result: ShiftResult, seed: u64) -> Request {
        let (to, code) = match result {
            ShiftResult::NotStarted => (Status::NoShow, "not_started"),
            ShiftResult::LateStart => (Status::Evaluated, "late_start"),
            ShiftResult::LeftEarly => (Status::Evaluated, "left_early"),
            ShiftResult::FullShift | ShiftResult::Planned => (Status::Evaluated, "full_shift"),
        };
        let planned_minutes = i64::from(SHIFT_HOURS * 60);
        let number = |below| i64::try_from(chance(seed, below)).unwrap_or(0);
        let figures = match result {
            ShiftResult::NotStarted => {
                Figures { planned_minutes: Some(planned_minutes), ..Figures::default() }
            }
            ShiftResult::LeftEarly => Figures {
                planned_minutes: Some(planned_minutes),
                worked_minutes: Some(planned_minutes - 70),
                early_by_seconds: Some(70 * 60),
                ..Figures::default()
            },
            ShiftResult::LateStart => {
                let late = 11 + number(25);
                Figures {
                    planned_minutes: Some(planned_minutes),
                    worked_minutes: Some(planned_minutes - late),
                    late_by_seconds: Some(late * 60),
                    ..Figures::default()
                }
            }
            ShiftResult::FullShift | ShiftResult::Planned => {
                let overtime = number(12);
                Figures {
                    planned_minutes: Some(planned_minutes),
                    worked_minutes: Some(planned_minutes + overtime),
                    overtime_seconds: Some(overtime * 60),
                    ..Figures::default()
                }
            }
        };
        Request {
            figures: Some(figures),
            reasons: Some(vec![self.reason(code)]),
            ..request(Requested::To(to), None)
        }
    }

    fn reason(&self, code: &str) -> Reason {
        let text = self.plan.reasons.get(code).cloned().unwrap_or_default();
        Reason { code: code.to_owned(), text }
    }

    /// Plans a restriction, its review and its answer.
    fn restriction(
        &mut self,
        planned: &PlannedRestriction,
        rider_id: &str,
        market: Option<String>,
    ) {
        let at = days_before(self.now, planned.days_ago);
        let id = random::uuid_of(at);
        let change = |author: &Author, action| {
            Planned::Restriction(Box::new(RestrictionChange {
                id: id.clone(),
                author: author.clone(),
                action,
                market_language: None,
                bypass: None,
            }))
        };
        let created = NewRestriction {
            user_id: rider_id.to_owned(),
            market,
            content: RestrictionContent {
                kind: planned.kind,
                statement: planned.statement.clone(),
                reasons: vec![self.reason(&planned.reason)],
                contact: self.plan.contact.clone(),
                starts_at: None,
                ends_at: Some(at.plus(DAY * planned.days).millis()),
                evaluations: Vec::new(),
                system: None,
            },
            act: if planned.proposed { RestrictionAct::Propose } else { RestrictionAct::Impose },
        };
        let [first, second] = &self.reviewers;
        let by = if planned.proposed { &self.dispatcher } else { first };
        let created = change(by, RestrictionAction::Create(Box::new(created)));
        let review = planned.review.clone().map(|message| {
            let request = RestrictionRequest::RequestReview { message };
            change(&rider(), RestrictionAction::Request(request))
        });
        let answer = planned.lifted.clone().map(|message| {
            let outcome = ReviewOutcome::Lifted;
            let request = RestrictionRequest::Answer { outcome, message, ends_at: None };
            change(second, RestrictionAction::Request(request))
        });
        self.planned.push((at, created));
        self.planned.extend(review.map(|review| (at.plus(DAY), review)));
        self.planned.extend(answer.map(|answer| (at.plus(DAY * 3), answer)));
    }
}

/// Returns a number that differs between people.
fn random_of(user_id: &str) -> u64 {
    user_id.bytes().fold(7, |hash, byte| (hash * 31 + u64::from(byte)) % 1_000_003)
}

fn request(requested: Requested, message: Option<String>) -> Request {
    Request {
        requested,
        version: None,
        figures: None,
        reasons: None,
        message,
        statement: None,
        system: None,
        message_id: random::uuid(),
    }
}

async fn change(store: &Store, changes: &[Change], at: Instant) -> Result<(), DemoError> {
    let written = store.change_evaluations(changes, None, &|_| None, RANDOM, at).await?;
    let Written::Done(done) = written else { return Err(wrong(FILE, "a change was replayed")) };
    let is_made = |outcome: &ChangeOutcome| {
        matches!(outcome, ChangeOutcome::Created(_) | ChangeOutcome::Changed(_))
    };
    match done.outcomes.iter().find(|outcome| !is_made(outcome)) {
        None => Ok(()),
        Some(outcome) => Err(wrong(FILE, format!("an evaluation: {outcome:?}"))),
    }
}

async fn restrict(store: &Store, change: &RestrictionChange, at: Instant) -> Result<(), DemoError> {
    match store.change_restriction(change, None, &|_| None, RANDOM, at).await? {
        Written::Done(RestrictionOutcome::Created(_) | RestrictionOutcome::Changed(_)) => Ok(()),
        written => Err(wrong(FILE, format!("a restriction: {written:?}"))),
    }
}

use std::collections::BTreeMap;

use serde_json::json;

use super::table::{Act, Keys, TRANSITIONS};
use super::*;
use crate::instant::Instant;
use crate::log::entry::Entry;
use crate::log::subject::SubjectKey;

const DAY: i64 = 24 * 60 * 60 * 1000;
const START: i64 = 1_800_000_000_000;

fn at(days: i64) -> Instant {
    Instant::from_millis(START + days * DAY)
}

fn reasons() -> Vec<Reason> {
    vec![Reason {
        code: "late".into(),
        text: BTreeMap::from([("en".into(), "Started late".into())]),
    }]
}

fn full(requested: Requested) -> Request {
    Request {
        requested,
        version: None,
        figures: Some(Figures { worked_minutes: Some(200), ..Figures::default() }),
        reasons: Some(reasons()),
        message: Some("a message that is long enough".into()),
        statement: Some("a statement that is long enough".into()),
        system: Some(System { name: "roster".into(), version: "7".into() }),
        message_id: "m".into(),
    }
}

fn person(subject: &str, is_dispatcher: bool, is_reviewer: bool) -> Caller {
    Caller::Person { subject: subject.into(), is_dispatcher, is_reviewer }
}

fn pending() -> Evaluation {
    let subject = WorkSubject {
        kind: "shift".into(),
        reference: "s-1".into(),
        starts_at: START - DAY,
        ends_at: Some(START),
    };
    Evaluation::create("e".into(), "r1".into(), None, subject, None, By::Service, at(0))
}

fn step(evaluation: &Evaluation, caller: &Caller, requested: Requested) -> Evaluation {
    judge(evaluation, caller, &full(requested), false, Rules::default(), at(1)).expect("a step")
}

/// Returns an evaluation in this status; `IN_DISCUSSION` was opened by the rider.
fn in_status(status: Status) -> Evaluation {
    let dispatcher = person("dora", true, false);
    let evaluated = || step(&pending(), &dispatcher, Requested::To(Status::Evaluated));
    match status {
        Status::Pending => pending(),
        Status::Evaluated => evaluated(),
        Status::NoShow => step(&pending(), &dispatcher, Requested::To(Status::NoShow)),
        Status::Accepted => step(&evaluated(), &Caller::Rider, Requested::Acceptance),
        Status::Rejected => step(&evaluated(), &dispatcher, Requested::To(Status::Rejected)),
        Status::InDiscussion => step(&evaluated(), &Caller::Rider, Requested::Discussion),
    }
}

/// The result of each status and each requested status for each caller: `+` allowed, `-`
/// `transition_not_allowed`, `h` `human_required`, `w` `outcome_worse`. The columns are in the order
/// of [`Status::ALL`].
#[test]
fn every_status_and_every_caller_follows_the_contract() {
    let key = Caller::Key;
    let dispatcher = person("dana", true, false);
    let reviewer = person("rita", false, true);
    let both = person("ada", true, true);
    for (status, by_key, by_dispatcher, by_reviewer, by_both) in [
        (Status::Pending, "-++---", "-++---", "------", "-++---"),
        (Status::Evaluated, "-----h", "-----+", "---+-+", "---+-+"),
        (Status::NoShow, "-+----", "-+----", "---+--", "-+-+--"),
        (Status::InDiscussion, "-hh-hh", "------", "-+w-+w", "-+w-+w"),
        (Status::Accepted, "------", "------", "---+--", "---+--"),
        (Status::Rejected, "------", "------", "------", "------"),
    ] {
        let evaluation = in_status(status);
        for (caller, expected) in [
            (&key, by_key),
            (&dispatcher, by_dispatcher),
            (&reviewer, by_reviewer),
            (&both, by_both),
        ] {
            let result = |to| {
                let request = full(Requested::To(to));
                match judge(&evaluation, caller, &request, false, Rules::default(), at(2)) {
                    Ok(next) => {
                        assert_eq!(next.status, to);
                        '+'
                    }
                    Err(Refusal::NotAllowed(_)) => '-',
                    Err(Refusal::HumanRequired) => 'h',
                    Err(Refusal::OutcomeWorse) => 'w',
                    Err(other) => panic!("{status:?} to {to:?}: {other:?}"),
                }
            };
            let actual: String = Status::ALL.into_iter().map(result).collect();
            assert_eq!(actual, expected, "{status:?} by {caller:?}");
        }
    }
}

#[test]
fn a_rider_accepts_contests_and_withdraws_where_the_contract_says_so() {
    for (status, calls) in [
        (Status::Pending, "---"),
        (Status::Evaluated, "++-"),
        (Status::NoShow, "-+-"),
        (Status::InDiscussion, "--+"),
        (Status::Accepted, "-+-"),
        (Status::Rejected, "-+-"),
    ] {
        let evaluation = in_status(status);
        let calls_of = [Requested::Acceptance, Requested::Discussion, Requested::Withdrawal];
        let actual: String = calls_of
            .into_iter()
            .map(|requested| {
                let request = full(requested);
                let rules = Rules::default();
                let result = judge(&evaluation, &Caller::Rider, &request, false, rules, at(2));
                if result.is_ok() { '+' } else { '-' }
            })
            .collect();
        assert_eq!(actual, calls, "{status:?}");
    }
}

#[test]
fn checks_are_in_the_order_of_the_contract() {
    let rules = Rules::default();
    let reviewer = person("rita", true, true);
    let mut request = full(Requested::To(Status::Rejected));
    request.version = Some(99);
    (request.reasons, request.statement, request.message, request.system) =
        (None, None, None, None);
    let refusal = |evaluation: &Evaluation, caller: &Caller, request: &Request, is_own| {
        judge(evaluation, caller, request, is_own, rules, at(2)).expect_err("a refusal").code()
    };
    let evaluated = in_status(Status::Evaluated);
    let mut last = evaluated.clone();
    last.finalised_at = Some(START);
    assert_eq!(refusal(&last, &Caller::Key, &request, true), "conflict");
    request.version = None;
    assert_eq!(refusal(&last, &Caller::Key, &request, true), "evaluation_final");
    assert_eq!(refusal(&evaluated, &Caller::Key, &request, true), "human_required");
    assert_eq!(refusal(&evaluated, &reviewer, &request, true), "reasons_required");
    request.reasons = Some(reasons());
    assert_eq!(refusal(&evaluated, &reviewer, &request, true), "statement_required");
    let open = in_status(Status::InDiscussion);
    assert_eq!(refusal(&open, &reviewer, &request, true), "own_decision");
    assert_eq!(refusal(&open, &reviewer, &request, false), "message_too_short");
    request.message = Some("x".repeat(20));
    assert_eq!(refusal(&open, &reviewer, &request, false), "outcome_worse");
    request.requested = Requested::To(Status::Evaluated);
    let pending = pending();
    request.figures = None;
    request.reasons = Some(Vec::new());
    assert_eq!(refusal(&pending, &Caller::Key, &request, false), "system_required");
    request.system = Some(System { name: "roster".into(), version: "7".into() });
    assert_eq!(refusal(&pending, &Caller::Key, &request, false), "reasons_required");
}

#[test]
fn contest_time_is_inclusive_and_lapses_by_itself() {
    let evaluated = in_status(Status::Evaluated);
    let until = evaluated.contest_until.expect("a contest time");
    assert_eq!(until, START + 8 * DAY);
    let last = Instant::from_millis(until);
    let late = Instant::from_millis(until + 1);
    assert_eq!(settle(&evaluated, last), Settled::Unchanged);
    let request = full(Requested::Discussion);
    let rules = Rules::default();
    assert!(judge(&evaluated, &Caller::Rider, &request, false, rules, last).is_ok());
    let Settled::Lapsed(lapsed) = settle(&evaluated, late) else { panic!("it lapses") };
    assert_eq!((lapsed.status, lapsed.version), (Status::Accepted, evaluated.version + 1));
    assert_eq!((lapsed.decided_at, lapsed.finalised_at), (until, Some(until)));
    assert_eq!(lapsed.decided_by, By::Lapse);
    let contest = judge(&lapsed, &Caller::Rider, &request, false, rules, late);
    assert_eq!(contest, Err(Refusal::ContestClosed));
    let Settled::Final(no_show) = settle(&in_status(Status::NoShow), late) else {
        panic!("it becomes final")
    };
    assert_eq!((no_show.version, no_show.finalised_at), (2, Some(until)));
    assert_eq!(settle(&in_status(Status::InDiscussion), at(999)), Settled::Unchanged);
}

#[test]
fn a_withdrawal_after_the_contest_time_is_final_at_once() {
    let open = in_status(Status::InDiscussion);
    let request = full(Requested::Withdrawal);
    let rules = Rules::default();
    let early = judge(&open, &Caller::Rider, &request, false, rules, at(2)).expect("withdrawn");
    assert_eq!((early.status, early.contest_until), (Status::Evaluated, open.contest_until));
    assert_eq!(settle(&early, at(2)), Settled::Unchanged);
    let late = judge(&open, &Caller::Rider, &request, false, rules, at(20)).expect("withdrawn");
    let Settled::Lapsed(lapsed) = settle(&late, at(20)) else { panic!("it lapses") };
    assert_eq!(lapsed.finalised_at, Some(at(20).millis()));
    assert_eq!((lapsed.status, lapsed.version), (Status::Accepted, open.version + 2));
}

#[test]
fn the_answer_to_the_second_round_is_final() {
    let reviewer = person("rita", false, true);
    let first = step(&in_status(Status::InDiscussion), &reviewer, Requested::To(Status::Evaluated));
    assert_eq!((first.finalised_at, first.contest_until), (None, Some(START + 8 * DAY)));
    let again = step(&first, &Caller::Rider, Requested::Discussion);
    let second = step(&again, &reviewer, Requested::To(Status::Evaluated));
    assert_eq!((second.contest_until, second.finalised_at), (None, Some(second.decided_at)));
    assert_eq!(second.status, Status::Evaluated);
    let request = full(Requested::Discussion);
    let third = judge(&second, &Caller::Rider, &request, false, Rules::default(), at(2));
    assert_eq!(third, Err(Refusal::RoundsExhausted));
}

#[test]
fn rounds_are_counted_for_each_side() {
    let (reviewer, rules) = (person("rita", false, true), Rules::default());
    let mut evaluation = in_status(Status::Evaluated);
    for _ in 0..2 {
        evaluation = step(&evaluation, &Caller::Rider, Requested::Discussion);
        evaluation = step(&evaluation, &Caller::Rider, Requested::Withdrawal);
    }
    let request = full(Requested::Discussion);
    let third = judge(&evaluation, &Caller::Rider, &request, false, rules, at(2));
    assert_eq!(third, Err(Refusal::RoundsExhausted));
    for _ in 0..2 {
        evaluation = step(&evaluation, &reviewer, Requested::To(Status::InDiscussion));
        let other = judge(
            &evaluation,
            &person("rob", false, true),
            &full(Requested::Withdrawal),
            false,
            rules,
            at(2),
        );
        assert!(matches!(other, Err(Refusal::NotAllowed(_))));
        evaluation = step(&evaluation, &reviewer, Requested::Withdrawal);
    }
    let request = full(Requested::To(Status::InDiscussion));
    let third = judge(&evaluation, &reviewer, &request, false, rules, at(2));
    assert_eq!(third, Err(Refusal::RoundsExhausted));
}

#[test]
fn lists_the_statuses_that_a_caller_can_reach() {
    let names = |evaluation: &Evaluation, caller: &Caller, is_own| {
        let statuses = allowed(evaluation, caller, is_own, Rules::default(), at(2));
        statuses.into_iter().map(Status::as_str).collect::<Vec<_>>().join(" ")
    };
    let evaluated = in_status(Status::Evaluated);
    assert_eq!(names(&evaluated, &Caller::Rider, false), "IN_DISCUSSION ACCEPTED");
    assert_eq!(names(&evaluated, &Caller::Key, false), "");
    assert_eq!(names(&evaluated, &person("ada", true, true), false), "IN_DISCUSSION REJECTED");
    let open = in_status(Status::InDiscussion);
    assert_eq!(names(&open, &person("rita", false, true), false), "EVALUATED ACCEPTED");
    assert_eq!(names(&open, &person("rita", false, true), true), "");
    assert_eq!(names(&open, &Caller::Rider, false), "EVALUATED");
    // The time to contest has passed: the withdrawal is followed by the lapse.
    let late = allowed(&open, &Caller::Rider, false, Rules::default(), at(20));
    assert_eq!(late, [Status::Accepted]);
}

#[test]
fn every_row_of_the_table_can_be_made() {
    for row in TRANSITIONS {
        assert_eq!(row.from.is_empty(), row.act == Act::Create);
        assert_eq!(row.to.is_empty(), row.act == Act::Withdraw);
        assert!(!row.by.is_empty());
        let is_of_persons = matches!(row.act, Act::Reject | Act::Answer);
        assert_eq!(row.keys == Keys::HumanRequired, is_of_persons, "{:?}", row.act);
    }
}

#[test]
fn writes_records_in_the_form_of_rfc_8785() {
    let value =
        json!({"b": [1, -2, null, true], "a": {"ü": "é\n\"", "\u{1F600}": 1, "\u{E000}": 2}});
    let expected = serde_json_canonicalizer::to_string(&value).unwrap();
    assert_eq!(canonical(&value).as_deref(), Ok(&*expected));
    for number in [json!(1.5), json!(9_007_199_254_740_992_i64), json!(u64::MAX)] {
        assert_eq!(canonical(&number), Err(RecordError));
    }
}

#[test]
fn an_entry_commits_to_the_record_and_is_canonical() {
    let key = SubjectKey::new([7; 32]);
    let evaluation = in_status(Status::InDiscussion);
    let message = evaluation.discussion.as_ref().and_then(|open| open.messages.first());
    let decided = evaluation.decided("0193b2d0", Some(Status::Evaluated), None);
    let record = evaluation.record(&decided, message);
    let salt = [9; 32];
    let entry = decided.entry(&key, commitment(&salt, &record).unwrap(), at(1));
    let text = entry.encode().unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json_canonicalizer::to_string(&value).unwrap(), text);
    assert_eq!(Entry::decode(&text), Ok(entry.clone()));
    assert!(!text.contains("long enough") && !text.contains("r1"));
    let Entry::Decision(entry) = entry else { panic!("a decision") };
    assert_eq!(receipt::check_record(&entry, &salt, &record), Ok(()));
    let mut changed = record.clone();
    changed["message"]["message"] = "another".into();
    let error = receipt::check_record(&entry, &salt, &changed);
    assert_eq!(error, Err(DecisionReceiptError::Commitment));
}

#[test]
fn rejects_reasons_of_a_wrong_form() {
    let reason = |code: &str, locale: &str, text: &str| Reason {
        code: code.into(),
        text: BTreeMap::from([(locale.into(), text.into())]),
    };
    assert_eq!(check_reasons(&reasons()), Ok(()));
    for (reason, pointer) in [
        (reason("Late", "en", "x"), "/0/code"),
        (reason(&"a".repeat(65), "en", "x"), "/0/code"),
        (reason("late", "not a tag", "x"), "/0/text"),
        (reason("late", "en", ""), "/0/text/en"),
        (reason("late", "en", &"x".repeat(1001)), "/0/text/en"),
        (Reason { code: "late".into(), text: BTreeMap::new() }, "/0/text"),
    ] {
        let error = check_reasons(&[reason]).expect_err("an error");
        assert_eq!(error.pointer, pointer);
    }
    assert!(check_reasons(&vec![reasons().remove(0); 21]).is_err());
}

/// The guide has the same rows in the same order.
#[test]
fn the_guide_has_the_table() {
    use super::table::{Actor, Need};
    let guide = include_str!("../../../../docs/decisions.md");
    let (_, table) = guide.split_once("| From | To |").expect("a table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    let names = |statuses: &[Status], none: &str| match statuses {
        [] => none.to_owned(),
        all => {
            all.iter().map(|status| format!("`{}`", status.as_str())).collect::<Vec<_>>().join(", ")
        }
    };
    let actor = |actor: &Actor| match actor {
        Actor::Dispatcher => "dispatcher",
        Actor::Reviewer => "reviewer",
        Actor::Rider => "rider",
        Actor::Opener => "opener",
        Actor::Program => "program",
    };
    let need = |need: &Need| match need {
        Need::FiguresOrReasons => "figures or reasons".to_owned(),
        Need::Reasons => "reasons".to_owned(),
        Need::Statement => "statement".to_owned(),
        Need::Message(least) => format!("message of {least}"),
        Need::NotWorse => "not worse".to_owned(),
    };
    let expected = TRANSITIONS.iter().map(|row| {
        let by: Vec<&str> = row.by.iter().map(actor).collect();
        let keys = match row.keys {
            Keys::May => "may",
            Keys::HumanRequired => "human required",
            Keys::NotTheirs => "not theirs",
        };
        let needs: Vec<String> = row.needs.iter().map(need).collect();
        let cells = [
            names(row.from, "–"),
            names(row.to, "the contested status"),
            by.join(", "),
            keys.to_owned(),
            needs.join(", "),
        ];
        format!("| {} |", cells.join(" | ")).replace("|  |", "| |")
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
}

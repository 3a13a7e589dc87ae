use std::collections::BTreeMap;

use super::in_force::{Imposition, InForce, Limitation};
use super::judge::*;
use super::table::*;
use super::*;
use crate::decisions::evaluation::Rules;
use crate::decisions::judge::Caller;
use crate::decisions::table::{Actor, Keys};
use crate::log::entry::Entry;
use crate::log::subject::SubjectKey;

const DAY: i64 = 24 * 60 * 60 * 1000;
const START: i64 = 1_800_000_000_000;

fn at(days: i64) -> Instant {
    Instant::from_millis(START + days * DAY)
}

fn person(subject: &str, is_dispatcher: bool, is_reviewer: bool) -> Caller {
    Caller::Person { subject: subject.into(), is_dispatcher, is_reviewer }
}

fn content(kind: RestrictionKind) -> RestrictionContent {
    let reason = Reason {
        code: "safety".into(),
        text: BTreeMap::from([("en".into(), "Rode on the motorway".into())]),
    };
    RestrictionContent {
        kind,
        statement: BTreeMap::from([("en".into(), "x".repeat(50))]),
        reasons: vec![reason],
        contact: Contact {
            name: "Rider support".into(),
            email: Some("riders@larkspur.example".into()),
            phone: None,
        },
        starts_at: None,
        ends_at: (kind == RestrictionKind::Suspension).then(|| at(10).millis()),
        evaluations: Vec::new(),
        system: Some(System { name: "roster".into(), version: "7".into() }),
    }
}

fn context(caller: &Caller, days: i64) -> RestrictionContext<'_> {
    RestrictionContext {
        caller,
        is_proposer: false,
        is_imposer: false,
        language: None,
        rules: Rules::default(),
        at: at(days),
    }
}

fn create(
    content: RestrictionContent,
    act: RestrictionAct,
    context: &RestrictionContext<'_>,
) -> Result<Restriction, RestrictionRefusal> {
    let of = RestrictionSubject { id: "x".into(), user_id: "r1".into(), market: None };
    create_restriction(of, content, act, context)
}

fn proposed() -> Restriction {
    let content = content(RestrictionKind::Suspension);
    create(content, RestrictionAct::Propose, &context(&Caller::Key, 0)).expect("a proposal")
}

fn imposed(kind: RestrictionKind) -> Restriction {
    let reviewer = person("v1", false, true);
    create(content(kind), RestrictionAct::Impose, &context(&reviewer, 0)).expect("a restriction")
}

fn request(act: RestrictionAct) -> RestrictionRequest {
    let message = "y".repeat(50);
    match act {
        RestrictionAct::Dismiss => RestrictionRequest::Dismiss(Box::default()),
        RestrictionAct::Lift => RestrictionRequest::Lift { message },
        RestrictionAct::RequestReview => RestrictionRequest::RequestReview { message },
        RestrictionAct::Answer => {
            RestrictionRequest::Answer { outcome: ReviewOutcome::Upheld, message, ends_at: None }
        }
        _ => RestrictionRequest::Impose(Box::default()),
    }
}

fn step(restriction: &Restriction, caller: &Caller, act: RestrictionAct, day: i64) -> Restriction {
    judge_restriction(restriction, &request(act), &context(caller, day)).expect("a step")
}

fn reviewed(restriction: &Restriction) -> Restriction {
    step(restriction, &Caller::Rider, RestrictionAct::RequestReview, 1)
}

fn in_status(status: RestrictionStatus) -> Restriction {
    let reviewer = person("v1", false, true);
    match status {
        RestrictionStatus::Proposed => proposed(),
        RestrictionStatus::Dismissed => step(&proposed(), &reviewer, RestrictionAct::Dismiss, 1),
        RestrictionStatus::Imposed => step(&proposed(), &reviewer, RestrictionAct::Impose, 1),
        RestrictionStatus::Lifted => {
            let imposed = reviewed(&imposed(RestrictionKind::Suspension));
            step(&imposed, &reviewer, RestrictionAct::Lift, 1)
        }
        RestrictionStatus::Expired => {
            expire(&imposed(RestrictionKind::Suspension), at(10)).expect("an end")
        }
    }
}

/// The result of each request in each status for each caller: `+` allowed, `c` conflict, `d` denied,
/// `h` human_required. The columns are impose, dismiss, lift, request a review, answer.
#[test]
fn every_status_and_every_caller_follows_the_contract() {
    let acts = [
        RestrictionAct::Impose,
        RestrictionAct::Dismiss,
        RestrictionAct::Lift,
        RestrictionAct::RequestReview,
        RestrictionAct::Answer,
    ];
    for (status, by_key, by_dispatcher, by_reviewer, by_rider) in [
        (RestrictionStatus::Proposed, "hhcdc", "ddddd", "++cdc", "dddcd"),
        (RestrictionStatus::Dismissed, "cccdc", "ddddd", "cccdc", "dddcd"),
        (RestrictionStatus::Imposed, "cchdh", "ddddd", "cc+dc", "ddd+d"),
        (RestrictionStatus::Lifted, "cccdh", "ddddd", "cccd+", "dddcd"),
        (RestrictionStatus::Expired, "cccdh", "ddddd", "cccdc", "ddd+d"),
    ] {
        let restriction = in_status(status);
        for (caller, expected) in [
            (Caller::Key, by_key),
            (person("d1", true, false), by_dispatcher),
            (person("v2", false, true), by_reviewer),
            (Caller::Rider, by_rider),
        ] {
            let result =
                |act| match judge_restriction(&restriction, &request(act), &context(&caller, 5)) {
                    Ok(next) => {
                        assert_eq!(next.version, restriction.version + 1);
                        '+'
                    }
                    Err(RestrictionRefusal::Conflict) => 'c',
                    Err(RestrictionRefusal::Denied) => 'd',
                    Err(RestrictionRefusal::HumanRequired) => 'h',
                    Err(other) => panic!("{status:?} {act:?}: {other:?}"),
                };
            let actual: String = acts.into_iter().map(result).collect();
            assert_eq!(actual, expected, "{status:?} by {caller:?}");
        }
    }
}

#[test]
fn only_a_reviewer_imposes_and_a_program_names_its_system() {
    let kind = RestrictionKind::Limitation;
    let impose =
        |caller: &Caller| create(content(kind), RestrictionAct::Impose, &context(caller, 0));
    assert_eq!(impose(&Caller::Key), Err(RestrictionRefusal::HumanRequired));
    assert_eq!(impose(&person("d1", true, false)), Err(RestrictionRefusal::Denied));
    assert_eq!(impose(&Caller::Rider), Err(RestrictionRefusal::Denied));
    let restriction = impose(&person("v1", false, true)).expect("a restriction");
    assert_eq!(restriction.content.starts_at, Some(START));
    let without = RestrictionContent { system: None, ..content(kind) };
    let propose =
        |caller: &Caller| create(without.clone(), RestrictionAct::Propose, &context(caller, 0));
    assert_eq!(propose(&Caller::Key), Err(RestrictionRefusal::SystemRequired));
    let proposed = propose(&person("v1", false, true)).expect("a reviewer proposes, too");
    assert_eq!((proposed.status, proposed.content.starts_at), (RestrictionStatus::Proposed, None));
}

#[test]
fn the_one_who_proposed_or_imposed_it_does_not_decide_about_it() {
    let reviewer = person("v1", false, true);
    let own = RestrictionContext { is_proposer: true, ..context(&reviewer, 1) };
    for act in [RestrictionAct::Impose, RestrictionAct::Dismiss] {
        let refusal = judge_restriction(&proposed(), &request(act), &own);
        assert_eq!(refusal, Err(RestrictionRefusal::OwnDecision));
    }
    let own = RestrictionContext { is_imposer: true, ..context(&reviewer, 1) };
    let restriction = reviewed(&imposed(RestrictionKind::Termination));
    let answer = |own: &RestrictionContext<'_>| {
        judge_restriction(&restriction, &request(RestrictionAct::Answer), own)
    };
    assert_eq!(answer(&own), Err(RestrictionRefusal::OwnDecision));
    assert!(answer(&context(&reviewer, 1)).is_ok());
    let lift = judge_restriction(&restriction, &request(RestrictionAct::Lift), &own);
    assert_eq!(lift.expect("lifted").status, RestrictionStatus::Lifted);
}

#[test]
fn statement_contact_reasons_and_times_are_complete() {
    let reviewer = person("v1", false, true);
    let refusal = |content: RestrictionContent, language: Option<&'static str>| {
        let context = RestrictionContext { language, ..context(&reviewer, 0) };
        create(content, RestrictionAct::Impose, &context).err().map(|refusal| refusal.code())
    };
    let suspension = || content(RestrictionKind::Suspension);
    let statement = |locale: &str, chars: usize| RestrictionContent {
        statement: BTreeMap::from([(locale.to_owned(), "x".repeat(chars))]),
        ..suspension()
    };
    for (locale, chars, language, expected) in [
        ("en", 49, None, Some("statement_required")),
        ("en", 50, None, None),
        ("en", 50, Some("de"), Some("statement_required")),
        ("de", 50, Some("de-AT"), None),
        ("de-AT", 50, Some("de"), Some("statement_required")),
        ("DE", 50, Some("de"), None),
    ] {
        assert_eq!(refusal(statement(locale, chars), language), expected, "{locale} {language:?}");
    }
    for (name, email, phone, expected) in [
        ("", Some("a@b.example"), None, Some("contact_required")),
        ("Support", None, None, Some("contact_required")),
        ("Support", Some(" "), None, Some("contact_required")),
        ("Support", Some("riders"), None, Some("contact_required")),
        ("Support", Some("riders@example.com"), Some("see above"), Some("contact_required")),
        ("Support", Some("riders@example.com"), Some("030 123-45, ext. 6"), None),
        ("Support", None, Some("+49 30 1234567"), None),
    ] {
        let contact = Contact {
            name: name.into(),
            email: email.map(Into::into),
            phone: phone.map(Into::into),
        };
        assert_eq!(refusal(RestrictionContent { contact, ..suspension() }, None), expected);
    }
    let without = RestrictionContent { reasons: Vec::new(), ..suspension() };
    assert_eq!(refusal(without, None), Some("reasons_required"));
    let times = |kind, starts: Option<i64>, ends: Option<i64>| {
        let (starts_at, ends_at) = (starts.map(|at| START + at), ends.map(|at| START + at));
        refusal(RestrictionContent { starts_at, ends_at, ..content(kind) }, None)
    };
    let invalid = Some("invalid_request");
    for (kind, starts, ends, expected) in [
        (RestrictionKind::Suspension, None, None, invalid),
        (RestrictionKind::Suspension, None, Some(0), invalid),
        (RestrictionKind::Suspension, Some(5), Some(5), invalid),
        (RestrictionKind::Suspension, Some(5), Some(6), None),
        (RestrictionKind::Suspension, Some(-1), Some(6), invalid),
        (RestrictionKind::Suspension, Some(0), Some(6), None),
        (RestrictionKind::Termination, None, Some(6), invalid),
        (RestrictionKind::Termination, None, None, None),
        (RestrictionKind::Limitation, None, None, None),
        (RestrictionKind::Limitation, None, Some(6), None),
    ] {
        assert_eq!(times(kind, starts, ends), expected, "{kind:?} {starts:?} {ends:?}");
    }
}

#[test]
fn a_decision_replaces_members_and_starts_not_before_it() {
    let reviewer = person("v1", false, true);
    let impose = |fields: DecisionFields, day| {
        let request = RestrictionRequest::Impose(Box::new(fields));
        judge_restriction(&proposed(), &request, &context(&reviewer, day))
    };
    let next = impose(DecisionFields::default(), 2).expect("imposed");
    assert_eq!(next.content.starts_at, Some(at(2).millis()));
    let unchanged = RestrictionRequest::Impose(Box::default());
    assert_eq!(unchanged.approved_sha256(&proposed()), proposed().sha256());
    let earlier = DecisionFields { ends_at: Some(at(5).millis()), ..DecisionFields::default() };
    let earlier = RestrictionRequest::Impose(Box::new(earlier));
    assert_ne!(earlier.approved_sha256(&proposed()), proposed().sha256());
    let refusal = impose(DecisionFields::default(), 10).expect_err("the end has passed");
    assert_eq!(refusal.code(), "invalid_request");
    let ends_at = Some(at(12).millis());
    let later = impose(DecisionFields { ends_at, ..DecisionFields::default() }, 10);
    assert_eq!(later.expect("imposed").content.ends_at, ends_at);
    let short = BTreeMap::from([("en".into(), "too short".into())]);
    let short = DecisionFields { statement: Some(short), ..DecisionFields::default() };
    assert_eq!(impose(short, 1), Err(RestrictionRefusal::StatementRequired));
}

#[test]
fn a_review_is_requested_once_and_until_six_calendar_months_after_the_end() {
    let ended_at = |text: &str| Instant::parse(text).expect("an instant");
    let reviewer = person("v1", false, true);
    let lifted = |end: &str| {
        let context = RestrictionContext { at: ended_at(end), ..context(&reviewer, 0) };
        let restriction = imposed(RestrictionKind::Termination);
        judge_restriction(&restriction, &request(RestrictionAct::Lift), &context).expect("lifted")
    };
    let review = |restriction: &Restriction, now: &str| {
        let context = RestrictionContext { at: ended_at(now), ..context(&Caller::Rider, 0) };
        judge_restriction(restriction, &request(RestrictionAct::RequestReview), &context)
    };
    // The last day of August has no counterpart in February.
    for (end, last, too_late) in [
        ("2027-03-15T12:00:00Z", "2027-09-15T12:00:00Z", "2027-09-15T12:00:00.001Z"),
        ("2027-08-31T12:00:00Z", "2028-02-29T12:00:00Z", "2028-02-29T12:00:00.001Z"),
    ] {
        let restriction = lifted(end);
        let next = review(&restriction, last).expect("in time");
        assert_eq!(review(&restriction, too_late), Err(RestrictionRefusal::ContestClosed));
        assert_eq!(review(&next, last), Err(RestrictionRefusal::Conflict));
        let review = next.review.expect("a review");
        assert_eq!(review.answer_due - ended_at(last).millis(), 14 * DAY);
    }
}

#[test]
fn an_answer_upholds_shortens_or_lifts() {
    let reviewer = person("v2", false, true);
    let answer = |kind, outcome, ends: Option<i64>, chars: usize| {
        let ends_at = ends.map(|days| at(days).millis());
        let request = RestrictionRequest::Answer { outcome, message: "y".repeat(chars), ends_at };
        judge_restriction(&reviewed(&imposed(kind)), &request, &context(&reviewer, 5))
    };
    let suspension = RestrictionKind::Suspension;
    for (kind, outcome, ends, chars, expected) in [
        (suspension, ReviewOutcome::Upheld, None, 49, Err("message_too_short")),
        (suspension, ReviewOutcome::Upheld, None, 50, Ok((RestrictionStatus::Imposed, Some(10)))),
        (suspension, ReviewOutcome::Upheld, Some(8), 50, Err("invalid_request")),
        (suspension, ReviewOutcome::Changed, None, 50, Err("invalid_request")),
        (suspension, ReviewOutcome::Changed, Some(4), 50, Err("invalid_request")),
        (suspension, ReviewOutcome::Changed, Some(10), 50, Err("invalid_request")),
        (
            suspension,
            ReviewOutcome::Changed,
            Some(9),
            50,
            Ok((RestrictionStatus::Imposed, Some(9))),
        ),
        (
            RestrictionKind::Termination,
            ReviewOutcome::Changed,
            Some(9),
            50,
            Ok((RestrictionStatus::Imposed, Some(9))),
        ),
        (suspension, ReviewOutcome::Lifted, None, 50, Ok((RestrictionStatus::Lifted, Some(10)))),
    ] {
        let actual = answer(kind, outcome, ends, chars).map(|next| {
            let review = next.review.as_ref().expect("a review");
            assert_eq!(review.outcome, Some(outcome));
            (next.status, next.content.ends_at.map(|end| (end - START) / DAY))
        });
        assert_eq!(actual.map_err(|refusal| refusal.code()), expected, "{outcome:?} {ends:?}");
    }
    let answered = answer(suspension, ReviewOutcome::Upheld, None, 50).expect("answered");
    let again =
        judge_restriction(&answered, &request(RestrictionAct::Answer), &context(&reviewer, 6));
    assert_eq!(again, Err(RestrictionRefusal::Conflict));
}

#[test]
fn a_restriction_is_in_force_from_its_start_until_its_end() {
    let imposition = |id: &str, kind, starts: i64, ends: Option<i64>| Imposition {
        id: id.into(),
        kind,
        starts_at: at(starts).millis(),
        ends_at: ends.map(|days| at(days).millis()),
    };
    let all = || {
        vec![
            imposition("s", RestrictionKind::Suspension, 1, Some(3)),
            imposition("l", RestrictionKind::Limitation, 2, None),
        ]
    };
    let limitation =
        Limitation { restriction_id: "l".into(), starts_at: at(2).millis(), ends_at: None };
    for (day, is_blocked, has_limitation, changes) in [
        (0, false, false, Some(1)),
        (1, true, false, Some(2)),
        (2, true, true, Some(3)),
        (3, false, true, None),
    ] {
        let expected = InForce {
            blocking: if is_blocked { vec!["s".into()] } else { Vec::new() },
            limitations: if has_limitation { vec![limitation.clone()] } else { Vec::new() },
            changes_at: changes.map(at),
        };
        assert_eq!(InForce::of(all(), at(day)), expected, "day {day}");
    }
    let end = imposed(RestrictionKind::Suspension).closes_at().expect("an end");
    let before = Instant::from_millis(end - 1);
    assert_eq!(expire(&imposed(RestrictionKind::Suspension), before), None);
    let expired = in_status(RestrictionStatus::Expired);
    assert_eq!((expired.ended_at, expired.decided_by), (Some(end), By::Lapse));
}

#[test]
fn an_entry_has_no_text_and_commits_to_the_record() {
    let restriction = reviewed(&imposed(RestrictionKind::Suspension));
    let decided = restriction.decided(
        "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e",
        Some(RestrictionStatus::Imposed),
        None,
    );
    let record = restriction.record(&decided);
    let key = SubjectKey::new([7; 32]);
    let hash = crate::decisions::commitment(&[1; 32], &record).expect("a record");
    let text = decided.entry(&key, hash, at(1)).encode().expect("an entry");
    assert!(text.contains("restriction.transition") && !text.contains("evaluation"));
    assert!(!text.contains("yyy") && !text.contains("r1"), "{text}");
    let Ok(Entry::Decision(entry)) = Entry::decode(&text) else { panic!("a decision") };
    assert_eq!(crate::decisions::receipt::check_record(&entry, &[1; 32], &record), Ok(()));
}

/// The guide has the same rows in the same order.
#[test]
fn the_guide_has_the_table() {
    let guide = include_str!("../../../../../docs/decisions.md");
    let (_, table) = guide.split_once("| Restriction from | To |").expect("a table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    let names = |statuses: &[RestrictionStatus], none: &str| match statuses {
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
    let need = |need: &RestrictionNeed| match need {
        RestrictionNeed::OtherThanProposer => "another person than the proposer".to_owned(),
        RestrictionNeed::OtherThanImposer => {
            "another person than the one who imposed it".to_owned()
        }
        RestrictionNeed::Reasons => "reasons".to_owned(),
        RestrictionNeed::Statement => "statement".to_owned(),
        RestrictionNeed::Contact => "contact".to_owned(),
        RestrictionNeed::Message(1) => "message".to_owned(),
        RestrictionNeed::Message(least) => format!("message of {least}"),
        RestrictionNeed::FirstReview => "no earlier review".to_owned(),
        RestrictionNeed::OpenReview => "an open review".to_owned(),
    };
    let expected = RESTRICTION_TRANSITIONS.iter().map(|row| {
        let by: Vec<&str> = row.by.iter().map(actor).collect();
        let keys = match row.keys {
            Keys::May => "may",
            Keys::HumanRequired => "human required",
            Keys::NotTheirs => "not theirs",
        };
        let needs: Vec<String> = row.needs.iter().map(need).collect();
        let to = names(row.to, "the same");
        let cells = [names(row.from, "–"), to, by.join(", "), keys.to_owned(), needs.join(", ")];
        format!("| {} |", cells.join(" | ")).replace("|  |", "| |")
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
}

//! Restrictions: impose, propose, decide, lift, review, and their evidence.

mod approvals;
mod evidence;
pub mod fixture;
mod gate;

use serde_json::{Value, json};

use super::work::{DAY_S, Work, creation, uuid};
use crate::admin::ADMIN;
use crate::store::Engine;
use fixture::{LIMITS, OWN_LIMITS, content, in_days};

on_both!(
    only_a_reviewer_imposes_a_restriction,
    a_restriction_is_complete_or_refused,
    a_statement_is_in_the_language_of_the_rider_or_their_market,
    a_proposal_has_no_effect_until_another_reviewer_decides,
    a_restriction_is_lifted_once_and_by_a_reviewer,
    a_rider_requests_one_review_and_another_reviewer_answers,
    a_changed_restriction_is_only_shortened,
    makes_one_of_two_simultaneous_decisions,
    a_rider_reads_only_their_own_restrictions,
    lists_filter_and_page_restrictions,
    a_restriction_expires_at_its_end_and_a_late_answer_is_reported_once,
);

fn only_a_reviewer_imposes_a_restriction(engine: Engine) {
    let work = Work::start(engine);
    let body = content("suspension");
    let restriction = work.impose(&work.reviewer, &body).gives_status(201).json();
    assert_eq!((&restriction["status"], &restriction["version"]), (&json!("IMPOSED"), &json!(1)));
    assert_eq!(restriction["decided_by"], json!({"kind": "human", "role": "reviewer"}));
    assert_eq!(restriction["starts_at"], restriction["decided_at"]);
    assert_eq!(restriction["review"], Value::Null);
    work.impose(&work.key, &body).assert_problem(403, "human_required");
    for token in [&work.dispatcher, &work.rider, &work.app.store().token("l1")] {
        work.impose(token, &body).assert_problem(403, "permission_denied");
    }
    let unsigned = work.app.post(LIMITS);
    unsigned.clone().json(&body).refused(401, "unauthenticated");
    // The shape is checked before the session.
    unsigned.json(&json!({"user_id": 7})).refused(422, "invalid_request");
    let mut unknown = body.clone();
    unknown["user_id"] = json!("r9");
    work.impose(&work.reviewer, &unknown).assert_problem(422, "unknown_user");
    // A reviewer of other markets is refused.
    work.app.store().add_user("n1", &["reviewer@FR"]);
    let narrow = work.app.store().token("n1");
    work.impose(&narrow, &body).assert_problem(403, "permission_denied");
    let id = restriction["id"].as_str().expect("an id");
    let path = format!("{LIMITS}/{id}");
    work.app.get(&path).token(&narrow).refused(403, "permission_denied");
    let viewer = work.app.store();
    viewer.add_user("w1", &["viewer"]);
    work.app.get(&path).token(&viewer.token("w1")).refused(403, "permission_denied");
    for token in [&work.key, &work.dispatcher, &work.reviewer, &work.app.store().token("o1")] {
        work.app.get(&path).token(token).gives(200);
    }
    work.app.get(&format!("{LIMITS}/17")).token(&work.admin).refused(400, "invalid_parameter");
    work.app.get(&format!("{LIMITS}/{}", uuid())).token(&work.admin).refused(404, "not_found");
}

fn a_restriction_is_complete_or_refused(engine: Engine) {
    let work = Work::start(engine);
    let with = |kind: &str, member: &str, value: Value| {
        let mut body = content(kind);
        body[member] = value;
        body
    };
    let evaluation = work.evaluation("EVALUATED");
    let other = uuid();
    work.put(&other, &work.dispatcher, &creation("r2")).gives_status(201);
    let contact = |contact: Value| with("termination", "contact", contact);
    for (body, code) in [
        (with("suspension", "ends_at", Value::Null), "invalid_request"),
        (with("suspension", "ends_at", json!("2020-01-01T00:00:00Z")), "invalid_request"),
        (with("termination", "ends_at", json!(in_days(3))), "invalid_request"),
        (with("suspension", "starts_at", json!("2020-01-01T00:00:00Z")), "invalid_request"),
        (with("suspension", "starts_at", json!("tomorrow")), "invalid_request"),
        (with("suspension", "starts_at", json!(in_days(11))), "invalid_request"),
        (with("ban", "reasons", json!([])), "invalid_request"),
        (with("limitation", "reasons", json!([])), "reasons_required"),
        (
            with("limitation", "reasons", json!([{"code": "Late", "text": {"en": "x"}}])),
            "invalid_request",
        ),
        (with("limitation", "statement", Value::Null), "statement_required"),
        (with("limitation", "statement", json!({"en": "x".repeat(49)})), "statement_required"),
        (with("limitation", "statement", json!({"not a tag": "x".repeat(50)})), "invalid_request"),
        (with("limitation", "statement", json!({"en": "x".repeat(4001)})), "invalid_request"),
        (contact(Value::Null), "contact_required"),
        (contact(json!({"name": "Support"})), "contact_required"),
        (contact(json!({"phone": "+49 30 1234567"})), "contact_required"),
        (contact(json!({"name": " ", "email": "a@larkspur.example"})), "contact_required"),
        (with("limitation", "evaluations", json!([evaluation, other])), "invalid_request"),
        (with("limitation", "evaluations", json!([uuid()])), "invalid_request"),
        (with("limitation", "evaluations", json!(["17"])), "invalid_request"),
    ] {
        work.impose(&work.reviewer, &body).assert_problem(422, code);
    }
    for (member, value) in [
        ("evaluations", json!([evaluation])),
        ("starts_at", json!(in_days(2))),
        ("ends_at", Value::Null),
        ("contact", json!({"name": "Support", "phone": "+49 30 1234567"})),
    ] {
        let body = with("limitation", member, value.clone());
        let restriction = work.impose(&work.reviewer, &body).gives_status(201).json();
        assert_eq!(restriction[member], value, "{member}");
    }
    let mut long = content("limitation");
    long["statement"] = json!({"en": "x".repeat(4000)});
    long["reasons"][0]["text"]["en"] = json!("x".repeat(260 * 1024));
    work.impose(&work.reviewer, &long).gives_status(413);
}

fn a_statement_is_in_the_language_of_the_rider_or_their_market(engine: Engine) {
    let work = Work::start(engine);
    let import = |text: &str| {
        let request = work.app.post(&format!("{ADMIN}/people/import")).token(&work.admin);
        request.body("text/csv", text.as_bytes()).gives(200);
    };
    let market = |code: &str, body: Value| {
        let request = work.app.request("PUT", &format!("{ADMIN}/markets/{code}"));
        request.token(&work.admin).json(&body).send()
    };
    market("DE", json!({"locale": "no tag"})).assert_problem(422, "invalid_request");
    let saved = market("DE", json!({"name": "Germany", "locale": "de"})).gives_status(201).json();
    assert_eq!(saved["locale"], "de");
    market("DE-BE", json!({"name": "Berlin"})).gives_status(201);
    import("id,roles,market,locale\nr1,rider,,\nr2,rider,DE-BE,\nr3,rider,DE,tr-TR\n");
    for (user_id, language, status) in [
        ("r1", "fr", 201),
        ("r2", "en", 422),
        ("r2", "de", 201),
        ("r3", "de", 422),
        ("r3", "tr", 201),
    ] {
        let mut body = content("limitation");
        body["user_id"] = json!(user_id);
        body["statement"] = json!({ language: "x".repeat(50) });
        let answer = work.impose(&work.reviewer, &body);
        if status == 422 {
            answer.assert_problem(422, "statement_required");
        } else {
            assert_eq!(
                answer.gives_status(201).json()["market"],
                match user_id {
                    "r1" => Value::Null,
                    "r2" => json!("DE-BE"),
                    _ => json!("DE"),
                }
            );
        }
    }
}

fn a_proposal_has_no_effect_until_another_reviewer_decides(engine: Engine) {
    let work = Work::start(engine);
    let body = content("suspension");
    let mut without = body.clone();
    without["system"] = Value::Null;
    work.propose(&work.key, &without).assert_problem(422, "system_required");
    let mut short = body.clone();
    short["statement"] = json!({"en": "short"});
    work.propose(&work.key, &short).assert_problem(422, "statement_required");
    work.propose(&work.rider, &body).assert_problem(403, "permission_denied");
    work.propose(&work.app.store().token("o1"), &body).assert_problem(403, "permission_denied");
    let proposed = work.propose(&work.key, &body).gives_status(201).json();
    assert_eq!(proposed["status"], "PROPOSED");
    assert_eq!(proposed["decided_by"], json!({"kind": "service"}));
    let id = proposed["id"].as_str().expect("an id");
    assert!(work.may_work("r1"));
    assert_eq!(work.own(OWN_LIMITS)["items"], json!([]));
    for path in ["", "/receipts"] {
        let request = work.app.get(&format!("{OWN_LIMITS}/{id}{path}")).token(&work.rider);
        request.refused(404, "not_found");
    }
    work.review(id).assert_problem(404, "not_found");
    assert_eq!(work.event_types(), [""; 0], "the rider is not notified");
    let impose = json!({"effect": "impose"});
    work.decide(id, &work.key, &impose).assert_problem(403, "human_required");
    work.decide(id, &work.dispatcher, &impose).assert_problem(403, "permission_denied");
    work.decide(id, &work.reviewer, &json!({"effect": "maybe"}))
        .assert_problem(422, "invalid_request");
    work.lift(id, &work.reviewer).assert_problem(409, "conflict");
    let imposed = work.decide(id, &work.reviewer, &impose).gives_status(200).json();
    assert_eq!((&imposed["status"], &imposed["version"]), (&json!("IMPOSED"), &json!(2)));
    assert_eq!(imposed["starts_at"], imposed["decided_at"]);
    assert!(!work.may_work("r1"));
    work.decide(id, &work.second_reviewer, &impose).assert_problem(409, "conflict");
    assert_eq!(work.own(OWN_LIMITS)["items"][0]["id"], id);

    // The proposer does not decide, and neither does another account of the same person.
    let own = work.propose(&work.reviewer, &body).gives_status(201).json();
    let own = own["id"].as_str().expect("an id");
    for effect in ["impose", "dismiss"] {
        work.decide(own, &work.reviewer, &json!({"effect": effect}))
            .assert_problem(403, "own_decision");
    }
    let by_admin = work.propose(&work.admin, &body).gives_status(201).json();
    let by_admin = by_admin["id"].as_str().expect("an id");
    let second =
        json!({"user_id": "second", "roles": ["reviewer"], "email": "second@larkspur.example"});
    work.app.post(&format!("{ADMIN}/people")).token(&work.admin).json(&second).gives(201);
    let second = work.app.store().token("second");
    work.decide(by_admin, &second, &impose).assert_problem(403, "own_decision");
    let dismissed = work.decide(own, &work.second_reviewer, &json!({"effect": "dismiss"}));
    assert_eq!(dismissed.gives_status(200).json()["status"], "DISMISSED");
    work.decide(own, &work.second_reviewer, &impose).assert_problem(409, "conflict");
    work.app.get(&format!("{OWN_LIMITS}/{own}")).token(&work.rider).refused(404, "not_found");
    // The decision may replace the statement, which is checked again.
    let short = json!({"effect": "impose", "statement": {"en": "short"}});
    work.decide(by_admin, &work.reviewer, &short).assert_problem(422, "statement_required");
    let text = "y".repeat(50);
    let other = json!({"effect": "impose", "statement": {"en": text}});
    let imposed = work.decide(by_admin, &work.reviewer, &other).gives_status(200).json();
    assert_eq!(imposed["statement"], json!({"en": text}));
}

fn a_restriction_is_lifted_once_and_by_a_reviewer(engine: Engine) {
    let work = Work::start(engine);
    let id = work.imposed("termination");
    work.lift(&id, &work.key).assert_problem(403, "human_required");
    work.lift(&id, &work.dispatcher).assert_problem(403, "permission_denied");
    let empty = work.app.post(&format!("{LIMITS}/{id}/lift")).token(&work.reviewer);
    empty.json(&json!({"message": " "})).refused(422, "invalid_request");
    assert!(!work.may_work("r1"));
    // The one who imposed it may lift it.
    let lifted = work.lift(&id, &work.reviewer).gives_status(200).json();
    assert_eq!((&lifted["status"], &lifted["version"]), (&json!("LIFTED"), &json!(2)));
    assert_eq!(lifted["ended_at"], lifted["decided_at"]);
    assert!(work.may_work("r1"));
    work.lift(&id, &work.second_reviewer).assert_problem(409, "conflict");
    assert_eq!(work.event_types(), ["restriction.imposed", "restriction.lifted"]);
}

fn a_rider_requests_one_review_and_another_reviewer_answers(engine: Engine) {
    let work = Work::start(engine);
    let id = work.imposed("suspension");
    work.answer(&id, &work.second_reviewer, "upheld").assert_problem(409, "conflict");
    let review = work.review(&id).gives_status(201).json();
    assert_eq!(review["version"], 2);
    assert_eq!(review["review"]["outcome"], Value::Null);
    let instant = |text: &Value| {
        let text = text.as_str().expect("an instant");
        musette_core::instant::Instant::parse(text).expect("an instant").millis()
    };
    let review = &review["review"];
    let waits = instant(&review["answer_due"]) - instant(&review["requested_at"]);
    assert_eq!(waits, 14 * DAY_S * 1000);
    work.review(&id).assert_problem(409, "conflict");
    work.answer(&id, &work.reviewer, "upheld").assert_problem(403, "own_decision");
    work.answer(&id, &work.key, "upheld").assert_problem(403, "human_required");
    work.answer(&id, &work.dispatcher, "upheld").assert_problem(403, "permission_denied");
    let request = |body: Value| {
        let request = work.app.post(&format!("{LIMITS}/{id}/answer")).token(&work.second_reviewer);
        request.json(&body).send()
    };
    let short = json!({"outcome": "upheld", "message": "x".repeat(49)});
    request(short).assert_problem(422, "message_too_short");
    let unknown = json!({"outcome": "worse", "message": "x".repeat(50)});
    request(unknown).assert_problem(422, "invalid_request");
    let answered = work.answer(&id, &work.second_reviewer, "upheld").gives_status(200).json();
    assert_eq!((&answered["status"], &answered["version"]), (&json!("IMPOSED"), &json!(3)));
    assert_eq!(answered["review"]["outcome"], "upheld");
    work.answer(&id, &work.second_reviewer, "lifted").assert_problem(409, "conflict");
    let own = work.own(&format!("{OWN_LIMITS}/{id}"));
    assert_eq!(own["review"], answered["review"]);
    assert!(!own.to_string().contains("\"v1\"") && !own.to_string().contains("\"v2\""));
    let history = work.restriction(&id)["history"].clone();
    let by: Vec<&Value> = (0..3).map(|i| &history[i]["by"]["user_id"]).collect();
    assert_eq!(by, [&json!("v1"), &Value::Null, &json!("v2")]);
    let lifted = work.imposed("termination");
    work.review(&lifted).gives_status(201);
    let answered = work.answer(&lifted, &work.second_reviewer, "lifted").gives_status(200).json();
    assert_eq!(answered["status"], "LIFTED");
    let types = work.event_types();
    let count = |name: &str| types.iter().filter(|event| event.as_str() == name).count();
    assert_eq!((count("restriction.review_requested"), count("restriction.answered")), (2, 2));
    assert_eq!(count("restriction.lifted"), 1);
}

fn a_changed_restriction_is_only_shortened(engine: Engine) {
    let work = Work::start(engine);
    let change = |kind: &str, ends_at: Value| {
        let id = work.imposed(kind);
        work.review(&id).gives_status(201);
        let request = work.app.post(&format!("{LIMITS}/{id}/answer")).token(&work.second_reviewer);
        let body = json!({"outcome": "changed", "message": "x".repeat(50), "ends_at": ends_at});
        request.json(&body).send()
    };
    for ends_at in [Value::Null, json!(in_days(11)), json!("2020-01-01T00:00:00Z")] {
        change("suspension", ends_at).assert_problem(422, "invalid_request");
    }
    for kind in ["suspension", "termination", "limitation"] {
        let changed = change(kind, json!(in_days(5))).gives_status(200).json();
        assert_eq!(
            (&changed["status"], &changed["ends_at"]),
            (&json!("IMPOSED"), &json!(in_days(5)))
        );
    }
}

fn makes_one_of_two_simultaneous_decisions(engine: Engine) {
    let work = Work::start(engine);
    for _ in 0..4 {
        let proposed = work.propose(&work.key, &content("suspension")).gives_status(201).json();
        let id = proposed["id"].as_str().expect("an id");
        let decide =
            |token: &str, effect: &str| work.decide(id, token, &json!({"effect": effect})).status;
        let statuses = std::thread::scope(|scope| {
            let one = scope.spawn(|| decide(&work.reviewer, "impose"));
            let other = scope.spawn(|| decide(&work.second_reviewer, "dismiss"));
            let mut statuses = [one.join().expect("a status"), other.join().expect("a status")];
            statuses.sort_unstable();
            statuses
        });
        assert_eq!(statuses, [200, 409]);
        assert_eq!(work.restriction(id)["version"], 2);
    }
}

fn a_rider_reads_only_their_own_restrictions(engine: Engine) {
    let work = Work::start(engine);
    let id = work.imposed("limitation");
    for path in ["", &format!("/{id}"), &format!("/{id}/receipts")] {
        let request = work.app.get(&format!("{OWN_LIMITS}{path}")).token(&work.other_rider);
        request.refused(403, "permission_denied");
        let of_other = OWN_LIMITS.replace("r1", "r2");
        let request = work.app.get(&format!("{of_other}{path}")).token(&work.other_rider);
        if path.is_empty() {
            assert_eq!(request.gives(200).json()["items"], json!([]));
        } else {
            request.refused(404, "not_found");
        }
    }
    let of_other = OWN_LIMITS.replace("r1", "r2");
    let body = json!({"message": "It is not mine."});
    let review = |path: &str| work.app.post(&format!("{path}/{id}/review"));
    review(OWN_LIMITS).token(&work.other_rider).json(&body).refused(403, "permission_denied");
    review(&of_other).token(&work.other_rider).json(&body).refused(404, "not_found");
    // A restricted rider still signs in, reads, contests and downloads their data.
    let suspended = work.imposed("termination");
    work.app.get("/api/session/v1/me/data").token(&work.rider).gives(200);
    work.review(&suspended).gives_status(201);
    // A retry with the same key gets the same answer.
    let send = || {
        let request = review(OWN_LIMITS).token(&work.rider).key("review-1");
        request.json(&body).gives(201)
    };
    let first = send();
    let again = send();
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body));
}

fn lists_filter_and_page_restrictions(engine: Engine) {
    let work = Work::start(engine);
    let ids: Vec<String> = (0..3).map(|_| work.imposed("limitation")).collect();
    let proposed = work.propose(&work.key, &content("suspension")).gives_status(201).json();
    work.lift(&ids[2], &work.reviewer).gives_status(200);
    work.review(&ids[0]).gives_status(201);
    let list = |query: &str| {
        let page =
            work.app.get(&format!("{LIMITS}?{query}")).token(&work.reviewer).gives(200).json();
        let items = page["items"].as_array().expect("items").clone();
        let ids = items.iter().map(|item| item["id"].as_str().expect("an id").to_owned());
        (ids.collect::<Vec<_>>(), page["next"].clone())
    };
    let proposed = proposed["id"].as_str().expect("an id").to_owned();
    let all = [ids[0].clone(), proposed.clone(), ids[2].clone(), ids[1].clone()];
    assert_eq!(list("user_id=r1").0, all, "the open review first, then the newest");
    let (first, next) = list("limit=3");
    assert_eq!(first, all[..3]);
    let next = next.as_str().expect("a cursor");
    assert_eq!(list(&format!("limit=3&after={next}")), (vec![ids[1].clone()], Value::Null));
    assert_eq!(list("status=PROPOSED").0, [proposed]);
    assert_eq!(list("status=LIFTED").0, [ids[2].clone()]);
    assert_eq!(list(&format!("due_before={}", in_days(15))).0, [ids[0].clone()]);
    assert_eq!(list(&format!("due_before={}", in_days(13))).0, [""; 0]);
    assert_eq!(list("user_id=r2").0, [""; 0]);
    assert_eq!(list("market=DE").0, [""; 0]);
    for query in ["status=OPEN", "limit=201", "after=x", "market=XX", "due_before=soon"] {
        let answer = work.app.get(&format!("{LIMITS}?{query}")).token(&work.reviewer).send();
        assert_eq!(answer.status, 400, "{query}");
    }
    let own = work.own(&format!("{OWN_LIMITS}?limit=2"));
    assert_eq!(own["items"][0]["id"], ids[2]);
    let next = own["next"].as_str().expect("a cursor");
    let last = work.own(&format!("{OWN_LIMITS}?limit=2&after={next}"));
    assert_eq!((&last["items"][0]["id"], &last["next"]), (&json!(ids[0]), &Value::Null));
}

fn a_restriction_expires_at_its_end_and_a_late_answer_is_reported_once(engine: Engine) {
    use crate::until::until;
    let store = super::work::store(engine);
    let work = Work::serve(&store, 0);
    let id = work.imposed("suspension");
    let reviewed = work.imposed("termination");
    work.review(&reviewed).gives_status(201);
    drop(work);
    let work = Work::serve(&store, 15 * DAY_S);
    let read = work.own(&format!("{OWN_LIMITS}/{id}"));
    assert_eq!((&read["status"], &read["version"]), (&json!("EXPIRED"), &json!(2)));
    assert_eq!(read["decided_by"], json!({"kind": "lapse"}));
    assert_eq!((&read["ended_at"], &read["decided_at"]), (&read["ends_at"], &read["ends_at"]));
    work.lift(&id, &work.reviewer).assert_problem(409, "conflict");
    let count =
        |name: &str| work.event_types().iter().filter(|event| event.as_str() == name).count();
    assert_eq!(count("restriction.expired"), 1);
    until("the event", || count("restriction.overdue") == 1);
    assert_eq!(work.restriction(&reviewed)["review"]["overdue"], true);
    drop(work);
    // The task runs at each start, and once a minute.
    let work = Work::serve(&store, 15 * DAY_S + 60);
    let list = work.app.get(&format!("{LIMITS}?status=EXPIRED")).token(&work.admin).gives(200);
    assert_eq!(list.json()["items"].as_array().map(Vec::len), Some(1));
    let overdue = work.event_types();
    assert_eq!(overdue.iter().filter(|event| *event == "restriction.overdue").count(), 1);
    work.review(&id).gives_status(201);
    drop(work);
    // Six calendar months after the end.
    let work = Work::serve(&store, 200 * DAY_S);
    let answered = work.answer(&id, &work.second_reviewer, "upheld").gives_status(200).json();
    assert_eq!(answered["status"], "EXPIRED");
    let ended = work.imposed("suspension");
    work.lift(&ended, &work.reviewer).gives_status(200);
    drop(work);
    let work = Work::serve(&store, (200 + 185) * DAY_S);
    work.review(&ended).assert_problem(409, "contest_closed");
    drop(work);
    store.command(&["log", "verify"]).expect_success();
}

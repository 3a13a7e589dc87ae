//! What reviewers and dispatchers do with many evaluations: assignments, and excusals.

use serde_json::{Value, json};

use super::work::{WORK, Work, complete, creation, store, uuid};
use crate::admin::ADMIN;
use crate::request::Answer;
use crate::store::Engine;
use crate::until::until;

on_both!(
    an_open_discussion_is_assigned_to_one_reviewer,
    an_assignment_expires_and_ends_with_the_next_version,
    an_excusal_is_applied_after_ten_minutes,
    a_cancelled_excusal_changes_nothing,
    an_excusal_of_a_person_without_the_role_changes_nothing,
    a_preview_says_what_cannot_be_excused,
);

const MINUTES_11: i64 = 11 * 60;

fn assign(work: &Work, id: &str, token: &str, instead_of: Option<&str>) -> Answer {
    let request = work.app.request("PUT", &format!("{WORK}/{id}/assignment")).token(token);
    request.json(&json!({"instead_of": instead_of})).send()
}

fn assigned(work: &Work) -> Vec<(Value, Value)> {
    let list = work.app.get(&format!("{WORK}/assignments")).token(&work.admin).gives(200).json();
    let items = list["items"].as_array().cloned().expect("items");
    items.into_iter().map(|item| (item["evaluation_id"].clone(), item["user_id"].clone())).collect()
}

fn an_open_discussion_is_assigned_to_one_reviewer(engine: Engine) {
    let work = Work::start(engine);
    let id = work.evaluation("IN_DISCUSSION");
    let first = assign(&work, &id, &work.reviewer, None).gives_status(200).json();
    assert_eq!((&first["user_id"], &first["evaluation_id"]), (&json!("v1"), &json!(id)));
    assign(&work, &id, &work.reviewer, None).gives_status(200);
    let refused = assign(&work, &id, &work.second_reviewer, None);
    refused.assert_problem(409, "assigned");
    assert_eq!(refused.json()["assignment"]["user_id"], "v1");
    // It replaces only the reviewer that the caller names.
    assign(&work, &id, &work.second_reviewer, Some("a1")).assert_problem(409, "assigned");
    assign(&work, &id, &work.second_reviewer, Some("v1")).gives_status(200);
    assert_eq!(assigned(&work), [(json!(id), json!("v2"))]);
    let end = |token: &str| {
        let request = work.app.request("DELETE", &format!("{WORK}/{id}/assignment"));
        request.token(token).send().gives_status(204)
    };
    end(&work.reviewer);
    assert_eq!(assigned(&work).len(), 1, "that of another reviewer stays");
    end(&work.second_reviewer);
    assert_eq!(assigned(&work), []);

    let closed = work.evaluation("EVALUATED");
    assign(&work, &closed, &work.reviewer, None).assert_problem(409, "conflict");
    assign(&work, &uuid(), &work.reviewer, None).assert_problem(404, "not_found");
    assign(&work, &id, &work.dispatcher, None).assert_problem(403, "permission_denied");
    assign(&work, &id, &work.key, None).assert_problem(403, "permission_denied");
    // It takes no right from another reviewer.
    assign(&work, &id, &work.reviewer, None).gives_status(200);
    work.to(&id, &work.second_reviewer, "ACCEPTED", 3).gives_status(200);
}

fn an_assignment_expires_and_ends_with_the_next_version(engine: Engine) {
    let store = store(engine);
    let work = Work::serve(&store, 0);
    let (answered, waiting) = (work.evaluation("IN_DISCUSSION"), work.evaluation("IN_DISCUSSION"));
    assign(&work, &answered, &work.reviewer, None).gives_status(200);
    assign(&work, &waiting, &work.reviewer, None).gives_status(200);
    // A message is no version.
    let message = work.app.post(&format!("{WORK}/{answered}/messages")).token(&work.reviewer);
    message.json(&json!({"message": "We are asking the restaurant."})).gives(200);
    assert_eq!(assigned(&work).len(), 2);
    work.to(&answered, &work.reviewer, "EVALUATED", 3).gives_status(200);
    assert_eq!(assigned(&work), [(json!(waiting), json!("v1"))]);
    work.contest(&answered, 4).gives_status(200);
    assert_eq!(assigned(&work).len(), 1, "a second discussion is free");
    assign(&work, &answered, &work.second_reviewer, None).gives_status(200);
    drop(work);
    let work = Work::serve(&store, 16 * 60);
    assert_eq!(assigned(&work), []);
    assign(&work, &waiting, &work.second_reviewer, None).gives_status(200);
}

fn put_excusal(work: &Work, id: &str, token: &str, evaluations: &[(&str, i64)]) -> Answer {
    let evaluations = evaluations.iter().map(|(id, version)| json!({"id": id, "version": version}));
    let body = json!({
        "text": {"en": "Excused: storm on 20 November"},
        "evaluations": evaluations.collect::<Vec<_>>(),
    });
    work.app.request("PUT", &format!("{ADMIN}/excusals/{id}")).token(token).json(&body).send()
}

fn read_excusal(work: &Work, id: &str) -> Value {
    work.app.get(&format!("{ADMIN}/excusals/{id}")).token(&work.admin).gives(200).json()
}

fn cancel(work: &Work, id: &str, token: &str) -> Answer {
    work.app.request("DELETE", &format!("{ADMIN}/excusals/{id}")).token(token).send()
}

fn an_excusal_is_applied_after_ten_minutes(engine: Engine) {
    let store = store(engine);
    let work = Work::serve(&store, 0);
    let (pending, absent) = (work.evaluation("PENDING"), work.evaluation("NO_SHOW"));
    let contested = work.evaluation("IN_DISCUSSION");
    let changed = work.evaluation("PENDING");
    let id = uuid();
    let all = [
        (pending.as_str(), 1),
        (absent.as_str(), 2),
        (contested.as_str(), 3),
        (changed.as_str(), 1),
    ];
    let created = put_excusal(&work, &id, &work.dispatcher, &all).gives_status(201).json();
    assert_eq!((&created["status"], &created["total"]), (&json!("scheduled"), &json!(4)));
    put_excusal(&work, &id, &work.dispatcher, &all).gives_status(200);
    put_excusal(&work, &id, &work.dispatcher, &all[..2]).assert_problem(409, "conflict");
    put_excusal(&work, &uuid(), &work.key, &all).assert_problem(403, "human_required");
    put_excusal(&work, &uuid(), &work.reviewer, &all).assert_problem(403, "permission_denied");
    let unknown = put_excusal(&work, &uuid(), &work.dispatcher, &[(&uuid(), 1)]);
    unknown.assert_problem(422, "invalid_request");
    put_excusal(&work, &uuid(), &work.dispatcher, &[]).assert_problem(422, "invalid_request");
    // Until then the riders see nothing.
    work.to(&changed, &work.dispatcher, "EVALUATED", 1).gives_status(200);
    assert_eq!(work.read(&absent)["status"], "NO_SHOW");
    drop(work);

    let work = Work::serve(&store, MINUTES_11);
    until("the excusal", || read_excusal(&work, &id)["status"] == "applied");
    let excusal = read_excusal(&work, &id);
    assert_eq!((&excusal["excused"], &excusal["refused"]), (&json!(2), &json!(2)));
    let results = excusal["evaluations"].as_array().expect("evaluations").iter();
    let results: Vec<&str> =
        results.map(|item| item["result"].as_str().expect("a result")).collect();
    assert_eq!(results, ["excused", "excused", "transition_not_allowed", "conflict"]);
    let read = work.read(&absent);
    assert_eq!((&read["status"], &read["version"]), (&json!("EVALUATED"), &json!(3)));
    let reason = json!([{"code": "excused", "text": {"en": "Excused: storm on 20 November"}}]);
    assert_eq!(read["reasons"], reason);
    assert_eq!(read["history"][2]["by"]["user_id"], "d1");
    assert_eq!(work.read(&contested)["status"], "IN_DISCUSSION");
    let audit = work.app.get(&format!("{ADMIN}/audit?event=evaluation_excused"));
    let audit = audit.token(&work.admin).gives(200).json();
    let details: Vec<&Value> =
        audit["items"].as_array().expect("entries").iter().map(|entry| &entry["detail"]).collect();
    assert_eq!(details, [&json!(absent), &json!(pending)], "one for each evaluation");
    cancel(&work, &id, &work.dispatcher).assert_problem(409, "conflict");
    // The rider can contest it as any other record.
    work.contest(&absent, 3).gives_status(200);
    drop(work);
    // As if the node had stopped after the transitions, before it recorded their results.
    store.tamper("UPDATE excusals SET status = 'applying', settled_at = NULL");
    store.tamper("UPDATE excusal_items SET result = NULL");
    let work = Work::serve(&store, MINUTES_11);
    until("the same results", || read_excusal(&work, &id)["status"] == "applied");
    assert_eq!(read_excusal(&work, &id)["evaluations"], excusal["evaluations"]);
    assert_eq!(
        (&work.read(&pending)["version"], &work.read(&absent)["version"]),
        (&json!(2), &json!(4))
    );
    drop(work);
    store.command(&["log", "verify"]).expect_success();
}

fn a_cancelled_excusal_changes_nothing(engine: Engine) {
    let store = store(engine);
    store.add_user("d2", &["dispatcher@DE-BE"]);
    let work = Work::serve(&store, 0);
    let (id, absent) = (uuid(), work.evaluation("NO_SHOW"));
    put_excusal(&work, &id, &work.dispatcher, &[(&absent, 2)]).gives_status(201);
    let narrowed = work.app.store().token("d2");
    cancel(&work, &id, &narrowed).assert_problem(403, "permission_denied");
    put_excusal(&work, &uuid(), &narrowed, &[(&absent, 2)]).assert_problem(422, "invalid_request");
    cancel(&work, &id, &work.key).assert_problem(403, "human_required");
    cancel(&work, &uuid(), &work.dispatcher).assert_problem(404, "not_found");
    let cancelled = cancel(&work, &id, &work.admin).gives_status(200).json();
    assert_eq!(cancelled["status"], "cancelled");
    assert!(cancelled["settled_at"].is_string());
    cancel(&work, &id, &work.dispatcher).assert_problem(409, "conflict");
    // Of the narrowed dispatcher's own market.
    let (own, berlin) = (uuid(), uuid());
    let mut body = creation("r1");
    body["subject"]["market"] = json!("DE-BE");
    work.put(&berlin, &work.dispatcher, &body).gives_status(201);
    let created = put_excusal(&work, &own, &narrowed, &[(&berlin, 1)]).gives_status(201).json();
    assert_eq!(created["market"], "DE-BE");
    let list = work.app.get(&format!("{ADMIN}/excusals")).token(&narrowed).gives(200).json();
    assert_eq!(list["items"], json!([created]));
    drop(work);
    let work = Work::serve(&store, MINUTES_11);
    until("the other excusal", || read_excusal(&work, &own)["status"] == "applied");
    assert_eq!(work.read(&absent)["version"], 2);
    assert_eq!(read_excusal(&work, &id)["evaluations"][0]["result"], Value::Null);
}

fn an_excusal_of_a_person_without_the_role_changes_nothing(engine: Engine) {
    let store = store(engine);
    let work = Work::serve(&store, 0);
    let (id, absent) = (uuid(), work.evaluation("NO_SHOW"));
    put_excusal(&work, &id, &work.dispatcher, &[(&absent, 2)]).gives_status(201);
    let roles = work.app.request("PUT", &format!("{ADMIN}/people/d1/roles")).token(&work.admin);
    roles.json(&json!({"roles": ["viewer"]})).gives(200);
    drop(work);
    let work = Work::serve(&store, MINUTES_11);
    until("the excusal", || read_excusal(&work, &id)["status"] == "applied");
    let excusal = read_excusal(&work, &id);
    assert_eq!(excusal["evaluations"][0]["result"], "permission_denied");
    assert_eq!(work.read(&absent)["version"], 2);
}

fn a_preview_says_what_cannot_be_excused(engine: Engine) {
    let work = Work::start(engine);
    let statuses = ["PENDING", "NO_SHOW", "EVALUATED", "IN_DISCUSSION", "ACCEPTED"];
    let ids = statuses.map(|status| work.evaluation(status));
    let other = uuid();
    let mut body = creation("r2");
    body["subject"]["starts_at"] = json!("2026-11-20T19:00:00Z");
    work.put(&other, &work.dispatcher, &body).gives_status(201);
    work.transition(&other, &work.dispatcher, &complete("NO_SHOW", 1)).gives_status(200);
    let preview = |query: &str, token: &str| {
        let path = format!("{ADMIN}/excusals/preview?{query}");
        work.app.get(&path).token(token)
    };
    let evening = "starts_from=2026-11-20T17:00:00Z&starts_until=2026-11-20T19:00:01Z";
    let all = preview(evening, &work.dispatcher).gives(200).json();
    assert_eq!((&all["excusable"], &all["riders"]), (&json!(3), &json!(2)), "{all}");
    let items = all["items"].as_array().expect("items");
    let code = |id: &str| {
        let item = items.iter().find(|item| item["id"] == id).expect("the evaluation");
        item["code"].as_str().map(str::to_owned)
    };
    let codes = ids.each_ref().map(|id| code(id));
    let refused = || Some("transition_not_allowed".to_owned());
    assert_eq!(codes, [None, None, refused(), refused(), refused()]);
    assert_eq!(items.last().map(|item| item["id"].clone()), Some(json!(other)));
    let earlier = "starts_from=2026-11-20T17:00:00Z&starts_until=2026-11-20T19:00:00Z";
    let earlier = preview(&format!("{earlier}&status=NO_SHOW"), &work.dispatcher).gives(200).json();
    assert_eq!(earlier["items"].as_array().map(Vec::len), Some(1), "{earlier}");
    for (query, code) in [
        ("starts_from=2026-11-20T17:00:00Z", "invalid_parameter"),
        ("starts_from=2026-11-20T17:00:00Z&starts_until=2026-11-28T17:00:00Z", "invalid_parameter"),
        ("starts_from=2026-11-20T17:00:00Z&starts_until=2026-11-20T17:00:00Z", "invalid_parameter"),
    ] {
        preview(query, &work.dispatcher).refused(400, code);
    }
    preview(&format!("{evening}&market=XX"), &work.dispatcher).refused(400, "unknown_market");
    preview(evening, &work.key).refused(403, "human_required");
    preview(evening, &work.reviewer).refused(403, "permission_denied");
}

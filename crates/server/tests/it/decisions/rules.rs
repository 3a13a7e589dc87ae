//! Times: review rules, the end of the contest time, reminders.

use serde_json::{Value, json};

use super::work::{DAY_S, OWN, WORK, Work, complete, creation, store, uuid};
use crate::admin::ADMIN;
use crate::store::Engine;
use crate::until::until;

on_both!(
    an_evaluation_is_final_after_its_contest_time,
    an_open_discussion_stays_open_and_is_reminded_of_once,
    review_rules_are_of_the_narrowest_market,
);

fn an_evaluation_is_final_after_its_contest_time(engine: Engine) {
    let store = store(engine);
    let work = Work::serve(&store, 0);
    let evaluated = work.evaluation("EVALUATED");
    let no_show = work.evaluation("NO_SHOW");
    let until = work.read(&evaluated)["contest_until"].clone();
    drop(work);
    let work = Work::serve(&store, 7 * DAY_S + 120);
    let list = work.app.get(&format!("{WORK}?status=EVALUATED")).token(&work.admin).gives(200);
    assert_eq!(list.json()["items"], json!([]));
    let read = work.app.get(&format!("{OWN}/{evaluated}")).token(&work.rider).gives(200).json();
    assert_eq!((&read["status"], &read["version"]), (&json!("ACCEPTED"), &json!(3)));
    assert_eq!(read["decided_by"], json!({"kind": "lapse"}));
    assert_eq!((&read["finalised_at"], &read["decided_at"]), (&until, &until));
    work.contest(&evaluated, 2).assert_problem(409, "conflict");
    work.contest(&evaluated, 3).assert_problem(409, "contest_closed");
    let read = work.read(&no_show);
    assert_eq!((&read["status"], &read["version"]), (&json!("NO_SHOW"), &json!(2)));
    assert!(read["finalised_at"].is_string());
    work.to(&no_show, &work.dispatcher, "EVALUATED", 2).assert_problem(409, "evaluation_final");
    let events = work.app.get(&format!("{ADMIN}/events?types=evaluation.finalised"));
    let events = events.token(&work.admin).gives(200).json();
    assert_eq!(events["items"].as_array().map(Vec::len), Some(2), "{events}");
    drop(work);
    store.command(&["log", "verify"]).expect_success();
}

fn an_open_discussion_stays_open_and_is_reminded_of_once(engine: Engine) {
    let store = store(engine);
    let work = Work::serve(&store, 0);
    let id = work.evaluation("IN_DISCUSSION");
    drop(work);
    let work = Work::serve(&store, 15 * DAY_S);
    let read = work.read(&id);
    assert_eq!((&read["status"], &read["overdue"]), (&json!("IN_DISCUSSION"), &json!(true)));
    let overdue = |work: &Work| {
        let events = work.app.get(&format!("{ADMIN}/events?types=evaluation.overdue"));
        let events = events.token(&work.admin).gives(200).json();
        events["items"].as_array().map_or(0, Vec::len)
    };
    until("the reminder", || overdue(&work) == 1);
    drop(work);
    // The task runs at each start, and once a minute.
    let work = Work::serve(&store, 15 * DAY_S);
    let gauge = "musette_evaluation_discussions_overdue{market=\"\"} 1";
    until("the gauge", || work.app.metrics().contains(gauge));
    assert_eq!(overdue(&work), 1);
    // The contest time passed while the discussion was open.
    let path = format!("{OWN}/{id}/discussion");
    let request = work.app.request("DELETE", &path).token(&work.rider);
    let withdrawn = request.gives(200).json();
    assert_eq!((&withdrawn["status"], &withdrawn["version"]), (&json!("ACCEPTED"), &json!(5)));
    assert!(withdrawn["finalised_at"].is_string());
}

fn review_rules_are_of_the_narrowest_market(engine: Engine) {
    let work = Work::start(engine);
    let path = format!("{ADMIN}/review-rules");
    let put = |rules: Value| work.app.request("PUT", &path).token(&work.admin).json(&rules);
    let rule = |market: &str, contest: i64| json!({"market": market, "contest_days": contest, "answer_days": 3});
    let rules = json!([rule("*", 2), rule("DE", 3), rule("DE-BE", 4)]);
    assert_eq!(put(rules.clone()).gives(200).json(), rules);
    put(json!([rule("*", 91)])).refused(422, "invalid_request");
    put(json!([rule("DE", 1), rule("DE", 2)])).refused(422, "invalid_request");
    put(json!([rule("XX", 1)])).refused(422, "unknown_market");
    let operator = work.app.store().token("o1");
    work.app.get(&path).token(&operator).refused(403, "permission_denied");
    for (market, days) in [(None, 2), (Some("FR"), 2), (Some("DE-BY"), 3), (Some("DE-BE"), 4)] {
        let id = uuid();
        let mut body = creation("r1");
        body["subject"]["market"] = json!(market);
        work.put(&id, &work.dispatcher, &body).gives_status(201);
        let evaluated = work.transition(&id, &work.dispatcher, &complete("EVALUATED", 1)).json();
        let instant = |name: &str| {
            let text = evaluated[name].as_str().expect("an instant");
            musette_core::instant::Instant::parse(text).expect("an instant").millis()
        };
        let waits = instant("contest_until") - instant("decided_at");
        assert_eq!(waits, days * DAY_S * 1000, "{market:?}");
    }
}

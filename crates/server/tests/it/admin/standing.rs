//! `/people/{userId}/standing`: which terms a person must accept or had to accept, in their market.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, entry, rider};

on_both!(reports_terms_of_the_own_market_now_and_at_an_earlier_time);

fn now() -> String {
    #[expect(clippy::disallowed_methods, reason = "the real time, as the server under test has it")]
    let at = jiff::Timestamp::now();
    // Timestamps have millisecond resolution, and two of them must differ.
    std::thread::sleep(Duration::from_millis(5));
    format!("{at:.3}")
}

/// Returns whether the person may work. For each term: its id, whether it is outstanding, the
/// decision, and the version of the decision.
fn standing(console: &Console, query: &str) -> (bool, Vec<(i64, bool, Value, Value)>) {
    let path = format!("{ADMIN}/people/r1/standing{query}");
    let body = console.app.get(&path).token(&console.operator).gives(200).json();
    let terms = body["terms"].as_array().expect("terms").iter().map(|term| {
        let id = term["terms_and_conditions_id"].as_i64().expect("an id");
        let outstanding = term["outstanding"].as_bool().expect("true or false");
        (id, outstanding, term["accepted"].clone(), term["decided_on"].clone())
    });
    (body["may_work"].as_bool().expect("true or false"), terms.collect())
}

fn reports_terms_of_the_own_market_now_and_at_an_earlier_time(engine: Engine) {
    let store = TestStore::new(engine);
    let world = store.term("FREELANCER", &["--mandatory"]);
    let of = world.to_string();
    let germany = store.term("FREELANCER", &["--mandatory", "--market", "DE", "--instead-of", &of]);
    let uruguay = store.term("MARKETING", &["--mandatory", "--market", "UY"]);
    let console = Console::serve(store);
    let to = json!({"market": "DE"});
    let path = format!("{ADMIN}/people/r1/market");
    console.app.request("PUT", &path).token(&console.operator).json(&to).gives(200);
    let decide = |term: i64| {
        let body = rider("r1", &[entry(term, true)]);
        console.app.post(SUBMIT).token(&console.rider).json(&body).gives(201);
    };
    let null = Value::Null;
    let undecided = (false, vec![(germany, true, null.clone(), null.clone())]);
    assert_eq!(standing(&console, ""), undecided, "neither the world's nor Uruguay's {uruguay}");

    let before = now();
    decide(germany);
    let accepted = now();
    let of = germany.to_string();
    let minor = console.app.term("FREELANCER", &["--mandatory", "--replaces", &of, "--minor"]);
    let renewed = now();
    decide(minor);
    assert_eq!(standing(&console, ""), (true, vec![(minor, false, json!(true), json!(minor))]));

    let path = format!("{ADMIN}/people/r1/standing");
    let body = console.app.get(&path).token(&console.operator).gives(200).json();
    assert_eq!(body["terms"][0]["decision"], "accepted", "{body}");

    let at = |at: &str| standing(&console, &format!("?as_of={at}"));
    assert_eq!(at(&before), undecided);
    assert_eq!(at(&accepted), (true, vec![(germany, false, json!(true), json!(germany))]));
    // A minor version inherits the decision on the previous version.
    assert_eq!(at(&renewed), (true, vec![(minor, false, json!(true), json!(germany))]));
    assert_eq!(at("2020-01-01T00:00:00Z"), (true, vec![]));
    let path = format!("{ADMIN}/people/r1/standing?as_of=2100-01-01T00:00:00Z");
    console.app.get(&path).token(&console.operator).refused(400, "invalid_parameter");
}

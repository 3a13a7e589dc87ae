//! Reordering published terms.

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::request::Request;
use crate::store::Engine;
use crate::wire::V3;

on_both!(shows_terms_in_the_new_order, refuses_the_second_of_two_concurrent_reorderings);

fn put(console: &Console, etag: &str, ids: &[i64]) -> Request {
    let body = json!({"type": "FREELANCER", "ids": ids});
    let request = console.app.request("PUT", &format!("{ADMIN}/terms/order"));
    request.token(&console.operator).header("if-match", etag).json(&body)
}

fn read(console: &Console) -> (String, Vec<i64>) {
    let path = format!("{ADMIN}/terms/order?type=FREELANCER");
    let answer = console.app.get(&path).token(&console.operator).gives(200);
    (answer.header("etag").to_owned(), ids(&answer.json()["items"]))
}

fn ids(items: &Value) -> Vec<i64> {
    let items = items.as_array().expect("a list").iter();
    items.map(|item| item["id"].as_i64().expect("an id")).collect()
}

fn shows_terms_in_the_new_order(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory", "--order", "3"]);
    let second = console.app.term("FREELANCER", &["--order", "3"]);
    let other = console.app.term("MARKETING", &["--order", "4"]);
    let (etag, order) = read(&console);
    assert_eq!(order, [first, second]);
    let now = put(&console, &etag, &[second, first]).gives(200);
    assert_eq!(ids(&now.json()["items"]), [second, first]);
    let shown = || {
        let path = format!("{V3}/terms?types=FREELANCER,MARKETING");
        ids(&console.app.get(&path).token(&console.rider).gives(200).json())
    };
    assert_eq!(shown(), [second, first, other], "3, 4 and the other type's 4");
    let public = console.app.get(&format!("{V3}/public/terms")).gives(200).json();
    assert_eq!(ids(&public), [second, first, other]);
    let replaces = second.to_string();
    let newer = console.app.term("FREELANCER", &["--replaces", &replaces]);
    assert_eq!(shown(), [newer, first, other], "a new version takes the place of the old one");
    // The published terms are unchanged, so their log entries still verify.
    console.app.command(&["log", "verify"]).expect_success();
    let path = format!("{ADMIN}/audit?event=terms_reordered");
    let audit = console.app.get(&path).token(&console.operator).gives(200).json();
    assert_eq!(audit["items"][0]["detail"], format!("FREELANCER {second} {first}"));
}

fn refuses_the_second_of_two_concurrent_reorderings(engine: Engine) {
    let console = Console::start(engine);
    let terms = [console.app.term("FREELANCER", &[]), console.app.term("FREELANCER", &[])];
    let (etag, _) = read(&console);
    put(&console, &etag, &terms).gives(200);
    put(&console, &etag, &terms).refused(412, "precondition_failed");
    let (etag, _) = read(&console);
    for bad in [&terms[..1], &[terms[0], terms[0]], &[terms[0], 999], &[]] {
        put(&console, &etag, bad).refused(422, "order_incomplete");
    }
    let without = console.app.request("PUT", &format!("{ADMIN}/terms/order"));
    let body = json!({"type": "FREELANCER", "ids": terms});
    without.token(&console.operator).json(&body).refused(428, "precondition_required");
    let path = format!("{ADMIN}/terms/order?type=x");
    console.app.get(&path).token(&console.operator).refused(400, "invalid_parameter");
}

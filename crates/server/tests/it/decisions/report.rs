//! The report for representatives: which figures it has, and which it suppresses.

use serde_json::{Value, json};

use super::restrictions::fixture::content;
use super::work::{Work, creation, uuid};
use crate::admin::ADMIN;
use crate::request::Answer;
use crate::store::Engine;

on_both!(
    counts_by_month_and_market_without_giving_small_counts_away,
    a_role_for_one_market_reads_only_its_rows,
    an_invalid_period_is_refused,
);

/// Returns the current month.
fn month() -> String {
    let now = musette::parts::clock::Clock::default().now().to_string();
    now[..7].to_owned()
}

fn query(work: &Work, token: &str, more: &str) -> Answer {
    let month = month();
    let path = format!("{ADMIN}/reports/decisions?from={month}&to={month}{more}");
    work.app.get(&path).token(token).send()
}

fn token(work: &Work, id: &str, role: &str) -> String {
    let store = work.app.store();
    store.add_user(id, &[role]);
    store.token(id)
}

/// Creates evaluations of `r1` in a market and brings them to `EVALUATED`.
fn evaluate(work: &Work, market: Option<&str>, count: usize) -> Vec<String> {
    let mut body = creation("r1");
    body["subject"]["market"] = json!(market);
    let one = |()| {
        let id = uuid();
        work.put(&id, &work.dispatcher, &body).gives_status(201);
        work.to(&id, &work.dispatcher, "EVALUATED", 1).gives_status(200);
        id
    };
    std::iter::repeat_n((), count).map(one).collect()
}

fn row<'a>(report: &'a Value, market: Option<&str>) -> &'a Value {
    let items = report["items"].as_array().expect("items");
    items.iter().find(|row| row["market"] == json!(market)).expect("a row")
}

fn markets(report: &Value) -> Vec<Value> {
    let items = report["items"].as_array().expect("items").iter();
    items.map(|row| row["market"].clone()).collect()
}

fn counts_by_month_and_market_without_giving_small_counts_away(engine: Engine) {
    let work = Work::start(engine);
    let empty = query(&work, &work.admin, "").gives_status(200).json();
    assert_eq!(markets(&empty), [Value::Null]);
    assert_eq!(row(&empty, None)["evaluations"]["total"], "<10");
    let contested = evaluate(&work, Some("DE"), 12);
    evaluate(&work, Some("DE-BE"), 4);
    evaluate(&work, Some("FR"), 11);
    for (i, id) in contested.iter().enumerate() {
        work.contest(id, 2).gives_status(200);
        // One contest is not answered, and one is answered without a change.
        let outcome = if i == 1 { "EVALUATED" } else { "ACCEPTED" };
        if i > 0 {
            work.to(id, &work.reviewer, outcome, 3).gives_status(200);
        }
    }
    let report = query(&work, &work.admin, "").gives_status(200).json();
    let codes = [json!(null), json!("DE"), json!("DE-BE"), json!("FR")];
    assert_eq!(markets(&report), codes);
    let germany = row(&report, Some("DE"));
    assert_eq!(germany["month"], month());
    assert_eq!(row(&report, Some("FR"))["evaluations"]["EVALUATED"], 11);
    assert_eq!(row(&report, Some("DE-BE"))["evaluations"]["EVALUATED"], "<10");
    assert_eq!(germany["evaluations"]["EVALUATED"], "<10");
    assert_eq!(germany["evaluations"]["PENDING"], "<10", "zero is no exact count");
    // Berlin has few, so that the count of Germany would give it away.
    for member in ["contested", "overturned"] {
        assert_eq!(germany[member], Value::Null, "{member}");
    }
    assert_eq!(germany["evaluations"]["ACCEPTED"], Value::Null);
    assert_eq!(germany["evaluations"]["total"], Value::Null);
    assert_eq!(row(&report, None)["evaluations"]["EVALUATED"], Value::Null);
    assert!(germany["answer_median_seconds"].is_u64(), "{germany}");
    assert_eq!(row(&report, Some("FR"))["answer_median_seconds"], Value::Null);
    let csv = query(&work, &work.admin, "&format=csv").gives_status(200);
    let csv = String::from_utf8(csv.body).expect("UTF-8");
    let france = format!("{},FR,,<10,11,<10,<10,<10,<10,<10,<10,,,", month());
    assert!(csv.lines().any(|line| line.starts_with(&france)), "{csv}");
    assert_eq!(csv.lines().count(), 5, "{csv}");
}

fn a_role_for_one_market_reads_only_its_rows(engine: Engine) {
    let work = Work::start(engine);
    let contested = evaluate(&work, Some("FR"), 12);
    evaluate(&work, Some("DE"), 3);
    for (i, id) in contested.iter().enumerate() {
        work.contest(id, 2).gives_status(200);
        if i < 10 {
            work.to(id, &work.reviewer, "ACCEPTED", 3).gives_status(200);
        }
    }
    let mut body = content("suspension");
    for _ in 0..11 {
        work.impose(&work.reviewer, &body).gives_status(201);
    }
    body["kind"] = json!("limitation");
    work.impose(&work.reviewer, &body).gives_status(201);
    let narrow = token(&work, "rep-fr", "representative@FR");
    let report = query(&work, &narrow, "").gives_status(200).json();
    assert_eq!(markets(&report), [json!("FR")]);
    let france = row(&report, Some("FR"));
    // Two contests have no success: the exact number of contests would give that away.
    assert_eq!((&france["contested"], &france["overturned"]), (&Value::Null, &json!(10)));
    assert_eq!(france["evaluations"]["ACCEPTED"], 10);
    assert_eq!(france["evaluations"]["IN_DISCUSSION"], "<10");
    query(&work, &narrow, "&market=DE").assert_problem(403, "permission_denied");
    query(&work, &narrow, "&market=FR-IDF").gives_status(200);
    let everywhere = token(&work, "rep", "representative");
    let all = query(&work, &everywhere, "").gives_status(200).json();
    assert_eq!(row(&all, Some("FR")), france, "the figures do not depend on the caller");
    // France has few: the 11 suspensions outside of any market would give that away.
    assert_eq!(row(&all, None)["restrictions"]["suspension"], Value::Null);
    assert_eq!(row(&all, None)["restrictions"]["limitation"], "<10");
    assert_eq!(row(&all, None)["restrictions"]["total"], Value::Null);
    let germany = query(&work, &everywhere, "&market=DE").gives_status(200).json();
    assert_eq!(markets(&germany), [json!("DE")]);
    for (id, role, status) in [
        ("viewer", "viewer", 403),
        ("support", "support", 403),
        ("product", "product", 403),
        ("reviewer", "reviewer", 403),
        ("legal", "legal", 200),
        ("operator", "operator", 200),
    ] {
        assert_eq!(query(&work, &token(&work, id, role), "").status, status, "{role}");
    }
}

fn an_invalid_period_is_refused(engine: Engine) {
    let work = Work::start(engine);
    let status = |query: &str| {
        work.app.get(&format!("{ADMIN}/reports/decisions{query}")).token(&work.admin).send().status
    };
    for query in [
        "",
        "?from=2026-01",
        "?to=2026-01",
        "?from=2026-02&to=2026-01",
        "?from=2026-13&to=2027-01",
        "?from=2026-01-01&to=2026-02-01",
        "?from=2010-01&to=2026-01",
        "?from=2026-01&to=2026-02&format=xml",
        "?from=2026-01&to=2026-02&market=XX",
    ] {
        assert_eq!(status(query), 400, "{query}");
    }
    assert_eq!(status("?from=2026-01&to=2026-02"), 200);
    assert_eq!(status("?from=2024-02&to=2024-02&market=DE"), 200);
}

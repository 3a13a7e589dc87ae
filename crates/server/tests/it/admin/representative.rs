//! What a representative reads: published texts, the register and counts, and nothing else.

use serde_json::{Value, json};

use super::roles::routes;
use super::{ADMIN, Console};
use crate::store::Engine;

on_both!(
    a_representative_reads_only_these_calls,
    a_representative_reads_texts_in_effect_and_to_come_in_their_market,
    a_representative_does_not_read_drafts_of_the_register,
);

const READS: [(&str, &str); 5] = [
    ("get", "/api/admin/v1/automated-systems"),
    ("get", "/api/admin/v1/automated-systems/{key}"),
    ("get", "/api/admin/v1/reports/decisions"),
    ("get", "/api/admin/v1/terms"),
    ("get", "/api/admin/v1/terms/{id}"),
];

fn a_representative_reads_only_these_calls(engine: Engine) {
    let console = Console::start(engine);
    let document = console.app.get("/openapi.json").gives(200).json();
    let calls = routes(&document)
        .into_iter()
        .filter(|(_, _, roles)| roles.iter().any(|role| role == "representative"));
    let mut calls: Vec<_> = calls.map(|(method, path, _)| (method, path)).collect();
    calls.sort();
    assert_eq!(calls, READS.map(|(method, path)| (method.to_owned(), path.to_owned())));
    console.app.add_user("rep", &["representative"]);
    let token = console.app.token("rep");
    for path in ["terms/r1/history", "terms/r1/consents", "terms/r1/outstanding"] {
        let request = console.app.get(&format!("/api/rooster/v3/{path}")).token(&token);
        request.refused(403, "permission_denied");
    }
    for path in ["evaluations", "restrictions", "notices"] {
        let request = console.app.get(&format!("/api/rooster/v3/riders/r1/{path}")).token(&token);
        request.refused(403, "permission_denied");
    }
}

fn ids(page: &Value) -> Vec<i64> {
    let items = page["items"].as_array().expect("items").iter();
    items.map(|term| term["id"].as_i64().expect("an id")).collect()
}

fn a_representative_reads_texts_in_effect_and_to_come_in_their_market(engine: Engine) {
    let console = Console::start(engine);
    let store = console.app.store();
    let first = store.term("FREELANCER", &[]);
    let second = store.term("FREELANCER", &["--replaces", &first.to_string()]);
    let ahead = ["--effective-from", "2100-01-01T00:00:00Z"];
    let replaces = second.to_string();
    let third = store.term("FREELANCER", &[&["--replaces", &replaces][..], &ahead].concat());
    let cancelled = store.term("MARKETING", &ahead);
    let path = format!("{ADMIN}/terms/{cancelled}/cancellation");
    console.app.post(&path).token(&console.admin).gives(200);
    let berlin = store.term("PRIVACY", &["--market", "DE-BE"]);
    let france = store.term("PRIVACY", &["--market", "FR"]);
    let notice = store.term("PAY_RULES", &["--kind", "notice"]);
    store.add_user("rep", &["representative@DE"]);
    let token = store.token("rep");
    let list = console.app.get(&format!("{ADMIN}/terms?limit=50")).token(&token).gives(200).json();
    let listed = ids(&list);
    for (id, name, expected) in [
        (first, "superseded", false),
        (second, "in effect", true),
        (third, "to come", true),
        (cancelled, "cancelled", false),
        (berlin, "of the market", true),
        (france, "of another market", false),
        (notice, "notice", true),
    ] {
        assert_eq!(listed.contains(&id), expected, "{name}");
    }
    // The version before is read for the differences, and no other one.
    let status =
        |id: i64| console.app.get(&format!("{ADMIN}/terms/{id}")).token(&token).send().status;
    assert_eq!([second, third, berlin, first, france].map(status), [200, 200, 200, 200, 403]);
    let term = console.app.get(&format!("{ADMIN}/terms/{second}")).token(&token).gives(200).json();
    assert_eq!(term.get("notice"), None, "a share is a count of few people: {term}");
}

fn a_representative_does_not_read_drafts_of_the_register(engine: Engine) {
    let console = Console::start(engine);
    let system = json!({
        "name": "Order dispatch", "purpose": "Offers orders to riders.", "kind": "monitoring",
        "locale": "en", "markets": [], "data": [], "parameters": [], "decisions": [], "texts": {},
        "contact": {"name": "Rider support", "email": "riders@example.test"},
    });
    let path = |key: &str| format!("{ADMIN}/automated-systems/{key}");
    for key in ["published", "draft"] {
        console.app.request("PUT", &path(key)).token(&console.admin).json(&system).gives(201);
    }
    let publish = format!("{}/publish", path("published"));
    console.app.post(&publish).token(&console.admin).json(&json!({})).gives(201);
    console.app.request("PUT", &path("published")).token(&console.admin).json(&system).gives(200);
    console.app.add_user("rep", &["representative"]);
    let token = console.app.token("rep");
    let list = console.app.get(&format!("{ADMIN}/automated-systems")).token(&token);
    let list = list.gives(200).json();
    let keys = list["items"].as_array().expect("items").iter();
    let keys: Vec<_> = keys.map(|item| (item["key"].clone(), item["has_draft"].clone())).collect();
    assert_eq!(keys, [(json!("published"), json!(false))]);
    let one = console.app.get(&path("published")).token(&token).gives(200).json();
    assert_eq!(one["draft"], Value::Null);
    assert_eq!(one["versions"].as_array().map(Vec::len), Some(1));
    assert!(!one.to_string().contains("a1"), "no colleague is named: {one}");
    console.app.get(&path("draft")).token(&token).refused(404, "not_found");
}

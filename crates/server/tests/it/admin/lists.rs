//! Every list of the console's API has a limit, as documented in the API document.

use serde_json::Value;

use super::{ADMIN, Console};
use crate::flags::fixture::everything;
use crate::store::{Engine, TestStore};

on_both!(every_list_has_a_limit);

/// Responses without pages, and what limits their size.
const UNPAGED: &[(&str, &str)] = &[
    ("/api/admin/v1/approval-rules", "200 rules at the most"),
    ("/api/admin/v1/automated-systems", "as many as the company has described"),
    ("/api/admin/v1/automated-systems/{key}", "versions of one system"),
    ("/api/admin/v1/campaigns/{id}", "one thing"),
    ("/api/admin/v1/campaigns/{id}/messages/{message}/proof", "one thing"),
    ("/api/admin/v1/consents/export", "streamed; the server holds one read of it"),
    ("/api/admin/v1/environments/{environment}/changes/{id}", "one document, 4 MiB at the most"),
    ("/api/admin/v1/environments/{environment}/flags", "one document, 4 MiB at the most"),
    ("/api/admin/v1/environments/{environment}/sample-size", "one thing"),
    ("/api/admin/v1/environments/{environment}/stale", "flags of one document"),
    ("/api/admin/v1/environments/{environment}/versions/{version}", "one document"),
    ("/api/admin/v1/environments/{environment}/versions/{version}/diff", "of two documents"),
    ("/api/admin/v1/evaluations/{id}", "versions of one evaluation"),
    ("/api/admin/v1/evaluations/{id}/receipts", "versions and messages of one evaluation"),
    ("/api/admin/v1/excusals/preview", "2,000 evaluations at the most"),
    ("/api/admin/v1/excusals/{id}", "2,000 evaluations at the most"),
    ("/api/admin/v1/experiments/{key}/results", "the arms of one experiment"),
    ("/api/admin/v1/experiments/{key}/results/daily", "days of the arms of one experiment"),
    ("/api/admin/v1/holdouts/{key}/results", "the groups of one holdout"),
    ("/api/admin/v1/holdouts/{key}/results/daily", "days of the groups of one holdout"),
    ("/api/admin/v1/log", "one thing"),
    ("/api/admin/v1/markets", "as many as the company has declared or uses"),
    ("/api/admin/v1/notices/{id}", "counts of one notice"),
    ("/api/admin/v1/overview", "20 terms at the most"),
    ("/api/admin/v1/people/{userId}", "one thing"),
    ("/api/admin/v1/people/{userId}/case.zip", "10,000 decisions of one person at the most"),
    ("/api/admin/v1/people/{userId}/data", "10,000 decisions of one person at the most"),
    ("/api/admin/v1/people/{userId}/sessions", "200 of one person at the most"),
    ("/api/admin/v1/people/{userId}/standing", "the terms in effect"),
    ("/api/admin/v1/proposals/{id}", "one thing"),
    ("/api/admin/v1/receipts/{file}", "one thing"),
    ("/api/admin/v1/reports/decisions", "120 months of the markets of the company"),
    ("/api/admin/v1/restrictions/{id}", "versions of one restriction"),
    ("/api/admin/v1/restrictions/{id}/receipts", "versions of one restriction"),
    ("/api/admin/v1/review-rules", "1,000 rules at the most"),
    ("/api/admin/v1/service-keys/{id}", "one thing"),
    ("/api/admin/v1/settings", "one thing"),
    ("/api/admin/v1/term-drafts/{id}", "one thing"),
    ("/api/admin/v1/terms/order", "200 documents at the most"),
    ("/api/admin/v1/terms/{id}", "one thing"),
    ("/api/admin/v1/terms/{id}/coverage", "366 days, and 40 languages"),
    ("/api/admin/v1/webhooks/{id}", "one thing"),
];

/// Feeds, which never end, and lists whose pages are named `after` and `next`.
const FEEDS: [&str; 8] = [
    "/api/admin/v1/campaigns/{id}/people",
    "/api/admin/v1/events",
    "/api/admin/v1/gate",
    "/api/admin/v1/evaluations",
    "/api/admin/v1/evaluations/assignments",
    "/api/admin/v1/excusals",
    "/api/admin/v1/restrictions",
    "/api/admin/v1/notices/{id}/unreached",
];

fn every_list_has_a_limit(engine: Engine) {
    let store = TestStore::new(engine);
    store.import("production", &everything());
    let console = Console::serve(store);
    let term = console.app.term("FREELANCER", &[]);
    let hook = serde_json::json!({"url": "https://8.8.8.8/", "types": ["gate.changed"]});
    let hook = console.app.post("/api/admin/v1/webhooks").token(&console.admin).json(&hook);
    let hook = hook.gives(201).json()["id"].as_str().expect("an id").to_owned();
    let document = console.app.get("/openapi.json").gives(200).json();
    let paths = document["paths"].as_object().expect("paths");
    let (mut paged, mut whole) = (0, Vec::new());
    for (path, methods) in paths {
        let is_list = path.starts_with("/api/admin/") && !FEEDS.contains(&path.as_str());
        let Some(get) = methods.get("get").filter(|_| is_list) else { continue };
        let parameters = get["parameters"].as_array().cloned().unwrap_or_default();
        let takes = |name: &str| parameters.iter().any(|parameter| parameter["name"] == name);
        if !takes("limit") {
            whole.push(path.as_str());
            continue;
        }
        assert!(takes("cursor"), "{path}");
        assert!(answers_pages(&document, get), "{path}");
        let path = path.replace("/webhooks/{id}", &format!("/webhooks/{hook}"));
        let path = path.replace("{environment}", "production").replace("{id}", &term.to_string());
        let path = path.replace("{key}", "tested-test");
        let ask =
            |limit: u32| console.app.get(&format!("{path}?limit={limit}")).token(&console.admin);
        ask(200).gives(200);
        ask(201).refused(400, "invalid_parameter");
        ask(0).refused(400, "invalid_parameter");
        paged += 1;
    }
    assert!(paged >= 10, "{paged}");
    let argued: Vec<&str> = UNPAGED.iter().map(|(path, _)| *path).collect();
    assert_eq!(whole, argued, "add pages, or state what limits the size");
}

/// The console's benchmark fails at a route that it does not know, but it does not run for every
/// change.
#[test]
fn the_benchmark_covers_every_read() {
    let document: Value =
        serde_json::from_str(include_str!("../../../../../openapi.json")).expect("JSON");
    let measured = include_str!("../../../benches/console/asked.rs");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let Some(short) = path.strip_prefix(ADMIN) else { continue };
        let is_measured =
            methods.get("get").is_none() || measured.contains(&format!("\"{short}\""));
        assert!(is_measured, "benches/console/asked.rs does not ask for {short}");
    }
}

fn answers_pages(document: &Value, get: &Value) -> bool {
    let schema = &get["responses"]["200"]["content"]["application/json"]["schema"];
    let name = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.rsplit('/').next())
        .unwrap_or_default();
    let properties = &document["components"]["schemas"][name]["properties"];
    properties["items"]["type"] == "array" && properties["next_cursor"].is_object()
}

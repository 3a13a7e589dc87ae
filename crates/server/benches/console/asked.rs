//! The requests that are measured for each route: common ones, and the worst that a user can
//! choose.

use serde_json::Value;

use super::ApiClient;

const ADMIN: &str = "/api/admin/v1";

pub struct Question {
    pub label: String,
    pub path: String,
    /// Whether the route returns pages, so that a deep one is measured too.
    pub paged: bool,
    /// Whether the route is a long download, of which only the start is measured.
    pub first_bytes: bool,
}

/// The queries that are measured for each path of `openapi.json`; empty for paths that are not
/// measured.
const READS: &[(&str, &[&str])] = &[
    ("/approval-rules", &[""]),
    (
        "/audit",
        &[
            "",
            "?event=signed_in",
            "?event=erased",
            "?user=p77",
            "?since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z",
            "?q=p77",
            "?q=nothing-has-this",
        ],
    ),
    ("/automated-systems", &[""]),
    ("/automated-systems/{key}", &[]),
    ("/campaigns", &[""]),
    ("/campaigns/{id}", &[]),
    ("/campaigns/{id}/people", &[]),
    ("/campaigns/{id}/messages/{message}/proof", &[]),
    (
        "/consents",
        &[
            "",
            "?type=MARKETING",
            "?term=12",
            "?accepted=false",
            "?user=p77",
            "?term=3&accepted=false&type=FREELANCER",
            "?since=2025-10-20T00:00:00Z&until=2025-10-21T00:00:00Z",
            "?type=NOBODY",
        ],
    ),
    ("/consents/export", &["?format=csv", "?format=jsonl&accepted=false", "?user=p77"]),
    ("/environments", &[""]),
    ("/environments/{environment}/changes", &[""]),
    ("/environments/{environment}/changes/{id}", &[""]),
    ("/environments/{environment}/flags", &[""]),
    ("/environments/{environment}/keys", &[""]),
    ("/environments/{environment}/metrics", &[""]),
    (
        "/environments/{environment}/sample-size",
        &["?unit=userId&metric=orders&effect=0.05&weights=50,50"],
    ),
    ("/environments/{environment}/stale", &[""]),
    ("/environments/{environment}/versions", &[""]),
    ("/environments/{environment}/versions/{version}", &[""]),
    ("/environments/{environment}/versions/{version}/diff", &["?against=1"]),
    ("/evaluations", &["", "?status=PENDING"]),
    ("/evaluations/assignments", &[""]),
    ("/evaluations/{id}", &[]),
    ("/evaluations/{id}/receipts", &[]),
    ("/excusals", &[""]),
    ("/excusals/preview", &["?starts_from=2026-01-01T00:00:00Z&starts_until=2026-01-02T00:00:00Z"]),
    ("/excusals/{id}", &[]),
    ("/notices/{id}", &[]),
    ("/notices/{id}/unreached", &[]),
    ("/events", &[""]),
    ("/gate", &[""]),
    ("/experiments/{key}/decisions", &["?environment=production"]),
    ("/experiments/{key}/results/daily", &["?environment=production&metric=orders"]),
    (
        "/experiments/{key}/results",
        &["?environment=production", "?environment=production&metric=orders"],
    ),
    ("/holdouts/{key}/results", &["?environment=production&metric=orders"]),
    ("/holdouts/{key}/results/daily", &["?environment=production&metric=orders"]),
    ("/log", &[""]),
    ("/markets", &[""]),
    ("/overview", &[""]),
    (
        "/people",
        &[
            "",
            "?q=p77",
            "?q=P99999",
            "?q=Quill",
            "?q=nothing-has-this",
            "?role=operator",
            "?q=p9&role=operator",
        ],
    ),
    ("/people/{userId}", &[""]),
    ("/people/{userId}/case.zip", &["", "?as_of=2026-01-15T00:00:00Z"]),
    ("/people/{userId}/data", &[""]),
    ("/people/{userId}/sessions", &[""]),
    ("/people/{userId}/standing", &["", "?as_of=2026-01-15T00:00:00Z"]),
    ("/proposals", &["", "?status=proposed"]),
    ("/proposals/{id}", &[]),
    ("/receipts/{file}", &[]),
    ("/reports/decisions", &["?from=2026-01&to=2026-12"]),
    ("/restrictions", &[""]),
    ("/restrictions/{id}", &[]),
    ("/restrictions/{id}/receipts", &[]),
    ("/service-keys", &[""]),
    ("/service-keys/{id}", &[]),
    ("/settings", &[""]),
    ("/term-drafts", &[""]),
    ("/review-rules", &[""]),
    ("/term-drafts/{id}", &[""]),
    ("/terms", &["", "?type=MARKETING&status=active"]),
    ("/terms/order", &["?type=FREELANCER"]),
    ("/terms/{id}", &[""]),
    ("/terms/{id}/coverage", &["", "?as_of=2026-01-15T00:00:00Z"]),
    ("/terms/{id}/missing", &["", "?q=p9999", "?q=nothing-has-this"]),
    ("/webhooks", &[""]),
    ("/webhooks/{id}", &[]),
    ("/webhooks/{id}/deliveries", &[]),
];

/// Returns all requests. `/receipts/{file}` is not measured: it needs a log entry, which inserted
/// decisions do not have, and is one read by number like `GET /receipts` in the evidence bench.
/// There are no service keys, webhooks, proposals, evaluations and restrictions.
pub fn all(document: &Value, client: &ApiClient) -> Vec<Question> {
    let paths = document["paths"].as_object().expect("paths");
    let mut questions = Vec::new();
    for (path, methods) in paths {
        let Some(short) = path.strip_prefix(ADMIN) else { continue };
        let Some(get) = methods.get("get") else { continue };
        let entry = READS.iter().find(|(measured, _)| *measured == short);
        let (_, queries) = entry.unwrap_or_else(|| panic!("{short} is not measured"));
        let parameters = get["parameters"].as_array().cloned().unwrap_or_default();
        let paged = parameters.iter().any(|parameter| parameter["name"] == "cursor");
        let first_bytes = short.ends_with("/export") || short.ends_with(".zip");
        for query in *queries {
            let label = format!("{short}{query}");
            let path = format!("{ADMIN}{}{query}", filled(short, client));
            questions.push(Question { label, path, paged, first_bytes });
        }
    }
    questions
}

fn filled(path: &str, client: &ApiClient) -> String {
    let first_id = |list: &str| {
        let page = client.json(&format!("{ADMIN}{list}?limit=1"));
        page["items"][0]["id"].as_str().expect("an id").to_owned()
    };
    match path {
        "/environments/{environment}/changes/{id}" => {
            let list = "/environments/production/changes";
            format!("{list}/{}", first_id(list))
        }
        "/term-drafts/{id}" => format!("/term-drafts/{}", first_id("/term-drafts")),
        _ => path
            .replace("{environment}", "production")
            .replace("{version}", "20")
            .replace("{userId}", "p77")
            .replace("{id}", "9")
            .replace("/experiments/{key}", "/experiments/test-0")
            .replace("/holdouts/{key}", "/holdouts/quarter"),
    }
}

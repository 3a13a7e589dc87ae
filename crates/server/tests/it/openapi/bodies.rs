//! The program accepts the bodies that the document describes: its example is taken, and it is refused
//! without a member that is required or with one of another type.

use serde_json::{Value, json};

use super::{document, members};
use crate::flags::wanted::Flags;
use crate::request::{Answer, Request};
use crate::store::Engine;

/// Operations whose bodies are refused with the place of every fault.
const CHECKED: [(&str, &str); 13] = [
    ("post", "/api/rooster/v3/terms/consents"),
    ("post", "/api/rooster/v3/terms/consents/claims"),
    ("post", "/api/rooster/v3/terms/consents/receipts"),
    ("post", "/api/session/v1/codes"),
    ("post", "/api/session/v1/tokens"),
    ("post", "/api/session/v1/console/tokens"),
    ("post", "/api/session/v1/console/links"),
    ("put", "/api/session/v1/console/password"),
    ("post", "/api/session/v1/console/reauthentication"),
    ("post", "/api/session/v1/console/authenticator"),
    ("put", "/api/session/v1/console/authenticator"),
    ("post", "/api/flags/v3/events"),
    ("post", "/api/flags/v3/metrics"),
];
/// Others, of which only the example is tried.
const TAKEN: [(&str, &str); 6] = [
    ("post", "/api/session/v1/refresh"),
    ("put", "/api/flags/{version}/features"),
    ("post", "/ofrep/v1/evaluate/flags"),
    ("post", "/api/admin/v1/people"),
    ("post", "/api/admin/v1/environments/{environment}/keys"),
    ("put", "/api/flags/{version}/features/{flagKey}"),
];

struct Asked<'a> {
    flags: &'a Flags,
    admin: String,
    method: &'a str,
    path: &'a str,
}

impl Asked<'_> {
    fn send(&self, body: &Value) -> Answer {
        let path = self.path.replace("{version}", "v3").replace("{environment}", "production");
        let path = path.replace("{flagKey}", "greeting");
        let is_report = self.path.contains("/v3/events") || self.path.contains("/v3/metrics");
        let body = if is_report { json!([body]) } else { body.clone() };
        let token = if self.path.contains("/flags/v") || self.path.starts_with("/ofrep") {
            &self.flags.server
        } else {
            &self.admin
        };
        let request: Request = self.flags.app.request(&self.method.to_uppercase(), &path);
        request.token(token).json(&body).send()
    }

    /// Whether the body itself is what is refused.
    fn refuses(&self, body: &Value) -> bool {
        let answer = self.send(body);
        let code = if answer.status < 400 { Value::Null } else { answer.json()["code"].clone() };
        code == "invalid_request" || code == "malformed_json"
    }
}

fn schema<'d>(document: &'d Value, method: &str, path: &str) -> &'d Value {
    let body = &document["paths"][path][method]["requestBody"];
    let mut schema = &body["content"]["application/json"]["schema"];
    if schema["oneOf"].is_array() {
        schema = &schema["oneOf"][0];
    }
    if schema["items"].is_object() {
        schema = &schema["items"];
    }
    let name = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next()).expect("a name");
    &document["components"]["schemas"][name]
}

#[test]
fn what_is_documented_is_what_is_taken() {
    let flags = Flags::start(Engine::Sqlite);
    flags.app.add_user("root", &["admin", "rider"]);
    let document = document();
    for (method, path) in CHECKED.into_iter().chain(TAKEN) {
        let asked = Asked { flags: &flags, admin: flags.app.token("root"), method, path };
        let schema = schema(&document, method, path);
        let example = &schema["examples"][0];
        assert!(example.is_object(), "{method} {path} has no example");
        assert!(!asked.refuses(example), "{method} {path}: {example}");
        if !CHECKED.contains(&(method, path)) {
            continue;
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (member, _) in members(&schema["properties"]) {
            // A participation has the members of its name.
            let by_name = path.ends_with("/events") && !required.contains(&member);
            let mut without = example.clone();
            without.as_object_mut().expect("an object").remove(member);
            if !by_name {
                let is_required = required.contains(&member);
                assert_eq!(asked.refuses(&without), is_required, "{path} without {member}");
                let mut other = example.clone();
                other[member] = json!([[]]);
                assert!(asked.refuses(&other), "{path} with a list as {member}");
            }
        }
    }
}

//! The program accepts the bodies that the API document describes. It accepts each example, and
//! refuses the example without a required member or with a member of another type.

use serde_json::{Value, json};

use super::{document, members};
use crate::flags::fixture::Flags;
use crate::request::{Answer, Request};
use crate::store::Engine;

/// Operations whose errors name the pointer of each invalid member.
const WITH_POINTERS: [(&str, &str); 13] = [
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
/// Other operations, for which only the example is tested.
const EXAMPLES_ONLY: [(&str, &str); 6] = [
    ("post", "/api/session/v1/refresh"),
    ("put", "/api/flags/{version}/features"),
    ("post", "/ofrep/v1/evaluate/flags"),
    ("post", "/api/admin/v1/people"),
    ("post", "/api/admin/v1/environments/{environment}/keys"),
    ("put", "/api/flags/{version}/features/{flagKey}"),
];

struct Endpoint<'a> {
    flags: &'a Flags,
    admin: String,
    method: &'a str,
    path: &'a str,
}

impl Endpoint<'_> {
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

    /// Returns whether the server refuses the body itself.
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
    let name =
        schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).expect("a name");
    &document["components"]["schemas"][name]
}

#[test]
fn accepts_exactly_the_documented_bodies() {
    let flags = Flags::start(Engine::Sqlite);
    flags.app.add_user("root", &["admin", "rider"]);
    let document = document();
    for (method, path) in WITH_POINTERS.into_iter().chain(EXAMPLES_ONLY) {
        let endpoint = Endpoint { flags: &flags, admin: flags.app.token("root"), method, path };
        let schema = schema(&document, method, path);
        let example = &schema["examples"][0];
        assert!(example.is_object(), "{method} {path} has no example");
        assert!(!endpoint.refuses(example), "{method} {path}: {example}");
        if !WITH_POINTERS.contains(&(method, path)) {
            continue;
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (member, _) in members(&schema["properties"]) {
            // A participation event has the members of its kind.
            let by_name = path.ends_with("/events") && !required.contains(&member);
            let mut without = example.clone();
            without.as_object_mut().expect("an object").remove(member);
            if !by_name {
                let is_required = required.contains(&member);
                assert_eq!(endpoint.refuses(&without), is_required, "{path} without {member}");
                let mut other = example.clone();
                other[member] = json!([[]]);
                assert!(endpoint.refuses(&other), "{path} with a list as {member}");
            }
        }
    }
}

//! Text that a person enters is never published, and no personal data remains after an erasure. The
//! test puts a unique mark in every text that the API accepts, and then searches every public byte
//! and every file and table.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use super::{receipt_of, text};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, accept, applicant, rider};

on_both!(publishes_no_personal_data_and_removes_it_with_an_erasure);

/// Every text in the body of a request in `openapi.json`, by operation. A new one fails the test
/// until it is added here and a mark is added below.
const TEXTS: &[(&str, &[&str])] = &[
    // Texts about people. They are removed by an erasure and are never public.
    ("POST /api/admin/v1/people", &["email", "market", "name", "phone", "roles", "user_id"]),
    ("PUT /api/admin/v1/people/{userId}/market", &["market"]),
    ("DELETE /api/admin/v1/people/{userId}", &["confirm"]),
    ("PUT /api/admin/v1/people/{userId}/roles", &["roles"]),
    // A file of people.
    ("POST /api/admin/v1/people/import", &[""]),
    ("POST /api/admin/v1/receipts/verify", &["user_id"]),
    (
        "PUT /api/admin/v1/evaluations/{id}",
        &["ends_at", "market", "name", "reference", "starts_at", "user_id", "version"],
    ),
    ("POST /api/admin/v1/evaluations/batch", &["id"]),
    ("POST /api/admin/v1/evaluations/{id}/messages", &["message"]),
    ("PUT /api/admin/v1/evaluations/{id}/assignment", &["instead_of"]),
    (
        "POST /api/admin/v1/evaluations/{id}/transitions",
        &["code", "message", "name", "statement", "text", "version"],
    ),
    ("POST /api/rooster/v3/riders/{userId}/evaluations/{id}/discussion", &["message"]),
    ("POST /api/rooster/v3/riders/{userId}/evaluations/{id}/discussion/messages", &["message"]),
    (
        "POST /api/admin/v1/restrictions",
        &[
            "code",
            "email",
            "ends_at",
            "evaluations",
            "kind",
            "name",
            "phone",
            "starts_at",
            "statement",
            "text",
            "user_id",
            "version",
        ],
    ),
    (
        "POST /api/admin/v1/restrictions/proposals",
        &[
            "code",
            "email",
            "ends_at",
            "evaluations",
            "kind",
            "name",
            "phone",
            "starts_at",
            "statement",
            "text",
            "user_id",
            "version",
        ],
    ),
    (
        "POST /api/admin/v1/restrictions/{id}/decision",
        &["code", "effect", "email", "ends_at", "name", "phone", "starts_at", "statement", "text"],
    ),
    ("POST /api/admin/v1/restrictions/{id}/lift", &["message"]),
    ("POST /api/admin/v1/restrictions/{id}/answer", &["ends_at", "message", "outcome"]),
    ("POST /api/admin/v1/restrictions/{id}/approvals", &["sha256"]),
    ("POST /api/rooster/v3/riders/{userId}/restrictions/{id}/review", &["message"]),
    ("POST /api/admin/v1/settings/delivery/test", &["to"]),
    (
        "POST /api/flags/v3/events",
        &["at", "experiment", "group", "holdout", "id", "name", "unit", "variation"],
    ),
    ("POST /api/flags/v3/metrics", &["at", "id", "metric", "unit"]),
    (
        "PUT /api/flags/{version}/features",
        &["anonymousId", "email", "featureList", "googleClientId", "key", "userId"],
    ),
    (
        "PUT /api/flags/{version}/features/{flagKey}",
        &["anonymousId", "email", "featureList", "googleClientId", "key", "userId"],
    ),
    ("POST /ofrep/v1/evaluate/flags", &["targetingKey"]),
    ("POST /ofrep/v1/evaluate/flags/{key}", &["targetingKey"]),
    (
        "POST /api/rooster/v3/terms/consents",
        &[
            "app",
            "consented_at",
            "device_at",
            "locale",
            "market",
            "method",
            "receipt_id",
            "sha256",
            "user_id",
            "user_type",
        ],
    ),
    ("POST /api/rooster/v3/terms/consents/claims", &["id"]),
    (
        "POST /api/rooster/v3/riders/{userId}/notices/{id}/openings",
        &["locale", "opened_at", "sha256"],
    ),
    (
        "PUT /api/rooster/v3/riders/{userId}/push-subscriptions/{id}",
        &["auth", "endpoint", "p256dh"],
    ),
    ("POST /api/rooster/v3/terms/consents/receipts", &["id"]),
    ("POST /api/demo/v1/sessions", &["user_id"]),
    ("POST /api/session/v1/codes", &["identifier"]),
    ("POST /api/session/v1/console/authenticator", &["email", "password"]),
    ("PUT /api/session/v1/console/authenticator", &["email", "otp", "password", "setup"]),
    ("POST /api/session/v1/console/links", &["otp", "password", "token"]),
    ("PUT /api/session/v1/console/password", &["current_password", "otp", "password"]),
    ("POST /api/session/v1/console/reauthentication", &["otp", "password"]),
    ("POST /api/session/v1/console/tokens", &["email", "otp", "password"]),
    ("POST /api/admin/v1/receipts", &["id"]),
    ("POST /receipts", &["id"]),
    ("POST /api/session/v1/logout", &["refresh_token"]),
    ("POST /api/session/v1/logout-all", &["refresh_token"]),
    ("POST /api/session/v1/refresh", &["refresh_token"]),
    ("POST /api/session/v1/tokens", &["code", "identifier"]),
    // Texts of the company and names that it assigns. Only terms are public.
    ("POST /api/admin/v1/environments/{environment}/changes", &["at", "comment"]),
    ("POST /api/admin/v1/environments/{environment}/changes/{id}/approvals", &["sha256"]),
    ("POST /api/admin/v1/environments/{environment}/changes/{id}/rejections", &["comment"]),
    ("POST /api/admin/v1/term-drafts/{id}/approvals", &["sha256"]),
    ("POST /api/admin/v1/term-drafts/{id}/rejections", &["comment"]),
    ("PUT /api/admin/v1/approval-rules", &["scope", "subject"]),
    ("POST /api/admin/v1/proposals", &["at", "scope", "subject", "type"]),
    ("POST /api/admin/v1/proposals/{id}/approvals", &["sha256"]),
    ("POST /api/admin/v1/proposals/{id}/rejections", &["comment"]),
    ("POST /api/admin/v1/service-keys", &["expires_at", "name", "roles"]),
    ("POST /api/admin/v1/environments/{environment}/copy", &["from"]),
    ("POST /api/admin/v1/experiments/{key}/decisions", &["decision", "reason", "variation"]),
    ("POST /api/admin/v1/environments/{environment}/evaluate", &["at", "flags"]),
    ("PUT /api/admin/v1/environments/{environment}/flags/{key}/on", &["comment"]),
    ("POST /api/admin/v1/environments/{environment}/merge", &["mine"]),
    ("POST /api/admin/v1/environments/{environment}/keys", &["kind", "name"]),
    ("PUT /api/admin/v1/markets/{code}", &["locale", "name", "timezone"]),
    ("POST /api/admin/v1/campaigns", TEXTS_OF_A_CAMPAIGN),
    ("PUT /api/admin/v1/campaigns/{id}", TEXTS_OF_A_CAMPAIGN),
    // A report names the message; nothing of its text is stored.
    ("POST /api/admin/v1/notices/bounces", &[""]),
    ("POST /api/admin/v1/term-drafts", TEXTS_OF_A_DRAFT),
    ("PUT /api/admin/v1/term-drafts/{id}", TEXTS_OF_A_DRAFT),
    (
        "POST /api/admin/v1/term-drafts/{id}/publish",
        &["active_content_ok", "label", "unreadable_ok"],
    ),
    ("POST /api/admin/v1/terms/{id}/retirement", &["at"]),
    ("POST /api/admin/v1/webhooks", &["description", "types", "url"]),
    ("PUT /api/admin/v1/webhooks/{id}", &["description", "types", "url"]),
    ("PUT /api/admin/v1/terms/order", &["type"]),
    // The document of a term.
    ("PUT /api/admin/v1/term-drafts/{id}/documents/{locale}", &[""]),
    ("PUT /api/admin/v1/review-rules", &["market"]),
    // The reason of many evaluations, which the company writes about an event.
    ("PUT /api/admin/v1/excusals/{id}", &["id", "market", "text"]),
    (
        "PUT /api/admin/v1/automated-systems/{key}",
        &[
            "category",
            "decisions",
            "description",
            "email",
            "human_oversight",
            "locale",
            "markets",
            "name",
            "phone",
            "purpose",
            "source",
        ],
    ),
    ("POST /api/admin/v1/automated-systems/{key}/publish", &["effective_from"]),
];
const TEXTS_OF_A_CAMPAIGN: &[&str] =
    &["after", "before", "body", "by", "channel", "instant", "market", "subject"];
const TEXTS_OF_A_DRAFT: &[&str] = &[
    "active_content_ok",
    "concern",
    "detail",
    "effective_from",
    "grace_until",
    "kind",
    "language",
    "label",
    "locale",
    "market",
    "name",
    "sha256",
    "summary",
    "title",
    "type",
    "undrawn",
    "unreadable_ok",
];

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(path) => resolved(document, document.pointer(&path[1..]).expect("a schema")),
        None => schema,
    }
}

/// The company's own, read and written by operators only. Its conditions contain conditions.
const CONFIGURATION: &str = "#/components/schemas/NewFlagConfiguration";

/// Collects the names of the texts in a schema.
fn texts(document: &Value, schema: &Value, name: &str, names: &mut BTreeSet<String>) {
    if schema["$ref"] == CONFIGURATION {
        return;
    }
    let schema = resolved(document, schema);
    for choice in ["oneOf", "anyOf", "allOf"] {
        for schema in schema[choice].as_array().into_iter().flatten() {
            texts(document, schema, name, names);
        }
    }
    let kinds = &schema["type"];
    let is_text =
        kinds == "string" || kinds.as_array().is_some_and(|kind| kind.contains(&json!("string")));
    if is_text && schema.get("enum").is_none() {
        names.insert(name.to_owned());
    }
    if schema["items"].is_object() {
        texts(document, &schema["items"], name, names);
    }
    if schema["additionalProperties"].is_object() {
        texts(document, &schema["additionalProperties"], name, names);
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        texts(document, schema, name, names);
    }
}

#[test]
fn lists_every_text_that_the_api_accepts() {
    let file = include_str!("../../../../../openapi.json");
    let document: Value = serde_json::from_str(file).expect("JSON");
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let mut names = BTreeSet::new();
            let contents = operation["requestBody"]["content"].as_object();
            for content in contents.into_iter().flatten().map(|(_, content)| content) {
                texts(&document, &content["schema"], "", &mut names);
            }
            let name = format!("{} {path}", method.to_uppercase());
            let declared = TEXTS.iter().find(|(operation, _)| *operation == name);
            let declared: BTreeSet<String> = declared
                .into_iter()
                .flat_map(|(_, names)| *names)
                .map(|name| (*name).to_owned())
                .collect();
            assert!(names.is_subset(&declared), "{name} takes {names:?}: where does it go?");
        }
    }
}

/// Texts that occur nowhere else.
#[derive(Default)]
struct Marks(Vec<String>);

impl Marks {
    fn make(&mut self, what: &str) -> String {
        let mark = format!("Mark{}-{what}-jo-marker", self.0.len());
        self.0.push(mark.clone());
        mark
    }

    /// Returns the marks that occur in these bytes, as text or in hex as in a dump.
    fn within(&self, bytes: &[u8]) -> Vec<&str> {
        let holds = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        let hex = |mark: &str| mark.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        let matches =
            self.0.iter().filter(|mark| holds(mark.as_bytes()) || holds(hex(mark).as_bytes()));
        matches.map(String::as_str).collect()
    }
}

fn submit(app: &TestApp, marks: &mut Marks, token: Option<&str>, mut body: Value) -> Value {
    body["app"] = marks.make("app").into();
    body["locale"] = "en-x-jomarker".into();
    let mut request = app
        .post(SUBMIT)
        .header("accept-language", "de-x-jomarker, en")
        .header("user-agent", &marks.make("agent"))
        .header("x-request-id", &marks.make("request"))
        .header("x-musette-instance", &marks.make("instance"))
        .key(&marks.make("idempotency-key"));
    if let Some(token) = token {
        request = request.token(token);
    }
    request.json(&body).gives(201).json()
}

/// Sends texts that are refused. They must not be stored either.
fn refused(app: &TestApp, marks: &mut Marks, term: i64) {
    for name in ["method", "sha256", "consented_at"] {
        let mut body = applicant(&accept(&[term]));
        body["consents"][0][name] = marks.make(name).into();
        app.post(SUBMIT).json(&body).gives(422);
    }
    for name in ["user_type", "receipt_id", "user_id"] {
        let mut body = applicant(&accept(&[term]));
        body[name] = marks.make(name).into();
        app.post(SUBMIT).json(&body).gives(422);
    }
    let mut body = applicant(&accept(&[term]));
    body["consents"][0]["consented_at"] = "2026-01-02 03:04:05Z".into();
    app.post(SUBMIT).json(&body).gives(422);
}

/// Tries every way to sign in. Most attempts fail.
fn sign_in(app: &TestApp, marks: &mut Marks, email: &str) {
    let session = |path: &str, body: Value| {
        app.post(&format!("/api/session/v1/{path}")).json(&body).send();
    };
    session("codes", json!({"identifier": email}));
    session("codes", json!({"identifier": format!("{}@example.com", marks.make("stranger"))}));
    session("tokens", json!({"identifier": email, "code": marks.make("code")}));
    session("refresh", json!({"refresh_token": marks.make("refresh")}));
    session("logout", json!({"refresh_token": marks.make("logout")}));
    session("logout-all", json!({"refresh_token": marks.make("logout-all")}));
    let (password, otp) = (marks.make("password"), marks.make("otp"));
    session("console/tokens", json!({"email": email, "password": password, "otp": otp}));
    session(
        "console/links",
        json!({"token": marks.make("link"), "password": password, "otp": marks.make("link-otp")}),
    );
}

/// Sends wrong proofs of identity as a user of the console.
fn send_wrong_proofs(app: &TestApp, marks: &mut Marks, admin: &str) {
    let call = |method: &str, path: &str, body: Value| {
        let path = format!("/api/session/v1/console/{path}");
        app.request(method, &path).token(admin).json(&body).gives(422);
    };
    let (password, otp) = (marks.make("own-password"), marks.make("own-otp"));
    call("POST", "reauthentication", json!({"password": password, "otp": otp}));
    let next = marks.make("next-password");
    call("PUT", "password", json!({"current_password": password, "password": next, "otp": otp}));
}

fn flags(app: &TestApp, marks: &mut Marks, user: &str, email: &str) {
    let key = |kind| {
        app.command(&["key", "create", "--env", "production", "--kind", kind]).expect_success()
    };
    let (client, server) = (key("client"), key("server"));
    let attributes = json!({
        "key": user, "userId": user, "email": email, "anonymousId": marks.make("anonymous"),
        "googleClientId": marks.make("google"), "country": marks.make("country"),
        marks.make("attribute"): marks.make("value"), "featureList": [marks.make("feature")],
    });
    for path in ["/api/flags/v3/features", "/api/flags/v3/features/greeting"] {
        app.request("PUT", path).token(client.trim()).json(&attributes).send();
    }
    let context = json!({"context": {"targetingKey": user, "email": email}});
    for path in ["/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/greeting"] {
        app.post(path).token(client.trim()).json(&context).send();
    }
    let at = "2026-01-02T03:04:05Z";
    let event = json!([{"name": "ab_test.participated", "id": marks.make("event"), "unit": user,
        "at": at, "experiment": "e", "phase": 1, "variation": "v"}]);
    app.post("/api/flags/v3/events").token(client.trim()).json(&event).send();
    let metric =
        json!([{"id": marks.make("metric"), "unit": user, "metric": "m", "value": 1, "at": at}]);
    app.post("/api/flags/v3/metrics").token(server.trim()).json(&metric).send();
}

/// Adds a campaign. Its texts are of the company and are not personal data.
fn campaigns(app: &TestApp, admin: &str, term: i64) {
    let body = json!({"term_id": term, "steps": [{"at": {"after": "start", "by": "P7D"},
        "channel": "app"}], "texts": {"en": {"subject": "{{title}}", "body": "Read {{title}}"}}});
    app.post("/api/admin/v1/campaigns").token(admin).json(&body).gives(201);
}

/// Sends texts about people that operators enter.
fn operators(app: &TestApp, marks: &mut Marks, admin: &str, user: &str) {
    let post = |path: &str, body: &Value| {
        app.post(&format!("/api/admin/v1/{path}")).token(admin).json(body).send();
    };
    post("receipts/verify", &json!({"user_id": user, "receipt": {"id": marks.make("receipt")}}));
    post("settings/delivery/test", &json!({"to": format!("{}@example.com", marks.make("to"))}));
    post("people", &json!({"user_id": user, "name": marks.make("renamed"), "roles": ["rider"]}));
    for query in ["q", "user", "cursor"] {
        app.get(&format!("/api/admin/v1/audit?{query}={}", marks.make(query))).token(admin).send();
    }
    // This call is not permitted. The audit log contains the refusal but not the person.
    let path = format!("/api/rooster/v3/terms/{user}/consents?x={}", marks.make("query"));
    app.get(&path).token(&app.token("r2")).refused(403, "permission_denied");
}

/// Records an evaluation with a text in each field, and discusses it.
fn evaluate(app: &TestApp, marks: &mut Marks, user: &str) {
    let id = musette::parts::random::uuid();
    let (dispatcher, reviewer, rider) = (app.token("d1"), app.token("v1"), app.token(user));
    let admin = format!("/api/admin/v1/evaluations/{id}");
    let own = format!("/api/rooster/v3/riders/{user}/evaluations/{id}/discussion");
    // The log names the program that made an evaluation.
    let system = json!({"name": "roster", "version": "7.2"});
    let subject = json!({"kind": "shift", "reference": marks.make("reference"),
        "starts_at": "2026-01-02T03:04:05Z"});
    let body = json!({"user_id": user, "subject": subject, "system": system});
    app.request("PUT", &admin).token(&dispatcher).json(&body).gives(201);
    let reasons = json!([{"code": "late", "text": {"en": marks.make("reason")}}]);
    let post = |path: &str, token: &str, body: Value| {
        app.post(path).token(token).json(&body).gives(200);
    };
    let transitions = format!("{admin}/transitions");
    let body = json!({"to": "EVALUATED", "version": 1, "reasons": reasons});
    post(&transitions, &dispatcher, body);
    let statement = format!("{} and twenty characters", marks.make("statement"));
    let body = json!({"to": "REJECTED", "version": 2, "reasons": reasons, "statement": statement});
    post(&transitions, &dispatcher, body);
    post(&own, &rider, json!({"version": 3, "message": marks.make("contest")}));
    post(&format!("{own}/messages"), &rider, json!({"message": marks.make("rider-message")}));
    post(
        &format!("{admin}/messages"),
        &reviewer,
        json!({"message": marks.make("reviewer-message")}),
    );
    let assignment = app.request("PUT", &format!("{admin}/assignment")).token(&reviewer);
    assignment.json(&json!({"instead_of": null})).gives(200);
    let excusal = format!("/api/admin/v1/excusals/{}", musette::parts::random::uuid());
    let body = json!({"text": {"en": "Storm"}, "evaluations": [{"id": id, "version": 4}]});
    app.request("PUT", &excusal).token(&dispatcher).json(&body).gives(201);
    let answer = format!("{} and twenty characters", marks.make("answer"));
    let body = json!({"to": "EVALUATED", "version": 4, "message": answer});
    post(&transitions, &reviewer, body);
}

/// Imposes a restriction with a text in each field, and reviews it.
fn restrict(app: &TestApp, marks: &mut Marks, user: &str) {
    let (dispatcher, reviewer, rider) = (app.token("d1"), app.token("v1"), app.token(user));
    let admin = "/api/admin/v1/restrictions";
    let post = |path: &str, token: &str, body: Value, status: u16| {
        app.post(path).token(token).json(&body).gives(status).json()
    };
    let long = |mark: String| format!("{mark} and as many further characters as it needs, fifty");
    let body = json!({
        "user_id": user, "kind": "termination",
        "statement": {"en": long(marks.make("statement"))},
        "reasons": [{"code": "late", "text": {"en": marks.make("reason")}}],
        "contact": {"name": marks.make("contact"), "email": format!("{}@example.com", marks.make("email")),
            "phone": format!("030 1234, {}", marks.make("phone"))},
    });
    let proposed = post(&format!("{admin}/proposals"), &dispatcher, body, 201);
    let id = proposed["id"].as_str().expect("an id");
    let decision = json!({
        "effect": "impose",
        "statement": {"en": long(marks.make("decision"))},
        "reasons": [{"code": "late", "text": {"en": marks.make("decision-reason")}}],
        "contact": {"name": marks.make("decision-contact"), "phone": format!("030 1234, {}", marks.make("decision-phone"))},
    });
    post(&format!("{admin}/{id}/decision"), &reviewer, decision, 200);
    let review = json!({"message": marks.make("review")});
    let own = format!("/api/rooster/v3/riders/{user}/restrictions/{id}/review");
    post(&own, &rider, review, 201);
    let answer = json!({"outcome": "upheld", "message": long(marks.make("review-answer"))});
    post(&format!("{admin}/{id}/answer"), &app.token("v2"), answer, 200);
    post(&format!("{admin}/{id}/lift"), &reviewer, json!({"message": marks.make("lift")}), 200);
}

/// Opens a notice and subscribes a browser to push messages.
fn notices(app: &TestApp, marks: &mut Marks, user: &str, notice: &Value) {
    let (token, rider) = (app.token(user), format!("/api/rooster/v3/riders/{user}"));
    let opening = json!({"sha256": notice["sha256"], "opened_at": "2026-01-02T03:04:05Z",
        "locale": "en-x-jomarker"});
    let path = format!("{rider}/notices/{}/openings", notice["id"]);
    app.post(&path).token(&token).json(&opening).gives(201);
    // The example of RFC 8291, section 5.
    let keys = json!({"auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"});
    let endpoint = format!("https://8.8.8.8/{}", marks.make("endpoint"));
    let path = format!("{rider}/push-subscriptions/{}", marks.make("subscription"));
    let body = json!({"endpoint": endpoint, "keys": keys});
    app.request("PUT", &path).token(&token).json(&body).gives(201);
}

fn public_bytes(app: &TestApp, receipt: &Value) -> Vec<u8> {
    let mut bytes = receipt.to_string().into_bytes();
    let note = app.get("/log/checkpoint").gives(200);
    let size: u64 = text(&note).lines().nth(1).expect("a size").parse().expect("a number");
    bytes.extend(note.body);
    for path in [
        &format!("/log/tile/0/000.p/{size}"),
        &format!("/log/tile/entries/000.p/{size}"),
        "/log/key",
        "/log/keys",
        "/api/rooster/v3/public/terms",
        "/.well-known/jwks.json",
        "/readyz",
    ] {
        bytes.extend(app.get(path).gives(200).body);
    }
    bytes
}

/// Reads every file of the store, or every row of every table.
fn stored_bytes(app: &TestApp) -> Vec<u8> {
    let mut bytes = Vec::new();
    if app.path("data").is_dir() {
        let mut folders = vec![app.path("data")];
        while let Some(folder) = folders.pop() {
            for file in std::fs::read_dir(folder).expect("lists") {
                let path = file.expect("a file").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    bytes.extend(std::fs::read(path).expect("reads"));
                }
            }
        }
    }
    if let Some(url) = app.database() {
        crate::store::block_on(async {
            let mut database = PgConnection::connect(url).await.expect("PostgreSQL answers");
            let tables: Vec<String> = sqlx::query_scalar(
                "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'",
            )
            .fetch_all(&mut database)
            .await
            .expect("lists");
            for table in tables {
                let sql = AssertSqlSafe(format!("SELECT t::text FROM {table} AS t"));
                let rows: Vec<String> =
                    sqlx::query_scalar(sql).fetch_all(&mut database).await.expect("reads");
                rows.iter().for_each(|row| bytes.extend(row.as_bytes()));
            }
        });
    }
    bytes
}

fn publishes_no_personal_data_and_removes_it_with_an_erasure(engine: Engine) {
    let mut marks = Marks::default();
    let (user, name) = (marks.make("user"), marks.make("name"));
    let email = format!("{}@example.com", marks.make("email").to_lowercase());
    marks.0.push(email.clone());
    let store = TestStore::new(engine).with_rider("r2");
    for (id, role) in
        [("a1", "admin"), ("d1", "dispatcher"), ("v1", "reviewer"), ("v2", "reviewer")]
    {
        store.add_user(id, &[role]);
    }
    let add = ["user", "add", "--id", &user, "--name", &name, "--email", &email];
    store.command(&add).expect_success();
    let term = store.term("FREELANCER", &["--mandatory"]);
    let notice = store.publish("FREELANCER", "Rules of pay", &["--kind", "notice"]);
    let app = TestApp::serve(store);
    let (token, admin) = (app.token(&user), app.token("a1"));

    submit(&app, &mut marks, Some(&token), rider(&user, &accept(&[term])));
    let claimed = submit(&app, &mut marks, None, applicant(&accept(&[term])));
    let device = marks.make("device");
    let claim = app.post(CLAIM).token(&token).header("user-agent", &device);
    claim.json(&json!({"receipt": claimed["receipt"]})).gives(201);
    let unknown = json!({"receipt": {"id": marks.make("claim")}});
    app.post(CLAIM).token(&token).json(&unknown).gives(404);
    let looked_up = json!({"receipt": {"id": marks.make("lookup")}});
    app.post("/api/rooster/v3/terms/consents/receipts").json(&looked_up).gives(404);
    let others = app.post(SUBMIT).token(&app.token("r2")).json(&rider("r2", &accept(&[term])));
    let others = others.gives(201);
    refused(&app, &mut marks, term);
    sign_in(&app, &mut marks, &email);
    flags(&app, &mut marks, &user, &email);
    operators(&app, &mut marks, &admin, &user);
    evaluate(&app, &mut marks, &user);
    restrict(&app, &mut marks, &user);
    notices(&app, &mut marks, &user, &notice);
    campaigns(&app, &admin, term);
    send_wrong_proofs(&app, &mut marks, &admin);

    let public = public_bytes(&app, &serde_json::to_value(receipt_of(&others)).expect("JSON"));
    assert_eq!(marks.within(&public), [""; 0], "published");
    assert!(
        !public.windows(8).any(|window| window == b"jomarker"),
        "a part of a language tag is published"
    );
    // Otherwise the search would find nothing because no data exists.
    assert!(marks.within(&stored_bytes(&app)).len() > 3, "the marks are stored until the erasure");

    let data = app.get(&format!("/api/admin/v1/people/{user}/data")).token(&admin).gives(200);
    let marked = data.json()["decisions"].as_array().map_or(0, |decisions| {
        decisions
            .iter()
            .filter(|decision| marks.0.iter().any(|mark| decision["app"] == **mark))
            .count()
    });
    assert_eq!(marked, 2, "the person's data contains the text of the applications");

    let erase = app.request("DELETE", &format!("/api/admin/v1/people/{user}")).token(&admin);
    erase.json(&json!({"confirm": user})).gives(204);
    assert_eq!(marks.within(&stored_bytes(&app)), [""; 0], "left");
    let again = public_bytes(&app, &Value::Null);
    assert_eq!(marks.within(&again), [""; 0], "published by erasing");
    app.command(&["log", "verify"]).expect_success();
}

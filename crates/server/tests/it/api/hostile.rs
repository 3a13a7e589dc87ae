//! Fills every string that `openapi.json` defines with values that break programs and databases:
//! U+0000, half of a surrogate pair, and texts that are too long. No caller may cause a server
//! error.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::app::TestApp;
use crate::flags::fixture::everything;
use crate::store::{Engine, TestStore};

on_both!(hostile_strings_never_cause_a_server_error);

#[test]
fn refuses_blank_texts_where_a_text_is_required() {
    let store = TestStore::new(Engine::Sqlite);
    store.import("production", &everything());
    store.add_user("somebody", &["rider"]);
    let (admin, key) = (store.session_of("admin"), store.flag_key("production", "server", &[]));
    let app = TestApp::serve(store);
    let root: Value = serde_json::from_str(DOCUMENT).expect("JSON");
    // Two spaces, a zero width space and a no-break space.
    let blank = Hostile {
        name: "blank",
        address: String::new(),
        header: None,
        json: "\"  \u{200b}\u{a0}\"".into(),
    };
    let (mut tried, mut accepted) = (0, Vec::new());
    for operation in operations() {
        let token = if operation.path.starts_with("/api/flags") { &key } else { &admin };
        let at = format!(
            "/paths/{}/{}",
            operation.path.replace('/', "~1"),
            operation.method.to_lowercase()
        );
        let at = format!("{at}/requestBody/content/application~1json/schema");
        for place in &operation.places {
            let Place::Body(pointer) = place else { continue };
            let Some(schema) = root.pointer(&at) else { continue };
            // The sample is the event of an experiment, of which this member is not read.
            if pointer == "/0/holdout" {
                continue;
            }
            if !is_required_text(&root, schema, pointer.split('/').skip(1)) {
                continue;
            }
            tried += 1;
            let status = status(&app, &operation.request(Some((place, &blank)), Some(token)));
            if !(400..500).contains(&status) {
                accepted
                    .push(format!("{} {} {pointer}: {status}", operation.method, operation.path));
            }
        }
    }
    assert_eq!(accepted, Vec::<String>::new());
    assert!(tried > 30, "{tried}");
}

/// Returns whether the schema has a string of at least one character at this place. The keys of a configuration are
/// checked by their own rules, and an id in it may be any text.
fn is_required_text<'a>(
    root: &Value,
    schema: &Value,
    mut path: impl Iterator<Item = &'a str>,
) -> bool {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = root.pointer(reference.trim_start_matches('#')).expect("a schema");
        return !reference.contains("Flag") && is_required_text(root, schema, path);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let chosen = choices.iter().find(|choice| choice["type"] != "null");
        return chosen.is_some_and(|schema| is_required_text(root, schema, path));
    }
    match path.next() {
        None => schema["minLength"].as_u64().is_some_and(|least| least > 0),
        Some("0") => is_required_text(root, &schema["items"], path),
        Some(name) => is_required_text(root, &schema["properties"][name], path),
    }
}

const DOCUMENT: &str = include_str!("../../../../../openapi.json");
/// Strings that are nested deeper in a body are not tested.
const DEPTH_MAX: usize = 4;
/// The placeholder for the hostile text.
const MARK: &str = "HOSTILE-MARK";

/// A hostile value in its form for a path or query, for a header (if possible) and for JSON.
struct Hostile {
    name: &'static str,
    address: String,
    header: Option<Vec<u8>>,
    json: String,
}

fn hostile() -> Vec<Hostile> {
    let long = |name, length: usize| {
        let text = "x".repeat(length);
        let json = format!("\"{text}\"");
        Hostile { name, header: Some(text.clone().into()), address: text, json }
    };
    let short = |name, address: &str, header: Option<&[u8]>, json: &str| Hostile {
        name,
        address: address.into(),
        header: header.map(<[u8]>::to_vec),
        json: json.into(),
    };
    vec![
        short("NUL", "%00", Some(b"\0"), r#""\u0000""#),
        short("NUL within", "a%00b", Some(b"a\0b"), r#""a\u0000b""#),
        // Invalid in UTF-8 and in UTF-16.
        short("half a pair", "%ED%A0%80", Some(b"\xed\xa0\x80"), r#""\ud800""#),
        short("not UTF-8", "%FF%FE", Some(b"\xff\xfe"), r#""\udfff\ud800""#),
        // Cursors and tokens are base64.
        short("NUL in base64", "YQBi", Some(b"YQBi"), r#""YQBi""#),
        // No index of PostgreSQL accepts a text of this length. Every limit on bodies accepts it.
        long("60 kB", 60_000),
        long("1 MB", 1_000_000),
    ]
}

/// A place in an operation that takes a string.
enum Place {
    Path(String),
    Query(String),
    Header(String),
    /// A JSON pointer into the body.
    Body(String),
}

struct Operation {
    method: String,
    path: String,
    query: Vec<String>,
    body: Option<Value>,
    places: Vec<Place>,
}

/// Returns a value that passes the first checks.
fn sample(name: &str) -> Value {
    match name {
        "environment" => json!("production"),
        "version" => json!("v3"),
        "flagKey" => json!("tested"),
        "experiment" => json!("tested-test"),
        "holdout" => json!("quarter"),
        "variation" => json!("new"),
        "group" => json!("HELD_OUT"),
        "name" => json!("ab_test.participated"),
        "at" | "since" | "until" | "effective_from" | "grace_until" | "consented_at" => {
            json!("2024-05-02T09:30:00Z")
        }
        "userId" => json!("somebody"),
        "user_id" => json!(""),
        "user_type" => json!("APPLICANT"),
        "type" => json!("FREELANCER"),
        "locale" => json!("en"),
        "identifier" | "email" | "to" => json!("somebody@example.org"),
        "kind" => json!("client"),
        "roles" => json!(["rider"]),
        "format" => json!("csv"),
        "phase" => json!(3),
        "limit" => json!(10),
        "file" => json!("0123456789abcdef0123456789.json"),
        "sha256" => json!("0".repeat(64)),
        _ => json!("x"),
    }
}

/// Builds a value of this schema and collects the pointers of its strings.
fn filled(root: &Value, schema: &Value, name: &str, at: &str, strings: &mut Vec<String>) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = root.pointer(reference.trim_start_matches('#')).expect("a schema");
        return filled(root, schema, name, at, strings);
    }
    let depth = at.matches('/').count();
    for choice in ["oneOf", "anyOf", "allOf"] {
        let choices = schema[choice].as_array().filter(|_| schema["properties"].is_null());
        let mut choices = choices.into_iter().flatten().filter(|choice| choice["type"] != "null");
        // Conditions nest endlessly in their first choice and end with the last.
        let chosen = if depth > DEPTH_MAX { choices.next_back() } else { choices.next() };
        if let Some(chosen) = chosen {
            return filled(root, chosen, name, at, strings);
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        kind => kind.as_str(),
    };
    match kind.unwrap_or("string") {
        "object" => {
            let properties = schema["properties"].as_object();
            if properties.is_none() {
                strings.push(format!("{at}/key"));
                return json!({"key": "x"});
            }
            let members = properties.into_iter().flatten().map(|(name, schema)| {
                (name.clone(), filled(root, schema, name, &format!("{at}/{name}"), strings))
            });
            Value::Object(members.collect::<Map<_, _>>())
        }
        "array" => match sample(name) {
            Value::Array(items) => {
                strings.push(format!("{at}/0"));
                Value::Array(items)
            }
            _ => json!([filled(root, &schema["items"], name, &format!("{at}/0"), strings)]),
        },
        "integer" | "number" => json!(3),
        "boolean" => json!(true),
        _ => {
            if depth <= DEPTH_MAX {
                strings.push(at.to_owned());
            }
            sample(name)
        }
    }
}

fn operations() -> Vec<Operation> {
    let root: Value = serde_json::from_str(DOCUMENT).expect("JSON");
    let mut operations = Vec::new();
    for (path, methods) in root["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let (mut places, mut query) = (Vec::new(), Vec::new());
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().expect("a name").to_owned();
                match parameter["in"].as_str().expect("a place") {
                    "path" => places.push(Place::Path(name)),
                    "query" => {
                        query.push(name.clone());
                        places.push(Place::Query(name));
                    }
                    _ => places.push(Place::Header(name)),
                }
            }
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let mut strings = Vec::new();
            let body = schema.is_object().then(|| filled(&root, schema, "", "", &mut strings));
            places.extend(strings.into_iter().map(Place::Body));
            let (method, path) = (method.to_uppercase(), path.clone());
            operations.push(Operation { method, path, query, body, places });
        }
    }
    // A test without a session would fail for the rest, so sign-outs come last.
    operations.sort_by_key(|operation| operation.path.contains("logout"));
    operations
}

impl Operation {
    /// Builds the request as bytes, with the hostile text in this place.
    fn request(&self, place: Option<(&Place, &Hostile)>, token: Option<&str>) -> Vec<u8> {
        let text = |name: &str| match sample(name) {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let mut path = self.path.clone();
        while let Some((before, rest)) = path.split_once('{') {
            let (name, after) = rest.split_once('}').expect("a name");
            let value = match place {
                Some((Place::Path(hostile), with)) if hostile == name => with.address.clone(),
                _ => text(name),
            };
            path = format!("{before}{value}{after}");
        }
        if let Some((Place::Query(name), with)) = place {
            path = format!("{path}?{name}={}", with.address);
        } else if self.query.iter().any(|name| name == "environment") {
            path.push_str("?environment=production");
        }
        let mut request =
            format!("{} {path} HTTP/1.1\r\nHost: localhost\r\n", self.method).into_bytes();
        if let Some(token) = token {
            request.extend(format!("Authorization: Bearer {token}\r\n").bytes());
        }
        if let Some((Place::Header(name), Hostile { header: Some(header), .. })) = place {
            request.extend(format!("{name}: ").bytes());
            request.extend(header);
            request.extend(b"\r\n");
        }
        if let Some(body) = &self.body {
            let mut body = body.clone();
            let mut instead = String::new();
            if let Some((Place::Body(pointer), with)) = place {
                *body.pointer_mut(pointer).expect("a place") = json!(MARK);
                instead.clone_from(&with.json);
            }
            let body = body.to_string().replace(&format!("\"{MARK}\""), &instead);
            let length = body.len();
            let head = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
            request.extend(head.bytes());
            request.extend(b"Connection: close\r\n\r\n");
            request.extend(body.bytes());
        } else {
            request.extend(b"Content-Length: 0\r\nConnection: close\r\n\r\n");
        }
        request
    }
}

/// Sends the request and returns the status; 0 if the server closed the connection because the
/// request is far too large.
fn status(app: &TestApp, request: &[u8]) -> u16 {
    let mut stream = TcpStream::connect(&app.address).expect("connects");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket option");
    // The server may close the connection before the whole request is sent.
    let _ = stream.write_all(request);
    let mut line = String::new();
    let _ = BufReader::new(stream).read_line(&mut line);
    line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn hostile_strings_never_cause_a_server_error(engine: Engine) {
    let store = TestStore::new(engine);
    store.import("production", &everything());
    store.add_user("somebody", &["rider"]);
    let people: Vec<String> =
        ["rider", "operator", "admin"].iter().map(|role| store.session_of(role)).collect();
    let keys = ["client", "server"].map(|kind| store.flag_key("production", kind, &["--debug"]));
    let app = TestApp::serve(store);
    let (mut requests, mut reached, mut errors) = (0, 0, Vec::new());
    for operation in operations() {
        let is_flags =
            ["/api/flags", "/ofrep"].iter().any(|prefix| operation.path.starts_with(prefix));
        let tokens: &[String] = if is_flags { &keys } else { &people };
        let callers =
            || std::iter::once(None).chain(tokens.iter().map(|token| Some(token.as_str())));
        let named = format!("{} {}", operation.method, operation.path);
        if operation.method != "DELETE" && !operation.path.contains("logout") {
            // The last caller has the most rights.
            let plain = status(&app, &operation.request(None, callers().last().flatten()));
            reached += usize::from((200..300).contains(&plain));
        }
        for place in &operation.places {
            for with in hostile() {
                let (Place::Path(name)
                | Place::Query(name)
                | Place::Header(name)
                | Place::Body(name)) = place;
                for (who, token) in callers().enumerate() {
                    // The server refuses a long text before it identifies the caller, so only the
                    // callers with the fewest and the most rights send it.
                    let is_between = 0 < who && who < tokens.len();
                    if is_between && with.address.len() > 1_000 {
                        continue;
                    }
                    requests += 1;
                    let status = status(&app, &operation.request(Some((place, &with)), token));
                    if status >= 500 || status == 0 && with.address.len() < 1_000 {
                        errors.push(format!("{named} {name} = {}: {status} ({who})", with.name));
                    }
                }
            }
        }
    }
    assert!(errors.is_empty(), "{} of {requests}:\n{}", errors.len(), errors.join("\n"));
    assert!(requests > 3_000 && reached > 30, "{requests} sent, {reached} operations answered");
    app.get("/readyz").gives(200);
}

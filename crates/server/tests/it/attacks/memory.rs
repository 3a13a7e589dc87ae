//! How much memory one request needs: the largest body of each shape, sent to every operation with
//! a body.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use super::operations;
use crate::admin::{ADMIN, Console};
use crate::app::TestApp;
use crate::pdf;
use crate::request::Request;
use crate::store::{Engine, TestStore};

/// Additional memory of one request, in KiB.
const EXTRA_KIB_MAX: u64 = 64 * 1024;
/// SQLite binds one copy of the file and builds a row from another.
const DOCUMENT_KIB_MAX: u64 = 72 * 1024;
const KIB: usize = 1024;
/// The number of values in a configuration.
const VALUES_MAX: usize = 120_000;

/// Reads a line of `/proc/PID/status`, in KiB.
fn memory(app: &TestApp, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", app.pid())).expect("it runs");
    let value = status.lines().find_map(|entry| entry.strip_prefix(line)?.strip_prefix(':'));
    let number = value.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    number.expect("a number of kB")
}

/// Sends the request and returns by how many KiB the process grew at its peak.
#[track_caller]
fn extra(app: &TestApp, request: &Request) -> (u64, u16) {
    // Resets VmHWM to the resident size: proc(5).
    fs::write(format!("/proc/{}/clear_refs", app.pid()), "5").expect("our own child");
    let before = memory(app, "VmRSS");
    // A request that is refused unread may end before all of it is sent.
    let status = request.try_send().map_or(0, |answer| answer.status);
    (memory(app, "VmHWM").saturating_sub(before), status)
}

#[track_caller]
fn assert_bounded(app: &TestApp, what: &str, request: &Request) -> u16 {
    assert_within(EXTRA_KIB_MAX, app, what, request)
}

#[track_caller]
fn assert_within(limit_kib: u64, app: &TestApp, what: &str, request: &Request) -> u16 {
    let (extra, status) = extra(app, request);
    assert!(status < 500, "{what}: {status}");
    assert!(extra <= limit_kib, "{what} takes {extra} KiB");
    status
}

/// Repeats a part up to this number of bytes and of repetitions.
fn repeated(begin: &str, part: impl Fn(usize) -> String, end: &str, bytes: usize) -> String {
    let mut text = begin.to_owned();
    for number in 0..VALUES_MAX - 10 {
        let part = part(number);
        if text.len() + part.len() + 1 + end.len() > bytes {
            break;
        }
        if number > 0 {
            text.push(',');
        }
        text.push_str(&part);
    }
    text + end
}

/// Returns JSON of at most this number of bytes in each shape.
fn shapes(bytes: usize) -> Vec<(&'static str, String)> {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let zero = |_: usize| "0".to_owned();
    let long = |begin: &str, end: &str| {
        [begin, &"x".repeat(bytes - begin.len() - end.len()), end].concat()
    };
    vec![
        ("a flat list", repeated("[", zero, "]", bytes)),
        ("a flat list of flags", repeated(r#"{"flags":["#, zero, "]}", bytes)),
        ("empty objects", repeated(r#"{"flags":["#, |_| "{}".to_owned(), "]}", bytes)),
        ("nested lists", repeated(r#"{"flags":["#, |_| deep(6), "]}", bytes)),
        ("the deepest lists", repeated(r#"{"flags":["#, |_| deep(30), "]}", bytes)),
        ("many members", repeated("{", |number| format!("\"k{number}\":0"), "}", bytes)),
        (
            "members of an object",
            repeated(r#"{"attributes":{"#, |number| format!("\"k{number}\":0"), "}}", bytes),
        ),
        ("many texts", repeated(r#"{"flags":["#, |_| "\"\\u0041\"".to_owned(), "]}", bytes)),
        ("a long text", long(r#"{"comment":""#, "\"}")),
        ("a long escaped text", long(r#"{"comment":"\n"#, "\"}")),
        ("a long name", long(r#"{""#, r#"":0}"#)),
        ("blanks", long("{}", "").replace('x', " ")),
        // More values than allowed. The server refuses the body while it arrives.
        ("too many values", format!("[{}0]", "0,".repeat(bytes / 2 - 1))),
        ("unclosed lists", "[".repeat(bytes)),
        ("too many bytes", " ".repeat(bytes + 1)),
    ]
}

/// Returns the size of the largest JSON body of an operation.
fn largest(path: &str) -> usize {
    const CONFIGURATIONS: [&str; 4] = ["/flags", "/check", "/changes", "/evaluate"];
    let end = path.strip_prefix("/api/admin/v1/environments/{environment}");
    if end.is_some_and(|end| CONFIGURATIONS.contains(&end)) {
        4 * KIB * KIB
    } else if ["/api/flags/v3/events", "/api/flags/v3/metrics"].contains(&path) {
        512 * KIB
    } else {
        64 * KIB
    }
}

fn media_type(document: &Value, method: &str, path: &str) -> String {
    let content = &document["paths"][path][method.to_lowercase()]["requestBody"]["content"];
    content.as_object().and_then(|types| types.keys().next()).expect("a media type").clone()
}

#[test]
fn no_body_needs_more_than_64_mib() {
    let store = TestStore::new(Engine::Sqlite);
    store.import("production", &crate::flags::document("hello"));
    let key = store.flag_key("production", "server", &[]);
    let console = Console::serve(store);
    let (app, document) = (&console.app, console.app.get("/openapi.json").gives(200).json());
    let mut tried = 0;
    for operation in operations(app).iter().filter(|operation| operation.takes_body) {
        let is_flag_call =
            operation.path.starts_with("/api/flags/") || operation.path.starts_with("/ofrep/");
        let token = match operation.path.starts_with(ADMIN) {
            _ if is_flag_call => &key,
            true => &console.admin,
            false => &console.rider,
        };
        let media_type = media_type(&document, &operation.method, &operation.path);
        if media_type != "application/json" {
            continue;
        }
        let address = operation.path.contains("{environment}").then(|| {
            operation.path.replace("{environment}", "production").replace("{key}", "greeting")
        });
        let address = address.filter(|address| !address.contains('{'));
        let address = address.as_deref().unwrap_or(&operation.address);
        for (shape, body) in shapes(largest(&operation.path)) {
            let request = app.request(&operation.method, address).token(token);
            let request = request.header("if-match", "\"1\"").body(&media_type, body.as_bytes());
            assert_bounded(app, &format!("{shape} to {}", operation.name()), &request);
            tried += 1;
        }
    }
    assert!(tried > 500, "{tried} bodies");
}

/// Builds flags with rules, up to the limit of a configuration. Their default is `variation`.
fn large_configuration(variation: &str) -> String {
    let flag = |number: usize| {
        format!(
            r#"{{"key":"flag-{number}","type":"boolean","variations":[{{"key":"on","value":true}},{{"key":"off","value":false}}],"offVariation":"off","defaultVariation":"{variation}","rules":[{{"id":"r1","when":{{"all":[{{"attr":"country","op":"in","values":["AR","CL","UY"]}},{{"attr":"hours","op":"gte","value":{number}}}]}},"serve":{{"rollout":{{"unit":"userId","steps":[{{"percent":50}}],"variation":"on"}}}}}}]}}"#
        )
    };
    let begin = r#"{"schema":"musette.flags/1","environment":"production","attributes":[{"name":"country","type":"string"},{"name":"hours","type":"number"}],"flags":["#;
    let mut text = begin.to_owned();
    // A flag has 35 values.
    for number in 0..3_400 {
        let comma = if number == 0 { "" } else { "," };
        write!(text, "{comma}{}", flag(number)).expect("a text takes everything");
    }
    text + "]}"
}

fn checks_and_saves_configurations_within_64_mib(engine: Engine) {
    let store = TestStore::new(engine);
    store.import("production", &crate::flags::document("hello"));
    let console = Console::serve(store);
    let path = format!("{ADMIN}/environments/production");
    let send = |method: &str, end: &str, body: &str, etag: &str| {
        let request = console.app.request(method, &format!("{path}{end}")).token(&console.admin);
        let request = request.header("if-match", etag).body("application/json", body.as_bytes());
        assert_bounded(&console.app, &format!("{method} {end}"), &request)
    };
    for variation in ["on", "off"] {
        let body = large_configuration(variation);
        let current = console.app.get(&format!("{path}/flags")).token(&console.admin).gives(200);
        let etag = current.header("etag");
        assert_eq!(send("POST", "/check", &body, etag), 200);
        assert_eq!(send("PUT", "/flags", &body, etag), 200, "{} bytes", body.len());
        let preview = format!(r#"{{"attributes":{{"userId":"u1"}},"flags":[],"document":{body}}}"#);
        assert_eq!(send("POST", "/evaluate", &preview, etag), 200);
    }
}

fn imports_files_of_people_within_64_mib(engine: Engine) {
    let console = Console::start(engine);
    let path = format!("{ADMIN}/people/import");
    let send = |query: &str, body: &[u8], what: &str| {
        let request = console.app.post(&format!("{path}{query}")).token(&console.admin);
        assert_bounded(&console.app, what, &request.body("text/csv", body))
    };
    let mut file = String::from("id,email,phone,name,roles,market,locale\n");
    // PostgreSQL holds the rows in another process, where a smaller file shows the same in less
    // time.
    let people = if engine == Engine::Sqlite { 20_000 } else { 4_000 };
    for number in 0..people {
        let phone = 491_700_000_000_u64 + number;
        writeln!(
            file,
            "rider-{number},rider-{number}@larkspur.example,+{phone},\"Rider, the {number}th\",rider,,de"
        )
        .expect("a text takes everything");
    }
    assert_eq!(send("?dry_run=true", file.as_bytes(), "a dry run"), 200);
    assert_eq!(send("", file.as_bytes(), "an import"), 200);
    assert_eq!(send("", file.as_bytes(), "the same import again"), 200);
    let all = 4 * KIB * KIB;
    for (what, begin, part) in [
        ("separators", "", ","),
        ("lines", "id\n", "\n"),
        ("lines of separators", "id\n", ",,,,,,,,,,,,,,,\n"),
        ("bad lines", "id\n", "x,y\n"),
        ("quotes", "id\n", "\""),
        ("quoted lines", "id\n\"", "a\n"),
        ("a long cell", "id\n", "x"),
        ("a long header", "", "x"),
    ] {
        let body = [begin, &part.repeat((all - begin.len()) / part.len())].concat();
        send("", body.as_bytes(), what);
    }
}

fn renders_and_stores_a_document_of_20_mib_within_72_mib(engine: Engine) {
    let console = Console::start(engine);
    let draft = serde_json::json!({"type": "FREELANCER", "mandatory": true, "variants": [{"locale": "en", "title": "Terms"}]});
    let drafts = format!("{ADMIN}/term-drafts");
    let added = console.app.post(&drafts).token(&console.operator).json(&draft).gives(201);
    let id = added.json()["id"].as_str().expect("an id").to_owned();
    let path = format!("{drafts}/{id}/documents/en");
    // The first document loads the pages of the program that the operating system reads from its
    // file on first use.
    let put = console.app.request("PUT", &path).token(&console.operator);
    let small = put.header("if-match", added.header("etag"));
    let small = small.body("application/pdf", &pdf::page("the first terms")).gives(200);
    let etag = small.header("etag");
    let whole = pdf::page_of("the terms", 20 * KIB * KIB - 4 * KIB);
    assert!(whole.len() <= 20 * KIB * KIB, "{} bytes", whole.len());
    let request = console.app.request("PUT", &path).token(&console.operator);
    let request = request.header("if-match", etag).body("application/pdf", &whole);
    assert_eq!(
        assert_within(DOCUMENT_KIB_MAX, &console.app, "a document of 20 MiB", &request),
        200
    );
}

on_both!(
    checks_and_saves_configurations_within_64_mib,
    imports_files_of_people_within_64_mib,
    renders_and_stores_a_document_of_20_mib_within_72_mib,
);

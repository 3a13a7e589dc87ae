//! Conventions of every response.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{self, CLAIM, SUBMIT, V3};

on_both!(
    answers_unknown_paths_with_404,
    refuses_methods_that_a_path_does_not_support,
    negotiates_media_types,
    returns_request_ids,
    answers_head_like_get_without_a_body,
    every_response_has_the_common_headers,
    serves_files_of_earlier_versions,
    serves_the_service_worker,
    serves_the_page_with_the_terms,
);

const PREFIXES: [&str; 7] =
    ["/api", "/documents", "/receipts", "/log", "/ofrep", "/schemas", "/.well-known"];

fn answers_unknown_paths_with_404(engine: Engine) {
    let app = TestApp::start(engine);
    for prefix in PREFIXES {
        for path in [prefix.to_owned(), format!("{prefix}/nothing/at/all")] {
            if path == "/receipts" {
                // A receipt is read with `POST /receipts`.
                app.get(&path).header("accept", "text/html").refused(405, "method_not_allowed");
                continue;
            }
            app.get(&path).header("accept", "text/html").refused(404, "not_found");
            app.post(&path).json(&json!({})).refused(404, "not_found");
        }
    }
    app.get(&format!("{V3}/nothing")).refused(404, "not_found");
    // The application handles all other paths that a browser opens.
    for path in ["/", "/console", "/terms", "/apiary", "/logs"] {
        let page = app.get(path).header("accept", "text/html,*/*;q=0.8").gives(200);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert!(!page.header("content-security-policy").is_empty(), "{path}");
    }
    app.get("/nothing").header("accept", "application/json").refused(404, "not_found");
    // Without `Accept` any type is acceptable (RFC 9110 §12.5.1). The client of these tests always
    // sends one.
    for path in ["/", "/console", "/terms"] {
        let page = wire::bare(&app, path);
        assert!(page.starts_with("HTTP/1.1 200") && page.contains("text/html"), "{path}: {page}");
    }
    assert!(wire::bare(&app, "/api/nothing").starts_with("HTTP/1.1 404"));
}

fn refuses_methods_that_a_path_does_not_support(engine: Engine) {
    let app = TestApp::start(engine);
    let user = |what: &str| format!("{V3}/terms/r1/{what}");
    for (path, methods) in [
        (format!("{V3}/terms"), "GET,HEAD"),
        (format!("{V3}/public/terms"), "GET,HEAD"),
        (format!("{V3}/public/markets"), "GET,HEAD"),
        (user("consents"), "GET,HEAD"),
        (user("outstanding"), "GET,HEAD"),
        (SUBMIT.to_owned(), "POST"),
        (CLAIM.to_owned(), "POST"),
        (format!("/documents/{}.pdf", "0".repeat(64)), "GET,HEAD"),
        ("/readyz".to_owned(), "GET,HEAD"),
        ("/openapi.json".to_owned(), "GET,HEAD"),
    ] {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            if methods.split(',').any(|listed| listed == method) {
                continue;
            }
            let answer = app.request(method, &path).body("text/plain", b"x").send();
            answer.assert_problem(405, "method_not_allowed");
            assert_eq!(answer.header("allow"), methods, "{method} {path}");
        }
    }
}

fn negotiates_media_types(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let token = app.token("r1");
    for path in [SUBMIT, CLAIM] {
        let post = || app.post(path).token(&token);
        post().bytes(b"{}").refused(415, "unsupported_media_type");
        for media_type in [
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json5",
            "application/jsonp",
            "application/json; charset=utf-16",
        ] {
            post().body(media_type, b"{}").refused(415, "unsupported_media_type");
        }
        for media_type in ["application/json", "Application/JSON; charset=UTF-8"] {
            post().body(media_type, b"{}").refused(422, "invalid_request");
        }
    }
}

fn returns_request_ids(engine: Engine) {
    let app = TestApp::start(engine);
    let long = "x".repeat(128);
    for id in ["a", "A-b_c.9", &long] {
        for path in ["/healthz", "/api/nothing"] {
            let answer = app.get(path).header("x-request-id", id).send();
            assert_eq!(answer.header("x-request-id"), id, "{path}");
        }
    }
    let too_long = "x".repeat(129);
    let mut ids = vec![app.get("/healthz").send().header("x-request-id").to_owned()];
    for id in ["", "a b", "a/b", "<img>", "a,b", &too_long] {
        let answer = app.get("/healthz").header("x-request-id", id).send();
        let id = answer.header("x-request-id").to_owned();
        let is_good = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        assert!((1..=128).contains(&id.len()) && id.bytes().all(is_good), "{id}");
        assert!(!ids.contains(&id), "{id} came before");
        ids.push(id);
    }
}

fn answers_head_like_get_without_a_body(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.publish("FREELANCER", "A text", &[]);
    let document = format!("/documents/{}.pdf", term["sha256"].as_str().expect("a hash"));
    for path in [&format!("{V3}/public/terms"), &document, "/healthz", "/openapi.json"] {
        let (get, head) = (app.get(path).gives(200), app.request("HEAD", path).gives(200));
        assert_eq!(head.body, b"", "{path}");
        for name in ["content-type", "content-length", "etag", "cache-control", "vary"] {
            assert_eq!(get.header(name), head.header(name), "{name} of {path}");
        }
    }
    let missing = app.request("HEAD", "/api/nothing").gives(404);
    assert_eq!(missing.body, b"");
}

fn every_response_has_the_common_headers(engine: Engine) {
    let app = TestApp::start(engine);
    for path in ["/", "/healthz", "/api/nothing", &format!("{V3}/public/terms"), "/openapi.json"] {
        let answer = app.get(path).header("accept", "*/*").send();
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
}

fn serves_files_of_earlier_versions(engine: Engine) {
    let store = TestStore::new(engine);
    let web = store.path("data/web");
    std::fs::create_dir_all(&web).expect("a directory");
    std::fs::write(web.join("rider-old-1a2b.js"), "export {};").expect("a file");
    std::fs::write(web.join("console-board-3c4d.css"), "a{}").expect("a file");
    let app = TestApp::serve(store);
    let script = app.get("/assets/old-1a2b.js").header("accept", "*/*").gives(200);
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(script.body, b"export {};");
    app.get("/console/assets/board-3c4d.css").gives(200);
    // If a page were served in place of a script, the browser would cache it as a script.
    for path in ["/assets/board-3c4d.css", "/assets/gone.js", "/assets/..%2fmusette.db", "/assets/"]
    {
        app.get(path).header("accept", "*/*").refused(404, "not_found");
    }
}

fn serves_the_service_worker(engine: Engine) {
    let app = TestApp::start(engine);
    let worker = app.get("/worker.js").header("accept", "*/*").gives(200);
    assert_eq!(worker.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(worker.header("cache-control"), "no-cache");
    let policy = worker.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; connect-src 'self'"), "{policy}");
    // Its scope is its own origin and folder, which is the default of browsers without this header.
    assert_eq!(worker.header("service-worker-allowed"), "");
}

fn serves_the_page_with_the_terms(engine: Engine) {
    let store = TestStore::new(engine);
    store.publish("FREELANCER", "Rules <b>", &[]);
    let app = TestApp::serve(store);
    let page = |path: &str, language: &str| {
        let request = app.get(path).header("accept", "text/html");
        request.header("accept-encoding", "identity").header("accept-language", language).gives(200)
    };
    let text = |body: &[u8]| String::from_utf8_lossy(body).into_owned();
    let english = page("/apply", "en-GB,en;q=0.9");
    assert_eq!(english.header("cache-control"), "no-cache");
    assert_eq!(english.header("vary"), "Accept-Encoding, Accept-Language");
    let body = text(&english.body);
    let (_, block) = body.split_once(r#"id="musette-terms" lang="en">"#).expect("the terms");
    let (json, _) = block.split_once("</script>").expect("their end");
    let listed = app.get(&format!("{V3}/public/terms")).header("accept-language", "en").gives(200);
    let inlined: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(inlined, listed.json());
    assert!(!json.contains('<'), "{json}");
    let german = text(&page("/apply", "de").body);
    assert!(german.contains(r#"lang="de">"#) && german.contains("/assets/de-"), "{german}");
    assert!(!body.contains("/assets/de-"));
    let (_, styles) = body.split_once("<style>").expect("the styles");
    let (styles, _) = styles.split_once("</style>").expect("their end");
    let allowed = format!("style-src 'self' 'sha256-{}'", STANDARD.encode(Sha256::digest(styles)));
    let policy = english.header("content-security-policy");
    assert!(policy.ends_with(&allowed) && !policy.contains("unsafe"), "{policy}");
    assert!(!text(&page("/", "en").body).contains("<style>"));
    for (path, language) in [("/apply", "*"), ("/", "en"), ("/index.html", "en")] {
        assert!(!text(&page(path, language).body).contains("musette-terms"), "{path}");
    }
    let again = app.get("/apply").header("accept", "text/html").header("accept-language", "en-GB");
    let again = again.header("if-none-match", english.header("etag")).gives(304);
    // A cache takes the policy from this response.
    assert_eq!(again.header("content-security-policy"), policy);
}

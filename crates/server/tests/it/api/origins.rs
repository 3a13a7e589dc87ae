//! Host names that the server accepts, and origins that may call it.

use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::V3;

on_both!(
    accepts_only_its_own_host_names,
    accepts_the_host_of_its_public_url,
    allows_only_configured_origins
);

fn accepts_only_its_own_host_names(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    store.term("FREELANCER", &[]);
    let args = ["--allowed-hosts", "terms.example,other.example:8443"];
    let app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    let ask = |host: &str| app.get(&format!("{V3}/public/terms")).header("host", host);
    for host in [
        &app.address,
        "terms.example",
        "TERMS.example:99",
        "other.example:8443",
        // A development server in front of a server that only this machine can reach.
        "localhost:5173",
        "127.0.0.1:1",
        "[::1]:5173",
    ] {
        let terms = ask(host).gives(200).json();
        let content = terms[0]["content"].as_str().expect("a link");
        let want = format!("http://{}/documents/", host.to_lowercase());
        assert!(content.starts_with(&want), "{host}: {content}");
    }
    for host in [
        "elsewhere.example",
        "other.example",
        "other.example:8444",
        "terms.example.elsewhere.example",
        "terms.example:99/x",
        "terms.example@elsewhere.example",
        "localhost.elsewhere.example:5173",
        "app.localhost:5173",
    ] {
        ask(host).refused(421, "misdirected_request");
    }
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert_eq!(log.matches("its Host is not a name of this server").count(), 1, "{log}");
    // Responses without links accept any host name.
    app.get("/healthz").header("host", "elsewhere.example").gives(200);
}

fn accepts_the_host_of_its_public_url(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    store.term("FREELANCER", &[]);
    let args = ["--public-url", "https://terms.example.com/"];
    let app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    for host in [&app.address, "elsewhere.example"] {
        let terms = app.get(&format!("{V3}/public/terms")).header("host", host).gives(200).json();
        let content = terms[0]["content"].as_str().expect("a link");
        assert!(content.starts_with("https://terms.example.com/documents/"), "{content}");
    }
}

fn allows_only_configured_origins(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let args = ["--cors-origins", "https://app.example.com,http://localhost:3000"];
    let app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    let path = format!("{V3}/public/terms");
    for origin in ["https://app.example.com", "http://localhost:3000"] {
        let answer = app.get(&path).header("origin", origin).gives(200);
        assert_eq!(answer.header("access-control-allow-origin"), origin);
        assert!(answer.header("access-control-expose-headers").contains("ETag"));
        let refused = app.get("/api/nothing").header("origin", origin).gives(404);
        assert_eq!(refused.header("access-control-allow-origin"), origin, "errors are read too");
        let preflight = app
            .request("OPTIONS", &path)
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,idempotency-key,if-match")
            .gives(204);
        assert_eq!(preflight.header("access-control-allow-origin"), origin);
        assert!(preflight.header("access-control-allow-methods").contains("POST"));
        let allowed = preflight.header("access-control-allow-headers").to_lowercase();
        for name in ["authorization", "content-type", "idempotency-key"] {
            assert!(allowed.contains(name), "{name} is not in {allowed}");
        }
    }
    for origin in ["https://elsewhere.example", "https://app.example.com.elsewhere.example", "null"]
    {
        let answer = app.get(&path).header("origin", origin).gives(200);
        assert_eq!(answer.header("access-control-allow-origin"), "", "{origin}");
        let preflight = app.request("OPTIONS", &path).header("origin", origin).send();
        assert_eq!(preflight.header("access-control-allow-origin"), "", "{origin}");
    }
    // A cache must not serve one origin the response for another.
    for request in [app.get(&path), app.get(&path).header("origin", "https://app.example.com")] {
        let answer = request.gives(200);
        let vary: Vec<_> =
            answer.headers.get_all("vary").iter().filter_map(|value| value.to_str().ok()).collect();
        let vary = vary.join(",").to_lowercase();
        assert!(vary.contains("origin") && vary.contains("accept-language"), "{vary}");
    }
}

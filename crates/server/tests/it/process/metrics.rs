//! `/metrics`: its address, and that no client can make it grow.

use std::sync::Arc;

use serde_json::json;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

on_both!(serves_metrics_on_a_separate_address, clients_cannot_add_time_series);

fn serves_metrics_on_a_separate_address(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let app = TestApp::serve_with(&store, Start::default());
    assert!(app.metrics().contains("musette_flags_stale_seconds"));
    app.get_metrics("/healthz").refused(404, "not_found");
    app.get_metrics("/").refused(404, "not_found");
    let request = app.get_metrics("/metrics").header("host", "elsewhere.example").gives(200);
    for name in ["x-request-id", "content-security-policy", "x-content-type-options"] {
        assert_ne!(request.header(name), "", "{name}");
    }
    // The public address does not even serve a page at this path.
    for accept in ["text/html", "*/*", "text/plain"] {
        app.get("/metrics").header("accept", accept).refused(404, "not_found");
    }
    app.post("/metrics").json(&json!({})).refused(404, "not_found");
    let document = app.get("/openapi.json").gives(200).json();
    assert!(document["paths"].get("/metrics").is_none());
    drop(app);
    let quiet = TestApp::serve_with(&store, Start { without_metrics: true, ..Start::default() });
    quiet.get("/metrics").refused(404, "not_found");
    let env = [("MUSETTE_METRICS_LISTEN", "127.0.0.1:0")];
    let app =
        TestApp::serve_with(&store, Start { without_metrics: true, env: &env, ..Start::default() });
    assert!(app.metrics().contains("musette_"));
}

fn clients_cannot_add_time_series(engine: Engine) {
    let app = TestApp::start(engine);
    app.import("production", &super::super::flags::document("hello"));
    let key = app.flag_key("production", "client", &[]);
    let series = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
    let ask = |round: usize, count: usize| {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (app, key) = (&app, &key);
                scope.spawn(move || {
                    for i in (thread..count).step_by(4) {
                        let name = format!("made-up-{round}-{i}");
                        match i % 5 {
                            0 => drop(app.get(&format!("/api/{name}")).send()),
                            1 => drop(app.request(&name.to_uppercase(), "/healthz").send()),
                            2 => {
                                let path = format!("/api/flags/v3/features/{name}");
                                let ask = app.request("PUT", &path).token(key);
                                drop(ask.json(&json!({"userId": name})).send());
                            }
                            3 => drop(app.get(&format!("/api/flags/{name}/features")).send()),
                            _ => drop(
                                app.get(&format!("/api/rooster/v3/terms/{name}/consents")).send(),
                            ),
                        }
                    }
                });
            }
        });
        app.metrics()
    };
    // Every connection thread and every kind of request has occurred once.
    let before = series(&ask(0, 200));
    let after = ask(1, 10_000);
    assert!(!after.contains("made-up") && !after.contains("MADE-UP"), "a name is a label");
    assert!(series(&after) <= before + 40, "{before} series became {}", series(&after));
}

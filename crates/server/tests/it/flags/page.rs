//! The rider app gets its client key from its page.

use std::sync::Arc;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

fn page(app: &TestApp, path: &str, coding: &str) -> (String, String, Vec<u8>) {
    let request = app.get(path).header("accept", "text/html").header("accept-encoding", coding);
    let answer = request.gives(200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    let policy = answer.header("content-security-policy").to_owned();
    (answer.header("etag").to_owned(), policy, answer.body.clone())
}

#[test]
fn adds_the_key_to_the_page_and_not_to_the_console() {
    let store = Arc::new(TestStore::new(Engine::Sqlite));
    let key = "musette_client_0123456789abcdef";
    let with = Start { args: &["--flag-key", key], ..Start::default() };
    let with = TestApp::serve_with(&store, with);
    let without = TestApp::serve_with(&store, Start::default());
    let meta = format!(r#"<meta name="musette-flag-key" content="{key}">"#);
    let (old_etag, old_policy, old) = page(&without, "/", "identity");
    assert!(!String::from_utf8_lossy(&old).contains("musette-flag-key"));
    for path in ["/", "/agreements", "/index.html"] {
        let (etag, policy, body) = page(&with, path, "identity");
        let text = String::from_utf8(body).expect("UTF-8");
        assert_eq!(text.replace(&meta, "").as_bytes(), old, "{path}");
        assert_eq!(text.matches(&meta).count(), 1, "{path}");
        assert_ne!(etag, old_etag);
        assert_eq!(policy, old_policy);
        with.get(path).header("accept", "text/html").header("if-none-match", &etag).gives(304);
    }
    let (_, _, console) = page(&with, "/console", "identity");
    assert!(!String::from_utf8_lossy(&console).contains("musette-flag-key"));
}

/// A server key shows every flag, and this page is public.
#[test]
fn accepts_only_a_client_key() {
    let store = TestStore::new(Engine::Sqlite);
    for key in ["musette_server_0123456789abcdef", "x", "musette_client_\"><script>"] {
        let args = ["serve", "--listen", "127.0.0.1:0", "--flag-key", key];
        store.command(&args).failed(2, "--flag-key");
    }
}

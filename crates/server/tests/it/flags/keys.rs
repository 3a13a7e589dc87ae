//! Keys of the flag service.

use serde_json::json;

use super::{admin, document};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(shows_a_key_only_once, creates_and_revokes_keys_by_command);

/// Reads every file of the store. On PostgreSQL it reads a dump of the table through the admin API,
/// because there are no files.
fn all_stored_bytes(store: &TestStore) -> Vec<u8> {
    let mut all = Vec::new();
    let mut folders = vec![store.path("data")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                all.extend(std::fs::read(path).expect("a file"));
            }
        }
    }
    all
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn shows_a_key_only_once(engine: Engine) {
    let store = TestStore::new(engine);
    let (operator, admins) = (store.session_of("operator"), store.session_of("admin"));
    let legal = store.session_of("legal");
    store.import("production", &document("hello"));
    let app = TestApp::serve(store);
    let new = json!({"kind": "client", "debug": true, "name": "the rider app"});
    let create = |token: &str| admin(&app, token, "POST", "/keys").json(&new);
    create(&legal).refused(403, "permission_denied");
    create(&operator).gives(201);
    let created = create(&admins).gives(201).json();
    let (id, key) =
        (created["id"].as_str().expect("an id"), created["key"].as_str().expect("a key"));
    assert!(key.len() >= 40, "{key}");
    assert_ne!(created["key"], create(&admins).gives(201).json()["key"]);
    for bad in [json!({}), json!({"kind": "king"}), json!({"kind": "client", "name": "a\nb"})] {
        admin(&app, &admins, "POST", "/keys").json(&bad).refused(422, "invalid_request");
    }
    let listed = admin(&app, &operator, "GET", "/keys").gives(200);
    assert!(!contains(&listed.body, key), "only the hash is stored");
    let listed_key = listed.json()["items"]
        .as_array()
        .expect("items")
        .iter()
        .find(|item| item["id"] == id)
        .cloned();
    let listed_key = listed_key.expect("it is listed");
    assert_eq!((&listed_key["kind"], &listed_key["debug"]), (&json!("client"), &json!(true)));
    assert_eq!(listed_key["name"], "the rider app");
    assert!(!contains(&all_stored_bytes(&app), key), "no file has it");
    let revoke = admin(&app, &admins, "DELETE", &format!("/keys/{id}"));
    revoke.gives(204);
    revoke.gives(204);
    admin(&app, &admins, "DELETE", "/keys/nobody").refused(404, "not_found");
    let listed = admin(&app, &operator, "GET", "/keys").gives(200).json();
    let listed_key =
        listed["items"].as_array().expect("items").iter().find(|item| item["id"] == id).cloned();
    assert!(listed_key.expect("it is still listed")["revoked_at"].is_string());
}

fn creates_and_revokes_keys_by_command(engine: Engine) {
    let store = TestStore::new(engine);
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let output = store.command(&args);
    let (id, stdout) = (output.stderr.trim().to_owned(), output.expect_success());
    let key = stdout.strip_suffix('\n').expect("one line");
    assert!(!key.contains(char::is_whitespace) && key.len() >= 40, "{key:?}");
    let json =
        store.command(&["key", "create", "--env", "production", "--kind", "client", "--json"]);
    let json = json.json();
    assert!(json["id"].is_string() && json["key"].is_string(), "{json}");
    assert!(!contains(&all_stored_bytes(&store), key));
    store.command(&["key", "revoke", &id]).expect_success();
    store.command(&["key", "revoke", &id]).failed(1, &id);
    store.command(&["key", "revoke", "nobody"]).failed(1, "nobody");
    store.command(&["key", "create", "--kind", "server"]).failed(2, "--env");
    store.command(&["key", "create", "--env", "a b", "--kind", "server"]).failed(2, "--env");
    store.command(&["key", "create", "--env", "production", "--kind", "king"]).failed(2, "--kind");
}

//! Commands are recorded in the audit log.

use serde_json::Value;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(audits_every_action_of_a_command);

const FLAGS: &str = r#"{"schema":"musette.flags/1","environment":"production","version":0,
    "attributes":[],"segments":[],"layers":[],"holdouts":[],"flags":[]}"#;

/// Returns event, user and detail of the actions of commands, the oldest first.
fn actions(app: &TestApp) -> Vec<(String, String, String)> {
    let token = app.token("o1");
    let page = app.get("/api/admin/v1/audit?limit=200").token(&token).gives(200).json();
    let items = page["items"].as_array().expect("items").iter().rev();
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
    items
        .filter(|item| item["actor"] == "command")
        .map(|item| (text(item, "event"), text(item, "user_id"), text(item, "detail")))
        .collect()
}

fn audits_every_action_of_a_command(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("o1", &["operator"]);
    let app = TestApp::serve(store);
    let count_before = actions(&app).len();
    let run = |args: &[&str]| app.command(args).expect_success();
    run(&["user", "add", "--id", "r1", "--name", "Fictional"]);
    for _ in 0..2 {
        run(&["user", "add", "--id", "r1", "--role", "worker", "--totp"]);
    }
    run(&["user", "add", "--id", "a1", "--role", "admin"]);
    let term = app.term("FREELANCER", &["--mandatory"]);
    let file = app.file("flags.json", FLAGS.as_bytes());
    run(&["flags", "import", &file, "--env", "staging"]);
    run(&["key", "create", "--env", "staging", "--kind", "client"]);
    run(&["session", "rotate-keys"]);
    let paper = format!(
        "user_id,terms_and_conditions_id,accepted,consented_at\nr1,{term},true,2024-05-31T09:30:00Z\n"
    );
    let paper = app.file("paper.csv", paper.as_bytes());
    run(&["consents", "import", &paper]);
    run(&["consents", "export", "--user", "r1"]);
    run(&["token", "issue", "--user", "r1"]);
    let backup = app.path("backup").into_os_string().into_string().expect("UTF-8");
    run(&["backup", &backup]);
    run(&["user", "erase", "--id", "r1"]);
    let new_actions = actions(&app).split_off(count_before);
    let events: Vec<(&str, &str)> =
        new_actions.iter().map(|(event, user, _)| (event.as_str(), user.as_str())).collect();
    // Only a reference remains of the erased person. The last entry is the read itself.
    assert_eq!(
        events,
        [
            ("user_added", ""),
            ("user_changed", ""),
            ("authenticator_set", ""),
            ("user_changed", ""),
            ("authenticator_set", ""),
            ("user_added", "a1"),
            ("sign_in_link_made", "a1"),
            ("term_published", ""),
            ("flag_environment_added", ""),
            ("flags_saved", ""),
            ("flag_key_created", ""),
            ("signing_key_added", ""),
            ("consents_imported", ""),
            ("consents_exported", ""),
            ("token_issued", ""),
            ("backup_made", ""),
            ("user_erased", ""),
            ("token_issued", "o1"),
        ]
    );
    let details: Vec<&str> =
        new_actions[1..5].iter().map(|(_, _, detail)| detail.as_str()).collect();
    assert_eq!(details, ["rider worker", "", "rider worker", "replaced"]);
    assert!(new_actions.iter().all(|(_, _, detail)| !detail.contains("r1")), "{new_actions:?}");

    let restored = TestStore::new(engine);
    restored.command(&["restore", &backup]).expect_success();
    let app = TestApp::serve(restored);
    assert!(actions(&app).iter().any(|(event, _, _)| event == "store_restored"));
}

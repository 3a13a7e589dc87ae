//! `flags import`, `export`, `check`, `diff`.

use serde_json::{Value, json};

use super::{document, flag, served};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};

on_both!(
    an_export_and_import_changes_nothing,
    refuses_an_invalid_file,
    an_import_may_require_a_current_version,
    warns_about_mistyped_members,
    diff_prints_what_would_change,
    a_running_server_serves_an_import_at_once,
    imports_exports_of_other_services,
    prints_types_of_the_current_version
);

fn without_version(mut document: Value) -> Value {
    document.as_object_mut().expect("an object").remove("version");
    document
}

fn an_export_and_import_changes_nothing(engine: Engine) {
    let store = TestStore::new(engine);
    let mut rich = document("hello");
    rich["segments"] = json!([{"key": "uy", "match": {"all": [{"attr": "country", "op": "in", "values": ["UY"]}]}}]);
    rich["flags"][0]["rules"] = json!([
        {"id": "r1", "name": "here", "when": {"all": [{"segment": "uy"}]}, "serve": {"variation": "welcome"}},
        {"id": "r2", "when": {"all": []}, "serve": {"rollout": {"unit": "userId",
            "steps": [{"at": "2026-11-01T00:00:00Z", "percent": 0.125}], "variation": "welcome"}}}
    ]);
    rich["flags"].as_array_mut().expect("flags").push(json!({
        "key": "limits", "type": "json", "on": true, "salt": "k",
        "variations": [{"key": "a", "value": {"z": 1, "a": [9_007_199_254_740_991_i64, 0.1, null]}}],
        "offVariation": "a", "defaultVariation": "a", "baselineVariation": "a", "rules": []
    }));
    assert_eq!(store.import("production", &rich), 1);
    let first = store.exported("production");
    assert_eq!((&first["environment"], &first["version"]), (&json!("production"), &json!(1)));
    assert_eq!(store.import("production", &first), 2);
    let text = store.command(&["flags", "export", "--env", "production"]).expect_success();
    assert_eq!(without_version(store.exported("production")), without_version(first));
    // The file is identical except for the version number. `--env` takes precedence over the
    // environment in the document.
    let file = store.file("again.json", text.as_bytes());
    store
        .command(&["flags", "import", &file, "--env", "staging", "--comment", "from production"])
        .expect_success();
    let again = store.command(&["flags", "export", "--env", "staging"]).expect_success();
    let same =
        text.replace("\"version\": 2", "\"version\": 1").replace("\"production\"", "\"staging\"");
    assert_eq!(again, same);
    store.command(&["flags", "export", "--env", "nowhere"]).failed(1, "nowhere");
}

fn refuses_an_invalid_file(engine: Engine) {
    let store = TestStore::new(engine);
    store.import("production", &document("hello"));
    let mut bad = document("nothing");
    bad["flags"][0]["variations"][1]["value"] = json!(7);
    let file = store.file("bad.json", bad.to_string().as_bytes());
    let output = store.command(&["flags", "check", &file]);
    assert_eq!(output.code, Some(1), "{output:?}");
    let lines: Vec<_> = output.stdout.lines().collect();
    assert!(lines.len() >= 2, "{lines:?}");
    for line in &lines {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().expect("three parts").to_owned();
        let (pointer, code, detail) = (word(), word(), word());
        assert!(pointer.starts_with("/flags/0/"), "{line}");
        assert!(code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{line}");
        assert!(!detail.is_empty(), "{line}");
    }
    let output = store.command(&["flags", "check", &file, "--json"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    let errors: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(errors["faults"].as_array().map(Vec::len), Some(lines.len()));
    errors_of_one_cause_are_one_line(&store);
    for args in [["flags", "import", &file], ["flags", "diff", &file]] {
        let output = store.command(&[&args[..], &["--env", "production"]].concat());
        assert_eq!(
            (output.code, output.stdout.lines().count()),
            (Some(1), lines.len()),
            "{output:?}"
        );
    }
    assert_eq!(store.exported("production")["version"], 1);
    let file = store.file("good.json", document("hello").to_string().as_bytes());
    assert_eq!(store.command(&["flags", "check", &file]).expect_success(), "");
    store.command(&["flags", "check", "nowhere.json"]).failed(1, "nowhere.json");
    store.command(&["flags", "import", &file]).failed(2, "--env");
}

fn errors_of_one_cause_are_one_line(store: &TestStore) {
    let mut undeclared = document("hello");
    let rule = |id: usize| {
        json!({"id": format!("r{id}"), "when": {"attr": "vehicle", "op": "eq", "value": "bike"},
            "serve": {"variation": "welcome"}})
    };
    undeclared["flags"] = json!([flag("farewell", "hello")]);
    undeclared["flags"][0]["rules"] = (0..100).map(rule).collect();
    let file = store.file("undeclared.json", undeclared.to_string().as_bytes());
    let output = store.command(&["flags", "check", &file]);
    let of_attribute: Vec<_> =
        output.stdout.lines().filter(|line| line.contains("unknown_attribute")).collect();
    let expected = "/flags/0/rules/0/when/attr unknown_attribute There is no attribute named \
        \"vehicle\". Declare it under `attributes`. (and 99 more)";
    assert_eq!(of_attribute, [expected]);
}

fn an_import_may_require_a_current_version(engine: Engine) {
    let store = TestStore::new(engine);
    let file = store.file("flags.json", document("hello").to_string().as_bytes());
    let import = |env: &str, version: &str| {
        store.command(&["flags", "import", &file, "--env", env, "--if-version", version])
    };
    import("nowhere", "1").failed(1, "does not exist");
    store.command(&["flags", "export", "--env", "nowhere"]).failed(1, "does not exist");
    assert_eq!(store.import("production", &document("hello")), 1);
    assert_eq!(import("production", "1").json()["version"], 2);
    // A colleague has saved in the meantime.
    import("production", "1").failed(1, "version 2 is current");
    assert_eq!(store.exported("production")["version"], 2);
}

fn warns_about_mistyped_members(engine: Engine) {
    let store = TestStore::new(engine);
    let mut mistyped = document("hello");
    mistyped["flags"][0]["archvied"] = json!(true);
    let file = store.file("flags.json", mistyped.to_string().as_bytes());
    for output in [
        store.command(&["flags", "check", &file]),
        store.command(&["flags", "import", &file, "--env", "production"]),
    ] {
        assert!(output.code == Some(0), "{output:?}");
        assert!(output.stderr.contains("warning: /flags/0/archvied is ignored"), "{output:?}");
    }
    let checked = store.command(&["flags", "check", "--json", &file]).json();
    assert_eq!(checked, json!({"faults": [], "unknown_members": ["/flags/0/archvied"]}));
}

fn diff_prints_what_would_change(engine: Engine) {
    let store = TestStore::new(engine);
    store.import("production", &document("hello"));
    let mut next = document("welcome");
    next["flags"].as_array_mut().expect("flags").push(flag("farewell", "hello"));
    let file = store.file("next.json", next.to_string().as_bytes());
    let diff = store.command(&["flags", "diff", &file, "--env", "production"]).expect_success();
    assert_eq!(
        diff,
        "+ flags/farewell\n~ flags/greeting\n    /flags/0/defaultVariation: \"hello\" → \"welcome\"\n"
    );
    let json = store.command(&["flags", "diff", &file, "--env", "production", "--json"]).json();
    assert_eq!((&json["from"], json["objects"].as_array().map(Vec::len)), (&json!(1), Some(2)));
    store.import("production", &next);
    assert_eq!(
        store.command(&["flags", "diff", &file, "--env", "production"]).expect_success(),
        ""
    );
}

fn a_running_server_serves_an_import_at_once(engine: Engine) {
    let store = TestStore::new(engine);
    let token = store.session_of("operator");
    let app = TestApp::serve(store);
    for (version, variation, value) in [(1, "hello", "Hello"), (2, "welcome", "Welcome")] {
        assert_eq!(app.import("production", &document(variation)), version);
        assert_eq!(served(&app, &token), (version, value.to_owned()));
    }
}

fn imports_exports_of_other_services(engine: Engine) {
    let store = TestStore::new(engine);
    let unleash = json!({"version": 2, "features": [
        {"name": "new-map", "enabled": true, "strategies": [{"name": "default"}]},
        {"name": "by-host", "enabled": true, "strategies": [
            {"name": "applicationHostname", "parameters": {"hostNames": "a"}}
        ]}
    ]});
    let growthbook = json!({"features": {"new-map": {"defaultValue": true}}});
    let flagd = json!({"flags": {"new-map": {
        "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"
    }}});
    for (i, (from, document)) in
        [("unleash", &unleash), ("growthbook", &growthbook), ("flagd", &flagd)].iter().enumerate()
    {
        let file = store.file("theirs.json", document.to_string().as_bytes());
        let args = ["flags", "import", &file, "--env", "production", "--from", from];
        let report = store.command(&args).json();
        assert_eq!(report["version"], i + 1, "{report}");
        let left_out = report["left_out"].as_array().expect("a list");
        let hashing = left_out.iter().filter(|item| item["reason"].to_string().contains("hash"));
        assert_eq!(hashing.count(), 1, "the new assignment is reported once: {report}");
        if *from == "unleash" {
            let place = |item: &&Value| {
                item["pointer"].as_str().is_some_and(|text| text.starts_with("/features/1"))
            };
            assert!(left_out.iter().find(place).is_some(), "{report}");
        }
        let flags = store.exported("production")["flags"].clone();
        assert!(
            flags.as_array().expect("flags").iter().any(|flag| flag["key"] == "new-map"),
            "{flags}"
        );
    }
    // Keys of other services are converted to the form of new keys. A key that was imported
    // unchanged before keeps its form.
    let unleash = json!({"version": 2, "features": [{"name": "New Map", "enabled": true}]});
    let file = store.file("theirs.json", unleash.to_string().as_bytes());
    let args = ["flags", "import", &file, "--env", "odd", "--from", "unleash"];
    let report = store.command(&args).json();
    assert!(report["left_out"].to_string().contains("was renamed to \\\"new-map\\\""), "{report}");
    assert_eq!(store.exported("odd")["flags"][0]["key"], "new-map");
    let file = store.file("theirs.json", b"{}");
    let args = ["flags", "import", &file, "--env", "production", "--from", "unleash"];
    assert_eq!(store.command(&args).code, Some(1), "it is no document of that service");
}

fn prints_types_of_the_current_version(engine: Engine) {
    let store = TestStore::new(engine);
    store.import("production", &document("hello"));
    let types = store.command(&["flags", "types", "--env", "production"]).expect_success();
    assert!(types.contains("readonly \"greeting\": \"Hello\" | \"Welcome\";"), "{types}");
}

//! The register of automated systems: drafts, versions, the public list, and the log.

use std::time::Duration;

use musette::parts::clock::Clock;
use serde_json::{Value, json};

use crate::admin::{ADMIN, Console};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::V3;

on_both!(
    a_draft_becomes_an_immutable_version,
    errors_name_the_member,
    a_version_has_its_differences,
    the_public_list_has_the_versions_in_effect_in_the_market,
    the_public_list_is_in_the_language_of_the_reader,
    a_stale_draft_is_not_overwritten,
    only_some_roles_write_and_only_in_their_markets,
    the_log_covers_versions_and_survives_a_restore,
);

const AHEAD: &str = "2100-01-01T00:00:00.000Z";

fn system(more: Value) -> Value {
    let mut system = json!({
        "name": "Order dispatch",
        "purpose": "Offers orders to riders.",
        "kind": "decision",
        "locale": "en",
        "markets": [],
        "data": [{"category": "Location", "source": "The rider app"}],
        "parameters": [
            {"name": "Distance", "weight": "main", "description": "The nearest rider is first."},
            {"name": "Vehicle", "weight": "secondary", "description": "Bicycles ride less far."}
        ],
        "decisions": ["Who is offered an order."],
        "human_oversight": "A dispatcher can assign an order.",
        "contact": {"name": "Rider support", "email": "riders@example.test"},
        "texts": {"de": {"name": "Auftragsverteilung", "decisions": ["Wer gefragt wird."]}}
    });
    let more = more.as_object().expect("an object").clone();
    system.as_object_mut().expect("an object").extend(more);
    system
}

fn path(key: &str) -> String {
    format!("{ADMIN}/automated-systems/{key}")
}

fn put(console: &Console, key: &str, body: &Value) -> Request {
    console.app.request("PUT", &path(key)).token(&console.admin).json(body)
}

fn publish(console: &Console, key: &str, body: &Value) -> Request {
    let path = format!("{}/publish", path(key));
    console.app.post(&path).token(&console.admin).json(body)
}

fn read(console: &Console, key: &str) -> Value {
    console.app.get(&path(key)).token(&console.operator).gives(200).json()
}

fn public(console: &Console, query: &str) -> Value {
    let path = format!("{V3}/public/automated-systems{query}");
    console.app.get(&path).gives(200).json()["items"].clone()
}

fn keys(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item["key"].as_str().expect("a key")).collect()
}

fn events(console: &Console) -> Vec<String> {
    let path = format!("{ADMIN}/audit?limit=200");
    let page = console.app.get(&path).token(&console.admin).gives(200).json();
    let items = page["items"].as_array().expect("items").iter().rev();
    let all = items.map(|item| format!("{} {}", item["event"], item["detail"]).replace('"', ""));
    all.filter(|event| event.starts_with("system_")).collect()
}

fn a_draft_becomes_an_immutable_version(engine: Engine) {
    let console = Console::start(engine);
    let list = || {
        let path = format!("{ADMIN}/automated-systems");
        console.app.get(&path).token(&console.operator).gives(200).json()["items"].clone()
    };
    assert_eq!((list(), public(&console, "")), (json!([]), json!([])));
    console.app.get(&path("dispatch")).token(&console.admin).refused(404, "not_found");
    publish(&console, "dispatch", &json!({})).refused(404, "not_found");

    let created = put(&console, "dispatch", &system(json!({"name": "First"}))).gives(201).json();
    assert_eq!(created["draft"]["name"], "First");
    put(&console, "dispatch", &system(json!({}))).gives(200);
    let drafted = read(&console, "dispatch");
    assert_eq!(drafted["versions"], json!([]));
    assert_eq!(drafted["draft"]["updated_by"], "a1");
    let summary = list()[0].clone();
    assert_eq!((&summary["has_draft"], &summary["versions"]), (&json!(true), &json!(0)));
    assert_eq!(public(&console, ""), json!([]), "a draft is not public");

    publish(&console, "dispatch", &json!({"effective_from": "tomorrow"}))
        .refused(422, "invalid_instant");
    let version = publish(&console, "dispatch", &json!({})).gives(201).json();
    assert_eq!((&version["version"], &version["name"]), (&json!(1), &json!("Order dispatch")));
    assert_eq!(version["effective_from"], version["published_at"]);
    publish(&console, "dispatch", &json!({})).refused(404, "not_found");
    let published = read(&console, "dispatch");
    assert_eq!(published["draft"], Value::Null);
    assert_eq!(published["versions"], json!([version]));

    // The next version is scheduled: the first one stays public.
    put(&console, "dispatch", &system(json!({"name": "Second"}))).gives(200);
    publish(&console, "dispatch", &json!({"effective_from": AHEAD})).gives(201);
    let shown = public(&console, "");
    assert_eq!((&shown[0]["name"], &shown[0]["version"]), (&json!("Order dispatch"), &json!(1)));
    assert_eq!(shown[0]["sha256"], version["sha256"]);
    let summary = list()[0].clone();
    assert_eq!(
        (&summary["version_in_effect"], &summary["next_effective_from"]),
        (&json!(1), &json!(AHEAD))
    );
    put(&console, "other", &system(json!({}))).gives(201);
    let delete = console.app.request("DELETE", &format!("{}/draft", path("other")));
    delete.clone().token(&console.admin).gives(204);
    delete.token(&console.admin).refused(404, "not_found");
    assert_eq!(keys(&list()), ["dispatch"]);
    assert_eq!(
        events(&console),
        [
            "system_draft_saved dispatch",
            "system_draft_saved dispatch",
            "system_published dispatch 1",
            "system_draft_saved dispatch",
            "system_published dispatch 2",
            "system_draft_saved other",
            "system_draft_dropped other",
        ]
    );
}

fn errors_name_the_member(engine: Engine) {
    let console = Console::start(engine);
    for (more, code, pointer) in [
        (json!({"human_oversight": null}), "invalid_request", "/human_oversight"),
        (json!({"name": ""}), "invalid_request", "/name"),
        (json!({"purpose": null}), "invalid_request", ""),
        (json!({"kind": "scoring"}), "invalid_request", "/kind"),
        (json!({"contact": {"name": "Support"}}), "contact_required", "/contact"),
        (json!({"contact": null}), "contact_required", "/contact"),
        (json!({"markets": ["DE", "XX"]}), "unknown_market", "/markets/1"),
        (json!({"markets": ["DE.nowhere"]}), "unknown_market", "/markets/0"),
        (json!({"data": [{"category": "Location"}]}), "invalid_request", "/data/0/source"),
        (json!({"texts": {"de": {"decisions": []}}}), "invalid_request", "/texts/de/decisions"),
        (
            json!({"parameters": [{"name": "A", "weight": "great", "description": "B"}]}),
            "invalid_request",
            "/parameters/0/weight",
        ),
    ] {
        let answer = put(&console, "dispatch", &system(more.clone())).refused(422, code);
        if !pointer.is_empty() {
            assert_eq!(answer.pointers(), [pointer], "{more}");
        }
    }
    let many = put(&console, "dispatch", &json!({})).refused(422, "invalid_request");
    assert_eq!(many.pointers(), ["/kind", "/name", "/purpose", "/contact"]);
    for key in ["1a", "Dispatch", "a_b", &"a".repeat(64)] {
        put(&console, key, &system(json!({}))).refused(400, "invalid_parameter");
    }
    let monitoring = system(json!({"kind": "monitoring", "human_oversight": null}));
    put(&console, "attendance", &monitoring).gives(201);
}

fn a_version_has_its_differences(engine: Engine) {
    let console = Console::start(engine);
    put(&console, "dispatch", &system(json!({}))).gives(201);
    let first = publish(&console, "dispatch", &json!({})).gives(201).json();
    assert_eq!(first["changes"], json!([]));
    let parameters = json!([{"name": "Distance", "weight": "secondary", "description": "The nearest is first."}]);
    let changed = system(json!({"parameters": parameters, "purpose": "Offers orders."}));
    let draft = put(&console, "dispatch", &changed).gives(200).json()["draft"].clone();
    let expected = json!([
        {"field": "purpose", "item": null, "before": "Offers orders to riders.",
            "after": "Offers orders."},
        {"field": "parameters", "item": "Distance", "before": "The nearest rider is first.",
            "after": "The nearest is first."},
        {"field": "parameters", "item": "Vehicle", "before": "Bicycles ride less far.",
            "after": null},
        {"field": "parameters.weight", "item": "Distance", "before": "main",
            "after": "secondary"},
    ]);
    assert_eq!(draft["changes"], expected);
    let second = publish(&console, "dispatch", &json!({})).gives(201).json();
    assert_eq!(second["changes"], expected);
    let versions = read(&console, "dispatch")["versions"].clone();
    assert_eq!(versions, json!([second, first]), "newest first");
}

fn the_public_list_has_the_versions_in_effect_in_the_market(engine: Engine) {
    let console = Console::start(engine);
    for (key, markets) in [("everywhere", json!([])), ("berlin", json!(["DE-BE", "ES"]))] {
        put(&console, key, &system(json!({"markets": markets}))).gives(201);
        publish(&console, key, &json!({})).gives(201);
    }
    for (query, expected) in [
        ("", &["berlin", "everywhere"][..]),
        ("?market=DE-BE", &["berlin", "everywhere"]),
        ("?market=ES-MD", &["berlin", "everywhere"]),
        ("?market=DE", &["everywhere"]),
        ("?market=FR", &["everywhere"]),
        ("?at=2020-01-01T00:00:00Z", &[]),
        ("?at=2100-01-01T00:00:00Z", &["berlin", "everywhere"]),
    ] {
        assert_eq!(keys(&public(&console, query)), expected, "{query}");
    }
    let list = |query: &str| console.app.get(&format!("{V3}/public/automated-systems{query}"));
    list("?market=XX").refused(400, "unknown_market");
    list("?at=yesterday").refused(400, "invalid_parameter");
    let answer = list("").gives(200);
    assert_eq!(answer.header("cache-control"), "public, max-age=60");
    assert_eq!(answer.header("vary"), "Accept-Language");
    let etag = answer.header("etag").to_owned();
    assert!(list("").header("if-none-match", &etag).gives(304).body.is_empty());
    put(&console, "third", &system(json!({}))).gives(201);
    publish(&console, "third", &json!({})).gives(201);
    list("").header("if-none-match", &etag).gives(200);

    // A scheduled version replaces the current one when its time comes.
    put(&console, "third", &system(json!({"name": "Replaced"}))).gives(200);
    let soon = Clock::with_offset(0).now().plus(Duration::from_secs(2)).to_string();
    publish(&console, "third", &json!({"effective_from": soon})).gives(201);
    let name = || public(&console, "?market=FR")[1]["name"].clone();
    assert_eq!(name(), "Order dispatch");
    until("the version takes effect", || name() == "Replaced");
}

fn the_public_list_is_in_the_language_of_the_reader(engine: Engine) {
    let console = Console::start(engine);
    put(&console, "dispatch", &system(json!({}))).gives(201);
    publish(&console, "dispatch", &json!({})).gives(201);
    let shown = |languages: &str| {
        let request = console.app.get(&format!("{V3}/public/automated-systems"));
        request.header("accept-language", languages).gives(200).json()["items"][0].clone()
    };
    let german = shown("de-AT, en;q=0.5");
    assert_eq!((&german["locale"], &german["name"]), (&json!("de"), &json!("Auftragsverteilung")));
    assert_eq!(german["decisions"], json!(["Wer gefragt wird."]));
    assert_eq!(german["purpose"], "Offers orders to riders.", "it has no translation");
    for languages in ["en, de;q=0.5", "fr", "*"] {
        let english = shown(languages);
        assert_eq!(
            (&english["locale"], &english["name"]),
            (&json!("en"), &json!("Order dispatch"))
        );
    }
    assert_eq!(german.get("texts"), None, "the list has one language");
    assert_eq!(german["contact"]["phone"], Value::Null);
}

fn a_stale_draft_is_not_overwritten(engine: Engine) {
    let console = Console::start(engine);
    let first = put(&console, "dispatch", &system(json!({}))).gives(201);
    let etag = first.header("etag").to_owned();
    assert_eq!(etag, format!("\"{}\"", first.json()["draft"]["revision"]));
    let next = put(&console, "dispatch", &system(json!({"name": "Next"})));
    let next = next.header("if-match", &etag).gives(200).header("etag").to_owned();
    let body = system(json!({"name": "Late"}));
    put(&console, "dispatch", &body).header("if-match", &etag).refused(412, "precondition_failed");
    let stale = publish(&console, "dispatch", &json!({})).header("if-match", &etag);
    stale.refused(412, "precondition_failed");
    let published = publish(&console, "dispatch", &json!({})).header("if-match", &next);
    assert_eq!(published.gives(201).json()["name"], "Next");
    // Another draft of the system never has the revision of an earlier one.
    put(&console, "dispatch", &body).header("if-match", &next).refused(412, "precondition_failed");
    put(&console, "dispatch", &body).gives(200);
    put(&console, "dispatch", &body).header("if-match", &etag).refused(412, "precondition_failed");
}

fn only_some_roles_write_and_only_in_their_markets(engine: Engine) {
    let store = TestStore::new(engine);
    for role in ["viewer", "support", "legal", "product", "legal@DE", "product@staging"] {
        store.add_user(role, &[role]);
    }
    let console = Console::serve(store);
    let put_as = |user: &str, key: &str, markets: &Value| {
        let request = console.app.request("PUT", &path(key)).token(&console.app.token(user));
        request.json(&system(json!({"markets": markets})))
    };
    for user in ["viewer", "support", "product@staging"] {
        put_as(user, "a", &json!([])).refused(403, "permission_denied");
    }
    put_as("legal", "a", &json!([])).gives(201);
    put_as("product", "b", &json!(["DE", "FR"])).gives(201);
    put_as("legal@DE", "c", &json!(["DE", "DE-BE"])).gives(201);
    for markets in [json!([]), json!(["FR"]), json!(["DE", "FR"])] {
        let refused = put_as("legal@DE", "d", &markets).refused(403, "permission_denied");
        assert_eq!(refused.pointers(), ["/markets"]);
    }
    // A role for one market does not take a system away from the others.
    for key in ["a", "b"] {
        put_as("legal@DE", key, &json!(["DE"])).refused(403, "permission_denied");
        let token = console.app.token("legal@DE");
        let publish = console.app.post(&format!("{}/publish", path(key))).token(&token);
        publish.json(&json!({})).refused(403, "permission_denied");
        let delete = console.app.request("DELETE", &format!("{}/draft", path(key))).token(&token);
        delete.refused(403, "permission_denied");
    }
    publish(&console, "a", &json!({})).gives(201);
    put_as("legal@DE", "a", &json!(["DE"])).refused(403, "permission_denied");
    let token = console.app.token("viewer");
    console.app.get(&path("b")).token(&token).gives(200);
    console.app.get(&path("b")).token(&console.rider).refused(403, "permission_denied");
}

fn the_log_covers_versions_and_survives_a_restore(engine: Engine) {
    let console = Console::start(engine);
    for from in [json!({}), json!({"effective_from": AHEAD})] {
        put(&console, "dispatch", &system(json!({}))).send();
        publish(&console, "dispatch", &from).gives(201);
    }
    put(&console, "attendance", &system(json!({}))).gives(201);
    let verified = console.app.command(&["log", "verify"]).expect_success();
    assert!(verified.starts_with("verified: "), "{verified}");
    let before = read(&console, "dispatch");

    let store = console.app.store();
    let file = store.path("backup");
    store.command(&["backup", file.to_str().expect("a path")]).expect_success();
    let restored = TestStore::missing(engine);
    restored.command(&["restore", file.to_str().expect("a path")]).expect_success();
    restored.command(&["log", "verify"]).expect_success();
    let app = crate::app::TestApp::serve(restored);
    let token = app.token("o1");
    assert_eq!(app.get(&path("dispatch")).token(&token).gives(200).json(), before);
    let draft = app.get(&path("attendance")).token(&token).gives(200).json();
    assert_eq!(draft["draft"]["name"], "Order dispatch");

    drop(console);
    let drop_triggers = match engine {
        Engine::Sqlite => "DROP TRIGGER system_versions_no_update",
        Engine::Postgres => "ALTER TABLE system_versions DISABLE TRIGGER ALL",
    };
    store.tamper(drop_triggers);
    store.tamper("UPDATE system_versions SET effective_from = 0 WHERE version = 2");
    let result = store.command(&["log", "verify"]);
    assert_eq!(result.code, Some(1), "{result:?}");
    let message = "system_versions key dispatch version 2: effective_from differs from the log";
    assert!(format!("{result:?}").contains(message), "{result:?}");
}

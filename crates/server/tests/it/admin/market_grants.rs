//! Every route of the console's API, called with grants for one market. The roles come from the API
//! document. Data of other markets must not be shown, counted or changed.

use serde_json::{Value, json};

use super::roles::{body, routes};
use super::{ADMIN, Console};
use crate::store::{Engine, TestStore};

on_both!(
    a_market_grant_gives_no_access_to_other_markets,
    support_reads_only_people_of_its_market,
    legal_publishes_only_for_its_market,
    counts_people_of_two_market_grants_once,
);

const ROLES: [&str; 3] = ["viewer", "support", "legal"];
/// Texts that no response to Berlin may contain: they belong to Paris and to a person without a
/// market.
const OTHERS: [&str; 6] =
    ["p-paris", "p-nowhere", "Amélie", "Noor", "amelie@example.com", "noor@example.com"];

struct Markets {
    console: Console,
    /// Versions of terms: for all markets, Germany, Berlin, France.
    terms: [i64; 4],
    /// Drafts for Germany, Berlin, France.
    drafts: [String; 3],
}

fn markets(engine: Engine) -> Markets {
    let store = TestStore::new(engine);
    for (id, name, email, market) in [
        ("p-berlin", "Bea", "bea@example.com", Some("DE-BE")),
        ("p-mitte", "Mo", "mo@example.com", Some("DE-BE.mitte")),
        ("p-paris", "Amélie", "amelie@example.com", Some("FR")),
        ("p-nowhere", "Noor", "noor@example.com", None),
    ] {
        if id == "p-mitte" {
            store.command(&["market", "add", "DE-BE.mitte", "--name", "Mitte"]).expect_success();
        }
        let user = ["user", "add", "--id", id, "--name", name, "--email", email];
        let market = market.map(|market| ["--market", market]);
        store
            .command(&[&user[..], market.as_ref().map_or(&[], |arguments| &arguments[..])].concat())
            .expect_success();
    }
    for role in ROLES {
        store.add_user(role, &[&format!("{role}@DE-BE")]);
    }
    let terms = [&[][..], &["--market", "DE"], &["--market", "DE-BE"], &["--market", "FR"]]
        .map(|args| store.term("FREELANCER", args));
    let console = Console::serve(store);
    let drafts = ["DE", "DE-BE", "FR"].map(|market| {
        let body = json!({"type": "FREELANCER", "mandatory": true, "market": market,
            "variants": [{"locale": "en", "title": format!("Rules of {market}")}]});
        let request = console.app.post(&format!("{ADMIN}/term-drafts")).token(&console.operator);
        request.json(&body).gives(201).json()["id"].as_str().expect("an id").to_owned()
    });
    for person in ["p-berlin", "p-mitte", "p-paris", "p-nowhere"] {
        let submission = crate::wire::rider(person, &crate::wire::accept(&terms[..1]));
        let token = console.app.token(person);
        console.app.post(crate::wire::SUBMIT).token(&token).json(&submission).gives(201);
    }
    Markets { console, terms, drafts }
}

fn a_market_grant_gives_no_access_to_other_markets(engine: Engine) {
    let Markets { console, terms, drafts } = markets(engine);
    let app = &console.app;
    let document = app.get("/openapi.json").gives(200).json();
    let tokens = ROLES.map(|role| app.token(role));
    let (mut checked, mut wrong) = (0, Vec::new());
    for (method, path, allowed) in routes(&document) {
        let is_draft = path.contains("/term-drafts/{id}");
        let is_one = path.contains("{userId}") || path.contains("/terms/{id}") || is_draft;
        let id = if is_draft { drafts[2].clone() } else { terms[3].to_string() };
        let outside = path.replace("{userId}", "p-paris").replace("{id}", &id);
        let outside =
            outside.replace("{code}", "FR").replace("{sid}", "0").replace("{locale}", "en");
        for (role, token) in ROLES.iter().zip(&tokens) {
            let call = app.request(&method.to_uppercase(), &outside).token(token);
            let call = call.header("if-match", "\"1\"");
            let is_read = method == "get" || method == "delete";
            let answer = if is_read { call.send() } else { call.json(&body(&path)).send() };
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            let leaked = OTHERS.iter().find(|other| text.contains(**other));
            let may = allowed.iter().any(|allowed_role| allowed_role == role);
            if leaked.is_some() || (is_one || !may) && answer.status != 403 || answer.status >= 500
            {
                wrong.push(format!("{method} {outside} by {role}: {} {leaked:?}", answer.status));
            }
            checked += usize::from(may && is_one);
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(checked > 20, "{checked}");
}

fn support_reads_only_people_of_its_market(engine: Engine) {
    let Markets { console, terms, .. } = markets(engine);
    let app = &console.app;
    let token = app.token("support");
    let get = |path: &str| app.get(&format!("{ADMIN}{path}")).token(&token);
    let ids = |path: &str| {
        let listed = get(path).gives(200).json();
        let items = listed["items"].as_array().expect("a list").iter();
        items.filter_map(|item| item["user_id"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let both = ["p-berlin", "p-mitte"];
    assert_eq!(ids("/people"), both);
    assert_eq!(ids("/people?market=DE"), both);
    assert_eq!(ids("/people?market=DE-BE.mitte"), ["p-mitte"]);
    for none in
        ["/people?market=FR", "/people?q=noor", "/people?q=Am%C3%A9lie", "/people?q=p-paris"]
    {
        assert_eq!(ids(none), Vec::<String>::new(), "{none}");
    }
    assert_eq!(get("/people/p-berlin").gives(200).json()["name"], "Bea");
    // The response does not even reveal whether the others exist.
    for nobody in ["p-paris", "p-nowhere", "p-nobody"] {
        for rest in ["", "/data", "/sessions"] {
            get(&format!("/people/{nobody}{rest}")).refused(403, "permission_denied");
        }
        for what in ["consents", "outstanding", "history"] {
            let path = format!("{}/terms/{nobody}/{what}", crate::wire::V3);
            app.get(&path).token(&token).refused(403, "permission_denied");
        }
    }
    app.get(&format!("{}/terms/p-berlin/consents", crate::wire::V3)).token(&token).gives(200);
    get("/people/p-berlin/data").gives(200);
    let mut decided = ids("/consents");
    decided.sort();
    assert_eq!(decided, both);
    let overview = get("/overview").gives(200).json();
    assert_eq!(overview["riders"], 2, "{overview}");
    let markets = get("/markets").gives(200).json();
    assert!(!markets.to_string().contains("FR"), "{markets}");
    let everywhere = format!("/terms/{}", terms[0]);
    for (query, riders) in [("", 2), ("?market=DE", 2), ("?market=DE-BE.mitte", 1)] {
        let coverage = get(&format!("{everywhere}/coverage{query}")).gives(200).json();
        assert_eq!((&coverage["riders"], &coverage["accepted"]), (&json!(riders), &json!(riders)));
    }
    get(&format!("{everywhere}/coverage?market=FR")).refused(403, "permission_denied");
    get(&format!("/terms/{}/coverage", terms[3])).refused(403, "permission_denied");
    assert_eq!(ids(&format!("/terms/{}/missing", terms[2])), both);
    get(&format!("/terms/{}/missing?market=FR", terms[0])).refused(403, "permission_denied");
    // Support cannot add people to another market, move them there, or take them from there.
    let add = |id: &str, market: Value| {
        let body = json!({"user_id": id, "market": market});
        app.post(&format!("{ADMIN}/people")).token(&token).json(&body).send().status
    };
    assert_eq!((add("n1", json!("FR")), add("n1", Value::Null)), (403, 403));
    assert_eq!(add("n1", json!("DE-BE")), 201);
    let to = |person: &str, market: Value| {
        let path = format!("{ADMIN}/people/{person}/market");
        app.request("PUT", &path).token(&token).json(&json!({"market": market})).send().status
    };
    assert_eq!((to("n1", json!("FR")), to("n1", Value::Null)), (403, 403));
    assert_eq!((to("p-paris", json!("DE-BE")), to("n1", json!("DE-BE.mitte"))), (403, 200));
}

fn legal_publishes_only_for_its_market(engine: Engine) {
    let Markets { console, terms, drafts } = markets(engine);
    let app = &console.app;
    let token = app.token("legal");
    let path = |rest: &str| format!("{ADMIN}/term-drafts{rest}");
    let listed = app.get(&path("")).token(&token).gives(200).json();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(listed["items"][0]["id"], drafts[1].as_str());
    let shown = app.get(&format!("{ADMIN}/terms")).token(&token).gives(200).json();
    assert_eq!(shown["items"].as_array().map(Vec::len), Some(1), "{shown}");
    assert_eq!(shown["items"][0]["id"], terms[2]);
    let body = |more: Value| {
        let mut body = json!({"type": "FREELANCER", "mandatory": true,
            "variants": [{"locale": "en", "title": "Rules"}]});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
        body
    };
    let post = |more: Value| app.post(&path("")).token(&token).json(&body(more)).send();
    for (outside, said_by) in [
        (json!({}), "/market"),
        (json!({"market": "DE"}), "/market"),
        (json!({"market": "FR"}), "/market"),
        (json!({"replaces": terms[0]}), "/replaces"),
        (json!({"replaces": terms[1]}), "/replaces"),
        // The version that it replaces has another market.
        (json!({"market": "DE-BE", "replaces": terms[3]}), "/replaces"),
    ] {
        let refused = post(outside);
        refused.assert_problem(403, "permission_denied");
        assert_eq!(refused.json()["errors"][0]["pointer"], said_by);
    }
    let created = post(json!({"market": "DE-BE.mitte"}));
    assert_eq!(created.status, 201);
    let id = created.json()["id"].as_str().expect("an id").to_owned();
    let one = path(&format!("/{id}"));
    let change = |more: Value| {
        let etag = format!("\"{}\"", app.get(&one).token(&token).gives(200).json()["revision"]);
        app.request("PUT", &one).token(&token).header("if-match", &etag).json(&body(more)).send()
    };
    change(json!({"market": "DE"})).assert_problem(403, "permission_denied");
    change(json!({"market": "DE-BE", "replaces": terms[1]}))
        .assert_problem(403, "permission_denied");
    assert_eq!(change(json!({"market": "DE-BE"})).status, 200);
    let revision = || format!("\"{}\"", app.get(&one).token(&token).gives(200).json()["revision"]);
    app.request("PUT", &format!("{one}/documents/en"))
        .token(&token)
        .header("if-match", &revision())
        .body("application/pdf", &crate::pdf::page("Rules"))
        .gives(200);
    let published = app
        .post(&format!("{one}/publish"))
        .token(&token)
        .header("if-match", &revision())
        .gives(201);
    assert_eq!(published.json()["market"], "DE-BE");
    for term in [terms[0], terms[1], terms[3]] {
        let path = format!("{ADMIN}/terms/{term}/retirement");
        app.post(&path).token(&token).refused(403, "permission_denied");
    }
    app.post(&format!("{ADMIN}/terms/{}/retirement", terms[2])).token(&token).gives(200);
    // An export contains only the decisions of Berlin's people.
    let export = app.get(&format!("{ADMIN}/consents/export?format=jsonl")).token(&token).gives(200);
    let export = String::from_utf8_lossy(&export.body).into_owned();
    assert_eq!(export.lines().count(), 2, "{export}");
    assert!(!export.contains("p-paris") && !export.contains("p-nowhere"));
}

/// A head of legal in two countries, where one grant contains the other: no person is counted
/// twice, and no person of another market is counted.
fn counts_people_of_two_market_grants_once(engine: Engine) {
    let Markets { console, terms, .. } = markets(engine);
    let app = &console.app;
    app.add_user("two", &["legal@DE", "legal@DE-BE.mitte", "legal@UY"]);
    app.command(&["user", "add", "--id", "p-uy", "--market", "UY"]).expect_success();
    app.command(&["user", "add", "--id", "p-fr", "--market", "FR"]).expect_success();
    let token = app.token("two");
    let get = |path: &str| app.get(&format!("{ADMIN}{path}")).token(&token);
    let world = format!("/terms/{}", terms[0]);
    for (query, riders, accepted) in
        [("", 3, 2), ("?market=DE", 2, 2), ("?market=DE-BE.mitte", 1, 1), ("?market=UY", 1, 0)]
    {
        let counted = get(&format!("{world}/coverage{query}")).gives(200).json();
        let counts = ["riders", "riders_accepted", "riders_outstanding"];
        let counts = counts.map(|count| counted[count].as_i64().expect("a number"));
        assert_eq!(counts, [riders, accepted, riders - accepted], "{query}");
    }
    let missing = get(&format!("{world}/missing")).gives(200).json();
    assert_eq!(missing["items"].as_array().map(Vec::len), Some(1), "{missing}");
    assert_eq!(missing["items"][0]["user_id"], "p-uy");
    get(&format!("{world}/coverage?market=FR")).refused(403, "permission_denied");
    // A term for Germany counts Germany only. A term for France counts no person of this grant.
    let germany = get(&format!("/terms/{}/coverage", terms[1])).gives(200).json();
    assert_eq!((&germany["riders"], &germany["riders_outstanding"]), (&json!(2), &json!(2)));
    get(&format!("/terms/{}/coverage", terms[3])).refused(403, "permission_denied");
    let listed = |query: &str| {
        let list = get(&format!("/terms{query}")).gives(200).json();
        let items = list["items"].as_array().expect("a list").iter();
        items.filter_map(|item| item["id"].as_i64()).collect::<Vec<_>>()
    };
    assert_eq!(listed(""), [terms[2], terms[1]], "terms inside the market");
    assert_eq!(
        listed("?around=true"),
        [terms[2], terms[1], terms[0]],
        "terms that apply to the market as well"
    );
    let overview = get("/overview").gives(200).json();
    assert_eq!(overview["riders"], 3, "{overview}");
}

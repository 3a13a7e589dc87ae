//! Markets: one test for each rule of the contract about them.

use serde_json::{Value, json};

use crate::admin::{ADMIN, Console};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant, entry, ids, log_entries, rider};

on_both!(
    declares_renames_and_removes_a_market,
    serves_the_narrowest_terms_of_a_persons_market,
    a_person_who_moves_sees_only_new_terms,
    a_term_may_replace_a_term_that_is_not_effective_yet,
    an_applicant_states_their_market,
    an_applicant_chooses_a_market_from_a_list,
    a_term_replaces_only_a_term_of_a_broader_market,
    filters_match_a_market_and_its_sub_markets,
    a_term_replaces_another_transitively,
    a_term_for_one_market_counts_only_its_riders,
    imports_a_file_of_people_completely_or_not_at_all,
);

fn public(console: &Console, query: &str) -> Vec<i64> {
    ids(&console.app.get(&format!("{V3}/public/terms?{query}")).gives(200).json())
}

fn put(console: &Console, path: &str, token: &str, body: &Value) -> Value {
    console.app.request("PUT", &format!("{ADMIN}{path}")).token(token).json(body).gives(200).json()
}

fn move_to(console: &Console, user: &str, market: &Value) {
    let path = format!("/people/{user}/market");
    let person = put(console, &path, &console.operator, &json!({"market": market}));
    assert_eq!(person["market"], *market);
}

fn own(console: &Console, user: &str) -> (Vec<i64>, Vec<i64>, bool) {
    let get = |path: &str| console.app.get(path).token(&console.app.token(user)).gives(200).json();
    let outstanding = get(&format!("{V3}/terms/{user}/outstanding"));
    let may_work = outstanding["may_work"].as_bool().expect("true or false");
    (ids(&get(&format!("{V3}/terms"))), ids(&outstanding["outstanding"]), may_work)
}

fn declares_renames_and_removes_a_market(engine: Engine) {
    let console = Console::start(engine);
    let call = |method: &str, path: &str, token: &str| {
        console.app.request(method, &format!("{ADMIN}{path}")).token(token)
    };
    let berlin = json!({"name": "Berlin", "timezone": "Europe/Berlin"});
    call("PUT", "/markets/DE-BE.berlin", &console.admin).json(&berlin).gives(201);
    call("PUT", "/markets/DE-BE.berlin", &console.admin).json(&berlin).gives(200);
    call("PUT", "/markets/DE", &console.operator).json(&berlin).refused(403, "permission_denied");
    for code in ["de", "DE-XX", "XX", "DE-BE.Berlin", "DE.-a", "DE-BE.a.b"] {
        let path = format!("/markets/{code}");
        call("PUT", &path, &console.admin).json(&json!({})).refused(422, "invalid_market");
    }
    let odd = json!({"name": "Odd", "timezone": "Europe/Nowhere"});
    call("PUT", "/markets/DE", &console.admin).json(&odd).refused(422, "invalid_request");
    let list = call("GET", "/markets", &console.operator).gives(200).json();
    assert_eq!(list["items"][0]["code"], "DE-BE.berlin");
    assert_eq!(list["items"][0]["timezone"], "Europe/Berlin");
    move_to(&console, "r1", &json!("DE-BE.berlin"));
    call("DELETE", "/markets/DE-BE.berlin", &console.admin).refused(409, "conflict");
    move_to(&console, "r1", &Value::Null);
    call("DELETE", "/markets/DE-BE.berlin", &console.admin).gives(204);
    call("DELETE", "/markets/DE-BE.berlin", &console.admin).refused(404, "not_found");
    for market in ["DE-BE.berlin", "DE-XX", "de", ""] {
        let to = json!({"market": market});
        call("PUT", "/people/r1/market", &console.operator)
            .json(&to)
            .refused(422, "unknown_market");
    }
    let store = console.app.store();
    store.command(&["market", "add", "UY.montevideo", "--name", "Montevideo"]).expect_success();
    store.command(&["user", "add", "--id", "r9", "--market", "UY.montevideo"]).expect_success();
    store
        .command(&["user", "add", "--id", "r8", "--market", "UY.rivera"])
        .failed(1, "unknown_market");
    let person = call("GET", "/people/r9", &console.operator).gives(200).json();
    assert_eq!(person["market"], "UY.montevideo");
}

/// Terms for all markets, for DE and for DE-BE, both in place of the one for all markets, and one
/// more for DE.
fn texts(store: &TestStore) -> [i64; 4] {
    let world = store.term("FREELANCER", &["--mandatory"]);
    let of = world.to_string();
    let germany = store.term("FREELANCER", &["--mandatory", "--market", "DE", "--instead-of", &of]);
    let berlin =
        store.term("FREELANCER", &["--mandatory", "--market", "DE-BE", "--instead-of", &of]);
    let more = store.term("MARKETING", &["--market", "DE"]);
    [world, germany, berlin, more]
}

fn serves_the_narrowest_terms_of_a_persons_market(engine: Engine) {
    let store = TestStore::new(engine);
    let [world, germany, berlin, more] = texts(&store);
    let console = Console::serve(store);
    for (market, want) in [
        (Value::Null, vec![world]),
        (json!("UY"), vec![world]),
        (json!("DE"), vec![germany, more]),
        (json!("DE-BB"), vec![germany, more]),
        (json!("DE-BE"), vec![berlin, more]),
    ] {
        move_to(&console, "r1", &market);
        let (terms, outstanding, may_work) = own(&console, "r1");
        assert_eq!((terms, outstanding), (want.clone(), want[..1].to_vec()), "{market}");
        assert!(!may_work);
        let query = market.as_str().map_or_else(String::new, |code| format!("market={code}"));
        assert_eq!(public(&console, &query), want, "{market}");
    }
    let listed = console.app.get(&format!("{V3}/public/terms?market=DE-BE")).gives(200).json();
    assert_eq!((&listed[0]["market"], &listed[1]["market"]), (&json!("DE-BE"), &json!("DE")));
    let token = console.app.token("r1");
    for path in [format!("{V3}/terms"), format!("{V3}/terms/r1/outstanding")] {
        let path = format!("{path}?market=DE");
        console.app.get(&path).token(&token).refused(400, "invalid_parameter");
    }
    let submit =
        |consents: &[Value]| console.app.post(SUBMIT).token(&token).json(&rider("r1", consents));
    submit(&accept(&[world, more])).refused(422, "mandatory_term_missing");
    move_to(&console, "r1", &json!("UY"));
    submit(&accept(&[world, berlin])).refused(422, "unknown_term");
    // A mandatory term of another market may be withdrawn.
    submit(&[entry(berlin, false)]).gives(201);
    submit(&accept(&[world])).gives(201);
    assert_eq!(own(&console, "r1").1, Vec::<i64>::new());
}

fn a_person_who_moves_sees_only_new_terms(engine: Engine) {
    let store = TestStore::new(engine);
    let [world, germany, berlin, _] = texts(&store);
    let console = Console::serve(store);
    let token = console.app.token("r1");
    let agree = |term: i64| {
        console.app.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term]))).gives(201);
    };
    agree(world);
    for (market, expected) in [("UY", None), ("DE", Some(germany)), ("DE-BE", Some(berlin))] {
        move_to(&console, "r1", &json!(market));
        let outstanding = own(&console, "r1").1;
        assert_eq!(outstanding, expected.into_iter().collect::<Vec<_>>(), "{market}");
        expected.into_iter().for_each(agree);
    }
    for market in ["UY", "DE", "DE-BE"] {
        move_to(&console, "r1", &json!(market));
        assert_eq!(own(&console, "r1").1, Vec::<i64>::new(), "{market}");
    }
}

fn a_term_may_replace_a_term_that_is_not_effective_yet(engine: Engine) {
    let store = TestStore::new(engine);
    let later =
        musette::parts::clock::Clock::default().now().plus(std::time::Duration::from_secs(3600));
    let later = later.to_string();
    let world = store.term("FREELANCER", &["--mandatory", "--effective-from", &later]);
    let of = world.to_string();
    let germany = store.term("FREELANCER", &["--mandatory", "--market", "DE", "--instead-of", &of]);
    let env = [("MUSETTE_CLOCK_OFFSET", "7200")];
    let store = std::sync::Arc::new(store);
    let listed = |app: &TestApp, market: &str| {
        ids(&app.get(&format!("{V3}/public/terms{market}")).gives(200).json())
    };
    let app = TestApp::serve_with(&store, Start::default());
    assert_eq!((listed(&app, "?market=DE"), listed(&app, "")), (vec![germany], vec![]));
    drop(app);
    let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    assert_eq!((listed(&app, "?market=DE"), listed(&app, "")), (vec![germany], vec![world]));
}

fn an_applicant_states_their_market(engine: Engine) {
    let store = TestStore::new(engine);
    let [world, germany, ..] = texts(&store);
    let console = Console::serve(store);
    for market in ["", "de", "DE-XX", "DE.nowhere"] {
        let path = format!("{V3}/public/terms?market={market}");
        console.app.get(&path).refused(400, "unknown_market");
    }
    // Neither the address nor the language tells in which market a person works.
    let guessed = console.app.get(&format!("{V3}/public/terms"));
    let guessed = guessed.header("x-forwarded-for", "91.0.0.1").header("accept-language", "de-DE");
    assert_eq!(ids(&guessed.gives(200).json()), [world]);
    let submit = |term: i64, market: Value| {
        let mut body = applicant(&accept(&[term]));
        body["market"] = market;
        console.app.post(SUBMIT).json(&body)
    };
    submit(germany, Value::Null).refused(422, "unknown_term");
    submit(germany, json!("XX")).refused(422, "unknown_market");
    submit(world, json!("DE-BB")).refused(422, "mandatory_term_missing");
    let answer = submit(germany, json!("DE-BB")).gives(201).json();
    let id = answer["receipt"]["id"].as_str().expect("a receipt").to_owned();
    let store = console.app.store();
    let row = store.export(&[]).pop().expect("a row");
    assert_eq!((&row["receipt_id"], &row["market"]), (&json!(id), &json!("DE-BB")));
    store.command(&["log", "verify"]).expect_success();
    let entry = log_entries(&console.app).pop().expect("an entry");
    assert_eq!(entry["market"], "DE-BB", "{entry}");
    // With a session the server ignores the field.
    let mut body = rider("r1", &accept(&[world]));
    body["market"] = json!("XX");
    console.app.post(SUBMIT).token(&console.app.token("r1")).json(&body).gives(201);
}

fn an_applicant_chooses_a_market_from_a_list(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["market", "add", "UY.montevideo", "--name", "Montevideo"]).expect_success();
    store.term("FREELANCER", &["--mandatory"]);
    store.term("COURIER", &["--market", "DE-BE"]);
    let console = Console::serve(store);
    let listed = |query: &str| {
        let path = format!("{V3}/public/markets?types={query}");
        console.app.get(&path).gives(200).json()["markets"].clone()
    };
    assert_eq!(listed("FREELANCER"), json!([]), "all people have the same terms");
    assert_eq!(listed("COURIER"), json!(["DE-BE"]), "there is no term in Montevideo");
    assert_eq!(listed("COURIER,FREELANCER"), json!(["DE-BE", "UY.montevideo"]));
    assert_eq!(listed("NOBODYS"), json!([]));
    let path = format!("{V3}/public/markets");
    let nothing = console.app.get(&path).gives(200);
    assert_eq!(nothing.header("cache-control"), "public, max-age=60");
    let ask = || console.app.get(&path).header("if-none-match", nothing.header("etag"));
    ask().gives(304);
    console.app.term("MARKETING", &["--market", "DE"]);
    ask().gives(200);
    assert_eq!(listed("FREELANCER,MARKETING"), json!(["DE", "UY.montevideo"]));
    for (code, name) in [("DE-BE", "Berlin"), ("DE-BE.kiez", "Kreuzberg"), ("FR", "France")] {
        console.app.command(&["market", "add", code, "--name", name]).expect_success();
    }
    let named = console.app.get(&format!("{path}?types=COURIER")).gives(200).json();
    assert_eq!(named["markets"], json!(["DE-BE", "DE-BE.kiez"]));
    assert_eq!(named["names"], json!({"DE-BE": "Berlin", "DE-BE.kiez": "Kreuzberg"}));
    console.app.get(&format!("{path}?types=x")).refused(400, "invalid_parameter");
}

fn a_term_replaces_only_a_term_of_a_broader_market(engine: Engine) {
    let store = TestStore::new(engine);
    store.command(&["market", "add", "DE-BE.berlin"]).expect_success();
    store.command(&["market", "add", "DE-BE.ber"]).expect_success();
    let world = store.term("FREELANCER", &[]);
    let ber = store.term("FREELANCER", &["--market", "DE-BE.ber"]);
    let pdf = store.pdf("Terms");
    let publish = |kind: &str, args: &[&str]| {
        let base = ["terms", "publish", &pdf, "--type", kind, "--title", "T"];
        store.command(&[&base[..], args].concat())
    };
    let (of_world, of_ber) = (world.to_string(), ber.to_string());
    for (kind, args) in [
        ("FREELANCER", &["--instead-of", &of_world][..]),
        ("MARKETING", &["--market", "DE", "--instead-of", &of_world]),
        ("FREELANCER", &["--market", "DE-BE.berlin", "--instead-of", &of_ber]),
        ("FREELANCER", &["--market", "DE-BE.ber", "--instead-of", &of_ber]),
        ("FREELANCER", &["--market", "DE-BE", "--instead-of", &of_ber]),
        ("FREELANCER", &["--market", "DE-BE.potsdam"]),
        ("FREELANCER", &["--market", "DE", "--instead-of", "99"]),
    ] {
        publish(kind, args).failed(1, "invalid_market");
    }
    let germany = store.term("FREELANCER", &["--market", "DE", "--instead-of", &of_world]);
    let replaced = germany.to_string();
    publish("FREELANCER", &["--replaces", &replaced, "--market", "FR"]).failed(1, "invalid_market");
    let next = publish("FREELANCER", &["--replaces", &replaced]).json();
    assert_eq!(next["market"], "DE", "a new version inherits it");
    let console = Console::serve(store);
    assert_eq!(public(&console, "market=DE-BB"), [next["id"].as_i64().expect("an id")]);
    let post = |body: &Value| {
        console.app.post(&format!("{ADMIN}/term-drafts")).token(&console.operator).json(body)
    };
    post(&json!({"market": "DE-XX"})).refused(422, "invalid_market");
    let draft = post(&json!({"type": "FREELANCER", "market": "DE-BE", "instead_of": world}));
    let draft = draft.gives(201).json();
    assert_eq!((&draft["market"], &draft["instead_of"]), (&json!("DE-BE"), &json!(world)));
}

fn filters_match_a_market_and_its_sub_markets(engine: Engine) {
    let store = TestStore::new(engine);
    for (id, market) in [("b", "DE-BE"), ("g", "DE"), ("u", "UY")] {
        store.command(&["user", "add", "--id", id, "--market", market]).expect_success();
    }
    let [world, germany, ..] = texts(&store);
    let console = Console::serve(store);
    for (user, term) in [("g", germany), ("u", world)] {
        let body = rider(user, &accept(&[term]));
        console.app.post(SUBMIT).token(&console.app.token(user)).json(&body).gives(201);
    }
    let get = |path: &str| {
        console.app.get(&format!("{ADMIN}{path}")).token(&console.operator).gives(200).json()
    };
    let named = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().expect("items").iter();
        items.map(|item| item["user_id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(named(&get("/people?market=DE")), ["b", "g"]);
    assert_eq!(named(&get("/people?market=DE-BE")), ["b"]);
    assert_eq!(named(&get("/people?market=UY&role=rider")), ["u"]);
    assert_eq!(named(&get("/consents?market=DE")), ["g"]);
    assert_eq!(named(&get("/consents?market=DE-BE")), Vec::<String>::new());
    // Germany's term applies to DE without DE-BE, and the term for all markets applies outside DE.
    let of = |term: i64, query: &str| get(&format!("/terms/{term}/coverage{query}"));
    let counts = |coverage: Value| {
        ["riders", "riders_accepted", "riders_outstanding"]
            .map(|name| coverage[name].as_i64().expect("a number"))
    };
    assert_eq!(counts(of(germany, "")), [1, 1, 0]);
    assert_eq!(counts(of(germany, "?market=DE-BE")), [0, 0, 0]);
    assert_eq!(counts(of(world, "?market=UY")), [1, 1, 0]);
    assert_eq!(of(world, "?market=DE")["accepted"], 0);
    assert_eq!(named(&get(&format!("/terms/{world}/missing?market=UY"))), Vec::<String>::new());
    assert_eq!(named(&get(&format!("/terms/{germany}/missing"))), Vec::<String>::new());
    let export = format!("{ADMIN}/consents/export?market=DE");
    let file = console.app.get(&export).token(&console.operator).gives(200).body;
    let file = String::from_utf8(file).expect("UTF-8");
    let lines: Vec<&str> = file.lines().collect();
    assert!(
        lines[0].ends_with(",amr,decision") && lines[1].ends_with(",DE,command,accepted"),
        "{file}"
    );
    assert_eq!(lines.len(), 2);
    console
        .app
        .get(&format!("{ADMIN}/people?market=XX"))
        .token(&console.operator)
        .refused(400, "unknown_market");
}

/// Brandenburg's term replaces Germany's, which replaces the one for all markets. Each reader gets
/// only the narrowest. A new version applies in the same market as the version before.
fn a_term_replaces_another_transitively(engine: Engine) {
    let store = TestStore::new(engine);
    let world = store.term("FREELANCER", &["--mandatory"]);
    let text = |market: &str, of: i64| {
        let of = of.to_string();
        store.term("FREELANCER", &["--mandatory", "--market", market, "--instead-of", &of])
    };
    let germany = text("DE", world);
    let berlin = text("DE-BE", germany);
    let console = Console::serve(store);
    for (market, want) in [("FR", world), ("DE", germany), ("DE-BB", germany), ("DE-BE", berlin)] {
        move_to(&console, "r1", &json!(market));
        assert_eq!(own(&console, "r1").0, [want], "{market}");
        assert_eq!(public(&console, &format!("market={market}")), [want], "{market}");
    }
    let get = |id: i64| {
        let path = format!("{ADMIN}/terms/{id}");
        console.app.get(&path).token(&console.operator).gives(200).json()
    };
    let next = console.app.term("FREELANCER", &["--mandatory", "--replaces", &berlin.to_string()]);
    let (was, is) = (get(berlin), get(next));
    assert_eq!((&is["market"], &is["instead_of"]), (&was["market"], &was["instead_of"]));
    assert_eq!(is["instead_of"], germany);
    assert_eq!(own(&console, "r1").0, [next]);
    // A draft cannot change this either.
    let draft = json!({"type": "FREELANCER", "market": "DE-BB", "instead_of": world,
        "replaces": next, "variants": [{"locale": "en", "title": "T"}]});
    let request = console.app.post(&format!("{ADMIN}/term-drafts")).token(&console.operator);
    let created = request.json(&draft).gives(201).json();
    let check = format!("{ADMIN}/term-drafts/{}/check", created["id"].as_str().expect("an id"));
    let check = console.app.post(&check).token(&console.operator).gives(200).json();
    let codes = check["problems"].to_string();
    assert!(codes.contains("invalid_market"), "{check}");
    // A market with a term cannot be deleted.
    let put = json!({"name": "Germany"});
    let path = format!("{ADMIN}/markets/DE");
    console.app.request("PUT", &path).token(&console.admin).json(&put).gives(201);
    console.app.request("DELETE", &path).token(&console.admin).refused(409, "conflict");
}

fn a_term_for_one_market_counts_only_its_riders(engine: Engine) {
    let store = TestStore::new(engine);
    for (id, market) in [("d1", "DE-BE"), ("d2", "DE"), ("u1", "UY"), ("u2", "UY")] {
        store.command(&["user", "add", "--id", id, "--market", market]).expect_success();
    }
    let term = store.term("FREELANCER", &["--mandatory", "--market", "DE"]);
    let console = Console::serve(store);
    let app = &console.app;
    let body = rider("d1", &accept(&[term]));
    app.post(SUBMIT).token(&app.token("d1")).json(&body).gives(201);
    // Slow counts arrive with a later response.
    let overview = loop {
        let overview = app.get(&format!("{ADMIN}/overview")).token(&console.operator);
        let overview = overview.gives(200).json();
        if overview["mandatory"][0]["riders"].is_number() {
            break overview;
        }
    };
    assert_eq!(overview["riders"], 5, "{overview}");
    let counts =
        ["riders", "riders_outstanding"].map(|name| overview["mandatory"][0][name].clone());
    assert_eq!(counts, [json!(2), json!(1)], "{overview}");
    // Decisions made in Berlin count for Berlin, even after the rider moves.
    move_to(&console, "d1", &json!("UY"));
    let row = console.app.store().export(&[]).pop().expect("a row");
    assert_eq!(row["market"], "DE-BE");
    let find = |query: &str| {
        let list = app.get(&format!("{ADMIN}/consents?{query}")).token(&console.operator);
        list.gives(200).json()["items"].as_array().map(Vec::len)
    };
    assert_eq!((find("market=DE"), find("market=UY")), (Some(1), Some(0)));
}

fn imports_a_file_of_people_completely_or_not_at_all(engine: Engine) {
    let console = Console::start(engine);
    let send = |query: &str, token: &str, file: &str| {
        let path = format!("{ADMIN}/people/import{query}");
        let request = console.app.post(&path).token(token);
        request.body("text/csv", file.as_bytes())
    };
    let person =
        |id: &str| console.app.get(&format!("{ADMIN}/people/{id}")).token(&console.operator);
    let file = "market,id,name,email,locale\nDE-BE,n1,Jo Example,jo@example.com,de\nUY,r1,,,\n";
    let would = send("?dry_run=true", &console.operator, file).gives(200).json();
    assert_eq!((&would["added"], &would["changed"]), (&json!(1), &json!(1)), "{would}");
    person("n1").refused(404, "not_found");
    send("", &console.operator, file).gives(200);
    let n1 = person("n1").gives(200).json();
    assert_eq!((&n1["market"], &n1["name"]), (&json!("DE-BE"), &json!("Jo Example")));
    assert_eq!((&n1["locale"], &n1["roles"]), (&json!("de"), &json!(["rider"])));
    let again = send("", &console.operator, file).gives(200).json();
    assert_eq!((&again["unchanged"], &again["changes"]), (&json!(2), &json!([])));
    // A missing column changes nothing; an empty cell clears the value.
    send("", &console.operator, "id,market\nn1,\n").gives(200);
    let n1 = person("n1").gives(200).json();
    assert_eq!((&n1["market"], &n1["email"]), (&Value::Null, &json!("jo@example.com")));
    let bad = "id,email,market\nn2,x,DE\nn3,jo@example.com,XX\nn4,ok@example.com,DE\nn4,,\n";
    let refused = send("", &console.operator, bad).refused(422, "invalid_request").json();
    let lines: Vec<&str> = refused["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .filter_map(|error| error["pointer"].as_str())
        .collect();
    assert_eq!(lines, ["/2", "/3", "/5"], "{refused}");
    person("n4").refused(404, "not_found");
    send("", &console.operator, "id,shoe_size\nn5,44\n").refused(422, "invalid_request");
    send("", &console.operator, "id,email\nn6,jo@example.com\n").refused(422, "invalid_request");
    let roles = "id,roles\nn7,rider operator\n";
    send("", &console.operator, roles).refused(403, "permission_denied");
    send("", &console.admin, roles).gives(200);
    let add = |token: &str, role: &str| {
        let body = json!({"user_id": format!("p-{role}"), "roles": [role]});
        console.app.post(&format!("{ADMIN}/people")).token(token).json(&body)
    };
    add(&console.operator, "operator").refused(403, "permission_denied");
    add(&console.operator, "rider").gives(201);
    let store = console.app.store();
    let path = store.file("people.csv", b"id,market\nn8,XX\nn9,DE\n");
    let refused = store.command(&["people", "import", &path]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stdout.contains("line 2: unknown_market"), "{refused:?}");
    let path = store.file("good.csv", b"id,market\nn9,DE\n");
    let output = store.command(&["people", "import", &path, "--dry-run"]).expect_success();
    assert!(output.contains("would add 1 and change 0"), "{output}");
    store.command(&["people", "import", &path]).expect_success();
    assert_eq!(person("n9").gives(200).json()["market"], "DE");
}

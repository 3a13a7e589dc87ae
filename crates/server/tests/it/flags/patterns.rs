//! Long-running work of operators does not delay the requests of riders.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::admin::{ADMIN, Console};
use crate::request::{Answer, Request};
use crate::store::Engine;
use crate::wire::{SUBMIT, entry, rider};

fn document(count: usize, pattern: &str) -> Value {
    let tests: Vec<Value> = (0..count)
        .map(|i| json!({"attr": "email", "op": "matches", "value": format!("{pattern}{i}")}))
        .collect();
    json!({
        "schema": "musette.flags/1", "environment": "e", "version": 0, "attributes": [],
        "segments": [{"key": "s", "match": {"any": tests}}],
        "layers": [], "holdouts": [], "flags": []
    })
}

fn call(console: &Console, method: &str, path: &str) -> Request {
    console.app.request(method, &format!("{ADMIN}/environments/e{path}")).token(&console.admin)
}

#[test]
fn refuses_a_thousand_expressions_without_delaying_submissions() {
    let console = Console::start(Engine::Sqlite);
    let term = console.app.term("FREELANCER", &["--mandatory"]);
    call(&console, "PUT", "").gives(201);
    let hostile =
        document(1_500, "^(?i)[a-z0-9._%+-]{1,64}@([a-z0-9-]{1,63}\\\\.){1,8}[a-z]{2,24}x");
    let check = call(&console, "POST", "/check").json(&hostile).gives(200).json();
    assert_eq!(check["faults"][0]["code"], "pattern_budget", "{check}");
    // Few large expressions that exceed the limit of the compiled size.
    let large = call(&console, "POST", "/check").json(&document(450, r"\w{20}")).gives(200).json();
    assert_eq!(large["faults"][0]["code"], "pattern_budget", "{large}");
    let save = call(&console, "PUT", "/flags").header("if-match", "\"0\"").json(&hostile);
    let refused = save.refused(422, "invalid_document");
    assert_eq!(refused.json()["errors"][0]["code"], "pattern_budget");

    let longest = std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..3 {
                    call(&console, "POST", "/check").json(&hostile).gives(200);
                    call(&console, "POST", "/check").json(&document(450, r"\w{9}")).gives(200);
                }
            });
        }
        let mut longest = Duration::ZERO;
        for _ in 0..20 {
            let post = rider("r1", &[entry(term, true)]);
            let start = Instant::now();
            console.app.post(SUBMIT).token(&console.rider).json(&post).gives(201);
            longest = longest.max(start.elapsed());
        }
        longest
    });
    eprintln!("a submission beside nine checks: at most {longest:?}");
    assert!(longest < Duration::from_secs(3), "{longest:?}");
}

/// A configuration saved by a version without this limit is read, switched off and left, but cannot
/// be saved again.
#[test]
fn enforces_the_expression_limit_when_saving_again() {
    let console = Console::start(Engine::Sqlite);
    call(&console, "PUT", "").gives(201);
    let flag = crate::flags::flag("greeting", "hello");
    let mut old = document(501, "^a[0-9]+");
    old["flags"] = json!([flag]);
    console.app.tamper(&format!(
        "INSERT INTO flag_versions (environment, version, document, created_at)
            VALUES ('e', 1, '{old}', 0);
        UPDATE flag_environments SET version = 1 WHERE name = 'e'"
    ));
    let served = call(&console, "GET", "/flags").gives(200);
    assert_eq!(served.json()["version"], 1);
    let expensive = |refused: Answer| {
        assert_eq!(refused.json()["errors"][0]["code"], "pattern_budget");
    };
    let other = format!("{ADMIN}/environments/other");
    let to_other = |method: &str, path: &str| {
        console.app.request(method, &format!("{other}{path}")).token(&console.admin)
    };
    to_other("PUT", "").gives(201);
    let copy = to_other("POST", "/copy").header("if-match", "\"0\"").json(&json!({"from": "e"}));
    expensive(copy.refused(422, "invalid_document"));
    // A kill switch works whatever else the configuration contains.
    call(&console, "PUT", "/flags/greeting/on").json(&json!({"on": false})).gives(200);
    let revert = call(&console, "POST", "/versions/1/revert").header("if-match", "\"2\"");
    expensive(revert.refused(422, "invalid_document"));
    call(&console, "GET", "/versions/1").gives(200);
}

//! Sticky assignments.

use serde_json::{Value, json};

use super::fixture::{Flags, everything, explanation};
use crate::app::TestApp;
use crate::store::Engine;

on_both!(keeps_the_served_variation, keeps_an_applicants_assignment_as_a_rider,);

/// The weights of the experiment are swapped. Users keep the variation that they were served.
fn keeps_the_served_variation(engine: Engine) {
    let flags = Flags::start(engine);
    let people: Vec<Value> = (0..30).map(|i| json!({"userId": format!("u{i}")})).collect();
    let served = |flags: &Flags, flag: &str| -> Vec<Value> {
        people.iter().map(|person| flags.result(flag, person)).collect()
    };
    let (sticky, tested) = (served(&flags, "kept"), served(&flags, "tested"));
    let key = |results: &[Value]| -> Vec<Value> {
        results.iter().map(|result| result["variationKey"].clone()).collect()
    };
    assert!(key(&sticky).contains(&json!("new")) && key(&sticky).contains(&json!("control")));
    let again = flags.result("kept", &people[0]);
    assert_eq!(again["experiment"]["sticky"], true, "the next request uses the assignment");
    let mut document = everything();
    for flag in document["flags"].as_array_mut().expect("flags") {
        if flag["key"] == "kept" || flag["key"] == "tested" {
            flag["rules"][0]["serve"]["experiment"]["weights"] =
                json!({"control": 0, "new": 100_000});
        }
    }
    flags.app.import("production", &document);
    assert_eq!(key(&served(&flags, "kept")), key(&sticky));
    assert!(key(&served(&flags, "tested")).iter().all(|value| value == "new"));
    assert!(key(&tested).contains(&json!("control")), "or it would show nothing");
    // Another node has the assignment within a second, and a node that starts later has it at once.
    let node = Flags {
        app: TestApp::serve_with(&flags.app.store(), crate::app::Start::default()),
        client: flags.client.clone(),
        server: flags.server.clone(),
    };
    assert_eq!(key(&served(&node, "kept")), key(&sticky));
    // Assignments of an older version exclude the user.
    for flag in document["flags"].as_array_mut().expect("flags") {
        if flag["key"] == "kept" {
            flag["rules"][0]["serve"]["experiment"]["bucketVersion"] = json!(2);
            flag["rules"][0]["serve"]["experiment"]["minBucketVersion"] = json!(2);
        }
    }
    flags.app.import("production", &document);
    let excluded = flags.result("kept", &people[0]);
    assert_eq!(explanation(&excluded), ("DEFAULT", "default"));
    let newcomer = flags.result("kept", &json!({"userId": "newcomer"}));
    assert_eq!(newcomer["variationKey"], "new");
}

fn keeps_an_applicants_assignment_as_a_rider(engine: Engine) {
    let flags = Flags::start(engine);
    let mut differed = 0;
    for i in 0..20 {
        let anonymous = json!({"anonymousId": format!("a{i}")});
        let user = format!("rider{i}");
        let as_applicant = flags.result("kept", &anonymous)["variationKey"].clone();
        let both = json!({"anonymousId": format!("a{i}"), "userId": user});
        let as_rider = flags.result("kept", &both)["variationKey"].clone();
        assert_eq!(as_rider, as_applicant, "the variation does not change");
        let alone = flags.result("kept", &json!({"userId": user}));
        assert_eq!(alone["variationKey"], as_applicant, "it was copied to the user");
        let unsticky = flags.result("tested", &both)["variationKey"].clone();
        differed += usize::from(unsticky != as_applicant);
        // A user with an assignment keeps it, whatever was assigned to the phone.
        let other = json!({"anonymousId": format!("b{i}")});
        flags.result("kept", &other);
        let on_that_phone = json!({"anonymousId": format!("b{i}"), "userId": user});
        assert_eq!(flags.result("kept", &on_that_phone)["variationKey"], as_applicant);
    }
    assert!(differed > 0, "or it would show nothing");
}

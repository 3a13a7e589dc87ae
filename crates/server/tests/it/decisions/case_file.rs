//! Case files with evaluations and restrictions.

use serde_json::{Value, json};

use super::restrictions::fixture::content;
use super::work::Work;
use crate::admin::ADMIN;
use crate::case_archive::Archive;
use crate::store::{CommandResult, Engine};

on_both!(
    a_case_file_has_every_version_of_each_decision,
    verification_detects_a_forged_record,
    a_case_file_of_an_earlier_time_has_no_later_decision,
    an_erasure_leaves_nothing_of_decisions_and_earlier_files_verify,
);

/// An answered evaluation with a message, a lifted suspension, and an undecided proposal.
struct Decided {
    work: Work,
    evaluation: String,
    restriction: String,
    proposal: String,
}

fn decided(engine: Engine) -> Decided {
    let work = Work::start(engine);
    let evaluation = work.evaluation("IN_DISCUSSION");
    let message = json!({"message": "One more thing: <b>rain</b>"});
    work.rider_post(&evaluation, "discussion/messages", &message).gives_status(200);
    work.to(&evaluation, &work.reviewer, "ACCEPTED", 3).gives_status(200);
    let restriction = work.imposed("suspension");
    work.lift(&restriction, &work.second_reviewer).gives_status(200);
    let proposal = work.propose(&work.key, &content("limitation")).gives_status(201).json();
    let proposal = proposal["id"].as_str().expect("an id").to_owned();
    Decided { work, evaluation, restriction, proposal }
}

impl Decided {
    fn case_of(&self, query: &str) -> Archive {
        let path = format!("{ADMIN}/people/r1/case.zip{query}");
        Archive::of(self.work.app.get(&path).token(&self.work.admin).gives(200).body)
    }

    fn verify(&self, bytes: &[u8]) -> CommandResult {
        let file = self.work.app.file("decided.zip", bytes);
        self.work.app.command(&["case", "verify", &file])
    }
}

fn steps(object: &Value) -> Vec<(i64, String)> {
    let records = object["records"].as_array().expect("records").iter();
    let step = |record: &Value| {
        let to = record["to"].as_str().expect("a status").to_owned();
        (record["version"].as_i64().expect("a version"), to)
    };
    records.map(step).collect()
}

fn a_case_file_has_every_version_of_each_decision(engine: Engine) {
    let decided = decided(engine);
    let archive = decided.case_of("");
    let contents = archive.json("case.json");
    let status = |version: i64, status: &str| (version, status.to_owned());
    let expected = [
        status(1, "PENDING"),
        status(2, "EVALUATED"),
        status(3, "IN_DISCUSSION"),
        status(3, "IN_DISCUSSION"),
        status(4, "ACCEPTED"),
    ];
    assert_eq!(steps(&contents["evaluations"][0]), expected);
    assert_eq!(contents["evaluations"][0]["id"], decided.evaluation);
    let expected = [status(1, "IMPOSED"), status(2, "LIFTED")];
    assert_eq!(steps(&contents["restrictions"][0]), expected);
    assert_eq!(contents["restrictions"].as_array().map(Vec::len), Some(1), "no proposal");

    let page = |folder: &str, id: &str| {
        String::from_utf8(archive.file(&format!("{folder}/{id}.html")).to_vec()).expect("UTF-8")
    };
    let evaluation = page("evaluations", &decided.evaluation);
    for text in [
        "I was at the restaurant in time.",
        "One more thing: &lt;b&gt;rain&lt;/b&gt;",
        "We looked at the times of the restaurant.",
        "Started 12 minutes late",
        "worked minutes: 228",
        "a person of the company (reviewer)",
        "Version 4 · In discussion → Accepted",
        "roster",
    ] {
        assert!(evaluation.contains(text), "{text}: {evaluation}");
    }
    let restriction = page("restrictions", &decided.restriction);
    for text in [
        "You may not accept orders",
        "Two orders were not delivered",
        "riders@larkspur.example",
        "The restaurant has found the orders.",
    ] {
        assert!(restriction.contains(text), "{text}: {restriction}");
    }
    let all = String::from_utf8_lossy(&archive.bytes).into_owned();
    assert!(!all.contains(&decided.proposal), "an undecided proposal is the company's");
    for colleague in ["\"v1\"", "\"v2\"", "\"d1\"", ">v1<", ">d1<"] {
        assert!(!all.contains(colleague), "{colleague} is named");
    }
    // A receipt of the file is one that the command verifies alone.
    let receipt = archive.file(&format!("evaluations/{}/5.json", decided.evaluation));
    let receipt = decided.work.app.file("receipt.json", receipt);
    let keys = decided.work.app.file("keys.txt", archive.file("log/keys.txt"));
    let args = ["receipt", "verify", &receipt, "--key", &keys, "--user", "r1"];
    let output = decided.work.app.command(&args).expect_success();
    assert!(output.contains("from IN_DISCUSSION to ACCEPTED"), "{output}");
    let output = decided.verify(&archive.bytes).expect_success();
    assert!(output.contains("1 evaluation, 1 restriction"), "{output}");
    // Other people's work changes no byte.
    let other = super::work::uuid();
    decided.work.put(&other, &decided.work.key, &super::work::creation("r2")).gives_status(201);
    assert_eq!(archive.bytes, decided.case_of("").bytes, "the same bytes");
    let german = decided.case_of("?locale=de");
    let german = String::from_utf8_lossy(&german.bytes).into_owned();
    assert!(german.contains("Fassung 4 · Im Gespräch → Angenommen"));
}

fn verification_detects_a_forged_record(engine: Engine) {
    let decided = decided(engine);
    let archive = decided.case_of("");
    let folder = format!("evaluations/{}", decided.evaluation);
    let restriction = format!("restrictions/{}", decided.restriction);
    for (path, from, to, message) in [
        (format!("{folder}/2.json"), "12 minutes late", "72 minutes late", "was logged"),
        (format!("{folder}/3.json"), "\"r1\"", "\"r2\"", "was logged"),
        (format!("{folder}/5.json"), "\"salt\": \"", "\"solt\": \"", "salt"),
        (format!("{restriction}/1.json"), "Two orders were", "Ten orders were", "was logged"),
        ("case.json".to_owned(), "\"to\": \"ACCEPTED\"", "\"to\": \"REJECTED\"", "case.json"),
        ("case.json".to_owned(), "\"by\": \"human\"", "\"by\": \"rider\"", "case.json"),
        (
            "case.json".to_owned(),
            &*format!("{folder}/4.json"),
            &*format!("{folder}/5.json"),
            "4.json",
        ),
        ("case.json".to_owned(), "\"version\": 2", "\"version\": 9", "case.json"),
    ] {
        let output = decided.verify(&archive.forged(&path, from, to));
        assert_eq!(output.code, Some(1), "{path} {from}: {output:?}");
        assert!(output.stderr.contains(message), "{path} {from}: {output:?}");
    }
    // Whole records of another version do not fit either.
    let second = archive.file(&format!("{folder}/2.json")).to_vec();
    let second = String::from_utf8(second).expect("UTF-8");
    let at = second.find("\"entry\"").expect("an entry");
    let forged = archive.forged(&format!("{folder}/2.json"), &second[at..at + 40], &" ".repeat(40));
    decided.verify(&forged).failed(1, &format!("{folder}/2.json"));
}

fn a_case_file_of_an_earlier_time_has_no_later_decision(engine: Engine) {
    let decided = decided(engine);
    let all = decided.case_of("").json("case.json");
    let third = all["evaluations"][0]["records"][2]["recorded_at"].as_str().expect("a time");
    let query = format!("?as_of={third}");
    let past = decided.case_of(&query);
    let contents = past.json("case.json");
    let records = contents["evaluations"][0]["records"].as_array().expect("records").len();
    assert!((3..=4).contains(&records), "{contents}");
    assert_eq!(contents["evaluations"][0]["status"], "IN_DISCUSSION");
    decided.verify(&past.bytes).expect_success();
    // A proposal that is decided later is not in the file of a time at which it was open.
    let proposed = decided.work.restriction(&decided.proposal);
    let now = decided.work.own("/api/session/v1/me/data")["made_at"].clone();
    let query_now = format!("?as_of={}", now.as_str().expect("a time"));
    let before = decided.case_of(&query_now);
    let decision = json!({"effect": "dismiss"});
    decided.work.decide(&decided.proposal, &decided.work.reviewer, &decision).gives_status(200);
    assert_eq!(proposed["status"], "PROPOSED");
    assert_eq!(before.bytes, decided.case_of(&query_now).bytes, "the past does not change");
    assert_eq!(past.bytes, decided.case_of(&query).bytes, "the past does not change");
    let restrictions = decided.case_of("").json("case.json")["restrictions"].clone();
    assert_eq!(restrictions.as_array().map(Vec::len), Some(2), "once it is decided");
}

fn an_erasure_leaves_nothing_of_decisions_and_earlier_files_verify(engine: Engine) {
    let decided = decided(engine);
    let archive = decided.case_of("");
    let app = &decided.work.app;
    let erase = app.request("DELETE", &format!("{ADMIN}/people/r1")).token(&decided.work.admin);
    erase.json(&json!({"confirm": "r1"})).gives(204);
    let path = format!("{ADMIN}/people/r1/case.zip");
    app.get(&path).token(&decided.work.admin).refused(404, "not_found");
    decided.verify(&archive.bytes).expect_success();
    app.command(&["log", "verify"]).expect_success();
    if engine == Engine::Sqlite {
        let bytes = std::fs::read(app.path("data/musette.db")).expect("a database");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for personal in [
            "I was at the restaurant in time.",
            "One more thing",
            "You may not accept orders",
            "Started 12 minutes late",
            "Two orders were not delivered",
        ] {
            assert!(!text.contains(personal), "{personal} remains");
        }
    }
}

//! New versions: what they replace, what they inherit, and what they leave outstanding.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{PRESSED, SUBMIT, V3, accept, applicant, decisions, entry, ids, rider};

on_both!(
    a_material_version_must_be_accepted_again,
    a_minor_version_inherits_acceptances,
    a_withdrawal_applies_to_inherited_acceptances,
    lists_outstanding_terms,
    a_term_lists_its_earlier_versions,
);

/// A rider with a session on a server.
struct Rider {
    app: TestApp,
    token: String,
}

impl Rider {
    fn new(engine: Engine) -> Self {
        let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
        let token = app.token("r1");
        Self { app, token }
    }

    #[track_caller]
    fn consents(&self) -> Value {
        self.app.get(&format!("{V3}/terms/r1/consents")).token(&self.token).gives(200).json()
    }

    #[track_caller]
    fn outstanding(&self) -> (bool, Vec<i64>) {
        let path = format!("{V3}/terms/r1/outstanding");
        let answer = self.app.get(&path).token(&self.token).gives(200).json();
        assert_eq!(answer["user_id"], "r1");
        (answer["may_work"].as_bool().expect("may_work"), ids(&answer["outstanding"]))
    }

    fn post(&self, consents: &[Value]) -> crate::request::Request {
        self.app.post(SUBMIT).token(&self.token).json(&rider("r1", consents))
    }

    fn served(&self) -> Vec<i64> {
        ids(&self.app.get(&format!("{V3}/public/terms")).gives(200).json())
    }
}

fn a_material_version_must_be_accepted_again(engine: Engine) {
    let r1 = Rider::new(engine);
    let first = r1.app.term("FREELANCER", &["--mandatory", "--order", "4"]);
    let optional = r1.app.term("MARKETING", &[]);
    r1.post(&accept(&[first, optional])).gives(201);
    assert_eq!(r1.outstanding(), (true, vec![]));

    let replaces = |id: i64| ["--mandatory".to_owned(), "--replaces".into(), id.to_string()];
    let args = replaces(first);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let second = r1.app.publish("FREELANCER", "A text", &args);
    assert_eq!((&second["version"], &second["replaces"]), (&json!(2), &json!(first)));
    assert_eq!(second["display_order"], 4, "it keeps its position");
    let args = replaces(second["id"].as_i64().expect("an id"));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let third = r1.app.term("FREELANCER", &args);
    assert_eq!(r1.served(), [optional, third], "one version a document");
    assert_eq!(r1.outstanding(), (false, vec![third]));
    assert_eq!(decisions(&r1.consents()), [(first, true), (optional, true)]);

    // A client that still shows the first version gets the newest version for each entry.
    let answer =
        r1.post(&[entry(optional, true), entry(first, true)]).refused(409, "terms_changed");
    assert_eq!(answer.pointers(), ["/consents/1/terms_and_conditions_id"]);
    assert_eq!(answer.json()["errors"][0]["replaced_by"], json!([third]));
    r1.post(&accept(&[third])).gives(201);
    assert_eq!(r1.outstanding(), (true, vec![]));
}

fn a_minor_version_inherits_acceptances(engine: Engine) {
    let r1 = Rider::new(engine);
    let first = r1.app.term("FREELANCER", &["--mandatory"]);
    r1.post(&accept(&[first])).gives(201);
    let minor = |of: i64| {
        r1.app.term("FREELANCER", &["--mandatory", "--minor", "--replaces", &of.to_string()])
    };
    let second = minor(first);
    let third = minor(second);
    assert_eq!(r1.outstanding(), (true, vec![]));
    let consents = r1.consents();
    assert_eq!(decisions(&consents), [(first, true), (second, true), (third, true)]);
    let inherited = |i: usize| consents["consents"][i].get("inherited_from").cloned();
    assert_eq!(
        [inherited(0), inherited(1), inherited(2)],
        [None, Some(json!(first)), Some(json!(first))]
    );
    assert_eq!(consents["consents"][2]["consented_at"], PRESSED);
    assert_eq!(r1.app.export(&[]).len(), 1, "inherited decisions create no rows");
    // Accepting another term of the type does not require accepting the inherited one again.
    let other = r1.app.term("FREELANCER", &[]);
    r1.post(&accept(&[other])).gives(201);
    // A new applicant inherits nothing.
    let stranger = r1.app.post(SUBMIT).json(&applicant(&accept(&[other])));
    let missing = stranger.refused(422, "mandatory_term_missing").json();
    assert_eq!(missing["errors"][0]["detail"], format!("term {third}"));
}

fn a_withdrawal_applies_to_inherited_acceptances(engine: Engine) {
    let r1 = Rider::new(engine);
    let first = r1.app.term("MARKETING", &[]);
    r1.post(&accept(&[first])).gives(201);
    let minor = r1.app.term("MARKETING", &["--minor", "--replaces", &first.to_string()]);
    let material = r1.app.term("MARKETING", &["--replaces", &minor.to_string()]);
    assert_eq!(decisions(&r1.consents()), [(first, true), (minor, true)]);
    // The version was replaced twice. Accepting it is no longer possible; withdrawing always is.
    r1.post(&accept(&[first])).refused(409, "terms_changed");
    r1.post(&[entry(first, false)]).gives(201);
    assert_eq!(decisions(&r1.consents()), [(first, false), (minor, false)]);
    r1.post(&accept(&[material])).gives(201);
    r1.post(&[entry(minor, false)]).gives(201);
    let want = [(first, false), (minor, false), (material, true)];
    assert_eq!(decisions(&r1.consents()), want);
    assert_eq!(
        r1.consents()["consents"][1].get("inherited_from"),
        None,
        "a decision on this version"
    );
}

fn lists_outstanding_terms(engine: Engine) {
    let r1 = Rider::new(engine);
    assert_eq!(r1.outstanding(), (true, vec![]));
    let late = r1.app.term("FREELANCER", &["--mandatory", "--order", "2"]);
    let early = r1.app.term("MARKETING", &["--mandatory", "--order", "1"]);
    r1.app.term("FREELANCER", &[]);
    let other = r1.app.term("WORKER", &["--mandatory"]);
    assert_eq!(r1.outstanding(), (false, vec![early, late]));
    let path = format!("{V3}/terms/r1/outstanding?types=WORKER");
    let workers = r1.app.get(&path).token(&r1.token).gives(200);
    assert_eq!(workers.header("cache-control"), "private, no-store");
    assert_eq!(ids(&workers.json()["outstanding"]), [other]);
    let german = r1.app.get(&path).token(&r1.token).header("host", "elsewhere.example");
    german.refused(421, "misdirected_request");
    r1.post(&accept(&[late])).gives(201);
    assert_eq!(r1.outstanding(), (false, vec![early]));
    r1.post(&accept(&[early])).gives(201);
    assert_eq!(r1.outstanding(), (true, vec![]));
    r1.app.get(&format!("{V3}/terms/r1/outstanding")).refused(401, "unauthenticated");
}

fn a_term_lists_its_earlier_versions(engine: Engine) {
    let r1 = Rider::new(engine);
    let french = r1.app.pdf("Une autre langue");
    let variant = format!("fr={french}");
    let first = r1.app.publish("FREELANCER", "A text", &["--mandatory", "--variant", &variant]);
    let id = |term: &Value| term["id"].as_i64().expect("an id").to_string();
    let args = ["--mandatory", "--replaces", &id(&first), "--minor"];
    let second = r1.app.publish("FREELANCER", "A text", &args);
    let args = ["--mandatory", "--replaces", &id(&second), "--variant", &variant];
    let third = r1.app.publish("FREELANCER", "A text", &args);
    let earlier = |version: &Value, number: i64, locale: &str, sha256: &Value, material: bool| {
        json!({"id": version["id"], "version": number, "label": null, "locale": locale, "sha256": sha256,
               "material": material})
    };
    let listed = |language: &str| {
        let terms = r1.app.get(&format!("{V3}/public/terms")).header("accept-language", language);
        let terms = terms.gives(200).json();
        assert_eq!(terms[0]["id"], third["id"]);
        terms[0]["earlier_versions"].clone()
    };
    let english = earlier(&second, 2, "en", &second["sha256"], false);
    let oldest = earlier(&first, 1, "en", &first["sha256"], true);
    assert_eq!(listed("en"), json!([english, oldest]));
    // The second version has no French text, so its entry names the language that is served
    // instead.
    let french = listed("fr");
    assert_eq!(french[0], english);
    assert_eq!((&french[1]["locale"], &french[1]["id"]), (&json!("fr"), &first["id"]));
    assert_ne!(french[1]["sha256"], first["sha256"]);
    let outstanding = r1.app.get(&format!("{V3}/terms/r1/outstanding")).token(&r1.token).gives(200);
    assert_eq!(outstanding.json()["outstanding"][0]["earlier_versions"][1]["id"], first["id"]);
}

//! `GET /api/admin/v1/experiments/{key}/results` and `…/holdouts/{key}/results`.

use serde_json::{Value, json};

use super::events::{EVENTS, METRICS, in_group, measured, report, took_part};
use super::fixture::Flags;
use crate::request::Request;
use crate::store::Engine;

on_both!(
    evaluates_a_declared_metric_as_declared,
    counts_persons_per_variation,
    reports_a_sample_ratio_mismatch,
    says_that_weights_changed_within_a_phase,
    compares_a_metric,
    adjusts_for_values_from_before_the_experiment,
    returns_results_of_a_holdout,
    only_permitted_roles_read_results,
    erasure_removes_a_person_from_results,
);

const EXPERIMENT: &str = "/api/admin/v1/experiments/tested-test/results";
const HOLDOUT: &str = "/api/admin/v1/holdouts/quarter/results";

fn results(flags: &Flags, path: &str) -> Request {
    flags.app.get(path).token(&flags.app.session_of("operator"))
}

/// Reports exposures of these persons in an arm. Their names begin with the variation.
fn report_exposures(flags: &Flags, variation: &str, units: std::ops::Range<u32>) {
    let event =
        |i: u32| took_part(&format!("{variation}{i}"), &format!("{variation}{i}"), variation);
    let events: Vec<Value> = units.map(event).collect();
    for some in events.chunks(500) {
        report(flags, EVENTS, some).gives(202);
    }
}

fn arm<'a>(arms: &'a Value, name: &str) -> &'a Value {
    let arms = arms.as_array().expect("arms");
    arms.iter().find(|arm| arm["arm"] == name).expect("the arm")
}

fn counts_persons_per_variation(engine: Engine) {
    let flags = Flags::start(engine);
    let empty = results(&flags, EXPERIMENT).gives(200);
    assert_eq!(empty.header("cache-control"), "private, no-store");
    let empty = empty.json();
    assert_eq!((&empty["units"], &empty["warnings"]), (&json!(0), &json!([])));
    assert_eq!(empty["sampleRatio"]["mismatch"], false);
    assert_eq!((empty.get("firstAt"), empty.get("lastAt")), (None, None));
    report_exposures(&flags, "control", 0..60);
    report_exposures(&flags, "new", 0..40);
    // Repeated exposures under other ids. One person is also in the other arm.
    let again = [took_part("again", "new1", "new"), took_part("astray", "new2", "control")];
    report(&flags, EVENTS, &again).gives(202);
    an_arm_is_removed(&flags);
    let mut former = took_part("former", "someone", "new");
    former["phase"] = json!(2);
    report(&flags, EVENTS, &[former]).gives(202);
    let result = results(&flags, EXPERIMENT).gives(200).json();
    assert_eq!((&result["flag"], &result["status"]), (&json!("tested"), &json!("running")));
    assert_eq!((&result["phase"], &result["phases"]), (&json!(3), &json!([2, 3])));
    assert_eq!(arm(&result["arms"], "control")["units"], 61);
    assert_eq!(arm(&result["arms"], "new")["units"], 40);
    assert_eq!(arm(&result["arms"], "gone")["weight"], 0.0, "it is no arm any more");
    assert_eq!(result["units"], 101);
    assert!(
        result["firstAt"].as_str() <= result["lastAt"].as_str() && result["firstAt"].is_string()
    );
    assert_eq!(result["multipleExposures"]["units"], 1);
    assert_eq!(result["sampleRatio"]["degrees"], 1, "arms with a weight, less one");
    assert_eq!(result["sampleRatio"]["mismatch"], false);
    let former = results(&flags, &format!("{EXPERIMENT}?phase=2")).gives(200).json();
    assert_eq!(former["units"], 1);
}

/// Users are assigned to an arm, which is then removed.
fn an_arm_is_removed(flags: &Flags) {
    let document = super::fixture::everything();
    let mut with_arm = document.clone();
    let tested = with_arm["flags"].as_array_mut().expect("flags");
    let tested = tested.iter_mut().find(|flag| flag["key"] == "tested").expect("the flag");
    let variations = tested["variations"].as_array_mut().expect("variations");
    variations.push(json!({"key": "gone", "value": "gone"}));
    flags.app.import("production", &with_arm);
    report(flags, EVENTS, &[took_part("stranger", "u", "gone")]).gives(202);
    flags.app.import("production", &document);
}

fn reports_a_sample_ratio_mismatch(engine: Engine) {
    let flags = Flags::start(engine);
    report_exposures(&flags, "control", 0..300);
    report_exposures(&flags, "new", 0..150);
    let astray: Vec<Value> =
        (0..20).map(|i| took_part(&format!("astray{i}"), &format!("new{i}"), "control")).collect();
    report(&flags, EVENTS, &astray).gives(202);
    let result = results(&flags, EXPERIMENT).gives(200).json();
    let ratio = &result["sampleRatio"];
    // The expected counts are 235 each; the actual counts are 320 and 150.
    assert!((ratio["statistic"].as_f64().expect("χ²") - 2.0 * 85.0 * 85.0 / 235.0).abs() < 1e-9);
    assert!(ratio["pValue"].as_f64().expect("p") < 0.001);
    assert_eq!(ratio["mismatch"], true);
    assert_eq!(result["multipleExposures"]["warning"], true);
    assert_eq!(result["warnings"], json!(["sample_ratio_mismatch", "multiple_exposures"]));
}

/// Weights of the experiment, and its phase.
fn with_weights(control: u32, phase: u32) -> Value {
    let mut document = super::fixture::everything();
    let tested = document["flags"].as_array_mut().expect("flags");
    let tested = tested.iter_mut().find(|flag| flag["key"] == "tested").expect("the flag");
    let rules = tested["rules"].as_array_mut().expect("rules");
    let rule = rules.iter_mut().find(|rule| rule["serve"]["experiment"].is_object());
    let experiment = &mut rule.expect("a rule")["serve"]["experiment"];
    experiment["weights"] = json!({"control": control, "new": 100_000 - control});
    experiment["phase"] = json!(phase);
    document
}

fn says_that_weights_changed_within_a_phase(engine: Engine) {
    let flags = Flags::start(engine);
    // A change before the first exposure mixes nothing.
    flags.app.import("production", &with_weights(40_000, 3));
    flags.app.import("production", &with_weights(50_000, 3));
    let mut first = took_part("first", "first", "control");
    first["at"] = json!(musette::parts::clock::Clock::default().now().to_string());
    report(&flags, EVENTS, &[first]).gives(202);
    assert_eq!(results(&flags, EXPERIMENT).gives(200).json()["warnings"], json!([]));
    let file = flags.app.file("next.json", with_weights(20_000, 3).to_string().as_bytes());
    let import = ["flags", "import", &file, "--env", "production"];
    let output = flags.app.command(&import);
    assert!(output.stderr.contains("/serve/experiment/weights weights_changed"), "{output:?}");
    assert!(output.stderr.contains("Set `phase` to 4"), "{output:?}");
    // A second import of the same weights changes nothing.
    assert_eq!(flags.app.command(&import).stderr, "");
    report_exposures(&flags, "control", 0..300);
    report_exposures(&flags, "new", 0..600);
    let mixed = results(&flags, EXPERIMENT).gives(200).json();
    assert_eq!(mixed["warnings"], json!(["weights_changed"]));
    assert_eq!(mixed.get("sampleRatio"), None);
    // A new phase counts from zero; the former one has the weights of its end.
    let session = flags.app.session_of("operator");
    let path = "/api/admin/v1/environments/production/";
    let check = |document: &Value| {
        flags.app.post(&format!("{path}check")).token(&session).json(document).gives(200).json()
    };
    assert_eq!(check(&with_weights(50_000, 3))["warnings"][0]["code"], "weights_changed");
    assert_eq!(check(&with_weights(50_000, 4)), json!({"valid": true, "faults": []}));
    flags.app.import("production", &with_weights(50_000, 4));
    let next = results(&flags, EXPERIMENT).gives(200).json();
    assert_eq!((&next["phase"], &next["warnings"]), (&json!(4), &json!([])));
    let former = results(&flags, &format!("{EXPERIMENT}?phase=3")).gives(200).json();
    assert_eq!(former["warnings"], json!(["weights_changed"]));
    assert_eq!(arm(&former["arms"], "control")["weight"], 20_000.0);
}

fn compares_a_metric(engine: Engine) {
    let flags = Flags::start(engine);
    report_exposures(&flags, "control", 0..200);
    report_exposures(&flags, "new", 0..200);
    let mut values = Vec::new();
    for i in 0..200 {
        let noise = f64::from(i % 7);
        values.push(measured(&format!("c{i}"), &format!("control{i}"), 10.0 + noise));
        values.push(measured(&format!("n{i}"), &format!("new{i}"), 10.0 + noise));
        // Values of one person are added up.
        values.push(measured(&format!("more{i}"), &format!("new{i}"), 5.0));
    }
    for some in values.chunks(500) {
        report(&flags, METRICS, some).gives(202);
    }
    let path = format!("{EXPERIMENT}?metric=orders");
    let metric = results(&flags, &path).gives(200).json()["metric"].clone();
    assert_eq!((&metric["name"], &metric["baseline"]), (&json!("orders"), &json!("control")));
    assert_eq!(metric["adjusted"], false, "nothing was before");
    let names = results(&flags, "/api/admin/v1/environments/production/metrics").gives(200);
    assert_eq!(names.json()["items"], json!([{"name": "orders"}]));
    let new = arm(&metric["arms"], "new");
    assert_eq!((&new["units"], &new["reported"]), (&json!(200), &json!(200)));
    let difference = &new["comparison"]["difference"];
    assert!((difference["value"].as_f64().expect("a number") - 5.0).abs() < 1e-9);
    let bound = |of: &str, end: &str| difference[of]["interval"][end].as_f64().expect("a bound");
    assert!(bound("always", "low") < bound("once", "low") && bound("once", "low") < 5.0);
    assert!(bound("always", "high") > bound("once", "high") && bound("always", "low") > 0.0);
    assert_eq!(new["verdict"], "better");
    let lower = results(&flags, &format!("{path}&goal=lower")).gives(200).json();
    assert_eq!(arm(&lower["metric"]["arms"], "new")["verdict"], "worse");
    assert_eq!(arm(&metric["arms"], "control").get("comparison"), None);
    let nobody = results(&flags, &format!("{EXPERIMENT}?metric=unheard")).gives(200).json();
    assert_eq!(arm(&nobody["metric"]["arms"], "new")["verdict"], "no_data");
}

/// Late starts fall from 50 % to 10 % of the people. The server knows that lower is better without
/// a parameter.
fn evaluates_a_declared_metric_as_declared(engine: Engine) {
    let mut document = super::fixture::everything();
    document["metrics"] = json!([
        {"key": "late", "direction": "decrease", "kind": "conversion"},
        {"key": "minutes", "direction": "decrease", "kind": "mean", "unit": "min", "max": 600},
        {"key": "orders", "cap": 3},
        {"key": "late-by-orders", "direction": "decrease", "kind": "ratio", "denominator": "orders"}
    ]);
    for flag in document["flags"].as_array_mut().expect("flags") {
        if flag["key"] == "tested" {
            let experiment = &mut flag["rules"][0]["serve"]["experiment"];
            experiment["goal"] = json!("late");
            experiment["guardrails"] = json!(["orders"]);
        }
    }
    let flags = Flags::serving(engine, &document);
    report_exposures(&flags, "control", 0..200);
    report_exposures(&flags, "new", 0..200);
    let mut values = Vec::new();
    let mut add = |metric: &str, unit: String, value: f64| {
        let mut one = measured(&format!("{metric}{}", values.len()), &unit, value);
        one["metric"] = json!(metric);
        values.push(one);
    };
    for i in 0..200 {
        for (arm, late_of_ten) in [("control", 5), ("new", 1)] {
            let unit = || format!("{arm}{i}");
            let is_late = i % 10 < late_of_ten;
            // A person counts as late once. Values for punctual people are reported too.
            add("late", unit(), f64::from(u8::from(is_late)));
            add("late", unit(), f64::from(u8::from(is_late)));
            add("late-by-orders", unit(), f64::from(u8::from(is_late)));
            add("orders", unit(), 4.0 + f64::from(i % 3));
            if is_late {
                add("minutes", unit(), 10.0 + f64::from(i % 4));
            }
        }
    }
    for some in values.chunks(500) {
        report(&flags, METRICS, some).gives(202);
    }
    let of = |metric: &str| {
        let path = format!("{EXPERIMENT}?metric={metric}&goal=higher&measure=mean");
        results(&flags, &path).gives(200).json()["metric"].clone()
    };
    let result = results(&flags, EXPERIMENT).gives(200).json();
    assert_eq!((&result["goal"], &result["guardrails"]), (&json!("late"), &json!(["orders"])));
    assert_eq!(
        result["metric"],
        of("late"),
        "the declared goal applies, whatever the parameter is"
    );
    let late = &result["metric"];
    assert_eq!((&late["direction"], &late["kind"]), (&json!("decrease"), &json!("conversion")));
    assert_eq!((&late["declared"], &late["role"]), (&json!(true), &json!("goal")));
    let mean =
        |metric: &Value, name: &str| arm(&metric["arms"], name)["mean"].as_f64().expect("a number");
    assert!((mean(late, "control") - 0.5).abs() < 1e-9 && (mean(late, "new") - 0.1).abs() < 1e-9);
    assert_eq!(arm(&late["arms"], "new")["verdict"], "better");
    let minutes = of("minutes");
    assert_eq!((&minutes["kind"], &minutes["unit"]), (&json!("mean"), &json!("min")));
    assert!(mean(&minutes, "new") > 9.9, "punctual people do not count as 0 minutes late");
    assert_eq!(arm(&minutes["arms"], "new")["units"], 200);
    let orders = of("orders");
    assert_eq!((mean(&orders, "control"), mean(&orders, "new")), (3.0, 3.0), "capped");
    assert_eq!((&orders["role"], &orders["kind"]), (&json!("guardrail"), &json!("sum")));
    let ratio = of("late-by-orders");
    assert!((mean(&ratio, "control") - 100.0 / 999.0).abs() < 0.001, "{ratio}");
    assert_eq!(arm(&ratio["arms"], "new")["verdict"], "better");
    let undeclared = of("pay");
    assert_eq!((&undeclared["declared"], &undeclared["kind"]), (&json!(false), &json!("sum")));
    assert_eq!((&undeclared["direction"], undeclared.get("role")), (&json!("increase"), None));
}

/// People differ from each other far more than the arms do. Only the values from before the
/// experiment reveal the difference.
fn adjusts_for_values_from_before_the_experiment(engine: Engine) {
    let flags = Flags::start(engine);
    report_exposures(&flags, "control", 0..100);
    report_exposures(&flags, "new", 0..100);
    let mut values = Vec::new();
    for i in 0..100 {
        let own = f64::from(i % 10) * 100.0;
        for (unit, effect) in [("control", 0.0), ("new", 3.0)] {
            let noise = f64::from((i * 7) % 5);
            values.push(measured(
                &format!("{unit}a{i}"),
                &format!("{unit}{i}"),
                own + effect + noise,
            ));
            let mut before = measured(&format!("{unit}b{i}"), &format!("{unit}{i}"), own);
            before["at"] = json!("2024-05-01T09:30:00Z");
            values.push(before);
        }
    }
    report(&flags, METRICS, &values).gives(202);
    let path = format!("{EXPERIMENT}?metric=orders");
    let metric = results(&flags, &path).gives(200).json()["metric"].clone();
    assert_eq!(metric["adjusted"], true);
    let new = arm(&metric["arms"], "new");
    let error = new["comparison"]["difference"]["standardError"].as_f64().expect("a number");
    assert!(error < 1.0, "without the adjustment it would be 40: {error}");
    assert_eq!(new["verdict"], "better");
}

fn returns_results_of_a_holdout(engine: Engine) {
    let flags = Flags::start(engine);
    let mut events = Vec::new();
    let mut values = Vec::new();
    for i in 0..60 {
        for (group, value) in [("HELD_OUT", 1.0), ("COMPARISON", 2.0)] {
            let unit = format!("{group}{i}");
            events.push(in_group(&unit, &unit, group));
            values.push(measured(&unit, &unit, value + f64::from(i % 3) / 10.0));
        }
    }
    report(&flags, EVENTS, &events).gives(202);
    report(&flags, METRICS, &values).gives(202);
    let result = results(&flags, &format!("{HOLDOUT}?metric=orders")).gives(200).json();
    assert_eq!((&result["holdout"], &result["status"]), (&json!("quarter"), &json!("running")));
    assert_eq!(arm(&result["arms"], "HELD_OUT")["units"], 60);
    assert_eq!(result["sampleRatio"]["pValue"], 1.0);
    let metric = &result["metric"];
    assert_eq!(metric["baseline"], "HELD_OUT", "the difference is the effect of the changes");
    let difference = &arm(&metric["arms"], "COMPARISON")["comparison"]["difference"]["value"];
    assert!((difference.as_f64().expect("a number") - 1.0).abs() < 1e-9);
}

fn only_permitted_roles_read_results(engine: Engine) {
    let flags = Flags::start(engine);
    flags.app.add_user("r1", &["rider"]);
    for path in [EXPERIMENT, HOLDOUT] {
        flags.app.get(path).refused(401, "unauthenticated");
        flags.app.get(path).token(&flags.app.token("r1")).refused(403, "permission_denied");
        flags.app.get(path).token(&flags.client).refused(401, "unauthenticated");
    }
    for unknown in ["/api/admin/v1/experiments/nope/results", "/api/admin/v1/holdouts/nope/results"]
    {
        results(&flags, unknown).refused(404, "not_found");
    }
    results(&flags, &format!("{EXPERIMENT}?environment=nowhere")).refused(404, "not_found");
    for bad in ["phase=x", "goal=up", "measure=median"] {
        results(&flags, &format!("{EXPERIMENT}?{bad}")).refused(400, "invalid_parameter");
    }
    // Two environments have the experiment, and the server does not guess one.
    flags.app.import("staging", &super::fixture::everything());
    results(&flags, EXPERIMENT).refused(400, "invalid_parameter");
    results(&flags, &format!("{EXPERIMENT}?environment=staging")).gives(200);
}

fn erasure_removes_a_person_from_results(engine: Engine) {
    let flags = Flags::start(engine);
    flags.app.add_user("u1", &["rider"]);
    report(&flags, EVENTS, &[took_part("e1", "u1", "new"), took_part("e2", "u2", "new")])
        .gives(202);
    assert_eq!(results(&flags, EXPERIMENT).gives(200).json()["units"], 2);
    flags.app.command(&["user", "erase", "--id", "u1"]).expect_success();
    assert_eq!(results(&flags, EXPERIMENT).gives(200).json()["units"], 1);
}

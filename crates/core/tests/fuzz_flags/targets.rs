use musette_core::flags::{
    ApiVersion, Context, Diagnostic, Document, Evaluation, EvaluationInputs, ExplanationKind,
    NoStickyAssignments, Snapshot, import,
};
use musette_core::instant::Instant;
use serde_json::json;

use super::fuzz;

const DEMO: &str = include_str!("../../../../demo/flags.json");
/// Attributes of each type, as `both_ways` declares them.
const PEOPLE: [&str; 3] = [
    r#"{"s":"UY","n":12.5,"b":true,"v":"7.2.0-rc.1+5","d":"2026-11-21T09:00:00Z","i":"192.0.2.7","ss":["a","b"],"nn":[1,2.5],"userId":"u1"}"#,
    r#"{"s":"","n":-1e3,"b":false,"v":"v1","d":"soon","i":"2001:db8::1","ss":[],"nn":[],"userId":7}"#,
    r#"{"s":null,"n":"12","b":1,"ss":"a","unknown":{"deep":[{"a":[]}]},"userId":null}"#,
];

fn moment() -> EvaluationInputs<'static> {
    EvaluationInputs { now: Instant::from_millis(1_795_000_000_000), sticky: &NoStickyAssignments }
}

/// Checks that an accepted document survives writing and reading, and can be evaluated.
fn check_document(document: &Document, attributes: &str) {
    let again = Document::parse(&document.to_json()).expect("what was written can be read");
    assert_eq!(&again, document);
    let snapshot = Snapshot::compile(document).expect("what can be read can be compiled");
    let Ok(context) = snapshot.context(attributes) else { return };
    for flag in snapshot.flags() {
        let evaluation = snapshot.evaluate(flag, &context, &moment());
        let (explained, _) = snapshot.explain(flag, &context, &moment());
        assert_eq!(evaluation.kind(), explained.kind());
        assert_eq!(evaluation.variation(), explained.variation());
        check_results(&evaluation);
        let served = evaluation.variation().map(|served| served.json);
        assert!(
            served.is_some()
                || matches!(
                    evaluation.kind(),
                    ExplanationKind::Off | ExplanationKind::PrerequisiteFailed
                )
        );
    }
}

/// Checks that each result is JSON, and returns the result of version 3.
fn check_results(evaluation: &Evaluation<'_>) -> Vec<u8> {
    let mut ofrep = Vec::new();
    evaluation.write_ofrep(&mut ofrep);
    let versions = [ApiVersion::V1, ApiVersion::V2, ApiVersion::V3].map(|version| {
        let mut out = Vec::new();
        evaluation.write(version, &mut out);
        out
    });
    for answer in versions.iter().chain([&ofrep]) {
        let read: serde_json::Value = serde_json::from_slice(answer).expect("an answer is JSON");
        assert!(read.is_object());
    }
    let [_, _, version_3] = versions;
    version_3
}

/// Checks that each error has a valid pointer, a code and a detail.
fn check_errors(errors: &[Diagnostic]) {
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.pointer.is_empty() || error.pointer.starts_with('/'), "{error}");
        assert!(!error.code.is_empty() && !error.detail.is_empty(), "{error}");
    }
}

/// A document with one of each kind of object.
const SMALL: &str = r#"{"schema":"musette.flags/1","environment":"test","version":3,"attributes":[{"name":"n","type":"number"}],"segments":[{"key":"seg","match":{"any":[{"attr":"n","op":"lt","value":5}]}}],"layers":[{"key":"lay","salt":"l","slots":[{"experiment":"exp","from":0,"to":60000}]}],"holdouts":[{"key":"hold","salt":"h","unit":"userId","percent":12.5,"status":"running","priority":1,"scope":"experiments","applies":{"mode":"selected","flags":["f"],"tags":["t"]},"population":{"segment":"seg"},"schedule":{"startAt":"2026-10-01T00:00:00Z","analysisAt":null,"stopAt":null}}],"flags":[{"key":"f","type":"json","tags":["t"],"variations":[{"key":"a","value":{"x":[1,null]}},{"key":"b","value":2}],"offVariation":null,"defaultVariation":"a","baselineVariation":"b","prerequisites":[{"flag":"g","in":["on"]}],"overrides":[{"unit":"userId","id":"u1","variation":"b"}],"rules":[{"id":"r1","when":{"not":{"segment":"seg"}},"serve":{"experiment":{"key":"exp","layer":"lay","unit":"userId","fallbackUnit":"anonymousId","seed":"s","coverage":90000,"weights":{"a":40000,"b":60000},"sticky":true,"bucketVersion":2,"minBucketVersion":1,"phase":1,"status":"running"}}},{"id":"r2","serve":{"rollout":{"unit":"key","steps":[{"percent":0.5},{"at":"2026-11-01T00:00:00Z","percent":50}],"variation":"b"}}}]},{"key":"g","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on"}]}"#;

#[test]
fn configurations() {
    let words =
        ["\"all\"", "\"any\"", "\"percent\"", "\"userId\"", "\"quest-cards\"", "\"on\"", "0.0005"];
    assert!(Document::parse(SMALL).is_ok(), "{:?}", Document::parse(SMALL));
    fuzz(&[SMALL, SMALL, SMALL, DEMO], &words, |text| match Document::parse(text) {
        Ok(document) => check_document(&document, PEOPLE[0]),
        Err(errors) => check_errors(&errors),
    });
}

/// Returns a document with a flag for people who meet the condition and one for people who do not.
/// Exactly one of them is on.
fn both_ways(condition: &str) -> String {
    let flag = |key: &str, when: &str| {
        format!(
            r#"{{"key":"{key}","type":"boolean","defaultVariation":"off","rules":[{{"id":"r","when":{when},"serve":{{"variation":"on"}}}}],"variations":[{{"key":"on","value":true}},{{"key":"off","value":false}}]}}"#
        )
    };
    let attributes = [
        ("s", "string"),
        ("n", "number"),
        ("b", "boolean"),
        ("v", "semver"),
        ("d", "date"),
        ("i", "ip"),
        ("ss", "string[]"),
        ("nn", "number[]"),
    ];
    let attributes = attributes.map(|(name, r#type)| json!({ "name": name, "type": r#type }));
    format!(
        r#"{{"schema":"musette.flags/1","environment":"test","version":1,"attributes":{},"segments":[{{"key":"seg","match":{{"attr":"s","op":"eq","value":"UY"}}}}],"layers":[],"holdouts":[],"flags":[{},{}]}}"#,
        json!(attributes),
        flag("yes", condition),
        flag("no", &format!(r#"{{"not":{condition}}}"#)),
    )
}

const CONDITIONS: [&str; 12] = [
    r#"{"all":[{"attr":"s","op":"in","values":["UY","DE","é😀"]},{"not":{"segment":"seg"}}]}"#,
    r#"{"any":[{"attr":"n","op":"between","values":[-5,12.5]},{"attr":"n","op":"gte","value":9007199254740991}]}"#,
    r#"{"attr":"s","op":"matches","value":"^(a|b)*[\\d]{2,5}\\p{L}?$"}"#,
    r#"{"attr":"v","op":"semver_gte","value":"7.2.0-rc.1"}"#,
    r#"{"attr":"d","op":"before","value":"2026-11-21T09:00:00.000+02:00"}"#,
    r#"{"attr":"i","op":"cidr","values":["192.0.2.0/24","2001:db8::/32"]}"#,
    r#"{"attr":"ss","op":"has_all","values":["a","b"]}"#,
    r#"{"attr":"nn","op":"has_any","values":[2.5,3]}"#,
    r#"{"attr":"b","op":"ne","value":true}"#,
    r#"{"attr":"s","op":"not_contains","value":"U"}"#,
    r#"{"attr":"userId","op":"exists"}"#,
    r#"{"attr":"s","op":"starts","value":""}"#,
];

#[test]
fn conditions() {
    let words = [
        "\"eq\"",
        "\"lt\"",
        "\"cidr\"",
        "\"exists\"",
        "\"value\"",
        "\"values\"",
        "\"nn\"",
        "\"seg\"",
        "/0",
        "/129",
    ];
    fuzz(&CONDITIONS, &words, |text| {
        let document = match Document::parse(&both_ways(text)) {
            Ok(document) => document,
            Err(errors) => return check_errors(&errors),
        };
        let snapshot = Snapshot::compile(&document).expect("what can be read can be compiled");
        for person in PEOPLE {
            let context = snapshot.context(person).expect("attributes");
            let on = |key: &str| {
                let flag = snapshot.flag(key).expect(key);
                snapshot.evaluate(flag, &context, &moment()).kind() != ExplanationKind::Default
            };
            // The damage may extend beyond the condition and remove the second flag.
            if document.flags.len() == 2
                && snapshot.flag("no").is_some()
                && snapshot.flag("yes").is_some()
            {
                assert_ne!(on("yes"), on("no"), "{person}");
            }
        }
    });
}

/// Each text has two versions with `|` between: an attribute, and the operand that it is compared
/// with.
#[test]
fn versions() {
    let seeds = [
        "1.2.3|1.2.4",
        "1.0.0-alpha|1.0.0-alpha.1",
        "1.0.0-alpha.beta|1.0.0-beta.11",
        "1.0.0-rc.1|1.0.0",
        "2.0.0+build.1|2.0.0+build.2",
        "0.0.0-0.x-y.-|0.0.0-0.x-y.--",
        "99999999999999999999.0.0|1.0.0",
    ];
    let words =
        [".", "-", "+", "|", "00", "v", "-rc", "18446744073709551615", "18446744073709551616"];
    fuzz(&seeds, &words, |text| {
        let Some((attribute, operand)) = text.split_once('|') else { return };
        let is = |op: &str, attribute: &str, operand: &str| {
            let condition = json!({ "attr": "v", "op": op, "value": operand }).to_string();
            let document = Document::parse(&both_ways(&condition)).ok()?;
            let snapshot = Snapshot::compile(&document).expect("what can be read can be compiled");
            let attributes = json!({ "v": attribute }).to_string();
            let context = snapshot.context(&attributes).ok()?;
            let flag = snapshot.flag("yes").expect("a flag");
            Some(snapshot.evaluate(flag, &context, &moment()).kind() != ExplanationKind::Default)
        };
        let Some(less) = is("semver_lt", attribute, operand) else { return };
        let [equal, more, at_most, at_least] =
            ["semver_eq", "semver_gt", "semver_lte", "semver_gte"]
                .map(|op| is(op, attribute, operand).expect("the same operand"));
        let holding = [less, equal, more].iter().filter(|holds| **holds).count();
        // None of them is true if the attribute is not a version.
        let is_version = is("semver_eq", attribute, attribute).is_some();
        assert_eq!(holding, usize::from(is_version));
        assert_eq!((at_most, at_least), (less || equal, more || equal));
        if is_version {
            assert_eq!(
                is("semver_gt", operand, attribute),
                Some(less),
                "with the operands swapped"
            );
        }
    });
}

#[test]
fn attributes() {
    let document = Document::parse(DEMO).expect("the demo");
    let snapshot = Snapshot::compile(&document).expect("the demo");
    let seed = r#"{"userId":"r1","anonymousId":"a","town":"Port Merrow","appVersion":"3.2.0","hoursThisWeek":31.5,"mentor":true,"ridingSince":"2026-09-02T00:00:00Z","zoneIds":["merrow-quay","x\u00e9\ud83d\ude00"],"other":{"a":[1,{"b":null}]}}"#;
    let usual_context = snapshot.context(seed).expect("attributes");
    let fingerprint =
        |flag, context: &Context<'_>| snapshot.fingerprint([flag], context, &moment());
    fuzz(&[seed, PEOPLE[0], "{}"], &["\"userId\"", "\"zoneIds\"", "\"appVersion\""], |text| {
        let Ok(context) = snapshot.context(text) else { return };
        let read: serde_json::Value = serde_json::from_str(text).expect("what we take is JSON");
        assert!(read.is_object());
        for flag in snapshot.flags() {
            let evaluation = snapshot.evaluate(flag, &context, &moment());
            assert!(evaluation.variation().is_some());
            let usual = snapshot.evaluate(flag, &usual_context, &moment());
            // A response with status 304 relies on the fingerprint.
            if check_results(&evaluation) != check_results(&usual) {
                assert_ne!(fingerprint(flag, &context), fingerprint(flag, &usual_context));
            }
        }
    });
}

#[test]
fn documents_of_others() {
    let unleash = r#"{"features":[{"name":"f","enabled":true,"dependencies":[{"feature":"g","variants":["a"]}],"strategies":[{"name":"flexibleRollout","parameters":{"rollout":"12","stickiness":"default"},"segments":[1],"constraints":[{"contextName":"x","operator":"STR_ENDS_WITH","values":["a"],"caseInsensitive":true},{"contextName":"y","operator":"NUM_GT","value":"3","inverted":true}]}]},{"name":"g","enabled":true,"variants":[{"name":"a","weight":500,"payload":{"type":"json","value":"{}"},"overrides":[{"contextName":"userId","values":["1"]}]},{"name":"b","weight":500,"payload":{"type":"json","value":"1"}}]}],"segments":[{"id":1,"constraints":[{"contextName":"z","operator":"SEMVER_LT","value":"1.0.0"}]}]}"#;
    let growthbook = r#"{"features":{"f":{"defaultValue":"a","rules":[{"parentConditions":[{"id":"g","condition":{"value":true},"gate":true}]},{"id":"x","condition":{"$or":[{"a":{"$in":["b"]}},{"c":{"$vgt":"1.2.3"}}]},"variations":["a","b"],"weights":[0.2,0.8],"coverage":0.5,"namespace":["n",0,0.3],"hashAttribute":"id","bucketVersion":2},{"force":"c","coverage":0.25}]},"g":{"defaultValue":true}},"savedGroups":{"s":["1"]}}"#;
    let flagd = r#"{"flags":{"f":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","targeting":{"if":[{"and":[{"$ref":"e"},{"<":[1,{"var":"n"},5]}]},"on",{"fractional":[{"var":"id"},["on",30],["off",70]]}]}}},"$evaluators":{"e":{"in":["@x",{"var":"email"}]}}}"#;
    let words = [
        "\"userId\"",
        "\"$not\"",
        "\"$elemMatch\"",
        "\"if\"",
        "\"random\"",
        "\"f\"",
        "\"g\"",
        "\" \"",
        "0.333",
    ];
    fuzz(&[unleash, growthbook, flagd], &words, |text| {
        let from_unleash = |text: &str| import::unleash(text, "production");
        for import in [from_unleash, import::growthbook, import::flagd] {
            match import(text) {
                Ok(imported) => check_document(&imported.document, PEOPLE[0]),
                Err(errors) => check_errors(&errors),
            }
        }
    });
}

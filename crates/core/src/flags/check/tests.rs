//! Tests that each error has its pointer and code, and that all errors are reported together.

use crate::flags::Document;

/// A document that contains every feature.
const WHOLE: &str = include_str!("tests/whole.json");

fn errors(text: &str) -> Vec<(String, &'static str)> {
    match Document::parse(text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| (error.pointer, error.code)).collect(),
    }
}

/// Returns the whole document with one part replaced, which must occur exactly once.
fn with(part: &str, replacement: &str) -> String {
    assert_eq!(WHOLE.matches(part).count(), 1, "{part} should be there once");
    WHOLE.replacen(part, replacement, 1)
}

#[track_caller]
fn assert_rejected(part: &str, replacement: &str, pointer: &str, code: &str) {
    let errors = errors(&with(part, replacement));
    assert_eq!(errors.len(), 1, "{part} -> {replacement}: {errors:?}");
    assert_eq!((errors[0].0.as_str(), errors[0].1), (pointer, code), "{part} -> {replacement}");
}

#[test]
fn the_whole_document_is_accepted_and_stays_the_same() {
    let document = Document::parse(WHOLE).expect("valid");
    let text = document.to_json();
    let again = Document::parse(&text).expect("what is written can be read");
    assert_eq!(again, document);
    assert_eq!(again.to_json(), text);
}

#[test]
fn rejects_malformed_json_with_its_position() {
    for (text, expected) in [
        ("", "line 1 column 0"),
        ("{\n  \"schema\": }", "line 2 column 13"),
        ("{} {}", "line 1 column 4"),
        (r#"{"a":"\ud800"}"#, "line 1"),
    ] {
        let errors = Document::parse(text).expect_err(text);
        assert_eq!((errors[0].pointer.as_str(), errors[0].code), ("", "malformed_json"), "{text}");
        assert!(errors[0].detail.contains(expected), "{text}: {}", errors[0].detail);
    }
    let deep = format!("{}{}", "[".repeat(40), "]".repeat(40));
    assert_eq!(errors(&deep), [(String::new(), "malformed_json")]);
    let large = " ".repeat((20 << 20) + 1);
    assert_eq!(errors(&large), [(String::new(), "too_large")]);
}

#[test]
fn reports_errors_of_shape() {
    for (part, replacement, pointer, code) in [
        (r#""schema":"musette.flags/1""#, r#""schema":1"#, "/schema", "wrong_type"),
        (r#""environment":"production","#, "", "/environment", "required"),
        (r#""version":412"#, r#""version":-1"#, "/version", "out_of_range"),
        (r#""version":412"#, r#""version":1,"version":2"#, "/version", "duplicate_name"),
        (r#""version":412"#, r#""version":9007199254740993"#, "/version", "number_too_large"),
        (r#""type":"semver""#, r#""type":"version""#, "/attributes/1/type", "unknown_type"),
        (r#""op":"semver_gte""#, r#""op":"newer""#, OP, "unknown_operator"),
        (r#""percent":2.0"#, r#""percent":2.0001"#, "/holdouts/0/percent", "bad_percent"),
        (r#""percent":2.0"#, r#""percent":-1"#, "/holdouts/0/percent", "bad_percent"),
        (r#""percent":2.0"#, r#""percent":"2""#, "/holdouts/0/percent", "wrong_type"),
        (r#""status":"analysis""#, r#""status":"over""#, "/holdouts/1/status", "unknown_status"),
        (r#""scope":"experiments""#, r#""scope":"some""#, "/holdouts/1/scope", "unknown_scope"),
        (r#""mode":"selected""#, r#""mode":"few""#, "/holdouts/1/applies/mode", "unknown_mode"),
        (
            r#""when":{"all":[]},"#,
            r#""when":{"every":[]},"#,
            "/flags/0/rules/1/when",
            "bad_condition",
        ),
        (
            r#""when":{"all":[]},"#,
            r#""when":{"all":[],"any":[]},"#,
            "/flags/0/rules/1/when",
            "bad_condition",
        ),
        (r#""serve":{"variation":"on"}"#, r#""serve":{}"#, "/flags/0/rules/0/serve", "bad_serve"),
        (r#""overrides":["#, r#""overrides":[7,"#, "/flags/0/overrides/0", "wrong_type"),
        (r#""coverage":80000"#, r#""coverage":0.5"#, COVERAGE, "wrong_type"),
        (r#""coverage":80000"#, r#""coverage":4294967296"#, COVERAGE, "out_of_range"),
        (r#""voice":33333"#, r#""voice":"33333""#, WEIGHTS_VOICE, "wrong_type"),
    ] {
        assert_rejected(part, replacement, pointer, code);
    }
}

const OP: &str = "/flags/1/rules/0/when/all/0/op";
const COVERAGE: &str = "/flags/1/rules/0/serve/experiment/coverage";
const WEIGHTS: &str = "/flags/1/rules/0/serve/experiment/weights";
const WEIGHTS_VOICE: &str = "/flags/1/rules/0/serve/experiment/weights/voice";

#[test]
fn reports_errors_of_names() {
    for (part, replacement, pointer, code) in [
        (r#""schema":"musette.flags/1""#, r#""schema":"x""#, "/schema", "unknown_schema"),
        (r#""environment":"production""#, r#""environment":"""#, "/environment", "bad_key"),
        (r#""name":"hours""#, r#""name":"country""#, "/attributes/2/name", "duplicate_key"),
        (r#""name":"spare""#, r#""name":"featureList""#, "/attributes/4/name", "reserved_name"),
        (r#""name":"spare""#, r#""name":" spare""#, "/attributes/4/name", "bad_key"),
        (r#""attr":"country""#, r#""attr":"land""#, SEGMENT_ATTR, "unknown_attribute"),
        (r#"{"segment":"pros"}"#, r#"{"segment":"amateurs"}"#, RULE_SEGMENT, "unknown_segment"),
        (r#""id":"r2""#, r#""id":"r1""#, "/flags/0/rules/1/id", "duplicate_key"),
        (r#""key":"off","value":false"#, r#""key":"on","value":false"#, VARIATION, "duplicate_key"),
        (
            r#""flag":"backend","in":["on"]"#,
            r#""flag":"front","in":["on"]"#,
            "/flags/0/prerequisites/0/flag",
            "unknown_flag",
        ),
        (
            r#""flag":"backend","in":["on"]"#,
            r#""flag":"backend","in":["up"]"#,
            "/flags/0/prerequisites/0/in/0",
            "unknown_variation",
        ),
        (
            r#""flag":"backend","in":["on"]"#,
            r#""flag":"backend","in":[]"#,
            "/flags/0/prerequisites/0/in",
            "empty",
        ),
        (r#""exceptFlags":["backend"]"#, r#""exceptFlags":["x"]"#, EXCEPT, "unknown_flag"),
        (
            r#""layer":"screen","unit":"userId","f"#,
            r#""layer":"sound","unit":"userId","f"#,
            LAYER,
            "unknown_layer",
        ),
        (r#""fallbackUnit":"anonymousId""#, r#""fallbackUnit":"zones""#, FALLBACK, "wrong_type"),
        (
            r#""unit":"userId","id":"qa""#,
            r#""unit":"uid","id":"qa""#,
            OVERRIDE,
            "unknown_attribute",
        ),
    ] {
        // A renamed key is then missing elsewhere, so the list may contain further errors.
        let errors = errors(&with(part, replacement));
        let expected = (pointer.to_owned(), code);
        assert!(errors.contains(&expected), "{part} -> {replacement}: {errors:?}");
    }
}

const SEGMENT_ATTR: &str = "/segments/0/match/all/0/attr";
const RULE_SEGMENT: &str = "/flags/0/rules/0/when/all/0/segment";
const VARIATION: &str = "/flags/0/variations/1/key";
const EXCEPT: &str = "/holdouts/0/applies/exceptFlags/0";
const LAYER: &str = "/flags/1/rules/0/serve/experiment/layer";
const FALLBACK: &str = "/flags/1/rules/0/serve/experiment/fallbackUnit";
const OVERRIDE: &str = "/flags/0/overrides/0/unit";

#[test]
fn reports_errors_of_numbers_and_values() {
    for (part, replacement, pointer, code) in [
        (r#""voice":33333"#, r#""voice":33334"#, WEIGHTS, "bad_weights"),
        (r#""voice":33333"#, r#""sound":33333"#, "", "unknown_variation"),
        (r#""coverage":80000"#, r#""coverage":100001"#, COVERAGE, "out_of_range"),
        (r#""minBucketVersion":0"#, r#""minBucketVersion":2"#, "", "out_of_range"),
        (r#""status":"running","hyp"#, r#""status":"shipped","hyp"#, "", "required"),
        (
            r#""from":0,"to":50000"#,
            r#""from":0,"to":50001"#,
            "/layers/0/slots/1",
            "overlapping_slots",
        ),
        (r#""from":0,"to":50000"#, r#""from":9,"to":9"#, "/layers/0/slots/0", "out_of_range"),
        (r#""percent":2.0"#, r#""percent":50.001"#, "/holdouts/0/percent", "out_of_range"),
        (
            r#""analysisAt":"2026-12-15T00:00:00Z""#,
            r#""analysisAt":"2026-09-15T00:00:00Z""#,
            "",
            "out_of_order",
        ),
        (
            r#""analysisAt":"2026-12-15T00:00:00Z""#,
            r#""analysisAt":"15.12.2026""#,
            "",
            "bad_instant",
        ),
        (r#""at":"2026-11-08T00:00:00Z","#, r#""at":"2026-11-01T00:00:00Z","#, "", "out_of_order"),
        (
            r#""at":"2026-11-08T00:00:00Z","#,
            "",
            "/flags/0/rules/1/serve/rollout/steps/1/at",
            "required",
        ),
        (
            r#""key":"off","value":false"#,
            r#""key":"off","value":0"#,
            "/flags/0/variations/1/value",
            "wrong_type",
        ),
    ] {
        assert_reported(part, replacement, pointer, code);
    }
}

#[test]
fn reports_errors_of_operands() {
    for (part, replacement, pointer, code) in [
        (
            r#""values":["UY"]"#,
            r#""values":["UY",7]"#,
            "/segments/0/match/all/0/values/1",
            "wrong_type",
        ),
        (r#""values":["UY"]"#, r#""value":"UY""#, "/segments/0/match/all/0/value", "bad_operand"),
        (r#""values":["UY"]"#, r#""values":null"#, "/segments/0/match/all/0/values", "required"),
        (
            r#""value":"7.2.0""#,
            r#""value":"7.2""#,
            "/flags/1/rules/0/when/all/0/value",
            "bad_version",
        ),
        (r#""op":"semver_gte""#, r#""op":"before""#, OP, "operator_type"),
        (
            r#""op":"gte","value":10"#,
            r#""op":"between","values":[3,1]"#,
            "/segments/0/match/all/1/values/1",
            "out_of_order",
        ),
        (
            r#""op":"gte","value":10"#,
            r#""op":"starts","value":"1""#,
            "/segments/0/match/all/1/op",
            "operator_type",
        ),
        (r#""op":"in","values":["UY"]"#, r#""op":"matches","value":"("#, "", "malformed_json"),
        (
            r#""op":"in","values":["UY"]"#,
            r#""op":"matches","value":"(""#,
            "/segments/0/match/all/0/value",
            "bad_pattern",
        ),
        (
            r#""op":"in","values":["UY"]"#,
            r#""op":"matches","value":"(a{500}){500}""#,
            "/segments/0/match/all/0/value",
            "bad_pattern",
        ),
    ] {
        assert_reported(part, replacement, pointer, code);
    }
}

/// Asserts that the error is reported, possibly with others, because one change may break several
/// rules. An empty pointer matches any pointer.
#[track_caller]
fn assert_reported(part: &str, replacement: &str, pointer: &str, code: &str) {
    let errors = errors(&with(part, replacement));
    let is_reported = errors
        .iter()
        .any(|(at, reported_code)| (pointer.is_empty() || at == pointer) && *reported_code == code);
    assert!(is_reported, "{part} -> {replacement}: {errors:?}");
}

#[test]
fn reports_all_errors_together_without_their_consequences() {
    let text = with(r#""type":"semver""#, r#""type":7"#)
        .replace(r#""voice":33333"#, r#""voice":[]"#)
        .replace(r#""percent":2.0"#, r#""percent":99"#)
        .replace(r#""attr":"country""#, r#""attr":"land""#);
    assert_eq!(
        errors(&text),
        [
            ("/attributes/1/type".to_owned(), "wrong_type"),
            (WEIGHTS_VOICE.to_owned(), "wrong_type"),
            (SEGMENT_ATTR.to_owned(), "unknown_attribute"),
            ("/holdouts/0/percent".to_owned(), "out_of_range"),
        ]
    );
}

#[test]
fn limits_the_number_of_errors() {
    let many = vec!["7"; 5_000].join(",");
    let text = WHOLE.replacen(r#""flags":["#, &format!(r#""flags":[{many},"#), 1);
    assert_eq!(errors(&text).len(), 1_000);
}

/// Returns a chain of flags with `links` prerequisites. The last flag has `last` as its
/// prerequisite.
fn chain(links: usize, last: &str) -> String {
    let flag = |number: usize| {
        let next = if number == links { last.to_owned() } else { format!("f{}", number + 1) };
        let prerequisites = if next.is_empty() {
            String::new()
        } else {
            format!(r#"{{"flag":"{next}","in":["on"]}}"#)
        };
        format!(
            r#"{{"key":"f{number}","type":"boolean","variations":[{{"key":"on","value":true}}],
               "defaultVariation":"on","prerequisites":[{prerequisites}]}}"#
        )
    };
    let flags: Vec<String> = (0..=links).map(flag).collect();
    format!(r#"{{"schema":"musette.flags/1","environment":"test","flags":[{}]}}"#, flags.join(","))
}

#[test]
fn prerequisites_are_limited_to_eight_levels_without_a_cycle() {
    assert_eq!(errors(&chain(8, "")), []);
    assert_eq!(errors(&chain(9, "")), [("/flags/0/prerequisites".to_owned(), "too_deep")]);
    let cycle = errors(&chain(2, "f0"));
    let codes: Vec<&str> = cycle.iter().map(|(_, code)| *code).collect();
    assert_eq!(codes, ["prerequisite_cycle"; 3]);
    assert_eq!(
        errors(&chain(0, "f0")),
        [("/flags/0/prerequisites".to_owned(), "prerequisite_cycle")]
    );
    // A chain that would overflow the stack in a recursion is measured too.
    assert_eq!(errors(&chain(15_000, "")).len(), 1_000);
}

#[test]
fn rejects_prerequisites_that_multiply() {
    // Five prerequisites each, five levels deep: 3,906 evaluations.
    let mut flags = Vec::new();
    for level in 0..6 {
        for number in 0..5 {
            let prerequisites: Vec<String> = (0..if level == 5 { 0 } else { 5 })
                .map(|i| format!(r#"{{"flag":"f{}-{i}","in":["on"]}}"#, level + 1))
                .collect();
            flags.push(format!(
                r#"{{"key":"f{level}-{number}","type":"boolean","defaultVariation":"on",
                   "variations":[{{"key":"on","value":true}}],"prerequisites":[{}]}}"#,
                prerequisites.join(",")
            ));
        }
    }
    let text = format!(
        r#"{{"schema":"musette.flags/1","environment":"test","flags":[{}]}}"#,
        flags.join(",")
    );
    let actual = errors(&text);
    assert_eq!(actual.len(), 5, "{actual:?}");
    assert!(actual.iter().all(|(_, code)| *code == "too_many"));
}

fn segments(segments: &str) -> Vec<(String, &'static str)> {
    errors(&format!(
        r#"{{"schema":"musette.flags/1","environment":"test","segments":[{segments}]}}"#
    ))
}

#[test]
fn rejects_segments_with_a_cycle_and_segments_that_multiply() {
    let link = |number: usize, next: usize| {
        format!(r#"{{"key":"s{number}","match":{{"segment":"s{next}"}}}}"#)
    };
    let end =
        |number: usize| format!(r#"{{"key":"s{number}","match":{{"attr":"key","op":"exists"}}}}"#);
    let chain = |links: usize| {
        let mut all: Vec<String> = (0..links).map(|i| link(i, i + 1)).collect();
        all.push(end(links));
        all.join(",")
    };
    assert_eq!(segments(&chain(7)), []);
    assert_eq!(segments(&chain(8)), [("/segments/0/match".to_owned(), "too_deep")]);
    let cycle = segments(&[link(0, 1), link(1, 0)].join(","));
    assert_eq!(cycle.iter().map(|error| error.1).collect::<Vec<_>>(), ["segment_cycle"; 2]);
    // Each segment names the next one ten times, five levels deep: 100,000 tests.
    let wide = |number: usize| {
        let parts = vec![format!(r#"{{"segment":"s{}"}}"#, number + 1); 10].join(",");
        format!(r#"{{"key":"s{number}","match":{{"any":[{parts}]}}}}"#)
    };
    let mut all: Vec<String> = (0..5).map(wide).collect();
    all.push(end(5));
    let errors = segments(&all.join(","));
    assert_eq!(errors.iter().map(|error| error.1).collect::<Vec<_>>(), ["too_many"; 2]);
    // A chain that would overflow the stack in a recursion is rejected too.
    assert!(segments(&chain(20_000)).iter().all(|(_, code)| *code == "too_deep"));
}

#[test]
fn rejects_numbers_that_only_a_program_could_create() {
    let mut document = Document::parse(WHOLE).expect("valid");
    document.flags[2].variations[0].value = crate::flags::Json::Int(1 << 53);
    let errors = crate::flags::Snapshot::compile(&document).expect_err("too large");
    assert_eq!(errors[0].code, "number_too_large");
    assert_eq!(errors[0].pointer, "/flags/2/variations/0/value");
}

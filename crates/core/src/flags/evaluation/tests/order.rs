//! Tests that each cause decides before all later ones.

use super::{ApiVersion, answer, snapshot, write};

/// Causes in the order of evaluation, with the part of a flag that adds each.
const CAUSES: [(&str, &str); 6] = [
    ("OFF flag off", r#""on":false"#),
    ("OVERRIDE override vip", r#""overrides":[{"unit":"userId","id":"u4","variation":"vip"}]"#),
    ("PREREQUISITE_FAILED flag:closed off", r#""prerequisites":[{"flag":"closed","in":["on"]}]"#),
    ("HOLDOUT holdout:everyone base", r#""tags":["held"]"#),
    ("RULE rule:r1 ruled", r#""rules":[{"id":"r1","serve":{"variation":"ruled"}}]"#),
    ("DEFAULT default rest", r#""owner":"nobody""#),
];

#[test]
fn each_cause_decides_before_every_later_one() {
    for (earlier, (first, first_part)) in CAUSES.iter().enumerate() {
        for (_, second_part) in &CAUSES[earlier + 1..] {
            let snapshot = snapshot(&format!(
                r#""holdouts":[{{"key":"everyone","unit":"userId","percent":50,
                    "applies":{{"mode":"selected","tags":["held"]}}}}],
                "flags":[
                  {{"key":"closed","type":"boolean","variations":[{{"key":"on","value":true}},
                    {{"key":"off","value":false}}],"defaultVariation":"off"}},
                  {{"key":"it","type":"string","variations":[{{"key":"off","value":"o"}},
                    {{"key":"vip","value":"v"}},{{"key":"base","value":"b"}},
                    {{"key":"ruled","value":"r"}},{{"key":"rest","value":"d"}}],
                    "offVariation":"off","defaultVariation":"rest","baselineVariation":"base",
                    {first_part},{second_part}}}]"#
            ));
            // u4 falls into the held-out half.
            assert_eq!(answer(&snapshot, "it", r#"{"userId":"u4"}"#), *first, "{second_part}");
        }
    }
}

#[test]
fn writes_a_minimal_flag_in_three_versions() {
    let snapshot = snapshot(
        r#""version":412,"flags":[{"key":"a","type":"json","defaultVariation":"x",
           "variations":[{"key":"x","value":{"b":[1,2.5,"ü"],"a":null}}]}]"#,
    );
    for (version, expected) in [
        (
            ApiVersion::V1,
            r#"{"variation":{"b":[1,2.5,"ü"],"a":null},"explanation":{"kind":"DEFAULT","from":"default"}}"#,
        ),
        (
            ApiVersion::V2,
            r#"{"variation":{"b":[1,2.5,"ü"],"a":null},"abTest":false,"explanation":{"kind":"DEFAULT","from":"default"},"relevantContext":[]}"#,
        ),
        (
            ApiVersion::V3,
            r#"{"variation":{"b":[1,2.5,"ü"],"a":null},"abTest":false,"explanation":{"kind":"DEFAULT","from":"default"},"relevantContext":[],"holdoutsEvaluations":[],"variationKey":"x","version":412}"#,
        ),
    ] {
        assert_eq!(write(&snapshot, "a", "{}", version), expected);
    }
}

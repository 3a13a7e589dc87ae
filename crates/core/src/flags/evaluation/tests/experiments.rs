use super::{ExplanationKind, NOW, StoredAssignments, describe, snapshot};
use crate::flags::bucket::Draw;
use crate::flags::{Assignment, EvaluationInputs, Snapshot};

fn with(experiment: &str, layers: &str) -> Snapshot {
    snapshot(&format!(
        r#""layers":[{layers}],"flags":[{{"key":"f","type":"string","salt":"f",
          "variations":[{{"key":"a","value":"A"}},{{"key":"b","value":"B"}},{{"key":"c","value":"C"}},
            {{"key":"rest","value":"R"}}],
          "defaultVariation":"rest","rules":[{{"id":"r","serve":{{"experiment":{{
            "key":"e","seed":"s","unit":"userId",{experiment}}}}}}}]}}]"#
    ))
}

const THIRDS: &str = r#""weights":{"c":30000,"a":50000,"b":20000}"#;

/// Returns the key of the variation, and whether an experiment decided.
fn draw(snapshot: &Snapshot, unit: &str) -> (String, bool) {
    let attributes = format!(r#"{{"userId":"{unit}"}}"#);
    let context = snapshot.context(&attributes).expect("attributes");
    let moment = EvaluationInputs { now: NOW, sticky: &super::NoStickyAssignments };
    let answer = snapshot.evaluate(snapshot.flag("f").expect("a flag"), &context, &moment);
    (answer.variation().expect("one").key.to_owned(), answer.kind() == ExplanationKind::AbTest)
}

#[test]
fn weights_divide_the_buckets_in_the_order_of_the_variations() {
    let snapshot = with(THIRDS, "");
    let split = Draw::split("s");
    for number in 0..20_000 {
        let unit = format!("u{number}");
        let expected = match split.bucket(&unit) {
            0..50_000 => "a",
            50_000..70_000 => "b",
            _ => "c",
        };
        assert_eq!(draw(&snapshot, &unit), (expected.to_owned(), true), "{unit}");
    }
}

#[test]
fn coverage_uses_the_rollout_draw_and_does_not_change_the_split() {
    let (all, some) = (with(THIRDS, ""), with(&format!(r#"{THIRDS},"coverage":30000"#), ""));
    let cover = Draw::rollout("f", "r");
    for number in 0..20_000 {
        let unit = format!("u{number}");
        let expected = if cover.bucket(&unit) < 30_000 {
            draw(&all, &unit)
        } else {
            ("rest".to_owned(), false)
        };
        assert_eq!(draw(&some, &unit), expected, "{unit}");
    }
}

#[test]
fn only_units_in_the_slots_of_a_layer_take_part() {
    let other = r#"{"key":"g","type":"boolean","variations":[{"key":"on","value":true}],
        "defaultVariation":"on","rules":[{"id":"r","serve":{"experiment":{"key":"other","layer":"l",
        "weights":{"on":100000}}}}]}"#;
    let snapshot = snapshot(&format!(
        r#""layers":[{{"key":"l","salt":"L","slots":[{{"experiment":"e","from":0,"to":20000}},
             {{"experiment":"other","from":20000,"to":90000}},
             {{"experiment":"e","from":90000,"to":100000}}]}}],
           "flags":[{{"key":"f","type":"string","variations":[{{"key":"a","value":"A"}},
             {{"key":"rest","value":"R"}}],"defaultVariation":"rest","rules":[{{"id":"r","serve":{{
             "experiment":{{"key":"e","layer":"l","unit":"userId","weights":{{"a":100000}}}}}}}}]}},{other}]"#
    ));
    let layer = Draw::layer("L");
    for number in 0..5_000 {
        let unit = format!("u{number}");
        let is_in = !(20_000..90_000).contains(&layer.bucket(&unit));
        assert_eq!(draw(&snapshot, &unit).1, is_in, "{unit}");
    }
}

#[test]
fn each_status_serves_the_right_variation() {
    for (part, expected) in [
        (r#""status":"running""#, "AB_TEST experiment:e a"),
        (r#""status":"draft""#, "DEFAULT default rest"),
        (r#""status":"stopped""#, "DEFAULT default rest"),
        (r#""status":"shipped","winner":"b","coverage":0"#, "RULE rule:r b"),
    ] {
        let snapshot = with(&format!(r#""weights":{{"a":100000}},{part}"#), "");
        let context = snapshot.context(r#"{"userId":"u"}"#).expect("attributes");
        let flag = snapshot.flag("f").expect("a flag");
        assert_eq!(describe(&snapshot.evaluate(flag, &context, &super::at(NOW))), expected);
    }
}

/// Returns `variation kind=unit sticky`, then the assignment to store.
fn evaluate_sticky(
    snapshot: &Snapshot,
    attributes: &str,
    sticky: &StoredAssignments,
) -> (String, String) {
    let context = snapshot.context(attributes).expect("attributes");
    let flag = snapshot.flag("f").expect("a flag");
    let answer = snapshot.evaluate(flag, &context, &EvaluationInputs { now: NOW, sticky });
    let part = answer.experiment().map_or("-".to_owned(), |part| {
        assert_eq!((part.key, part.phase, part.bucket_version), ("e", 4, 3));
        assert_eq!(part.variation, answer.variation().expect("one").key);
        format!("{} {}={} {}", part.variation, part.unit_kind, part.unit, part.sticky)
    });
    let assign = answer.assign().map_or("-".to_owned(), |assignment| {
        let Assignment { experiment, unit_kind, unit, variation, bucket_version, copied } =
            assignment;
        assert_eq!((experiment, bucket_version), ("e", 3));
        format!("{variation} {unit_kind}={unit} {copied}")
    });
    (part, assign)
}

#[test]
fn a_stored_assignment_decides_and_is_copied_from_applicant_to_rider() {
    // New users get c. Only a stored assignment gives another variation.
    let snapshot = with(
        r#""weights":{"c":100000},"fallbackUnit":"anonymousId","sticky":true,"bucketVersion":3,
           "minBucketVersion":2,"phase":4"#,
        "",
    );
    let stored = |list: &[(&str, &str, &str, u32)]| {
        list.iter().fold(StoredAssignments::default(), |all, (kind, unit, variation, version)| {
            all.with(["e", kind, unit], variation, *version)
        })
    };
    let both = r#"{"userId":"u","anonymousId":"x"}"#;
    let anonymous = r#"{"anonymousId":"x"}"#;
    let (user, other) = ("userId", "anonymousId");
    for (attributes, remembered, part, assign) in [
        // There is no stored assignment.
        (both, stored(&[]), "c userId=u false", "c userId=u false"),
        (anonymous, stored(&[]), "c anonymousId=x false", "c anonymousId=x false"),
        ("{}", stored(&[]), "-", "-"),
        // The assignment of the own unit wins over that of the fallback unit.
        (both, stored(&[(user, "u", "a", 3)]), "a userId=u true", "-"),
        (both, stored(&[(user, "u", "a", 3), (other, "x", "b", 3)]), "a userId=u true", "-"),
        (anonymous, stored(&[(other, "x", "b", 3)]), "b anonymousId=x true", "-"),
        // The applicant became a rider.
        (both, stored(&[(other, "x", "b", 3)]), "b userId=u true", "b userId=u true"),
        // The bucket version was increased, so the user is drawn again.
        (both, stored(&[(user, "u", "a", 2)]), "c userId=u false", "c userId=u false"),
        (both, stored(&[(other, "x", "b", 2)]), "c userId=u false", "c userId=u false"),
        // The assignment is too old: the user is excluded and not drawn again.
        (both, stored(&[(user, "u", "a", 1)]), "-", "-"),
        (both, stored(&[(other, "x", "b", 1)]), "-", "-"),
        (both, stored(&[(user, "u", "a", 3), (other, "x", "b", 1)]), "a userId=u true", "-"),
        // The variation was removed.
        (both, stored(&[(user, "u", "z", 3)]), "c userId=u false", "c userId=u false"),
        // An assignment of a later version than the configuration's is not overwritten.
        (both, stored(&[(user, "u", "a", 9)]), "c userId=u false", "-"),
    ] {
        let actual = evaluate_sticky(&snapshot, attributes, &remembered);
        assert_eq!(actual, (part.to_owned(), assign.to_owned()), "{attributes} {remembered:?}");
    }
}

#[test]
fn a_stored_assignment_ignores_coverage_but_not_conditions() {
    let sticky = r#""weights":{"a":100000},"sticky":true,"coverage":0"#;
    let remembered = StoredAssignments::default().with(["e", "userId", "u"], "b", 1);
    let moment = EvaluationInputs { now: NOW, sticky: &remembered };
    let snapshot = with(sticky, "");
    let context = snapshot.context(r#"{"userId":"u"}"#).expect("attributes");
    let flag = snapshot.flag("f").expect("a flag");
    assert_eq!(describe(&snapshot.evaluate(flag, &context, &moment)), "AB_TEST experiment:e b");
    assert_eq!(
        describe(&snapshot.evaluate(flag, &context, &super::at(NOW))),
        "DEFAULT default rest"
    );

    let narrowed = super::snapshot(
        r#""flags":[{"key":"f","type":"string","variations":[{"key":"b","value":"B"},
            {"key":"rest","value":"R"}],"defaultVariation":"rest","rules":[{"id":"r",
            "when":{"attr":"email","op":"exists"},"serve":{"experiment":{"key":"e","unit":"userId",
            "weights":{"b":100000},"sticky":true}}}]}]"#,
    );
    let context = narrowed.context(r#"{"userId":"u"}"#).expect("attributes");
    let flag = narrowed.flag("f").expect("a flag");
    assert_eq!(describe(&narrowed.evaluate(flag, &context, &moment)), "DEFAULT default rest");
}

#[test]
fn experiments_without_sticky_use_and_return_no_assignments() {
    let snapshot = with(r#""weights":{"a":100000},"fallbackUnit":"anonymousId""#, "");
    let remembered = StoredAssignments::default().with(["e", "userId", "u"], "b", 1);
    let moment = EvaluationInputs { now: NOW, sticky: &remembered };
    let context = snapshot.context(r#"{"userId":"u","anonymousId":"x"}"#).expect("attributes");
    let answer = snapshot.evaluate(snapshot.flag("f").expect("a flag"), &context, &moment);
    assert_eq!((describe(&answer).as_str(), answer.assign()), ("AB_TEST experiment:e a", None));
}

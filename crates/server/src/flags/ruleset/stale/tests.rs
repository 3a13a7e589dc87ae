use musette_core::flags::{
    Applies, Document, Flag, Holdout, HoldoutStatus, MetricRoles, Mode, Percent, Rollout, Rule,
    Schedule, Scope, Serve, Step,
};
use musette_core::instant::Instant;
use musette_store::FlagUsage;

use super::{StaleReason, stale};
use crate::flags::ruleset::diff::tests::{document, flag};

const NOW: Instant = Instant::from_millis(1_800_000_000_000);

fn used(flag: &str, variation: &str) -> FlagUsage {
    FlagUsage {
        environment: "e".into(),
        flag: flag.into(),
        day: 1,
        variation: variation.into(),
        count: 7,
    }
}

fn describe_stale(
    document: &Document,
    before: Option<&Document>,
    usage: &[FlagUsage],
) -> Vec<(String, Vec<StaleReason>)> {
    let flags = stale(document, before, usage, NOW);
    flags.into_iter().map(|flag| (flag.flag, flag.reasons)).collect()
}

fn rollout(percent: u32, at: &str) -> Rule {
    let percent = Percent::from_thousandths(percent).expect("in range");
    let steps = vec![Step { at: Some(at.into()), percent }];
    let serve = Serve::Rollout(Rollout { unit: "key".into(), steps, variation: "b".into() });
    Rule { id: "r".into(), name: None, when: musette_core::flags::Condition::always(), serve }
}

fn with_rule(key: &str, rule: Rule) -> Flag {
    Flag { rules: vec![rule], ..flag(key) }
}

fn holdout(mode: Mode) -> Holdout {
    Holdout {
        key: "h".into(),
        description: None,
        salt: "h".into(),
        unit: "key".into(),
        percent: Percent::from_thousandths(2000).expect("in range"),
        status: HoldoutStatus::Running,
        priority: 1,
        scope: Scope::All,
        applies: Applies {
            mode,
            except_flags: vec!["except".into()],
            flags: vec!["selected".into()],
            tags: vec!["tagged".into()],
        },
        population: None,
        schedule: None,
        metrics: MetricRoles::default(),
    }
}

#[test]
fn finds_flags_with_one_value_unused_flags_and_complete_rollouts() {
    let document = document(vec![
        flag("asked"),
        flag("one"),
        flag("unused"),
        flag("new"),
        with_rule("complete", rollout(100_000, "2026-01-01T00:00:00Z")),
        with_rule("half", rollout(50_000, "2026-01-01T00:00:00Z")),
        with_rule("to come", rollout(100_000, "2126-01-01T00:00:00Z")),
        Flag { archived: true, ..flag("archived") },
    ]);
    let mut before = document.clone();
    before.flags.retain(|flag| flag.key != "new");
    let mut usage = vec![used("one", "a")];
    for key in ["asked", "complete", "half", "to come"] {
        usage.extend([used(key, "a"), used(key, "b")]);
    }
    let actual = describe_stale(&document, Some(&before), &usage);
    let expected = [
        ("one", vec![StaleReason::OneValue]),
        ("unused", vec![StaleReason::Unused]),
        ("complete", vec![StaleReason::RolloutComplete]),
    ];
    assert_eq!(actual, expected.map(|(key, reasons)| (key.to_owned(), reasons)));
    let one = &stale(&document, Some(&before), &usage, NOW)[0];
    assert_eq!((one.variation.as_deref(), one.asked), (Some("a"), 7));
    // Without a document of 30 days ago, a flag cannot be reported as unused.
    let actual = describe_stale(&document, None, &usage);
    assert_eq!(actual, [("complete".to_owned(), vec![StaleReason::RolloutComplete])]);
}

#[test]
fn a_running_holdout_keeps_its_flags() {
    let tagged = Flag { tags: vec!["tagged".into()], ..flag("other") };
    let flags = || vec![flag("selected"), flag("except"), tagged.clone()];
    let stale_with = |holdout: Holdout| {
        let document = Document { holdouts: vec![holdout], ..document(flags()) };
        let flags = describe_stale(&document, Some(&document), &[]);
        flags.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    assert_eq!(stale_with(holdout(Mode::Global)), ["except"]);
    assert_eq!(stale_with(holdout(Mode::Selected)), ["except"]);
    let all = ["selected", "except", "other"];
    for status in [HoldoutStatus::Draft, HoldoutStatus::Ended] {
        assert_eq!(stale_with(Holdout { status, ..holdout(Mode::Global) }), all);
    }
    let analysis = Holdout { status: HoldoutStatus::Analysis, ..holdout(Mode::Global) };
    assert_eq!(stale_with(analysis), ["except"], "still held out");
    let experiments = Holdout { scope: Scope::Experiments, ..holdout(Mode::Global) };
    assert_eq!(stale_with(experiments), all, "none of them has an experiment");
    let over = Schedule {
        start_at: None,
        analysis_at: None,
        stop_at: Some("2026-01-01T00:00:00Z".into()),
    };
    assert_eq!(stale_with(Holdout { schedule: Some(over), ..holdout(Mode::Global) }), all);
}

use std::time::Duration;

use proptest::prelude::*;

use super::{PresentedToken, RefreshVerdict, ReuseRules, Rotation, judge};
use crate::instant::Instant;

const NOW: Instant = Instant::from_millis(1_800_000_000_000);
const RULES: ReuseRules = ReuseRules::CONTRACT;

fn ago(millis: i64) -> Option<Instant> {
    Some(Instant::from_millis(NOW.millis() - millis))
}

fn session() -> Rotation<'static> {
    Rotation {
        generation: 7,
        acknowledged_at: None,
        repeats: 0,
        instance: Some("phone"),
        idle_until: NOW.plus(Duration::from_secs(60)),
        absolute_until: NOW.plus(Duration::from_secs(60)),
        ended: false,
    }
}

fn shown(generation: u32, instance: &'static str) -> PresentedToken<'static> {
    PresentedToken { generation, instance: Some(instance) }
}

#[test]
fn decides_each_case_of_the_table() {
    use RefreshVerdict::*;
    let unused = session();
    let used = Rotation { acknowledged_at: ago(1), ..session() };
    for (name, session, shown, expected) in [
        ("current", unused, shown(7, "phone"), Rotate),
        ("current, from anywhere", used, shown(7, "other"), Rotate),
        ("lost answer", unused, shown(6, "phone"), Repeat),
        ("lost answer, other instance", unused, shown(6, "other"), Repeat),
        ("lost answer, often", Rotation { repeats: 99, ..unused }, shown(6, "phone"), Repeat),
        ("race", used, shown(6, "phone"), RepeatCounted),
        ("race, 16th", Rotation { repeats: 15, ..used }, shown(6, "phone"), RepeatCounted),
        ("race, 17th", Rotation { repeats: 16, ..used }, shown(6, "phone"), Reused),
        ("after use, from elsewhere", used, shown(6, "other"), Reused),
        (
            "last moment of the window",
            Rotation { acknowledged_at: ago(29_999), ..used },
            shown(6, "phone"),
            RepeatCounted,
        ),
        (
            "after the window",
            Rotation { acknowledged_at: ago(30_000), ..used },
            shown(6, "phone"),
            Reused,
        ),
        ("two generations old, unused", unused, shown(5, "phone"), Reused),
        ("the very first", unused, shown(0, "phone"), Reused),
        ("ahead of the store", unused, shown(8, "phone"), Ahead),
        ("far ahead", unused, shown(u32::MAX, "phone"), Ahead),
        ("idle", Rotation { idle_until: NOW, ..unused }, shown(7, "phone"), Expired),
        ("too old", Rotation { absolute_until: NOW, ..unused }, shown(7, "phone"), Expired),
        ("idle and reused", Rotation { idle_until: NOW, ..used }, shown(1, "other"), Expired),
        ("ended", Rotation { ended: true, ..unused }, shown(7, "phone"), Ended),
        ("ended, reused", Rotation { ended: true, ..used }, shown(1, "phone"), Ended),
    ] {
        assert_eq!(judge(&session, &shown, &RULES, NOW), expected, "{name}");
    }
}

#[test]
fn a_window_of_zero_accepts_no_race() {
    let used = Rotation { acknowledged_at: ago(0), ..session() };
    let none = ReuseRules { window: Duration::ZERO, ..RULES };
    assert_eq!(judge(&used, &shown(6, "phone"), &none, NOW), RefreshVerdict::Reused);
    assert_eq!(judge(&session(), &shown(6, "phone"), &none, NOW), RefreshVerdict::Repeat);
}

/// Events that may happen to a well-behaved client.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Refreshes, and either receives the response or loses it.
    Refresh {
        lost: bool,
    },
    /// Calls the API with its current access token.
    Use,
    /// Another tab sends the token that the last refresh replaced.
    Race,
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<bool>().prop_map(|lost| Step::Refresh { lost }),
        Just(Step::Use),
        Just(Step::Race),
        (1_u64..20_000).prop_map(Step::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Lost answers, races within the window and waiting never end a session.
    #[test]
    fn a_well_behaved_client_is_never_signed_out(steps in prop::collection::vec(step(), 1..60)) {
        let mut now = NOW;
        let mut server = Rotation {
            absolute_until: NOW.plus(Duration::from_secs(1_000_000)),
            idle_until: NOW.plus(Duration::from_secs(1_000_000)),
            generation: 0,
            ..session()
        };
        let (mut client, mut raced_at) = (0_u32, NOW);
        for step in steps {
            let shown = match step {
                Step::Wait(millis) => { now = now.plus(Duration::from_millis(millis)); continue; }
                Step::Use => {
                    if client == server.generation {
                        server.acknowledged_at.get_or_insert(now);
                    }
                    continue;
                }
                Step::Race => {
                    let in_time = server.acknowledged_at.is_none_or(|at| now < at.plus(RULES.window));
                    if server.generation == 0 || !in_time || server.repeats >= RULES.repeats_max {
                        continue;
                    }
                    raced_at = now;
                    shown(server.generation - 1, "phone")
                }
                Step::Refresh { .. } => shown(client, "phone"),
            };
            match judge(&server, &shown, &RULES, now) {
                RefreshVerdict::Rotate => {
                    server.generation += 1;
                    server.acknowledged_at = None;
                    server.repeats = 0;
                }
                RefreshVerdict::Repeat => {}
                RefreshVerdict::RepeatCounted => server.repeats += 1,
                other => prop_assert!(false, "{other:?} at {raced_at:?}"),
            }
            if !matches!(step, Step::Refresh { lost: true }) {
                client = server.generation;
            }
            prop_assert!(server.generation - client <= 1, "only one valid chain of tokens");
        }
    }

    /// A token two or more generations old is always rejected.
    #[test]
    fn older_tokens_are_always_rejected(
        generation in 2_u32..1000, back in 2_u32..1000, used in any::<bool>(), repeats in 0_u32..20,
    ) {
        let session = Rotation {
            generation, repeats, acknowledged_at: used.then_some(NOW), ..session()
        };
        let old = generation.saturating_sub(back);
        prop_assert_eq!(judge(&session, &shown(old, "phone"), &RULES, NOW), RefreshVerdict::Reused);
    }
}

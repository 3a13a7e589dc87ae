//! Compiles Musette's part of `bench/engines`, which is a separate workspace that no other test
//! builds, so that it stays compatible with the measured interface.

#[path = "../../../bench/engines/src/musette.rs"]
mod musette;
#[path = "../../../bench/engines/src/workload.rs"]
mod workload;

pub trait Engine {
    fn name(&self) -> &'static str;
    fn one(&self, flag: &str) -> bool;
    fn one_prepared_for_it(&self, flag: &str) -> bool;
    fn all(&self) -> usize;
}

/// Runs the code once without a clock. Nothing is measured here.
fn least_ns(_calls: usize, mut run: impl FnMut()) -> f64 {
    run();
    0.0
}

#[test]
fn the_measured_code_compiles_and_gives_consistent_results() {
    let engine = musette::Musette::new();
    assert_eq!(engine.name(), "musette");
    let on = |of: &dyn Fn(&str) -> bool| workload::names().filter(|name| of(name)).count();
    let of_all = engine.all();
    assert_eq!(on(&|name| engine.one_prepared_for_it(name)), of_all);
    assert_eq!(on(&|name| engine.one(name)), of_all);
    // The rollout includes half of the people, and different ones for each flag.
    assert!((25..=75).contains(&of_all), "{of_all} of {}", workload::FLAGS);
    musette::extras();
}

//! Our part of `bench/engines`, a workspace of its own that no other test builds: it follows the interface that it measures.

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

/// Without a clock: nothing is measured here.
fn least_ns(_calls: usize, mut run: impl FnMut()) -> f64 {
    run();
    0.0
}

#[test]
fn what_the_bench_measures_is_built_and_agrees_with_itself() {
    let engine = musette::Musette::new();
    assert_eq!(engine.name(), "musette");
    let on = |of: &dyn Fn(&str) -> bool| workload::names().filter(|name| of(name)).count();
    let of_all = engine.all();
    assert_eq!(on(&|name| engine.one_prepared_for_it(name)), of_all);
    assert_eq!(on(&|name| engine.one(name)), of_all);
    // The rollout reaches half of the people, each flag others.
    assert!((25..=75).contains(&of_all), "{of_all} of {}", workload::FLAGS);
    musette::extras();
}

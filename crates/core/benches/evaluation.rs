//! Measures the time of an evaluation in process: `cargo bench --workspace --bench evaluation`,
//! followed by `--` and a part of a benchmark's name to run only some. It reports the minimum of
//! many samples, because a busy machine can only increase the time. Counting instructions with
//! callgrind does not depend on the load at all.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use musette_core::flags::{ApiVersion, Document, EvaluationInputs, NoStickyAssignments, Snapshot};

const NOW: musette_core::instant::Instant =
    musette_core::instant::Instant::from_millis(1_795_253_400_000);
const MOMENT: EvaluationInputs<'static> =
    EvaluationInputs { now: NOW, sticky: &NoStickyAssignments };
const PERSON: &str =
    r#"{"userId":"rider-3141592","country":"UY","appVersion":"7.2.0","hoursThisWeek":32}"#;
const TEN_ATTRIBUTES: &str = r#"{"userId":"rider-3141592","email":"ana@example.org","country":"UY","appVersion":"7.2.0","hoursThisWeek":32,"zone":"centro","vehicle":"bicycle","language":"es","battery":0.83,"onShift":true}"#;

/// Returns a document of flags with three conditions and a rollout to half of all users. The
/// conditions are the same for all flags, or different for each flag so that no result can be
/// shared.
fn document(flags: usize, conditions: Conditions) -> String {
    let mut text = String::from(
        r#"{"schema":"musette.flags/1","environment":"bench","version":1,"attributes":[
           {"name":"country","type":"string"},{"name":"appVersion","type":"semver"},
           {"name":"hoursThisWeek","type":"number"}],"flags":["#,
    );
    for number in 0..flags {
        let comma = if number == 0 { "" } else { "," };
        let patch = if conditions == Conditions::Own { number } else { 0 };
        write!(
            text,
            r#"{comma}{{"key":"flag-number-{number}","type":"boolean","salt":"s{number}",
               "variations":[{{"key":"on","value":true}},{{"key":"off","value":false}}],
               "offVariation":"off","defaultVariation":"off","rules":[{{"id":"r1","when":{{"all":[
                 {{"attr":"country","op":"in","values":["AR","CL","UY"]}},
                 {{"attr":"appVersion","op":"semver_gt","value":"2.1.{patch}"}},
                 {{"attr":"hoursThisWeek","op":"gte","value":10}}]}},
               "serve":{{"rollout":{{"unit":"userId","steps":[{{"percent":50}}],
                 "variation":"on"}}}}}}]}}"#
        )
        .expect("a text takes everything");
    }
    text.push_str("]}");
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Conditions {
    Shared,
    Own,
}

fn snapshot(flags: usize, conditions: Conditions) -> Snapshot {
    let document = Document::parse(&document(flags, conditions)).expect("a valid document");
    Snapshot::compile(&document).expect("a parsed document compiles")
}

/// Runs the benchmarks whose name contains `only`.
struct Bench {
    only: Option<String>,
}

impl Bench {
    /// Runs a benchmark and prints the nanoseconds per run.
    fn run(&self, what: &str, runs: u32, mut run: impl FnMut()) {
        const SAMPLES: u32 = 200;
        if self.only.as_deref().is_some_and(|only| !what.contains(only)) {
            return;
        }
        let samples = if runs == 1 { 5 } else { SAMPLES };
        let sample = |_| {
            let start = Instant::now();
            for _ in 0..runs {
                run();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(runs)
        };
        let minimum = (0..samples).map(sample).fold(f64::INFINITY, f64::min);
        let line = format!("{what:<64} {minimum:>12.1} ns ({} runs)\n", runs * samples);
        std::io::stdout().write_all(line.as_bytes()).expect("standard output is open");
    }
}

fn main() {
    // Cargo passes `--bench` itself.
    let bench =
        Bench { only: std::env::args().skip(1).find(|argument| !argument.starts_with("--")) };
    one_flag(&bench);
    a_hundred_flags(&bench, "", &snapshot(100, Conditions::Shared));
    a_hundred_flags(&bench, ", no condition shared", &snapshot(100, Conditions::Own));
    ten_thousand_flags(&bench);
}

fn one_flag(bench: &Bench) {
    let one = snapshot(1, Conditions::Own);
    let context = one.context(PERSON).expect("attributes");
    bench.run("one flag by name, context prepared", 20_000, || {
        let flag = one.flag(black_box("flag-number-0")).expect("a flag");
        black_box(one.evaluate(flag, black_box(&context), &MOMENT).kind());
    });
    for (what, person) in [("four", PERSON), ("ten", TEN_ATTRIBUTES)] {
        bench.run(&format!("one flag by name, {what} attributes of JSON"), 10_000, || {
            let flag = one.flag(black_box("flag-number-0")).expect("a flag");
            let context = one.context(black_box(person)).expect("attributes");
            black_box(one.evaluate(flag, &context, &MOMENT).kind());
        });
    }
}

fn a_hundred_flags(bench: &Bench, suffix: &str, hundred: &Snapshot) {
    let context = hundred.context(TEN_ATTRIBUTES).expect("attributes");
    let mut out = Vec::with_capacity(1 << 16);
    bench.run(&format!("100 flags, context prepared{suffix}"), 500, || {
        for flag in hundred.flags() {
            black_box(hundred.evaluate(flag, black_box(&context), &MOMENT).kind());
        }
    });
    for (what, version) in [("v1", ApiVersion::V1), ("v3", ApiVersion::V3)] {
        bench.run(
            &format!("100 flags from ten attributes of JSON to JSON {what}{suffix}"),
            500,
            || {
                out.clear();
                let context = hundred.context(black_box(TEN_ATTRIBUTES)).expect("attributes");
                for flag in hundred.flags() {
                    hundred.evaluate(flag, &context, &MOMENT).write(version, &mut out);
                }
                black_box(&out);
            },
        );
    }
    let selection = hundred.selection(hundred.flags());
    bench.run(&format!("fingerprint of 100 flags{suffix}"), 500, || {
        black_box(hundred.fingerprint_of(&selection, &context, &MOMENT, ()));
    });
}

fn ten_thousand_flags(bench: &Bench) {
    let text = document(10_000, Conditions::Shared);
    bench.run("10,000 flags parsed and checked", 1, || drop(black_box(Document::parse(&text))));
    let parsed = Document::parse(&text).expect("a valid document");
    bench.run("10,000 flags checked and compiled", 1, || {
        drop(black_box(Snapshot::compile(&parsed)));
    });
}

//! What an evaluation costs in process: `cargo bench -p musette-core --bench flags`. The least of many
//! samples is told, since a loaded machine only ever adds to it.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::time::Instant;

use musette_core::flags::{ApiVersion, Document, Moment, NoStickies, Snapshot};

const NOW: musette_core::instant::Instant =
    musette_core::instant::Instant::from_millis(1_795_253_400_000);
const MOMENT: Moment<'static> = Moment { now: NOW, stickies: &NoStickies };
const PERSON: &str =
    r#"{"userId":"rider-3141592","country":"UY","appVersion":"7.2.0","hoursThisWeek":32}"#;
const TEN_ATTRIBUTES: &str = r#"{"userId":"rider-3141592","email":"ana@example.org","country":"UY","appVersion":"7.2.0","hoursThisWeek":32,"zone":"centro","vehicle":"bicycle","language":"es","battery":0.83,"onShift":true}"#;

/// Flags with three conditions and a rollout to half of all people.
fn document(flags: usize) -> String {
    let mut text = String::from(
        r#"{"schema":"musette.flags/1","environment":"bench","version":1,"attributes":[
           {"name":"country","type":"string"},{"name":"appVersion","type":"semver"},
           {"name":"hoursThisWeek","type":"number"}],"flags":["#,
    );
    for number in 0..flags {
        let comma = if number == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"key":"flag-number-{number}","type":"boolean","salt":"s{number}",
               "variations":[{{"key":"on","value":true}},{{"key":"off","value":false}}],
               "offVariation":"off","defaultVariation":"off","rules":[{{"id":"r1","when":{{"all":[
                 {{"attr":"country","op":"in","values":["AR","CL","UY"]}},
                 {{"attr":"appVersion","op":"semver_gt","value":"2.1.0"}},
                 {{"attr":"hoursThisWeek","op":"gte","value":10}}]}},
               "serve":{{"rollout":{{"unit":"userId","steps":[{{"percent":50}}],
                 "variation":"on"}}}}}}]}}"#
        )
        .expect("a text takes everything");
    }
    text.push_str("]}");
    text
}

fn snapshot(flags: usize) -> Snapshot {
    let document = Document::parse(&document(flags)).expect("a valid document");
    Snapshot::compile(&document).expect("what was parsed compiles")
}

/// Nanoseconds of one run.
fn least(runs: u32, samples: u32, mut run: impl FnMut()) -> f64 {
    let sample = |_| {
        let start = Instant::now();
        for _ in 0..runs {
            run();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(runs)
    };
    (0..samples).map(sample).fold(f64::INFINITY, f64::min)
}

fn main() {
    let one = snapshot(1);
    let hundred = snapshot(100);
    let context = one.context(PERSON).expect("attributes");
    let mut out = Vec::with_capacity(1 << 16);
    let tell = |what: &str, nanoseconds: f64| {
        let line = format!("{what:<64} {nanoseconds:>12.1} ns\n");
        std::io::stdout().write_all(line.as_bytes()).expect("somebody reads");
    };
    tell(
        "one flag by name, three conditions and a rollout, prepared",
        least(20_000, 200, || {
            let flag = one.flag(black_box("flag-number-0")).expect("a flag");
            black_box(one.evaluate(flag, black_box(&context), &MOMENT).kind());
        }),
    );
    for (what, person) in [("four attributes", PERSON), ("ten attributes", TEN_ATTRIBUTES)] {
        tell(
            &format!("one flag by name, {what} of JSON prepared for the call"),
            least(10_000, 200, || {
                let flag = one.flag(black_box("flag-number-0")).expect("a flag");
                let context = one.context(black_box(person)).expect("attributes");
                black_box(one.evaluate(flag, &context, &MOMENT).kind());
            }),
        );
    }
    for (what, version) in [("v1", ApiVersion::V1), ("v3", ApiVersion::V3)] {
        let nanoseconds = least(500, 200, || {
            out.clear();
            let context = hundred.context(black_box(TEN_ATTRIBUTES)).expect("attributes");
            for flag in hundred.flags() {
                hundred.evaluate(flag, &context, &MOMENT).write(version, &mut out);
            }
            black_box(&out);
        });
        let bytes = out.len();
        tell(&format!("100 flags with JSON {what} ({bytes} bytes) and the context"), nanoseconds);
    }
    tell(
        "fingerprint of 100 flags",
        least(500, 200, || {
            black_box(hundred.fingerprint(hundred.flags(), &context, &MOMENT));
        }),
    );
    let text = document(10_000);
    tell("10,000 flags: parsed and checked", least(1, 5, || drop(Document::parse(&text))));
    let parsed = Document::parse(&text).expect("a valid document");
    tell("10,000 flags: checked and compiled", least(1, 5, || drop(Snapshot::compile(&parsed))));
}

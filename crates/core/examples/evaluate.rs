//! Evaluates flags in process, from an exported document:
//!
//! ```text
//! musette flags export --env production > flags.json
//! cargo run -p musette-core --example evaluate -- flags.json '{"userId":"u1","country":"UY"}'
//! ```
//!
//! A long-running program keeps the snapshot and shares it between threads. It needs no lock and no
//! network requests.

use std::io::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use musette_core::flags::{Document, EvaluationInputs, NoStickyAssignments, Snapshot};
use musette_core::instant::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("the path of the flag document is missing")?;
    let person = arguments.next().unwrap_or_else(|| "{}".to_owned());

    let to_text = |errors: Vec<musette_core::flags::Diagnostic>| {
        errors.iter().map(|error| format!("{error}\n")).collect::<String>()
    };
    let document = Document::parse(&std::fs::read_to_string(file)?).map_err(to_text)?;
    let snapshot = Snapshot::compile(&document).map_err(to_text)?;

    let context = snapshot.context(&person)?;
    let moment = EvaluationInputs { now: now()?, sticky: &NoStickyAssignments };
    let mut out = std::io::stdout().lock();
    for flag in snapshot.flags() {
        let answer = snapshot.evaluate(flag, &context, &moment);
        let value = answer.variation().map_or("null", |variation| variation.json);
        let (kind, from) = (answer.kind().as_str(), answer.from());
        writeln!(out, "{}\t{value}\t{kind}\t{from}", snapshot.key(flag))?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "an example is a program of its own, with a clock")]
fn now() -> Result<Instant, Box<dyn std::error::Error>> {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    Ok(Instant::from_millis(i64::try_from(millis)?))
}

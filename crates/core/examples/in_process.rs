//! The code of `docs/flags-in-process.md`, where it is shown without its surroundings.

use std::time::{SystemTime, UNIX_EPOCH};

use musette_core::instant::Instant;

fn to_text(errors: Vec<musette_core::flags::Diagnostic>) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}

fn evaluate(
    text: &str,
    person: &str,
    key: &str,
    now: Instant,
) -> Result<(), Box<dyn std::error::Error>> {
    use musette_core::flags::{Document, EvaluationInputs, NoStickyAssignments, Snapshot};

    let document = Document::parse(text).map_err(to_text)?; // Err: every error, with its place
    let snapshot = Snapshot::compile(&document).map_err(to_text)?; // share it between threads

    let context = snapshot.context(person)?; // from {"userId":"u1","country":"UY"}
    let inputs = EvaluationInputs { now, sticky: &NoStickyAssignments };
    if let Some(flag) = snapshot.flag(key) {
        let answer = snapshot.evaluate(flag, &context, &inputs);
        answer.variation(); // its key, and its value as JSON; None: use your own fallback
        answer.kind(); // the kind of decision, as in the responses of the service
        answer.assign(); // the assignment to store, for a sticky experiment
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("the path of the flag document is missing")?;
    let key = arguments.next().ok_or("the key of the flag is missing")?;
    evaluate(&std::fs::read_to_string(file)?, r#"{"userId":"u1"}"#, &key, now()?)
}

#[expect(clippy::disallowed_methods, reason = "an example is a separate program, with a clock")]
fn now() -> Result<Instant, Box<dyn std::error::Error>> {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    Ok(Instant::from_millis(i64::try_from(millis)?))
}

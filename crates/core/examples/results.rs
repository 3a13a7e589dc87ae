//! Compares arms whose sums are read from stdin as JSON, one question per line, and prints one
//! result per line. `tools/gbstats/compare` passes the same questions to gbstats.

use std::io::{Read as _, Write as _};

use musette_core::results::{Measure, Question, Sums, compare, sample_ratio};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Input {
    Ratio { arms: Vec<(u64, f64)> },
    Compare { baseline: Sums, other: Sums, measure: Measure, adjusted: bool, alpha: f64 },
}

fn answer(input: Input) -> serde_json::Value {
    match input {
        Input::Ratio { arms } => json!(sample_ratio(&arms)),
        Input::Compare { baseline, other, measure, adjusted, alpha } => {
            let question = Question { measure, adjusted, alpha, ..Question::default() };
            match compare(&baseline, &other, &question) {
                Ok(comparison) => json!(comparison),
                Err(error) => json!({ "none": error.to_string() }),
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut out = std::io::stdout().lock();
    for line in text.lines() {
        writeln!(out, "{}", answer(serde_json::from_str(line)?))?;
    }
    Ok(())
}

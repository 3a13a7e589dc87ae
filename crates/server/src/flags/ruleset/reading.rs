//! Parses configurations on background threads, because this compiles their regular expressions.

use std::io;
use std::time::{Duration, Instant};

use musette_core::flags::{Diagnostic, Document, within_budget};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The time limit for the regular expressions of one document; without an attack, they take
/// milliseconds.
const COMPILED_WITHIN: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseOrder {
    /// Parsed one at a time, so that other cores continue to serve riders.
    Queued,
    /// Parsed at once: a kill switch or a schedule must not wait behind documents of operators.
    AtOnce,
}

/// Runs work that parses a document, on a background thread.
pub async fn reading<T: Send + 'static>(
    turn: ParseOrder,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    static QUEUE: Semaphore = Semaphore::const_new(1);
    let turn = match turn {
        // The semaphore is never closed.
        ParseOrder::Queued => Some(QUEUE.acquire().await.map_err(io::Error::other)?),
        ParseOrder::AtOnce => None,
    };
    let result = spawn_blocking(move || {
        // Held until the work has ended, even if the caller stops waiting.
        let _turn = turn;
        work()
    });
    Ok(result.await?)
}

/// Parses a document that is to be saved, or returns all its errors. Stops if the document exceeds
/// the budget for regular expressions.
pub async fn examined(text: String) -> io::Result<Result<Document, Vec<Diagnostic>>> {
    reading(ParseOrder::Queued, move || {
        let start = Instant::now();
        within_budget(&text, || start.elapsed() < COMPILED_WITHIN).map_err(|error| vec![error])?;
        Document::parse(&text)
    })
    .await
}

//! Reading a configuration, which compiles its regular expressions: on a thread that answers nobody.

use std::io;
use std::time::{Duration, Instant};

use musette_core::flags::{Diagnostic, Document, within_budget};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// For the regular expressions of one document, which take milliseconds when they are honest.
const COMPILED_WITHIN: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// One at a time, so that the other cores go on serving riders.
    Queued,
    /// A kill switch and a schedule do not wait behind what operators have examined.
    AtOnce,
}

/// Does the work of the processor that reading a document is.
pub async fn reading<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    static QUEUE: Semaphore = Semaphore::const_new(1);
    let turn = match turn {
        // Never closed.
        Turn::Queued => Some(QUEUE.acquire().await.map_err(io::Error::other)?),
        Turn::AtOnce => None,
    };
    let done = spawn_blocking(move || {
        // Kept until the work is done, also when nobody waits for it any more.
        let _turn = turn;
        work()
    });
    Ok(done.await?)
}

/// A document that is to be saved, or all of its faults; none of it is looked at beyond the budget for
/// its expressions.
pub async fn examined(text: String) -> io::Result<Result<Document, Vec<Diagnostic>>> {
    reading(Turn::Queued, move || {
        let start = Instant::now();
        within_budget(&text, || start.elapsed() < COMPILED_WITHIN).map_err(|fault| vec![fault])?;
        Document::parse(&text)
    })
    .await
}

//! Limits the memory of large bodies of one kind. A few are read at once, and one at a time is
//! processed, regardless of the number of clients. A waiting request holds no more than its body.

use std::time::Duration;

use axum::http::HeaderMap;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::json::{BODY_BYTES_MAX, declared_length};
use super::problem::Problem;

/// The number of bodies in memory: being read, or waiting to be processed.
const IN_MEMORY_MAX: usize = 4;
/// The time that a request waits. Processing one body takes seconds.
const WAITED_MAX: Duration = Duration::from_secs(60);

/// A kind of large bodies, such as configurations of flags.
pub struct LargeBodies {
    in_memory: Semaphore,
    processed: Semaphore,
}

/// The turn of a body. When it is dropped, the next turn begins. None for a body of ordinary size.
pub struct Turn(#[expect(dead_code, reason = "it is held, not read")] Option<Permits>);

type Permits = (SemaphorePermit<'static>, SemaphorePermit<'static>);

impl LargeBodies {
    pub const fn new() -> Self {
        Self { in_memory: Semaphore::const_new(IN_MEMORY_MAX), processed: Semaphore::const_new(1) }
    }

    /// Reads a body with `read` as soon as there is room, and waits for its turn. Returns 503 if
    /// that takes too long.
    pub async fn read<T>(
        &'static self,
        headers: &HeaderMap,
        read: impl Future<Output = Result<T, Problem>>,
    ) -> Result<(T, Turn), Problem> {
        if declared_length(headers).is_some_and(|length| length <= BODY_BYTES_MAX) {
            return Ok((read.await?, Turn(None)));
        }
        let room = wait(&self.in_memory).await?;
        let body = read.await?;
        let turn = wait(&self.processed).await?;
        Ok((body, Turn(Some((room, turn)))))
    }
}

async fn wait(semaphore: &'static Semaphore) -> Result<SemaphorePermit<'static>, Problem> {
    match timeout(WAITED_MAX, semaphore.acquire()).await {
        Ok(Ok(permit)) => Ok(permit),
        // The semaphore is never closed.
        Ok(Err(_)) | Err(_) => Err(Problem::unavailable()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
    use tokio::time::{sleep, timeout};

    use super::{IN_MEMORY_MAX, LargeBodies, WAITED_MAX};

    fn of_length(bytes: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::CONTENT_LENGTH, HeaderValue::from_static(bytes))])
    }

    #[tokio::test(start_paused = true)]
    async fn processes_large_bodies_one_at_a_time_and_small_ones_at_once() {
        static KIND: LargeBodies = LargeBodies::new();
        let (large, small) = (of_length("65537"), of_length("65536"));
        let (_, turn) = KIND.read(&large, async { Ok(()) }).await.expect("the first");
        KIND.read(&small, async { Ok(()) }).await.expect("a small one");
        let next = KIND.read(&large, async { Ok(()) });
        assert!(timeout(Duration::from_secs(5), next).await.is_err(), "the second waits");
        let unknown = HeaderMap::new();
        let next = KIND.read(&unknown, async { Ok(()) });
        let (next, ()) = tokio::join!(next, async {
            sleep(Duration::from_secs(5)).await;
            drop(turn);
        });
        assert!(next.is_ok(), "its turn has come");
    }

    #[tokio::test(start_paused = true)]
    async fn limits_the_bodies_that_are_read_at_once_and_their_waiting_time() {
        static KIND: LargeBodies = LargeBodies::new();
        let large = of_length("65537");
        let slow = || {
            KIND.read(&large, async {
                sleep(WAITED_MAX * 10).await;
                Ok(())
            })
        };
        let mut reading: Vec<_> = (0..IN_MEMORY_MAX).map(|_| Box::pin(slow())).collect();
        for one in &mut reading {
            assert!(timeout(Duration::from_secs(1), one).await.is_err());
        }
        let error = slow().await.err().expect("there is no room");
        assert_eq!(error.status, StatusCode::SERVICE_UNAVAILABLE);
    }
}

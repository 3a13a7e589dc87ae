//! Work that another runtime does, for as long as somebody waits for it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

pub struct Elsewhere<T>(JoinHandle<T>);

impl<T: Send + 'static> Elsewhere<T> {
    pub fn spawn(runtime: &Handle, work: impl Future<Output = T> + Send + 'static) -> Self {
        Self(runtime.spawn(work))
    }
}

impl<T> Future for Elsewhere<T> {
    /// An error where it panicked.
    type Output = io::Result<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx).map_err(io::Error::other)
    }
}

impl<T> Drop for Elsewhere<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::runtime::Handle;

    use super::Elsewhere;

    #[tokio::test]
    async fn whoever_waits_has_its_outcome() {
        let work = Elsewhere::spawn(&Handle::current(), async { 7 });
        assert_eq!(work.await.expect("it ran"), 7);
    }

    #[tokio::test]
    async fn it_ends_with_whoever_waits() {
        let held = Arc::new(());
        let theirs = Arc::clone(&held);
        let work = Elsewhere::spawn(&Handle::current(), async move {
            pending::<()>().await;
            drop(theirs);
        });
        drop(work);
        let ended = async {
            while Arc::strong_count(&held) > 1 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), ended).await.expect("it was given up");
    }
}

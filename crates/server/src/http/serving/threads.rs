//! The threads that serve connections: one for each processor, and each connection stays on its
//! thread.
//!
//! A work-stealing runtime wakes another thread for nearly every request, which costs more than the
//! evaluation of flags. Long work runs on the shared runtime instead.

use std::future::Future;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};

pub struct Threads(Vec<Thread>);

struct Thread {
    runtime: Handle,
    /// Shared with each connection, so that its reference count is the number of connections.
    open: Arc<()>,
}

impl Threads {
    /// Starts a thread for each processor. The threads run until the process ends, because requests
    /// may still be in flight until then.
    pub fn start() -> io::Result<Self> {
        Self::start_threads(thread::available_parallelism().map_or(1, NonZero::get))
    }

    fn start_threads(count: usize) -> io::Result<Self> {
        (0..count).map(Thread::start).collect::<io::Result<_>>().map(Self)
    }

    /// Serves a connection on the thread with the fewest connections.
    pub fn spawn(&self, connection: impl Future<Output = ()> + Send + 'static) {
        let idlest = self.0.iter().min_by_key(|thread| Arc::strong_count(&thread.open));
        let Some(Thread { runtime, open }) = idlest else { return };
        let open = Arc::clone(open);
        runtime.spawn(async move {
            connection.await;
            drop(open);
        });
    }
}

impl Thread {
    fn start(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        thread::Builder::new()
            .name(format!("connections-{number}"))
            .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
        Ok(Self { runtime: handle, open: Arc::default() })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::thread;

    use tokio::sync::{mpsc, oneshot};

    use super::Threads;

    /// Opens a connection, and returns its thread and a sender that ends it.
    async fn open_connection(threads: &Threads) -> (thread::ThreadId, oneshot::Sender<()>) {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let (end, ended) = oneshot::channel();
        threads.spawn(async move {
            sender.send(thread::current().id()).expect("the receiver waits");
            let _ = ended.await;
        });
        (receiver.recv().await.expect("it runs"), end)
    }

    #[tokio::test]
    async fn distributes_open_connections_evenly() {
        let threads = Threads::start_threads(3).expect("threads");
        let mut open = Vec::new();
        let mut count: HashMap<_, usize> = HashMap::new();
        for _ in 0..12 {
            let (place, end) = open_connection(&threads).await;
            *count.entry(place).or_default() += 1;
            open.push((place, end));
        }
        assert_eq!(count.values().collect::<Vec<_>>(), [&4, &4, &4]);

        let emptied = open[0].0;
        open.retain(|(place, _)| *place != emptied);
        // The connections end asynchronously.
        while threads.0.iter().map(|thread| Arc::strong_count(&thread.open)).sum::<usize>() > 11 {
            tokio::task::yield_now().await;
        }
        for _ in 0..4 {
            let (place, end) = open_connection(&threads).await;
            assert_eq!(place, emptied);
            open.push((place, end));
        }
    }
}

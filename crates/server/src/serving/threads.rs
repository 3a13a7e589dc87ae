//! The threads that connections live on: one for each processor, and a connection stays on its own.
//!
//! A runtime that shares its work out wakes another thread for nearly every request, which costs more
//! than flags do. What takes long is the business of the runtime that shares.

use std::future::Future;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};

pub struct Threads(Vec<Thread>);

struct Thread {
    runtime: Handle,
    /// Each connection has one too.
    open: Arc<()>,
}

impl Threads {
    /// One for each processor. They end with the program: what is left in flight then may still need
    /// them.
    pub fn start() -> io::Result<Self> {
        Self::start_so_many(thread::available_parallelism().map_or(1, NonZero::get))
    }

    fn start_so_many(count: usize) -> io::Result<Self> {
        (0..count).map(Thread::start).collect::<io::Result<_>>().map(Self)
    }

    /// On the one that has the fewest.
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

    /// Opens one, and gives where it is and how to end it.
    async fn opened(threads: &Threads) -> (thread::ThreadId, oneshot::Sender<()>) {
        let (told, mut place) = mpsc::unbounded_channel();
        let (end, ended) = oneshot::channel();
        threads.spawn(async move {
            told.send(thread::current().id()).expect("somebody asks");
            let _ = ended.await;
        });
        (place.recv().await.expect("it runs"), end)
    }

    #[tokio::test]
    async fn each_thread_has_its_share_of_those_that_are_open() {
        let threads = Threads::start_so_many(3).expect("threads");
        let mut open = Vec::new();
        let mut count: HashMap<_, usize> = HashMap::new();
        for _ in 0..12 {
            let (place, end) = opened(&threads).await;
            *count.entry(place).or_default() += 1;
            open.push((place, end));
        }
        assert_eq!(count.values().collect::<Vec<_>>(), [&4, &4, &4]);

        let emptied = open[0].0;
        open.retain(|(place, _)| *place != emptied);
        // They end in their own time.
        while threads.0.iter().map(|it| Arc::strong_count(&it.open)).sum::<usize>() > 11 {
            tokio::task::yield_now().await;
        }
        for _ in 0..4 {
            let (place, end) = opened(&threads).await;
            assert_eq!(place, emptied);
            open.push((place, end));
        }
    }
}

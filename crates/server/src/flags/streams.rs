//! Open streams of Server-Sent Events, which notify clients that a configuration has changed, but
//! not how.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use metrics::gauge;
use tokio::sync::watch;
use tokio::time::Instant;

/// The interval of heartbeats. Proxies close connections that are silent for longer, and a
/// heartbeat detects closed ones.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(20);
/// The maximum number of open streams, of 16 kB each (bench/results/flags.md).
const OPEN_MAX: usize = 50_000;
/// The delay of a client after a lost connection, so that a large fleet does not reconnect all at
/// once.
const RETRY_MS: u32 = 3000;

/// The streams of this node.
pub struct Streams {
    open: Arc<AtomicUsize>,
    closing: watch::Sender<bool>,
}

impl Default for Streams {
    fn default() -> Self {
        Self { open: Arc::default(), closing: watch::Sender::new(false) }
    }
}

impl Streams {
    /// Ends all streams and all later ones, because a server that stops waits for open requests.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Opens a stream of changes of `versions`. The first event is sent at once if the version
    /// differs from `last_seen` (`Last-Event-ID`). The stream ends after `lasts`. Returns None if
    /// too many streams are open.
    pub fn open(
        &self,
        mut versions: watch::Receiver<u64>,
        last_seen: Option<&str>,
        lasts: Option<Duration>,
    ) -> Option<Listener> {
        let guard = Open::new(&self.open);
        if guard.count > OPEN_MAX {
            return None;
        }
        let current = *versions.borrow_and_update();
        let missed = last_seen.is_some_and(|seen| seen.parse() != Ok(current));
        let mut first = format!("retry: {RETRY_MS}\n: open\n\n");
        if missed {
            first.push_str(&event(current));
        }
        Some(Listener {
            versions,
            closing: self.closing.subscribe(),
            heartbeat_at: Instant::now() + HEARTBEAT_EVERY,
            first: Some(first),
            ends_at: lasts.map(|lasts| Instant::now() + lasts),
            _guard: guard,
        })
    }
}

/// Counts an open stream until it is dropped.
struct Open {
    open: Arc<AtomicUsize>,
    count: usize,
}

impl Open {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        let count = open.fetch_add(1, Ordering::Relaxed) + 1;
        gauge!("musette_flag_streams").set(count as f64);
        Self { open: Arc::clone(open), count }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let before = self.open.fetch_sub(1, Ordering::Relaxed);
        gauge!("musette_flag_streams").set(before.saturating_sub(1) as f64);
    }
}

/// A stream. It buffers nothing for a slow reader: when that reads again, it gets the newest
/// version only.
pub struct Listener {
    versions: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
    heartbeat_at: Instant,
    first: Option<String>,
    ends_at: Option<Instant>,
    _guard: Open,
}

impl Listener {
    /// Waits for the next text to send. None ends the stream.
    pub async fn next(&mut self) -> Option<String> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let text = tokio::select! {
            biased;
            _ = self.closing.wait_for(|is_closing| *is_closing) => return None,
            () = wait_until(self.ends_at) => return None,
            changed = self.versions.changed() => {
                changed.ok()?;
                event(*self.versions.borrow_and_update())
            }
            () = tokio::time::sleep_until(self.heartbeat_at) => ":\n\n".to_owned(),
        };
        self.heartbeat_at = Instant::now() + HEARTBEAT_EVERY;
        Some(text)
    }
}

async fn wait_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn event(version: u64) -> String {
    format!(
        "id: {version}\nevent: message\ndata: {{\"type\":\"refetchEvaluation\",\"version\":{version},\"etag\":\"{version}\"}}\n\n"
    )
}

#[cfg(test)]
mod tests {
    use tokio::sync::watch;

    use super::{HEARTBEAT_EVERY, Streams};

    #[tokio::test(start_paused = true)]
    async fn sends_changes_and_heartbeats() {
        let (streams, versions) = (Streams::default(), watch::Sender::new(7));
        let mut stream = streams.open(versions.subscribe(), None, None).expect("opens");
        assert_eq!(stream.next().await.expect("a start"), "retry: 3000\n: open\n\n");
        versions.send_replace(8);
        let event = stream.next().await.expect("an event");
        assert_eq!(
            event,
            "id: 8\nevent: message\ndata: {\"type\":\"refetchEvaluation\",\"version\":8,\"etag\":\"8\"}\n\n"
        );
        let before = tokio::time::Instant::now();
        assert_eq!(stream.next().await.expect("a heartbeat"), ":\n\n");
        assert_eq!(before.elapsed(), HEARTBEAT_EVERY);
        // A slow reader gets the newest version once.
        for version in 9..100 {
            versions.send_replace(version);
        }
        assert!(stream.next().await.expect("an event").starts_with("id: 99\n"));
        streams.close();
        assert_eq!(stream.next().await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_when_its_link_expires() {
        let (streams, versions) = (Streams::default(), watch::Sender::new(7));
        let lasts = HEARTBEAT_EVERY * 3 / 2;
        let mut stream = streams.open(versions.subscribe(), None, Some(lasts)).expect("opens");
        let before = tokio::time::Instant::now();
        stream.next().await.expect("a start");
        assert_eq!(stream.next().await.expect("a heartbeat"), ":\n\n");
        assert_eq!(stream.next().await, None);
        assert_eq!(before.elapsed(), lasts);
    }

    #[tokio::test]
    async fn sends_a_missed_change_at_once() {
        let (streams, versions) = (Streams::default(), watch::Sender::new(7));
        for (last_seen, is_sent) in [(None, false), (Some("7"), false), (Some("6"), true)] {
            let mut stream = streams.open(versions.subscribe(), last_seen, None).expect("opens");
            let first = stream.next().await.expect("a start");
            assert_eq!(first.contains("id: 7\n"), is_sent, "{last_seen:?}");
        }
        assert_eq!(streams.open.load(std::sync::atomic::Ordering::Relaxed), 0, "none is open now");
    }
}

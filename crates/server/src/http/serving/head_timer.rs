//! The timer of hyper for the head of a request.
//!
//! hyper requests a timer when it starts to wait for a head, and drops it when the head is
//! complete. To register each timer in the runtime and to remove it costs as much as to evaluate
//! several flags. So all timers of a connection share one timer of the runtime. It remains set to
//! an earlier deadline. When that has passed, it is reset to the deadline of hyper, if hyper still
//! waits.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

type Alarm = Pin<Box<tokio::time::Sleep>>;

/// The timer of one connection, whose deadlines only become later.
#[derive(Default)]
pub struct HeadTimer {
    /// Never contended: the mutex exists only because hyper requires a timer that can be shared.
    alarm: Arc<Mutex<Option<Alarm>>>,
}

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Deadline { at: deadline, alarm: Arc::clone(&self.alarm) })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }
}

struct Deadline {
    at: Instant,
    alarm: Arc<Mutex<Option<Alarm>>>,
}

impl Sleep for Deadline {}

impl Future for Deadline {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut alarm = self.alarm.lock().unwrap_or_else(PoisonError::into_inner);
        let at = self.at.into();
        let alarm = alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at)));
        loop {
            ready!(alarm.as_mut().poll(cx));
            if alarm.deadline() >= at {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use axum::body::Body;
    use axum::http::{Request, Response};
    use hyper::body::Incoming;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
    use tokio::time::{Instant, sleep, timeout};

    use crate::http::serving::http1;
    use crate::http::serving::screened::{HEAD_WITHIN, Screened};

    const HEAD: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const IDLE: Duration = Duration::from_secs(130);
    /// The response takes longer than a connection may be idle.
    const LONG: Duration = Duration::from_secs(200);

    fn connection(answered_within: Duration) -> DuplexStream {
        let (peer, ours) = tokio::io::duplex(1 << 16);
        let service = service_fn(move |_: Request<Incoming>| async move {
            sleep(answered_within).await;
            Ok::<_, Infallible>(Response::new(Body::empty()))
        });
        let ours = TokioIo::new(Screened::new(ours));
        tokio::spawn(http1(IDLE).serve_connection(ours, service));
        peer
    }

    async fn exchange(peer: &mut DuplexStream) {
        peer.write_all(HEAD).await.expect("the connection is open");
        let mut response = [0; 1024];
        assert!(peer.read(&mut response).await.expect("reads") > 0, "the connection was closed");
    }

    /// Returns how long the idle connection remains open.
    async fn open_for(peer: &mut DuplexStream) -> Duration {
        let (start, mut rest) = (Instant::now(), [0; 1024]);
        let closed = timeout(Duration::from_secs(300), peer.read(&mut rest)).await;
        assert_eq!(closed.expect("it closes").expect("reads"), 0);
        start.elapsed()
    }

    fn assert_near(open: Duration, expected: Duration) {
        let off = open.abs_diff(expected);
        assert!(off < Duration::from_millis(10), "{open:?}, not {expected:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn closes_an_idle_connection_after_the_idle_timeout_and_half_a_head_sooner() {
        let half = &HEAD[..HEAD.len() - 2];
        for (bytes, expected) in [(&b""[..], IDLE), (half, HEAD_WITHIN)] {
            let mut peer = connection(Duration::ZERO);
            peer.write_all(bytes).await.expect("there is room");
            assert_near(open_for(&mut peer).await, expected);
            let mut peer = connection(Duration::ZERO);
            sleep(IDLE / 2).await;
            exchange(&mut peer).await;
            sleep(IDLE / 2).await;
            peer.write_all(bytes).await.expect("there is room");
            assert_near(open_for(&mut peer).await, expected.min(IDLE / 2));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn closes_a_connection_that_sends_its_head_too_slowly() {
        let mut peer = connection(Duration::ZERO);
        let (start, step) = (Instant::now(), Duration::from_millis(700));
        for byte in HEAD {
            sleep(step).await;
            if peer.write_all(&[*byte]).await.is_err() {
                // The first byte after the deadline, which counts from the first byte of the head.
                assert_near(start.elapsed(), step * 23);
                return;
            }
        }
        panic!("the whole head was read");
    }

    #[tokio::test(start_paused = true)]
    async fn gives_each_head_the_whole_time() {
        let mut peer = connection(Duration::ZERO);
        for _ in 0..5 {
            sleep(IDLE - Duration::from_secs(1)).await;
            exchange(&mut peer).await;
        }
        sleep(Duration::from_secs(2)).await;
        exchange(&mut peer).await;
        assert_near(open_for(&mut peer).await, IDLE);
    }

    #[tokio::test(start_paused = true)]
    async fn does_not_count_the_time_of_a_response() {
        let mut peer = connection(LONG);
        exchange(&mut peer).await;
        exchange(&mut peer).await;
        assert_near(open_for(&mut peer).await, IDLE);
    }
}

//! The timer by which hyper waits for the head of a request.
//!
//! hyper asks for a timer when it begins to wait for a head, and drops it when the head has come. To enter
//! each into the runtime's wheel and to take it out again costs as much as to evaluate several flags. So all of a
//! connection are one timer of the runtime: it stays set for an earlier deadline, and when that has passed it is
//! set for the one that hyper waits for, if it still waits.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

type Alarm = Pin<Box<tokio::time::Sleep>>;

/// The timer of one connection, whose deadlines only become later.
#[derive(Default)]
pub struct HeadTimer {
    /// Nobody else takes the lock: hyper asks for a timer that can be shared.
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

    use super::super::http1;
    use super::super::screened::{HEAD_WITHIN, Screened};

    const HEAD: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const IDLE: Duration = Duration::from_secs(130);
    /// Answering takes longer than a connection may be idle.
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

    async fn ask(peer: &mut DuplexStream) {
        peer.write_all(HEAD).await.expect("the connection is open");
        let mut answer = [0; 1024];
        assert!(peer.read(&mut answer).await.expect("reads") > 0, "the connection was closed");
    }

    /// How long the connection stays open by itself.
    async fn open_for(peer: &mut DuplexStream) -> Duration {
        let (from, mut rest) = (Instant::now(), [0; 1024]);
        let closed = timeout(Duration::from_secs(300), peer.read(&mut rest)).await;
        assert_eq!(closed.expect("it closes").expect("reads"), 0);
        from.elapsed()
    }

    fn assert_near(open: Duration, expected: Duration) {
        let off = open.abs_diff(expected);
        assert!(off < Duration::from_millis(10), "{open:?}, not {expected:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn closes_an_idle_connection_after_the_idle_timeout_and_half_a_head_sooner() {
        let half = &HEAD[..HEAD.len() - 2];
        for (sent, expected) in [(&b""[..], IDLE), (half, HEAD_WITHIN)] {
            let mut peer = connection(Duration::ZERO);
            peer.write_all(sent).await.expect("there is room");
            assert_near(open_for(&mut peer).await, expected);
            let mut peer = connection(Duration::ZERO);
            sleep(IDLE / 2).await;
            ask(&mut peer).await;
            sleep(IDLE / 2).await;
            peer.write_all(sent).await.expect("there is room");
            assert_near(open_for(&mut peer).await, expected.min(IDLE / 2));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_by_drops_has_no_more_time() {
        let mut peer = connection(Duration::ZERO);
        let (from, step) = (Instant::now(), Duration::from_millis(700));
        for byte in HEAD {
            sleep(step).await;
            if peer.write_all(&[*byte]).await.is_err() {
                // The first that comes after the deadline.
                assert_near(from.elapsed(), step * 22);
                return;
            }
        }
        panic!("the whole head was read");
    }

    #[tokio::test(start_paused = true)]
    async fn each_head_has_the_whole_time() {
        let mut peer = connection(Duration::ZERO);
        for _ in 0..5 {
            sleep(IDLE - Duration::from_secs(1)).await;
            ask(&mut peer).await;
        }
        sleep(Duration::from_secs(2)).await;
        ask(&mut peer).await;
        assert_near(open_for(&mut peer).await, IDLE);
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_of_an_answer_does_not_count() {
        let mut peer = connection(LONG);
        ask(&mut peer).await;
        ask(&mut peer).await;
        assert_near(open_for(&mut peer).await, IDLE);
    }
}

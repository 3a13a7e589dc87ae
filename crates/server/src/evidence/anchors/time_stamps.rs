//! Requests time stamps (RFC 3161) of the log's newest checkpoint, checks them and stores them.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use metrics::{Counter, counter, gauge};
use musette_core::instant::Instant;
use musette_core::log::timestamp::{TimeStamp, TimestampRequest};
use musette_store::{NewTimeStamp, StampedHead, Store, StoreError};

use super::client::Client;
use crate::platform::clock::Clock;
use crate::platform::random;

const QUERY: &str = "application/timestamp-query";
const REPLY: &str = "application/timestamp-reply";
/// The time that the last time stamps may take when the server stops.
const AT_STOP_WITHIN: Duration = Duration::from_secs(5);
/// The interval at which the metric of the age is computed.
pub const MEASURE_EVERY: Duration = Duration::from_secs(5);
const NONE: i64 = i64::MIN;

/// An authority.
struct Tsa {
    url: String,
    /// Whether the last request failed. Only the first failure of a series is logged.
    is_failing: AtomicBool,
}

/// Requests time stamps from all authorities.
pub struct TimeStamping {
    authorities: Vec<Tsa>,
    every: Duration,
    clock: Clock,
    client: Client,
    failures: Counter,
    /// The time of the newest token, in milliseconds since 1970.
    newest: AtomicI64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// If the last time stamp is old enough.
    Due,
    /// The server stops.
    AtStop,
}

impl TimeStamping {
    pub fn new(urls: Vec<String>, every: Duration, clock: Clock) -> Self {
        let authority = |url| Tsa { url, is_failing: AtomicBool::new(false) };
        let failures = counter!("musette_anchor_failures_total", "kind" => "tsa");
        Self {
            authorities: urls.into_iter().map(authority).collect(),
            every,
            clock,
            client: Client::default(),
            failures,
            newest: AtomicI64::new(NONE),
        }
    }

    /// Returns the interval of the requests.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Requests a time stamp from each authority that has not stamped the newest checkpoint.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written. An authority that fails is not an error.
    pub async fn run(&self, store: &Store) -> Result<(), StoreError> {
        self.stamp(store, When::Due).await
    }

    /// Requests the last time stamps, for at most 5 seconds.
    pub async fn finish(&self, store: &Store) {
        let stamping = self.stamp(store, When::AtStop);
        match tokio::time::timeout(AT_STOP_WITHIN, stamping).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(error = %error, "the last time stamps were not stored");
            }
            Err(_) => {
                tracing::warn!(
                    "a time-stamping authority did not respond before the stop: the newest entries get a time stamp after the next start"
                );
            }
        }
    }

    async fn stamp(&self, store: &Store, when: When) -> Result<(), StoreError> {
        // Of all nodes.
        if let Some(at) = store.newest_timestamp().await? {
            self.newest.fetch_max(at.millis(), Ordering::Relaxed);
        }
        let results = match store.head_to_stamp().await? {
            Some(head) if head.size > 0 => {
                join_all(self.authorities.iter().map(|tsa| self.ask(store, tsa, &head, when))).await
            }
            _ => Vec::new(),
        };
        self.measure();
        results.into_iter().collect()
    }

    /// Sets the metric of the age.
    pub fn measure(&self) {
        let newest = self.newest.load(Ordering::Relaxed);
        if newest != NONE {
            let age = self.clock.now().since(Instant::from_millis(newest));
            gauge!("musette_anchor_age_seconds", "kind" => "tsa").set(age.as_secs_f64());
        }
    }

    /// Returns whether the log has grown since this authority's last time stamp, and the interval is
    /// over. Half of the interval is enough: it excludes requests of other nodes, and does not skip
    /// every other request if the timer is a little early.
    async fn is_due(
        &self,
        store: &Store,
        tsa: &Tsa,
        head: &StampedHead,
        when: When,
    ) -> Result<bool, StoreError> {
        let Some(last) = store.last_timestamp_of(&tsa.url).await? else { return Ok(true) };
        let has_grown = (last.log, last.size) != (head.log, head.size);
        let age = self.clock.now().since(Instant::from_millis(last.stored_at));
        Ok(has_grown && (when == When::AtStop || age >= self.every / 2))
    }

    async fn ask(
        &self,
        store: &Store,
        tsa: &Tsa,
        head: &StampedHead,
        when: When,
    ) -> Result<(), StoreError> {
        if !self.is_due(store, tsa, head, when).await? {
            return Ok(());
        }
        let (stamp, reply) = match self.request(tsa, head).await {
            Ok(result) => result,
            Err(error) => {
                self.failures.increment(1);
                if !tsa.is_failing.swap(true, Ordering::Relaxed) {
                    tracing::warn!(tsa = %tsa.url, error = %error, "a time-stamping authority fails: it is asked again after --tsa-every");
                }
                return Ok(());
            }
        };
        if tsa.is_failing.swap(false, Ordering::Relaxed) {
            tracing::info!(tsa = %tsa.url, "a time-stamping authority responds again");
        }
        let new = NewTimeStamp {
            head,
            at: stamp.at,
            tsa: &tsa.url,
            authority: &stamp.authority,
            reply: &reply,
        };
        store.add_timestamp(&new, self.clock.now()).await?;
        self.newest.fetch_max(stamp.at.millis(), Ordering::Relaxed);
        Ok(())
    }

    /// Requests one time stamp, and checks it.
    async fn request(&self, tsa: &Tsa, head: &StampedHead) -> Result<(TimeStamp, Vec<u8>), String> {
        let nonce = u64::from_be_bytes(random::bytes());
        let request = TimestampRequest::new(&head.checkpoint, nonce);
        let query = request.to_der().map_err(|error| error.to_string())?;
        let response = self.client.post(&tsa.url, QUERY, query).await?;
        if response.status != 200 {
            return Err(format!("it responded with status {}", response.status));
        }
        let content_type = response.content_type.split(';').next().unwrap_or_default().trim();
        if !content_type.eq_ignore_ascii_case(REPLY) {
            return Err(format!("it responded with another media type than {REPLY}"));
        }
        let checkpoint = head.checkpoint.clone();
        let now = self.clock.now();
        // A hostile reply can take a second of CPU time, which must not block other requests.
        let check = tokio::task::spawn_blocking(move || {
            let reply = response.body.to_vec();
            let stamp = TimestampRequest::new(&checkpoint, nonce).check(&reply, now)?;
            Ok::<_, musette_core::log::timestamp::TimeStampError>((stamp, reply))
        });
        match check.await {
            Ok(result) => result.map_err(|error| error.to_string()),
            Err(error) => Err(format!("the check failed: {error}")),
        }
    }
}

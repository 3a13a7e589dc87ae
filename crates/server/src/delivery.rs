//! How one-time codes, and messages about approvals, reach people: the log (for trying out), SMTP, or a webhook in front of
//! whoever sends text messages. In the background: how long it takes must not tell whether anybody
//! got one.

mod counts;
mod smtp;
mod texts;
mod webhook;

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::Uri;
use musette_core::instant::Instant;
use musette_core::session::Identifier;
use musette_store::{Deliveries, Store, StoreError};
use tokio::sync::Semaphore;
use tracing::Instrument as _;

use crate::clock::Clock;
use crate::test_mode::is_test;
use crate::traces;
use counts::DeliveryCounts;
pub use smtp::sender;

/// Messages on their way at once; another one is not sent, and counted as failed.
const ON_THEIR_WAY_MAX: usize = 256;
/// The demo's sign-in page shows the newest few.
const SHOWN_MAX: usize = 100;

/// `--code-delivery`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeDelivery {
    Log,
    Smtp(String),
    Webhook(String),
}

impl CodeDelivery {
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "log" {
            return Ok(Self::Log);
        }
        if text.starts_with("smtp://") || text.starts_with("smtps://") {
            return Ok(Self::Smtp(text.to_owned()));
        }
        webhook::check(text)?;
        Ok(Self::Webhook(text.to_owned()))
    }
}

/// The purpose of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    SignIn,
    /// Its code opens nothing: an admin wants to know whether messages arrive.
    Test,
}

/// A code on its way to a person.
#[derive(Clone)]
pub struct CodeMessage {
    pub identifier: Identifier,
    pub purpose: Purpose,
    pub code: String,
    pub expires_at: Instant,
    /// The person's `Accept-Language`.
    pub languages: String,
}

/// Why a person is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something waits for their approval.
    Asked,
    /// What they wrote was sent back.
    Returned,
    /// An admin made a sign-in link for them.
    SignInLink,
    /// Their e-mail address or phone number was changed; this goes to the former one.
    ContactChanged,
}

impl NoticeKind {
    /// Type of the message, as a webhook gets it.
    pub fn message_type(self) -> String {
        match self {
            Self::Asked | Self::Returned => format!("approval_{}", self.name()),
            Self::SignInLink | Self::ContactChanged => self.name().to_owned(),
        }
    }

    /// Its name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Returned => "returned",
            Self::SignInLink => "sign_in_link",
            Self::ContactChanged => "contact_changed",
        }
    }
}

/// A message about an approval or a changed address, or with a sign-in link.
pub struct Notice {
    pub kind: NoticeKind,
    pub address: Identifier,
    /// Language ranges; empty: English.
    pub languages: String,
    /// The name of the draft or change; empty for others.
    pub about: String,
    /// Where it is decided, or the sign-in link; empty for a changed address.
    pub url: String,
    /// Idempotency key: a repeated delivery has the same one.
    pub key: String,
}

enum Channel {
    /// Prints nothing outside demos and tests: a log is no place for codes.
    Log {
        prints: bool,
    },
    Smtp(Box<smtp::Mailer>),
    Webhook(Box<webhook::Webhook>),
}

pub struct Delivery {
    channel: Arc<Channel>,
    free: Arc<Semaphore>,
    counts: Arc<DeliveryCounts>,
    clock: Clock,
    /// Scheme, host and port; what else stands in a setting may be a secret.
    pub address: Option<String>,
    pub sender: Option<String>,
    /// With `--demo` only.
    shown: Option<Mutex<HashMap<Identifier, String>>>,
}

impl Delivery {
    /// How codes are delivered.
    pub fn name(&self) -> &'static str {
        match *self.channel {
            Channel::Log { .. } => "log",
            Channel::Smtp(_) => "smtp",
            Channel::Webhook(_) => "webhook",
        }
    }

    /// Whether a code gets anywhere at all.
    pub fn sends(&self) -> bool {
        !matches!(*self.channel, Channel::Log { prints: false })
    }

    /// Whether messages leave the machine: a log is read by its operator.
    pub fn reaches_people(&self) -> bool {
        !matches!(*self.channel, Channel::Log { .. })
    }

    pub fn new(
        setting: &CodeDelivery,
        sender: Option<String>,
        demo: bool,
        clock: Clock,
    ) -> Result<Self, String> {
        let address = match setting {
            CodeDelivery::Log => None,
            CodeDelivery::Smtp(url) | CodeDelivery::Webhook(url) => address(url),
        };
        let channel = match setting {
            CodeDelivery::Log => Channel::Log { prints: demo || is_test() },
            CodeDelivery::Smtp(url) => {
                Channel::Smtp(Box::new(smtp::Mailer::new(url, sender.clone())?))
            }
            CodeDelivery::Webhook(url) => Channel::Webhook(Box::new(webhook::Webhook::new(url)?)),
        };
        if matches!(channel, Channel::Log { prints: false }) {
            tracing::warn!(
                "one-time codes are not sent to anybody: --code-delivery is 'log', which only prints them with --demo"
            );
        }
        Ok(Self {
            channel: Arc::new(channel),
            free: Arc::new(Semaphore::new(ON_THEIR_WAY_MAX)),
            counts: Arc::default(),
            clock,
            address,
            sender,
            shown: demo.then(Mutex::default),
        })
    }

    /// Returns at once.
    pub fn send(&self, message: CodeMessage) {
        if let Some(shown) = &self.shown {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            if shown.len() >= SHOWN_MAX {
                shown.clear();
            }
            shown.insert(message.identifier.clone(), message.code.clone());
        }
        let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() else {
            tracing::error!("too many one-time codes are on their way; one was not sent");
            metrics::counter!("musette_codes_undelivered_total").increment(1);
            self.counts.count(&Err("too many were on their way".into()), self.clock.now());
            return;
        };
        if !self.sends() {
            return;
        }
        let (channel, counts) = (Arc::clone(&self.channel), Arc::clone(&self.counts));
        let clock = self.clock;
        let sending = async move {
            let _permit = permit;
            let span = traces::of_message();
            let outcome = channel.deliver(&message).instrument(span.clone()).await;
            traces::sent(&span, &outcome);
            counts.count(&outcome, clock.now());
            if let Err(error) = outcome {
                // The reason only: never the code, nor whom it was for.
                tracing::error!(error = %error, "a one-time code was not delivered");
                metrics::counter!("musette_codes_undelivered_total").increment(1);
            }
        };
        tokio::spawn(sending.in_current_span());
    }

    /// Waits for what becomes of it; no code, so it is not counted as one.
    pub async fn test(&self, message: &CodeMessage) -> Result<(), String> {
        self.channel.deliver(message).await
    }

    /// Sends a message about an approval or a changed address, and waits for what becomes of it.
    pub async fn notify(&self, notice: &Notice) -> Result<(), String> {
        match &*self.channel {
            Channel::Log { prints: false } => Ok(()),
            Channel::Log { prints: true } => {
                let Notice { kind, address, about, url, .. } = notice;
                let (kind, address) = (kind.message_type(), address.as_str());
                let line = format!("notice={kind} identifier={address} {about} {url}");
                print(&format!("{}\n", line.trim_end()))
            }
            Channel::Smtp(mailer) => mailer.notify(notice).await,
            Channel::Webhook(webhook) => webhook.notify(notice).await,
        }
    }

    /// Writes the counts to the store.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        self.counts.flush(store).await
    }

    /// Counts of this hour and the 23 before it, on all nodes.
    pub async fn last_day(&self, store: &Store) -> Result<Deliveries, StoreError> {
        self.flush(store).await?;
        store.deliveries_since(counts::hour(self.clock.now()) - 23).await
    }

    /// The newest code that went to this identifier; none outside the demo.
    pub fn shown(&self, identifier: &Identifier) -> Option<String> {
        let shown = self.shown.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get(identifier).cloned()
    }
}

/// One bare line, in one write, whatever else is logged.
fn print(line: &str) -> Result<(), String> {
    std::io::stderr().write_all(line.as_bytes()).map_err(|error| error.to_string())
}

fn address(url: &str) -> Option<String> {
    let url: Uri = url.parse().ok()?;
    let (scheme, host) = (url.scheme_str()?, url.host()?);
    let port = url.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{scheme}://{host}{port}"))
}

impl Channel {
    async fn deliver(&self, message: &CodeMessage) -> Result<(), String> {
        match self {
            Self::Log { prints: false } => Ok(()),
            Self::Log { prints: true } => {
                let (code, identifier) = (&message.code, message.identifier.as_str());
                let line = match message.purpose {
                    Purpose::SignIn => format!("code={code} identifier={identifier}\n"),
                    Purpose::Test => format!("test message identifier={identifier}\n"),
                };
                print(&line)
            }
            Self::Smtp(mailer) => mailer.send(message).await,
            Self::Webhook(webhook) => webhook.send(message).await,
        }
    }
}

#[cfg(test)]
mod tests;

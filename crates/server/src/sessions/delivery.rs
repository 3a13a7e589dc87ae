//! Delivers one-time codes and notifications: to the log (for evaluation), by SMTP, or to a
//! webhook, such as one in front of an SMS provider. Messages are sent in the background, because
//! the duration of a request must not reveal whether a code was sent.

mod campaign_mail;
mod counts;
mod notice_webhook;
mod smtp;
mod texts;
mod webhook;

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::Uri;
use musette_core::campaigns::Attempt;
use musette_core::instant::Instant;
use musette_core::session::Identifier;
use musette_store::{Deliveries, Store, StoreError};
use tokio::sync::Semaphore;
use tracing::Instrument as _;

use crate::platform::clock::Clock;
use crate::platform::test_mode::is_test;
use crate::platform::traces;
pub use campaign_mail::CampaignMail;
use counts::UnsavedCounts;
pub use notice_webhook::{CampaignPost, NoticeWebhook, check_url, parse_secret};
pub use smtp::sender;
pub use texts::of as texts_for;

/// The maximum number of messages in transit; a further one is not sent, and counted as failed.
const IN_TRANSIT_MAX: usize = 256;
/// The maximum number of codes that the sign-in page of the demo can show.
const SHOWN_MAX: usize = 100;

/// The setting `--code-delivery`.
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
    /// A test by an admin, whether messages arrive. Its code cannot be used.
    Test,
}

/// A message with a one-time code.
#[derive(Clone)]
pub struct CodeMessage {
    pub identifier: Identifier,
    pub purpose: Purpose,
    pub code: String,
    pub expires_at: Instant,
    /// The `Accept-Language` header of the person.
    pub languages: String,
}

/// The reason of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotificationKind {
    /// A draft or change waits for their approval.
    Asked,
    /// Their draft or change was sent back.
    Returned,
    /// An admin has created a sign-in link for them.
    SignInLink,
    /// A text or the description of an automated system was published in their market.
    Scheduled,
    /// Their e-mail address or phone number has changed; this goes to the previous one.
    ContactChanged,
}

impl NotificationKind {
    /// Returns the type of the message in the request to a webhook.
    pub fn message_type(self) -> String {
        match self {
            Self::Asked | Self::Returned => format!("approval_{}", self.name()),
            Self::Scheduled | Self::SignInLink | Self::ContactChanged => self.name().to_owned(),
        }
    }

    /// Returns the name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Returned => "returned",
            Self::Scheduled => "scheduled",
            Self::SignInLink => "sign_in_link",
            Self::ContactChanged => "contact_changed",
        }
    }
}

/// A notification about an approval or a changed address, or with a sign-in link.
pub struct Notice {
    pub kind: NotificationKind,
    pub address: Identifier,
    /// Language ranges; English if empty.
    pub languages: String,
    /// The name of the draft or change; otherwise empty.
    pub about: String,
    /// The page of the approval, or the sign-in link; empty for a changed address.
    pub url: String,
    /// The idempotency key: retries have the same one.
    pub key: String,
}

enum Channel {
    /// Prints nothing outside demos and tests, because codes do not belong into a log.
    Log {
        prints: bool,
    },
    Smtp(Box<smtp::Mailer>),
    Webhook(Box<webhook::CodeWebhook>),
}

/// The sender of messages.
#[derive(Debug, Clone, Default)]
pub struct MessageSender {
    /// The setting `--code-sender`.
    pub address: Option<String>,
    /// The name of the company, which signs e-mails.
    pub company: Option<String>,
}

pub struct MessageDelivery {
    channel: Arc<Channel>,
    free: Arc<Semaphore>,
    counts: Arc<UnsavedCounts>,
    clock: Clock,
    /// Scheme, host and port only, because other parts of the setting may be secret.
    pub address: Option<String>,
    pub sender: Option<String>,
    /// The newest codes, with `--demo` only.
    shown: Option<Mutex<HashMap<Identifier, String>>>,
}

impl MessageDelivery {
    /// Returns the kind of the delivery.
    pub fn name(&self) -> &'static str {
        match *self.channel {
            Channel::Log { .. } => "log",
            Channel::Smtp(_) => "smtp",
            Channel::Webhook(_) => "webhook",
        }
    }

    /// Returns whether codes are sent or printed at all.
    pub fn sends(&self) -> bool {
        !matches!(*self.channel, Channel::Log { prints: false })
    }

    /// Returns whether messages reach their recipients; a log is only read by the operator.
    pub fn reaches_people(&self) -> bool {
        !matches!(*self.channel, Channel::Log { .. })
    }

    pub fn new(
        setting: &CodeDelivery,
        sender: MessageSender,
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
            CodeDelivery::Webhook(url) => {
                Channel::Webhook(Box::new(webhook::CodeWebhook::new(url)?))
            }
        };
        if matches!(channel, Channel::Log { prints: false }) {
            tracing::warn!(
                "one-time codes are not sent: set --code-delivery to an SMTP server or a webhook ('log' only prints them with --demo)"
            );
        }
        Ok(Self {
            channel: Arc::new(channel),
            free: Arc::new(Semaphore::new(IN_TRANSIT_MAX)),
            counts: Arc::default(),
            clock,
            address,
            sender: sender.address,
            shown: demo.then(Mutex::default),
        })
    }

    /// Sends a code in the background, and returns at once.
    pub fn send(&self, message: CodeMessage) {
        if let Some(shown) = &self.shown {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            if shown.len() >= SHOWN_MAX {
                shown.clear();
            }
            shown.insert(message.identifier.clone(), message.code.clone());
        }
        let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() else {
            tracing::error!(
                "a one-time code was not sent because too many are in transit: check the mail server or webhook of --code-delivery"
            );
            metrics::counter!("musette_codes_undelivered_total").increment(1);
            self.counts.count(&Err("too many were in transit".into()), self.clock.now());
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
                // Logs the reason only, never the code or its recipient.
                tracing::error!(error = %error, "a one-time code was not delivered: check --code-delivery");
                metrics::counter!("musette_codes_undelivered_total").increment(1);
            }
        };
        tokio::spawn(sending.in_current_span());
    }

    /// Sends a test message and waits for the outcome. Does not count it, because it has no valid
    /// code.
    pub async fn test(&self, message: &CodeMessage) -> Result<(), String> {
        self.channel.deliver(message).await
    }

    /// Sends a notification and waits for the outcome.
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

    /// Returns whether e-mails are sent, and not only codes by a webhook.
    pub fn sends_email(&self) -> bool {
        matches!(*self.channel, Channel::Smtp(_))
    }

    /// Sends an e-mail of a campaign once, and returns the result.
    pub async fn send_campaign_mail(&self, mail: &CampaignMail<'_>) -> Attempt {
        match &*self.channel {
            Channel::Smtp(mailer) => mailer.send_campaign_mail(mail).await,
            Channel::Log { .. } | Channel::Webhook(_) => Attempt::Unreachable,
        }
    }

    /// Returns the `Message-ID` of an e-mail of a campaign. None if no e-mails are sent.
    pub fn message_id(&self, id: &str) -> Option<String> {
        match &*self.channel {
            Channel::Smtp(mailer) => Some(mailer.message_id(id)),
            Channel::Log { .. } | Channel::Webhook(_) => None,
        }
    }

    /// Writes the counts to the store.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        self.counts.flush(store).await
    }

    /// Returns the counts of this hour and the previous 23 hours, on all nodes.
    pub async fn last_day(&self, store: &Store) -> Result<Deliveries, StoreError> {
        self.flush(store).await?;
        store.deliveries_since(counts::hour(self.clock.now()) - 23).await
    }

    /// Returns the newest code that was sent to this identifier. None outside the demo.
    pub fn shown(&self, identifier: &Identifier) -> Option<String> {
        let shown = self.shown.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get(identifier).cloned()
    }
}

/// Prints a line without log fields, in one write, so that other log lines cannot split it.
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

/// Returns the number of the reply only, because its text may name the recipient.
fn reason(error: &lettre::transport::smtp::Error) -> String {
    if let Some(status) = error.status() {
        format!("the mail server responded with {status}")
    } else if error.is_timeout() {
        "the mail server did not respond in time".into()
    } else if error.is_tls() {
        "the connection to the mail server could not be secured".into()
    } else {
        "the mail server could not be reached".into()
    }
}

#[cfg(test)]
mod tests;

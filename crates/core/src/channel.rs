//! The channels by which messages reach people. The log and campaigns share them.

use serde::{Deserialize, Serialize};

/// How a message reaches a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// The list in the rider app.
    App,
    /// E-mail.
    Email,
    /// The company's webhook, addressed by phone number.
    Sms,
    /// The company's webhook, addressed by user id.
    Webhook,
    /// Web push.
    Push,
}

impl Channel {
    /// All channels.
    pub const ALL: [Self; 5] = [Self::App, Self::Email, Self::Sms, Self::Webhook, Self::Push];

    /// Returns the name in the JSON and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Email => "email",
            Self::Sms => "sms",
            Self::Webhook => "webhook",
            Self::Push => "push",
        }
    }

    /// Parses the name of a channel.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.as_str() == text)
    }
}

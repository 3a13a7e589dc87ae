//! Posts messages of campaigns to the company's webhook, signed as in Standard Webhooks 1.0.0.

use musette_core::campaigns::Attempt;
use musette_core::webhooks::{Secret, sign};
use serde_json::{Value, json};

use super::webhook::{self, CodeWebhook, PostResult};

/// The receiver of messages by phone number and by user id.
pub struct NoticeWebhook {
    webhook: CodeWebhook,
    secrets: Vec<Secret>,
}

/// A message to post.
pub struct CampaignPost<'a> {
    /// The id of the message, which is also the `webhook-id`.
    pub id: &'a str,
    pub identifier: &'a str,
    /// `phone` or `user`.
    pub kind: &'static str,
    pub languages: &'a str,
    pub subject: &'a str,
    pub text: &'a str,
    pub url: &'a str,
}

impl CampaignPost<'_> {
    fn body(&self) -> Value {
        json!({
            "identifier": self.identifier,
            "kind": self.kind,
            "languages": self.languages,
            "notice": {
                "type": "campaign",
                "subject": self.subject,
                "text": self.text,
                "url": self.url,
            },
        })
    }
}

/// Checks the URL of `--notice-webhook`.
pub fn check_url(text: &str) -> Result<String, String> {
    let wrong = |_| "it must be https://…, or http:// of this machine".to_owned();
    webhook::check(text).map(|()| text.to_owned()).map_err(wrong)
}

/// Parses `--notice-webhook-secret`.
pub fn parse_secret(text: &str) -> Result<Secret, String> {
    Secret::parse(text).ok_or_else(|| "it must be whsec_ and base64".to_owned())
}

impl NoticeWebhook {
    pub fn new(url: &str, secret: Option<&Secret>) -> Result<Self, String> {
        let secrets = secret.cloned().into_iter().collect();
        Ok(Self { webhook: CodeWebhook::new(url)?, secrets })
    }

    /// Posts a message once.
    pub async fn send(&self, post: &CampaignPost<'_>, timestamp_s: i64) -> Attempt {
        let body = post.body().to_string();
        let mut headers = vec![
            ("webhook-id", post.id.to_owned()),
            ("webhook-timestamp", timestamp_s.to_string()),
        ];
        if !self.secrets.is_empty() {
            headers.push(("webhook-signature", sign(&self.secrets, post.id, timestamp_s, &body)));
        }
        match self.webhook.post_once(body, &headers).await {
            PostResult::Status(200..=299) => Attempt::Accepted,
            // A later attempt may succeed.
            PostResult::Status(status @ (408 | 425 | 429 | 500..=599)) => {
                Attempt::Deferred(status.to_string())
            }
            PostResult::Status(status) => Attempt::Failed(status.to_string()),
            PostResult::Unreachable => Attempt::Unreachable,
            PostResult::Unanswered => Attempt::Unanswered,
        }
    }
}

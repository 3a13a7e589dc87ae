//! The settings of campaigns.

use clap::Args;
use musette_core::webhooks::Secret;

use crate::campaigns::Campaigns;
use crate::sessions::delivery::{CodeDelivery, NoticeWebhook, check_url, parse_secret};

/// How messages of campaigns are sent.
#[derive(Debug, Clone, Args)]
pub struct NoticeArgs {
    /// Messages of campaigns per second, of all nodes together
    #[arg(long, env = "MUSETTE_NOTICE_RATE", value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub notice_rate: u32,
    /// Webhook for messages of campaigns by SMS and by user ID; by default that of `--code-delivery`, if it is a webhook
    #[arg(long, env = "MUSETTE_NOTICE_WEBHOOK", value_name = "URL", value_parser = check_url, hide_env_values = true)]
    pub notice_webhook: Option<String>,
    /// Secret that signs the requests to this webhook: `whsec_…`
    #[arg(long, env = "MUSETTE_NOTICE_WEBHOOK_SECRET", value_name = "SECRET", value_parser = parse_secret, hide_env_values = true)]
    pub notice_webhook_secret: Option<Secret>,
}

impl NoticeArgs {
    /// Returns what sends the messages of campaigns.
    pub fn campaigns(&self, delivery: &CodeDelivery) -> Result<Campaigns, String> {
        let url = match (&self.notice_webhook, delivery) {
            (Some(url), _) => Some(url),
            (None, CodeDelivery::Webhook(url)) => Some(url),
            (None, CodeDelivery::Log | CodeDelivery::Smtp(_)) => None,
        };
        let secret = self.notice_webhook_secret.as_ref();
        let webhook = url.map(|url| NoticeWebhook::new(url, secret)).transpose()?;
        Ok(Campaigns::new(self.notice_rate, webhook))
    }
}

//! What requests and tasks of a node need of campaigns.

pub mod sender;

use musette_core::campaigns::Channel;
use musette_core::terms::TermId;
use musette_store::StoreError;

use super::app::App;
use crate::campaigns::audience;
use crate::campaigns::compose::Composer;

impl App {
    /// Returns whether a campaign can use the channel.
    pub fn has_channel(&self, channel: Channel) -> bool {
        match channel {
            Channel::App => true,
            Channel::Email => self.delivery.sends_email(),
            Channel::Sms | Channel::Webhook => self.campaigns.webhook.is_some(),
            Channel::Push => false,
        }
    }

    /// Returns the address of this server in links, without a slash at the end.
    pub async fn base_url(&self) -> Result<&str, StoreError> {
        self.campaigns.base_url(&self.store, self.settings.public_url.as_deref()).await
    }

    /// Records that the rider's app has fetched a list with these terms. Most requests only look
    /// into memory.
    pub async fn fetched_by_app(
        &self,
        subject: &str,
        terms: impl Iterator<Item = TermId>,
    ) -> Result<(), StoreError> {
        let offered = self.campaigns.offered_terms();
        if offered.is_empty() {
            return Ok(());
        }
        for id in terms.filter(|id| offered.contains(id)) {
            for message in self.store.offered_messages(subject, id).await? {
                let Some(campaign) = self.store.campaign(&message.campaign).await? else {
                    continue;
                };
                let live = self.live.load_full();
                let Some(term) = live.catalog.get(id) else { continue };
                let now = self.now();
                let audience = audience(&live.catalog, term, &campaign.definition, now);
                let (markets, base) = (&live.markets, self.base_url().await?);
                let composer = Composer { audience: &audience, markets, base };
                let recipients = self.store.recipients(&audience, &[subject]).await?;
                let text = recipients.first().and_then(|rider| composer.text(rider, message.step));
                if let Some(text) = text {
                    self.store.accept_offered(&message, &text, now).await?;
                }
            }
        }
        Ok(())
    }
}

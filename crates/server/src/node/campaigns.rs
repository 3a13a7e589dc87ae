//! What requests and tasks of a node need of campaigns.

pub mod sender;

use musette_core::campaigns::Channel;
use musette_core::terms::TermId;
use musette_store::{Audience, StoreError};

use super::app::App;
use crate::campaigns::audience;
use crate::campaigns::compose::Composer;
use crate::markets::Markets;

impl App {
    /// Returns whether a campaign can use the channel.
    pub fn has_channel(&self, channel: Channel) -> bool {
        match channel {
            Channel::App | Channel::Push => true,
            Channel::Email => self.delivery.sends_email(),
            Channel::Sms | Channel::Webhook => self.campaigns.webhook.is_some(),
        }
    }

    /// Returns the address of this server in links, without a slash at the end.
    pub async fn base_url(&self) -> Result<&str, StoreError> {
        self.campaigns.base_url(&self.store, self.settings.public_url.as_deref()).await
    }

    /// Returns what writes the texts of a campaign.
    async fn composer<'a>(
        &'a self,
        audience: &'a Audience<'a>,
        markets: &'a Markets,
    ) -> Result<Composer<'a>, StoreError> {
        let company = self.settings.company.name.as_deref();
        Ok(Composer { audience, markets, base: self.base_url().await?, company })
    }

    /// Records that the rider's app has fetched a list with these terms. Returns whether a message
    /// waited for it. Most requests only look into memory.
    pub async fn fetched_by_app(
        &self,
        subject: &str,
        terms: impl Iterator<Item = TermId>,
    ) -> Result<bool, StoreError> {
        let offered = self.campaigns.offered_terms();
        if offered.is_empty() {
            return Ok(false);
        }
        let mut has_waited = false;
        for id in terms.filter(|id| offered.contains(id)) {
            for message in self.store.offered_messages(subject, id).await? {
                let Some(campaign) = self.store.campaign(&message.campaign).await? else {
                    continue;
                };
                let live = self.live.load_full();
                let Some(term) = live.catalog.get(id) else { continue };
                let now = self.now();
                let audience = audience(&live.catalog, term, &campaign.definition, now);
                let composer = self.composer(&audience, &live.markets).await?;
                let recipients = self.store.recipients(&audience, &[subject]).await?;
                let text = recipients.first().and_then(|rider| composer.text(rider, message.step));
                if let Some(text) = text {
                    let of = (subject, id);
                    self.store.accept_offered(&message, &text, of, now).await?;
                    has_waited = true;
                }
            }
        }
        Ok(has_waited)
    }
}

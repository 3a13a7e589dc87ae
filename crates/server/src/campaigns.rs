//! Campaigns: sends the messages that inform riders about a term or a notice.

pub mod compose;
pub mod dates;
pub mod hours;
mod unsubscribe;

use std::collections::HashSet;
use std::sync::Arc;

use arc_swap::ArcSwap;
use musette_core::campaigns::{CampaignDefinition, CampaignStatus, Channel, DeliveryReport};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Term, TermId};
use musette_store::{Audience, Campaign, Store, StoreError};
use tokio::sync::OnceCell;

use crate::markets::scope;
use crate::sessions::delivery::NoticeWebhook;
pub use unsubscribe::UnsubscribeKey;

/// What this node needs to send messages.
pub struct Campaigns {
    /// The maximum number of messages a second of all nodes.
    pub rate: u32,
    /// The receiver of SMS and messages by user id.
    pub webhook: Option<NoticeWebhook>,
    /// The terms of running campaigns that wait for apps.
    offered_terms: ArcSwap<HashSet<TermId>>,
    base_url: OnceCell<String>,
    unsubscribe_key: OnceCell<UnsubscribeKey>,
}

impl Campaigns {
    pub fn new(rate: u32, webhook: Option<NoticeWebhook>) -> Self {
        Self {
            rate,
            webhook,
            offered_terms: ArcSwap::default(),
            base_url: OnceCell::new(),
            unsubscribe_key: OnceCell::new(),
        }
    }

    /// Keeps the terms whose campaigns wait for apps, so that a rider's request looks for messages
    /// only then.
    pub fn follow(&self, active: &[Campaign]) {
        let is_offered = |campaign: &&Campaign| {
            campaign.status == CampaignStatus::Running
                && campaign.definition.channels().contains(&Channel::App)
        };
        let terms = active.iter().filter(is_offered).map(|campaign| campaign.definition.term_id);
        self.offered_terms.store(terms.collect::<HashSet<_>>().into());
    }

    /// Returns the terms whose campaigns wait for apps.
    pub fn offered_terms(&self) -> Arc<HashSet<TermId>> {
        self.offered_terms.load_full()
    }

    /// Returns the address of this server in links, without a slash at the end.
    pub async fn base_url(
        &self,
        store: &Store,
        public_url: Option<&str>,
    ) -> Result<&str, StoreError> {
        let read = || async {
            let url = match public_url {
                Some(url) => url.to_owned(),
                None => store.served_at().await?.unwrap_or_default(),
            };
            Ok(url.trim_end_matches('/').to_owned())
        };
        self.base_url.get_or_try_init(read).await.map(String::as_str)
    }

    /// Returns the key of the links that unsubscribe from e-mails about optional terms.
    pub async fn unsubscribe_key(&self, store: &Store) -> Result<&UnsubscribeKey, StoreError> {
        self.unsubscribe_key.get_or_try_init(|| UnsubscribeKey::load(store)).await
    }
}

/// Returns the id of the message that a report is about: the first part of its `Message-ID`.
pub fn reported_message(report: &DeliveryReport) -> Option<String> {
    let (id, _) = report.message_id.split_once('@')?;
    uuid::Uuid::try_parse(id).ok().map(|id| id.to_string())
}

/// Returns the riders that a campaign addresses: those of the term's and the campaign's market.
pub fn audience<'a>(
    catalog: &Catalog,
    term: &'a Term,
    definition: &'a CampaignDefinition,
    now: Instant,
) -> Audience<'a> {
    let market = definition.market.as_deref().and_then(Market::from_stored);
    let scope = scope(catalog, term, market.as_slice(), now);
    Audience::new(definition, term, scope, catalog.lineage(term).map(|term| term.id))
}

//! The state of the flag API except the configurations, which are in `ruleset`.

pub mod ruleset;
pub mod sticky;
pub mod streams;
pub mod tickets;

use std::sync::Arc;

use musette_store::{Store, StoreError};

use crate::experiments::events::Events;
use crate::experiments::events::usage::Usage;
use crate::experiments::units::UnitKey;
use crate::platform::random;
use sticky::StickyAssignments;
use streams::Streams;
use tickets::Tickets;

pub struct FlagService {
    pub units: UnitKey,
    pub sticky: StickyAssignments,
    pub events: Events,
    pub usage: Usage,
    pub tickets: Tickets,
    pub streams: Streams,
}

impl FlagService {
    /// Loads the state. Without the store, assignments are unknown and tickets are valid on this
    /// node only.
    pub async fn new(store: &Arc<Store>, without_store: bool) -> Result<Self, StoreError> {
        let (units, tickets) = if without_store {
            (UnitKey::new(&random::bytes::<32>()), Tickets::new(&random::bytes::<32>()))
        } else {
            (UnitKey::load(store).await?, Tickets::load(store).await?)
        };
        Ok(Self {
            sticky: StickyAssignments::new(units.clone()),
            units,
            events: Events::start(Arc::clone(store)),
            usage: Usage::default(),
            tickets,
            streams: Streams::default(),
        })
    }
}

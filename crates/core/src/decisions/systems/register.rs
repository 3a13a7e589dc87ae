//! The published versions, and which of them are in effect.

use super::SystemDefinition;
use crate::instant::Instant;
use crate::markets::Market;

/// A published version of a description. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemVersion {
    /// Key of the system.
    pub key: String,
    /// Number of the version, from 1 for each system.
    pub version: i64,
    /// What it states.
    pub definition: SystemDefinition,
    /// When it takes effect.
    pub effective_from: Instant,
    /// When it was published.
    pub published_at: Instant,
}

/// All published versions, by key and version.
#[derive(Clone, Debug, Default)]
pub struct SystemRegister(Vec<SystemVersion>);

impl SystemVersion {
    /// Returns the time from which the register has this version. A version that was published with
    /// an earlier date was not known before.
    pub fn begins_at(&self) -> Instant {
        self.effective_from.max(self.published_at)
    }

    /// Returns whether the system is used in a market. `None` is every market.
    fn applies_in(&self, market: Option<&Market>) -> bool {
        let Some(market) = market else { return true };
        let codes = &self.definition.markets;
        let contains =
            |code: &String| Market::from_stored(code).is_some_and(|outer| outer.contains(market));
        codes.is_empty() || codes.iter().any(contains)
    }
}

impl SystemRegister {
    /// Creates a register of these versions.
    pub fn new(mut versions: Vec<SystemVersion>) -> Self {
        versions.sort_by(|a, b| (&a.key, a.version).cmp(&(&b.key, b.version)));
        Self(versions)
    }

    /// Returns whether no system was ever published.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a version of this system was published.
    pub fn is_published(&self, key: &str) -> bool {
        self.0.iter().any(|version| version.key == key)
    }

    /// Returns whether a decision may name this system: any name before the first publication, and
    /// only published keys from then on.
    pub fn accepts(&self, key: &str) -> bool {
        self.is_empty() || self.is_published(key)
    }

    /// Returns every version, by key and version.
    pub fn all(&self) -> &[SystemVersion] {
        &self.0
    }

    /// Returns the versions of one system, oldest first.
    pub fn versions(&self, key: &str) -> &[SystemVersion] {
        let begin = self.0.partition_point(|version| version.key.as_str() < key);
        let end = self.0.partition_point(|version| version.key.as_str() <= key);
        &self.0[begin..end]
    }

    /// Returns the version of each system that was in effect at an instant, if the system was used
    /// in this market. Of several, the last published counts.
    pub fn in_effect(
        &self,
        at: Instant,
        market: Option<&Market>,
    ) -> impl Iterator<Item = &SystemVersion> {
        self.0
            .chunk_by(|a, b| a.key == b.key)
            .filter_map(move |versions| versions.iter().rfind(|version| version.begins_at() <= at))
            .filter(move |version| version.applies_in(market))
    }

    /// Returns the next instant after `now` at which a version takes effect.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        self.0.iter().map(SystemVersion::begins_at).filter(|at| *at > now).min()
    }

    /// Returns whether any system is limited to markets.
    pub fn has_markets(&self) -> bool {
        self.0.iter().any(|version| !version.definition.markets.is_empty())
    }
}

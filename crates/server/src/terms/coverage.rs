//! Counts the people who have accepted a term.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Outcome, Term, TermId};
use musette_store::{
    AsOf, CountedDecisions, DecisionGroup, Funnel, MarketFilter, Store, StoreError,
};
use serde::Serialize;

use crate::markets::scope;

const DAYS_SHOWN: i64 = 366;
const DAY_MS: i64 = 86_400_000;
const SLOT_MS: i64 = 900_000;

/// The numbers of people who have accepted, refused or withdrawn one term.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Coverage {
    /// The ID of the term version.
    #[schema(minimum = 1)]
    pub terms_and_conditions_id: i64,
    /// The time of the count. A count may be a few seconds old.
    #[schema(format = DateTime)]
    pub counted_at: String,
    /// The time of the counted state. Absent: the current state.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub as_of: Option<String>,
    /// The number of people whose latest decision accepts, including applicants.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// The number of people with refusals only.
    #[schema(minimum = 0)]
    pub refused: i64,
    /// The number of people who accepted and then withdrew.
    #[schema(minimum = 0)]
    pub withdrawn: i64,
    /// The number of riders that the version concerns: those of its market, except where a narrower
    /// text replaces it. For an earlier time: those of today's riders who had been added by then.
    /// For a superseded, cancelled or retired version: the riders who decided on it. It is the sum of
    /// `riders_accepted`, `riders_declined`, `riders_withdrawn` and `riders_pending`.
    #[schema(minimum = 0)]
    pub riders: i64,
    /// The number of these riders whose latest decision accepts.
    #[schema(minimum = 0)]
    pub riders_accepted: i64,
    /// The number of these riders with refusals only.
    #[schema(minimum = 0)]
    pub riders_declined: i64,
    /// The number of these riders who accepted and then withdrew.
    #[schema(minimum = 0)]
    pub riders_withdrawn: i64,
    /// The number of these riders without a decision.
    #[schema(minimum = 0)]
    pub riders_pending: i64,
    /// The number of these riders whose latest decision does not accept, or who have not decided. 0
    /// for a superseded, cancelled or retired version, which riders are no longer asked to accept.
    #[schema(minimum = 0)]
    pub riders_outstanding: i64,
    /// The people who decided and are none of these riders: applicants, and people that the version
    /// no longer concerns.
    pub others: OthersBody,
    /// The progress of the riders who saw this version.
    pub funnel: FunnelBody,
    /// The people by the day of their latest decision, for the last 366 days.
    pub by_day: Vec<DayTally>,
    /// The people by the language of the text of their latest decision.
    pub by_language: Vec<LanguageTally>,
    /// The people by the quarter of an hour of their latest decision, so that one count serves the
    /// days of every time zone.
    #[serde(skip)]
    by_slot: Arc<BTreeMap<i64, Tally>>,
}

impl Coverage {
    /// Returns the same count with the days of a time zone.
    pub fn in_zone(&self, zone: &TimeZone) -> Self {
        Self { by_day: days(&self.by_slot, zone), ..self.clone() }
    }
}

/// Groups quarters of an hour into the days of a time zone.
fn days(by_slot: &BTreeMap<i64, Tally>, zone: &TimeZone) -> Vec<DayTally> {
    let mut days: BTreeMap<Date, Tally> = BTreeMap::new();
    for (slot, tally) in by_slot {
        let at = Timestamp::from_millisecond(slot * SLOT_MS).unwrap_or(Timestamp::MAX);
        days.entry(zone.to_datetime(at).date()).or_default().merge(tally);
    }
    days.into_iter().map(|(day, tally)| DayTally { day: day.to_string(), tally }).collect()
}

/// People who decided and are not among the riders that the version concerns, each counted once, by
/// their latest decision.
#[derive(Debug, Clone, Copy, Default, Serialize, utoipa::ToSchema)]
pub struct OthersBody {
    /// The number of people whose latest decision accepts.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// The number of people with refusals only.
    #[schema(minimum = 0)]
    pub declined: i64,
    /// The number of people who accepted and then withdrew.
    #[schema(minimum = 0)]
    pub withdrawn: i64,
}

/// The progress of riders who saw this version before they decided on it. Applicants have
/// no session and are not counted.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct FunnelBody {
    /// The number of riders who loaded the terms with their session.
    #[schema(minimum = 0)]
    pub shown: i64,
    /// The number of these riders who loaded the document, or whose decision reports that they
    /// opened it.
    #[schema(minimum = 0)]
    pub opened: i64,
    /// The number of these riders who decided.
    #[schema(minimum = 0)]
    pub decided: i64,
    /// The number of these riders whose latest decision accepts.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// The number of these riders with refusals only.
    #[schema(minimum = 0)]
    pub declined: i64,
    /// The number of these riders who accepted and then withdrew.
    #[schema(minimum = 0)]
    pub withdrawn: i64,
    /// The number of these riders without a decision.
    #[schema(minimum = 0)]
    pub undecided: i64,
    /// The number of these riders whose latest decision accepts and who did not open the document.
    #[schema(minimum = 0)]
    pub accepted_unopened: i64,
}

impl From<Funnel> for FunnelBody {
    fn from(funnel: Funnel) -> Self {
        let Funnel { shown, opened, decided, accepted, declined, withdrawn, accepted_unopened } =
            funnel;
        let undecided = shown - decided;
        Self { shown, opened, decided, accepted, declined, withdrawn, undecided, accepted_unopened }
    }
}

/// The people whose latest decision is of one day.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct DayTally {
    /// The day in the requested time zone.
    #[schema(format = Date)]
    pub day: String,
    /// The number of people for each decision.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The people who decided in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct LanguageTally {
    /// The language of the text that was shown. Empty if it is unknown.
    pub locale: String,
    /// The number of people for each decision.
    #[serde(flatten)]
    pub tally: Tally,
}

/// People for each decision, by their latest decision.
#[derive(Debug, Clone, Copy, Default, Serialize, utoipa::ToSchema)]
pub struct Tally {
    /// The number of people whose latest decision accepts.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// The number of people with refusals only.
    #[schema(minimum = 0)]
    pub refused: i64,
    /// The number of people who accepted and then withdrew.
    #[schema(minimum = 0)]
    pub withdrawn: i64,
    /// The number of riders that the version concerns among the people who accepted.
    #[schema(minimum = 0)]
    pub riders_accepted: i64,
    /// The number of riders that the version concerns among the people with refusals only.
    #[schema(minimum = 0)]
    pub riders_declined: i64,
    /// The number of riders that the version concerns among the people who withdrew.
    #[schema(minimum = 0)]
    pub riders_withdrawn: i64,
}

impl Tally {
    fn add(&mut self, group: &DecisionGroup) {
        let (people, riders) = match group.outcome() {
            Outcome::Accepted => (&mut self.accepted, &mut self.riders_accepted),
            Outcome::Declined => (&mut self.refused, &mut self.riders_declined),
            Outcome::Withdrawn => (&mut self.withdrawn, &mut self.riders_withdrawn),
        };
        *people += group.people;
        *riders += if group.is_rider { group.people } else { 0 };
    }

    fn merge(&mut self, other: &Self) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.withdrawn += other.withdrawn;
        self.riders_accepted += other.riders_accepted;
        self.riders_declined += other.riders_declined;
        self.riders_withdrawn += other.riders_withdrawn;
    }

    fn riders(&self) -> i64 {
        self.riders_accepted + self.riders_declined + self.riders_withdrawn
    }

    fn others(&self) -> OthersBody {
        OthersBody {
            accepted: self.accepted - self.riders_accepted,
            declined: self.refused - self.riders_declined,
            withdrawn: self.withdrawn - self.riders_withdrawn,
        }
    }
}

/// Returns this version and those that it replaces without a new acceptance.
pub fn lineage(catalog: &Catalog, term: &Term) -> Vec<TermId> {
    catalog.lineage(term).map(|term| term.id).collect()
}

/// Returns whether people no longer have to accept this version, or never will.
pub fn is_over(catalog: &Catalog, term: &Term, at: Instant) -> bool {
    catalog.cancelled_at(term.id).is_some()
        || catalog.is_retired(term.id, at)
        || catalog.first_replacement(term.id, at).is_some()
}

/// Returns a filter for the people of these markets and inside them, or for all people if the list
/// is empty.
fn filter_of(markets: &[Market]) -> MarketFilter {
    if markets.is_empty() { MarketFilter::EVERYWHERE } else { MarketFilter::inside(markets) }
}

/// Counts the decisions on this term and its lineage. `as_of` limits them to decisions up to that
/// time, and `markets` to people in these markets, unless it is empty.
///
/// # Errors
///
/// When the store cannot be read.
pub async fn count(
    store: &Store,
    catalog: &Catalog,
    term: &Term,
    as_of: Option<Instant>,
    markets: &[Market],
    now: Instant,
) -> Result<Coverage, StoreError> {
    let at = as_of.unwrap_or(now);
    let place = match as_of {
        Some(at) => store.as_of(at).await?,
        None => AsOf::NOW,
    };
    let (terms, population) = (lineage(catalog, term), filter_of(markets));
    let scope = scope(catalog, term, markets, at);
    let since = Instant::from_millis((at.millis() / DAY_MS - DAYS_SHOWN) * DAY_MS);
    let counted = CountedDecisions {
        terms: &terms,
        as_of: place,
        population: &population,
        scope: &scope,
        since,
    };
    let groups = store.count_decisions(counted).await?;
    let mut total = Tally::default();
    let mut by_slot: BTreeMap<i64, Tally> = BTreeMap::new();
    let mut languages: BTreeMap<String, Tally> = BTreeMap::new();
    for group in &groups {
        total.add(group);
        if group.slot >= 0 {
            by_slot.entry(group.slot).or_default().add(group);
        }
        languages.entry(locale(catalog, group)).or_default().add(group);
    }
    let is_over = is_over(catalog, term, at);
    let riders = match as_of {
        _ if is_over => 0,
        None if scope == MarketFilter::EVERYWHERE => store.count_riders().await?,
        _ => store.count_riders_at(place, &scope).await?,
    };
    // A decision may have been recorded between the two counts.
    let riders = riders.max(total.riders());
    let funnel = store.funnel(term.id, place, &population).await?;
    Ok(Coverage {
        terms_and_conditions_id: term.id,
        counted_at: now.to_string(),
        as_of: as_of.map(|at| at.to_string()),
        accepted: total.accepted,
        refused: total.refused,
        withdrawn: total.withdrawn,
        riders,
        riders_accepted: total.riders_accepted,
        riders_declined: total.riders_declined,
        riders_withdrawn: total.riders_withdrawn,
        riders_pending: riders - total.riders(),
        riders_outstanding: if is_over { 0 } else { riders - total.riders_accepted },
        others: total.others(),
        funnel: funnel.into(),
        by_day: days(&by_slot, &TimeZone::UTC),
        by_language: languages
            .into_iter()
            .map(|(locale, tally)| LanguageTally { locale, tally })
            .collect(),
        by_slot: Arc::new(by_slot),
    })
}

/// Returns the language of the text of these decisions; empty if it is unknown.
fn locale(catalog: &Catalog, group: &DecisionGroup) -> String {
    let term = catalog.get(group.term_id);
    let variant =
        term.and_then(|term| term.variants.iter().find(|variant| variant.sha256 == group.sha256));
    variant.map_or_else(String::new, |variant| variant.locale.clone())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use musette_core::instant::Instant;

    use super::{SLOT_MS, Tally, days};
    use crate::markets::timezone;

    #[test]
    fn groups_decisions_by_the_days_of_a_time_zone() {
        let slots = ["2026-10-24T21:59:00Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:00Z"];
        let slot = |text: &str| Instant::parse(text).expect("an instant").millis() / SLOT_MS;
        let one = Tally { accepted: 1, ..Tally::default() };
        let by_slot: BTreeMap<i64, Tally> = slots.map(|text| (slot(text), one)).into();
        let days_in = |zone: &str| {
            let days = days(&by_slot, &timezone(zone).expect("a zone"));
            days.into_iter().map(|day| (day.day, day.tally.accepted)).collect::<Vec<_>>()
        };
        let day = |day: &str, people: i64| (day.to_owned(), people);
        assert_eq!(days_in("UTC"), [day("2026-10-24", 2), day("2026-10-25", 1)]);
        // The day on which summer time ends has 25 hours.
        assert_eq!(days_in("Europe/Berlin"), [day("2026-10-24", 1), day("2026-10-25", 2)]);
        // Half past three in the morning, because the zone is ahead by five and three quarter hours.
        assert_eq!(days_in("Asia/Kathmandu"), [day("2026-10-25", 2), day("2026-10-26", 1)]);
        assert!(timezone("Europe/Merrow").is_none());
    }
}

//! Counts the people who have accepted a term.

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, Term, TermId};
use musette_store::{AsOf, Funnel, MarketFilter, Store, StoreError, Tally};
use serde::Serialize;

use crate::markets::scope;

const DAYS_SHOWN: i64 = 366;
const DAY_MS: i64 = 86_400_000;

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
    #[schema(minimum = 0)]
    pub riders: i64,
    /// The number of these riders whose latest decision accepts.
    #[schema(minimum = 0)]
    pub riders_accepted: i64,
    /// The number of these riders whose latest decision does not accept, or who have not decided. 0
    /// for a superseded, cancelled or retired version, which riders are no longer asked to accept.
    #[schema(minimum = 0)]
    pub riders_outstanding: i64,
    /// The progress of the riders who saw this version.
    pub funnel: FunnelBody,
    /// The decisions on exactly this version by day, for the last 366 days.
    pub by_day: Vec<DayTally>,
    /// The decisions on exactly this version by language.
    pub by_language: Vec<LanguageTally>,
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
}

impl From<Funnel> for FunnelBody {
    fn from(Funnel { shown, opened, decided, accepted }: Funnel) -> Self {
        Self { shown, opened, decided, accepted }
    }
}

/// The decisions on one day.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct DayTally {
    /// The day, in UTC.
    #[schema(format = Date)]
    pub day: String,
    /// The number of decisions that accept.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// The number of decisions that refuse.
    #[schema(minimum = 0)]
    pub refused: i64,
}

/// The decisions in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct LanguageTally {
    /// The language of the text that was shown. Empty if it is unknown.
    pub locale: String,
    /// The number of decisions that accept.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// The number of decisions that refuse.
    #[schema(minimum = 0)]
    pub refused: i64,
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
    let counts = store.count_decisions(&terms, place, &population).await?;
    let riders_accepted = if scope == population {
        counts.riders
    } else {
        store.count_decisions(&terms, place, &scope).await?.riders
    };
    let riders = match as_of {
        None if scope == MarketFilter::EVERYWHERE => store.count_riders().await?,
        _ => store.count_riders_then(place, &scope).await?,
    };
    let funnel = store.funnel(term.id, place, &population).await?;
    let since = Instant::from_millis(at.millis() - DAYS_SHOWN * DAY_MS);
    let days = store.decisions_by_day(term.id, since, place, &population).await?;
    let documents = store.decisions_by_document(term.id, place, &population).await?;
    let outstanding = if is_over(catalog, term, at) { 0 } else { riders - riders_accepted };
    let day = |tally: Tally<i64>| DayTally {
        day: Instant::from_millis(tally.of * DAY_MS).to_string()[..10].to_owned(),
        accepted: tally.accepted,
        refused: tally.refused,
    };
    let language = |tally: Tally<String>| {
        let variant = term.variants.iter().find(|variant| variant.sha256 == tally.of);
        LanguageTally {
            locale: variant.map_or_else(String::new, |variant| variant.locale.clone()),
            accepted: tally.accepted,
            refused: tally.refused,
        }
    };
    Ok(Coverage {
        terms_and_conditions_id: term.id,
        counted_at: now.to_string(),
        as_of: as_of.map(|at| at.to_string()),
        accepted: counts.accepted,
        refused: counts.refused,
        withdrawn: counts.withdrawn,
        riders,
        riders_accepted,
        riders_outstanding: outstanding.max(0),
        funnel: funnel.into(),
        by_day: days.into_iter().map(day).collect(),
        by_language: documents.into_iter().map(language).collect(),
    })
}

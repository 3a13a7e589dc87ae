//! How many people have agreed to a term.

use musette_core::instant::Instant;
use musette_core::terms::{Catalog, Term, TermId};
use musette_store::{Funnel, Store, StoreError, Tally};
use serde::Serialize;

const DAYS_SHOWN: i64 = 366;
const DAY_MS: i64 = 86_400_000;

/// How many people have accepted one term.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Coverage {
    /// The id of the term version.
    #[schema(minimum = 1)]
    pub terms_and_conditions_id: i64,
    /// When it was counted. A count may be a few seconds old.
    #[schema(format = DateTime)]
    pub counted_at: String,
    /// People whose latest decision accepts, applicants included.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// People whose only decisions refuse.
    #[schema(minimum = 0)]
    pub refused: i64,
    /// People who accepted and then withdrew.
    #[schema(minimum = 0)]
    pub withdrawn: i64,
    /// All riders.
    #[schema(minimum = 0)]
    pub riders: i64,
    /// Riders whose latest decision does not accept, or who have not decided.
    #[schema(minimum = 0)]
    pub riders_outstanding: i64,
    /// What became of the riders to whom this version was shown.
    pub funnel: FunnelBody,
    /// Decisions on exactly this version by day, of the last 366 days.
    pub by_day: Vec<DayTally>,
    /// Decisions on exactly this version by language.
    pub by_language: Vec<LanguageTally>,
}

/// Riders to whom this version was shown before they decided on it, and what became of them.
/// Applicants have no session and are not counted.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct FunnelBody {
    /// Riders who loaded the terms with their session.
    #[schema(minimum = 0)]
    pub shown: i64,
    /// Of these, riders who loaded the document or said so with their decision.
    #[schema(minimum = 0)]
    pub opened: i64,
    /// Of these, riders who decided.
    #[schema(minimum = 0)]
    pub decided: i64,
    /// Of these, riders whose latest decision accepts.
    #[schema(minimum = 0)]
    pub accepted: i64,
}

impl From<Funnel> for FunnelBody {
    fn from(Funnel { shown, opened, decided, accepted }: Funnel) -> Self {
        Self { shown, opened, decided, accepted }
    }
}

/// Decisions on one day.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct DayTally {
    /// The day, in UTC.
    #[schema(format = Date)]
    pub day: String,
    /// Decisions that accept.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// Decisions that refuse.
    #[schema(minimum = 0)]
    pub refused: i64,
}

/// Decisions in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct LanguageTally {
    /// The language of the text that was decided on. Empty if it is not known.
    pub locale: String,
    /// Decisions that accept.
    #[schema(minimum = 0)]
    pub accepted: i64,
    /// Decisions that refuse.
    #[schema(minimum = 0)]
    pub refused: i64,
}

/// This version and those that it replaces without asking again.
pub fn lineage(catalog: &Catalog, term: &Term) -> Vec<TermId> {
    catalog.lineage(term).map(|it| it.id).collect()
}

/// Goes through all decisions on this term and its lineage.
///
/// # Errors
///
/// When the store cannot be read.
pub async fn count(
    store: &Store,
    catalog: &Catalog,
    term: &Term,
    now: Instant,
) -> Result<Coverage, StoreError> {
    let standing = store.count_decisions(&lineage(catalog, term)).await?;
    let riders = store.count_riders().await?;
    let funnel = store.funnel(term.id).await?;
    let since = Instant::from_millis(now.millis() - DAYS_SHOWN * DAY_MS);
    let days = store.decisions_by_day(term.id, since).await?;
    let documents = store.decisions_by_document(term.id).await?;
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
        accepted: standing.accepted,
        refused: standing.refused,
        withdrawn: standing.withdrawn,
        riders,
        riders_outstanding: (riders - standing.riders).max(0),
        funnel: funnel.into(),
        by_day: days.into_iter().map(day).collect(),
        by_language: documents.into_iter().map(language).collect(),
    })
}

//! Counts of an experiment or a holdout: persons per arm, and the sums of one metric.
//!
//! Not here: what follows from the counts (`musette_core::results`).

use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{
    Aggregation, ArmSums, ArmUnits, DaySums, MetricQuery, Since, Store, StoreError,
};

/// Values from so long before a person's first exposure are the covariate of CUPED.
const BEFORE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Days are UTC days.
pub const DAY_MS: i64 = 86_400_000;

/// The arms and metric of a count; the key under which the counts are cached.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArmsQuery {
    /// The series of each arm's exposures.
    pub series: Vec<i64>,
    pub metric: Option<MetricSumsQuery>,
}

/// How the people of these arms came, and what they did, in the weeks before.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TrafficQuery {
    /// The series of all arms that are assigned by one unit.
    pub series: Vec<i64>,
    pub metric: MetricSumsQuery,
    pub since_day: i64,
}

/// People by the day on which they first came, and what they did.
pub struct Traffic {
    pub days: Vec<(i64, i64)>,
    pub sums: ArmSums,
}

impl TrafficQuery {
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn count(&self, store: &Store) -> Result<Traffic, StoreError> {
        let since = Since { at: self.since_day.saturating_mul(DAY_MS), day: self.since_day };
        let days = store.traffic(&self.series, since).await?;
        let sums = self.metric.baseline(store, &self.series, since).await?;
        Ok(Traffic { days, sums })
    }
}

/// How the values of one metric are summed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MetricSumsQuery {
    pub metric: i64,
    pub denominator: Option<i64>,
    pub aggregation: Aggregation,
    /// The bits of a finite number: a float has no hash.
    pub cap: Option<u64>,
}

/// The counts of a query.
pub struct ArmCounts {
    pub at: Instant,
    pub units: Vec<ArmUnits>,
    pub persons: u64,
    /// Persons seen in more than one arm.
    pub several: u64,
    pub sums: Vec<ArmSums>,
}

impl ArmsQuery {
    /// Goes through all exposures of these arms.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn count(&self, store: &Store, at: Instant) -> Result<ArmCounts, StoreError> {
        let units = store.units(&self.series).await?;
        let (persons, several) = store.persons(&self.series).await?;
        let sums = match &self.metric {
            Some(query) => store.metric_sums(&self.series, &query.to_store()).await?,
            None => Vec::new(),
        };
        let positive = |count: i64| u64::try_from(count).unwrap_or(0);
        Ok(ArmCounts { at, units, persons: positive(persons), several: positive(several), sums })
    }
}

impl MetricSumsQuery {
    /// What each day added to the metric in these arms.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn days(&self, store: &Store, arms: &[i64]) -> Result<Vec<DaySums>, StoreError> {
        store.metric_days(arms, &self.to_store()).await
    }

    /// The metric over the people of these arms who were seen since then.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn baseline(
        &self,
        store: &Store,
        arms: &[i64],
        since: Since,
    ) -> Result<ArmSums, StoreError> {
        store.metric_baseline(arms, &self.to_store(), since).await
    }

    fn to_store(&self) -> MetricQuery {
        MetricQuery {
            metric: self.metric,
            denominator: self.denominator,
            aggregation: self.aggregation,
            cap: self.cap.map(f64::from_bits),
            before_ms: i64::try_from(BEFORE.as_millis()).unwrap_or(i64::MAX),
        }
    }
}

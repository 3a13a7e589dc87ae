//! Counts for experiments and holdouts: users per arm, and the sums of one metric.
//!
//! Their statistical evaluation is in `musette_core::results`.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{
    Aggregation, ArmSums, ArmUnits, DaySums, MetricQuery, Since, Store, StoreError,
};

/// Values from this time before a user's first exposure are the covariate of CUPED.
const COVARIATE_WINDOW: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Milliseconds of a UTC day.
pub const DAY_MS: i64 = 86_400_000;

/// The arms and the metric of a count; also the key of the cache.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArmsQuery {
    /// The series of each arm's exposures.
    pub series: Vec<i64>,
    pub metric: Option<MetricSumsQuery>,
}

/// The arms and the metric of a count of recent visitors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TrafficQuery {
    /// The series of all arms that are assigned by one unit.
    pub series: Vec<i64>,
    pub metric: MetricSumsQuery,
    pub since_day: i64,
}

/// Users by the day of their first exposure, and the sums of the metric over them.
pub struct Traffic {
    pub days: Vec<(i64, i64)>,
    pub sums: ArmSums,
}

impl TrafficQuery {
    /// Counts the users and sums the metric.
    ///
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

/// A metric, and how its values are summed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MetricSumsQuery {
    pub metric: i64,
    pub denominator: Option<i64>,
    pub aggregation: Aggregation,
    /// The bits of a finite number, because a float cannot be hashed.
    pub cap: Option<u64>,
}

/// The counts of a query.
pub struct ArmCounts {
    pub at: Instant,
    pub units: Vec<ArmUnits>,
    pub persons: u64,
    /// Users who were seen in several arms.
    pub several: u64,
    pub sums: Vec<ArmSums>,
}

impl ArmsQuery {
    /// Counts all exposures of these arms.
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
    /// Returns the sums of the metric in these arms by day.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn days(&self, store: &Store, arms: &[i64]) -> Result<Vec<DaySums>, StoreError> {
        store.metric_days(arms, &self.to_store()).await
    }

    /// Returns the sums of the metric over the users of these arms who were seen since the given
    /// time.
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
            before_ms: i64::try_from(COVARIATE_WINDOW.as_millis()).unwrap_or(i64::MAX),
        }
    }
}

//! The measurements of the demo's experiments, and the evaluation counts of its flags.

use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_store::{FlagUsage, NewExposure, NewMetricValue, Series, Store, StoreError};

use super::ENVIRONMENT;
use super::plan::{DAY, DemoUsage, PlannedExposures, before, chance, days_before};
use crate::experiments::events::series;
use crate::experiments::units::{UnitKey, open_hash};
use crate::flags::ruleset::stale::{DAY_MS, DAYS as STALE_DAYS};

const ROWS_PER_WRITE: usize = 2000;

struct Rows {
    series: Vec<Series>,
    exposures: Vec<NewExposure>,
    values: Vec<NewMetricValue>,
}

/// Records exposures and metric values. The first users are the couriers of the demo.
pub async fn play(
    store: &Store,
    units: &UnitKey,
    experiments: &[PlannedExposures],
    couriers: &[String],
    now: Instant,
) -> Result<(), StoreError> {
    let mut rows = Rows { series: Vec::new(), exposures: Vec::new(), values: Vec::new() };
    for (number, experiment) in experiments.iter().enumerate() {
        let couriers = if number == 0 { couriers } else { &[] };
        rows.add(units, experiment, couriers, now);
    }
    store.record_series(&rows.series).await?;
    for part in rows.exposures.chunks(ROWS_PER_WRITE) {
        store.record_exposures(part).await?;
    }
    for part in rows.values.chunks(ROWS_PER_WRITE) {
        store.record_metric_values(part).await?;
    }
    Ok(())
}

impl Rows {
    fn add(
        &mut self,
        units: &UnitKey,
        experiment: &PlannedExposures,
        couriers: &[String],
        now: Instant,
    ) {
        let PlannedExposures { key, phase, .. } = experiment;
        let kind = if experiment.kind == "holdout" { "holdout" } else { "experiment" };
        let metric = series(ENVIRONMENT, "metric", &experiment.metric, 0, "");
        let from = days_before(now, experiment.from_days_ago).millis();
        let until = days_before(now, experiment.to_days_ago).millis();
        let mut couriers = couriers.iter();
        for (arm, people, with_value) in &experiment.arms {
            let arm_series = series(ENVIRONMENT, kind, key, *phase, arm);
            for n in 0..*people {
                let unit = match couriers.next() {
                    Some(id) => units.hash(&[id]),
                    None => units.hash(&[&format!("{key}-{phase}-{arm}-{n}")]),
                };
                let number = n.to_string();
                // Users arrive evenly over the time, each in a different minute.
                let share = (until - from) * i64::try_from(n).unwrap_or(0)
                    / i64::try_from(*people).unwrap_or(1).max(1);
                let at = from + share + i64::try_from(chance(n, 3_000_000)).unwrap_or(0);
                let at = at.min(now.millis() - 60_000);
                self.exposures.push(NewExposure {
                    id: open_hash(&["demo", key, &phase.to_string(), arm, &number]),
                    series: arm_series.id,
                    unit,
                    at,
                    day: at.div_euclid(DAY_MS),
                });
                // Values are distributed evenly: user n has a value if the share up to them grows
                // by one.
                if (n + 1) * with_value / people > n * with_value / people {
                    let later = i64::try_from(chance(n + 3, 20 * 3_600_000)).unwrap_or(0);
                    let at = (at + later).min(now.millis() - 30_000);
                    self.values.push(NewMetricValue {
                        id: open_hash(&["demo value", key, &phase.to_string(), arm, &number]),
                        series: metric.id,
                        unit,
                        value: 1.0,
                        at,
                        day: at.div_euclid(DAY_MS),
                    });
                }
            }
            self.series.push(arm_series);
        }
        if self.series.iter().all(|series| series.id != metric.id) {
            self.series.push(metric);
        }
    }
}

/// Records evaluation counts of the last weeks, so that only the intended flags are stale.
pub async fn count_evaluations(
    store: &Store,
    document: &Document,
    usage: &DemoUsage,
    now: Instant,
) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    for days_ago in 0..=STALE_DAYS + 4 {
        let ago = DAY * u32::try_from(days_ago).unwrap_or(0);
        let day = before(now, ago).millis().div_euclid(DAY_MS);
        for flag in &document.flags {
            let unused_since = usage.unused_since_days.get(&flag.key);
            if unused_since.is_some_and(|days| days_ago < i64::try_from(*days).unwrap_or(0)) {
                continue;
            }
            for (number, variation) in flag.variations.iter().enumerate() {
                let is_default = variation.key == flag.default_variation;
                if usage.one_variation.contains(&flag.key) && !is_default {
                    continue;
                }
                let seed = day.unsigned_abs() + flag.key.len() as u64 * 31 + number as u64;
                let count = if is_default { 400 } else { 120 } + chance(seed, 90);
                rows.push(FlagUsage {
                    environment: ENVIRONMENT.to_owned(),
                    flag: flag.key.clone(),
                    day,
                    variation: variation.key.clone(),
                    count: i64::try_from(count).unwrap_or(0),
                });
            }
        }
    }
    for part in rows.chunks(ROWS_PER_WRITE) {
        store.record_usage(part).await?;
    }
    Ok(())
}

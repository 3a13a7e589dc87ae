use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use super::{on_both, store};
use crate::db::Db;
use crate::experiments::exposures::{EXPOSURES, delete_old_rows};
use crate::{
    Aggregation, ArmSums, ArmUnits, Engine, Inserted, MetricQuery, NewExposure, NewMetricValue,
    Series, ShortHash, Since,
};

on_both!(
    an_exposure_counts_once,
    sums_a_metric_by_arm,
    combines_the_values_of_a_person,
    days_add_up_to_the_sums,
    counts_the_traffic_of_the_last_days,
    removes_old_days,
    stores_series,
    skips_only_the_invalid_row,
);

fn hash(n: u8) -> ShortHash {
    let mut hash = [0xee; 16];
    hash[0] = n;
    hash
}

fn exposure(id: u8, series: i64, unit: u8, at: i64) -> NewExposure {
    NewExposure { id: hash(id), series, unit: hash(unit), at, day: at }
}

fn value(id: u8, unit: u8, value: f64, at: i64) -> NewMetricValue {
    NewMetricValue { id: hash(id), series: 9, unit: hash(unit), value, at, day: at }
}

async fn an_exposure_counts_once(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let new = [exposure(1, 7, 1, 10), exposure(2, 7, 2, 10), exposure(3, 8, 2, 11)];
    let inserted = store.record_exposures(&new[..2]).await.expect("records");
    assert_eq!(inserted, Inserted { new: vec![hash(1), hash(2)], refused: Vec::new() });
    assert_eq!(store.record_exposures(&new).await.expect("records").new, [hash(3)]);
    assert_eq!(store.record_exposures(&new).await.expect("records").new, Vec::<ShortHash>::new());
    // Another exposure of the same person.
    store.record_exposures(&[exposure(4, 7, 1, 12)]).await.expect("records");
    let mut units = store.units(&[7, 8, 9]).await.expect("counts");
    units.sort_by_key(|arm| arm.series);
    assert_eq!(
        units,
        [
            ArmUnits { series: 7, units: 2, first_at: 10, last_at: 12 },
            ArmUnits { series: 8, units: 1, first_at: 11, last_at: 11 },
        ],
        "an arm without persons is omitted"
    );
    assert_eq!(store.persons(&[7, 8, 9]).await.expect("counts"), (2, 1));
    assert_eq!(store.persons(&[7]).await.expect("counts"), (2, 0));
    assert_eq!(store.persons(&[]).await.expect("counts"), (0, 0));
}

async fn sums_a_metric_by_arm(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let exposures = [
        exposure(1, 7, 1, 100),
        exposure(2, 7, 2, 100),
        // Seen in both arms, so counted in neither.
        exposure(3, 7, 3, 100),
        exposure(4, 8, 3, 100),
    ];
    store.record_exposures(&exposures).await.expect("records");
    let values = [
        value(1, 1, 2.5, 100),
        value(2, 1, 1.0, 200),
        value(3, 1, 4.0, 99),
        // Before the period that counts.
        value(4, 1, 1000.0, 49),
        value(5, 3, 70.0, 100),
    ];
    let inserted = store.record_metric_values(&values).await.expect("records");
    assert_eq!(inserted.new.len(), 5);
    assert!(store.record_metric_values(&values).await.expect("records").new.is_empty());
    let sums = store.metric_sums(&[7, 8], &query_of(9)).await.expect("sums");
    let expected = ArmSums {
        series: 7,
        units: 2,
        with_y: 1,
        with_x: 1,
        y: 3.5,
        yy: 12.25,
        x: 4.0,
        xx: 16.0,
        xy: 14.0,
        d: 3.5,
        dd: 12.25,
        yd: 12.25,
    };
    assert_eq!(sums, [expected]);
    let none = store.metric_sums(&[7, 8], &query_of(10)).await.expect("sums");
    assert_eq!((none[0].units, none[0].with_y, none[0].y), (2, 0, 0.0), "no person has a value");
}

fn query_of(metric: i64) -> MetricQuery {
    MetricQuery {
        metric,
        denominator: None,
        aggregation: Aggregation::Sum,
        cap: None,
        before_ms: 50,
    }
}

async fn combines_the_values_of_a_person(engine: Engine) {
    let (store, _dir) = store(engine).await;
    store
        .record_exposures(&[exposure(1, 7, 1, 100), exposure(2, 7, 2, 100), exposure(3, 7, 3, 100)])
        .await
        .expect("records");
    let other =
        |id, unit, value| NewMetricValue { series: 10, ..self::value(id, unit, value, 100) };
    let values = [
        value(1, 1, 2.0, 100),
        value(2, 1, 4.0, 200),
        value(3, 2, 0.0, 150),
        value(4, 1, 9.0, 60),
        other(5, 1, 3.0),
        other(6, 2, 5.0),
    ];
    store.record_metric_values(&values).await.expect("records");
    for (aggregation, cap, denominator, (y, yy, x), parts) in [
        (Aggregation::Sum, None, None, (6.0, 36.0, 9.0), None),
        (Aggregation::Sum, Some(5.0), None, (5.0, 25.0, 5.0), None),
        // A reported 0 is no conversion.
        (Aggregation::Conversion, None, None, (1.0, 1.0, 1.0), None),
        (Aggregation::Mean, None, None, (6.0, 36.0, 9.0), Some((3.0, 5.0, 12.0))),
        (Aggregation::Ratio, None, Some(10), (6.0, 36.0, 9.0), Some((8.0, 34.0, 18.0))),
    ] {
        let query = MetricQuery { aggregation, cap, denominator, ..query_of(9) };
        let sums = store.metric_sums(&[7], &query).await.expect("sums")[0];
        assert_eq!((sums.units, sums.with_y, sums.with_x), (3, 2, 1), "{aggregation:?}");
        assert_eq!((sums.y, sums.yy, sums.x), (y, yy, x), "{aggregation:?} {cap:?}");
        if let Some(parts) = parts {
            assert_eq!((sums.d, sums.dd, sums.yd), parts, "{aggregation:?}");
        }
    }
}

const DAY: i64 = 86_400_000;

/// Three people in two arms, and one who was in both; values before and after, on several days.
#[expect(clippy::too_many_lines, reason = "one story of three days")]
async fn days_add_up_to_the_sums(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let exposed = |id, series, unit, day: i64| exposure(id, series, unit, day * DAY + 5);
    let exposures = [
        exposed(1, 7, 1, 20),
        exposed(2, 7, 2, 21),
        exposed(3, 8, 3, 20),
        exposed(4, 7, 4, 20),
        exposed(5, 8, 4, 21),
    ];
    store.record_exposures(&exposures).await.expect("records");
    let mut values = Vec::new();
    for (id, (unit, amount, day)) in (1_u8..).zip([
        (1, 2.0, 19),
        (1, 3.0, 20),
        (1, -4.0, 21),
        (1, 9.0, 21),
        (1, 2.5, 23),
        (2, 1.0, 20),
        (2, 0.0, 22),
        (3, 6.0, 22),
        (3, 6.0, 24),
        (4, 100.0, 22),
    ]) {
        values.push(value(id, unit, amount, day * DAY + 10));
        let other = value(id + 100, unit, f64::from(id), day * DAY + 11);
        values.push(NewMetricValue { series: 10, ..other });
    }
    store.record_metric_values(&values).await.expect("records");
    for (aggregation, cap, denominator) in [
        (Aggregation::Sum, None, None),
        (Aggregation::Sum, Some(5.0), None),
        (Aggregation::Conversion, None, None),
        (Aggregation::Mean, None, None),
        (Aggregation::Ratio, None, Some(10)),
    ] {
        let query =
            MetricQuery { aggregation, cap, denominator, before_ms: 3 * DAY, ..query_of(9) };
        let days = store.metric_days(&[7, 8], &query).await.expect("days");
        assert!(days.is_sorted_by_key(|day| (day.day, day.series)), "{days:?}");
        for sums in store.metric_sums(&[7, 8], &query).await.expect("sums") {
            let all = |of: fn(&crate::DaySums) -> f64| -> f64 {
                days.iter().filter(|day| day.series == sums.series).map(of).sum()
            };
            let added = [
                all(|day| day.units as f64),
                all(|day| day.y),
                all(|day| day.yy),
                all(|day| day.x),
                all(|day| day.xx),
                all(|day| day.xy),
                all(|day| day.d),
                all(|day| day.dd),
                all(|day| day.yd),
            ];
            let expected = [
                sums.units as f64,
                sums.y,
                sums.yy,
                sums.x,
                sums.xx,
                sums.xy,
                sums.d,
                sums.dd,
                sums.yd,
            ];
            for (actual, expected_sum) in added.into_iter().zip(expected) {
                assert!(
                    (actual - expected_sum).abs() < 1e-9,
                    "{aggregation:?} {cap:?}: {added:?} {expected:?}"
                );
            }
        }
    }
}

async fn counts_the_traffic_of_the_last_days(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let exposed =
        |id, series, unit, day: i64| NewExposure { day, ..exposure(id, series, unit, day * DAY) };
    // The first person was exposed long ago, and is active again because of a value.
    let exposures =
        [exposed(1, 7, 1, 2), exposed(2, 7, 2, 21), exposed(3, 8, 3, 20), exposed(4, 7, 4, 1)];
    store.record_exposures(&exposures).await.expect("records");
    let late_value =
        |id, unit, amount, day: i64| NewMetricValue { day, ..value(id, unit, amount, day * DAY) };
    let values = [
        late_value(1, 1, 2.0, 21),
        late_value(2, 1, 1.0, 2),
        late_value(3, 3, 4.0, 22),
        late_value(4, 9, 1.0, 22),
    ];
    store.record_metric_values(&values).await.expect("records");
    let since = Since { at: 20 * DAY, day: 20 };
    assert_eq!(store.traffic(&[7, 8], since).await.expect("counts"), [(20, 1), (21, 2)]);
    assert_eq!(store.traffic(&[], since).await.expect("counts"), []);
    let sums = store.metric_baseline(&[7, 8], &query_of(9), since).await.expect("sums");
    assert_eq!((sums.units, sums.with_y, sums.y, sums.yy), (3, 2, 6.0, 20.0));
    let none = store.metric_baseline(&[], &query_of(9), since).await.expect("sums");
    assert_eq!((none.units, none.y), (0, 0.0));
}

/// A value that is not a JSON number makes the whole batch invalid.
async fn skips_only_the_invalid_row(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let mut values: Vec<_> = (0..200).map(|id| value(id, id, 1.0, 1)).collect();
    values[17].value = f64::NAN;
    values[180].value = f64::NAN;
    let inserted = store.record_metric_values(&values).await.expect("the others are written");
    assert_eq!(inserted.new.len(), 198);
    assert_eq!(inserted.refused, [hash(17), hash(180)]);
    if engine == Engine::Postgres {
        let series = |id, name: &str| Series {
            id,
            environment: "production".into(),
            kind: "experiment",
            name: name.into(),
            phase: 1,
            arm: "a".into(),
        };
        let all = [series(1, "x"), series(2, "nul\0"), series(3, "y")];
        let mut stored = store.record_series(&all).await.expect("the others are written");
        stored.sort_unstable();
        assert_eq!(stored, [1, 3]);
    }
    store.close().await;
    store.record_metric_values(&values).await.expect_err("the database is closed");
}

async fn removes_old_days(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let exposures = [exposure(1, 7, 1, 1), exposure(2, 7, 2, 2), exposure(3, 7, 3, 3)];
    store.record_exposures(&exposures).await.expect("records");
    store.record_metric_values(&[value(1, 1, 1.0, 1), value(2, 1, 1.0, 3)]).await.expect("records");
    assert_eq!(store.delete_old_exposures(3, 1).await.expect("forgets"), 1, "at most the limit");
    assert_eq!(store.delete_old_exposures(3, 10).await.expect("forgets"), 1);
    assert_eq!(store.delete_old_exposures(3, 10).await.expect("forgets"), 0);
    assert_eq!(store.delete_old_metric_values(3, 10).await.expect("forgets"), 1);
    assert_eq!(store.units(&[7]).await.expect("counts")[0].units, 1);
    if let Db::Postgres(pools) = &store.db {
        // A deletion of one day must not read thirteen months of events.
        let delete = delete_old_rows(engine, &EXPOSURES).into_sql_str();
        let explain = format!("EXPLAIN {}", delete.as_str().replace("$1", "3").replace("$2", "9"));
        let mut tx = pools.read.begin().await.expect("a transaction");
        // A table of a few rows is always read as a whole.
        sqlx::query("SET LOCAL enable_seqscan = off").execute(&mut *tx).await.expect("set");
        let plan: Vec<(String,)> =
            sqlx::query_as(AssertSqlSafe(explain)).fetch_all(&mut *tx).await.expect("a plan");
        assert!(plan.iter().any(|(line,)| line.contains("Tid Scan on exposures")), "{plan:?}");
    }
}

async fn stores_series(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let series = |id, phase, arm: &str| Series {
        id,
        environment: "production".into(),
        kind: "experiment",
        name: "x".into(),
        phase,
        arm: arm.into(),
    };
    let both = [series(2, 1, "b"), series(-1, 1, "a")];
    store.record_series(&both[..1]).await.expect("records");
    store.record_series(&both).await.expect("records");
    let stored = store.series_of("production", "experiment", "x").await.expect("reads");
    assert_eq!(stored, [both[1].clone(), both[0].clone()]);
    assert!(store.series_of("production", "holdout", "x").await.expect("reads").is_empty());
}

use sqlx::AssertSqlSafe;

use super::store;
use crate::db::{Db, Engine};
use crate::webhooks::deliveries::{LEASE_DELIVERIES, SELECT_OLDEST_PENDING};

/// A receiver that was down, or a term for all riders, may leave a million pending deliveries: the
/// cost of leasing a few must not depend on their number.
#[tokio::test]
async fn a_lease_does_not_scan_all_pending_deliveries() {
    let (store, _dir) = store(Engine::Sqlite).await;
    let Db::Sqlite(pools) = &store.db else { panic!("not SQLite") };
    for (sql, expected) in [
        (
            LEASE_DELIVERIES,
            [
                "MATERIALIZE due",
                "(webhook=? AND seq=?)",
                "webhook_deliveries_due (webhook=? AND next_at<?)",
            ],
        ),
        (SELECT_OLDEST_PENDING, ["w", "SUBQUERY", "webhook_deliveries_oldest (webhook=?)"]),
    ] {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(explain).fetch_all(&pools.read).await.expect("a plan");
        let steps: Vec<String> = steps.into_iter().map(|(.., step)| step).collect();
        let sorts = |step: &String| {
            step.contains("TEMP B-TREE") || step == "SCAN d" || step.contains("SCAN webhook")
        };
        assert!(!steps.iter().any(sorts), "{steps:#?}");
        for expected in expected {
            assert!(steps.iter().any(|step| step.contains(expected)), "{expected}: {steps:#?}");
        }
    }
}

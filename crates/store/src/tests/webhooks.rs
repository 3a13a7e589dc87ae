use sqlx::AssertSqlSafe;

use super::store;
use crate::db::{Db, Engine};
use crate::webhooks::deliveries::{LEASE, OLDEST_WAITING};

/// A receiver that was away, or a term for everybody, lets a million deliveries wait: taking a few must cost what
/// they are.
#[tokio::test]
async fn no_look_at_deliveries_goes_through_all_that_wait() {
    let (store, _dir) = store(Engine::Sqlite).await;
    let Db::Sqlite(pools) = &store.db else { panic!("not SQLite") };
    for (sql, expected) in [
        (
            LEASE,
            [
                "MATERIALIZE due",
                "(webhook=? AND seq=?)",
                "webhook_deliveries_due (webhook=? AND next_at<?)",
            ],
        ),
        (OLDEST_WAITING, ["w", "SUBQUERY", "webhook_deliveries_oldest (webhook=?)"]),
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
            assert!(steps.iter().any(|it| it.contains(expected)), "{expected}: {steps:#?}");
        }
    }
}

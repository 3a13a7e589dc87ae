//! Stores of earlier versions of the program, whose migrations the schema files replace.

use sqlx::AssertSqlSafe;
use sqlx::Executor as _;

use super::{bare_store, on_both, store};
use crate::db::modify;
use crate::{Engine, Migrations, Store, StoreError};

on_both!(
    skips_the_schema_in_a_store_of_an_earlier_version,
    refuses_a_store_that_lacks_replaced_migrations,
);

async fn run(store: &Store, sql: String) {
    modify!(store, |pool| pool.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.map(drop))
        .expect("runs");
}

/// Replaces the rows of the schema files by those of earlier migrations.
async fn record_earlier_migrations(store: &Store, versions: &[i64]) {
    run(store, "DELETE FROM _sqlx_migrations WHERE version < 110".into()).await;
    for version in versions {
        let row = format!(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum,
            execution_time) SELECT {version}, 'earlier', success, checksum, 0 FROM _sqlx_migrations
            WHERE version = 110"
        );
        run(store, row).await;
    }
}

const fn last(engine: Engine) -> i64 {
    match engine {
        Engine::Sqlite => 106,
        Engine::Postgres => 105,
    }
}

async fn skips_the_schema_in_a_store_of_an_earlier_version(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let new = store.migrations().await.expect("reads");
    assert_eq!(
        new,
        Migrations { applied: new.known, known: new.known, later: 0, contracting: None }
    );
    record_earlier_migrations(&store, &[1, 54, last(engine)]).await;
    let before = store.migrations().await.expect("reads");
    assert_eq!((before.applied, before.later), (new.known - 2, 0));
    let (one, two) = tokio::join!(store.migrate(), store.migrate());
    one.and(two).expect("skips the schema, whose tables exist");
    assert_eq!(store.migrations().await.expect("reads"), new);
    // The previous version finds its own migrations.
    let earlier: i64 = modify!(store, |pool| sqlx::query_scalar(
        "SELECT count(*) FROM _sqlx_migrations WHERE version < 107"
    )
    .fetch_one(pool)
    .await)
    .expect("reads");
    assert_eq!(earlier, 3);
}

async fn refuses_a_store_that_lacks_replaced_migrations(engine: Engine) {
    let (store, _dir) = bare_store(engine).await;
    store.migrate().await.expect("migrates");
    record_earlier_migrations(&store, &[1, 54, last(engine) - 1]).await;
    for _ in 0..2 {
        let refusal = store.migrate().await;
        assert!(matches!(refusal, Err(StoreError::TooOld(version)) if version == last(engine) - 1));
    }
    // The lock is released.
    record_earlier_migrations(&store, &[2, last(engine)]).await;
    store.migrate().await.expect("migrates");
}

//! Errors with one cause are one line, which names the table and the row that were changed.

use sqlx::{AssertSqlSafe, Executor as _};

use super::tampering::disable_triggers;
use super::verify;
use crate::Engine;
use crate::db::{Store, modify};
use crate::tests::submissions::{applicant, with_terms};
use crate::tests::{new_term, on_both, publish, store_without_log};

on_both!(
    names_the_changed_language_once_and_counts_the_consents,
    counts_rows_with_the_same_error,
    verifies_a_store_without_a_log,
);

async fn run(store: &Store, sql: &str) {
    let sql = AssertSqlSafe(sql.to_owned());
    modify!(store, |pool| pool.execute(sqlx::raw_sql(sql)).await.map(drop)).expect("runs");
}

async fn with_applicants(engine: Engine) -> (std::sync::Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = with_terms(engine).await;
    let mut batch = Vec::new();
    for number in 0..120 {
        let name = format!("applicant {number}");
        batch.push(applicant(&store, &name, &[(1, true), (2, true)]).await);
    }
    store.record(&batch).await.expect("a working store");
    disable_triggers(&store).await;
    (store, dir)
}

async fn lines(store: &Store) -> Vec<String> {
    verify(store, None).await.errors.iter().map(ToString::to_string).collect()
}

async fn names_the_changed_language_once_and_counts_the_consents(engine: Engine) {
    let (store, _dir) = with_applicants(engine).await;
    assert!(lines(&store).await.is_empty());
    let other = "f".repeat(64);
    run(&store, &format!("UPDATE term_variants SET sha256 = '{other}' WHERE term_id = 1")).await;
    // On PostgreSQL, consents have their own column.
    let consents = match engine {
        Engine::Sqlite => "; 120 consents refer to it",
        Engine::Postgres => "",
    };
    let expected =
        format!("term_variants term_id 1 locale en: sha256 differs from the log{consents}");
    assert_eq!(lines(&store).await, [expected]);
}

async fn counts_rows_with_the_same_error(engine: Engine) {
    let (store, _dir) = with_applicants(engine).await;
    run(&store, "UPDATE submissions SET locale = 'de'").await;
    let lines = lines(&store).await;
    assert_eq!(lines, ["submissions seq 0: locale differs from the log (and 119 more)"]);
}

async fn verifies_a_store_without_a_log(engine: Engine) {
    let (store, _dir) = store_without_log(engine).await;
    let verified = verify(&store, None).await;
    assert_eq!((verified.logs, verified.entries, verified.errors), (0, 0, vec![]));
    // A published term has an entry, so its log is missing.
    let (store, _dir) = with_terms(engine).await;
    publish(&store, &new_term("d")).await;
    disable_triggers(&store).await;
    for table in ["log_tiles", "log_heads", "log_entries", "log_key", "logs"] {
        run(&store, &format!("DELETE FROM {table}")).await;
    }
    let lines = lines(&store).await;
    assert!(lines.iter().any(|line| line.contains("no log was started")), "{lines:?}");
}

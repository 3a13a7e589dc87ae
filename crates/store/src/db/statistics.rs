//! Removes statistics of PostgreSQL's planner about columns with personal data or secrets.
//! Migrations set the statistics target of these columns to 0, so that `ANALYZE` collects none.
//! Statistics that it had collected before remain until they are removed here. SQLite has no
//! statistics: nothing runs `ANALYZE` there.

use sqlx::{AssertSqlSafe, PgPool};

use super::error::StoreError;

/// Selects columns that must not have statistics but do.
pub(crate) const SELECT_COLLECTED: &str = "SELECT quote_ident(c.relname), quote_ident(a.attname),
        format_type(a.atttypid, a.atttypmod)
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    JOIN pg_stats AS s ON s.schemaname = current_schema()
        AND s.tablename = c.relname AND s.attname = a.attname
    WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND a.attstattarget = 0
    ORDER BY 1, 2";
/// A long transaction, such as a backup, holds the table; a start does not wait for its end.
const SET_SHORT_LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '5s'";
/// Removes deleted rows from the file. The owner of the database may run it; for other roles
/// PostgreSQL warns and skips it.
const REWRITE_STATISTICS: &str = "VACUUM FULL pg_catalog.pg_statistic";

/// Whether to wait until a table is free.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    Shortly,
    Long,
}

/// Removes the statistics of these columns. Only a superuser may delete rows of `pg_statistic`. The
/// owner of a column removes them by setting the column's type again, which rewrites no row.
pub(crate) async fn remove_statistics(pool: &PgPool, wait: Wait) -> Result<(), StoreError> {
    let columns: Vec<(String, String, String)> =
        sqlx::query_as(SELECT_COLLECTED).fetch_all(pool).await?;
    for (table, column, kind) in &columns {
        let mut tx = pool.begin().await?;
        if wait == Wait::Shortly {
            sqlx::query(SET_SHORT_LOCK_TIMEOUT).execute(&mut *tx).await?;
        }
        let retype = format!("ALTER TABLE {table} ALTER COLUMN {column} TYPE {kind}");
        sqlx::query(AssertSqlSafe(retype)).execute(&mut *tx).await?;
        tx.commit().await?;
    }
    if !columns.is_empty() {
        sqlx::query(REWRITE_STATISTICS).execute(pool).await?;
    }
    Ok(())
}

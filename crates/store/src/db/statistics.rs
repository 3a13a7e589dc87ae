//! Statistics of PostgreSQL's planner about columns of personal data and of secrets. Migrations set their target to 0, so
//! that `ANALYZE` collects none; what it had collected before stays until it is removed here. SQLite has no statistics:
//! nothing runs `ANALYZE` there.

use sqlx::{AssertSqlSafe, PgPool};

use super::error::StoreError;

/// Columns that may have no statistics and have some.
pub(crate) const COLLECTED: &str = "SELECT quote_ident(c.relname), quote_ident(a.attname),
        format_type(a.atttypid, a.atttypmod)
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    JOIN pg_stats AS s ON s.schemaname = current_schema()
        AND s.tablename = c.relname AND s.attname = a.attname
    WHERE c.relnamespace = CAST(current_schema() AS regnamespace) AND a.attstattarget = 0
    ORDER BY 1, 2";
/// A long transaction, such as a backup, holds the table: a start does not wait for its end.
const WAIT_SHORTLY: &str = "SET LOCAL lock_timeout = '5s'";
/// Deleted rows stay in the file. The owner of the database may do this; others are warned and skipped.
const REWRITE: &str = "VACUUM FULL pg_catalog.pg_statistic";

/// Whether to wait until a table is free.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    Shortly,
    Long,
}

/// Removes what was collected about these columns. Only a superuser may delete rows of `pg_statistic`; a column's owner
/// removes them by giving the column its type anew, which rewrites no row.
pub(crate) async fn forget_statistics(pool: &PgPool, wait: Wait) -> Result<(), StoreError> {
    let columns: Vec<(String, String, String)> = sqlx::query_as(COLLECTED).fetch_all(pool).await?;
    for (table, column, kind) in &columns {
        let mut tx = pool.begin().await?;
        if wait == Wait::Shortly {
            sqlx::query(WAIT_SHORTLY).execute(&mut *tx).await?;
        }
        let retype = format!("ALTER TABLE {table} ALTER COLUMN {column} TYPE {kind}");
        sqlx::query(AssertSqlSafe(retype)).execute(&mut *tx).await?;
        tx.commit().await?;
    }
    if !columns.is_empty() {
        sqlx::query(REWRITE).execute(pool).await?;
    }
    Ok(())
}

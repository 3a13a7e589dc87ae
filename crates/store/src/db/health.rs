//! What somebody who looks after the database asks it. Each engine has words of its own for it.

use sqlx::AssertSqlSafe;

use super::error::StoreError;
use super::{Db, Store};

/// Each index of a table of ours; the check also reads the table and finds rows without an index entry.
const CHECK_INDEXES: &str = "SELECT bt_index_check(c.oid, true) FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS a ON a.oid = c.relam
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE a.amname = 'btree' AND n.nspname = current_schema() AND i.indisready AND i.indisvalid";

/// How the database promises that what is committed stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durability {
    /// The engine's own settings, as `name=value`.
    pub settings: String,
    /// Whether a commit is on disk when it is answered.
    pub is_synced: bool,
    /// Standbys on which a commit is before it is answered; none on SQLite.
    pub standbys: Option<i64>,
}

/// What a check of every page found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pages {
    /// All are well.
    Sound,
    /// What is damaged, as the engine says it.
    Damaged(Vec<String>),
    /// The database cannot check itself; why.
    Unchecked(String),
}

impl Store {
    /// Name and version of the database's program.
    pub async fn engine_version(&self) -> Result<String, StoreError> {
        Ok(match &self.db {
            Db::Sqlite(pools) => {
                let version: String =
                    sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&pools.read).await?;
                format!("SQLite {version}")
            }
            Db::Postgres(pools) => {
                let version: String =
                    sqlx::query_scalar("SHOW server_version").fetch_one(&pools.read).await?;
                format!("PostgreSQL {version}")
            }
        })
    }

    /// How commits are kept.
    pub async fn durability(&self) -> Result<Durability, StoreError> {
        Ok(match &self.db {
            Db::Sqlite(pools) => {
                let mode: String =
                    sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&pools.write).await?;
                let level: i64 =
                    sqlx::query_scalar("PRAGMA synchronous").fetch_one(&pools.write).await?;
                let settings = format!("journal_mode={mode} synchronous={level}");
                Durability { settings, is_synced: level >= 2, standbys: None }
            }
            Db::Postgres(pools) => {
                let show = async |name: &str| -> Result<String, StoreError> {
                    let sql = AssertSqlSafe(format!("SHOW {name}"));
                    Ok(sqlx::query_scalar(sql).fetch_one(&pools.read).await?)
                };
                let commit = show("synchronous_commit").await?;
                let fsync = show("fsync").await?;
                let standbys: i64 = sqlx::query_scalar(
                    "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')",
                )
                .fetch_one(&pools.read)
                .await?;
                Durability {
                    settings: format!("synchronous_commit={commit} fsync={fsync}"),
                    is_synced: fsync == "on" && commit != "off",
                    standbys: Some(standbys),
                }
            }
        })
    }

    /// Reads every page, also those that nothing else reads.
    pub async fn check_pages(&self) -> Result<Pages, StoreError> {
        let faults: Vec<String> = match &self.db {
            Db::Sqlite(pools) => {
                let said =
                    sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&pools.read).await;
                match said {
                    Ok(said) => said.into_iter().filter(|line| line != "ok").collect(),
                    // A page that cannot be read at all ends the check itself.
                    Err(sqlx::Error::Database(error)) => vec![error.message().to_owned()],
                    Err(error) => return Err(error.into()),
                }
            }
            Db::Postgres(pools) => {
                let has_amcheck: bool = sqlx::query_scalar(
                    "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'amcheck')",
                )
                .fetch_one(&pools.read)
                .await?;
                if !has_amcheck {
                    let why = "the extension amcheck is missing (CREATE EXTENSION amcheck, and GRANT EXECUTE ON FUNCTION bt_index_check(regclass, boolean) to this role)";
                    return Ok(Pages::Unchecked(why.into()));
                }
                match sqlx::query(CHECK_INDEXES).execute(&pools.read).await {
                    Ok(_) => Vec::new(),
                    Err(sqlx::Error::Database(error))
                        if error.code().as_deref() == Some("42501") =>
                    {
                        return Ok(Pages::Unchecked(error.message().to_owned()));
                    }
                    Err(sqlx::Error::Database(error)) => vec![error.message().to_owned()],
                    Err(error) => return Err(error.into()),
                }
            }
        };
        Ok(if faults.is_empty() { Pages::Sound } else { Pages::Damaged(faults) })
    }
}

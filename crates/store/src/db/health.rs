//! Queries about the health of the database, for operators. Each engine has its own statements for
//! them.

use sqlx::AssertSqlSafe;

use super::error::StoreError;
use super::{Db, Store};

/// Checks each index of our tables. The check also reads the table and finds rows without an index
/// entry.
const CHECK_INDEXES: &str = "SELECT bt_index_check(c.oid, true) FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS a ON a.oid = c.relam
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE a.amname = 'btree' AND n.nspname = current_schema() AND i.indisready AND i.indisvalid";

/// The settings that protect committed data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durability {
    /// The engine's own settings, as `name=value`.
    pub settings: String,
    /// Whether a commit is on disk before it is confirmed.
    pub is_synced: bool,
    /// Number of standbys that have a commit before it is confirmed; `None` on SQLite.
    pub standbys: Option<i64>,
}

/// The result of a check of every page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pages {
    /// No page is damaged.
    Sound,
    /// The damage, in the words of the engine.
    Damaged(Vec<String>),
    /// The database cannot check itself; contains the reason.
    Unchecked(String),
}

impl Store {
    /// Returns the name and version of the database engine.
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

    /// Returns the settings that protect committed data.
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

    /// Reads and checks every page, including pages that no query reads.
    pub async fn check_pages(&self) -> Result<Pages, StoreError> {
        let errors: Vec<String> = match &self.db {
            Db::Sqlite(pools) => {
                let lines =
                    sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&pools.read).await;
                match lines {
                    Ok(lines) => lines.into_iter().filter(|line| line != "ok").collect(),
                    // An unreadable page makes the check itself fail.
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
        Ok(if errors.is_empty() { Pages::Sound } else { Pages::Damaged(errors) })
    }
}

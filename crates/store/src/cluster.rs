//! Coordination of servers and commands: the revision, the running nodes, the shared secrets.

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::db::secrets::SECRETS;
use crate::db::{Db, Store, read, write};

pub(crate) const RAISE_REVISION: &str = "UPDATE revision SET n = n + 1 WHERE id = 1 RETURNING n";
const REVISION: &str = "SELECT n FROM revision WHERE id = 1";
const SECRET: &str = "SELECT value FROM secrets WHERE name = $1";
const KEEP_SECRET: &str =
    "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
const SEE: &str = "INSERT INTO nodes (id, revision, seen_at) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, seen_at = excluded.seen_at";
const LEAVE: &str = "DELETE FROM nodes WHERE id = $1 OR seen_at < $2";
const BEHIND: &str = "SELECT count(*) FROM nodes WHERE seen_at >= $1 AND revision < $2";

const SERVED_AT: &str = "SELECT url FROM served_at WHERE id = 1";
const KEEP_SERVED_AT: &str = "INSERT INTO served_at (id, url) VALUES (1, $1)
    ON CONFLICT (id) DO UPDATE SET url = excluded.url";
const NEWEST_AT: &str = "SELECT newest_at FROM served_at WHERE id = 1";
const SET_NEWEST_AT: &str = "UPDATE served_at SET newest_at = $1 WHERE id = 1";
const RAISE_NEWEST_AT: &str = "UPDATE served_at SET newest_at = $1
    WHERE id = 1 AND (newest_at IS NULL OR newest_at < $1)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    RAISE_REVISION,
    REVISION,
    SECRET,
    KEEP_SECRET,
    SEE,
    LEAVE,
    BEHIND,
    SERVED_AT,
    KEEP_SERVED_AT,
    NEWEST_AT,
    SET_NEWEST_AT,
    RAISE_NEWEST_AT,
];

/// There is no such table, as either engine says it.
const NO_TABLE: [&str; 2] = ["1", "42P01"];

/// A running server and what it serves.
#[derive(Debug, Clone)]
pub struct ClusterNode {
    /// Random id of the process.
    pub id: String,
    /// The revision that it serves.
    pub revision: i64,
    /// When it last reported, in milliseconds since 1970.
    pub seen_at: i64,
}

impl Store {
    /// Whether there is a store, and not only a database.
    pub async fn is_made(&self) -> Result<bool, StoreError> {
        match self.revision().await {
            Ok(_) => Ok(true),
            Err(StoreError::Driver(sqlx::Error::Database(error)))
                if error.code().is_some_and(|code| NO_TABLE.contains(&code.as_ref())) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Address of the server that started last.
    pub async fn served_at(&self) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SERVED_AT).fetch_optional(pool).await)?)
    }

    /// Remembers where this server is reached.
    pub async fn keep_served_at(&self, url: &str) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(KEEP_SERVED_AT).bind(url).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// The newest instant that a server on this store has seen.
    pub async fn newest_instant(&self) -> Result<Option<Instant>, StoreError> {
        let found: Option<Option<i64>> =
            read!(self, |pool| sqlx::query_scalar(NEWEST_AT).fetch_optional(pool).await)?;
        Ok(found.flatten().map(Instant::from_millis))
    }

    /// Says which instant is the newest one, whatever was before: somebody has looked at the clock.
    pub async fn set_newest_instant(&self, now: Instant) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(SET_NEWEST_AT).bind(now.millis()).execute(pool).await.map(drop)
        })?;
        Ok(())
    }

    /// The newest instant never goes back by itself.
    pub async fn raise_newest_instant(&self, now: Instant) -> Result<(), StoreError> {
        write!(self, |pool| {
            sqlx::query(RAISE_NEWEST_AT).bind(now.millis()).execute(pool).await.map(drop)
        })?;
        Ok(())
    }

    /// The clock of PostgreSQL. SQLite has none of its own.
    pub async fn database_clock(&self) -> Result<Option<Instant>, StoreError> {
        let Db::Postgres(pools) = &self.db else { return Ok(None) };
        let millis: i64 = sqlx::query_scalar(
            "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
        )
        .fetch_one(&pools.read)
        .await?;
        Ok(Some(Instant::from_millis(millis)))
    }

    /// Raised by everything that a running server must see at once.
    pub async fn revision(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(REVISION).fetch_one(pool).await)?)
    }

    /// Raises the revision, so that every server looks for changes; gives the new one.
    pub async fn raise_revision(&self) -> Result<i64, StoreError> {
        Ok(write!(self, |pool| sqlx::query_scalar(RAISE_REVISION).fetch_one(pool).await)?)
    }

    /// Says that this node is alive and what it serves.
    pub async fn see_node(&self, node: &ClusterNode) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(SEE)
            .bind(&node.id)
            .bind(node.revision)
            .bind(node.seen_at)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Takes this node off the list, and with it all that have not been seen since `stale_before`.
    pub async fn leave_node(&self, id: &str, stale_before: i64) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(LEAVE)
            .bind(id)
            .bind(stale_before)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// How many nodes that were seen since then do not serve `revision` yet.
    pub async fn nodes_behind(&self, seen_since: i64, revision: i64) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(BEHIND)
            .bind(seen_since)
            .bind(revision)
            .fetch_one(pool)
            .await)?)
    }

    /// The secret of this name, if there is one.
    pub async fn kept_secret(&self, name: &str) -> Result<Option<String>, StoreError> {
        let found: Option<String> =
            read!(self, |pool| sqlx::query_scalar(SECRET).bind(name).fetch_optional(pool).await)?;
        Ok(found.map(|value| self.secrets.open(&SECRETS, name, &value)).transpose()?)
    }

    /// The secret of this name; `candidate` becomes it if there was none (of several starters one
    /// wins and all get the same).
    pub async fn secret(&self, name: &str, candidate: &str) -> Result<String, StoreError> {
        if let Some(found) = self.kept_secret(name).await? {
            return Ok(found);
        }
        let sealed = self.secrets.seal(&SECRETS, name, candidate)?;
        let kept: String = write!(self, |pool| {
            sqlx::query(KEEP_SECRET).bind(name).bind(sealed).execute(pool).await?;
            sqlx::query_scalar(SECRET).bind(name).fetch_one(pool).await?
        });
        Ok(self.secrets.open(&SECRETS, name, &kept)?)
    }
}

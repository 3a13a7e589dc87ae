//! Coordination of servers and commands: the revision, the running nodes, the shared secrets.

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::db::secrets::SECRETS;
use crate::db::{Db, Store, modify, read};

pub(crate) const RAISE_REVISION: &str = "UPDATE revision SET n = n + 1 WHERE id = 1 RETURNING n";
pub(crate) const SELECT_REVISION: &str = "SELECT n FROM revision WHERE id = 1";
const SELECT_SECRET: &str = "SELECT value FROM secrets WHERE name = $1";
const INSERT_SECRET: &str =
    "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
const UPSERT_NODE: &str = "INSERT INTO nodes (id, revision, seen_at) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, seen_at = excluded.seen_at";
const DELETE_NODES: &str = "DELETE FROM nodes WHERE id = $1 OR seen_at < $2";
const COUNT_NODES_BEHIND: &str = "SELECT count(*) FROM nodes WHERE seen_at >= $1 AND revision < $2";

const SELECT_SERVED_AT: &str = "SELECT url FROM served_at WHERE id = 1";
const UPSERT_SERVED_AT: &str = "INSERT INTO served_at (id, url) VALUES (1, $1)
    ON CONFLICT (id) DO UPDATE SET url = excluded.url";
const SELECT_NEWEST_AT: &str = "SELECT newest_at FROM served_at WHERE id = 1";
const SET_NEWEST_AT: &str = "UPDATE served_at SET newest_at = $1 WHERE id = 1";
const RAISE_NEWEST_AT: &str = "UPDATE served_at SET newest_at = $1
    WHERE id = 1 AND (newest_at IS NULL OR newest_at < $1)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    RAISE_REVISION,
    SELECT_REVISION,
    SELECT_SECRET,
    INSERT_SECRET,
    UPSERT_NODE,
    DELETE_NODES,
    COUNT_NODES_BEHIND,
    SELECT_SERVED_AT,
    UPSERT_SERVED_AT,
    SELECT_NEWEST_AT,
    SET_NEWEST_AT,
    RAISE_NEWEST_AT,
];

/// Error codes of both engines for a missing table.
const MISSING_TABLE_CODES: [&str; 2] = ["1", "42P01"];

/// A running server and what it serves.
#[derive(Debug, Clone)]
pub struct ClusterNode {
    /// Random ID of the process.
    pub id: String,
    /// The revision that it serves.
    pub revision: i64,
    /// When it last reported, in milliseconds since 1970.
    pub seen_at: i64,
}

impl Store {
    /// Returns whether the database contains a store.
    pub async fn has_store(&self) -> Result<bool, StoreError> {
        match self.revision().await {
            Ok(_) => Ok(true),
            Err(StoreError::Driver(sqlx::Error::Database(error)))
                if error
                    .code()
                    .is_some_and(|code| MISSING_TABLE_CODES.contains(&code.as_ref())) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the address of the server that started last.
    pub async fn served_at(&self) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_SERVED_AT).fetch_optional(pool).await)?)
    }

    /// Stores the address of this server.
    pub async fn set_served_at(&self, url: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(UPSERT_SERVED_AT)
            .bind(url)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the newest instant that a server on this store has seen.
    pub async fn newest_instant(&self) -> Result<Option<Instant>, StoreError> {
        let newest: Option<Option<i64>> =
            read!(self, |pool| sqlx::query_scalar(SELECT_NEWEST_AT).fetch_optional(pool).await)?;
        Ok(newest.flatten().map(Instant::from_millis))
    }

    /// Sets the newest instant, even to an earlier one, after an operator has checked the clock.
    pub async fn set_newest_instant(&self, now: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(SET_NEWEST_AT).bind(now.millis()).execute(pool).await.map(drop)
        })?;
        Ok(())
    }

    /// Raises the newest instant; it never goes back automatically.
    pub async fn raise_newest_instant(&self, now: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| {
            sqlx::query(RAISE_NEWEST_AT).bind(now.millis()).execute(pool).await.map(drop)
        })?;
        Ok(())
    }

    /// Returns the clock of PostgreSQL; `None` on SQLite, which has no clock.
    pub async fn database_clock(&self) -> Result<Option<Instant>, StoreError> {
        let Db::Postgres(pools) = &self.db else { return Ok(None) };
        let millis: i64 = sqlx::query_scalar(
            "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
        )
        .fetch_one(&pools.read)
        .await?;
        Ok(Some(Instant::from_millis(millis)))
    }

    /// Returns the revision, which increases with every change that running servers must see at
    /// once.
    pub async fn revision(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_REVISION).fetch_one(pool).await)?)
    }

    /// Raises the revision, so that every server looks for changes, and returns the new one.
    pub async fn raise_revision(&self) -> Result<i64, StoreError> {
        Ok(modify!(self, |pool| sqlx::query_scalar(RAISE_REVISION).fetch_one(pool).await)?)
    }

    /// Records that this node is alive and which revision it serves.
    pub async fn record_node(&self, node: &ClusterNode) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(UPSERT_NODE)
            .bind(&node.id)
            .bind(node.revision)
            .bind(node.seen_at)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Removes this node, and all nodes that have not reported since `stale_before`.
    pub async fn leave_node(&self, id: &str, stale_before: i64) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_NODES)
            .bind(id)
            .bind(stale_before)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns how many nodes that have reported since then do not serve `revision` yet.
    pub async fn nodes_behind(&self, seen_since: i64, revision: i64) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_NODES_BEHIND)
            .bind(seen_since)
            .bind(revision)
            .fetch_one(pool)
            .await)?)
    }

    /// Returns the secret with this name, if it exists.
    pub async fn stored_secret(&self, name: &str) -> Result<Option<String>, StoreError> {
        let stored: Option<String> = read!(self, |pool| sqlx::query_scalar(SELECT_SECRET)
            .bind(name)
            .fetch_optional(pool)
            .await)?;
        Ok(stored.map(|value| self.secrets.open(&SECRETS, name, &value)).transpose()?)
    }

    /// Returns the secret with this name. If none exists, it stores `candidate`. If several nodes
    /// start at once, all get the same secret.
    pub async fn secret(&self, name: &str, candidate: &str) -> Result<String, StoreError> {
        if let Some(existing) = self.stored_secret(name).await? {
            return Ok(existing);
        }
        let sealed = self.secrets.seal(&SECRETS, name, candidate)?;
        let stored: String = modify!(self, |pool| {
            sqlx::query(INSERT_SECRET).bind(name).bind(sealed).execute(pool).await?;
            sqlx::query_scalar(SELECT_SECRET).bind(name).fetch_one(pool).await?
        });
        Ok(self.secrets.open(&SECRETS, name, &stored)?)
    }
}

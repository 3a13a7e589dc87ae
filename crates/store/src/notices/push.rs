//! Push subscriptions of people's browsers.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const SUBSCRIPTIONS: Table = Table {
    name: "push_subscriptions",
    columns: &[
        ("person", ColumnType::Text),
        ("id", ColumnType::Text),
        ("endpoint", ColumnType::Text),
        ("p256dh", ColumnType::Text),
        ("auth", ColumnType::Text),
        ("created_at", ColumnType::Int),
    ],
};

/// The maximum number of subscriptions of a person.
const SUBSCRIPTIONS_MAX: i64 = 10;

/// Locks the person, so that concurrent requests cannot exceed the maximum.
const LOCK_PERSON: &str = "UPDATE subjects SET key = key WHERE ref = $1";
/// Removes the endpoint from other people and from other IDs: one browser has one subscription, of
/// the person who signed in last.
const DELETE_ENDPOINT: &str =
    "DELETE FROM push_subscriptions WHERE endpoint = $3 AND NOT (person = $1 AND id = $2)";
const UPDATE_SUBSCRIPTION: &str = "UPDATE push_subscriptions
    SET endpoint = $3, p256dh = $4, auth = $5 WHERE person = $1 AND id = $2";
const COUNT_SUBSCRIPTIONS: &str = "SELECT count(*) FROM push_subscriptions WHERE person = $1";
const INSERT_SUBSCRIPTION: &str =
    "INSERT INTO push_subscriptions (person, id, endpoint, p256dh, auth, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)";
const DELETE_SUBSCRIPTION: &str = "DELETE FROM push_subscriptions WHERE person = $1 AND id = $2";
const DELETE_GONE: &str = "DELETE FROM push_subscriptions WHERE endpoint = $1";
const SELECT_SUBSCRIPTIONS: &str =
    "SELECT id, endpoint, p256dh, auth FROM push_subscriptions WHERE person = $1 ORDER BY id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    LOCK_PERSON,
    DELETE_ENDPOINT,
    UPDATE_SUBSCRIPTION,
    COUNT_SUBSCRIPTIONS,
    INSERT_SUBSCRIPTION,
    DELETE_SUBSCRIPTION,
    DELETE_GONE,
    SELECT_SUBSCRIPTIONS,
];

/// The endpoint and the keys of a browser's push subscription (RFC 8030, RFC 8291).
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct PushSubscription {
    /// The ID that the client chose.
    pub id: String,
    /// URL of the push service.
    pub endpoint: String,
    /// Public key of the browser, in base64url.
    pub p256dh: String,
    /// Secret of the browser, in base64url.
    pub auth: String,
}

/// Outcome of [`Store::save_push_subscription`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushSaved {
    /// The subscription is new.
    Added,
    /// The subscription replaced one with the same ID.
    Replaced,
    /// The person has the maximum number of subscriptions.
    TooMany,
    /// The person was erased.
    Unknown,
}

impl Store {
    /// Saves a subscription of a person.
    pub async fn save_push_subscription(
        &self,
        person: &str,
        new: &PushSubscription,
        now: Instant,
    ) -> Result<PushSaved, StoreError> {
        let PushSubscription { id, endpoint, p256dh, auth } = new;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let locked = sqlx::query(LOCK_PERSON).bind(person).execute(&mut *tx).await?;
            if locked.rows_affected() == 0 {
                return Ok(PushSaved::Unknown);
            }
            let delete = sqlx::query(DELETE_ENDPOINT).bind(person).bind(id).bind(endpoint);
            delete.execute(&mut *tx).await?;
            let update = sqlx::query(UPDATE_SUBSCRIPTION).bind(person).bind(id).bind(endpoint);
            let updated = update.bind(p256dh).bind(auth).execute(&mut *tx).await?;
            if updated.rows_affected() == 0 {
                let count: i64 = sqlx::query_scalar(COUNT_SUBSCRIPTIONS)
                    .bind(person)
                    .fetch_one(&mut *tx)
                    .await?;
                if count >= SUBSCRIPTIONS_MAX {
                    return Ok(PushSaved::TooMany);
                }
                let insert = sqlx::query(INSERT_SUBSCRIPTION).bind(person).bind(id).bind(endpoint);
                insert.bind(p256dh).bind(auth).bind(now.millis()).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(if updated.rows_affected() == 0 { PushSaved::Added } else { PushSaved::Replaced })
        })
    }

    /// Deletes a subscription of a person.
    pub async fn delete_push_subscription(&self, person: &str, id: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_SUBSCRIPTION)
            .bind(person)
            .bind(id)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Deletes the subscription with this endpoint, because the push service no longer has it.
    pub async fn delete_push_endpoint(&self, endpoint: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_GONE)
            .bind(endpoint)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the subscriptions of a person.
    pub async fn push_subscriptions_of(
        &self,
        person: &str,
    ) -> Result<Vec<PushSubscription>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_SUBSCRIPTIONS)
            .bind(person)
            .fetch_all(pool)
            .await)?)
    }
}

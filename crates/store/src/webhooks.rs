//! Webhooks: the receivers of events, and the secrets that sign the requests.

pub(crate) mod deliveries;

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets::WEBHOOK_SECRETS;
use crate::db::{Store, modify, read};
use crate::outbox::{NewEvent, append_events};

pub(crate) const WEBHOOKS: Table = Table {
    name: "webhooks",
    columns: &[
        ("id", ColumnType::Text),
        ("url", ColumnType::Text),
        ("description", ColumnType::Text),
        ("types", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("position", ColumnType::Int),
        ("disabled_at", ColumnType::Int),
        ("disabled_because", ColumnType::Text),
    ],
};
pub(crate) const KEYS: Table = Table {
    name: "webhook_secrets",
    columns: &[
        ("id", ColumnType::Text),
        ("webhook", ColumnType::Text),
        ("secret", ColumnType::Text),
        ("until", ColumnType::Int),
    ],
};

/// Inserts a webhook, which receives the events from now on.
const INSERT_WEBHOOK: &str =
    "INSERT INTO webhooks (id, url, description, types, created_at, position)
    SELECT $1, $2, $3, $4, $5, seq FROM outbox_head WHERE id = 1";
const UPDATE_WEBHOOK: &str = "UPDATE webhooks SET url = $2, description = $3, types = $4,
    disabled_at = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_at, $6) END,
    disabled_because = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_because, 'person') END
    WHERE id = $1";
const UPDATE_SETTINGS: &str =
    "UPDATE webhooks SET url = $2, description = $3, types = $4 WHERE id = $1";
/// Disables all webhooks, because a restored copy of a store must not send to the receivers of the
/// original store.
pub(crate) const DISABLE_ALL: &str = "UPDATE webhooks
    SET disabled_at = $1, disabled_because = 'restored' WHERE disabled_at IS NULL";
const DELETE_DELIVERIES: &str = "DELETE FROM webhook_deliveries WHERE webhook = $1";
const DELETE_SECRETS: &str = "DELETE FROM webhook_secrets WHERE webhook = $1";
const DELETE_WEBHOOK: &str = "DELETE FROM webhooks WHERE id = $1";
const PAGE_OF_WEBHOOKS: &str =
    "SELECT id, url, description, types, created_at, position, disabled_at,
    disabled_because FROM webhooks WHERE id < $1 ORDER BY id DESC LIMIT $2";
const SELECT_WEBHOOK: &str =
    "SELECT id, url, description, types, created_at, position, disabled_at,
    disabled_because FROM webhooks WHERE id = $1";
const COUNT_WEBHOOKS: &str = "SELECT count(*) FROM webhooks";
const SELECT_ENABLED: &str =
    "SELECT id, url, description, types, created_at, position, disabled_at,
    disabled_because FROM webhooks WHERE disabled_at IS NULL ORDER BY id";
const INSERT_SECRET: &str = "INSERT INTO webhook_secrets (id, webhook, secret) VALUES ($1, $2, $3)";
/// Deletes retired secrets, which stop signing, and takes the lock of a rotation.
const DELETE_RETIRED_SECRETS: &str =
    "DELETE FROM webhook_secrets WHERE webhook = $1 AND until IS NOT NULL";
const RETIRE_SECRETS: &str = "UPDATE webhook_secrets SET until = $2 WHERE webhook = $1";
const SELECT_SIGNING_SECRETS: &str = "SELECT id, secret FROM webhook_secrets
    WHERE webhook = $1 AND (until IS NULL OR until > $2) ORDER BY id DESC";
pub(crate) const DISABLE_WEBHOOK: &str =
    "UPDATE webhooks SET disabled_at = $2, disabled_because = $3
    WHERE id = $1 AND disabled_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    INSERT_WEBHOOK,
    UPDATE_WEBHOOK,
    UPDATE_SETTINGS,
    DISABLE_ALL,
    DELETE_DELIVERIES,
    DELETE_SECRETS,
    DELETE_WEBHOOK,
    PAGE_OF_WEBHOOKS,
    SELECT_WEBHOOK,
    COUNT_WEBHOOKS,
    SELECT_ENABLED,
    INSERT_SECRET,
    DELETE_RETIRED_SECRETS,
    RETIRE_SECRETS,
    SELECT_SIGNING_SECRETS,
    DISABLE_WEBHOOK,
];

/// The settings of a webhook.
#[derive(Debug, Clone)]
pub struct WebhookSettings<'a> {
    /// Address that events are posted to.
    pub url: &'a str,
    /// Purpose of the webhook.
    pub description: Option<&'a str>,
    /// Types of events.
    pub types: Vec<&'a str>,
}

/// A stored webhook.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Webhook {
    /// UUIDv7.
    pub id: String,
    /// Address that events are posted to.
    pub url: String,
    /// Purpose of the webhook.
    pub description: Option<String>,
    types: String,
    /// When it was added, in milliseconds since 1970.
    pub created_at: i64,
    /// The number of the last event that has its delivery.
    pub position: i64,
    /// When the webhook was disabled, in milliseconds since 1970.
    pub disabled_at: Option<i64>,
    /// Why it was disabled: `gone` (it answered 410), `failed` (ten attempts), `person` or
    /// `restored`.
    pub disabled_because: Option<String>,
}

impl Webhook {
    /// Returns the types of events that it receives.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.types.split(' ')
    }
}

/// A new secret: its ID (UUIDv7) and its text.
#[derive(Clone, Copy)]
pub struct NewWebhookSecret<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// The secret.
    pub text: &'a str,
}

pub(crate) fn disabled_event(webhook: &str, because: &str, now: Instant) -> NewEvent {
    let data = serde_json::json!({"webhook_id": webhook, "reason": because});
    NewEvent::new("webhook.disabled", now, &data)
}

impl Store {
    /// Returns how many webhooks exist, including disabled ones.
    pub async fn count_webhooks(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_WEBHOOKS).fetch_one(pool).await)?)
    }

    /// Adds a webhook.
    pub async fn add_webhook(
        &self,
        id: &str,
        new: &WebhookSettings<'_>,
        secret: NewWebhookSecret<'_>,
        now: Instant,
    ) -> Result<(), StoreError> {
        let sealed = self.secrets.seal(&WEBHOOK_SECRETS, secret.id, secret.text)?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_WEBHOOK)
                .bind(id)
                .bind(new.url)
                .bind(new.description)
                .bind(new.types.join(" "))
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let add = sqlx::query(INSERT_SECRET).bind(secret.id).bind(id).bind(&sealed);
            add.execute(&mut *tx).await?;
            tx.commit().await?;
        });
        Ok(())
    }

    /// Changes a webhook. If `enabled` is set, also enables or disables it. Returns false if no
    /// webhook has this ID.
    pub async fn change_webhook(
        &self,
        id: &str,
        new: &WebhookSettings<'_>,
        enabled: Option<bool>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let changed = modify!(self, |pool| {
            let change =
                sqlx::query(if enabled.is_some() { UPDATE_WEBHOOK } else { UPDATE_SETTINGS })
                    .bind(id)
                    .bind(new.url)
                    .bind(new.description)
                    .bind(new.types.join(" "));
            let change = match enabled {
                Some(enabled) => change.bind(enabled).bind(now.millis()),
                None => change,
            };
            change.execute(pool).await?.rows_affected()
        });
        Ok(changed == 1)
    }

    /// Deletes a webhook with its deliveries. Returns false if no webhook has this ID.
    pub async fn delete_webhook(&self, id: &str) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            for statement in [DELETE_DELIVERIES, DELETE_SECRETS] {
                sqlx::query(statement).bind(id).execute(&mut *tx).await?;
            }
            let deleted =
                sqlx::query(DELETE_WEBHOOK).bind(id).execute(&mut *tx).await?.rows_affected();
            tx.commit().await?;
            Ok(deleted == 1)
        })
    }

    /// Returns webhooks with IDs before `before`, the newest first.
    pub async fn webhooks(&self, before: &str, limit: i64) -> Result<Vec<Webhook>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE_OF_WEBHOOKS)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the webhook with this ID.
    pub async fn webhook(&self, id: &str) -> Result<Option<Webhook>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_WEBHOOK).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns the webhooks that receive events.
    pub async fn enabled_webhooks(&self) -> Result<Vec<Webhook>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_ENABLED).fetch_all(pool).await)?)
    }

    /// Replaces the secret. Until `former_until` requests are also signed with the former one.
    pub async fn rotate_webhook_secret(
        &self,
        webhook: &str,
        secret: NewWebhookSecret<'_>,
        former_until: Instant,
    ) -> Result<(), StoreError> {
        let sealed = self.secrets.seal(&WEBHOOK_SECRETS, secret.id, secret.text)?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(DELETE_RETIRED_SECRETS).bind(webhook).execute(&mut *tx).await?;
            let retire = sqlx::query(RETIRE_SECRETS).bind(webhook).bind(former_until.millis());
            retire.execute(&mut *tx).await?;
            let add = sqlx::query(INSERT_SECRET).bind(secret.id).bind(webhook).bind(&sealed);
            add.execute(&mut *tx).await?;
            tx.commit().await?;
        });
        Ok(())
    }

    /// Returns the secrets that currently sign, the newest first.
    pub async fn webhook_secrets(
        &self,
        webhook: &str,
        now: Instant,
    ) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String, String)> =
            read!(self, |pool| sqlx::query_as(SELECT_SIGNING_SECRETS)
                .bind(webhook)
                .bind(now.millis())
                .fetch_all(pool)
                .await)?;
        let open = |(id, value): &(String, String)| self.secrets.open(&WEBHOOK_SECRETS, id, value);
        Ok(rows.iter().map(open).collect::<Result<_, _>>()?)
    }

    /// Writes a test event, which is sent to this webhook only, and returns its number.
    pub async fn test_webhook(&self, webhook: &str, now: Instant) -> Result<i64, StoreError> {
        let data = serde_json::json!({"webhook_id": webhook});
        let event = NewEvent::new(crate::outbox::TEST, now, &data);
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let last = append_events!(self, tx, vec![event]);
            let seq = last.unwrap_or_default();
            let keep = deliveries::DELIVERIES.insert(self.engine());
            let row = deliveries::WebhookDelivery::new_row(webhook, seq, crate::outbox::TEST, now);
            sqlx::query(keep).bind(crate::db::batch::json(&[row])).execute(&mut *tx).await?;
            tx.commit().await?;
            self.events_appended(last);
            Ok(seq)
        })
    }
}

//! Webhooks: where events are sent, and the secrets that sign them.

pub(crate) mod deliveries;

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets::WEBHOOK_SECRETS;
use crate::db::{Store, read, write};
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

/// It is told of what happens from now on.
const ADD: &str = "INSERT INTO webhooks (id, url, description, types, created_at, position)
    SELECT $1, $2, $3, $4, $5, seq FROM outbox_head WHERE id = 1";
const CHANGE: &str = "UPDATE webhooks SET url = $2, description = $3, types = $4,
    disabled_at = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_at, $6) END,
    disabled_because = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_because, 'person') END
    WHERE id = $1";
const CHANGE_SETTINGS: &str =
    "UPDATE webhooks SET url = $2, description = $3, types = $4 WHERE id = $1";
/// A restored copy of a store must not tell the receivers of the store that goes on.
pub(crate) const DISABLE_RESTORED: &str = "UPDATE webhooks
    SET disabled_at = $1, disabled_because = 'restored' WHERE disabled_at IS NULL";
const DROP_DELIVERIES: &str = "DELETE FROM webhook_deliveries WHERE webhook = $1";
const DROP_SECRETS: &str = "DELETE FROM webhook_secrets WHERE webhook = $1";
const DROP: &str = "DELETE FROM webhooks WHERE id = $1";
const PAGE: &str = "SELECT id, url, description, types, created_at, position, disabled_at,
    disabled_because FROM webhooks WHERE id < $1 ORDER BY id DESC LIMIT $2";
const ONE: &str = "SELECT id, url, description, types, created_at, position, disabled_at,
    disabled_because FROM webhooks WHERE id = $1";
const COUNT: &str = "SELECT count(*) FROM webhooks";
const ENABLED: &str = "SELECT id, url, description, types, created_at, position, disabled_at,
    disabled_because FROM webhooks WHERE disabled_at IS NULL ORDER BY id";
const ADD_SECRET: &str = "INSERT INTO webhook_secrets (id, webhook, secret) VALUES ($1, $2, $3)";
/// Also the lock of a rotation; an older secret than the last one stops signing.
const DROP_OLD: &str = "DELETE FROM webhook_secrets WHERE webhook = $1 AND until IS NOT NULL";
const RETIRE: &str = "UPDATE webhook_secrets SET until = $2 WHERE webhook = $1";
const SIGNING: &str = "SELECT id, secret FROM webhook_secrets
    WHERE webhook = $1 AND (until IS NULL OR until > $2) ORDER BY id DESC";
pub(crate) const DISABLE: &str = "UPDATE webhooks SET disabled_at = $2, disabled_because = $3
    WHERE id = $1 AND disabled_at IS NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    ADD,
    CHANGE,
    CHANGE_SETTINGS,
    DISABLE_RESTORED,
    DROP_DELIVERIES,
    DROP_SECRETS,
    DROP,
    PAGE,
    ONE,
    COUNT,
    ENABLED,
    ADD_SECRET,
    DROP_OLD,
    RETIRE,
    SIGNING,
    DISABLE,
];

/// A webhook as an admin describes it.
#[derive(Debug, Clone)]
pub struct WebhookSettings<'a> {
    /// Address that events are posted to.
    pub url: &'a str,
    /// What it is for.
    pub description: Option<&'a str>,
    /// Types of events.
    pub types: Vec<&'a str>,
}

/// A webhook as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Webhook {
    /// UUIDv7.
    pub id: String,
    /// Address that events are posted to.
    pub url: String,
    /// What it is for.
    pub description: Option<String>,
    types: String,
    /// When it was added, in milliseconds since 1970.
    pub created_at: i64,
    /// Events up to this number have their deliveries.
    pub position: i64,
    /// When sending ended, in milliseconds since 1970.
    pub disabled_at: Option<i64>,
    /// `gone` (it answered 410), `failed` (ten tries), `person` or `restored`.
    pub disabled_because: Option<String>,
}

impl Webhook {
    /// Types of events that it is told of.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.types.split(' ')
    }
}

/// A new secret: its id (UUIDv7) and its text.
#[derive(Clone, Copy)]
pub struct NewWebhookSecret<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// The secret.
    pub text: &'a str,
}

pub(crate) fn disabled(webhook: &str, because: &str, now: Instant) -> NewEvent {
    let data = serde_json::json!({"webhook_id": webhook, "reason": because});
    NewEvent::new("webhook.disabled", now, &data)
}

impl Store {
    /// How many webhooks there are, disabled ones too.
    pub async fn count_webhooks(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT).fetch_one(pool).await)?)
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
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(ADD)
                .bind(id)
                .bind(new.url)
                .bind(new.description)
                .bind(new.types.join(" "))
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let add = sqlx::query(ADD_SECRET).bind(secret.id).bind(id).bind(&sealed);
            add.execute(&mut *tx).await?;
            tx.commit().await?;
        });
        Ok(())
    }

    /// Changes a webhook, and whether events are sent if `enabled` says so; false when there is none of this id.
    pub async fn change_webhook(
        &self,
        id: &str,
        new: &WebhookSettings<'_>,
        enabled: Option<bool>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let changed = write!(self, |pool| {
            let change = sqlx::query(if enabled.is_some() { CHANGE } else { CHANGE_SETTINGS })
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

    /// Deletes a webhook with its deliveries; false when there is none of this id.
    pub async fn drop_webhook(&self, id: &str) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            for statement in [DROP_DELIVERIES, DROP_SECRETS] {
                sqlx::query(statement).bind(id).execute(&mut *tx).await?;
            }
            let dropped = sqlx::query(DROP).bind(id).execute(&mut *tx).await?.rows_affected();
            tx.commit().await?;
            Ok(dropped == 1)
        })
    }

    /// Webhooks with ids before `before`, the newest first.
    pub async fn webhooks(&self, before: &str, limit: i64) -> Result<Vec<Webhook>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PAGE).bind(before).bind(limit).fetch_all(pool).await)?)
    }

    /// The webhook of this id.
    pub async fn webhook(&self, id: &str) -> Result<Option<Webhook>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(ONE).bind(id).fetch_optional(pool).await)?)
    }

    /// Webhooks that events are sent to.
    pub async fn enabled_webhooks(&self) -> Result<Vec<Webhook>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(ENABLED).fetch_all(pool).await)?)
    }

    /// Replaces the secret; the former one signs beside it until then.
    pub async fn rotate_webhook_secret(
        &self,
        webhook: &str,
        secret: NewWebhookSecret<'_>,
        former_until: Instant,
    ) -> Result<(), StoreError> {
        let sealed = self.secrets.seal(&WEBHOOK_SECRETS, secret.id, secret.text)?;
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(DROP_OLD).bind(webhook).execute(&mut *tx).await?;
            let retire = sqlx::query(RETIRE).bind(webhook).bind(former_until.millis());
            retire.execute(&mut *tx).await?;
            let add = sqlx::query(ADD_SECRET).bind(secret.id).bind(webhook).bind(&sealed);
            add.execute(&mut *tx).await?;
            tx.commit().await?;
        });
        Ok(())
    }

    /// The secrets that sign now, the newest first.
    pub async fn webhook_secrets(
        &self,
        webhook: &str,
        now: Instant,
    ) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String, String)> = read!(self, |pool| sqlx::query_as(SIGNING)
            .bind(webhook)
            .bind(now.millis())
            .fetch_all(pool)
            .await)?;
        let open = |(id, value): &(String, String)| self.secrets.open(&WEBHOOK_SECRETS, id, value);
        Ok(rows.iter().map(open).collect::<Result<_, _>>()?)
    }

    /// Writes a test event, which is sent to this webhook only; gives its number.
    pub async fn test_webhook(&self, webhook: &str, now: Instant) -> Result<i64, StoreError> {
        let data = serde_json::json!({"webhook_id": webhook});
        let event = NewEvent::new(crate::outbox::TEST, now, &data);
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let last = append_events!(self, tx, vec![event]);
            let seq = last.unwrap_or_default();
            let keep = deliveries::DELIVERIES.insert(self.engine());
            let row = deliveries::Delivery::new_row(webhook, seq, crate::outbox::TEST, now);
            sqlx::query(keep).bind(crate::db::batch::json(&[row])).execute(&mut *tx).await?;
            tx.commit().await?;
            self.events_appended(last);
            Ok(seq)
        })
    }
}

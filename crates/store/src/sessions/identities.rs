//! Identities of users at a company's OpenID Connect provider.

use musette_core::instant::Instant;
use musette_core::session::RoleGrant;

use crate::approvals::VOID_OF_PERSON;
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::people::INSERT_ROLE;
use crate::session_ends::end_sessions_of;

pub(crate) const IDENTITIES: Table = Table {
    name: "identities",
    columns: &[
        ("issuer", ColumnType::Text),
        ("subject", ColumnType::Text),
        ("user_id", ColumnType::Text),
    ],
};

const INSERT_IDENTITY: &str =
    "INSERT INTO identities (issuer, subject, user_id) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING";
const SELECT_USER_OF_IDENTITY: &str =
    "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2";
const DELETE_CONSOLE_ROLES: &str =
    "DELETE FROM user_roles WHERE user_id = $1 AND role NOT IN ('rider', 'worker')";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT_IDENTITY, SELECT_USER_OF_IDENTITY, DELETE_CONSOLE_ROLES];

impl Store {
    /// Returns the user with this subject at this provider.
    pub async fn user_id_of_identity(
        &self,
        issuer: &str,
        subject: &str,
    ) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_USER_OF_IDENTITY)
            .bind(issuer)
            .bind(subject)
            .fetch_optional(pool)
            .await)?)
    }

    /// Links an identity to a user. Returns false if the user has another identity at this
    /// provider, or the identity belongs to another user.
    pub async fn link_identity(
        &self,
        issuer: &str,
        subject: &str,
        user_id: &str,
    ) -> Result<bool, StoreError> {
        let linked: Option<String> = modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_IDENTITY)
                .bind(issuer)
                .bind(subject)
                .bind(user_id)
                .execute(&mut *tx)
                .await?;
            let linked = sqlx::query_scalar(SELECT_USER_OF_IDENTITY)
                .bind(issuer)
                .bind(subject)
                .fetch_optional(&mut *tx)
                .await?;
            tx.commit().await?;
            linked
        });
        Ok(linked.as_deref() == Some(user_id))
    }

    /// Replaces the console roles and ends the person's sessions with the reason `because`; other
    /// roles stay. The person's approvals of open changes are voided.
    pub async fn set_console_roles(
        &self,
        user_id: &str,
        roles: &[RoleGrant],
        because: &'static str,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            sqlx::query(VOID_OF_PERSON).bind(user_id).execute(&mut *tx).await?;
            sqlx::query(DELETE_CONSOLE_ROLES).bind(user_id).execute(&mut *tx).await?;
            for role in roles {
                sqlx::query(INSERT_ROLE)
                    .bind(user_id)
                    .bind(role.to_string())
                    .execute(&mut *tx)
                    .await?;
            }
            let ended = end_sessions_of!(self, tx, &[(user_id, because)], now);
            tx.commit().await?;
            self.events_appended(ended);
            Ok(())
        })
    }
}

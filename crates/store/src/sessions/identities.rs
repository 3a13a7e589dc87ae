//! Identities of users at a company's OpenID Connect provider.

use musette_core::instant::Instant;
use musette_core::session::RoleGrant;

use crate::approvals::VOID_OF_PERSON;
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::session_ends::end_sessions_of;

pub(crate) const IDENTITIES: Table = Table {
    name: "identities",
    columns: &[
        ("issuer", ColumnType::Text),
        ("subject", ColumnType::Text),
        ("user_id", ColumnType::Text),
    ],
};

const LINK: &str = "INSERT INTO identities (issuer, subject, user_id) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING";
const OF_SUBJECT: &str = "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2";
const DROP_CONSOLE_ROLES: &str =
    "DELETE FROM user_roles WHERE user_id = $1 AND role NOT IN ('rider', 'worker')";
const ADD_ROLE: &str =
    "INSERT INTO user_roles (user_id, role) VALUES ($1, $2) ON CONFLICT (user_id, role) DO NOTHING";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[LINK, OF_SUBJECT, DROP_CONSOLE_ROLES, ADD_ROLE];

impl Store {
    /// The user whom this provider knows by this subject.
    pub async fn user_id_of_identity(
        &self,
        issuer: &str,
        subject: &str,
    ) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(OF_SUBJECT)
            .bind(issuer)
            .bind(subject)
            .fetch_optional(pool)
            .await)?)
    }

    /// False when the user is somebody else there, or that person is another user here.
    pub async fn link_identity(
        &self,
        issuer: &str,
        subject: &str,
        user_id: &str,
    ) -> Result<bool, StoreError> {
        let linked: Option<String> = write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LINK).bind(issuer).bind(subject).bind(user_id).execute(&mut *tx).await?;
            let linked = sqlx::query_scalar(OF_SUBJECT)
                .bind(issuer)
                .bind(subject)
                .fetch_optional(&mut *tx)
                .await?;
            tx.commit().await?;
            linked
        });
        Ok(linked.as_deref() == Some(user_id))
    }

    /// Replaces the roles of the console, and ends the person's sessions for the reason `because`; other roles stay.
    /// What they had approved and is still open has their approval no more.
    pub async fn set_console_roles(
        &self,
        user_id: &str,
        roles: &[RoleGrant],
        because: &'static str,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            sqlx::query(VOID_OF_PERSON).bind(user_id).execute(&mut *tx).await?;
            sqlx::query(DROP_CONSOLE_ROLES).bind(user_id).execute(&mut *tx).await?;
            for role in roles {
                sqlx::query(ADD_ROLE)
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

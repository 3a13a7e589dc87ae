//! Users and their subjects.

pub(crate) mod bulk;
pub(crate) mod contact;
pub(crate) mod directory;
pub(crate) mod erasure;
pub(crate) mod former;
pub(crate) mod personal_data;
pub(crate) mod search;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};

use crate::audit::{AuditEvent, append};
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::people::contact::{ContactChange, ContactDetails, SELECT_CONTACT, insert_notices};
use crate::people::search::{SELECT_SEARCH_DATA, SearchData, UPSERT_SEARCH_TEXT};
use crate::session_ends::end_sessions_of;

pub(crate) const SUBJECTS: Table =
    Table { name: "subjects", columns: &[("ref", ColumnType::Text), ("key", ColumnType::Text)] };
pub(crate) const USERS: Table = Table {
    name: "users",
    columns: &[
        ("id", ColumnType::Text),
        ("subject", ColumnType::Text),
        ("name", ColumnType::Text),
        ("email", ColumnType::Text),
        ("phone", ColumnType::Text),
        ("password_hash", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("second_factor_due", ColumnType::Int),
        ("market", ColumnType::Text),
        ("locale", ColumnType::Text),
    ],
};
pub(crate) const ROLES: Table = Table {
    name: "user_roles",
    columns: &[("user_id", ColumnType::Text), ("role", ColumnType::Text)],
};

pub(crate) const INSERT_USER: &str =
    "INSERT INTO users (id, subject, name, email, phone, created_at, market)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING";
pub(crate) const INSERT_SUBJECT: &str = "INSERT INTO subjects (ref, key) VALUES ($1, $2)";
pub(crate) const DELETE_SUBJECT: &str = "DELETE FROM subjects WHERE ref = $1";
const UPDATE_USER: &str = "UPDATE users SET name = coalesce($2, name), email = coalesce($3, email),
    phone = coalesce($4, phone), market = coalesce($5, market) WHERE id = $1";
pub(crate) const INSERT_ROLE: &str =
    "INSERT INTO user_roles (user_id, role) VALUES ($1, $2) ON CONFLICT (user_id, role) DO NOTHING";
const SELECT_USER: &str = "SELECT id, subject FROM users WHERE id = $1";
const SELECT_ROLES: &str = "SELECT role FROM user_roles WHERE user_id = $1 ORDER BY role";
const SELECT_NAME: &str = "SELECT name FROM users WHERE id = $1";
const COUNT_USERS: &str = "SELECT count(*) FROM users";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    INSERT_USER,
    INSERT_SUBJECT,
    DELETE_SUBJECT,
    UPDATE_USER,
    INSERT_ROLE,
    SELECT_USER,
    SELECT_ROLES,
    SELECT_NAME,
    COUNT_USERS,
];

/// A person with a user ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// User ID.
    pub id: String,
    /// Reference by which consents identify this person.
    pub subject: String,
    /// Roles of the person.
    pub roles: Vec<RoleGrant>,
}

impl User {
    /// Returns whether the person has the role, possibly limited to a part.
    pub fn has(&self, role: Role) -> bool {
        self.roles.iter().any(|grant| grant.role == role)
    }
}

/// A user to add.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// User ID, which the company chooses.
    pub id: String,
    /// Roles to add.
    pub roles: Vec<RoleGrant>,
    /// Name, if one is known.
    pub name: Option<String>,
    /// E-mail address in lower case; unique among users.
    pub email: Option<String>,
    /// Phone number as `+` and digits; unique among users.
    pub phone: Option<String>,
    /// Market in which they work, if it is known.
    pub market: Option<Market>,
    /// Reference of a new subject; random.
    pub subject: String,
    /// Key of the subject: 32 random bytes in hex.
    pub subject_key: String,
}

impl NewUser {
    /// Returns how this changes the addresses of an existing user. Values that are `None` stay
    /// unchanged.
    fn contact_change(&self, before: &ContactDetails) -> Option<ContactChange> {
        let email = self.email.as_ref().or(before.email.as_ref());
        let phone = self.phone.as_ref().or(before.phone.as_ref());
        ContactChange::between(before, email.map(String::as_str), phone.map(String::as_str))
    }
}

/// What to do if a user with this ID exists.
enum IfExists {
    Refuse,
    /// Updates the user and writes the event if their e-mail address or phone number changes.
    Change(Option<AuditEvent>),
}

impl Store {
    /// Adds the user, or updates an existing one; a repeated call changes nothing. A user who gets
    /// another role, e-mail address or phone number is signed out on all devices.
    pub async fn add_user(&self, new: &NewUser, now: Instant) -> Result<User, StoreError> {
        self.add_user_audited(new, None, now).await
    }

    /// Adds a user like [`Self::add_user`]. If the e-mail address or phone number of an existing
    /// user changes, it also writes `of_contact` to the audit, with the changed columns as its
    /// detail.
    pub async fn add_user_audited(
        &self,
        new: &NewUser,
        contact_event: Option<AuditEvent>,
        now: Instant,
    ) -> Result<User, StoreError> {
        self.insert(new, IfExists::Change(contact_event), now).await?;
        self.user(&new.id)
            .await?
            .ok_or_else(|| StoreError::Corrupt("a user that was just added does not exist".into()))
    }

    /// Adds the user. Returns false and changes nothing if a user with this ID exists.
    pub async fn add_new_user(&self, new: &NewUser, now: Instant) -> Result<bool, StoreError> {
        self.insert(new, IfExists::Refuse, now).await
    }

    async fn insert(
        &self,
        new: &NewUser,
        if_exists: IfExists,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let added = self.insert_user(new, if_exists, now).await;
        added.map_err(|error| match &error {
            sqlx::Error::Database(database) if database.is_unique_violation() => {
                StoreError::Conflict("that e-mail address or phone number")
            }
            _ => error.into(),
        })
    }

    async fn insert_user(
        &self,
        new: &NewUser,
        if_exists: IfExists,
        now: Instant,
    ) -> Result<bool, sqlx::Error> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_SUBJECT)
                .bind(&new.subject)
                .bind(&new.subject_key)
                .execute(&mut *tx)
                .await?;
            let added = sqlx::query(INSERT_USER)
                .bind(&new.id)
                .bind(&new.subject)
                .bind(&new.name)
                .bind(&new.email)
                .bind(&new.phone)
                .bind(now.millis())
                .bind(new.market.as_ref().map(Market::as_str))
                .execute(&mut *tx)
                .await?;
            let is_new = added.rows_affected() > 0;
            let mut reason = None;
            if !is_new {
                let IfExists::Change(contact_event) = if_exists else { return Ok(false) };
                sqlx::query(DELETE_SUBJECT).bind(&new.subject).execute(&mut *tx).await?;
                let before: ContactDetails =
                    sqlx::query_as(SELECT_CONTACT).bind(&new.id).fetch_one(&mut *tx).await?;
                if let Some(change) = new.contact_change(&before) {
                    reason = Some("contact_changed");
                    insert_notices!(tx, &new.id, &change, now);
                    if let Some(event) = contact_event {
                        let detail = Some(change.columns.join(" ").into());
                        append!(&AuditEvent { detail, ..event }, now).execute(&mut *tx).await?;
                    }
                }
                sqlx::query(UPDATE_USER)
                    .bind(&new.id)
                    .bind(&new.name)
                    .bind(&new.email)
                    .bind(&new.phone)
                    .bind(new.market.as_ref().map(Market::as_str))
                    .execute(&mut *tx)
                    .await?;
            }
            for role in &new.roles {
                let added = sqlx::query(INSERT_ROLE)
                    .bind(&new.id)
                    .bind(role.to_string())
                    .execute(&mut *tx)
                    .await?;
                if added.rows_affected() > 0 && !is_new {
                    reason = Some("roles_changed");
                }
            }
            let person: SearchData =
                sqlx::query_as(SELECT_SEARCH_DATA).bind(&new.id).fetch_one(&mut *tx).await?;
            sqlx::query(UPSERT_SEARCH_TEXT)
                .bind(&person.id)
                .bind(person.text())
                .execute(&mut *tx)
                .await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let ending: Vec<_> =
                reason.into_iter().map(|reason| (new.id.as_str(), reason)).collect();
            let ended = end_sessions_of!(self, tx, &ending, now);
            tx.commit().await?;
            self.events_appended(ended);
            Ok(is_new)
        })
    }

    /// Returns the user with this ID, with their roles.
    pub async fn user(&self, id: &str) -> Result<Option<User>, StoreError> {
        let (row, roles): (Option<(String, String)>, Vec<String>) = read!(self, |pool| (
            sqlx::query_as(SELECT_USER).bind(id).fetch_optional(pool).await?,
            sqlx::query_scalar(SELECT_ROLES).bind(id).fetch_all(pool).await?
        ));
        Ok(row.map(|(id, subject)| User {
            id,
            subject,
            roles: roles.iter().filter_map(|role| RoleGrant::from_stored(role)).collect(),
        }))
    }

    /// Returns the name of a person; `None` if it is unknown or no person has this ID.
    pub async fn user_name(&self, id: &str) -> Result<Option<String>, StoreError> {
        let name: Option<Option<String>> = read!(self, |pool| sqlx::query_scalar(SELECT_NAME)
            .bind(id)
            .fetch_optional(pool)
            .await)?;
        Ok(name.flatten())
    }

    /// Returns how many users exist.
    pub async fn count_users(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_USERS).fetch_one(pool).await)?)
    }
}

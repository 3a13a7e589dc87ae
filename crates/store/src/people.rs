//! Users and their subjects.

pub(crate) mod bulk;
pub(crate) mod contact;
pub(crate) mod directory;
pub(crate) mod erasure;
pub(crate) mod kept;
pub(crate) mod search;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::{Role, RoleGrant};

use crate::audit::{AuditEvent, append};
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::people::contact::{CONTACT, Contact, ContactChange, keep_notices};
use crate::people::search::{FOUND_BY, FoundBy, SET};
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

pub(crate) const ADD: &str =
    "INSERT INTO users (id, subject, name, email, phone, created_at, market)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING";
pub(crate) const ADD_SUBJECT: &str = "INSERT INTO subjects (ref, key) VALUES ($1, $2)";
const DROP_SUBJECT: &str = "DELETE FROM subjects WHERE ref = $1";
const UPDATE: &str = "UPDATE users SET name = coalesce($2, name), email = coalesce($3, email),
    phone = coalesce($4, phone), market = coalesce($5, market) WHERE id = $1";
pub(crate) const ADD_ROLE: &str =
    "INSERT INTO user_roles (user_id, role) VALUES ($1, $2) ON CONFLICT (user_id, role) DO NOTHING";
const SELECT: &str = "SELECT id, subject FROM users WHERE id = $1";
const SELECT_ROLES: &str = "SELECT role FROM user_roles WHERE user_id = $1 ORDER BY role";
const NAME: &str = "SELECT name FROM users WHERE id = $1";
const COUNT: &str = "SELECT count(*) FROM users";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[ADD, ADD_SUBJECT, DROP_SUBJECT, UPDATE, ADD_ROLE, SELECT, SELECT_ROLES, NAME, COUNT];

/// Someone with a user id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// User id.
    pub id: String,
    /// Reference by which consents name this person.
    pub subject: String,
    /// Powers of the person.
    pub roles: Vec<RoleGrant>,
}

impl User {
    /// Whether they have the role, perhaps for a part only.
    pub fn has(&self, role: Role) -> bool {
        self.roles.iter().any(|grant| grant.role == role)
    }
}

/// A user to be added.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// User id, which the company chooses.
    pub id: String,
    /// Roles to be given.
    pub roles: Vec<RoleGrant>,
    /// Name, if one is known.
    pub name: Option<String>,
    /// E-mail address in lower case; no two users have the same.
    pub email: Option<String>,
    /// Phone number as `+` and digits; no two users have the same.
    pub phone: Option<String>,
    /// Where they work, if that is known.
    pub market: Option<Market>,
    /// Random: the reference and the key of a subject that does not exist yet.
    pub subject: String,
    /// Key of the subject: 32 random bytes in hex.
    pub subject_key: String,
}

impl NewUser {
    /// How this changes the addresses of a user who is there: what is not given stays.
    fn contact_change(&self, before: &Contact) -> Option<ContactChange> {
        let email = self.email.as_ref().or(before.email.as_ref());
        let phone = self.phone.as_ref().or(before.phone.as_ref());
        ContactChange::between(before, email.map(String::as_str), phone.map(String::as_str))
    }
}

/// What is done if somebody has the id of a new user.
enum IfThere {
    Refuse,
    /// Adds to the user; the event is written if their e-mail address or phone number changes.
    Change(Option<AuditEvent>),
}

impl Store {
    /// Adds the user, or adds to the one that is there: repeating it changes nothing. A user who gets another role,
    /// e-mail address or phone number is signed out everywhere.
    pub async fn add_user(&self, new: &NewUser, now: Instant) -> Result<User, StoreError> {
        self.add_user_audited(new, None, now).await
    }

    /// [`Self::add_user`] that writes `of_contact` to the audit, with the changed columns as its detail, if the e-mail
    /// address or phone number of a user who is there changes.
    pub async fn add_user_audited(
        &self,
        new: &NewUser,
        of_contact: Option<AuditEvent>,
        now: Instant,
    ) -> Result<User, StoreError> {
        self.insert(new, IfThere::Change(of_contact), now).await?;
        self.user(&new.id).await?.ok_or_else(|| StoreError::Corrupt("a user vanished".into()))
    }

    /// Adds the user; false, and nothing is changed, when somebody has that id.
    pub async fn add_new_user(&self, new: &NewUser, now: Instant) -> Result<bool, StoreError> {
        self.insert(new, IfThere::Refuse, now).await
    }

    async fn insert(
        &self,
        new: &NewUser,
        if_there: IfThere,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let added = self.insert_user(new, if_there, now).await;
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
        if_there: IfThere,
        now: Instant,
    ) -> Result<bool, sqlx::Error> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(ADD_SUBJECT)
                .bind(&new.subject)
                .bind(&new.subject_key)
                .execute(&mut *tx)
                .await?;
            let added = sqlx::query(ADD)
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
            let mut because = None;
            if !is_new {
                let IfThere::Change(of_contact) = if_there else { return Ok(false) };
                sqlx::query(DROP_SUBJECT).bind(&new.subject).execute(&mut *tx).await?;
                let before: Contact =
                    sqlx::query_as(CONTACT).bind(&new.id).fetch_one(&mut *tx).await?;
                if let Some(change) = new.contact_change(&before) {
                    because = Some("contact_changed");
                    keep_notices!(tx, &new.id, &change, now);
                    if let Some(event) = of_contact {
                        let detail = Some(change.columns.join(" ").into());
                        append!(&AuditEvent { detail, ..event }, now).execute(&mut *tx).await?;
                    }
                }
                sqlx::query(UPDATE)
                    .bind(&new.id)
                    .bind(&new.name)
                    .bind(&new.email)
                    .bind(&new.phone)
                    .bind(new.market.as_ref().map(Market::as_str))
                    .execute(&mut *tx)
                    .await?;
            }
            for role in &new.roles {
                let added = sqlx::query(ADD_ROLE)
                    .bind(&new.id)
                    .bind(role.to_string())
                    .execute(&mut *tx)
                    .await?;
                if added.rows_affected() > 0 && !is_new {
                    because = Some("roles_changed");
                }
            }
            let person: FoundBy =
                sqlx::query_as(FOUND_BY).bind(&new.id).fetch_one(&mut *tx).await?;
            sqlx::query(SET).bind(&person.id).bind(person.text()).execute(&mut *tx).await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let ending: Vec<_> =
                because.into_iter().map(|because| (new.id.as_str(), because)).collect();
            let ended = end_sessions_of!(self, tx, &ending, now);
            tx.commit().await?;
            self.events_appended(ended);
            Ok(is_new)
        })
    }

    /// The user of this id, with their roles.
    pub async fn user(&self, id: &str) -> Result<Option<User>, StoreError> {
        let (found, roles): (Option<(String, String)>, Vec<String>) = read!(self, |pool| (
            sqlx::query_as(SELECT).bind(id).fetch_optional(pool).await?,
            sqlx::query_scalar(SELECT_ROLES).bind(id).fetch_all(pool).await?
        ));
        Ok(found.map(|(id, subject)| User {
            id,
            subject,
            roles: roles.iter().filter_map(|role| RoleGrant::from_stored(role)).collect(),
        }))
    }

    /// Name of a person; none if it is unknown, or nobody has this id.
    pub async fn user_name(&self, id: &str) -> Result<Option<String>, StoreError> {
        let name: Option<Option<String>> =
            read!(self, |pool| sqlx::query_scalar(NAME).bind(id).fetch_optional(pool).await)?;
        Ok(name.flatten())
    }

    /// How many users there are.
    pub async fn count_users(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT).fetch_one(pool).await)?)
    }
}

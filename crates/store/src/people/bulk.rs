//! Imports many people at once, all or nothing.

use musette_core::instant::Instant;
use musette_core::session::RoleGrant;

use crate::approvals::VOID_OF_PERSON;
use crate::audit::{AuditEvent, append};
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::people::contact::{ContactChange, insert_notices};
use crate::people::directory::{DELETE_ROLES, Person};
use crate::people::search::{SELECT_SEARCH_DATA, SearchData, UPSERT_SEARCH_TEXT};
use crate::people::{INSERT_ROLE, INSERT_SUBJECT, INSERT_USER};
use crate::session_ends::end_sessions_of;

const SELECT_PEOPLE: &str = "SELECT u.id, u.subject, u.name, u.email, u.phone, u.created_at,
    u.password_hash IS NOT NULL AS has_password, u.market, u.locale
    FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0 ORDER BY u.id";
const SELECT_OWNERS: &str = "SELECT u.email AS address, u.id FROM {wanted}
    JOIN users AS u ON u.email = wanted.value ->> 0
    UNION SELECT u.phone AS address, u.id FROM {wanted}
    JOIN users AS u ON u.phone = wanted.value ->> 0";
/// Takes the lock of an import as its first statement. It changes no row if people, roles or
/// markets changed since the file was checked, because that raised the revision.
const RAISE_REVISION_FROM: &str = "UPDATE revision SET n = n + 1 WHERE id = 1 AND n = $1";
/// Clears the addresses first, because two people in one file may exchange theirs.
const CLEAR_ADDRESSES: &str = "UPDATE users SET email = NULL, phone = NULL WHERE id = $1";
const UPDATE_PERSON: &str =
    "UPDATE users SET name = $2, email = $3, phone = $4, market = $5, locale = $6
    WHERE id = $1";
const COUNT_ADMINS: &str = "SELECT count(*) FROM user_roles WHERE role = 'admin'";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[RAISE_REVISION_FROM, CLEAR_ADDRESSES, UPDATE_PERSON, COUNT_ADMINS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_PEOPLE, SELECT_OWNERS];

/// The data of a person according to the file.
#[derive(Debug, Clone)]
pub struct ImportedPerson {
    /// User ID.
    pub id: String,
    /// E-mail address in lower case.
    pub email: Option<String>,
    /// Phone number as `+` and digits.
    pub phone: Option<String>,
    /// Name, if one is known.
    pub name: Option<String>,
    /// Code of the market in which they work.
    pub market: Option<String>,
    /// Language of messages to them (BCP 47).
    pub locale: Option<String>,
    /// All their roles.
    pub roles: Vec<RoleGrant>,
    /// Whether the roles differ from the current ones.
    pub has_other_roles: bool,
    /// How the file changes the e-mail address or phone number of an existing person.
    pub contact: Option<ContactChange>,
    /// Audit events about the changes of this person.
    pub events: Vec<AuditEvent>,
    /// Only for a new person: reference of their subject and its key, both random.
    pub new: Option<(String, String)>,
}

/// The result of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeopleImport {
    /// All people were imported.
    Done,
    /// Nothing was imported, because no admin would remain.
    LastAdmin,
    /// Nothing was imported, because people, roles or markets changed since the file was checked.
    Changed,
}

/// Returns the existing people whose sessions the import ends, with the reasons.
fn session_ends(people: &[ImportedPerson]) -> Vec<(&str, &'static str)> {
    let reason = |person: &ImportedPerson| match (person.has_other_roles, &person.contact) {
        (true, _) => Some("roles_changed"),
        (false, Some(_)) => Some("contact_changed"),
        (false, None) => None,
    };
    let existing = people.iter().filter(|person| person.new.is_none());
    existing.filter_map(|person| Some((person.id.as_str(), reason(person)?))).collect()
}

impl Store {
    /// Returns the existing people with these IDs.
    pub async fn people_of(&self, ids: &[&str]) -> Result<Vec<Person>, StoreError> {
        let rows: Vec<[&str; 1]> = ids.iter().map(|id| [*id]).collect();
        let mut people: Vec<Person> =
            read!(self, |pool| sqlx::query_as(over_rows(self.engine(), SELECT_PEOPLE))
                .bind(json(&rows))
                .fetch_all(pool)
                .await)?;
        self.fill_roles(&mut people).await?;
        Ok(people)
    }

    /// Returns each of these e-mail addresses and phone numbers that a person has, with the
    /// person's ID.
    pub async fn owners_of(
        &self,
        addresses: &[String],
    ) -> Result<Vec<(String, String)>, StoreError> {
        let rows: Vec<[&str; 1]> = addresses.iter().map(|address| [address.as_str()]).collect();
        Ok(read!(self, |pool| sqlx::query_as(over_rows(self.engine(), SELECT_OWNERS))
            .bind(json(&rows))
            .fetch_all(pool)
            .await)?)
    }

    /// Adds and changes these people in one transaction, if the data that the file was checked
    /// against has not changed since `revision`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another person got an address meanwhile.
    pub async fn import_people(
        &self,
        people: &[ImportedPerson],
        revision: i64,
        now: Instant,
    ) -> Result<PeopleImport, StoreError> {
        let result = self.write_people(people, revision, now).await;
        result.map_err(|error| match &error {
            sqlx::Error::Database(database) if database.is_unique_violation() => {
                StoreError::Conflict("an e-mail address or phone number of the file")
            }
            _ => error.into(),
        })
    }

    async fn write_people(
        &self,
        people: &[ImportedPerson],
        revision: i64,
        now: Instant,
    ) -> Result<PeopleImport, sqlx::Error> {
        let none: Option<&str> = None;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let raised = sqlx::query(RAISE_REVISION_FROM).bind(revision).execute(&mut *tx).await?;
            if raised.rows_affected() == 0 {
                return Ok(PeopleImport::Changed);
            }
            let before: i64 = sqlx::query_scalar(COUNT_ADMINS).fetch_one(&mut *tx).await?;
            for person in people {
                let Some((subject, key)) = &person.new else {
                    sqlx::query(CLEAR_ADDRESSES).bind(&person.id).execute(&mut *tx).await?;
                    continue;
                };
                sqlx::query(INSERT_SUBJECT).bind(subject).bind(key).execute(&mut *tx).await?;
                sqlx::query(INSERT_USER)
                    .bind(&person.id)
                    .bind(subject)
                    .bind(none)
                    .bind(none)
                    .bind(none)
                    .bind(now.millis())
                    .bind(none)
                    .execute(&mut *tx)
                    .await?;
            }
            for person in people {
                sqlx::query(UPDATE_PERSON)
                    .bind(&person.id)
                    .bind(&person.name)
                    .bind(&person.email)
                    .bind(&person.phone)
                    .bind(&person.market)
                    .bind(&person.locale)
                    .execute(&mut *tx)
                    .await?;
                if person.has_other_roles {
                    sqlx::query(VOID_OF_PERSON).bind(&person.id).execute(&mut *tx).await?;
                    sqlx::query(DELETE_ROLES).bind(&person.id).execute(&mut *tx).await?;
                    for role in &person.roles {
                        let (id, role) = (&person.id, role.to_string());
                        sqlx::query(INSERT_ROLE).bind(id).bind(role).execute(&mut *tx).await?;
                    }
                }
                let query = sqlx::query_as(SELECT_SEARCH_DATA).bind(&person.id);
                let search_data: Option<SearchData> = query.fetch_optional(&mut *tx).await?;
                if let Some(data) = search_data {
                    let upsert = sqlx::query(UPSERT_SEARCH_TEXT).bind(&person.id);
                    upsert.bind(data.text()).execute(&mut *tx).await?;
                }
            }
            let changes =
                people.iter().filter_map(|person| Some((&person.id, person.contact.as_ref()?)));
            for (id, change) in changes {
                insert_notices!(tx, id, change, now);
            }
            for event in people.iter().flat_map(|person| &person.events) {
                append!(event, now).execute(&mut *tx).await?;
            }
            let after: i64 = sqlx::query_scalar(COUNT_ADMINS).fetch_one(&mut *tx).await?;
            if before > 0 && after == 0 {
                return Ok(PeopleImport::LastAdmin);
            }
            let ended = end_sessions_of!(self, tx, &session_ends(people), now);
            tx.commit().await?;
            self.events_appended(ended);
            Ok(PeopleImport::Done)
        })
    }
}

//! Many people at once, all or nothing.

use musette_core::instant::Instant;
use musette_core::session::RoleGrant;

use crate::approvals::VOID_OF_PERSON;
use crate::audit::{AuditEvent, append};
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::people::contact::{ContactChange, keep_notices};
use crate::people::directory::Person;
use crate::people::search::{FOUND_BY, FoundBy, SET};
use crate::people::{ADD, ADD_ROLE, ADD_SUBJECT};
use crate::session_ends::end_sessions_of;

const PEOPLE: &str = "SELECT u.id, u.subject, u.name, u.email, u.phone, u.created_at,
    u.password_hash IS NOT NULL AS has_password, u.market, u.locale
    FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0 ORDER BY u.id";
const OWNERS: &str = "SELECT u.email AS address, u.id FROM {wanted}
    JOIN users AS u ON u.email = wanted.value ->> 0
    UNION SELECT u.phone AS address, u.id FROM {wanted}
    JOIN users AS u ON u.phone = wanted.value ->> 0";
/// The first statement of an import, and its lock: whoever changed people, roles or markets since the file was judged
/// raised the revision.
const RAISE_REVISION_FROM: &str = "UPDATE revision SET n = n + 1 WHERE id = 1 AND n = $1";
/// Two people of one file may exchange their addresses.
const FREE: &str = "UPDATE users SET email = NULL, phone = NULL WHERE id = $1";
const CHANGE: &str = "UPDATE users SET name = $2, email = $3, phone = $4, market = $5, locale = $6
    WHERE id = $1";
const DROP_ROLES: &str = "DELETE FROM user_roles WHERE user_id = $1";
const ADMINS: &str = "SELECT count(*) FROM user_roles WHERE role = 'admin'";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[RAISE_REVISION_FROM, FREE, CHANGE, DROP_ROLES, ADMINS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[PEOPLE, OWNERS];

/// A person as a file leaves them.
#[derive(Debug, Clone)]
pub struct ImportedPerson {
    /// User id.
    pub id: String,
    /// E-mail address in lower case.
    pub email: Option<String>,
    /// Phone number as `+` and digits.
    pub phone: Option<String>,
    /// Name, if one is known.
    pub name: Option<String>,
    /// Code of the market in which they work.
    pub market: Option<String>,
    /// Language in which they are written to (BCP 47).
    pub locale: Option<String>,
    /// All their roles.
    pub roles: Vec<RoleGrant>,
    /// Whether these are others than before.
    pub has_other_roles: bool,
    /// How the file changes the e-mail address or phone number of a person who is there.
    pub contact: Option<ContactChange>,
    /// Rows for the audit about the changes of this person.
    pub events: Vec<AuditEvent>,
    /// Only for a new person: reference of their subject and its key, both random.
    pub new: Option<(String, String)>,
}

/// What came of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeopleImport {
    /// All of it is done.
    Done,
    /// Nothing: nobody would be an admin any more where somebody was.
    LastAdmin,
    /// Nothing: people, roles or markets changed since the file was judged.
    Changed,
}

/// Who among these people has sessions that the file ends, and why.
fn ending(people: &[ImportedPerson]) -> Vec<(&str, &'static str)> {
    let reason = |person: &ImportedPerson| match (person.has_other_roles, &person.contact) {
        (true, _) => Some("roles_changed"),
        (false, Some(_)) => Some("contact_changed"),
        (false, None) => None,
    };
    let there = people.iter().filter(|person| person.new.is_none());
    there.filter_map(|person| Some((person.id.as_str(), reason(person)?))).collect()
}

impl Store {
    /// The people of these ids who are there.
    pub async fn people_of(&self, ids: &[&str]) -> Result<Vec<Person>, StoreError> {
        let wanted: Vec<[&str; 1]> = ids.iter().map(|id| [*id]).collect();
        let mut people: Vec<Person> =
            read!(self, |pool| sqlx::query_as(over_rows(self.engine(), PEOPLE))
                .bind(json(&wanted))
                .fetch_all(pool)
                .await)?;
        self.fill_roles(&mut people).await?;
        Ok(people)
    }

    /// Each of these e-mail addresses and phone numbers that somebody has, with their id.
    pub async fn owners_of(
        &self,
        addresses: &[String],
    ) -> Result<Vec<(String, String)>, StoreError> {
        let wanted: Vec<[&str; 1]> = addresses.iter().map(|it| [it.as_str()]).collect();
        Ok(read!(self, |pool| sqlx::query_as(over_rows(self.engine(), OWNERS))
            .bind(json(&wanted))
            .fetch_all(pool)
            .await)?)
    }

    /// Adds and changes these people in one transaction, if nothing that they were judged by has changed since
    /// `revision`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else got an address meanwhile.
    pub async fn import_people(
        &self,
        people: &[ImportedPerson],
        revision: i64,
        now: Instant,
    ) -> Result<PeopleImport, StoreError> {
        let done = self.write_people(people, revision, now).await;
        done.map_err(|error| match &error {
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
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let raised = sqlx::query(RAISE_REVISION_FROM).bind(revision).execute(&mut *tx).await?;
            if raised.rows_affected() == 0 {
                return Ok(PeopleImport::Changed);
            }
            let before: i64 = sqlx::query_scalar(ADMINS).fetch_one(&mut *tx).await?;
            for person in people {
                let Some((subject, key)) = &person.new else {
                    sqlx::query(FREE).bind(&person.id).execute(&mut *tx).await?;
                    continue;
                };
                sqlx::query(ADD_SUBJECT).bind(subject).bind(key).execute(&mut *tx).await?;
                sqlx::query(ADD)
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
                sqlx::query(CHANGE)
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
                    sqlx::query(DROP_ROLES).bind(&person.id).execute(&mut *tx).await?;
                    for role in &person.roles {
                        let (id, role) = (&person.id, role.to_string());
                        sqlx::query(ADD_ROLE).bind(id).bind(role).execute(&mut *tx).await?;
                    }
                }
                let found: Option<FoundBy> =
                    sqlx::query_as(FOUND_BY).bind(&person.id).fetch_optional(&mut *tx).await?;
                if let Some(found) = found {
                    let text = found.text();
                    sqlx::query(SET).bind(&person.id).bind(text).execute(&mut *tx).await?;
                }
            }
            for (person, change) in people.iter().filter_map(|it| Some((it, it.contact.as_ref()?)))
            {
                keep_notices!(tx, &person.id, change, now);
            }
            for event in people.iter().flat_map(|person| &person.events) {
                append!(event, now).execute(&mut *tx).await?;
            }
            let after: i64 = sqlx::query_scalar(ADMINS).fetch_one(&mut *tx).await?;
            if before > 0 && after == 0 {
                return Ok(PeopleImport::LastAdmin);
            }
            let ended = end_sessions_of!(self, tx, &ending(people), now);
            tx.commit().await?;
            self.events_appended(ended);
            Ok(PeopleImport::Done)
        })
    }
}

//! Queries about people for the console.

use musette_core::instant::Instant;
use musette_core::session::{Role, RoleGrant};

use crate::approvals::VOID_OF_PERSON;
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::markets::filter::{MarketFilter, is_inside};
use crate::people::search::patterns;
use crate::session_ends::end_sessions_of;

macro_rules! select_people {
    ($from:literal, $where:literal) => {
        concat!(
            "SELECT users.id, subject, name, email, phone, created_at,
            password_hash IS NOT NULL AS has_password, market, locale FROM ",
            $from,
            " AND (s.text LIKE $2 ESCAPE '\\' OR s.text LIKE $3 ESCAPE '\\') AND ($5 = '' OR ",
            is_inside!("users.market", "$5"),
            ") ",
            $where
        )
    };
}
const FIND_PEOPLE: &str = select_people!(
    "people_search AS s JOIN users ON users.id = s.user_id WHERE s.user_id > $1",
    "ORDER BY s.user_id LIMIT $4"
);
/// Starts from the people with a role, who may be few among many.
const FIND_IN_ROLE: &str = select_people!(
    "user_roles AS r JOIN people_search AS s ON s.user_id = r.user_id
    JOIN users ON users.id = r.user_id WHERE r.role = $6 AND r.user_id > $1",
    "ORDER BY r.user_id LIMIT $4"
);
/// Like [`FIND_IN_ROLE`], for roles that can be limited to a market or an environment; few people
/// have such roles.
const FIND_IN_NARROWED: &str = select_people!(
    "(SELECT DISTINCT user_id FROM user_roles
        WHERE role = $6 OR replace(role, $6 || '@', '') <> role) AS r
    JOIN people_search AS s ON s.user_id = r.user_id
    JOIN users ON users.id = r.user_id WHERE r.user_id > $1",
    "ORDER BY r.user_id LIMIT $4"
);
const SELECT_PERSON: &str = "SELECT id, subject, name, email, phone, created_at,
    password_hash IS NOT NULL AS has_password, market, locale FROM users WHERE id = $1";
const SELECT_ID_OF_SUBJECT: &str = "SELECT id FROM users WHERE subject = $1";
const SELECT_ROLES: &str = "SELECT user_roles.user_id, user_roles.role FROM user_roles
    JOIN {wanted} ON user_roles.user_id = wanted.value ->> 0 ORDER BY 1, 2";
pub(crate) const DELETE_ROLES: &str = "DELETE FROM user_roles WHERE user_id = $1";
const INSERT_ROLE: &str = "INSERT INTO user_roles (user_id, role)
    SELECT id, $2 FROM users WHERE id = $1 ON CONFLICT (user_id, role) DO NOTHING";
const COUNT_OTHER_ADMINS: &str =
    "SELECT count(*) FROM user_roles WHERE role = 'admin' AND user_id <> $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    FIND_PEOPLE,
    FIND_IN_ROLE,
    FIND_IN_NARROWED,
    SELECT_PERSON,
    SELECT_ID_OF_SUBJECT,
    DELETE_ROLES,
    INSERT_ROLE,
    COUNT_OTHER_ADMINS,
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_ROLES];

/// A user as the console shows them.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Person {
    /// User ID.
    pub id: String,
    /// Subject by which consents identify them.
    pub subject: String,
    /// Name, if one is known.
    pub name: Option<String>,
    /// E-mail address in lower case.
    pub email: Option<String>,
    /// Phone number as `+` and digits.
    pub phone: Option<String>,
    /// When they were added, in milliseconds since 1970.
    pub created_at: i64,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Code of the market in which they work.
    pub market: Option<String>,
    /// Language of messages to them (BCP 47).
    pub locale: Option<String>,
    /// Names of their roles, in alphabetical order.
    #[sqlx(skip)]
    pub roles: Vec<String>,
}

/// A filter of people.
#[derive(Debug, Clone, Default)]
pub struct PersonFilter {
    /// The beginning of an ID, e-mail address or phone number, or a part of a name; empty for all
    /// people.
    pub text: String,
    /// Only people with this role.
    pub role: Option<Role>,
    /// Only people of these markets.
    pub market: MarketFilter,
    /// Only people whose ID comes after this one.
    pub after: String,
}

impl Store {
    /// Returns people, in order of their IDs.
    pub async fn find_people(
        &self,
        filter: &PersonFilter,
        limit: i64,
    ) -> Result<Vec<Person>, StoreError> {
        let [begins, contains] = patterns(&filter.text);
        let mut people: Vec<Person> = read!(self, |pool| {
            let sql = match filter.role {
                None => FIND_PEOPLE,
                Some(role) if role.narrowing().is_some() => FIND_IN_NARROWED,
                Some(_) => FIND_IN_ROLE,
            };
            let query = sqlx::query_as(sql)
                .bind(&filter.after)
                .bind(&begins)
                .bind(&contains)
                .bind(limit)
                .bind(&filter.market.inside);
            match filter.role {
                Some(role) => query.bind(role.as_str()).fetch_all(pool).await,
                None => query.fetch_all(pool).await,
            }
        })?;
        self.fill_roles(&mut people).await?;
        Ok(people)
    }

    /// Returns the person with this ID.
    pub async fn person(&self, id: &str) -> Result<Option<Person>, StoreError> {
        let person: Option<Person> =
            read!(self, |pool| sqlx::query_as(SELECT_PERSON).bind(id).fetch_optional(pool).await)?;
        let mut people: Vec<Person> = person.into_iter().collect();
        self.fill_roles(&mut people).await?;
        Ok(people.pop())
    }

    /// Returns the user ID of a subject; `None` once the person is erased.
    pub async fn user_id_of_subject(&self, subject: &str) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_ID_OF_SUBJECT)
            .bind(subject)
            .fetch_optional(pool)
            .await)?)
    }

    pub(crate) async fn fill_roles(&self, people: &mut [Person]) -> Result<(), StoreError> {
        let ids: Vec<[&str; 1]> = people.iter().map(|person| [person.id.as_str()]).collect();
        let roles: Vec<(String, String)> =
            read!(self, |pool| sqlx::query_as(over_rows(self.engine(), SELECT_ROLES))
                .bind(json(&ids))
                .fetch_all(pool)
                .await)?;
        for (id, role) in roles {
            if let Some(person) = people.iter_mut().find(|person| person.id == id) {
                person.roles.push(role);
            }
        }
        Ok(())
    }

    /// Replaces the person's roles and ends their sessions. Returns false if no admin would remain.
    /// Their approvals of open changes are voided.
    pub async fn set_roles(
        &self,
        user_id: &str,
        roles: &[RoleGrant],
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            // This statement takes the lock: if two admins remove each other's role, the second is
            // rejected as the last admin.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            sqlx::query(VOID_OF_PERSON).bind(user_id).execute(&mut *tx).await?;
            sqlx::query(DELETE_ROLES).bind(user_id).execute(&mut *tx).await?;
            if !roles.iter().any(|role| role.role == Role::Admin) {
                let others: i64 = sqlx::query_scalar(COUNT_OTHER_ADMINS)
                    .bind(user_id)
                    .fetch_one(&mut *tx)
                    .await?;
                if others == 0 {
                    return Ok(false);
                }
            }
            for role in roles {
                sqlx::query(INSERT_ROLE)
                    .bind(user_id)
                    .bind(role.to_string())
                    .execute(&mut *tx)
                    .await?;
            }
            let ended = end_sessions_of!(self, tx, &[(user_id, "roles_changed")], now);
            tx.commit().await?;
            self.events_appended(ended);
            Ok(true)
        })
    }
}

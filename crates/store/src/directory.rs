//! People as the console looks them up.

use musette_core::session::Role;

use crate::batch::{json, over_rows};
use crate::control::RAISE_REVISION;
use crate::db::{Store, read, write};
use crate::error::StoreError;

const FIND: &str = "SELECT id, subject, name, email, phone, created_at,
    password_hash IS NOT NULL AS has_password FROM users
    WHERE id > $1 AND $4 = '' AND ($2 = '' OR lower(id) LIKE $2 ESCAPE '\\' OR lower(email) LIKE $2 ESCAPE '\\'
        OR phone LIKE $2 ESCAPE '\\' OR lower(name) LIKE $3 ESCAPE '\\')
    ORDER BY id LIMIT $5";
/// The same of those with a role, who may be few among many.
const FIND_IN_ROLE: &str = "SELECT id, subject, name, email, phone, created_at,
    password_hash IS NOT NULL AS has_password
    FROM user_roles AS r JOIN users ON users.id = r.user_id
    WHERE r.role = $4 AND r.user_id > $1 AND ($2 = '' OR lower(id) LIKE $2 ESCAPE '\\'
        OR lower(email) LIKE $2 ESCAPE '\\' OR phone LIKE $2 ESCAPE '\\'
        OR lower(name) LIKE $3 ESCAPE '\\')
    ORDER BY r.user_id LIMIT $5";
const PERSON: &str = "SELECT id, subject, name, email, phone, created_at,
    password_hash IS NOT NULL AS has_password FROM users WHERE id = $1";
const OF_SUBJECT: &str = "SELECT id FROM users WHERE subject = $1";
const ROLES: &str = "SELECT user_roles.user_id, user_roles.role FROM user_roles
    JOIN {wanted} ON user_roles.user_id = wanted.value ->> 0 ORDER BY 1, 2";
const DROP_ROLES: &str = "DELETE FROM user_roles WHERE user_id = $1";
const ADD_ROLE: &str = "INSERT INTO user_roles (user_id, role)
    SELECT id, $2 FROM users WHERE id = $1 ON CONFLICT (user_id, role) DO NOTHING";
const OTHER_ADMINS: &str = "SELECT count(*) FROM user_roles WHERE role = 'admin' AND user_id <> $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[FIND, FIND_IN_ROLE, PERSON, OF_SUBJECT, DROP_ROLES, ADD_ROLE, OTHER_ADMINS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[ROLES];

#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Person {
    pub id: String,
    pub subject: String,
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub created_at: i64,
    pub has_password: bool,
    #[sqlx(skip)]
    pub roles: Vec<String>,
}

/// Whom to find.
#[derive(Debug, Clone, Default)]
pub struct PersonFilter {
    /// The beginning of an id, e-mail or phone, or a part of a name; empty: everybody.
    pub text: String,
    pub role: Option<Role>,
    /// Those whose id comes after it.
    pub after: String,
}

/// What was asked for, and not what LIKE makes of `%` and `_`.
fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 1);
    for letter in text.to_lowercase().chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

/// For what begins with the text (empty where it is) and for what has it somewhere.
pub(crate) fn patterns(text: &str) -> (String, String) {
    let text = text.trim();
    let begins = if text.is_empty() { String::new() } else { pattern(text) };
    (begins, format!("%{}", pattern(text)))
}

impl Store {
    pub async fn find_people(
        &self,
        filter: &PersonFilter,
        limit: i64,
    ) -> Result<Vec<Person>, StoreError> {
        let (begins, contains) = patterns(&filter.text);
        let role = filter.role.map_or("", Role::as_str);
        let sql = if role.is_empty() { FIND } else { FIND_IN_ROLE };
        let mut people: Vec<Person> = read!(self, |pool| sqlx::query_as(sql)
            .bind(&filter.after)
            .bind(&begins)
            .bind(&contains)
            .bind(role)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        self.fill_roles(&mut people).await?;
        Ok(people)
    }

    pub async fn person(&self, id: &str) -> Result<Option<Person>, StoreError> {
        let found: Option<Person> =
            read!(self, |pool| sqlx::query_as(PERSON).bind(id).fetch_optional(pool).await)?;
        let mut found: Vec<Person> = found.into_iter().collect();
        self.fill_roles(&mut found).await?;
        Ok(found.pop())
    }

    /// None once the person is erased.
    pub async fn user_id_of_subject(&self, subject: &str) -> Result<Option<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(OF_SUBJECT)
            .bind(subject)
            .fetch_optional(pool)
            .await)?)
    }

    async fn fill_roles(&self, people: &mut [Person]) -> Result<(), StoreError> {
        let ids: Vec<[&str; 1]> = people.iter().map(|person| [person.id.as_str()]).collect();
        let roles: Vec<(String, String)> =
            read!(self, |pool| sqlx::query_as(over_rows(self.engine(), ROLES))
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

    /// Replaces the person's roles; false when that would leave nobody who is an admin.
    pub async fn set_roles(&self, user_id: &str, roles: &[Role]) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(DROP_ROLES).bind(user_id).execute(&mut *tx).await?;
            if !roles.contains(&Role::Admin) {
                let others: i64 =
                    sqlx::query_scalar(OTHER_ADMINS).bind(user_id).fetch_one(&mut *tx).await?;
                if others == 0 {
                    return Ok(false);
                }
            }
            for role in roles {
                sqlx::query(ADD_ROLE).bind(user_id).bind(role.as_str()).execute(&mut *tx).await?;
            }
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(true)
        })
    }
}

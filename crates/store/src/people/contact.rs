//! Changes of e-mail addresses and phone numbers, with which people sign in: who is told of one, and until when.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

pub(crate) const NOTICES: Table = Table {
    name: "contact_notices",
    columns: &[
        ("user_id", ColumnType::Text),
        ("address", ColumnType::Text),
        ("locale", ColumnType::Text),
        ("changed_at", ColumnType::Int),
        ("next_at", ColumnType::Int),
        ("tries", ColumnType::Int),
    ],
};

pub(crate) const ADD: &str = "INSERT INTO contact_notices
    (user_id, address, locale, changed_at, next_at, tries) VALUES ($1, $2, $3, $4, $4, 0)
    ON CONFLICT (user_id, address) DO UPDATE SET locale = excluded.locale,
    changed_at = excluded.changed_at, next_at = excluded.next_at, tries = 0";
const IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM contact_notices WHERE next_at <= $1)";
/// The outer condition is checked again where another node was first.
const LEASE: &str = "UPDATE contact_notices SET next_at = $2, tries = tries + 1
    WHERE next_at <= $1 AND (user_id, address) IN (
        SELECT user_id, address FROM contact_notices WHERE next_at <= $1 ORDER BY next_at LIMIT $3)
    RETURNING user_id, address, locale, changed_at, tries";
const DELAY: &str = "UPDATE contact_notices SET next_at = $4
    WHERE user_id = $1 AND address = $2 AND changed_at = $3";
const DROP: &str =
    "DELETE FROM contact_notices WHERE user_id = $1 AND address = $2 AND changed_at = $3";
/// Selects those of these people who have a session, ended or not, or a decision, also one that they claimed.
const BOUND: &str = "SELECT u.id FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0
    WHERE EXISTS (SELECT 1 FROM sessions AS s WHERE s.user_id = u.id)
    OR EXISTS (SELECT 1 FROM consents AS c WHERE c.person = u.subject)
    OR EXISTS (SELECT 1 FROM claims AS c WHERE c.subject = u.subject)";
/// They may have been sent to the former address.
pub(crate) const VOID_LINKS: &str = "DELETE FROM sign_in_links WHERE user_id = $1";
pub(crate) const CONTACT: &str = "SELECT email, phone, locale FROM users WHERE id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[ADD, IS_DUE, LEASE, DELAY, DROP, VOID_LINKS, CONTACT];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[BOUND];

/// Where a person is written to, and in which language.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Contact {
    /// E-mail address in lower case.
    pub email: Option<String>,
    /// Phone number as `+` and digits.
    pub phone: Option<String>,
    /// Language in which they are written to (BCP 47).
    pub locale: Option<String>,
}

/// A change of a person's e-mail address or phone number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactChange {
    /// `email`, `phone` or both.
    pub columns: Vec<&'static str>,
    /// The former addresses to which a message about it goes.
    pub notify: Vec<String>,
    /// Language of that message.
    pub locale: Option<String>,
}

impl ContactChange {
    /// Compares the addresses; none if both are the same. Where a first address is added and none is replaced, the
    /// message goes to the person's other address.
    pub fn between(before: &Contact, email: Option<&str>, phone: Option<&str>) -> Option<Self> {
        let (was_email, was_phone) = (before.email.as_deref(), before.phone.as_deref());
        let pairs = [("email", was_email, email), ("phone", was_phone, phone)];
        let changed = pairs.into_iter().filter(|(_, was, is)| was != is);
        let columns: Vec<_> = changed.clone().map(|(column, ..)| column).collect();
        if columns.is_empty() {
            return None;
        }
        let mut notify: Vec<&str> = changed.filter_map(|(_, was, _)| was).collect();
        if notify.is_empty() {
            notify.extend([was_email, was_phone].into_iter().flatten());
        }
        let notify = notify.into_iter().map(str::to_owned).collect();
        Some(Self { columns, notify, locale: before.locale.clone() })
    }
}

/// A message to a former address that is due.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ContactNotice {
    /// Id of the person whose address was changed.
    pub user_id: String,
    /// The former address.
    pub address: String,
    /// Language of the message.
    pub locale: Option<String>,
    /// When the address was changed, in milliseconds since 1970.
    pub changed_at: i64,
    /// How often a node began to send it.
    pub tries: i64,
}

/// Voids the person's sign-in links, and keeps a message for each of their former addresses.
macro_rules! keep_notices {
    ($tx:expr, $user_id:expr, $change:expr, $now:expr) => {{
        let (user_id, change): (&str, &$crate::people::contact::ContactChange) =
            ($user_id, $change);
        sqlx::query($crate::people::contact::VOID_LINKS).bind(user_id).execute(&mut *$tx).await?;
        for address in &change.notify {
            sqlx::query($crate::people::contact::ADD)
                .bind(user_id)
                .bind(address)
                .bind(&change.locale)
                .bind($now.millis())
                .execute(&mut *$tx)
                .await?;
        }
    }};
}
pub(crate) use keep_notices;

impl Store {
    /// Returns those of these people who have a session, ended or not, or a decision.
    pub async fn people_with_sessions_or_consents(
        &self,
        ids: &[&str],
    ) -> Result<Vec<String>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let wanted: Vec<[&str; 1]> = ids.iter().map(|id| [*id]).collect();
        Ok(read!(self, |pool| sqlx::query_scalar(over_rows(self.engine(), BOUND))
            .bind(json(&wanted))
            .fetch_all(pool)
            .await)?)
    }

    /// Hands this node at most `limit` messages; another node sends what is not settled by `until`.
    pub async fn lease_contact_notices(
        &self,
        now: Instant,
        until: Instant,
        limit: i64,
    ) -> Result<Vec<ContactNotice>, StoreError> {
        let due: bool = read!(self, |pool| sqlx::query_scalar(IS_DUE)
            .bind(now.millis())
            .fetch_one(pool)
            .await)?;
        if !due {
            return Ok(Vec::new());
        }
        write!(self, |pool| Ok(sqlx::query_as(LEASE)
            .bind(now.millis())
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await?))
    }

    /// Forgets a message that was sent or given up, or delays it to `next_at`.
    pub async fn settle_contact_notice(
        &self,
        notice: &ContactNotice,
        next_at: Option<Instant>,
    ) -> Result<(), StoreError> {
        let sql = if next_at.is_some() { DELAY } else { DROP };
        write!(self, |pool| {
            let query = sqlx::query(sql)
                .bind(&notice.user_id)
                .bind(&notice.address)
                .bind(notice.changed_at);
            match next_at {
                Some(next_at) => query.bind(next_at.millis()).execute(pool).await.map(drop),
                None => query.execute(pool).await.map(drop),
            }
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Contact, ContactChange};

    #[test]
    fn a_message_about_a_change_goes_to_the_former_address() {
        let contact = |email: Option<&str>, phone: Option<&str>| Contact {
            email: email.map(Into::into),
            phone: phone.map(Into::into),
            locale: Some("de".into()),
        };
        let (a, b) = ("a@larkspur.example", "b@larkspur.example");
        let (p, q) = ("+4915112345678", "+4915112345679");
        for (before, after, columns, notify) in [
            ((Some(a), Some(p)), (Some(b), Some(p)), &["email"][..], &[a][..]),
            ((Some(a), Some(p)), (Some(a), Some(q)), &["phone"], &[p]),
            ((Some(a), Some(p)), (Some(b), Some(q)), &["email", "phone"], &[a, p]),
            ((Some(a), Some(p)), (None, Some(p)), &["email"], &[a]),
            ((None, Some(p)), (Some(b), Some(p)), &["email"], &[p]),
            ((Some(a), None), (Some(a), Some(q)), &["phone"], &[a]),
            ((None, None), (Some(b), None), &["email"], &[]),
        ] {
            let change = ContactChange::between(&contact(before.0, before.1), after.0, after.1);
            let change = change.expect("a change");
            assert_eq!(change.columns, columns);
            assert_eq!(change.notify, notify);
            assert_eq!(change.locale.as_deref(), Some("de"));
        }
        let same = contact(Some(a), Some(p));
        assert_eq!(ContactChange::between(&same, Some(a), Some(p)), None);
    }
}

//! Changes of the e-mail addresses and phone numbers that people sign in with, and the messages
//! about them to former addresses.

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

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

pub(crate) const UPSERT_NOTICE: &str = "INSERT INTO contact_notices
    (user_id, address, locale, changed_at, next_at, tries) VALUES ($1, $2, $3, $4, $4, 0)
    ON CONFLICT (user_id, address) DO UPDATE SET locale = excluded.locale,
    changed_at = excluded.changed_at, next_at = excluded.next_at, tries = 0";
const SELECT_IS_DUE: &str = "SELECT EXISTS (SELECT 1 FROM contact_notices WHERE next_at <= $1)";
/// The outer condition is checked again if another node was faster.
const LEASE_NOTICES: &str = "UPDATE contact_notices SET next_at = $2, tries = tries + 1
    WHERE next_at <= $1 AND (user_id, address) IN (
        SELECT user_id, address FROM contact_notices WHERE next_at <= $1 ORDER BY next_at LIMIT $3)
    RETURNING user_id, address, locale, changed_at, tries";
const DELAY_NOTICE: &str = "UPDATE contact_notices SET next_at = $4
    WHERE user_id = $1 AND address = $2 AND changed_at = $3";
const DELETE_NOTICE: &str =
    "DELETE FROM contact_notices WHERE user_id = $1 AND address = $2 AND changed_at = $3";
/// Selects the people who have a session, ended or not, or a decision, including claimed ones.
const SELECT_WITH_SESSIONS_OR_CONSENTS: &str =
    "SELECT u.id FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0
    WHERE EXISTS (SELECT 1 FROM sessions AS s WHERE s.user_id = u.id)
    OR EXISTS (SELECT 1 FROM consents AS c WHERE c.person = u.subject)
    OR EXISTS (SELECT 1 FROM claims AS c WHERE c.subject = u.subject)";
/// Deletes sign-in links, which may have been sent to the former address.
pub(crate) const DELETE_LINKS: &str = "DELETE FROM sign_in_links WHERE user_id = $1";
pub(crate) const SELECT_CONTACT: &str = "SELECT email, phone, locale FROM users WHERE id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    UPSERT_NOTICE,
    SELECT_IS_DUE,
    LEASE_NOTICES,
    DELAY_NOTICE,
    DELETE_NOTICE,
    DELETE_LINKS,
    SELECT_CONTACT,
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_WITH_SESSIONS_OR_CONSENTS];

/// The addresses of a person, and the language of messages to them.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ContactDetails {
    /// E-mail address in lower case.
    pub email: Option<String>,
    /// Phone number as `+` and digits.
    pub phone: Option<String>,
    /// Language of messages to them (BCP 47).
    pub locale: Option<String>,
}

/// A change of a person's e-mail address or phone number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactChange {
    /// `email`, `phone` or both.
    pub columns: Vec<&'static str>,
    /// The former addresses that get a message about the change.
    pub notify: Vec<String>,
    /// Language of that message.
    pub locale: Option<String>,
}

impl ContactChange {
    /// Compares the addresses; `None` if both are unchanged. If an address is added and none is
    /// replaced, the message goes to the person's other address.
    pub fn between(
        before: &ContactDetails,
        email: Option<&str>,
        phone: Option<&str>,
    ) -> Option<Self> {
        let (old_email, old_phone) = (before.email.as_deref(), before.phone.as_deref());
        let pairs = [("email", old_email, email), ("phone", old_phone, phone)];
        let changed = pairs.into_iter().filter(|(_, old, new)| old != new);
        let columns: Vec<_> = changed.clone().map(|(column, ..)| column).collect();
        if columns.is_empty() {
            return None;
        }
        let mut notify: Vec<&str> = changed.filter_map(|(_, old, _)| old).collect();
        if notify.is_empty() {
            notify.extend([old_email, old_phone].into_iter().flatten());
        }
        let notify = notify.into_iter().map(str::to_owned).collect();
        Some(Self { columns, notify, locale: before.locale.clone() })
    }
}

/// A message to a former address that is due.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ContactNotice {
    /// ID of the person whose address was changed.
    pub user_id: String,
    /// The former address.
    pub address: String,
    /// Language of the message.
    pub locale: Option<String>,
    /// When the address was changed, in milliseconds since 1970.
    pub changed_at: i64,
    /// How often a node started to send it.
    pub tries: i64,
}

/// Voids the person's sign-in links, and stores a message to each of their former addresses.
macro_rules! insert_notices {
    ($tx:expr, $user_id:expr, $change:expr, $now:expr) => {{
        let (user_id, change): (&str, &$crate::people::contact::ContactChange) =
            ($user_id, $change);
        sqlx::query($crate::people::contact::DELETE_LINKS).bind(user_id).execute(&mut *$tx).await?;
        for address in &change.notify {
            sqlx::query($crate::people::contact::UPSERT_NOTICE)
                .bind(user_id)
                .bind(address)
                .bind(&change.locale)
                .bind($now.millis())
                .execute(&mut *$tx)
                .await?;
        }
    }};
}
pub(crate) use insert_notices;

impl Store {
    /// Returns the people who have a session, ended or not, or a decision.
    pub async fn people_with_sessions_or_consents(
        &self,
        ids: &[&str],
    ) -> Result<Vec<String>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<[&str; 1]> = ids.iter().map(|id| [*id]).collect();
        Ok(read!(self, |pool| sqlx::query_scalar(over_rows(
            self.engine(),
            SELECT_WITH_SESSIONS_OR_CONSENTS
        ))
        .bind(json(&rows))
        .fetch_all(pool)
        .await)?)
    }

    /// Leases at most `limit` messages to this node. Another node sends those that are not settled
    /// by `until`.
    pub async fn lease_contact_notices(
        &self,
        now: Instant,
        until: Instant,
        limit: i64,
    ) -> Result<Vec<ContactNotice>, StoreError> {
        let is_due: bool = read!(self, |pool| sqlx::query_scalar(SELECT_IS_DUE)
            .bind(now.millis())
            .fetch_one(pool)
            .await)?;
        if !is_due {
            return Ok(Vec::new());
        }
        modify!(self, |pool| Ok(sqlx::query_as(LEASE_NOTICES)
            .bind(now.millis())
            .bind(until.millis())
            .bind(limit)
            .fetch_all(pool)
            .await?))
    }

    /// Removes a message that was sent or given up, or delays it to `next_at`.
    pub async fn settle_contact_notice(
        &self,
        notice: &ContactNotice,
        next_at: Option<Instant>,
    ) -> Result<(), StoreError> {
        let sql = if next_at.is_some() { DELAY_NOTICE } else { DELETE_NOTICE };
        modify!(self, |pool| {
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
    use super::{ContactChange, ContactDetails};

    #[test]
    fn sends_the_message_about_a_change_to_the_former_address() {
        let contact = |email: Option<&str>, phone: Option<&str>| ContactDetails {
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

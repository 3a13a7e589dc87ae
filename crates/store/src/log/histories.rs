//! The hash chains over the audit and over the versions of flags. New rows wait in `chain_links`
//! without a place. At least once a minute they get one, and the log gets an entry.

use musette_core::instant::Instant;
use musette_core::log::chain::Chain;
use musette_core::log::entry::{Chained, Entry, History, V1};
use sha2::{Digest as _, Sha256};

use super::append::named;
use super::append::{append, log_end};
use super::corrupt;
use super::events::SELECT_IS_EXTENDED;
use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const LINKS: Table = Table {
    name: "chain_links",
    columns: &[
        ("history", ColumnType::Text),
        ("item", ColumnType::Text),
        ("n", ColumnType::Int),
        ("place", ColumnType::Int),
    ],
};

const SELECT_IS_PENDING: &str = "SELECT EXISTS (SELECT 1 FROM chain_links
    WHERE history IN ('audit', 'flags') AND place IS NULL)";
pub(crate) const SELECT_LAST_ENTRY: &str = "SELECT entry FROM log_entries WHERE event = $1
    ORDER BY log DESC, idx DESC LIMIT 1";
const SELECT_PENDING_AUDIT: &str =
    "SELECT l.item, l.n, l.place, a.id, a.at, a.event, a.subject, a.sid,
    a.detail, a.actor FROM chain_links AS l JOIN audit AS a ON a.id = l.item
    WHERE l.history = 'audit' AND l.place IS NULL ORDER BY a.at, a.id LIMIT 5000";
const SELECT_PENDING_FLAGS: &str =
    "SELECT l.item, l.n, l.place, v.environment, v.version, v.document,
    v.author, v.comment, v.created_at FROM chain_links AS l
    JOIN flag_versions AS v ON v.environment = l.item AND v.version = l.n
    WHERE l.history = 'flags' AND l.place IS NULL
    ORDER BY v.created_at, v.environment, v.version LIMIT 200";
const SET_PLACES: &str = "UPDATE chain_links SET place = CAST(wanted.value ->> 3 AS BIGINT)
    FROM {wanted} WHERE chain_links.history = wanted.value ->> 0
    AND chain_links.item = wanted.value ->> 1
    AND chain_links.n = CAST(wanted.value ->> 2 AS BIGINT)";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_IS_PENDING, SELECT_LAST_ENTRY, SELECT_PENDING_AUDIT, SELECT_PENDING_FLAGS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SET_PLACES];

/// A row of `audit` with its link; the columns of the row are `None` if the row is missing.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct AuditRow {
    item: String,
    n: i64,
    pub(crate) place: Option<i64>,
    id: Option<String>,
    at: Option<i64>,
    event: Option<String>,
    subject: Option<String>,
    sid: Option<String>,
    detail: Option<String>,
    actor: Option<String>,
}

/// A row of `flag_versions` with its link; the columns of the row are `None` if the row is missing.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct FlagsRow {
    item: String,
    n: i64,
    pub(crate) place: Option<i64>,
    environment: Option<String>,
    version: Option<i64>,
    document: Option<String>,
    author: Option<String>,
    comment: Option<String>,
    created_at: Option<i64>,
}

/// A row in its hashed form.
#[derive(Debug)]
pub(crate) struct Link {
    item: String,
    n: i64,
    pub(crate) place: Option<i64>,
    /// `None` if the row is missing.
    pub(crate) text: Option<String>,
}

impl From<AuditRow> for Link {
    fn from(row: AuditRow) -> Self {
        let values = (&row.id, row.at, &row.event, &row.subject, &row.sid, &row.detail, &row.actor);
        let text = row.id.as_ref().map(|_| json_text(&values));
        Self { item: row.item, n: row.n, place: row.place, text }
    }
}

impl From<FlagsRow> for Link {
    fn from(row: FlagsRow) -> Self {
        let digest = |document: &String| hex::encode(Sha256::digest(document.as_bytes()));
        let document = row.document.as_ref().map(digest);
        let (author, comment) = (&row.author, &row.comment);
        let values = (&row.environment, row.version, document, author, comment, row.created_at);
        let text = row.environment.as_ref().map(|_| json_text(&values));
        Self { item: row.item, n: row.n, place: row.place, text }
    }
}

impl Link {
    pub(crate) fn row_name(&self) -> String {
        if self.n == 0 { self.item.clone() } else { format!("{} version {}", self.item, self.n) }
    }
}

fn json_text(values: &impl serde::Serialize) -> String {
    serde_json::to_string(values).unwrap_or_default()
}

/// Returns the name of a history in `chain_links`.
pub(crate) const fn name(history: History) -> &'static str {
    match history {
        History::Audit => "audit",
        History::Flags => "flags",
    }
}

/// Restores a chain from its last entry.
pub(crate) fn resume(entry: Option<&str>) -> Result<Chain, StoreError> {
    let Some(text) = entry else { return Ok(Chain::default()) };
    match Entry::decode(text) {
        Ok(Entry::Chained(chained)) => Chain::resume(chained.count, &chained.hash),
        _ => None,
    }
    .ok_or_else(|| corrupt("the entry of a history is malformed"))
}

/// Adds the rows to the chain and returns their places.
fn add(
    chain: &mut Chain,
    history: History,
    links: &[Link],
) -> Vec<(&'static str, String, i64, i64)> {
    let mut places = Vec::with_capacity(links.len());
    for link in links {
        places.push((name(history), link.item.clone(), link.n, chain.count));
        chain.add(link.text.as_deref().unwrap_or_default());
    }
    places
}

impl Store {
    /// Adds the pending rows to the hash chains, and the values of the chains to the log. If
    /// several nodes do it, the lock lets them run one after another. Returns whether more rows may
    /// be pending.
    pub async fn chain_histories(&self, now: Instant) -> Result<bool, StoreError> {
        let engine = self.engine();
        if !read!(self, |pool| sqlx::query_scalar::<_, bool>(SELECT_IS_PENDING)
            .fetch_one(pool)
            .await)?
        {
            return Ok(false);
        }
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(crate::log::LOCK).execute(&mut *tx).await?;
            if !sqlx::query_scalar::<_, bool>(SELECT_IS_EXTENDED).fetch_one(&mut *tx).await? {
                return Ok(false);
            }
            let audit: Vec<AuditRow> =
                sqlx::query_as(SELECT_PENDING_AUDIT).fetch_all(&mut *tx).await?;
            let flags: Vec<FlagsRow> =
                sqlx::query_as(SELECT_PENDING_FLAGS).fetch_all(&mut *tx).await?;
            let audit: Vec<Link> = audit.into_iter().map(Link::from).collect();
            let flags: Vec<Link> = flags.into_iter().map(Link::from).collect();
            let mut end = log_end!(self, tx);
            let at = end.instant(now).to_string();
            let mut entries = Vec::new();
            for (history, links) in [(History::Audit, audit), (History::Flags, flags)] {
                if links.is_empty() {
                    continue;
                }
                let last: Option<String> = sqlx::query_scalar(SELECT_LAST_ENTRY)
                    .bind(history.as_str())
                    .fetch_optional(&mut *tx)
                    .await?;
                let mut chain = resume(last.as_deref())?;
                let places = add(&mut chain, history, &links);
                sqlx::query(over_rows(engine, SET_PLACES))
                    .bind(json(&places))
                    .execute(&mut *tx)
                    .await?;
                let (count, hash, recorded_at) = (chain.count, chain.hash(), at.clone());
                let chained = Chained { count, hash, recorded_at, history, v: V1 };
                entries.push(named(&Entry::Chained(chained), None)?);
            }
            if entries.is_empty() {
                return Ok(false);
            }
            let appended = append!(self, tx, end, &entries);
            tx.commit().await?;
            self.cache_end(appended);
            Ok(true)
        })
    }
}

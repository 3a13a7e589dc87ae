//! Versions of terms in the making. What a draft says is the server's business; here it is a text.

use musette_core::instant::Instant;
use musette_core::markets::Market;

use crate::approvals::{ADD_EDITOR, DROP_EDITORS, VOID_OF_DRAFT};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::log::KEEP_SEAL;
use crate::markets::filter::{MarketFilter, is_inside};
use crate::terms::documents::{KEEP, KEEP_PART, NewDocument};

pub(crate) const DRAFTS: Table = Table {
    name: "term_drafts",
    columns: &[
        ("id", ColumnType::Text),
        ("revision", ColumnType::Int),
        ("body", ColumnType::Text),
        ("updated_at", ColumnType::Int),
        ("updated_by", ColumnType::Text),
        ("market", ColumnType::Text),
        ("begun_at", ColumnType::Int),
    ],
};
const ADD: &str = "INSERT INTO term_drafts
    (id, revision, body, updated_at, updated_by, market, begun_at)
    VALUES ($1, 1, $2, $3, $4, $5, $3)";
const SELECT: &str = "SELECT d.id, d.revision, d.body, d.updated_at, u.id AS updated_by
    FROM term_drafts AS d LEFT JOIN users AS u ON u.subject = d.updated_by WHERE d.id = $1";
const LIST: &str = concat!(
    "SELECT d.id, d.revision, d.body, d.updated_at, u.id AS updated_by
    FROM term_drafts AS d LEFT JOIN users AS u ON u.subject = d.updated_by
    WHERE ($1 = '' OR d.id < $1) AND ($3 = '' OR ",
    is_inside!("d.market", "$3"),
    ") ORDER BY d.id DESC LIMIT $2"
);
const CHANGE: &str = "UPDATE term_drafts SET body = $3, updated_at = $4, updated_by = $5,
    market = $6, revision = revision + 1 WHERE id = $1 AND revision = $2";
pub(crate) const DROP: &str = "DELETE FROM term_drafts WHERE id = $1 AND revision = $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[ADD, SELECT, LIST, CHANGE, DROP];

/// A version that is not published yet.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct TermDraft {
    /// UUIDv7: in order of time.
    pub id: String,
    /// Counts the changes from 1: a change must name the one that it was made from.
    pub revision: i64,
    /// JSON of the draft, in the server's own form.
    pub body: String,
    /// When it was changed last, in milliseconds since 1970.
    pub updated_at: i64,
    /// Id of who changed it last, until they are erased.
    pub updated_by: Option<String>,
}

/// What a draft says.
#[derive(Debug, Clone, Copy)]
pub struct DraftText<'a> {
    /// JSON, in the server's own form.
    pub body: &'a str,
    /// Where it would be published; none: everywhere.
    pub market: Option<&'a Market>,
}

impl Store {
    /// `author` is a subject.
    pub async fn add_draft(
        &self,
        id: &str,
        text: &DraftText<'_>,
        author: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(ADD)
                .bind(id)
                .bind(text.body)
                .bind(now.millis())
                .bind(author)
                .bind(text.market.map(Market::as_str))
                .execute(&mut *tx)
                .await?;
            sqlx::query(ADD_EDITOR).bind(id).bind(author).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// The draft of this id.
    pub async fn draft(&self, id: &str) -> Result<Option<TermDraft>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).bind(id).fetch_optional(pool).await)?)
    }

    /// The newest first, from before `before` (empty: from the newest on).
    pub async fn drafts(
        &self,
        before: &str,
        limit: i64,
        market: &MarketFilter,
    ) -> Result<Vec<TermDraft>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIST)
            .bind(before)
            .bind(limit)
            .bind(&market.inside)
            .fetch_all(pool)
            .await)?)
    }

    /// Voids the approvals. False when another change came first, or the draft is gone.
    pub async fn change_draft(
        &self,
        id: &str,
        revision: i64,
        text: &DraftText<'_>,
        author: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let changed = sqlx::query(CHANGE)
                .bind(id)
                .bind(revision)
                .bind(text.body)
                .bind(now.millis())
                .bind(author)
                .bind(text.market.map(Market::as_str))
                .execute(&mut *tx)
                .await?;
            if changed.rows_affected() == 1 {
                sqlx::query(ADD_EDITOR).bind(id).bind(author).execute(&mut *tx).await?;
                sqlx::query(VOID_OF_DRAFT).bind(id).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(changed.rows_affected() == 1)
        })
    }

    /// False when a change came first, or the draft is gone.
    pub async fn drop_draft(&self, id: &str, revision: i64) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let dropped = sqlx::query(DROP).bind(id).bind(revision).execute(&mut *tx).await?;
            if dropped.rows_affected() == 1 {
                sqlx::query(DROP_EDITORS).bind(id).execute(&mut *tx).await?;
                sqlx::query(VOID_OF_DRAFT).bind(id).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(dropped.rows_affected() == 1)
        })
    }

    /// Keeps a document before a term names it, with what was made of it. The bytes of a document are handed over, not
    /// copied.
    pub async fn keep_document(&self, document: NewDocument) -> Result<(), StoreError> {
        let (name, digest) = document.seal()?;
        let NewDocument { sha256, bytes, pages, parts, spooled } = document;
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let kept =
                sqlx::query(KEEP).bind(&sha256).bind(pages).bind(bytes).execute(&mut *tx).await?;
            if kept.rows_affected() == 1 {
                for part in parts {
                    sqlx::query(KEEP_PART)
                        .bind(&sha256)
                        .bind(part.name)
                        .bind(part.media_type)
                        .bind(part.bytes)
                        .execute(&mut *tx)
                        .await?;
                }
                for part in spooled {
                    sqlx::query(KEEP_PART)
                        .bind(&sha256)
                        .bind(&part.name)
                        .bind(&part.media_type)
                        .bind(part.read()?)
                        .execute(&mut *tx)
                        .await?;
                }
                sqlx::query(KEEP_SEAL).bind(name).bind(digest).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(())
        })
    }
}

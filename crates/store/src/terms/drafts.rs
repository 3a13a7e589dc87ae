//! Drafts of terms. The server interprets the body of a draft; the store treats it as text.

use musette_core::instant::Instant;
use musette_core::markets::Market;

use crate::approvals::{DELETE_EDITORS, INSERT_EDITOR, VOID_OF_DRAFT};
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::log::INSERT_SEAL;
use crate::markets::filter::{MarketFilter, is_inside};
use crate::terms::documents::{INSERT_DOCUMENT, INSERT_PART, NewDocument};

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
const INSERT_DRAFT: &str = "INSERT INTO term_drafts
    (id, revision, body, updated_at, updated_by, market, begun_at)
    VALUES ($1, 1, $2, $3, $4, $5, $3)";
const SELECT_DRAFT: &str = "SELECT d.id, d.revision, d.body, d.updated_at, u.id AS updated_by
    FROM term_drafts AS d LEFT JOIN users AS u ON u.subject = d.updated_by WHERE d.id = $1";
const LIST_DRAFTS: &str = concat!(
    "SELECT d.id, d.revision, d.body, d.updated_at, u.id AS updated_by
    FROM term_drafts AS d LEFT JOIN users AS u ON u.subject = d.updated_by
    WHERE ($1 = '' OR d.id < $1) AND ($3 = '' OR ",
    is_inside!("d.market", "$3"),
    ") ORDER BY d.id DESC LIMIT $2"
);
const UPDATE_DRAFT: &str = "UPDATE term_drafts SET body = $3, updated_at = $4, updated_by = $5,
    market = $6, revision = revision + 1 WHERE id = $1 AND revision = $2";
pub(crate) const DELETE_DRAFT: &str = "DELETE FROM term_drafts WHERE id = $1 AND revision = $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[INSERT_DRAFT, SELECT_DRAFT, LIST_DRAFTS, UPDATE_DRAFT, DELETE_DRAFT];

/// A version that is not published yet.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct TermDraft {
    /// UUIDv7, which sorts by time.
    pub id: String,
    /// Number of the revision, from 1. A change must name the revision that it is based on.
    pub revision: i64,
    /// JSON of the draft, in the server's own form.
    pub body: String,
    /// When it was changed last, in milliseconds since 1970.
    pub updated_at: i64,
    /// User ID of the last editor, until they are erased.
    pub updated_by: Option<String>,
}

/// The content of a draft.
#[derive(Debug, Clone, Copy)]
pub struct DraftText<'a> {
    /// JSON, in the server's own form.
    pub body: &'a str,
    /// Market in which it would be published; none for all markets.
    pub market: Option<&'a Market>,
}

impl Store {
    /// Adds a draft; `author` is a subject.
    pub async fn add_draft(
        &self,
        id: &str,
        text: &DraftText<'_>,
        author: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_DRAFT)
                .bind(id)
                .bind(text.body)
                .bind(now.millis())
                .bind(author)
                .bind(text.market.map(Market::as_str))
                .execute(&mut *tx)
                .await?;
            sqlx::query(INSERT_EDITOR).bind(id).bind(author).execute(&mut *tx).await?;
            Ok(tx.commit().await?)
        })
    }

    /// Returns the draft with this ID.
    pub async fn draft(&self, id: &str) -> Result<Option<TermDraft>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_DRAFT).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns drafts before `before`, the newest first; an empty `before` starts with the newest.
    pub async fn drafts(
        &self,
        before: &str,
        limit: i64,
        market: &MarketFilter,
    ) -> Result<Vec<TermDraft>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIST_DRAFTS)
            .bind(before)
            .bind(limit)
            .bind(&market.inside)
            .fetch_all(pool)
            .await)?)
    }

    /// Changes a draft and voids its approvals. Returns false if another change was faster, or the
    /// draft does not exist.
    pub async fn change_draft(
        &self,
        id: &str,
        revision: i64,
        text: &DraftText<'_>,
        author: &str,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let changed = sqlx::query(UPDATE_DRAFT)
                .bind(id)
                .bind(revision)
                .bind(text.body)
                .bind(now.millis())
                .bind(author)
                .bind(text.market.map(Market::as_str))
                .execute(&mut *tx)
                .await?;
            if changed.rows_affected() == 1 {
                sqlx::query(INSERT_EDITOR).bind(id).bind(author).execute(&mut *tx).await?;
                sqlx::query(VOID_OF_DRAFT).bind(id).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(changed.rows_affected() == 1)
        })
    }

    /// Removes a draft. Returns false if a change was faster, or the draft does not exist.
    pub async fn delete_draft(&self, id: &str, revision: i64) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let deleted =
                sqlx::query(DELETE_DRAFT).bind(id).bind(revision).execute(&mut *tx).await?;
            if deleted.rows_affected() == 1 {
                sqlx::query(DELETE_EDITORS).bind(id).execute(&mut *tx).await?;
                sqlx::query(VOID_OF_DRAFT).bind(id).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(deleted.rows_affected() == 1)
        })
    }

    /// Stores a document with its rendered parts before a term references it. The bytes of the
    /// document are moved, not copied.
    pub async fn store_document(&self, document: NewDocument) -> Result<(), StoreError> {
        let (name, digest) = document.seal()?;
        let NewDocument { sha256, bytes, pages, parts, spooled } = document;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let inserted = sqlx::query(INSERT_DOCUMENT)
                .bind(&sha256)
                .bind(pages)
                .bind(bytes)
                .execute(&mut *tx)
                .await?;
            if inserted.rows_affected() == 1 {
                for part in parts {
                    sqlx::query(INSERT_PART)
                        .bind(&sha256)
                        .bind(part.name)
                        .bind(part.media_type)
                        .bind(part.bytes)
                        .execute(&mut *tx)
                        .await?;
                }
                for part in spooled {
                    sqlx::query(INSERT_PART)
                        .bind(&sha256)
                        .bind(&part.name)
                        .bind(&part.media_type)
                        .bind(part.read()?)
                        .execute(&mut *tx)
                        .await?;
                }
                sqlx::query(INSERT_SEAL).bind(name).bind(digest).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            Ok(())
        })
    }
}

//! The register of automated systems: drafts, and published versions with their log entries.

use musette_core::decisions::systems::{SystemDefinition, SystemRegister, SystemVersion};
use musette_core::instant::Instant;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::log::{
    LOCK, SELECT_SYSTEM_VERSIONS, SystemVersionRow, append, definition_sha256, log_end,
    system_published,
};

pub(crate) const DRAFTS: Table = Table {
    name: "system_drafts",
    columns: &[
        ("key", ColumnType::Text),
        ("revision", ColumnType::Int),
        ("body", ColumnType::Text),
        ("updated_at", ColumnType::Int),
        ("updated_by", ColumnType::Text),
    ],
};
const SELECT_DRAFT: &str = "SELECT d.key, d.revision, d.body, d.updated_at, u.id AS updated_by
    FROM system_drafts AS d LEFT JOIN users AS u ON u.subject = d.updated_by WHERE d.key = $1";
const SELECT_DRAFTS: &str = "SELECT d.key, d.revision, d.body, d.updated_at, u.id AS updated_by
    FROM system_drafts AS d LEFT JOIN users AS u ON u.subject = d.updated_by ORDER BY d.key";
/// `$5` is the revision that the caller has read. NULL: any.
const UPDATE_DRAFT: &str = "UPDATE system_drafts SET body = $2, updated_at = $3, updated_by = $4,
    revision = revision + 1 WHERE key = $1
    AND (CAST($5 AS BIGINT) IS NULL OR revision = CAST($5 AS BIGINT))";
/// The first revision is the time in milliseconds, so that the next draft of a system never has a
/// revision of the previous one.
const INSERT_DRAFT: &str = "INSERT INTO system_drafts (key, revision, body, updated_at, updated_by)
    VALUES ($1, $3, $2, $3, $4)";
const DELETE_DRAFT: &str =
    "DELETE FROM system_drafts WHERE key = $1 AND revision = $2 RETURNING body";
const SELECT_IS_PUBLISHED: &str = "SELECT EXISTS (SELECT 1 FROM system_versions WHERE key = $1)";
const SELECT_NEXT_VERSION: &str =
    "SELECT coalesce(max(version), 0) + 1 FROM system_versions WHERE key = $1";
const INSERT_VERSION: &str = "INSERT INTO system_versions
    (key, version, body, effective_from, published_at) VALUES ($1, $2, $3, $4, $5)";
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_DRAFT,
    SELECT_DRAFTS,
    UPDATE_DRAFT,
    INSERT_DRAFT,
    DELETE_DRAFT,
    SELECT_IS_PUBLISHED,
    SELECT_NEXT_VERSION,
    INSERT_VERSION,
];

/// A description that is not published yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemDraft {
    /// Key of the system.
    pub key: String,
    /// Number of the revision. A change may name the revision that it is based on.
    pub revision: i64,
    /// The description.
    pub definition: SystemDefinition,
    /// When it was changed last, in milliseconds since 1970.
    pub updated_at: i64,
    /// User ID of the last editor, until they are erased.
    pub updated_by: Option<String>,
}

/// Outcome of saving a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SystemDraftSaved {
    /// The system had neither a draft nor a version before.
    NewSystem,
    /// The system existed.
    Existing,
    /// The draft has another revision than the caller has read.
    Stale,
}

#[derive(sqlx_macros::FromRow)]
struct DraftRow {
    key: String,
    revision: i64,
    body: String,
    updated_at: i64,
    updated_by: Option<String>,
}

fn parse(key: &str, body: &str) -> Result<SystemDefinition, StoreError> {
    serde_json::from_str(body)
        .map_err(|error| StoreError::Corrupt(format!("automated system {key}: {error}")))
}

fn draft(row: DraftRow) -> Result<SystemDraft, StoreError> {
    let definition = parse(&row.key, &row.body)?;
    let DraftRow { key, revision, updated_at, updated_by, .. } = row;
    Ok(SystemDraft { key, revision, definition, updated_at, updated_by })
}

fn version(row: SystemVersionRow) -> Result<SystemVersion, StoreError> {
    Ok(SystemVersion {
        definition: parse(&row.key, &row.body)?,
        key: row.key,
        version: row.version,
        effective_from: Instant::from_millis(row.effective_from),
        published_at: Instant::from_millis(row.published_at),
    })
}

/// Returns the SHA-256 of a description in its canonical form, as its log entry contains it.
pub fn system_sha256(definition: &SystemDefinition) -> String {
    // Texts and lists of texts always have a JSON form.
    definition_sha256(&serde_json::to_string(definition).unwrap_or_default())
}

impl Store {
    /// Returns every published version of every system.
    pub async fn system_register(&self) -> Result<SystemRegister, StoreError> {
        let rows: Vec<SystemVersionRow> =
            read!(self, |pool| sqlx::query_as(SELECT_SYSTEM_VERSIONS).fetch_all(pool).await)?;
        let versions: Result<Vec<SystemVersion>, StoreError> =
            rows.into_iter().map(version).collect();
        Ok(SystemRegister::new(versions?))
    }

    /// Returns the draft of a system.
    pub async fn system_draft(&self, key: &str) -> Result<Option<SystemDraft>, StoreError> {
        let row: Option<DraftRow> =
            read!(self, |pool| sqlx::query_as(SELECT_DRAFT).bind(key).fetch_optional(pool).await)?;
        row.map(draft).transpose()
    }

    /// Returns all drafts, in order of the keys.
    pub async fn system_drafts(&self) -> Result<Vec<SystemDraft>, StoreError> {
        let rows: Vec<DraftRow> =
            read!(self, |pool| sqlx::query_as(SELECT_DRAFTS).fetch_all(pool).await)?;
        rows.into_iter().map(draft).collect()
    }

    /// Saves the draft of a system. With `revision`, only if the draft still has this revision.
    /// `author` is a subject.
    pub async fn save_system_draft(
        &self,
        key: &str,
        definition: &SystemDefinition,
        revision: Option<i64>,
        author: &str,
        now: Instant,
    ) -> Result<SystemDraftSaved, StoreError> {
        let body = serde_json::to_string(definition)
            .map_err(|error| StoreError::Corrupt(error.to_string()))?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The lock of the log orders two first drafts of a system, and the next publication.
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let updated = sqlx::query(UPDATE_DRAFT)
                .bind(key)
                .bind(&body)
                .bind(now.millis())
                .bind(author)
                .bind(revision)
                .execute(&mut *tx)
                .await?;
            if updated.rows_affected() == 1 {
                tx.commit().await?;
                return Ok(SystemDraftSaved::Existing);
            }
            if revision.is_some() {
                return Ok(SystemDraftSaved::Stale);
            }
            sqlx::query(INSERT_DRAFT)
                .bind(key)
                .bind(&body)
                .bind(now.millis())
                .bind(author)
                .execute(&mut *tx)
                .await?;
            let is_published: bool =
                sqlx::query_scalar(SELECT_IS_PUBLISHED).bind(key).fetch_one(&mut *tx).await?;
            tx.commit().await?;
            Ok(if is_published { SystemDraftSaved::Existing } else { SystemDraftSaved::NewSystem })
        })
    }

    /// Removes a draft. Returns false if a change was faster, or the draft does not exist.
    pub async fn delete_system_draft(&self, key: &str, revision: i64) -> Result<bool, StoreError> {
        let body: Option<String> = modify!(self, |pool| sqlx::query_scalar(DELETE_DRAFT)
            .bind(key)
            .bind(revision)
            .fetch_optional(pool)
            .await)?;
        Ok(body.is_some())
    }

    /// Publishes the draft of this revision as the next version of the system, with its log entry
    /// in the same transaction, and removes the draft. Without `effective_from` it takes effect at
    /// once. Returns `None` if a change was faster, or the draft does not exist.
    pub async fn publish_system(
        &self,
        key: &str,
        revision: i64,
        effective_from: Option<Instant>,
        now: Instant,
    ) -> Result<Option<SystemVersion>, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let body: Option<String> = sqlx::query_scalar(DELETE_DRAFT)
                .bind(key)
                .bind(revision)
                .fetch_optional(&mut *tx)
                .await?;
            let Some(body) = body else { return Ok(None) };
            let number: i64 =
                sqlx::query_scalar(SELECT_NEXT_VERSION).bind(key).fetch_one(&mut *tx).await?;
            let mut end = log_end!(self, tx);
            let at = end.instant(now);
            let row = SystemVersionRow {
                key: key.to_owned(),
                version: number,
                body,
                effective_from: effective_from.unwrap_or(at).millis(),
                published_at: at.millis(),
            };
            sqlx::query(INSERT_VERSION)
                .bind(&row.key)
                .bind(row.version)
                .bind(&row.body)
                .bind(row.effective_from)
                .bind(row.published_at)
                .execute(&mut *tx)
                .await?;
            let appended = append!(self, tx, end, &[system_published(&row)?]);
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            tx.commit().await?;
            self.cache_end(appended);
            Ok(Some(version(row)?))
        })
    }
}

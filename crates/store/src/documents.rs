//! Documents by hash, and what was made of them at publishing.

use crate::batch::{Kind, Table};
use crate::db::{Store, read};
use crate::error::StoreError;

pub(crate) const DOCUMENTS: Table = Table {
    name: "documents",
    columns: &[("sha256", Kind::Text), ("pages", Kind::Int), ("bytes", Kind::Bytes)],
};
pub(crate) const PARTS: Table = Table {
    name: "document_parts",
    columns: &[
        ("sha256", Kind::Text),
        ("name", Kind::Text),
        ("media_type", Kind::Text),
        ("bytes", Kind::Bytes),
    ],
};

/// The same bytes may be published twice; their hash names them, so nothing needs to be written.
pub(crate) const KEEP: &str = "INSERT INTO documents (sha256, pages, bytes) VALUES ($1, $2, $3)
    ON CONFLICT (sha256) DO NOTHING";
pub(crate) const KEEP_PART: &str =
    "INSERT INTO document_parts (sha256, name, media_type, bytes) VALUES ($1, $2, $3, $4)
    ON CONFLICT (sha256, name) DO NOTHING";
const BYTES: &str = "SELECT bytes FROM documents WHERE sha256 = $1";
const PART: &str = "SELECT media_type, bytes FROM document_parts WHERE sha256 = $1 AND name = $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[KEEP, KEEP_PART, BYTES, PART];

/// A document to be published.
#[derive(Debug, Clone)]
pub struct NewDocument {
    pub sha256: String,
    pub bytes: Vec<u8>,
    /// Zero when it could not be rendered.
    pub pages: i64,
    pub parts: Vec<DocumentPart>,
}

/// A page image, the manifest, the text.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct DocumentPart {
    #[sqlx(default)]
    pub name: String,
    pub media_type: String,
    pub bytes: Vec<u8>,
}

impl Store {
    pub async fn document(&self, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(BYTES).bind(sha256).fetch_optional(pool).await)?)
    }

    pub async fn document_part(
        &self,
        sha256: &str,
        name: &str,
    ) -> Result<Option<DocumentPart>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PART)
            .bind(sha256)
            .bind(name)
            .fetch_optional(pool)
            .await)?)
    }
}

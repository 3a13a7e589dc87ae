//! Documents by hash, and what was made of them at publishing.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, bulk, read};
use crate::log::{part_digest, seal_of_digests};

pub(crate) const DOCUMENTS: Table = Table {
    name: "documents",
    columns: &[
        ("sha256", ColumnType::Text),
        ("pages", ColumnType::Int),
        ("bytes", ColumnType::Bytes),
    ],
};
pub(crate) const PARTS: Table = Table {
    name: "document_parts",
    columns: &[
        ("sha256", ColumnType::Text),
        ("name", ColumnType::Text),
        ("media_type", ColumnType::Text),
        ("bytes", ColumnType::Bytes),
    ],
};

/// Documents are named by their hash: publishing identical bytes again writes nothing.
pub(crate) const KEEP: &str = "INSERT INTO documents (sha256, pages, bytes) VALUES ($1, $2, $3)
    ON CONFLICT (sha256) DO NOTHING";
pub(crate) const KEEP_PART: &str =
    "INSERT INTO document_parts (sha256, name, media_type, bytes) VALUES ($1, $2, $3, $4)
    ON CONFLICT (sha256, name) DO NOTHING";
// Neither engine reads the bytes to tell how many there are.
const LENGTH: &str = "SELECT CAST(length(bytes) AS BIGINT) FROM documents WHERE sha256 = $1";
const PART_LENGTH: &str =
    "SELECT CAST(length(bytes) AS BIGINT) FROM document_parts WHERE sha256 = $1 AND name = $2";
const SLICE: &str = "SELECT substr(bytes, CAST($2 AS INTEGER), CAST($3 AS INTEGER))
    FROM documents WHERE sha256 = $1";
const PART_SLICE: &str = "SELECT substr(bytes, CAST($3 AS INTEGER), CAST($4 AS INTEGER))
    FROM document_parts WHERE sha256 = $1 AND name = $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[KEEP, KEEP_PART, LENGTH, PART_LENGTH, SLICE, PART_SLICE];

/// A document to be published.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// SHA-256 of the bytes, in lower-case hex.
    pub sha256: String,
    /// The PDF.
    pub bytes: Vec<u8>,
    /// Zero when it could not be rendered.
    pub pages: i64,
    /// Files rendered from it.
    pub parts: Vec<DocumentPart>,
    /// More of them, which are not in memory.
    pub spooled: Vec<SpooledPart>,
}

/// A part of a document that lies in a file until it is stored.
#[derive(Debug, Clone)]
pub struct SpooledPart {
    /// Name of the part, like [`DocumentPart::name`].
    pub name: String,
    /// Media type, like [`DocumentPart::media_type`].
    pub media_type: String,
    /// The file.
    pub file: Arc<File>,
    /// Bytes of the file before it.
    pub at: u64,
    /// Its bytes.
    pub length: usize,
}

impl SpooledPart {
    /// Its content.
    pub(crate) fn read(&self) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; self.length];
        self.file.read_exact_at(&mut bytes, self.at)?;
        Ok(bytes)
    }
}

impl NewDocument {
    /// The seal of the document and of all its parts, which are read one after the other.
    pub(crate) fn seal(&self) -> Result<(String, String), StoreError> {
        let in_memory = self.parts.iter();
        let in_memory = in_memory.map(|it| Ok((&it.name, &it.media_type, part_digest(&it.bytes))));
        let spooled = self.spooled.iter();
        let spooled = spooled.map(|it| Ok((&it.name, &it.media_type, part_digest(&it.read()?))));
        let parts = in_memory.chain(spooled).map(|part: Result<_, StoreError>| {
            part.map(|(name, kind, digest)| (name.as_str(), kind.as_str(), digest))
        });
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        Ok(seal_of_digests(&self.sha256, self.pages, parts))
    }
}

/// A page image, the manifest, the text.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct DocumentPart {
    /// Unique in the document, such as `1@2x.png`.
    #[sqlx(default)]
    pub name: String,
    /// Its media type (RFC 6838).
    pub media_type: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The PDF of this hash, or something that was made of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DocumentName {
    /// SHA-256 of the PDF, in lower-case hex.
    pub sha256: String,
    /// None: the PDF itself.
    pub part: Option<String>,
}

impl Store {
    /// How many bytes it has; none when it is not there.
    pub async fn document_length(&self, of: &DocumentName) -> Result<Option<u64>, StoreError> {
        let sql = if of.part.is_some() { PART_LENGTH } else { LENGTH };
        let length: Option<i64> = read!(self, |pool| {
            let query = sqlx::query_scalar(sql).bind(&of.sha256);
            let query = if of.part.is_some() { query.bind(&of.part) } else { query };
            query.fetch_optional(pool).await?
        });
        let length = length.map(u64::try_from).transpose();
        length.map_err(|_| StoreError::Corrupt("the length of a document".into()))
    }

    /// At most `length` bytes from the byte `at` on. SQLite reads all that comes before, too: ask it
    /// for much at once.
    pub async fn document_slice(
        &self,
        of: &DocumentName,
        at: u64,
        length: usize,
    ) -> Result<Vec<u8>, StoreError> {
        let sql = if of.part.is_some() { PART_SLICE } else { SLICE };
        let first = i64::try_from(at).unwrap_or(i64::MAX).saturating_add(1);
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let bytes: Option<Vec<u8>> = bulk!(self, |pool| {
            let query = sqlx::query_scalar(sql).bind(&of.sha256);
            let query = if of.part.is_some() { query.bind(&of.part) } else { query };
            query.bind(first).bind(length).fetch_optional(pool).await?
        });
        bytes.ok_or_else(|| StoreError::Corrupt("a document that was there is gone".into()))
    }
}

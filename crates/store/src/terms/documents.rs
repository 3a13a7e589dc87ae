//! Documents by hash, and the files that were rendered from them at the publication.

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

/// Inserts a document. Its key is its hash, so publishing identical bytes again writes nothing.
pub(crate) const INSERT_DOCUMENT: &str =
    "INSERT INTO documents (sha256, pages, bytes) VALUES ($1, $2, $3)
    ON CONFLICT (sha256) DO NOTHING";
pub(crate) const INSERT_PART: &str =
    "INSERT INTO document_parts (sha256, name, media_type, bytes) VALUES ($1, $2, $3, $4)
    ON CONFLICT (sha256, name) DO NOTHING";
// Neither engine reads the bytes to determine their number.
const SELECT_LENGTH: &str = "SELECT CAST(length(bytes) AS BIGINT) FROM documents WHERE sha256 = $1";
const SELECT_PART_LENGTH: &str =
    "SELECT CAST(length(bytes) AS BIGINT) FROM document_parts WHERE sha256 = $1 AND name = $2";
const SELECT_SLICE: &str = "SELECT substr(bytes, CAST($2 AS INTEGER), CAST($3 AS INTEGER))
    FROM documents WHERE sha256 = $1";
const SELECT_PART_SLICE: &str = "SELECT substr(bytes, CAST($3 AS INTEGER), CAST($4 AS INTEGER))
    FROM document_parts WHERE sha256 = $1 AND name = $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    INSERT_DOCUMENT,
    INSERT_PART,
    SELECT_LENGTH,
    SELECT_PART_LENGTH,
    SELECT_SLICE,
    SELECT_PART_SLICE,
];

/// A document to publish.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// SHA-256 of the bytes, in lower-case hex.
    pub sha256: String,
    /// The PDF.
    pub bytes: Vec<u8>,
    /// Number of pages; 0 if the document could not be rendered.
    pub pages: i64,
    /// Files rendered from it.
    pub parts: Vec<DocumentPart>,
    /// More rendered files, which are not in memory.
    pub spooled: Vec<SpooledPart>,
}

/// A part of a document that is in a temporary file until it is stored.
#[derive(Debug, Clone)]
pub struct SpooledPart {
    /// Name of the part, like [`DocumentPart::name`].
    pub name: String,
    /// Media type, like [`DocumentPart::media_type`].
    pub media_type: String,
    /// The temporary file, which contains several parts.
    pub file: Arc<File>,
    /// Offset of the part in the file.
    pub at: u64,
    /// Length of the part in bytes.
    pub length: usize,
}

impl SpooledPart {
    /// Reads the content of the part.
    pub(crate) fn read(&self) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; self.length];
        self.file.read_exact_at(&mut bytes, self.at)?;
        Ok(bytes)
    }
}

impl NewDocument {
    /// Computes the seal of the document and all its parts, which are read one after another.
    pub(crate) fn seal(&self) -> Result<(String, String), StoreError> {
        let in_memory = self.parts.iter();
        let in_memory =
            in_memory.map(|part| Ok((&part.name, &part.media_type, part_digest(&part.bytes))));
        let spooled = self.spooled.iter();
        let spooled =
            spooled.map(|part| Ok((&part.name, &part.media_type, part_digest(&part.read()?))));
        let parts = in_memory.chain(spooled).map(|part: Result<_, StoreError>| {
            part.map(|(name, kind, digest)| (name.as_str(), kind.as_str(), digest))
        });
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        Ok(seal_of_digests(&self.sha256, self.pages, parts))
    }
}

/// A rendered part of a document: a page image, the manifest or the text.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct DocumentPart {
    /// Name, unique in the document, such as `1@2x.png`.
    #[sqlx(default)]
    pub name: String,
    /// Media type (RFC 6838).
    pub media_type: String,
    /// Content of the part.
    pub bytes: Vec<u8>,
}

/// Identifies the PDF with this hash, or a part that was rendered from it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DocumentName {
    /// SHA-256 of the PDF, in lower-case hex.
    pub sha256: String,
    /// Name of the part; none for the PDF itself.
    pub part: Option<String>,
}

impl Store {
    /// Returns the number of bytes of a document; `None` if it does not exist.
    pub async fn document_length(&self, of: &DocumentName) -> Result<Option<u64>, StoreError> {
        let sql = if of.part.is_some() { SELECT_PART_LENGTH } else { SELECT_LENGTH };
        let length: Option<i64> = read!(self, |pool| {
            let query = sqlx::query_scalar(sql).bind(&of.sha256);
            let query = if of.part.is_some() { query.bind(&of.part) } else { query };
            query.fetch_optional(pool).await?
        });
        let length = length.map(u64::try_from).transpose();
        length.map_err(|_| StoreError::Corrupt("the length of a document is negative".into()))
    }

    /// Returns at most `length` bytes from the byte `at` on. SQLite also reads everything before,
    /// so request large slices.
    pub async fn document_slice(
        &self,
        of: &DocumentName,
        at: u64,
        length: usize,
    ) -> Result<Vec<u8>, StoreError> {
        let sql = if of.part.is_some() { SELECT_PART_SLICE } else { SELECT_SLICE };
        let first = i64::try_from(at).unwrap_or(i64::MAX).saturating_add(1);
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let bytes: Option<Vec<u8>> = bulk!(self, |pool| {
            let query = sqlx::query_scalar(sql).bind(&of.sha256);
            let query = if of.part.is_some() { query.bind(&of.part) } else { query };
            query.bind(first).bind(length).fetch_optional(pool).await?
        });
        bytes.ok_or_else(|| StoreError::Corrupt("a document does not exist any more".into()))
    }
}

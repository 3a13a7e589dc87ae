//! Published descriptions of automated systems as the log proves them, and their entry.

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, SystemPublished, SystemPublishedType, V1};
use sha2::{Digest as _, Sha256};

use super::append::NewEntry;
use super::append::named;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;

pub(crate) const SYSTEM_VERSIONS: Table = Table {
    name: "system_versions",
    columns: &[
        ("key", ColumnType::Text),
        ("version", ColumnType::Int),
        ("body", ColumnType::Text),
        ("effective_from", ColumnType::Int),
        ("published_at", ColumnType::Int),
    ],
};
pub(crate) const SELECT_SYSTEM_VERSIONS: &str =
    "SELECT key, version, body, effective_from, published_at
    FROM system_versions ORDER BY key, version";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_SYSTEM_VERSIONS];

/// A row of `system_versions`.
#[derive(Debug, sqlx_macros::FromRow)]
pub(crate) struct SystemVersionRow {
    pub(crate) key: String,
    pub(crate) version: i64,
    pub(crate) body: String,
    pub(crate) effective_from: i64,
    pub(crate) published_at: i64,
}

/// Returns the hash of a description, as its log entry contains it.
pub(crate) fn definition_sha256(body: &str) -> String {
    hex::encode(Sha256::digest(body.as_bytes()))
}

pub(crate) fn system_published(row: &SystemVersionRow) -> Result<NewEntry, StoreError> {
    let entry = Entry::SystemPublished(SystemPublished {
        effective_from: Instant::from_millis(row.effective_from).to_string(),
        key: row.key.clone(),
        recorded_at: Instant::from_millis(row.published_at).to_string(),
        sha256: definition_sha256(&row.body),
        kind: SystemPublishedType::SystemPublished,
        v: V1,
        version: row.version,
    });
    named(&entry, None)
}

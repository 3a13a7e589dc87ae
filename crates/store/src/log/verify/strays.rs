//! Finds rows that no entry and no head covers. Each kind is selected with one statement, so that a
//! concurrent commit is seen completely or not at all.

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Engine, Store, read};

const SELECT_STRAY_SUBMISSIONS: &str = "SELECT s.seq FROM submissions AS s
    WHERE NOT EXISTS (SELECT 1 FROM log_entries AS e WHERE e.submission = s.seq)
    ORDER BY s.seq LIMIT 100";
const SELECT_STRAY_CONSENTS: &str = "SELECT DISTINCT c.submission FROM consents AS c
    WHERE NOT EXISTS (SELECT 1 FROM submissions AS s WHERE s.seq = c.submission) LIMIT 100";
/// Only for SQLite, where `consents` is a view that has no row without a submission.
const SELECT_STRAY_DECISIONS: &str = "SELECT DISTINCT d.submission FROM decisions AS d
    WHERE NOT EXISTS (SELECT 1 FROM submissions AS s WHERE s.seq = d.submission) LIMIT 100";
const SELECT_STRAY_CLAIMS: &str = "SELECT c.submission FROM claims AS c
    WHERE NOT EXISTS (SELECT 1 FROM log_entries AS e WHERE e.claim = c.person)
    ORDER BY c.submission LIMIT 100";
const SELECT_STRAY_ENTRIES: &str = "SELECT e.idx FROM log_entries AS e WHERE e.idx < 0 OR e.idx >=
    coalesce((SELECT max(h.size) FROM log_heads AS h WHERE h.log = e.log), 0)
    ORDER BY e.idx LIMIT 100";
/// Selects invalid tiles; `leaves` is the number of leaves that one hash of each level covers.
const SELECT_STRAY_TILES: &str =
    "WITH levels (level, leaves) AS (VALUES (0, 1), (1, 256), (2, 65536),
    (3, 16777216), (4, 4294967296), (5, 1099511627776), (6, 281474976710656),
    (7, 72057594037927936))
    SELECT t.level * 1000000000 + t.idx FROM log_tiles AS t
    LEFT JOIN levels AS l ON l.level = t.level
    WHERE l.level IS NULL OR t.idx < 0 OR t.width < 1 OR t.width > 256
    OR length(t.bytes) <> t.width * 32 OR t.idx * 256 + t.width <>
    CASE WHEN t.width = 256 THEN t.idx * 256 + t.width ELSE
    coalesce((SELECT max(h.size) FROM log_heads AS h WHERE h.log = t.log), 0) / l.leaves END
    OR t.idx * 256 + t.width >
    coalesce((SELECT max(h.size) FROM log_heads AS h WHERE h.log = t.log), 0) / l.leaves
    ORDER BY t.level, t.idx LIMIT 100";
const SELECT_STRAY_HEADS: &str = "SELECT h.size FROM log_heads AS h
    WHERE NOT EXISTS (SELECT 1 FROM logs AS l WHERE l.id = h.log) ORDER BY h.size LIMIT 100";
const SELECT_STRAY_VARIANTS: &str = "SELECT DISTINCT v.term_id FROM term_variants AS v
    WHERE NOT EXISTS (SELECT 1 FROM terms AS t WHERE t.id = v.term_id) LIMIT 100";
const SELECT_STRAY_ML_DSA_KEYS: &str = "SELECT m.log FROM log_ml_dsa_keys AS m
    WHERE NOT EXISTS (SELECT 1 FROM logs AS l WHERE l.id = m.log) ORDER BY m.log LIMIT 100";
const SELECT_STRAY_KEY: &str = "SELECT k.log FROM log_key AS k
    WHERE NOT EXISTS (SELECT 1 FROM logs AS l WHERE l.id = k.log)";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[
    SELECT_STRAY_SUBMISSIONS,
    SELECT_STRAY_CONSENTS,
    SELECT_STRAY_CLAIMS,
    SELECT_STRAY_ENTRIES,
    SELECT_STRAY_TILES,
    SELECT_STRAY_HEADS,
    SELECT_STRAY_VARIANTS,
    SELECT_STRAY_ML_DSA_KEYS,
    SELECT_STRAY_KEY,
    SELECT_STRAY_ERASURES,
    SELECT_STRAY_PARTS,
];

/// Rows that are identified by a text.
const SELECT_STRAY_ERASURES: &str =
    "SELECT ref FROM erasures WHERE ref NOT IN (SELECT subject FROM submissions)
    AND ref NOT IN (SELECT subject FROM claims) ORDER BY ref LIMIT 100";

const SELECT_STRAY_PARTS: &str = "SELECT DISTINCT sha256 FROM document_parts
    WHERE sha256 NOT IN (SELECT sha256 FROM documents) LIMIT 100";

impl Store {
    pub(super) async fn find_strays(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let consents = match self.engine() {
            Engine::Sqlite => SELECT_STRAY_DECISIONS,
            Engine::Postgres => SELECT_STRAY_CONSENTS,
        };
        for (table, sql, place, message) in [
            ("submissions", SELECT_STRAY_SUBMISSIONS, "seq", "no entry of the log records it"),
            ("consents", consents, "submission", "its submission does not exist"),
            ("claims", SELECT_STRAY_CLAIMS, "submission", "no entry of the log records it"),
            ("log_entries", SELECT_STRAY_ENTRIES, "index", "no signed head covers it"),
            ("log_tiles", SELECT_STRAY_TILES, "level and index", "no signed head has this tile"),
            ("log_heads", SELECT_STRAY_HEADS, "size", "its log does not exist"),
            ("term_variants", SELECT_STRAY_VARIANTS, "term_id", "its term does not exist"),
            ("log_ml_dsa_keys", SELECT_STRAY_ML_DSA_KEYS, "log", "its log does not exist"),
            ("log_key", SELECT_STRAY_KEY, "log", "its log does not exist"),
        ] {
            let rows: Vec<i64> = read!(self, |pool| sqlx::query_scalar(sql).fetch_all(pool).await)?;
            for row in rows {
                run.report(table, format!("{place} {row}"), message);
            }
        }
        for (table, sql, place, message) in [
            ("erasures", SELECT_STRAY_ERASURES, "ref", "no record has this subject"),
            ("document_parts", SELECT_STRAY_PARTS, "sha256", "its document does not exist"),
        ] {
            let rows: Vec<String> =
                read!(self, |pool| sqlx::query_scalar(sql).fetch_all(pool).await)?;
            for row in rows {
                run.report(table, format!("{place} {row}"), message);
            }
        }
        Ok(())
    }
}

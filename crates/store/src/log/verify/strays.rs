//! Rows that no entry and no head covers. Each is asked for in one statement, so that what others
//! commit meanwhile is seen as a whole or not at all.

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Engine, Store, read};

const SUBMISSIONS: &str = "SELECT s.seq FROM submissions AS s
    WHERE NOT EXISTS (SELECT 1 FROM log_entries AS e WHERE e.submission = s.seq)
    ORDER BY s.seq LIMIT 100";
const CONSENTS: &str = "SELECT DISTINCT c.submission FROM consents AS c
    WHERE NOT EXISTS (SELECT 1 FROM submissions AS s WHERE s.seq = c.submission) LIMIT 100";
/// Only for SQLite, where `consents` is a view, which has no row without a submission.
const DECISIONS: &str = "SELECT DISTINCT d.submission FROM decisions AS d
    WHERE NOT EXISTS (SELECT 1 FROM submissions AS s WHERE s.seq = d.submission) LIMIT 100";
const CLAIMS: &str = "SELECT c.submission FROM claims AS c
    WHERE NOT EXISTS (SELECT 1 FROM log_entries AS e WHERE e.claim = c.person)
    ORDER BY c.submission LIMIT 100";
const ENTRIES: &str = "SELECT e.idx FROM log_entries AS e WHERE e.idx < 0 OR e.idx >=
    coalesce((SELECT max(h.size) FROM log_heads AS h WHERE h.log = e.log), 0)
    ORDER BY e.idx LIMIT 100";
/// How many leaves one hash of each level covers.
const TILES: &str = "WITH levels (level, leaves) AS (VALUES (0, 1), (1, 256), (2, 65536),
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
const HEADS: &str = "SELECT h.size FROM log_heads AS h
    WHERE NOT EXISTS (SELECT 1 FROM logs AS l WHERE l.id = h.log) ORDER BY h.size LIMIT 100";
const VARIANTS: &str = "SELECT DISTINCT v.term_id FROM term_variants AS v
    WHERE NOT EXISTS (SELECT 1 FROM terms AS t WHERE t.id = v.term_id) LIMIT 100";
const KEY: &str = "SELECT k.log FROM log_key AS k
    WHERE NOT EXISTS (SELECT 1 FROM logs AS l WHERE l.id = k.log)";

#[cfg(test)]
pub(super) const ALL: &[&str] =
    &[SUBMISSIONS, CONSENTS, CLAIMS, ENTRIES, TILES, HEADS, VARIANTS, KEY, ERASURES, PARTS];

/// Rows that are named by a text.
const ERASURES: &str = "SELECT ref FROM erasures WHERE ref NOT IN (SELECT subject FROM submissions)
    AND ref NOT IN (SELECT subject FROM claims) ORDER BY ref LIMIT 100";

const PARTS: &str = "SELECT DISTINCT sha256 FROM document_parts
    WHERE sha256 NOT IN (SELECT sha256 FROM documents) LIMIT 100";

impl Store {
    pub(super) async fn find_strays(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let consents = match self.engine() {
            Engine::Sqlite => DECISIONS,
            Engine::Postgres => CONSENTS,
        };
        for (table, sql, place, what) in [
            ("submissions", SUBMISSIONS, "seq", "no entry of the log is its"),
            ("consents", consents, "submission", "there is no such submission"),
            ("claims", CLAIMS, "submission", "no entry of the log is its"),
            ("log_entries", ENTRIES, "index", "no signed head covers it"),
            ("log_tiles", TILES, "level and index", "no signed head has a tile like this"),
            ("log_heads", HEADS, "size", "there is no such log"),
            ("term_variants", VARIANTS, "term_id", "there is no such term"),
            ("log_key", KEY, "log", "there is no such log"),
        ] {
            let rows: Vec<i64> = read!(self, |pool| sqlx::query_scalar(sql).fetch_all(pool).await)?;
            for row in rows {
                run.fault(table, format!("{place} {row}"), what);
            }
        }
        for (table, sql, place, what) in [
            ("erasures", ERASURES, "ref", "no record is of this subject"),
            ("document_parts", PARTS, "sha256", "there is no such document"),
        ] {
            let rows: Vec<String> =
                read!(self, |pool| sqlx::query_scalar(sql).fetch_all(pool).await)?;
            for row in rows {
                run.fault(table, format!("{place} {row}"), what);
            }
        }
        Ok(())
    }
}

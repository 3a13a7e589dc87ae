//! Computes the hash chains again from the rows.

use musette_core::log::chain::Chain;
use musette_core::log::entry::History;

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::histories::{AuditRow, FlagsRow, Link, name, resume};

const SELECT_AUDIT_LINKS: &str =
    "SELECT l.item, l.n, l.place, a.id, a.at, a.event, a.subject, a.sid, a.detail,
    a.actor FROM chain_links AS l LEFT JOIN audit AS a ON a.id = l.item AND l.n = 0
    WHERE l.history = 'audit' AND l.place >= $1 AND l.place < $2 ORDER BY l.place LIMIT 1000";
const SELECT_FLAGS_LINKS: &str =
    "SELECT l.item, l.n, l.place, v.environment, v.version, v.document, v.author,
    v.comment, v.created_at FROM chain_links AS l
    LEFT JOIN flag_versions AS v ON v.environment = l.item AND v.version = l.n
    WHERE l.history = 'flags' AND l.place >= $1 AND l.place < $2 ORDER BY l.place LIMIT 100";
/// One statement, so that both values are of the same instant.
const SELECT_NEWEST: &str = "SELECT (SELECT entry FROM log_entries WHERE event = $1
    ORDER BY log DESC, idx DESC LIMIT 1),
    coalesce((SELECT max(place) FROM chain_links WHERE history = $2), -1)";
const SELECT_UNLINKED_AUDIT: &str = "SELECT a.id FROM audit AS a WHERE NOT EXISTS (SELECT 1
    FROM chain_links AS l WHERE l.history = 'audit' AND l.item = a.id AND l.n = 0)
    ORDER BY a.id LIMIT 100";
const SELECT_UNLINKED_FLAGS: &str = "SELECT v.environment FROM flag_versions AS v WHERE NOT EXISTS
    (SELECT 1 FROM chain_links AS l WHERE l.history = 'flags' AND l.item = v.environment
    AND l.n = v.version) ORDER BY v.environment, v.version LIMIT 100";
/// Selects links without a row; links with a place are reported by the missing row.
const SELECT_STRAY_LINKS: &str = "SELECT l.item FROM chain_links AS l WHERE l.place IS NULL
    AND NOT EXISTS (SELECT 1 FROM audit AS a WHERE l.history = 'audit' AND a.id = l.item AND l.n = 0)
    AND NOT EXISTS (SELECT 1 FROM flag_versions AS v WHERE l.history = 'flags'
    AND v.environment = l.item AND v.version = l.n)
    ORDER BY l.item LIMIT 100";
const SELECT_UNKNOWN_LINKS: &str = "SELECT item FROM chain_links
    WHERE history NOT IN ('audit', 'flags') ORDER BY item LIMIT 100";

/// Selects environments whose served version is not the newest.
const SELECT_WRONG_VERSIONS: &str = "SELECT e.name FROM flag_environments AS e WHERE e.version <>
    coalesce((SELECT max(v.version) FROM flag_versions AS v WHERE v.environment = e.name), 0)
    ORDER BY e.name LIMIT 100";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[
    SELECT_AUDIT_LINKS,
    SELECT_FLAGS_LINKS,
    SELECT_NEWEST,
    SELECT_UNLINKED_AUDIT,
    SELECT_UNLINKED_FLAGS,
    SELECT_STRAY_LINKS,
    SELECT_UNKNOWN_LINKS,
    SELECT_WRONG_VERSIONS,
];

const fn table(history: History) -> &'static str {
    match history {
        History::Audit => "audit",
        History::Flags => "flag_versions",
    }
}

impl Store {
    pub(super) async fn verify_histories(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        for history in History::ALL {
            let heads = run.replayed.histories.remove(&history).unwrap_or_default();
            self.verify_history(run, history, &heads).await?;
            let (newest, last): (Option<String>, i64) =
                read!(self, |pool| sqlx::query_as(SELECT_NEWEST)
                    .bind(history.as_str())
                    .bind(name(history))
                    .fetch_one(pool)
                    .await)?;
            // A malformed text is reported with its entry.
            if resume(newest.as_deref()).is_ok_and(|chain| chain.count != last + 1) {
                let message = format!(
                    "number of rows with a place: {}, but no entry has this count",
                    last + 1
                );
                run.report("chain_links", name(history), message);
            }
        }
        for (table, sql, message) in [
            ("audit", SELECT_UNLINKED_AUDIT, "the row has no link"),
            ("flag_versions", SELECT_UNLINKED_FLAGS, "the row has no link"),
            ("chain_links", SELECT_STRAY_LINKS, "the linked row does not exist"),
            ("chain_links", SELECT_UNKNOWN_LINKS, "the history is unknown"),
            (
                "flag_environments",
                SELECT_WRONG_VERSIONS,
                "the served version is not the newest one",
            ),
        ] {
            let rows: Vec<String> =
                read!(self, |pool| sqlx::query_scalar(sql).fetch_all(pool).await)?;
            for row in rows {
                run.report(table, row, message);
            }
        }
        Ok(())
    }

    async fn verify_history(
        &self,
        run: &mut Run<'_>,
        history: History,
        heads: &[(i64, String)],
    ) -> Result<(), StoreError> {
        let Some((end, _)) = heads.last() else { return Ok(()) };
        let mut heads = heads.iter().peekable();
        let mut chain = Chain::default();
        while chain.count < *end {
            let links = self.links(run, history, chain.count, *end).await?;
            if links.is_empty() {
                let place = format!("{} place {}", name(history), chain.count);
                run.report("chain_links", place, "the row is missing");
                return Ok(());
            }
            for link in links {
                if link.place != Some(chain.count) {
                    let place = format!("{} place {}", name(history), chain.count);
                    run.report("chain_links", place, "the row is missing");
                    return Ok(());
                }
                let Some(text) = &link.text else {
                    run.report(table(history), link.row_name(), "the row is missing");
                    return Ok(());
                };
                chain.add(text);
                let head = heads.next_if(|(count, _)| *count == chain.count);
                if head.is_some_and(|(_, hash)| *hash != chain.hash()) {
                    let message = "the row, or one since the previous entry, differs from the log";
                    run.report(table(history), link.row_name(), message);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    async fn links(
        &self,
        run: &mut Run<'_>,
        history: History,
        from: i64,
        end: i64,
    ) -> Result<Vec<Link>, StoreError> {
        let place = format!("{} from place {from}", name(history));
        match history {
            History::Audit => {
                let rows: Result<Vec<AuditRow>, _> =
                    read!(self, |pool| sqlx::query_as(SELECT_AUDIT_LINKS)
                        .bind(from)
                        .bind(end)
                        .fetch_all(pool)
                        .await);
                let rows = run.readable("audit", place, rows)?;
                Ok(rows.into_iter().map(Link::from).collect())
            }
            History::Flags => {
                let rows: Result<Vec<FlagsRow>, _> =
                    read!(self, |pool| sqlx::query_as(SELECT_FLAGS_LINKS)
                        .bind(from)
                        .bind(end)
                        .fetch_all(pool)
                        .await);
                let rows = run.readable("flag_versions", place, rows)?;
                Ok(rows.into_iter().map(Link::from).collect())
            }
        }
    }
}

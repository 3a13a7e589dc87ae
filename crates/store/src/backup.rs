//! Backups: a copy of everything, in the same format for both engines. So a backup of SQLite can be
//! restored into PostgreSQL, and the reverse.
//!
//! The file is gzip over lines of JSON: a header, then for each table its name and its rows, then
//! an end line with the number of rows, and a seal ([`seal`]). A file without the end line is
//! incomplete.

pub(crate) mod lines;
pub mod move_error;
pub(crate) mod moving;
mod restore_error;
pub(crate) mod seal;

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::TryStreamExt as _;
use musette_core::instant::Instant;
use musette_core::log::entry::{Continuation, ContinuationKind, Entry, V1};
use musette_core::log::key::{Signer, VerifierKey};
use sqlx::{AssertSqlSafe, Connection as _};

use crate::campaigns::PAUSE_ALL;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::{SecretsError, StoreError};
use crate::db::secrets::{LOG_KEY, THE_LOG_KEY, each_secret};
use crate::db::{Db, Engine, Store, modify, read};
use crate::log::append::{INSERT_HEAD, SELECT_KEY};
use crate::log::{
    Event, INSERT_LOG, NewEntry, NewLog, SELECT_IS_EXTENDED, SET_SIGNING_LOG, SigningLog, append,
    corrupt, log_end, log_extended, unlogged,
};
use crate::outbox::{INSERT_HEAD as INSERT_OUTBOX_HEAD, SKIP_NUMBERS};
use crate::terms::turns::INSERT_FUTURE_TURNS;
use crate::webhooks::DISABLE_ALL;
use lines::{Lines, write_line};
pub use restore_error::RestoreError;
use seal::{BackupTrust, Hashed, Seal};

const COUNTERS: Table =
    Table { name: "counters", columns: &[("name", ColumnType::Text), ("value", ColumnType::Int)] };
const HEAD: Table = Table {
    name: "submission_head",
    columns: &[("id", ColumnType::Int), ("next_seq", ColumnType::Int)],
};
const SECRETS: Table =
    Table { name: "secrets", columns: &[("name", ColumnType::Text), ("value", ColumnType::Text)] };

/// The tables in filling order, without data that only running servers need.
pub(crate) const TABLES: &[Table] = &[
    COUNTERS,
    HEAD,
    SECRETS,
    crate::sessions::signing_keys::SIGNING_KEYS,
    crate::terms::documents::DOCUMENTS,
    crate::terms::documents::PARTS,
    crate::log::TERMS,
    crate::log::VARIANTS,
    crate::terms::order::ORDER,
    crate::terms::endings::ENDINGS,
    crate::terms::drafts::DRAFTS,
    crate::decisions::systems::DRAFTS,
    crate::log::SYSTEM_VERSIONS,
    crate::markets::MARKETS,
    crate::people::SUBJECTS,
    crate::people::USERS,
    crate::people::ROLES,
    crate::people::contact::NOTICES,
    crate::sessions::SESSIONS,
    crate::sessions::sign_in::TOTP,
    crate::sessions::identities::IDENTITIES,
    // Before the rows that it orders: only rows without a link are linked again.
    crate::log::LINKS,
    crate::sessions::allowances::KNOWN_BROWSERS,
    crate::audit::AUDIT,
    crate::audit::AUDIT_COUNTS,
    crate::sessions::deliveries::DELIVERIES,
    crate::writer::SUBMISSIONS,
    crate::writer::CONSENTS,
    crate::consents::claims::CLAIMS,
    crate::terms::views::VIEWS,
    crate::notices::receptions::RECEPTIONS,
    crate::notices::openings::OPENINGS,
    crate::notices::push::SUBSCRIPTIONS,
    crate::log::LOGS,
    crate::log::ENTRIES,
    crate::log::TILES,
    crate::log::HEADS,
    crate::log::ML_DSA_KEYS,
    crate::log::TIMESTAMPS,
    crate::log::COSIGNED,
    crate::log::ERASURES,
    crate::decisions::EVALUATIONS,
    crate::decisions::RECORDS,
    crate::decisions::excusals::EXCUSALS,
    crate::decisions::excusals::EXCUSAL_ITEMS,
    crate::decisions::restrictions::RESTRICTIONS,
    crate::decisions::restrictions::RESTRICTION_RECORDS,
    crate::decisions::rules::REVIEW_RULES,
    crate::decisions::replies::REPLIES,
    crate::campaigns::CAMPAIGNS,
    crate::campaigns::passes::PASSES,
    crate::campaigns::messages::MESSAGES,
    crate::campaigns::batches::BATCHES,
    crate::campaigns::proofs::OPT_OUTS,
    crate::log::SEALS,
    crate::writer::IDEMPOTENCY,
    crate::experiments::exposures::SERIES,
    crate::experiments::exposures::EXPOSURES,
    crate::experiments::metrics::METRIC_VALUES,
    crate::experiments::sticky::HEAD,
    crate::experiments::sticky::STICKY,
    crate::flags::ENVIRONMENTS,
    crate::flags::VERSIONS,
    crate::flags::VERSION_OBJECTS,
    crate::flags::NOTICES,
    crate::flags::KEYS,
    crate::service_keys::SERVICE_KEYS,
    crate::approvals::RULES,
    crate::approvals::APPROVALS,
    crate::approvals::EDITORS,
    crate::approvals::proposals::PROPOSALS,
    crate::approvals::independence::ISSUES,
    crate::approvals::notices::NOTICES,
    crate::flags::CHANGES,
    crate::flags::USAGE,
    crate::experiments::decisions::DECISIONS,
    crate::outbox::HEAD,
    crate::outbox::OUTBOX,
    crate::terms::turns::TURNS,
    crate::webhooks::WEBHOOKS,
    crate::webhooks::KEYS,
    crate::webhooks::deliveries::DELIVERIES,
];
/// Deletes the initial rows of a new store: a restored store gets those of the backup.
const DELETE_INITIAL_ROWS: &[&str] = &[
    "DELETE FROM counters",
    "DELETE FROM submission_head",
    "DELETE FROM secrets",
    "DELETE FROM signing_keys",
    "DELETE FROM sticky_head",
    "DELETE FROM flag_environments",
    "DELETE FROM outbox_head",
];
/// Raises all revisions, because the data that running servers serve is replaced.
const RAISE_ALL_REVISIONS: &str = "UPDATE revision SET n = n + 1";
const SELECT_IS_USED: &str = "SELECT EXISTS (SELECT 1 FROM terms) OR EXISTS (SELECT 1 FROM users)
    OR EXISTS (SELECT 1 FROM submissions) OR EXISTS (SELECT 1 FROM flag_versions)
    OR EXISTS (SELECT 1 FROM flag_keys) OR EXISTS (SELECT 1 FROM audit)";

/// Selects the last head of the backed up log, without an empty log that this store started.
const SELECT_LAST_HEAD: &str = "SELECT l.origin, h.checkpoint FROM logs AS l
    JOIN log_heads AS h ON h.log = l.id
    WHERE l.id NOT IN (SELECT log FROM log_key) ORDER BY l.id DESC, h.size DESC LIMIT 1";
const SELECT_NEWEST_LOG: &str = "SELECT max(id) FROM logs";
const SELECT_OWN_LOG: &str = "SELECT log FROM log_key";
/// Ignores the log that the empty store started.
const SELECT_IS_OLD_EXTENDED: &str = "SELECT EXISTS
    (SELECT 1 FROM log_entries WHERE event = 'log.extended' AND log <> $1)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    RAISE_ALL_REVISIONS,
    SELECT_IS_USED,
    SELECT_LAST_HEAD,
    SELECT_NEWEST_LOG,
    SELECT_OWN_LOG,
    SELECT_IS_OLD_EXTENDED,
];

const FORMAT: &str = "musette-backup-2";
/// The format of earlier versions, which had no seal.
const UNSEALED_FORMAT: &str = "musette-backup-1";
/// The first bytes of every backup: the magic number of gzip.
pub const BACKUP_BEGINS: &[u8] = &[0x1f, 0x8b];

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    Format(String),
    Table(String),
    End(u64),
    Seal(Seal),
}

/// The data with which a restored store continues its log in a new one.
pub struct LogContinuation {
    /// The new log. The prefix of its name is replaced by that of the old log.
    pub log: NewLog,
    /// UUIDv7 of the first entry.
    pub entry_id: String,
    /// Time of the restore, at which the new log begins.
    pub now: Instant,
    /// Keys of logs, one of which must have signed the backup; `None` trusts the keys in the file.
    pub trusted: Option<Vec<VerifierKey>>,
}

impl LogContinuation {
    /// Returns the origin of the new log, derived from that of the old one.
    fn origin(&self, old: &str) -> String {
        let prefix = old.rsplit_once('/').map_or(old, |(prefix, _)| prefix);
        format!("{prefix}/{}", self.log.name)
    }

    /// Creates the first entry of the new log, which contains the last head of the old one.
    fn entry(&self, checkpoint: &str, at: Instant) -> Result<NewEntry, StoreError> {
        let entry = Entry::Continuation(Continuation {
            checkpoint: checkpoint.to_owned(),
            id: self.entry_id.clone(),
            kind: ContinuationKind::Continuation,
            recorded_at: at.to_string(),
            v: V1,
        });
        let text = entry.encode().map_err(corrupt)?;
        Ok(NewEntry { event: Event::Continuation, text })
    }
}

/// Starts a new log inside the transaction. Two stores may be restored from one backup, and a log
/// that both sign would fork, so each store continues with its own log.
macro_rules! continue_log {
    ($store:expr, $tx:expr, $new:expr, $old:expr) => {{
        let (origin, checkpoint) = $old;
        let origin = $new.origin(&origin);
        let first = crate::log::start(&origin, &$new.log.seed)?;
        let newest: i64 = sqlx::query_scalar(SELECT_NEWEST_LOG).fetch_one(&mut *$tx).await?;
        let id = $new.now.millis().max(newest + 1);
        sqlx::query(INSERT_LOG).bind(id).bind(&origin).bind(&first.vkey).execute(&mut *$tx).await?;
        let seed = $store.secrets.seal(&LOG_KEY, THE_LOG_KEY, &$new.log.seed);
        let seed = seed.map_err(StoreError::from)?;
        sqlx::query(SET_SIGNING_LOG).bind(id).bind(seed).execute(&mut *$tx).await?;
        sqlx::query(INSERT_HEAD)
            .bind(id)
            .bind(0_i64)
            .bind(-1_i64)
            .bind(&first.checkpoint)
            .execute(&mut *$tx)
            .await?;
        let mut end = log_end!($store, $tx);
        let entry = $new.entry(&checkpoint, end.instant($new.now))?;
        append!($store, $tx, end, &[entry])
    }};
}

fn select(table: &Table, engine: Engine) -> AssertSqlSafe<String> {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|(name, kind)| match (engine, kind) {
            (Engine::Sqlite, ColumnType::Bytes) => format!("hex({name})"),
            (Engine::Postgres, ColumnType::Bytes) => format!("encode({name}, 'hex')"),
            _ => (*name).to_owned(),
        })
        .collect();
    let columns = columns.join(", ");
    let row = match engine {
        Engine::Sqlite => format!("json_array({columns})"),
        Engine::Postgres => format!("json_build_array({columns})::text"),
    };
    // The order by the first column writes a term after the one that it replaces.
    AssertSqlSafe(format!("SELECT {row} FROM {} ORDER BY {}", table.name, table.columns[0].0))
}

/// Returns the statement that begins a transaction that reads everything as of one instant.
fn snapshot(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "BEGIN DEFERRED",
        Engine::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    }
}

/// Bytes of JSON in one statement.
const CHUNK_BYTES: usize = 4 * 1024 * 1024;

fn mark(mark: &Mark) -> String {
    serde_json::to_string(mark).unwrap_or_default()
}

impl Store {
    /// Writes everything as of one instant, while other writes continue, and returns the number of
    /// rows. `progress` gets the number of rows so far.
    pub async fn backup(
        &self,
        out: impl Write,
        mut progress: impl FnMut(u64),
    ) -> Result<u64, StoreError> {
        let engine = self.engine();
        let mut out = Hashed::new(GzEncoder::new(out, Compression::fast()));
        let mut rows = 0;
        let key: Option<SigningLog>;
        write_line(&mut out, &mark(&Mark::Format(FORMAT.into()))).await?;
        let snapshot = snapshot(engine);
        read!(self, |pool| {
            let mut connection = pool.acquire().await?;
            let mut tx = connection.begin_with(snapshot).await?;
            key = sqlx::query_as(SELECT_KEY).fetch_optional(&mut *tx).await?;
            for table in TABLES {
                write_line(&mut out, &mark(&Mark::Table(table.name.into()))).await?;
                let mut lines =
                    sqlx::query_scalar::<_, String>(select(table, engine)).fetch(&mut *tx);
                while let Some(line) = lines.try_next().await? {
                    write_line(&mut out, &line).await?;
                    rows += 1;
                    progress(rows);
                }
            }
        });
        write_line(&mut out, &mark(&Mark::End(rows))).await?;
        let signer = key.and_then(|key| self.backup_signer(key).transpose()).transpose()?;
        let seal = Seal::new(&out.digest(), signer.as_ref(), &self.secrets)?;
        write_line(&mut out, &mark(&Mark::Seal(seal))).await?;
        out.out.finish()?.flush()?;
        Ok(rows)
    }

    /// Returns the signer of a backup; `None` if the log's key is encrypted and this process has no
    /// secrets key, because a backup does not need one.
    fn backup_signer(&self, key: SigningLog) -> Result<Option<Signer>, StoreError> {
        match self.open_log_key(key) {
            Ok(log) => log.signer().map(Some),
            Err(StoreError::Secrets(SecretsError::NoKey)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Fills an empty store, all or nothing, and returns the number of rows. Check the file first:
    /// a flipped bit in a row causes a database error here.
    pub async fn restore(
        &self,
        file: impl Read,
        log: &LogContinuation,
        mut progress: impl FnMut(u64),
    ) -> Result<u64, RestoreError> {
        let engine = self.engine();
        let trust = BackupTrust { secrets: self.secrets.clone(), logs: log.trusted.clone() };
        let mut lines = Lines::open(file, trust)?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_ALL_REVISIONS).execute(&mut *tx).await?;
            if sqlx::query_scalar::<_, bool>(SELECT_IS_USED).fetch_one(&mut *tx).await? {
                return Err(RestoreError::NotEmpty);
            }
            let own: Option<i64> =
                sqlx::query_scalar(SELECT_OWN_LOG).fetch_optional(&mut *tx).await?;
            for statement in DELETE_INITIAL_ROWS {
                sqlx::query(*statement).execute(&mut *tx).await?;
            }
            while let Some((table, chunk)) = lines.next_chunk()? {
                sqlx::query(table.insert(engine)).bind(chunk).execute(&mut *tx).await?;
                progress(lines.rows);
            }
            let old: Option<(String, String)> =
                sqlx::query_as(SELECT_LAST_HEAD).fetch_optional(&mut *tx).await?;
            let old_is_extended: bool = sqlx::query_scalar(SELECT_IS_OLD_EXTENDED)
                .bind(own.unwrap_or(-1))
                .fetch_one(&mut *tx)
                .await?;
            // A backup of an earlier version has no events.
            sqlx::query(INSERT_OUTBOX_HEAD).execute(&mut *tx).await?;
            sqlx::query(SKIP_NUMBERS).execute(&mut *tx).await?;
            sqlx::query(PAUSE_ALL).execute(&mut *tx).await?;
            sqlx::query(DISABLE_ALL).bind(log.now.millis()).execute(&mut *tx).await?;
            for statement in INSERT_FUTURE_TURNS {
                sqlx::query(statement).bind(log.now.millis()).execute(&mut *tx).await?;
            }
            if let Some(old) = old {
                continue_log!(self, tx, log, old);
                if !old_is_extended {
                    let mut end = log_end!(self, tx);
                    let at = end.instant(log.now);
                    let mut entries = unlogged!(tx, true, at);
                    entries.push(log_extended(at)?);
                    append!(self, tx, end, &entries);
                }
            } else if sqlx::query_scalar(SELECT_IS_EXTENDED).fetch_one(&mut *tx).await? {
                // A store that never served may have published terms without log entries: they are
                // added to this log.
                let mut end = log_end!(self, tx);
                let entries = unlogged!(tx, false, end.instant(log.now));
                append!(self, tx, end, &entries);
            }
            // An unreadable secret is reported now and not when it is needed.
            each_secret!(tx, |place, name, value| {
                self.secrets.open(place, &name, &value).map_err(StoreError::from)?;
                None
            });
            tx.commit().await?;
        });
        // Until PostgreSQL collects statistics itself, a minute later, it would plan badly.
        if let Db::Postgres(pools) = &self.db {
            sqlx::query("ANALYZE").execute(&pools.write).await?;
        }
        Ok(lines.rows)
    }
}

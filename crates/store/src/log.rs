//! The evidence log as it is kept: appended to in the transaction of what it is evidence of.
//!
//! The formats and the tree are `musette_core::log`; here is where their bytes are.

pub(crate) mod append;
pub(crate) mod case;
mod endings;
pub(crate) mod events;
mod histories;
mod read;
mod seal;
mod standing;
pub(crate) mod text;
pub(crate) mod verify;

use hex::FromHex as _;
use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::edge::Edge;
use musette_core::log::hash::Hash;
use musette_core::log::key::Signer;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets::{LOG_KEY, THE_LOG_KEY};
use crate::db::{Store, write};

pub use case::{Publication, SignedHead, SubmissionEntry};
pub(crate) use read::subject_key;
pub use read::{ProvenEntry, ReceiptHolder, ReceiptOwner, StoredReceipt};
pub use standing::{LastVerified, NewestEntry};
pub use text::EntryText;
pub use verify::{IntegrityFault, LogVerification};

#[cfg(test)]
pub(crate) use append::{ALL as APPEND_ALL, HEAD};
pub(crate) use append::{
    Appended, ENTRIES, Event, KEEP_HEAD, KEEP_TILE, LOCK, LogEnd, NewEntry, NewEntryRow, append,
    keep_appended, log_end,
};
#[cfg(test)]
pub(crate) use endings::ALL as ENDINGS_ALL;
pub(crate) use endings::{ENDED, EndingRow, endings, term_ended, term_reinstated};
#[cfg(test)]
pub(crate) use events::ALL as EVENTS_ALL;
pub(crate) use events::{
    IS_EXTENDED, IS_STARTED, Published, SEAL, append_if_started, lock_log, log_extended,
    logged_subjects, person_erased, term_published, terms_ordered, unlogged,
};
pub(crate) use histories::LINKS;
#[cfg(test)]
pub(crate) use histories::{ALL as HISTORIES_ALL, LISTS as HISTORIES_LISTS};
#[cfg(test)]
pub(crate) use read::ALL as READ_ALL;
#[cfg(test)]
pub(crate) use seal::document_seal;
pub(crate) use seal::{
    ALL_TERMS, KEEP_SEAL, OF_TERM, TERMS, TermRow, VARIANTS, VariantRow, part_digest,
    seal_of_digests, term_seal,
};
#[cfg(test)]
pub(crate) use standing::ALL as STANDING_ALL;
#[cfg(test)]
pub(crate) use verify::{ALL as VERIFY_ALL, LISTS as VERIFY_LISTS};

pub(crate) const LOGS: Table = Table {
    name: "logs",
    columns: &[("id", ColumnType::Int), ("origin", ColumnType::Text), ("vkey", ColumnType::Text)],
};
pub(crate) const TILES: Table = Table {
    name: "log_tiles",
    columns: &[
        ("log", ColumnType::Int),
        ("level", ColumnType::Int),
        ("idx", ColumnType::Int),
        ("width", ColumnType::Int),
        ("bytes", ColumnType::Bytes),
    ],
};
pub(crate) const HEADS: Table = Table {
    name: "log_heads",
    columns: &[
        ("log", ColumnType::Int),
        ("size", ColumnType::Int),
        ("previous", ColumnType::Int),
        ("checkpoint", ColumnType::Text),
    ],
};
pub(crate) const ERASURES: Table =
    Table { name: "erasures", columns: &[("ref", ColumnType::Text)] };
pub(crate) const SEALS: Table =
    Table { name: "seals", columns: &[("name", ColumnType::Text), ("digest", ColumnType::Text)] };

pub(crate) const CURRENT: &str =
    "SELECT l.id, l.origin, l.vkey FROM log_key AS k JOIN logs AS l ON l.id = k.log";
pub(crate) const START: &str = "INSERT INTO logs (id, origin, vkey) VALUES ($1, $2, $3)";
pub(crate) const SIGN_BY: &str = "INSERT INTO log_key (id, log, seed) VALUES (1, $1, $2)
    ON CONFLICT (id) DO UPDATE SET log = excluded.log, seed = excluded.seed";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[CURRENT, START, SIGN_BY];

/// A log to be started: a name that no other log has, and 32 secret bytes in hex.
#[derive(Clone)]
pub struct NewLog {
    /// Comes before a slash and `name` in the origin.
    pub prefix: String,
    /// Last part of the origin.
    pub name: String,
    /// Seed of the Ed25519 key.
    pub seed: String,
}

/// The log that is signed here.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Log {
    /// Names it in this store.
    pub id: i64,
    /// Name of the log, as its checkpoints bear it (C2SP `tlog-checkpoint`).
    pub origin: String,
    /// Verifier key of the log (C2SP `signed-note`).
    pub vkey: String,
}

impl Log {
    /// The last part of the origin: no two logs have the same.
    pub fn name(&self) -> &str {
        self.origin.rsplit('/').next().unwrap_or_default()
    }
}

/// The first rows of a new log.
pub(crate) struct Start {
    pub(crate) vkey: String,
    pub(crate) checkpoint: String,
}

pub(crate) fn corrupt(what: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt(format!("log: {what}"))
}

/// The stored text as the key that it is.
pub(crate) fn signer(origin: &str, seed: &str) -> Result<Signer, StoreError> {
    let seed = <[u8; 32]>::from_hex(seed).map_err(|_| corrupt("its key"))?;
    Signer::from_seed(origin, &seed).map_err(corrupt)
}

/// The head of a log without entries.
pub(crate) fn start(origin: &str, seed: &str) -> Result<Start, StoreError> {
    let signer = signer(origin, seed)?;
    let head = Checkpoint { origin: origin.to_owned(), size: 0, root: Hash::empty_root() };
    let checkpoint = head.sign(&signer).map_err(corrupt)?.to_string();
    debug_assert_eq!(Edge::default().root(), head.root);
    Ok(Start { vkey: signer.verifier().to_string(), checkpoint })
}

impl Store {
    /// The origin and the seed, as they stand in the store, with the seed as it is.
    pub(crate) fn open_log_key(
        &self,
        (origin, seed): (String, String),
    ) -> Result<(String, String), StoreError> {
        let seed = self.secrets.open(&LOG_KEY, THE_LOG_KEY, &seed)?;
        Ok((origin, seed))
    }

    /// The log of this store; the first to ask starts it, and its origin and key stay.
    pub async fn open_log(&self, new: &NewLog, now: Instant) -> Result<Log, StoreError> {
        let origin = format!("{}/{}", new.prefix, new.name);
        let start = start(&origin, &new.seed)?;
        let seed = self.secrets.seal(&LOG_KEY, THE_LOG_KEY, &new.seed)?;
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            if let Some(log) = sqlx::query_as(CURRENT).fetch_optional(&mut *tx).await? {
                return Ok(log);
            }
            let log = Log { id: now.millis(), origin, vkey: start.vkey };
            sqlx::query(START)
                .bind(log.id)
                .bind(&log.origin)
                .bind(&log.vkey)
                .execute(&mut *tx)
                .await?;
            sqlx::query(SIGN_BY).bind(log.id).bind(seed).execute(&mut *tx).await?;
            sqlx::query(KEEP_HEAD)
                .bind(log.id)
                .bind(0_i64)
                .bind(-1_i64)
                .bind(&start.checkpoint)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(log)
        })
    }
}

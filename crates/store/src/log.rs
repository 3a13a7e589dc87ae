//! Stores the evidence log. Entries are appended in the transaction of the data that they prove.
//!
//! The formats and the tree are in `musette_core::log`; this module stores their bytes.

mod anchors;
pub(crate) mod append;
pub(crate) mod case;
mod cosigned;
mod endings;
pub(crate) mod events;
mod histories;
pub(crate) mod leaf_text;
mod ml_dsa;
mod read;
mod seal;
mod standing;
mod systems;
pub(crate) mod text;
pub(crate) mod verify;

use hex::FromHex as _;
use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::edge::Edge;
use musette_core::log::hash::Hash;
use musette_core::log::key::{Signer, VerifierKey};

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::secrets::{LOG_KEY, THE_LOG_KEY};
use crate::db::{Store, modify};

#[cfg(test)]
pub(crate) use anchors::ALL as ANCHORS_ALL;
pub(crate) use anchors::TIMESTAMPS;
pub use anchors::{LastTimeStamp, NewTimeStamp, StampedHead, StoredTimeStamp, TimeStampRow};
pub use case::{Publication, SignedHead, SubmissionEntry};
#[cfg(test)]
pub(crate) use cosigned::ALL as COSIGNED_ALL;
pub(crate) use cosigned::COSIGNED;
#[cfg(test)]
pub(crate) use ml_dsa::ALL as ML_DSA_ALL;
pub(crate) use ml_dsa::ML_DSA_KEYS;
pub(crate) use read::subject_key;
pub use read::{ProvenEntry, ReceiptHolder, ReceiptOwner, StoredReceipt};
pub use standing::{LastVerified, NewestEntry};
pub use text::EntryText;
pub use verify::{IntegrityError, LogVerification};

#[cfg(test)]
pub(crate) use append::{ALL as APPEND_ALL, SELECT_HEAD};
pub(crate) use append::{
    Appended, ENTRIES, Event, INSERT_HEAD, LOCK, LogEnd, NewEntry, NewEntryRow, UPSERT_TILE,
    append, log_end, named, write_appended,
};
#[cfg(test)]
pub(crate) use endings::ALL as ENDINGS_ALL;
pub(crate) use endings::{EndingRow, SELECT_ENDINGS, endings, term_ended, term_reinstated};
#[cfg(test)]
pub(crate) use events::ALL as EVENTS_ALL;
pub(crate) use events::{
    Published, SELECT_IS_EXTENDED, SELECT_IS_STARTED, SELECT_SEAL, append_if_started, lock_log,
    log_extended, logged_subjects, person_erased, term_published, terms_ordered, unlogged,
};
pub(crate) use histories::LINKS;
#[cfg(test)]
pub(crate) use histories::{ALL as HISTORIES_ALL, LISTS as HISTORIES_LISTS};
#[cfg(test)]
pub(crate) use read::ALL as READ_ALL;
#[cfg(test)]
pub(crate) use seal::document_seal;
pub(crate) use seal::{
    INSERT_SEAL, ORDER_BY_ID, TERMS, TermRow, VARIANTS, VariantRow, WHERE_TERM, part_digest,
    seal_of_digests, term_seal,
};
#[cfg(test)]
pub(crate) use standing::ALL as STANDING_ALL;
#[cfg(test)]
pub(crate) use systems::ALL as SYSTEMS_ALL;
pub(crate) use systems::{
    SELECT_SYSTEM_VERSIONS, SYSTEM_VERSIONS, SystemVersionRow, definition_sha256, system_published,
};
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

pub(crate) const SELECT_CURRENT_LOG: &str = "SELECT l.id, l.origin, l.vkey, m.vkey AS ml_dsa_vkey
    FROM log_key AS k JOIN logs AS l ON l.id = k.log
    LEFT JOIN log_ml_dsa_keys AS m ON m.log = l.id";
pub(crate) const INSERT_LOG: &str = "INSERT INTO logs (id, origin, vkey) VALUES ($1, $2, $3)";
pub(crate) const SET_SIGNING_LOG: &str = "INSERT INTO log_key (id, log, seed) VALUES (1, $1, $2)
    ON CONFLICT (id) DO UPDATE SET log = excluded.log, seed = excluded.seed";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_CURRENT_LOG, INSERT_LOG, SET_SIGNING_LOG];

/// A new log: a name that no other log has, and 32 secret bytes in hex.
#[derive(Clone)]
pub struct NewLog {
    /// First part of the origin, before a slash and `name`.
    pub prefix: String,
    /// Last part of the origin.
    pub name: String,
    /// Seed of the Ed25519 key.
    pub seed: String,
}

/// The log that this store signs.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Log {
    /// ID of the log in this store.
    pub id: i64,
    /// Name of the log, as its checkpoints contain it (C2SP `tlog-checkpoint`).
    pub origin: String,
    /// Verifier key of the log (C2SP `signed-note`), of Ed25519.
    pub vkey: String,
    /// Verifier key of ML-DSA-44, if the log ever signed with one.
    pub ml_dsa_vkey: Option<String>,
}

/// The log that this store signs, with its secret key.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct SigningLog {
    pub(crate) origin: String,
    pub(crate) seed: String,
    /// Whether it signs with ML-DSA-44 too.
    pub(crate) ml_dsa: bool,
}

impl SigningLog {
    pub(crate) fn signer(&self) -> Result<Signer, StoreError> {
        signer(&self.origin, &self.seed)
    }
}

impl Log {
    /// Returns the verifier key lines, Ed25519 first.
    pub fn vkeys(&self) -> impl Iterator<Item = &str> {
        [Some(&*self.vkey), self.ml_dsa_vkey.as_deref()].into_iter().flatten()
    }

    /// Returns the verifier keys without malformed ones, Ed25519 first.
    pub fn keys(&self) -> impl Iterator<Item = VerifierKey> {
        self.vkeys().filter_map(|vkey| VerifierKey::parse(vkey).ok())
    }

    /// Returns the last part of the origin, which is unique for each log.
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

/// Parses the stored seed of a signing key.
fn signer(origin: &str, seed: &str) -> Result<Signer, StoreError> {
    let seed = <[u8; 32]>::from_hex(seed).map_err(|_| corrupt("the signing key is malformed"))?;
    Signer::from_seed(origin, &seed).map_err(corrupt)
}

/// Creates the head of a log without entries.
pub(crate) fn start(origin: &str, seed: &str) -> Result<Start, StoreError> {
    let signer = signer(origin, seed)?;
    let head = Checkpoint { origin: origin.to_owned(), size: 0, root: Hash::empty_root() };
    let checkpoint = head.sign(&signer).map_err(corrupt)?.to_string();
    debug_assert_eq!(Edge::default().root(), head.root);
    Ok(Start { vkey: signer.verifier().to_string(), checkpoint })
}

impl Store {
    /// Decrypts the seed of the log that this store signs.
    pub(crate) fn open_log_key(&self, log: SigningLog) -> Result<SigningLog, StoreError> {
        let seed = self.secrets.open(&LOG_KEY, THE_LOG_KEY, &log.seed)?;
        Ok(SigningLog { seed, ..log })
    }

    /// Returns the log of this store. The first call starts it; its origin and key never change.
    pub async fn open_log(&self, new: &NewLog, now: Instant) -> Result<Log, StoreError> {
        let origin = format!("{}/{}", new.prefix, new.name);
        let start = start(&origin, &new.seed)?;
        let seed = self.secrets.seal(&LOG_KEY, THE_LOG_KEY, &new.seed)?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            if let Some(log) = sqlx::query_as(SELECT_CURRENT_LOG).fetch_optional(&mut *tx).await? {
                return Ok(log);
            }
            let log = Log { id: now.millis(), origin, vkey: start.vkey, ml_dsa_vkey: None };
            sqlx::query(INSERT_LOG)
                .bind(log.id)
                .bind(&log.origin)
                .bind(&log.vkey)
                .execute(&mut *tx)
                .await?;
            sqlx::query(SET_SIGNING_LOG).bind(log.id).bind(seed).execute(&mut *tx).await?;
            sqlx::query(INSERT_HEAD)
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

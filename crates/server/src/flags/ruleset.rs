//! The flag configurations that this node serves. They are in memory, so that an evaluation runs no
//! SQL, and on disk, so that a node can start and serve flags without its database.
//!
//! Evaluation is in `musette_core::flags`; HTTP is in `http::flags`.

mod current;
pub mod diff;
mod disk;
mod follow;
pub mod history;
pub mod keys;
pub mod lists;
pub mod merge;
pub mod new_keys;
pub mod notices;
pub mod reading;
pub mod saving;
pub mod schedule;
pub mod stale;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::{ArcSwap, Guard};
use musette_core::flags::Snapshot;
use musette_core::instant::Instant;
use musette_store::{LiveFlagKey, WaitingChange};
use sha2::Digest as _;
use tokio::sync::watch;

pub use current::CurrentVersion;

/// Returns whether a text is a valid environment name, which is safe in a command line, a URL and a
/// file name.
pub fn is_environment_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// The kind of a key, which determines the flags that it gives access to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// For apps on users' devices: client-visible flags only.
    Client,
    Server,
}

impl KeyKind {
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "client" => Some(Self::Client),
            "server" => Some(Self::Server),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// The access that a flag key gives.
#[derive(Clone)]
pub struct Access {
    /// The id of the key.
    pub id: Arc<str>,
    pub environment: Arc<Environment>,
    pub kind: KeyKind,
    /// Whether the key may request traces, which reveal targeting rules.
    pub debug: bool,
}

/// A configuration that this node serves. Its versions are replaced inside.
pub struct Environment {
    pub name: String,
    current: ArcSwap<CurrentVersion>,
    /// Sends the version that is served.
    pub changes: watch::Sender<u64>,
}

impl Environment {
    fn new(name: &str, current: CurrentVersion) -> Self {
        let changes = watch::Sender::new(current.snapshot.version());
        Self { name: name.to_owned(), current: ArcSwap::from_pointee(current), changes }
    }

    /// Returns the current version for the duration of a request; all evaluations of one request
    /// must use the same one. The guard does not increment a shared reference count, so threads do
    /// not contend for it.
    pub fn current(&self) -> Guard<Arc<CurrentVersion>> {
        self.current.load()
    }

    /// Returns the current version, to be stored.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.load().snapshot)
    }

    fn serve(&self, current: CurrentVersion) {
        let version = current.snapshot.version();
        self.current.store(Arc::new(current));
        self.changes.send_replace(version);
    }
}

struct Key {
    access: Access,
    /// Whether the key was used since its last use was written to the store.
    used: AtomicBool,
}

/// The configurations and keys of one revision of the store; replaced as a whole.
#[derive(Default)]
struct Table {
    revision: i64,
    environments: BTreeMap<String, Arc<Environment>>,
    /// Keys by their SHA-256.
    keys: HashMap<[u8; 32], Key>,
    rows: Vec<LiveFlagKey>,
    waiting: Vec<WaitingChange>,
}

const HASHES_MAX: usize = 256;

thread_local! {
    /// Hashes of valid keys. Few keys are used by nearly all requests, and without a processor
    /// instruction for SHA-256 a
        /// hash costs as much as evaluating five flags. Each request still checks whether the key
        /// is valid.
    static HASHES: RefCell<HashMap<String, [u8; 32]>> = RefCell::default();
}

/// The current keys and their access, for the duration of a request.
pub struct KeysNow(Guard<Arc<Table>>);

impl KeysNow {
    pub fn access(&self, key: &str) -> Option<&Access> {
        let cached = HASHES.with_borrow(|hashes| hashes.get(key).copied());
        let hash = cached.unwrap_or_else(|| sha2::Sha256::digest(key).into());
        let access = self.access_by_hash(&hash)?;
        if cached.is_none() {
            HASHES.with_borrow_mut(|hashes| {
                if hashes.len() >= HASHES_MAX {
                    hashes.clear();
                }
                hashes.insert(key.to_owned(), hash);
            });
        }
        Some(access)
    }

    fn access_by_hash(&self, hash: &[u8; 32]) -> Option<&Access> {
        let key = self.0.keys.get(hash)?;
        if !key.used.load(Ordering::Relaxed) {
            key.used.store(true, Ordering::Relaxed);
        }
        Some(&key.access)
    }
}

pub struct Ruleset {
    table: ArcSwap<Table>,
    /// Serializes loads, so that an older table cannot replace a newer one.
    loading: tokio::sync::Mutex<()>,
    directory: PathBuf,
    /// When the store last confirmed the current versions, in milliseconds since 1970.
    confirmed: AtomicI64,
    /// The revision that this node last reported to the store.
    reported: AtomicI64,
    /// Whether the table is from the disk and this node has not reached its store yet.
    alone: AtomicBool,
    /// Scheduled changes that this node has applied and whose decisions are not recorded yet.
    applied: Mutex<Vec<String>>,
}

impl Ruleset {
    /// Creates an empty ruleset, which stores its copy under `data`.
    pub fn new(data: &Path) -> Self {
        Self {
            table: ArcSwap::default(),
            loading: tokio::sync::Mutex::default(),
            directory: data.join("flags"),
            confirmed: AtomicI64::new(0),
            reported: AtomicI64::new(-1),
            alone: AtomicBool::new(false),
            applied: Mutex::default(),
        }
    }

    /// Returns the current keys, for the duration of a request. The guard does not increment a
    /// shared reference count, so threads do not contend for it.
    pub fn keys(&self) -> KeysNow {
        KeysNow(self.table.load())
    }

    /// Returns the access of a key. None if it does not exist or was revoked. Uses no lock and no
    /// SQL.
    pub fn access(&self, key: &str) -> Option<Access> {
        self.keys().access(key).cloned()
    }

    /// Returns the access of the key with this SHA-256.
    pub fn access_by_hash(&self, hash: &[u8; 32]) -> Option<Access> {
        self.keys().access_by_hash(hash).cloned()
    }

    /// Returns whether the key with this SHA-256 is valid, without counting this as a use.
    pub fn has_key(&self, hash: &[u8; 32]) -> bool {
        self.keys().0.keys.contains_key(hash)
    }

    pub fn environment(&self, name: &str) -> Option<Arc<Environment>> {
        self.table.load().environments.get(name).cloned()
    }

    /// Returns all environments that are served, sorted by name.
    pub fn environments(&self) -> Vec<Arc<Environment>> {
        self.table.load().environments.values().cloned().collect()
    }

    /// Takes the IDs of the scheduled changes that this node has applied since the last call.
    pub fn take_applied(&self) -> Vec<String> {
        std::mem::take(&mut *self.applied.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn revision(&self) -> i64 {
        self.table.load().revision
    }

    /// Returns whether this node has started from its copy on disk and has not reached its store
    /// yet.
    pub fn is_alone(&self) -> bool {
        self.alone.load(Ordering::Relaxed)
    }

    /// Returns the time since the store last confirmed the current versions.
    pub fn stale_for(&self, now: Instant) -> std::time::Duration {
        now.since(Instant::from_millis(self.confirmed.load(Ordering::Relaxed)))
    }
}

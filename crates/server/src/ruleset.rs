//! The configurations of flags as this node serves them: in memory, so that no SQL runs when a flag is
//! evaluated, and on disk, so that a node starts and answers without its database.
//!
//! Not here: evaluation (`musette_core::flags`), HTTP.

mod current;
pub mod diff;
mod disk;
mod follow;
pub mod history;
pub mod keys;
pub mod lists;
pub mod merge;
pub mod new_keys;
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

pub use current::Current;

/// A name that can stand in a command line, an address and a file name.
pub fn is_environment_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.starts_with(|it: char| it.is_ascii_alphanumeric())
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.'))
}

/// A key's kind decides which flags it sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// In an application that people hold in their hands: client-visible flags only.
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
    /// Whether it may see traces, which show rules.
    pub debug: bool,
}

/// One configuration, as long as this node serves it; its versions change inside.
pub struct Environment {
    pub name: String,
    current: ArcSwap<Current>,
    /// The version that is served.
    pub changes: watch::Sender<u64>,
}

impl Environment {
    fn new(name: &str, current: Current) -> Self {
        let changes = watch::Sender::new(current.snapshot.version());
        Self { name: name.to_owned(), current: ArcSwap::from_pointee(current), changes }
    }

    /// All answers of one request come from one of these. For as long as a request is answered: no
    /// two threads that answer count in one place.
    pub fn current(&self) -> Guard<Arc<Current>> {
        self.current.load()
    }

    /// To be kept.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.load().snapshot)
    }

    fn serve(&self, current: Current) {
        let version = current.snapshot.version();
        self.current.store(Arc::new(current));
        self.changes.send_replace(version);
    }
}

struct Key {
    access: Access,
    /// Since it was last written down.
    used: AtomicBool,
}

/// The configurations and keys of one revision of the store; replaced as a whole.
#[derive(Default)]
struct Table {
    revision: i64,
    environments: BTreeMap<String, Arc<Environment>>,
    /// By SHA-256 of the key.
    keys: HashMap<[u8; 32], Key>,
    rows: Vec<LiveFlagKey>,
    waiting: Vec<WaitingChange>,
}

const HASHES_MAX: usize = 256;

thread_local! {
    /// The hashes of keys that open something. A few keys come with every request, and to hash one costs as
    /// much as to evaluate five flags where the processor has no instruction for it. Whether the key still
    /// opens something is asked each time.
    static HASHES: RefCell<HashMap<String, [u8; 32]>> = RefCell::default();
}

/// Keys and what they open, for as long as a request is answered.
pub struct KeysNow(Guard<Arc<Table>>);

impl KeysNow {
    pub fn access(&self, key: &str) -> Option<&Access> {
        let known = HASHES.with_borrow(|hashes| hashes.get(key).copied());
        let hash = known.unwrap_or_else(|| sha2::Sha256::digest(key).into());
        let access = self.access_by_hash(&hash)?;
        if known.is_none() {
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
        let found = self.0.keys.get(hash)?;
        if !found.used.load(Ordering::Relaxed) {
            found.used.store(true, Ordering::Relaxed);
        }
        Some(&found.access)
    }
}

pub struct Ruleset {
    table: ArcSwap<Table>,
    /// One load at a time, or an older one could take the place of a newer one.
    loading: tokio::sync::Mutex<()>,
    directory: PathBuf,
    /// When the store last said what is current, in milliseconds since 1970.
    confirmed: AtomicI64,
    /// The revision that the store last heard that this node serves.
    reported: AtomicI64,
    /// Served from disk, and no store has been seen yet.
    alone: AtomicBool,
    /// The scheduled changes that this node applied and whose decisions it has not recorded yet.
    applied: Mutex<Vec<String>>,
}

impl Ruleset {
    /// Serves nothing yet; what it serves is kept under `data`.
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

    /// The keys as they are now. For as long as a request is answered: no two threads that answer
    /// count in one place.
    pub fn keys(&self) -> KeysNow {
        KeysNow(self.table.load())
    }

    /// The access of this key; none for a key that nobody has or that was revoked. No lock, no SQL.
    pub fn access(&self, key: &str) -> Option<Access> {
        self.keys().access(key).cloned()
    }

    /// The access of the key with this SHA-256.
    pub fn access_by_hash(&self, hash: &[u8; 32]) -> Option<Access> {
        self.keys().access_by_hash(hash).cloned()
    }

    /// Whether the key with this SHA-256 opens anything; it does not count as used by that.
    pub fn has_key(&self, hash: &[u8; 32]) -> bool {
        self.keys().0.keys.contains_key(hash)
    }

    pub fn environment(&self, name: &str) -> Option<Arc<Environment>> {
        self.table.load().environments.get(name).cloned()
    }

    /// Every environment that is served, by name.
    pub fn environments(&self) -> Vec<Arc<Environment>> {
        self.table.load().environments.values().cloned().collect()
    }

    /// The ids of the scheduled changes that this node applied since it was asked.
    pub fn take_applied(&self) -> Vec<String> {
        std::mem::take(&mut *self.applied.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn revision(&self) -> i64 {
        self.table.load().revision
    }

    /// Whether this node started from what was on disk and has not seen its store yet.
    pub fn is_alone(&self) -> bool {
        self.alone.load(Ordering::Relaxed)
    }

    /// For how long nobody could say whether what is served is still current.
    pub fn stale_for(&self, now: Instant) -> std::time::Duration {
        now.since(Instant::from_millis(self.confirmed.load(Ordering::Relaxed)))
    }
}

//! The lists of flags that clients request, resolved in one version of a configuration. All phones
//! with one version of an app request the same list, so there are few lists, and a list need not be
//! parsed, resolved and hashed for each request.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use arc_swap::{ArcSwap, Guard};
use musette_core::flags::{FlagId, Selection, Snapshot};

use super::KeyKind;

/// The number of lists that are cached; each app, and each version of it, may have a different one.
const LISTS_MAX: usize = 32;
/// Longer lists are resolved for each request.
const TEXT_BYTES_MAX: usize = 16 * 1024;
/// The number of hashes of lists that were requested once. A list is cached with its second
/// request, so a client that invents lists does not evict others.
const SEEN_HASHES: usize = 64;

pub enum Item {
    Flag(FlagId),
    /// The key of a flag that does not exist, or that this kind of key does not give access to.
    Unknown(Box<str>),
}

pub struct List {
    /// The JSON of the list as it occurs in requests; empty for all flags.
    text: Box<str>,
    kind: KeyKind,
    pub items: Vec<Item>,
    pub selection: Selection,
    /// The hash of the keys in their order.
    pub hash: u64,
}

impl List {
    fn new(snapshot: &Snapshot, kind: KeyKind, text: &str, items: Vec<Item>, hash: u64) -> Self {
        let selection = snapshot.selection(items.iter().filter_map(Item::flag));
        Self { text: text.into(), kind, items, selection, hash }
    }

    pub fn flags(&self) -> impl Iterator<Item = FlagId> + '_ {
        self.items.iter().filter_map(Item::flag)
    }
}

impl Item {
    fn flag(&self) -> Option<FlagId> {
        match self {
            Self::Flag(flag) => Some(*flag),
            Self::Unknown(_) => None,
        }
    }
}

/// The lists that are cached now.
pub struct KnownLists(Guard<Arc<Vec<Arc<List>>>>);

impl KnownLists {
    /// Returns the cached list at the start of this JSON, and its length.
    pub fn at_start_of(&self, json: &str, kind: KeyKind) -> Option<(&List, usize)> {
        let matches = |list: &&Arc<List>| list.kind == kind && json.starts_with(&*list.text);
        let list = self.0.iter().find(matches)?;
        Some((list, list.text.len()))
    }
}

/// The lists of one version of a configuration.
pub struct Lists {
    known: ArcSwap<Vec<Arc<List>>>,
    next: AtomicUsize,
    seen: [AtomicU64; SEEN_HASHES],
    all: [OnceLock<Arc<List>>; 2],
    /// The selection of each single flag, by flag.
    alone: Box<[OnceLock<Box<Selection>>]>,
}

impl Lists {
    pub fn new(snapshot: &Snapshot) -> Self {
        Self {
            known: ArcSwap::default(),
            next: AtomicUsize::new(0),
            seen: [const { AtomicU64::new(0) }; SEEN_HASHES],
            all: [OnceLock::new(), OnceLock::new()],
            alone: snapshot.flags().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns the cached lists.
    pub fn known(&self) -> KnownLists {
        KnownLists(self.known.load())
    }

    /// Resolves a list of unique keys, and caches it if it was requested before. `text` is its
    /// JSON.
    pub fn resolve(
        &self,
        snapshot: &Snapshot,
        kind: KeyKind,
        text: &str,
        keys: &[impl AsRef<str>],
    ) -> Arc<List> {
        let mut hasher = DefaultHasher::new();
        let items = keys.iter().map(|key| {
            let key = key.as_ref();
            key.hash(&mut hasher);
            let visible = snapshot.flag(key).filter(|flag| is_visible(snapshot, *flag, kind));
            visible.map_or_else(|| Item::Unknown(key.into()), Item::Flag)
        });
        let items = items.collect();
        let list = Arc::new(List::new(snapshot, kind, text, items, hasher.finish()));
        // Only an array has an unambiguous end, whatever follows it in the request.
        if text.starts_with('[') && text.len() <= TEXT_BYTES_MAX && self.was_seen(text, kind) {
            self.remember(&list);
        }
        list
    }

    /// Returns the list of all flags that a key of this kind gives access to.
    pub fn all(&self, snapshot: &Snapshot, kind: KeyKind) -> &Arc<List> {
        let [client, server] = &self.all;
        let place = if kind == KeyKind::Client { client } else { server };
        place.get_or_init(|| {
            let visible = snapshot.flags().filter(|flag| is_visible(snapshot, *flag, kind));
            Arc::new(List::new(snapshot, kind, "", visible.map(Item::Flag).collect(), 0))
        })
    }

    /// Returns the selection of a single flag.
    pub fn alone(&self, snapshot: &Snapshot, flag: FlagId) -> &Selection {
        self.alone[flag.index()].get_or_init(|| Box::new(snapshot.selection([flag])))
    }

    fn was_seen(&self, text: &str, kind: KeyKind) -> bool {
        let mut hasher = DefaultHasher::new();
        (text, kind).hash(&mut hasher);
        let hash = hasher.finish();
        self.seen[hash as usize % SEEN_HASHES].swap(hash, Ordering::Relaxed) == hash
    }

    fn remember(&self, list: &Arc<List>) {
        self.known.rcu(|lists| {
            let mut lists = Vec::clone(lists);
            if lists.iter().any(|other| other.kind == list.kind && other.text == list.text) {
                return lists;
            }
            if lists.len() < LISTS_MAX {
                lists.push(Arc::clone(list));
            } else {
                let place = self.next.fetch_add(1, Ordering::Relaxed) % LISTS_MAX;
                lists[place] = Arc::clone(list);
            }
            lists
        });
    }
}

/// Returns whether a key of this kind may see the flag. A client key must not reveal that other
/// flags exist.
pub fn is_visible(snapshot: &Snapshot, flag: FlagId, kind: KeyKind) -> bool {
    kind == KeyKind::Server || snapshot.client_visible(flag)
}

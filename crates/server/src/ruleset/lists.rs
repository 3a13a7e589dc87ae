//! The lists of flags that are asked for, resolved in one version of a configuration. Every rider's
//! phone asks for the list that the application was built with, so that there are few of them, and
//! a list need not be read, looked up and hashed for each request.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use arc_swap::{ArcSwap, Guard};
use musette_core::flags::{FlagId, Selection, Snapshot};

use super::KeyKind;

/// Applications, and versions of them, that ask for lists of their own.
const LISTS_MAX: usize = 32;
/// Longer ones are resolved for each request.
const TEXT_BYTES_MAX: usize = 16 * 1024;
/// Lists that were seen once, by hash: whoever makes up a new one for each request crowds out nobody.
const SEEN_ONCE: usize = 64;

pub enum Item {
    Flag(FlagId),
    /// Its key: there is no such flag, or none that this kind of key sees.
    Unknown(Box<str>),
}

pub struct List {
    /// The JSON of the list as requests have it; empty for all flags.
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

/// Lists as they are known now.
pub struct KnownLists(Guard<Arc<Vec<Arc<List>>>>);

impl KnownLists {
    /// The list that stands at the beginning of this JSON, and how long it is.
    pub fn at_start_of(&self, json: &str, kind: KeyKind) -> Option<(&List, usize)> {
        let is_it = |it: &&Arc<List>| it.kind == kind && json.starts_with(&*it.text);
        let list = self.0.iter().find(is_it)?;
        Some((list, list.text.len()))
    }
}

/// The lists of one version of a configuration.
pub struct Lists {
    known: ArcSwap<Vec<Arc<List>>>,
    next: AtomicUsize,
    seen: [AtomicU64; SEEN_ONCE],
    all: [OnceLock<Arc<List>>; 2],
    /// By flag.
    alone: Box<[OnceLock<Box<Selection>>]>,
}

impl Lists {
    pub fn new(snapshot: &Snapshot) -> Self {
        Self {
            known: ArcSwap::default(),
            next: AtomicUsize::new(0),
            seen: [const { AtomicU64::new(0) }; SEEN_ONCE],
            all: [OnceLock::new(), OnceLock::new()],
            alone: snapshot.flags().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The lists that were asked for before.
    pub fn known(&self) -> KnownLists {
        KnownLists(self.known.load())
    }

    /// A list of these keys, each once, that stands so in a request.
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
            let found = snapshot.flag(key).filter(|flag| is_visible(snapshot, *flag, kind));
            found.map_or_else(|| Item::Unknown(key.into()), Item::Flag)
        });
        let items = items.collect();
        let list = Arc::new(List::new(snapshot, kind, text, items, hasher.finish()));
        // An array ends where it ends, whatever follows.
        if text.starts_with('[') && text.len() <= TEXT_BYTES_MAX && self.was_seen(text, kind) {
            self.remember(&list);
        }
        list
    }

    /// Every flag that a key of this kind sees.
    pub fn all(&self, snapshot: &Snapshot, kind: KeyKind) -> &Arc<List> {
        let [client, server] = &self.all;
        let place = if kind == KeyKind::Client { client } else { server };
        place.get_or_init(|| {
            let visible = snapshot.flags().filter(|flag| is_visible(snapshot, *flag, kind));
            Arc::new(List::new(snapshot, kind, "", visible.map(Item::Flag).collect(), 0))
        })
    }

    /// One flag by itself.
    pub fn alone(&self, snapshot: &Snapshot, flag: FlagId) -> &Selection {
        self.alone[flag.index()].get_or_init(|| Box::new(snapshot.selection([flag])))
    }

    fn was_seen(&self, text: &str, kind: KeyKind) -> bool {
        let mut hasher = DefaultHasher::new();
        (text, kind).hash(&mut hasher);
        let hash = hasher.finish();
        self.seen[hash as usize % SEEN_ONCE].swap(hash, Ordering::Relaxed) == hash
    }

    fn remember(&self, list: &Arc<List>) {
        self.known.rcu(|known| {
            let mut known = Vec::clone(known);
            if known.iter().any(|it| it.kind == list.kind && it.text == list.text) {
                return known;
            }
            if known.len() < LISTS_MAX {
                known.push(Arc::clone(list));
            } else {
                let place = self.next.fetch_add(1, Ordering::Relaxed) % LISTS_MAX;
                known[place] = Arc::clone(list);
            }
            known
        });
    }
}

/// A client's key does not even learn that there is a flag that it may not see.
pub fn is_visible(snapshot: &Snapshot, flag: FlagId, kind: KeyKind) -> bool {
    kind == KeyKind::Server || snapshot.client_visible(flag)
}

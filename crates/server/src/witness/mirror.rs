//! A mirror (C2SP `tlog-mirror`): a copy of whole logs, whose entries are proved to belong to a
//! checkpoint that the witness signed.
//!
//! The mirror signs with other keys than the witness. Its cosignature also states that it has stored
//! every entry.

mod storage;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwapOption;
use axum::http::StatusCode;
use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::cosignature::{Cosigner, CosignerKey};
use musette_core::log::edge::Edge;
use musette_core::log::frontier::Frontier;
use musette_core::log::hash::Hash;
use musette_core::log::mirror::{Package, Range, Upload};
use musette_core::log::note::{Note, NoteSignature};
use musette_core::log::subtree::Subtree;
use musette_core::log::tile::{self, Resource, WIDTH, encode_entries};

use tokio::sync::{Semaphore, SemaphorePermit};

use super::keys::{KeyFile, Keys};
use super::state::State;
use super::{Reply, WitnessError, cosign_note, lock_directory};
use crate::platform::random::sha256_hex;
use storage::Storage;

/// Entries that a client may send although they are stored. More would be wasted work.
const EXCESS_MAX: u64 = 65_536;
/// Uploads at the same time. Each needs up to the largest package, 16 MiB, of memory.
const UPLOADS_MAX: usize = 8;
const MIRROR_INFO: &str = "text/x.tlog.mirror-info";

/// The copies of all logs of a witness.
pub struct Mirror {
    cosigners: [Cosigner; 2],
    logs: HashMap<String, Arc<MirroredLog>>,
    /// By origin hash.
    served: HashMap<String, Arc<MirroredLog>>,
    uploads: Semaphore,
    /// Held, so that no second process writes to the copies.
    _lock: File,
}

/// The copy of one log.
pub struct MirroredLog {
    own_keys: Vec<CosignerKey>,
    storage: Storage,
    work: Mutex<Work>,
    served: Arc<ArcSwapOption<String>>,
}

struct Work {
    /// The last checkpoint of which all entries are stored.
    state: State,
    edge: Edge,
    /// Index after the last entry that is stored.
    next: u64,
}

/// A checkpoint to which entries may be uploaded, with the log's signatures.
#[derive(Clone)]
pub struct Pending {
    pub checkpoint: Checkpoint,
    pub note: Note,
}

impl Pending {
    /// Reads a cosigned note without the lines of these cosigners.
    pub fn read(text: &str, cosigners: &[CosignerKey]) -> Option<Self> {
        let note = Note::parse(text).ok()?;
        let checkpoint = Checkpoint::parse_any_origin(note.text()).ok()?;
        let is_own = |line: &&NoteSignature| cosigners.iter().any(|cosigner| cosigner.is_of(line));
        let others = note.signatures().iter().filter(|line| !is_own(line)).cloned();
        let note = others.fold(Note::new(note.text().to_owned()).ok()?, Note::with_signature);
        Some(Self { checkpoint, note })
    }
}

impl Mirror {
    /// Opens the copies in `directory`. The keys are in the data directory of the witness.
    pub fn open(
        directory: &Path,
        data: &Path,
        name: &str,
        origins: impl Iterator<Item = String>,
        accept_restored: bool,
    ) -> Result<Self, WitnessError> {
        // Both have a folder with the states of the logs.
        if directory.canonicalize().ok().is_some_and(|path| data.canonicalize().ok() == Some(path))
        {
            return Err(WitnessError::SameDirectory);
        }
        let lock = lock_directory(directory)?;
        let keys = Keys::read_or_create(data, KeyFile::Mirror, &format!("{name}/mirror"))?;
        let cosigners = keys.cosigners()?;
        let own_keys: Vec<CosignerKey> =
            cosigners.iter().map(|cosigner| cosigner.verifier().clone()).collect();
        let uploads = Semaphore::new(UPLOADS_MAX);
        let mut mirror =
            Self { cosigners, logs: HashMap::new(), served: HashMap::new(), uploads, _lock: lock };
        let mut is_copy = keys.is_copy;
        for origin in origins {
            let hash = sha256_hex(origin.as_bytes());
            let mut state = State::read(directory, &origin, &hash, &own_keys)?;
            is_copy |= state.is_copy;
            if state.is_copy && accept_restored {
                state.accept_copy()?;
            }
            let storage = Storage::new(directory.join("copies").join(&hash));
            let log = MirroredLog::open(storage, state, own_keys.clone());
            let log = log.map_err(|error| WitnessError::File(directory.to_owned(), error))?;
            let log = Arc::new(log);
            mirror.served.insert(hash, Arc::clone(&log));
            mirror.logs.insert(origin, log);
        }
        if is_copy && !accept_restored {
            return Err(WitnessError::Restored(directory.to_owned()));
        }
        if is_copy {
            keys.write(data)?;
        }
        Ok(mirror)
    }

    /// Returns a place for an upload, or `None` if all are taken.
    pub fn place_for_upload(&self) -> Option<SemaphorePermit<'_>> {
        self.uploads.try_acquire().ok()
    }

    /// Returns the copy of the log with this origin.
    pub fn log(&self, origin: &str) -> Option<&Arc<MirroredLog>> {
        self.logs.get(origin)
    }

    /// Returns the copy with this origin hash.
    pub fn served(&self, origin_hash: &str) -> Option<&Arc<MirroredLog>> {
        self.served.get(origin_hash)
    }

    /// Makes `pending` the checkpoint of the copy, of which all entries must be stored, and returns
    /// the cosignatures of the mirror.
    pub fn complete(&self, log: &MirroredLog, pending: &Pending, now: Instant) -> Reply {
        let mut work = log.lock();
        let size = pending.checkpoint.size;
        if size < work.size() {
            return work.info(StatusCode::CONFLICT, work.size());
        }
        match self.commit(log, &mut work, pending, now) {
            Ok(body) => Reply { status: StatusCode::OK, media_type: super::TEXT, body },
            Err(error) => {
                let origin = &pending.checkpoint.origin;
                tracing::error!(origin, error = %error, "a mirror could not store a checkpoint");
                let text = "the mirror cannot store the checkpoint at the moment";
                Reply::text(StatusCode::SERVICE_UNAVAILABLE, text)
            }
        }
    }

    fn commit(
        &self,
        log: &MirroredLog,
        work: &mut Work,
        pending: &Pending,
        now: Instant,
    ) -> Result<String, WitnessError> {
        let checkpoint = &pending.checkpoint;
        let unreadable = |error| WitnessError::File("mirror".into(), error);
        let edge = log.grown_edge(&work.edge, checkpoint.size).map_err(unreadable)?;
        if edge.root() != checkpoint.root {
            // Each package was proved, so the files on disk have changed since.
            let why = "the stored entries do not have the root of the checkpoint".to_owned();
            return Err(WitnessError::Damaged("mirror".into(), why));
        }
        let (note, lines) = cosign_note(&pending.note, &self.cosigners, now)?;
        work.state.advance(checkpoint.clone(), &note)?;
        work.edge = edge;
        Ok(lines)
    }
}

impl MirroredLog {
    fn open(storage: Storage, state: State, own_keys: Vec<CosignerKey>) -> io::Result<Self> {
        let size = state.last().map_or(0, |last| last.size);
        let edge = Edge::restore(size, |tile| {
            let bytes = storage.resource(Resource::Hashes(tile))?;
            bytes.ok_or_else(|| io::Error::other("a tile of the mirror is missing"))
        });
        let edge = edge.map_err(|error| io::Error::other(error.to_string()))?;
        let next = storage.next_entry(size)?;
        let served = state.served();
        Ok(Self { own_keys, storage, work: Mutex::new(Work { state, edge, next }), served })
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the checkpoint note of the copy.
    pub fn checkpoint(&self) -> Option<Arc<String>> {
        self.served.load_full()
    }

    /// Returns the size of the copy's checkpoint, if there is one, and the index after the last stored
    /// entry.
    pub fn progress(&self) -> (Option<u64>, u64) {
        let work = self.lock();
        (work.state.last().map(|last| last.size), work.next)
    }

    /// Returns a bundle or tile of the copy's checkpoint.
    pub fn resource(&self, resource: Resource) -> io::Result<Option<Vec<u8>>> {
        let size = self.lock().size();
        let tile = match resource {
            Resource::Hashes(tile) => tile,
            Resource::Entries { index, width } => tile::Tile { level: 0, index, width },
        };
        if tile.is_within(size) { self.storage.resource(resource) } else { Ok(None) }
    }

    /// Checks the head of an upload against the known checkpoints, of which the last is the current
    /// one, and returns the one that the upload names.
    pub fn check(&self, upload: &Upload, known: &[Pending]) -> Result<Pending, Reply> {
        let work = self.lock();
        let Some(current) = known.last() else {
            let text = "the mirror has no checkpoint of this log: send it to /add-checkpoint first";
            return Err(Reply::text(StatusCode::UNPROCESSABLE_ENTITY, text));
        };
        let conflict = |size| work.info(StatusCode::CONFLICT, size);
        let own = self.checkpoint().and_then(|note| Pending::read(&note, &self.own_keys));
        let mut candidates = known.iter().rev().chain(own.as_ref());
        let pending = candidates.find(|pending| pending.checkpoint.size == upload.end);
        let pending = pending.filter(|_| upload.end >= work.size());
        let pending = pending.ok_or_else(|| conflict(current.checkpoint.size))?;
        let excess = upload.end.min(work.next).saturating_sub(upload.start);
        if upload.start > work.next || excess > EXCESS_MAX {
            return Err(conflict(upload.end));
        }
        Ok(pending.clone())
    }

    /// Returns the answer to an upload of which not all packages came.
    pub fn accepted(&self, upload_end: u64) -> Reply {
        self.lock().info(StatusCode::ACCEPTED, upload_end)
    }

    /// Verifies a package and stores its entries.
    pub fn add_package(
        &self,
        range: Range,
        package: &Package<'_>,
        checkpoint: &Checkpoint,
    ) -> Result<(), Reply> {
        let unprocessable = |why: String| Reply::text(StatusCode::UNPROCESSABLE_ENTITY, why);
        let failed = |error: io::Error| {
            tracing::error!(origin = checkpoint.origin, error = %error, "a mirror could not store entries");
            let text = "the mirror cannot store entries at the moment";
            Reply::text(StatusCode::SERVICE_UNAVAILABLE, text)
        };
        let mut work = self.lock();
        let index = range.subtree_start / u64::from(WIDTH);
        let before = (range.start - range.subtree_start) as u16;
        let stored = self.storage.entries(index, before).map_err(failed)?;
        let mut entries = stored.ok_or_else(|| failed(io::Error::other("a bundle is missing")))?;
        entries.extend(package.entries.iter().map(|entry| entry.to_vec()));
        let mut tree = Frontier::default();
        entries.iter().for_each(|entry| tree.append(Hash::leaf(entry)));
        let subtree = Subtree::new(range.subtree_start, range.end);
        let subtree = subtree.ok_or_else(|| unprocessable("the package is not aligned".into()))?;
        subtree
            .verify(tree.root(), checkpoint.size, checkpoint.root, &package.proof)
            .map_err(|error| unprocessable(error.to_string()))?;
        if range.end > work.next {
            let width = entries.len() as u16;
            let bundle =
                encode_entries(&entries).map_err(|error| failed(io::Error::other(error)))?;
            self.storage.write(Resource::Entries { index, width }, &bundle).map_err(failed)?;
            work.next = range.end;
        }
        Ok(())
    }

    /// Returns the edge of the first `size` entries, and stores the tiles of that tree.
    fn grown_edge(&self, edge: &Edge, size: u64) -> io::Result<Edge> {
        let mut edge = edge.clone();
        while edge.size() < size {
            let index = edge.size() / u64::from(WIDTH);
            let skipped = (edge.size() % u64::from(WIDTH)) as usize;
            let width = (size - index * u64::from(WIDTH)).min(u64::from(WIDTH)) as u16;
            let entries = self.storage.entries(index, width)?;
            let entries = entries.ok_or_else(|| io::Error::other("a bundle is missing"))?;
            let growth = edge.append(entries[skipped..].iter().map(|entry| Hash::leaf(entry)));
            // Partial tiles of sizes in between belong to no checkpoint.
            for (tile, bytes) in growth.tiles(&edge).filter(|(tile, _)| tile.is_full()) {
                self.storage.write(Resource::Hashes(tile), &bytes)?;
            }
        }
        for tile in tile::partial(size) {
            let bytes = edge.open_tile(tile.level).unwrap_or_default();
            self.storage.write(Resource::Hashes(tile), &bytes)?;
        }
        Ok(edge)
    }
}

impl Work {
    fn size(&self) -> u64 {
        self.state.last().map_or(0, |last| last.size)
    }

    /// Returns the three lines with which a client continues. The ticket is empty: the mirror itself
    /// remembers the last checkpoints.
    fn info(&self, status: StatusCode, pending_size: u64) -> Reply {
        let body = format!("{pending_size}\n{}\n\n", self.next);
        Reply { status, media_type: MIRROR_INFO, body }
    }
}

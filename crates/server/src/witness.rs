//! A witness of transparency logs (C2SP `tlog-witness`): it signs each checkpoint of a log that
//! extends the last one it signed, and never two that contradict each other.
//!
//! The rules are in `musette_core::log::witness`. This module has the keys and the state, and
//! `http::witness` the interface. It does not use the store of the server.

mod durable;
pub mod keys;
pub mod logs;
pub mod mirror;
pub mod pull;
mod state;

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use axum::http::StatusCode;
use metrics::{counter, gauge};
use musette_core::instant::Instant;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::cosignature::{Cosigner, CosignerKey};
use musette_core::log::key::VerifierKey;
use musette_core::log::note::{Note, NoteSignature};
use musette_core::log::witness::{AddCheckpoint, Refusal};
use rustix::fs::FlockOperation;

use crate::platform::private_files;
use crate::platform::random::sha256_hex;
use durable::WriteError;
use keys::{KeyFile, Keys};
use logs::Logs;
use mirror::Pending;
use state::State;

/// The reason why a witness cannot start or cannot sign.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    #[error("--name: a name has 1 to 255 bytes, without spaces, plus signs or control characters")]
    Name,
    #[error("--name: the keys in --data belong to {stored}; the name of a witness cannot change")]
    OtherName { stored: String },
    #[error(
        "--data {}: there are states of logs, but no keys: restore the file 'keys', or use an empty directory",
        .0.display()
    )]
    KeysMissing(PathBuf),
    #[error("--data {}: this is the data directory of a server: use a separate directory", .0.display())]
    OfServer(PathBuf),
    #[error("{}: another witness uses this directory", .0.display())]
    InUse(PathBuf),
    #[error("--mirror is the same directory as --data: use a separate directory")]
    SameDirectory,
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    #[error("{}: the file is damaged: {}", .0.display(), .1)]
    Damaged(PathBuf, String),
    #[error(
        "--data {}: this directory was restored or copied, so a newer checkpoint may have been cosigned: see docs/witness.md, and then start once with --accept-restored",
        .0.display()
    )]
    Restored(PathBuf),
    #[error("{}: {}", .0.display(), .1)]
    Write(PathBuf, #[source] WriteError),
    #[error("{}: a previous write failed: restart the witness when the disk works again", .0.display())]
    Uncertain(PathBuf),
    #[error("the clock of this machine is not set")]
    Clock,
    #[error(transparent)]
    Sign(#[from] musette_core::log::cosignature::CosignatureError),
    #[error(transparent)]
    Note(#[from] musette_core::log::note::NoteError),
}

/// A witness with its keys and the states of its logs.
pub struct Witness {
    cosigners: [Cosigner; 2],
    /// By origin.
    logs: HashMap<String, WatchedLog>,
    /// The notes to serve, by origin hash.
    served: HashMap<String, Arc<ArcSwapOption<String>>>,
    /// Held, so that no second process signs with the same keys.
    _lock: File,
}

struct WatchedLog {
    keys: Vec<VerifierKey>,
    state: Mutex<State>,
    /// The last cosigned checkpoints, the newest last. Entries may be uploaded to each of them.
    recent: Mutex<VecDeque<Pending>>,
}

/// A client that uploads entries to a mirror may be as many checkpoints behind.
const RECENT_MAX: usize = 16;

/// A response to `add-checkpoint`.
pub struct Reply {
    pub status: StatusCode,
    pub media_type: &'static str,
    pub body: String,
}

/// The media type of cosignatures, checkpoints and error messages.
pub const TEXT: &str = "text/plain; charset=utf-8";
const TREE_SIZE: &str = "text/x.tlog.size";

impl Reply {
    /// Creates a response with one line of text.
    pub fn text(status: StatusCode, text: impl std::fmt::Display) -> Self {
        Self { status, media_type: TEXT, body: format!("{text}\n") }
    }
}

impl Witness {
    /// Opens the data directory, and creates the keys at the first start.
    pub fn open(
        directory: &Path,
        name: &str,
        logs: Logs,
        accept_restored: bool,
    ) -> Result<Self, WitnessError> {
        let lock = lock_directory(directory)?;
        let keys = Keys::read_or_create(directory, KeyFile::Witness, name)?;
        let cosigners = keys.cosigners()?;
        let own_keys: Vec<CosignerKey> =
            cosigners.iter().map(|cosigner| cosigner.verifier().clone()).collect();
        let mut states = Vec::new();
        for (origin, keys) in logs {
            let hash = sha256_hex(origin.as_bytes());
            let state = State::read(directory, &origin, &hash, &own_keys)?;
            states.push((origin, hash, keys, state));
        }
        let is_copy = keys.is_copy || states.iter().any(|(_, _, _, state)| state.is_copy);
        if is_copy && !accept_restored {
            return Err(WitnessError::Restored(directory.to_owned()));
        }
        if is_copy {
            tracing::warn!(data = %directory.display(), "the witness continues with a restored data directory, as --accept-restored demands");
            for (_, _, _, state) in &mut states {
                state.accept_copy()?;
            }
            // Last: a kill before this leaves a directory that still counts as restored.
            keys.write(directory)?;
        }
        let mut witness =
            Self { cosigners, logs: HashMap::new(), served: HashMap::new(), _lock: lock };
        for (origin, hash, keys, state) in states {
            set_size_gauge(&origin, &state);
            witness.served.insert(hash, state.served());
            let last = state.served().load_full();
            let recent =
                last.and_then(|note| Pending::read(&note, &own_keys)).into_iter().collect();
            let (state, recent) = (Mutex::new(state), Mutex::new(recent));
            witness.logs.insert(origin, WatchedLog { keys, state, recent });
        }
        Ok(witness)
    }

    /// Answers `add-checkpoint`. It writes to the disk and must run on a thread that may block.
    pub fn add_checkpoint(&self, body: &[u8], now: Instant) -> Reply {
        let request = match AddCheckpoint::parse(body) {
            Ok(request) => request,
            Err(error) => return Reply::text(StatusCode::BAD_REQUEST, error),
        };
        let Some(log) = self.logs.get(&request.checkpoint.origin) else {
            let text = "this witness does not know the origin of the checkpoint";
            return Reply::text(StatusCode::NOT_FOUND, text);
        };
        // Held until the new state is on disk, so that of two requests for one size one wins. If a
        // thread panicked, nothing that it signed was answered.
        let mut state = log.state.lock().unwrap_or_else(PoisonError::into_inner);
        let signatures = match request.check(&log.keys, state.last()) {
            Ok(signatures) => signatures,
            Err(refusal) => return refusal_reply(&request, &refusal, &state),
        };
        match self.cosign(&request, signatures, &mut state, now) {
            Ok((body, pending)) => {
                log.remember(pending);
                Reply { status: StatusCode::OK, media_type: TEXT, body }
            }
            Err(error) => {
                tracing::error!(origin = request.checkpoint.origin, error = %error, "a checkpoint could not be cosigned");
                let text = "the witness cannot sign at the moment";
                Reply::text(StatusCode::SERVICE_UNAVAILABLE, text)
            }
        }
    }

    /// Signs a checkpoint that was checked, writes it to disk, and returns the cosignature lines.
    fn cosign(
        &self,
        request: &AddCheckpoint,
        signatures: Vec<NoteSignature>,
        state: &mut State,
        now: Instant,
    ) -> Result<(String, Pending), WitnessError> {
        let unsigned = Note::new(request.note.text().to_owned())?;
        let signed = signatures.into_iter().fold(unsigned, Note::with_signature);
        let (note, lines) = cosign_note(&signed, &self.cosigners, now)?;
        state.advance(request.checkpoint.clone(), &note)?;
        let origin = &request.checkpoint.origin;
        set_size_gauge(origin, state);
        gauge!("musette_witness_cosigned_timestamp_seconds", "origin" => origin.clone())
            .set(now.seconds() as f64);
        Ok((lines, Pending { checkpoint: request.checkpoint.clone(), note: signed }))
    }

    /// Returns the last cosigned checkpoint of a log.
    pub fn last(&self, origin: &str) -> Option<Checkpoint> {
        let state = self.logs.get(origin)?.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.last().cloned()
    }

    /// Returns the last cosigned checkpoints of a log, the newest last; `None` if the log is
    /// unknown.
    pub fn recent(&self, origin: &str) -> Option<Vec<Pending>> {
        let recent = &self.logs.get(origin)?.recent;
        Some(recent.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect())
    }

    /// Returns the last cosigned checkpoint of the log with this origin hash.
    pub fn checkpoint(&self, origin_hash: &str) -> Option<Arc<String>> {
        self.served.get(origin_hash)?.load_full()
    }
}

impl WatchedLog {
    fn remember(&self, pending: Pending) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|other| other.checkpoint.size != pending.checkpoint.size);
        recent.push_back(pending);
        if recent.len() > RECENT_MAX {
            recent.pop_front();
        }
    }
}

/// Adds a line of each cosigner to a note. Returns the note and the new lines.
fn cosign_note(
    note: &Note,
    cosigners: &[Cosigner],
    now: Instant,
) -> Result<(Note, String), WitnessError> {
    // A time of 0 would mean that the cosigner states no time.
    let time = u64::try_from(now.seconds()).ok().filter(|time| *time > 0);
    let time = time.ok_or(WitnessError::Clock)?;
    let (mut cosigned, mut lines) = (note.clone(), String::new());
    for cosigner in cosigners {
        let signature = cosigner.sign(note.text(), time)?;
        lines += &format!("{signature}\n");
        cosigned = cosigned.with_signature(signature);
    }
    Ok((cosigned, lines))
}

fn set_size_gauge(origin: &str, state: &State) {
    let size = state.last().map_or(0, |last| last.size);
    gauge!("musette_witness_size", "origin" => origin.to_owned()).set(size as f64);
}

fn refusal_reply(request: &AddCheckpoint, refusal: &Refusal, state: &State) -> Reply {
    let status = match refusal {
        Refusal::Signature(_) => StatusCode::FORBIDDEN,
        Refusal::OldAboveSize { .. } => StatusCode::BAD_REQUEST,
        Refusal::Conflict { last, .. } => {
            let body = format!("{last}\n");
            return Reply { status: StatusCode::CONFLICT, media_type: TREE_SIZE, body };
        }
        Refusal::EmptyRoot | Refusal::OtherRoot { .. } | Refusal::Proof(_) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
    };
    let origin = &request.checkpoint.origin;
    if let Refusal::OtherRoot { size } = refusal {
        counter!("musette_witness_contradictions_total").increment(1);
        let file = state.store_contradiction(&request.note);
        let file = file.map(|path| path.display().to_string()).unwrap_or_default();
        tracing::error!(
            origin,
            size,
            file,
            "a log signed two different trees of one size: both checkpoints are in the file"
        );
    }
    Reply::text(status, refusal)
}

/// Locks the data directory, and creates it if needed.
fn lock_directory(directory: &Path) -> Result<File, WitnessError> {
    let failed = |error| WitnessError::File(directory.to_owned(), error);
    private_files::make_directory(directory).map_err(failed)?;
    // Fails if a service may not read the directory around its own, which then is not new.
    let around = directory.parent().filter(|parent| !parent.as_os_str().is_empty());
    let _ = durable::sync_directory(around.unwrap_or(Path::new(".")));
    if directory.join("musette.db").exists() {
        return Err(WitnessError::OfServer(directory.to_owned()));
    }
    let lock = File::open(directory).map_err(failed)?;
    match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(lock),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(WitnessError::InUse(directory.to_owned())),
        Err(error) => Err(failed(error.into())),
    }
}

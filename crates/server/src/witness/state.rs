//! The last cosigned checkpoint of each log, in memory and on disk.
//!
//! One file for each log contains the checkpoint as it is served: with the log's signatures and the
//! cosignatures. A rename replaces it atomically, so no instant of a kill leaves two states or none.
//! A database would give the same guarantee with more code that can fail: a log has one row, which
//! is written once per checkpoint.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::cosignature::{CosignerKey, cosigned};
use musette_core::log::note::Note;

use super::WitnessError;
use super::durable::{self, WriteError};
use crate::platform::private_files;

const KIND: &str = "musette-witness-state v1";
/// The folder of the state files in the data directory.
pub const FOLDER: &str = "logs";

/// The last cosigned checkpoint of one log.
pub struct State {
    path: PathBuf,
    last: Option<Checkpoint>,
    /// Set after a write of which it is unknown whether it will survive a power cut.
    is_uncertain: bool,
    served: Arc<ArcSwapOption<String>>,
    /// Whether the file is a copy of the one that this program wrote.
    pub is_copy: bool,
}

impl State {
    /// Reads the state of the log with this origin hash. A file must be signed by the witness
    /// itself, so that a damaged or foreign one is noticed.
    pub fn read(
        directory: &Path,
        origin: &str,
        origin_hash: &str,
        own_keys: &[CosignerKey],
    ) -> Result<Self, WitnessError> {
        let folder = directory.join(FOLDER);
        let unreadable = |error| WitnessError::File(folder.clone(), error);
        private_files::make_directory(&folder).map_err(unreadable)?;
        // The folder must survive a power cut together with the files in it.
        durable::sync_directory(directory).map_err(unreadable)?;
        let path = folder.join(origin_hash);
        let stored = durable::read(&path, KIND);
        let stored = stored.map_err(|error| WitnessError::File(path.clone(), error))?;
        let served = Arc::new(ArcSwapOption::empty());
        let mut state = Self { path, last: None, is_uncertain: false, served, is_copy: false };
        if let Some(stored) = stored {
            let last = own_checkpoint(&stored.text, origin, own_keys);
            let damaged = |why: String| WitnessError::Damaged(state.path.clone(), why);
            state.last = Some(last.map_err(damaged)?);
            state.is_copy = stored.is_copy;
            state.served.store(Some(Arc::new(stored.text)));
        }
        Ok(state)
    }

    /// Returns the last cosigned checkpoint.
    pub fn last(&self) -> Option<&Checkpoint> {
        self.last.as_ref()
    }

    /// Returns the note to serve, which requests read without waiting for a write.
    pub fn served(&self) -> Arc<ArcSwapOption<String>> {
        Arc::clone(&self.served)
    }

    /// Writes the new checkpoint to disk. It must not be answered with a cosignature before this
    /// function has succeeded.
    pub fn advance(&mut self, checkpoint: Checkpoint, note: &Note) -> Result<(), WitnessError> {
        if self.is_uncertain {
            return Err(WitnessError::Uncertain(self.path.clone()));
        }
        let text = note.to_string();
        durable::replace(&self.path, KIND, &text).map_err(|error| {
            self.is_uncertain = matches!(error, WriteError::Unsynced(_));
            WitnessError::Write(self.path.clone(), error)
        })?;
        self.last = Some(checkpoint);
        self.is_copy = false;
        self.served.store(Some(Arc::new(text)));
        Ok(())
    }

    /// Writes the same checkpoint again, so that the file counts as the original.
    pub fn accept_copy(&mut self) -> Result<(), WitnessError> {
        let Some(text) = self.served.load_full() else { return Ok(()) };
        durable::replace(&self.path, KIND, &text)
            .map_err(|error| WitnessError::Write(self.path.clone(), error))?;
        self.is_copy = false;
        Ok(())
    }

    /// Stores two checkpoints that contradict each other, as evidence against the log. Only the
    /// first contradiction of a log is stored, so that a log cannot fill the disk.
    pub fn store_contradiction(&self, submitted: &Note) -> Result<PathBuf, std::io::Error> {
        let path = self.path.with_extension("contradiction");
        let last = self.served.load_full();
        let last = last.as_deref().map_or("", String::as_str);
        match fs::metadata(&path) {
            Ok(_) => Ok(path),
            Err(_) => {
                let text = format!("{last}\n--- submitted later ---\n\n{submitted}");
                let temporary = path.with_extension("contradiction-new");
                fs::write(&temporary, text)?;
                fs::rename(temporary, &path)?;
                Ok(path)
            }
        }
    }
}

/// Returns the checkpoint of a note that this witness cosigned.
fn own_checkpoint(
    text: &str,
    origin: &str,
    own_keys: &[CosignerKey],
) -> Result<Checkpoint, String> {
    let note = Note::parse(text).map_err(|error| error.to_string())?;
    let checkpoint =
        Checkpoint::parse_any_origin(note.text()).map_err(|error| error.to_string())?;
    if checkpoint.origin != origin {
        return Err(format!("it belongs to the log {}", checkpoint.origin));
    }
    let signers = cosigned(&note, own_keys).map_err(|error| error.to_string())?;
    if signers.is_empty() { Err("this witness did not sign it".into()) } else { Ok(checkpoint) }
}

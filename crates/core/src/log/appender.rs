//! Appending to a signed log: from its last head, its open tiles and its key to the next head.
//!
//! The steps are those of any C2SP transparency log: hash each entry as a leaf (RFC 6962 §2.1), grow the
//! right [`Edge`], sign its root as the next checkpoint. An append costs one hash an entry, about as many
//! for the inner nodes, and one Ed25519 signature, whatever the size of the log.

use super::checkpoint::{Checkpoint, CheckpointError};
use super::edge::{Behind, Edge, EdgeError, Growth};
use super::hash::Hash;
use super::key::Signer;
use super::proof::ProveError;
use super::tile::Tile;
use super::tlog_proof::TlogProof;

/// The end of a log as its writer knows it: the last signed head, and all that the next one needs.
#[derive(Clone)]
pub struct Appender {
    checkpoint: String,
    edge: Edge,
    signer: Signer,
}

/// One append that is computed and not stored yet.
pub struct Append {
    next: Appender,
    growth: Growth,
    first: u64,
}

/// Why an [`Appender`] cannot be restored from what was stored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreAppenderError<E> {
    /// The checkpoint is not one that this key has signed.
    #[error(transparent)]
    Checkpoint(CheckpointError),
    /// An open tile is missing, too short, or cannot be read.
    #[error("{0:?}")]
    Tiles(EdgeError<E>),
    /// Signing on would vouch for whatever the tiles hold.
    #[error("its open tiles do not lead to its last head")]
    OtherRoot,
}

impl Appender {
    /// Reads the state back: `read` gives the bytes of an open tile, at least as many as its width says.
    ///
    /// # Errors
    /// When the checkpoint is not signed by this key, a tile cannot be read, or the tiles do not lead to the
    /// root in the checkpoint.
    pub fn restore<E, B: AsRef<[u8]>>(
        signer: Signer,
        checkpoint: &str,
        read: impl FnMut(Tile) -> Result<B, E>,
    ) -> Result<Self, RestoreAppenderError<E>> {
        let head = Checkpoint::open(checkpoint, std::slice::from_ref(signer.verifier()))
            .map_err(RestoreAppenderError::Checkpoint)?;
        let edge = Edge::restore(head.size, read).map_err(RestoreAppenderError::Tiles)?;
        if edge.root() != head.root {
            return Err(RestoreAppenderError::OtherRoot);
        }
        Ok(Self { checkpoint: checkpoint.to_owned(), edge, signer })
    }

    /// How many entries the log has.
    pub fn size(&self) -> u64 {
        self.edge.size()
    }

    /// The last signed head, a C2SP `tlog-checkpoint` note.
    pub fn checkpoint(&self) -> &str {
        &self.checkpoint
    }

    /// Appends these entries and signs the head that they make. `self` stays as it is: only a stored append
    /// may be built upon.
    ///
    /// # Errors
    /// When the origin of the log cannot stand in a checkpoint.
    pub fn append<'a>(
        &self,
        entries: impl IntoIterator<Item = &'a str>,
    ) -> Result<Append, CheckpointError> {
        let mut edge = self.edge.clone();
        let first = edge.size();
        let growth = edge.append(entries.into_iter().map(|text| Hash::leaf(text.as_bytes())));
        let origin = self.signer.verifier().name().to_owned();
        let head = Checkpoint { origin, size: edge.size(), root: edge.root() };
        let checkpoint = head.sign(&self.signer)?.to_string();
        Ok(Append { next: Self { checkpoint, edge, signer: self.signer.clone() }, growth, first })
    }
}

impl Append {
    /// Index of the first of the appended entries: the size of the log before.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The state after this append.
    pub fn next(&self) -> &Appender {
        &self.next
    }

    /// The state after this append, to be kept once it is stored.
    pub fn into_next(self) -> Appender {
        self.next
    }

    /// Every tile that is new or has grown, with all of its bytes.
    pub fn tiles(&self) -> impl Iterator<Item = (Tile, Vec<u8>)> + '_ {
        self.growth.tiles(&self.next.edge)
    }

    /// The inclusion proof of the `position`-th of the appended entries, under the head of this append.
    ///
    /// # Errors
    /// When fewer entries were appended.
    pub fn proof(&self, position: usize) -> Result<TlogProof, ProveError<Behind>> {
        let index = self.first + position as u64;
        let path = self.growth.inclusion(&self.next.edge, index)?;
        let checkpoint = self.next.checkpoint.clone();
        Ok(TlogProof { extra: None, index, path, checkpoint })
    }
}

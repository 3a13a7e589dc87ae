//! Appends entries to a signed log: computes the next head from the last head, the open tiles and
//! the key.
//!
//! The steps are those of any C2SP transparency log: hash each entry as a leaf (RFC 6962 §2.1),
//! extend the right [`Edge`], and sign its root as the next checkpoint. An append costs one hash
//! per entry, about as many for the inner nodes, one Ed25519 signature, and one ML-DSA-44 signature
//! if the log has such a key. The cost does not depend on the size of the log.

use std::sync::Arc;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::cosignature::{CosignatureError, Cosigner};
use super::edge::{Edge, EdgeError, Growth, MissingNodeError};
use super::hash::Hash;
use super::key::Signer;
use super::proof::ProveError;
use super::tile::Tile;
use super::tlog_proof::TlogProof;

/// The end of a log as its writer keeps it: the last signed head and everything the next one needs.
#[derive(Clone)]
pub struct Appender {
    checkpoint: String,
    edge: Edge,
    signer: Signer,
    /// A second signer of each head, with the name of the first. Its expanded key is large.
    ml_dsa: Option<Arc<Cosigner>>,
}

/// An append that is computed but not stored yet.
pub struct Append {
    next: Appender,
    growth: Growth,
    first: u64,
}

/// The reason why an [`Appender`] cannot be restored from stored data.
#[derive(Debug, thiserror::Error)]
pub enum RestoreAppenderError<E> {
    /// This key did not sign the checkpoint.
    #[error(transparent)]
    Checkpoint(CheckpointError),
    /// An open tile is missing, too short, or unreadable.
    #[error("{0:?}")]
    Tiles(EdgeError<E>),
    /// The tiles do not match the signed root. Another signature would confirm whatever they
    /// contain.
    #[error("the open tiles of the log do not match its last signed head")]
    OtherRoot,
}

impl Appender {
    /// Restores the state. `read` returns the bytes of an open tile, at least as many as its width
    /// requires.
    ///
    /// # Errors
    /// Returns an error if this key did not sign the checkpoint, a tile is unreadable, or the tiles
    /// do not match the root in the checkpoint.
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
        Ok(Self { checkpoint: checkpoint.to_owned(), edge, signer, ml_dsa: None })
    }

    /// Lets this key of the log sign each further head too, below the first signature.
    #[must_use]
    pub fn also_signed_by(self, cosigner: Cosigner) -> Self {
        Self { ml_dsa: Some(Arc::new(cosigner)), ..self }
    }

    /// Returns the number of entries in the log.
    pub fn size(&self) -> u64 {
        self.edge.size()
    }

    /// Returns the last signed head, a C2SP `tlog-checkpoint` note.
    pub fn checkpoint(&self) -> &str {
        &self.checkpoint
    }

    /// Appends entries and signs the resulting head. `self` does not change, because the next
    /// append may only build on an append that was stored. `at_s` is the time of signing in seconds
    /// since the epoch; only signatures by ML-DSA-44 contain it.
    ///
    /// # Errors
    /// Returns an error if the origin of the log or the time is not allowed in a checkpoint.
    pub fn append<'a>(
        &self,
        entries: impl IntoIterator<Item = &'a str>,
        at_s: u64,
    ) -> Result<Append, CosignatureError> {
        let mut edge = self.edge.clone();
        let first = edge.size();
        let growth = edge.append(entries.into_iter().map(|text| Hash::leaf(text.as_bytes())));
        let origin = self.signer.verifier().name().to_owned();
        let head = Checkpoint { origin, size: edge.size(), root: edge.root() };
        let mut note = head.sign(&self.signer)?;
        if let Some(cosigner) = &self.ml_dsa {
            let line = cosigner.sign(note.text(), at_s)?;
            note = note.with_signature(line);
        }
        let (signer, ml_dsa) = (self.signer.clone(), self.ml_dsa.clone());
        let next = Self { checkpoint: note.to_string(), edge, signer, ml_dsa };
        Ok(Append { next, growth, first })
    }
}

impl Append {
    /// Returns the index of the first appended entry, which is the previous size of the log.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Returns the state after this append.
    pub fn next(&self) -> &Appender {
        &self.next
    }

    /// Returns the state after this append, to be used after the append was stored.
    pub fn into_next(self) -> Appender {
        self.next
    }

    /// Returns each tile that is new or has grown, with all of its bytes.
    pub fn tiles(&self) -> impl Iterator<Item = (Tile, Vec<u8>)> + '_ {
        self.growth.tiles(&self.next.edge)
    }

    /// Returns the inclusion proof of the `position`-th appended entry, for the head of this
    /// append.
    ///
    /// # Errors
    /// Returns an error if fewer entries were appended.
    pub fn proof(&self, position: usize) -> Result<TlogProof, ProveError<MissingNodeError>> {
        let index = self.first + position as u64;
        let path = self.growth.inclusion(&self.next.edge, index)?;
        let checkpoint = self.next.checkpoint.clone();
        Ok(TlogProof { extra: None, index, path, checkpoint })
    }
}

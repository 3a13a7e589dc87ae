//! The tamper-evident consent log as pure code: tree, tiles, checkpoints, proofs, entries,
//! receipts.
//!
//! The formats are public: RFC 6962 §2.1 (tree), C2SP `tlog-tiles`, `signed-note`,
//! `tlog-checkpoint` and `tlog-proof` (what the server publishes), `tlog-cosignature` (what witnesses
//! sign), `tlog-policy` (which witnesses a verifier demands), RFC 3161 (time stamps), RFC 8785
//! (entries).
//!
//! This module does not store tiles or keys (`musette-store`) and does not serve them (`musette`).
//! The time and random bytes are arguments. It also cannot prevent a log from signing two heads
//! that contradict each other: only the code that stores the last signed head can.

pub mod appender;
pub mod chain;
pub mod checkpoint;
pub mod cosignature;
pub mod edge;
pub mod entry;
pub mod frontier;
pub mod hash;
pub mod key;
pub mod mirror;
pub mod note;
pub mod opening_receipt;
pub mod packed;
pub mod policy;
pub mod proof;
pub mod receipt;
pub mod subject;
pub mod subtree;
pub mod tile;
pub mod timestamp;
pub mod tlog_proof;
pub mod witness;

mod numeral;
#[cfg(test)]
mod vectors;

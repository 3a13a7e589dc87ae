//! The tamper-evident consent log as pure code: tree, tiles, checkpoints, proofs, entries, receipts.
//!
//! Formats are public ones: RFC 6962 §2.1 (tree), C2SP `tlog-tiles`, `signed-note`,
//! `tlog-checkpoint` and `tlog-proof` (what is served), RFC 8785 (entries).
//!
//! Not here: where tiles and keys are kept (store), how they are served (server), the clock and the
//! source of randomness (arguments), and the rule that a log never signs two heads that disagree:
//! only who keeps the last signed head can hold to that.

pub mod appender;
pub mod chain;
pub mod checkpoint;
pub mod edge;
pub mod entry;
pub mod frontier;
pub mod hash;
pub mod key;
pub mod note;
pub mod packed;
pub mod proof;
pub mod receipt;
pub mod subject;
pub mod tile;
pub mod tlog_proof;

mod numeral;
#[cfg(test)]
mod vectors;

//! The case file: everything about one person that a court needs, and nothing about anybody else, in
//! one ZIP archive that checks itself without a network.
//!
//! No time of making stands in it, and its head of the log is the first that covers all its entries:
//! so the same evidence gives the same bytes, however the log goes on.
//!
//! Not here: HTTP, and who may have it.

mod archive;
mod contents;
mod gather;
mod page;
mod texts;
mod unpacked;
mod verify;
mod writing;

pub use verify::verify;
pub use writing::{Case, CaseError, CaseQuery};

/// Names of files that stand once.
const MANIFEST: &str = "manifest.json";
const CONTENTS: &str = "case.json";
const PAGE: &str = "index.html";
const KEYS: &str = "log/keys.txt";

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    hex::encode(Sha256::digest(bytes))
}

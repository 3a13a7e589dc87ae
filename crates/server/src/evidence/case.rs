//! The case file: all evidence about one person that a court needs, and nothing about other people,
//! in one ZIP archive that can be verified without a network.
//!
//! It does not contain its creation time, and its head of the log is the first one that covers all
//! its entries. So the same evidence results in the same bytes, however the log grows. The first time
//! stamp that covers an entry is evidence, too.
//!
//! HTTP and permissions are in `http`.

mod archive;
mod contents;
mod gather;
mod page;
mod texts;
mod timestamps;
mod unpacked;
mod verify;
mod writing;

pub use verify::{Trust, verify};
pub use writing::{Case, CaseError, CaseQuery};

/// The names of files that each case file has once.
const MANIFEST: &str = "manifest.json";
const CONTENTS: &str = "case.json";
const PAGE: &str = "index.html";
const KEYS: &str = "log/keys.txt";

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    hex::encode(Sha256::digest(bytes))
}

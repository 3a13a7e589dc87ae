//! Digests of what entries only name: a term with its languages, a document with its pages. They make
//! a change of either noticed; like the log's key they are no proof against who rewrites everything.

use musette_core::log::hash::Hash;
use serde::Serialize;

/// The same document may be published again; its digest stays.
pub(crate) const KEEP_SEAL: &str =
    "INSERT INTO seals (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

/// A row of `terms`, in the order of its columns.
pub(crate) type SealedTerm =
    (i64, String, i64, bool, i64, i64, Option<i64>, Option<i64>, bool, Option<String>, i64);
/// `position`, `locale`, `title`, `sha256`.
pub(crate) type SealedVariant = (i64, String, String, String);

pub(crate) fn term_seal(term: &SealedTerm, variants: &[SealedVariant]) -> (String, String) {
    (format!("term/{}", term.0), digest(&(term, variants)))
}

/// `parts` are names, media types and bytes.
pub(crate) fn document_seal<'a>(
    sha256: &str,
    pages: i64,
    parts: impl Iterator<Item = (&'a str, &'a str, &'a [u8])>,
) -> (String, String) {
    let mut parts: Vec<_> =
        parts.map(|(name, kind, bytes)| (name, kind, Hash::leaf(bytes).to_base64())).collect();
    parts.sort_unstable();
    (format!("document/{sha256}"), digest(&(sha256, pages, parts)))
}

fn digest(value: &impl Serialize) -> String {
    Hash::leaf(&serde_json::to_vec(value).unwrap_or_default()).to_base64()
}

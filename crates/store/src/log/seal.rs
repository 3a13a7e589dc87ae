//! Digests of what entries only name: a term with its languages, a document with its pages. They make
//! a change of either noticed; like the log's key they are no proof against who rewrites everything.

use musette_core::log::hash::Hash;
use serde::Serialize;
use serde_json::json;

/// The same document may be published again; its digest stays.
pub(crate) const KEEP_SEAL: &str =
    "INSERT INTO seals (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

/// A row of `terms`, in the order of its columns.
pub(crate) type SealedTerm =
    (i64, String, i64, bool, i64, i64, Option<i64>, Option<i64>, bool, Option<String>, i64);
/// `position`, `locale`, `title`, `sha256`, `summary`.
pub(crate) type SealedVariant = (i64, String, String, String, Option<String>);

pub(crate) fn term_seal(term: &SealedTerm, variants: &[SealedVariant]) -> (String, String) {
    let variants: Vec<_> = variants
        .iter()
        .map(|(position, locale, title, sha256, summary)| {
            let mut row = vec![json!(position), json!(locale), json!(title), json!(sha256)];
            // Those of before had none, and keep their digest.
            row.extend(summary.as_ref().map(|it| json!(it)));
            row
        })
        .collect();
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

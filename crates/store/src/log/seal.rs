//! Digests of what entries only name: a term with its languages, a document with its pages. They make
//! a change of either noticed; like the log's key they are no proof against who rewrites everything.

use musette_core::log::hash::Hash;
use serde::Serialize;
use serde_json::{Value, json};

/// Republishing a document keeps its first digest.
pub(crate) const KEEP_SEAL: &str =
    "INSERT INTO seals (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

/// A row of `terms`, in the order of its columns.
#[rustfmt::skip]
pub(crate) type SealedTerm = (
    i64, String, i64, bool, i64, i64, Option<i64>, Option<i64>, bool, Option<String>, i64,
    Option<String>,
);
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
    (format!("term/{}", term.0), digest(&(without_absent_label(term), variants)))
}

/// Leaves out an absent label: terms from before there were labels keep their digest.
fn without_absent_label(term: &SealedTerm) -> Vec<Value> {
    let Ok(Value::Array(mut row)) = serde_json::to_value(term) else { return Vec::new() };
    if term.11.is_none() {
        row.pop();
    }
    row
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores written before versions had labels verify as they did.
    #[test]
    fn a_term_without_a_label_keeps_its_digest() {
        let before = (
            (7, "FREELANCER", 2, true, 1, 10, Some(20), Some(3), true, None::<String>, 5),
            [[json!(0), json!("en"), json!("Terms"), json!("aa")]],
        );
        let term = |label: Option<&str>| {
            let kind = "FREELANCER".to_owned();
            let label = label.map(str::to_owned);
            let row = (7, kind, 2, true, 1, 10, Some(20), Some(3), true, None, 5, label);
            let variant = (0, "en".to_owned(), "Terms".to_owned(), "aa".to_owned(), None);
            term_seal(&row, &[variant]).1
        };
        assert_eq!(term(None), digest(&before));
        assert_ne!(term(Some("1.1")), digest(&before));
        assert_ne!(term(Some("1.1")), term(Some("1.2")));
    }
}

//! Digests of content that entries only reference: a term with its languages, a document with its
//! pages. They detect a change of either. Like the log's key, they are no protection against an
//! attacker who can rewrite everything.

use musette_core::log::hash::Hash;
use serde::Serialize;
use serde_json::{Value, json};

use crate::db::batch::table;

/// Keeps the first digest if a document is published again.
pub(crate) const INSERT_SEAL: &str =
    "INSERT INTO seals (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

table! {
    /// A published term; its seal is a digest of all columns in this order.
    #[derive(sqlx_macros::FromRow)]
    struct TermRow in "terms" as TERMS {
        id: i64,
        kind: String,
        version: i64,
        mandatory: bool,
        display_order: i64,
        effective_from: i64,
        grace_until: Option<i64>,
        replaces: Option<i64>,
        material: bool,
        summary: Option<String>,
        published_at: i64,
        label: Option<String>,
        market: Option<String>,
        instead_of: Option<i64>,
        term_kind: Option<String>,
    }
}
table! {
    /// A published term in one language.
    #[derive(sqlx_macros::FromRow)]
    struct VariantRow in "term_variants" as VARIANTS {
        term_id: i64,
        position: i64,
        locale: String,
        title: String,
        sha256: String,
        summary: Option<String>,
    }
}

/// Selects every published term.
pub(crate) const ORDER_BY_ID: &str = "ORDER BY id";
/// Selects the languages of one term.
pub(crate) const WHERE_TERM: &str = "WHERE term_id = $1 ORDER BY position, locale";

pub(crate) fn term_seal(term: &TermRow, variants: &[VariantRow]) -> (String, String) {
    let digest = Hash::leaf(sealed_text(term, variants).as_bytes()).to_base64();
    (format!("term/{}", term.id), digest)
}

/// Returns the text whose digest is the seal.
pub(crate) fn sealed_text(term: &TermRow, variants: &[VariantRow]) -> String {
    let variants: Vec<_> = variants
        .iter()
        .map(|variant| {
            let mut row = vec![
                json!(variant.position),
                json!(variant.locale),
                json!(variant.title),
                json!(variant.sha256),
            ];
            // Terms that were published before summaries existed keep their digest.
            row.extend(variant.summary.as_ref().map(|summary| json!(summary)));
            row
        })
        .collect();
    serde_json::to_string(&(without_later_columns(term), variants)).unwrap_or_default()
}

/// Omits later columns that are empty, so that terms that were published before labels, markets and
/// notices existed keep their digest.
fn without_later_columns(term: &TermRow) -> Vec<Value> {
    let Ok(Value::Array(mut row)) = serde_json::to_value(term) else { return Vec::new() };
    let later = [
        term.label.is_none(),
        term.market.is_none(),
        term.instead_of.is_none(),
        term.term_kind.is_none(),
    ];
    let absent = later.iter().rev().take_while(|is_absent| **is_absent).count();
    row.truncate(row.len() - absent);
    row
}

/// Computes the seal of a document; `parts` are names, media types and bytes.
pub(crate) fn document_seal<'a>(
    sha256: &str,
    pages: i64,
    parts: impl Iterator<Item = (&'a str, &'a str, &'a [u8])>,
) -> (String, String) {
    let parts = parts.map(|(name, kind, bytes)| (name, kind, part_digest(bytes)));
    seal_of_digests(sha256, pages, parts.collect())
}

/// Returns the digest that represents the bytes of a part in the seal of its document.
pub(crate) fn part_digest(bytes: &[u8]) -> String {
    Hash::leaf(bytes).to_base64()
}

/// Computes the seal of a document; `parts` are names, media types and digests.
pub(crate) fn seal_of_digests(
    sha256: &str,
    pages: i64,
    mut parts: Vec<(&str, &str, String)>,
) -> (String, String) {
    parts.sort_unstable();
    (format!("document/{sha256}"), digest(&(sha256, pages, parts)))
}

fn digest(value: &impl Serialize) -> String {
    Hash::leaf(&serde_json::to_vec(value).unwrap_or_default()).to_base64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores that were written before versions had labels still verify.
    #[test]
    fn a_term_without_a_label_keeps_its_digest() {
        let before = (
            (7, "FREELANCER", 2, true, 1, 10, Some(20), Some(3), true, None::<String>, 5),
            [[json!(0), json!("en"), json!("Terms"), json!("aa")]],
        );
        let seal_in_market = |label: Option<&str>, market: Option<&str>| {
            let row = TermRow {
                id: 7,
                kind: "FREELANCER".to_owned(),
                version: 2,
                mandatory: true,
                display_order: 1,
                effective_from: 10,
                grace_until: Some(20),
                replaces: Some(3),
                material: true,
                summary: None,
                published_at: 5,
                label: label.map(str::to_owned),
                market: market.map(str::to_owned),
                instead_of: None,
                term_kind: None,
            };
            let variant = VariantRow {
                term_id: 7,
                position: 0,
                locale: "en".to_owned(),
                title: "Terms".to_owned(),
                sha256: "aa".to_owned(),
                summary: None,
            };
            term_seal(&row, &[variant]).1
        };
        let seal_with_label = |label| seal_in_market(label, None);
        assert_eq!(seal_with_label(None), digest(&before));
        assert_ne!(seal_in_market(None, Some("DE")), digest(&before));
        assert_ne!(seal_in_market(None, Some("DE")), seal_in_market(Some("DE"), None));
        assert_ne!(seal_with_label(Some("1.1")), digest(&before));
        assert_ne!(seal_with_label(Some("1.1")), seal_with_label(Some("1.2")));
    }
}

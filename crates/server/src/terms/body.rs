//! A term in responses of the API and in the output of commands.

use musette_core::terms::{Catalog, Term, Variant, choose_locale, language_ranges};
use serde::Serialize;

use crate::platform::closed_sets;

/// The maximum number of earlier versions in a response.
const EARLIER_VERSIONS_MAX: usize = 20;

/// One version of a term in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[schema(examples(json!({"id":17,"title":"Privacy policy","content":"https://terms.example/documents/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.pdf","mandatory":true,"display_order":1,"type":"FREELANCER","kind":"consent","version":3,"label":"1.2","locale":"en","sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","effective_from":"2026-11-01T00:00:00.000Z","material":true,"market":null})))]
pub struct TermBody {
    /// The id of this version. A new text is a new version with a new id.
    #[schema(minimum = 1)]
    pub id: i64,
    /// The title, in the language of `locale`.
    pub title: String,
    /// The absolute URL of the document, a PDF.
    #[schema(format = "uri")]
    pub content: String,
    /// True if a person must accept the term to work.
    pub mandatory: bool,
    /// The position in a list. Lists are sorted by `display_order`, then by `id`.
    pub display_order: i64,
    /// The type of the term, such as `FREELANCER` or `MARKETING`.
    #[serde(rename = "type")]
    #[schema(pattern = "^[A-Z][A-Z0-9_]{0,31}$")]
    pub kind: String,
    /// `consent`: people decide on the text. `notice`: they are informed.
    #[serde(rename = "kind")]
    #[schema(value_type = closed_sets::TermKind)]
    pub term_kind: &'static str,
    /// The number of this version. The versions of a document are counted from 1.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The document's own name for this version, such as `1.1`. Null if it has none.
    #[schema(required, max_length = 40)]
    pub label: Option<String>,
    /// The language of this text, as a BCP 47 tag.
    #[schema(max_length = 35)]
    pub locale: String,
    /// The SHA-256 of the document, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// The time at which this version takes effect.
    #[schema(format = DateTime)]
    pub effective_from: String,
    /// The end of the grace period, during which the term is outstanding but blocks no person.
    /// Absent if there is no grace period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub grace_until: Option<String>,
    /// The ID of the version that this one replaces. Absent for the first version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub replaces: Option<i64>,
    /// True if people must accept this version again. A minor version inherits the acceptances of
    /// the version that it replaces.
    pub material: bool,
    /// The market of the text: a country (`DE`), a subdivision (`DE-BE`), or a place in one of
    /// them. Null: everywhere.
    #[schema(required)]
    pub market: Option<String>,
    /// A summary of the changes, in this language if it was published in it. Absent if there is
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The versions that this one replaces, newest first, at most 20. Only in lists of the terms in
    /// effect. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub earlier_versions: Vec<EarlierVersion>,
}

/// A version that a newer version has replaced.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct EarlierVersion {
    /// The id of that version.
    #[schema(minimum = 1)]
    pub id: i64,
    /// The number of that version, counted from 1.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The document's own name for that version. Null if it has none.
    #[schema(required, max_length = 40)]
    pub label: Option<String>,
    /// The language of that version's text. It differs from the term's language if the version was
    /// not published in that language.
    #[schema(max_length = 35)]
    pub locale: String,
    /// The SHA-256 of that version's document, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// True if people had to accept that version again.
    pub material: bool,
    /// A summary of the changes in that version. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl EarlierVersion {
    fn new(term: &Term, ranges: &[&str]) -> Option<Self> {
        let variant = choose_locale(ranges, &term.variants)?;
        Some(Self {
            id: term.id,
            version: term.version,
            label: term.label.clone(),
            locale: variant.locale.clone(),
            sha256: variant.sha256.clone(),
            material: term.material,
            summary: term.summary_in(variant).map(str::to_owned),
        })
    }
}

impl TermBody {
    /// Returns the term in the best language. None only for a term without texts, which is never
    /// published.
    pub fn new(term: &Term, ranges: &[&str], origin: &str) -> Option<Self> {
        Some(Self::of_variant(term, choose_locale(ranges, &term.variants)?, origin))
    }

    /// Adds the versions that the term replaces, so that a client can show what has changed.
    fn with_earlier_versions(mut self, catalog: &Catalog, term: &Term) -> Self {
        // Uses the language of the newer text.
        let ranges = [self.locale.as_str()];
        let earlier = catalog.earlier_versions(term).take(EARLIER_VERSIONS_MAX);
        self.earlier_versions =
            earlier.filter_map(|term| EarlierVersion::new(term, &ranges)).collect();
        self
    }

    pub fn of_variant(term: &Term, variant: &Variant, origin: &str) -> Self {
        Self {
            id: term.id,
            title: variant.title.clone(),
            content: format!("{origin}/documents/{}.pdf", variant.sha256),
            mandatory: term.mandatory,
            display_order: term.display_order,
            kind: term.kind.to_string(),
            term_kind: term.term_kind.as_str(),
            version: term.version,
            label: term.label.clone(),
            locale: variant.locale.clone(),
            sha256: variant.sha256.clone(),
            effective_from: term.effective_from.to_string(),
            grace_until: term.grace_until.map(|until| until.to_string()),
            replaces: term.replaces,
            material: term.material,
            market: term.market.as_ref().map(ToString::to_string),
            summary: term.summary_in(variant).map(str::to_owned),
            earlier_versions: Vec::new(),
        }
    }
}

/// Returns the terms in the best language for the caller, each with its earlier versions.
pub fn term_bodies<'a>(
    catalog: &Catalog,
    terms: impl Iterator<Item = &'a Term>,
    language: &str,
    origin: &str,
) -> Vec<TermBody> {
    let ranges = language_ranges(language);
    terms
        .filter_map(|term| {
            Some(TermBody::new(term, &ranges, origin)?.with_earlier_versions(catalog, term))
        })
        .collect()
}

//! A term as the API and the commands print it.

use musette_core::terms::{Catalog, Term, Variant, choose_locale, language_ranges};
use serde::Serialize;

/// Further back nobody is shown what has changed.
const EARLIER_VERSIONS_MAX: usize = 20;

/// One version of a text, in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct TermBody {
    /// Names exactly this version; a new text has a new id.
    pub id: i64,
    pub title: String,
    /// Absolute link to the document.
    pub content: String,
    pub mandatory: bool,
    pub display_order: i64,
    #[serde(rename = "type")]
    pub kind: String,
    /// Counts the versions of one document from 1.
    pub version: i64,
    /// What the document calls this version, such as `1.1`; null where it was given none, and the
    /// counter names it. At most 40 characters.
    #[schema(required)]
    pub label: Option<String>,
    pub locale: String,
    /// Of the document's bytes, in lower-case hex.
    pub sha256: String,
    /// RFC 3339.
    pub effective_from: String,
    /// Until then it is outstanding, but blocks nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace_until: Option<String>,
    /// The version that this one took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<i64>,
    /// A material version must be accepted again; a minor one inherits what was accepted.
    pub material: bool,
    /// What has changed, in plain words and in this language where it has a sentence of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// In lists of the terms in effect: the versions before this one, the newest first, up to 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_versions: Vec<EarlierVersion>,
}

/// A version that a newer one has replaced: what somebody may have agreed to.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct EarlierVersion {
    pub id: i64,
    /// Counts the versions of one document from 1.
    pub version: i64,
    /// What the document called that version; null where it was given none.
    #[schema(required)]
    pub label: Option<String>,
    /// Of this version's text; another than that of the term where it was not published in that one.
    pub locale: String,
    /// Of this version's document.
    pub sha256: String,
    pub material: bool,
    /// What this version had changed.
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
    /// None only for a term without any text, which is never published.
    pub fn new(term: &Term, ranges: &[&str], origin: &str) -> Option<Self> {
        Some(Self::of_variant(term, choose_locale(ranges, &term.variants)?, origin))
    }

    /// With the versions that it came after, so that a client can show what has changed.
    fn with_earlier_versions(mut self, catalog: &Catalog, term: &Term) -> Self {
        // The older text is wanted in the language in which the newer one is shown.
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
            version: term.version,
            label: term.label.clone(),
            locale: variant.locale.clone(),
            sha256: variant.sha256.clone(),
            effective_from: term.effective_from.to_string(),
            grace_until: term.grace_until.map(|until| until.to_string()),
            replaces: term.replaces,
            material: term.material,
            summary: term.summary_in(variant).map(str::to_owned),
            earlier_versions: Vec::new(),
        }
    }
}

/// The terms in a language of the caller, each with the versions before it.
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

//! The content of a draft, and the errors that prevent publishing it.

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{
    Catalog, NewTerm, TermId, TermKind, TermType, Variant, is_label, is_language_tag,
    is_other_language,
};
use musette_store::{StoreError, TermDraft};
use serde::{Deserialize, Serialize};

use crate::http::wire::problem::{Problem, ProblemError};
use crate::platform::closed_sets;
use crate::terms::publishing::{
    ACTIVE, DocumentFinding, Obstacle, Reasons, UNREADABLE, is_reason, obstacles,
};

const TEXT_CHARS_MAX: usize = 200;
const VARIANTS_MAX: usize = 40;

/// The content of a draft. Every member may be absent until the draft is published.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct DraftBody {
    /// The type of the term. Empty: not chosen yet.
    #[serde(rename = "type")]
    #[schema(pattern = "^([A-Z][A-Z0-9_]{0,31})?$")]
    pub kind: String,
    /// `consent`: people decide on the text. `notice`: they are informed. Absent: `consent`. A notice
    /// cannot be mandatory.
    #[serde(rename = "kind", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::TermKind>)]
    pub term_kind: Option<String>,
    /// True if a person must accept the term to work.
    pub mandatory: bool,
    /// The position in a list. Absent: the position of the replaced version, or the last position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_order: Option<i64>,
    /// The time at which the version takes effect. Absent: as soon as it is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub effective_from: Option<String>,
    /// The end of the grace period, during which the term is outstanding but blocks no person. It
    /// must be after `effective_from`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub grace_until: Option<String>,
    /// The id of the version to replace. Absent: this is the first version of a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub replaces: Option<TermId>,
    /// True if acceptances of the replaced version stay valid, for example after the correction of
    /// a typing error.
    pub minor: bool,
    /// A one-line summary of the changes, for languages without their own summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    /// The document's own name for this version, such as `1.1`, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 40)]
    pub label: Option<String>,
    /// The reason for publishing although the page images lack something that a document contains.
    /// One line. The audit records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub unreadable_ok: Option<String>,
    /// The reason for publishing although a document has active content. One line. The audit
    /// records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub active_content_ok: Option<String>,
    /// The market of the text, such as `DE-BE`. Absent: the market of the replaced version, or
    /// everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market: Option<String>,
    /// The id of any version of the broader text that this one replaces inside its market. Absent:
    /// that of the replaced version, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub instead_of: Option<TermId>,
    /// The languages. The first one is the default.
    #[schema(max_items = 40)]
    pub variants: Vec<DraftVariant>,
}

/// One language of a draft.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DraftVariant {
    /// The language: a BCP 47 tag such as `de` or `pt-BR`. Each language may occur once.
    #[schema(max_length = 35)]
    pub locale: String,
    /// The title in this language. It may be empty in a draft; publishing requires it.
    #[serde(default)]
    #[schema(required, max_length = 200)]
    pub title: String,
    /// A summary of the changes, in this language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    /// The uploaded document. Ignored in requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<DraftDocument>,
}

/// A document that was uploaded to a draft.
#[derive(Debug, Clone, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DraftDocument {
    /// The SHA-256 of the document, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// The size of the document in bytes.
    pub bytes: u64,
    /// The number of pages. 0: the document could not be rendered, and viewers use pdf.js.
    #[schema(minimum = 0)]
    pub pages: i64,
    /// The language of the text, as detected at the upload: a BCP 47 tag, or `und-` and a script,
    /// such as `und-Cyrl`. Absent if it is uncertain, and for a scan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 35)]
    pub language: Option<String>,
    /// The reason why the document could not be rendered. Absent if it was rendered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undrawn: Option<String>,
    /// The content that the page images lack, and active content. Absent for a document that was
    /// uploaded before the server examined documents; upload it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<DocumentFinding>>,
}

impl DraftDocument {
    pub fn obstacles(&self, reasons: &Reasons) -> Vec<Obstacle> {
        let Some(findings) = &self.findings else {
            let detail =
                "The document was uploaded before the server examined documents. Upload it again.";
            return vec![Obstacle { code: UNREADABLE, page: None, detail: detail.to_owned() }];
        };
        obstacles(self.undrawn.as_deref(), findings, reasons)
    }
}

fn error(pointer: impl Into<String>, code: &str, detail: &str) -> ProblemError {
    ProblemError {
        pointer: pointer.into(),
        code: code.into(),
        detail: detail.into(),
        replaced_by: None,
        page: None,
    }
}

fn is_text(text: &str) -> bool {
    text.chars().count() <= TEXT_CHARS_MAX && !text.chars().any(char::is_control)
}

fn non_blank(text: Option<&String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).cloned()
}

impl DraftBody {
    pub fn stored(draft: &TermDraft) -> Result<Self, Problem> {
        let parsed = serde_json::from_str(&draft.body);
        parsed.map_err(|_| StoreError::Corrupt(format!("draft {}", draft.id)).into())
    }

    /// Returns the market for which the draft would be published. The market of the replaced
    /// version takes precedence over its own.
    pub fn market_in(&self, catalog: &Catalog) -> Option<Market> {
        match self.replaces.and_then(|id| catalog.get(id)) {
            Some(replaced) => replaced.market.clone(),
            None => self.market.as_deref().and_then(Market::from_stored),
        }
    }

    /// Returns the kind of the version.
    pub fn term_kind(&self) -> TermKind {
        self.term_kind.as_deref().and_then(TermKind::parse).unwrap_or_default()
    }

    pub fn to_text(&self) -> String {
        // Strings, numbers and booleans always have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Copies the documents from the stored draft. Clients cannot refer to a document by its hash;
    /// they must upload it.
    pub fn take_documents_of(&mut self, stored: &Self) {
        for variant in &mut self.variants {
            let before = stored.variants.iter().find(|stored| stored.locale == variant.locale);
            variant.document = before.and_then(|before| before.document.clone());
        }
    }

    /// Checks the shape of a draft. Missing members are allowed; malformed ones are reported at
    /// once.
    pub fn check_shape(&self) -> Result<(), Problem> {
        let mut errors = Vec::new();
        if !self.kind.is_empty() && TermType::parse(&self.kind).is_none() {
            errors.push(error("/type", "invalid_type", "A type must match [A-Z][A-Z0-9_]{0,31}."));
        }
        if self.term_kind.as_ref().is_some_and(|kind| TermKind::parse(kind).is_none()) {
            errors.push(error("/kind", "invalid_kind", "A kind is consent or notice."));
        }
        for (pointer, text) in
            [("/effective_from", &self.effective_from), ("/grace_until", &self.grace_until)]
        {
            if text.as_ref().is_some_and(|text| Instant::parse(text).is_err()) {
                errors.push(error(
                    pointer,
                    "invalid_instant",
                    "This must be an RFC 3339 timestamp.",
                ));
            }
        }
        if self.summary.as_ref().is_some_and(|text| !is_text(text)) {
            let detail = "This must have at most 200 characters on one line.";
            errors.push(error("/summary", "invalid_text", detail));
        }
        if non_blank(self.label.as_ref()).is_some_and(|label| !is_label(&label)) {
            let detail = "This must have at most 40 characters on one line.";
            errors.push(error("/label", "invalid_text", detail));
        }
        for (pointer, reason) in [
            ("/unreadable_ok", &self.unreadable_ok),
            ("/active_content_ok", &self.active_content_ok),
        ] {
            if non_blank(reason.as_ref()).is_some_and(|reason| !is_reason(&reason)) {
                let detail = "This must have at most 200 characters on one line.";
                errors.push(error(pointer, "invalid_text", detail));
            }
        }
        if self.variants.len() > VARIANTS_MAX {
            errors.push(error("/variants", "too_many", "A draft has at most 40 languages."));
        }
        for (i, variant) in self.variants.iter().enumerate() {
            let locale = format!("/variants/{i}/locale");
            if !is_language_tag(&variant.locale) {
                let detail = "This must be a language tag such as de or pt-BR.";
                errors.push(error(locale, "invalid_locale", detail));
            } else if self.variants[..i]
                .iter()
                .any(|other| other.locale.eq_ignore_ascii_case(&variant.locale))
            {
                let detail = "The draft has this language already.";
                errors.push(error(locale, "duplicate_locale", detail));
            }
            for (name, text) in
                [("title", Some(&variant.title)), ("summary", variant.summary.as_ref())]
            {
                if text.is_some_and(|text| !is_text(text)) {
                    let pointer = format!("/variants/{i}/{name}");
                    let detail = "This must have at most 200 characters on one line.";
                    errors.push(error(pointer, "invalid_text", detail));
                }
            }
        }
        if errors.is_empty() {
            return Ok(());
        }
        Err(Problem::invalid("invalid_request", "The draft is invalid.", errors))
    }

    /// Returns the reasons that its documents require. Other reasons are left out.
    pub fn reasons(&self) -> Reasons {
        let obstacles = self.obstacles(&Reasons::default());
        let needed = |code: &str, reason: &Option<String>| {
            non_blank(reason.as_ref())
                .filter(|_| obstacles.iter().any(|obstacle| obstacle.code == code))
        };
        Reasons {
            unreadable: needed(UNREADABLE, &self.unreadable_ok),
            active_content: needed(ACTIVE, &self.active_content_ok),
        }
    }

    /// Returns the gaps of the page images and the active content of the documents for which no
    /// reason is given.
    pub fn obstacles(&self, reasons: &Reasons) -> Vec<ProblemError> {
        let documents = self.variants.iter().enumerate();
        let documents = documents.filter_map(|(i, variant)| Some((i, variant.document.as_ref()?)));
        let all = documents.flat_map(|(i, document)| {
            let pointer = format!("/variants/{i}/document");
            let obstacles = document.obstacles(reasons);
            obstacles.into_iter().map(move |obstacle| (pointer.clone(), obstacle))
        });
        all.map(|(pointer, Obstacle { code, page, detail })| ProblemError {
            pointer,
            code: code.into(),
            detail,
            replaced_by: None,
            page,
        })
        .collect()
    }

    /// Returns probable mistakes: the same file for two languages, and a text in another language.
    pub fn warnings(&self) -> Vec<ProblemError> {
        let documents = self.variants.iter().enumerate();
        let documents: Vec<_> = documents
            .filter_map(|(i, variant)| Some((i, &variant.document.as_ref()?.sha256)))
            .collect();
        let duplicates = documents.iter().enumerate().filter_map(|(at, (i, sha256))| {
            let (first, _) = documents[..at].iter().find(|(_, other)| other == sha256)?;
            let first = &self.variants[*first].locale;
            let detail = format!("This is the same file as that of {first}.");
            Some(error(format!("/variants/{i}/document"), "same_document", &detail))
        });
        let other_languages = self.variants.iter().enumerate().filter_map(|(i, variant)| {
            let detected = variant.document.as_ref()?.language.as_deref()?;
            let locale = &variant.locale;
            let detail = format!("The text seems to be in {detected}, not in {locale}.");
            is_other_language(locale, detected)
                .then(|| error(format!("/variants/{i}/document"), "other_language", &detail))
        });
        duplicates.chain(other_languages).collect()
    }

    /// Returns the version to publish, or the errors that prevent it.
    pub fn new_term(&self, now: Instant) -> Result<NewTerm, Vec<ProblemError>> {
        let mut errors = Vec::new();
        let instant =
            |text: &Option<String>| text.as_deref().and_then(|text| Instant::parse(text).ok());
        let effective_from = instant(&self.effective_from).unwrap_or(now);
        let grace_until = instant(&self.grace_until);
        if grace_until.is_some_and(|until| until <= effective_from) {
            let detail = "The grace period must end after the version takes effect.";
            errors.push(error("/grace_until", "grace_before_effect", detail));
        }
        let kind = TermType::parse(&self.kind);
        if kind.is_none() {
            errors.push(error("/type", "missing", "Choose a type."));
        }
        let term_kind = self.term_kind();
        if self.mandatory && term_kind == TermKind::Notice {
            errors.push(error("/mandatory", "mandatory_notice", "A notice cannot be mandatory."));
        }
        if self.minor && self.replaces.is_none() {
            let detail = "A minor version must replace a version.";
            errors.push(error("/minor", "nothing_to_replace", detail));
        }
        if self.variants.is_empty() {
            errors.push(error("/variants", "missing", "Add at least one language."));
        }
        let mut variants = Vec::new();
        for (i, variant) in self.variants.iter().enumerate() {
            if variant.title.trim().is_empty() {
                let pointer = format!("/variants/{i}/title");
                errors.push(error(pointer, "missing", "Add a title."));
            }
            match &variant.document {
                None => {
                    let pointer = format!("/variants/{i}/document");
                    errors.push(error(pointer, "missing", "Upload the PDF of this language."));
                }
                Some(document) => variants.push(Variant {
                    locale: variant.locale.clone(),
                    title: variant.title.clone(),
                    sha256: document.sha256.clone(),
                    summary: non_blank(variant.summary.as_ref()),
                }),
            }
        }
        match kind {
            Some(kind) if errors.is_empty() => Ok(NewTerm {
                kind,
                term_kind,
                mandatory: self.mandatory,
                display_order: self.display_order,
                effective_from,
                grace_until,
                replaces: self.replaces,
                material: !self.minor,
                summary: non_blank(self.summary.as_ref()),
                label: non_blank(self.label.as_ref()),
                market: self.market.as_deref().and_then(Market::from_stored),
                instead_of: self.instead_of,
                variants,
                draft: None,
            }),
            _ => Err(errors),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An earlier version uploaded the document without examining it.
    #[test]
    fn requires_a_new_upload_of_an_unexamined_document_despite_a_reason() {
        let text = r#"{"type":"A","unreadable_ok":"x","active_content_ok":"x","variants":[
            {"locale":"en","title":"T","document":{"sha256":"aa","bytes":1,"pages":1}}]}"#;
        let mut draft: DraftBody = serde_json::from_str(text).expect("a draft");
        let obstacles = draft.obstacles(&draft.reasons());
        assert_eq!((obstacles.len(), obstacles[0].code.as_str()), (1, UNREADABLE));
        for variant in &mut draft.variants {
            let document = variant.document.as_mut().expect("a document");
            document.findings = Some(Vec::new());
        }
        assert!(draft.obstacles(&draft.reasons()).is_empty());
        assert_eq!(draft.reasons(), Reasons::default(), "a reason that is not needed is left out");
    }
}

//! What a draft says, and what still stands in the way of publishing it.

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, NewTerm, TermId, TermType, Variant, is_label, is_language_tag};
use musette_store::{StoreError, TermDraft};
use serde::{Deserialize, Serialize};

use crate::http::problem::{Fault, Problem};
use crate::publishing::{
    ACTIVE, DocumentFinding, Obstacle, Reasons, UNREADABLE, is_reason, obstacles,
};

const TEXT_CHARS_MAX: usize = 200;
const VARIANTS_MAX: usize = 40;

/// What a draft says. Every member may be absent until the draft is published.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct DraftBody {
    /// The type of the term. Empty: not chosen yet.
    #[serde(rename = "type")]
    #[schema(pattern = "^([A-Z][A-Z0-9_]{0,31})?$")]
    pub kind: String,
    /// Whether a person must accept it to work.
    pub mandatory: bool,
    /// The place in a list. Absent: the place of the version that it replaces, or the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_order: Option<i64>,
    /// When the version takes effect. Absent: as soon as it is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub effective_from: Option<String>,
    /// Until then the term is outstanding but does not block anybody. It must be after
    /// `effective_from`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub grace_until: Option<String>,
    /// The version to replace. Absent: the first version of a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub replaces: Option<TermId>,
    /// Whether acceptances of the replaced version stay valid, as for a corrected typo.
    pub minor: bool,
    /// What has changed, in plain words on one line, for languages without a sentence of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    /// The name that the document itself gives this version, such as `1.1`, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 40)]
    pub label: Option<String>,
    /// Why the version is published although its page images lack something that a document says.
    /// One line, kept in the audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub unreadable_ok: Option<String>,
    /// Why the version is published although a document has active content. One line, kept in the
    /// audit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub active_content_ok: Option<String>,
    /// Where the text is for, such as `DE-BE`. Absent: that of the version that it replaces, or everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market: Option<String>,
    /// Any version of the broader text whose place this one takes inside its market. Absent: that of the version that it
    /// replaces, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub instead_of: Option<TermId>,
    /// The languages. The first is the default.
    #[schema(max_items = 40)]
    pub variants: Vec<DraftVariant>,
}

/// One language of a draft.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DraftVariant {
    /// The language: a BCP 47 tag such as `de` or `pt-BR`. No language may occur twice.
    #[schema(max_length = 35)]
    pub locale: String,
    /// The title in this language. Empty until it is known; required to publish.
    #[serde(default)]
    #[schema(required, max_length = 200)]
    pub title: String,
    /// What has changed, in this language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub summary: Option<String>,
    /// The document that was uploaded. Ignored in requests.
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
    /// The number of pages. 0: the document could not be drawn, and viewers use pdf.js.
    #[schema(minimum = 0)]
    pub pages: i64,
    /// Why the document could not be drawn. Absent if it could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undrawn: Option<String>,
    /// What the page images lack, and active content. Absent for a document that was uploaded
    /// before documents were examined; it must be uploaded again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<DocumentFinding>>,
}

impl DraftDocument {
    pub fn obstacles(&self, reasons: &Reasons) -> Vec<Obstacle> {
        let Some(findings) = &self.findings else {
            let detail = "It was uploaded before documents were examined. Upload it again.";
            return vec![Obstacle { code: UNREADABLE, page: None, detail: detail.to_owned() }];
        };
        obstacles(self.undrawn.as_deref(), findings, reasons)
    }
}

fn fault(pointer: impl Into<String>, code: &str, detail: &str) -> Fault {
    Fault {
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

fn said(text: Option<&String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).cloned()
}

impl DraftBody {
    pub fn stored(draft: &TermDraft) -> Result<Self, Problem> {
        let parsed = serde_json::from_str(&draft.body);
        parsed.map_err(|_| StoreError::Corrupt(format!("draft {}", draft.id)).into())
    }

    /// The market for which it would be published: that of the version that it replaces goes before its own.
    pub fn market_in(&self, catalog: &Catalog) -> Option<Market> {
        match self.replaces.and_then(|id| catalog.get(id)) {
            Some(replaced) => replaced.market.clone(),
            None => self.market.as_deref().and_then(Market::from_stored),
        }
    }

    pub fn to_text(&self) -> String {
        // Strings, numbers and booleans always have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A document is only what was uploaded: nobody names another's by its hash.
    pub fn take_documents_of(&mut self, stored: &Self) {
        for variant in &mut self.variants {
            let before = stored.variants.iter().find(|it| it.locale == variant.locale);
            variant.document = before.and_then(|it| it.document.clone());
        }
    }

    /// What can be said is said at once; what is not there yet may come later.
    pub fn check_shape(&self) -> Result<(), Problem> {
        let mut faults = Vec::new();
        if !self.kind.is_empty() && TermType::parse(&self.kind).is_none() {
            faults.push(fault(
                "/type",
                "invalid_type",
                "A type has the form [A-Z][A-Z0-9_]{0,31}.",
            ));
        }
        for (pointer, text) in
            [("/effective_from", &self.effective_from), ("/grace_until", &self.grace_until)]
        {
            if text.as_ref().is_some_and(|text| Instant::parse(text).is_err()) {
                faults.push(fault(pointer, "invalid_instant", "It is not an RFC 3339 instant."));
            }
        }
        if self.summary.as_ref().is_some_and(|text| !is_text(text)) {
            faults.push(fault("/summary", "invalid_text", "At most 200 characters on one line."));
        }
        if said(self.label.as_ref()).is_some_and(|label| !is_label(&label)) {
            faults.push(fault("/label", "invalid_text", "At most 40 characters on one line."));
        }
        for (pointer, reason) in [
            ("/unreadable_ok", &self.unreadable_ok),
            ("/active_content_ok", &self.active_content_ok),
        ] {
            if said(reason.as_ref()).is_some_and(|reason| !is_reason(&reason)) {
                faults.push(fault(pointer, "invalid_text", "At most 200 characters on one line."));
            }
        }
        if self.variants.len() > VARIANTS_MAX {
            faults.push(fault("/variants", "too_many", "At most 40 languages."));
        }
        for (i, variant) in self.variants.iter().enumerate() {
            let locale = format!("/variants/{i}/locale");
            if !is_language_tag(&variant.locale) {
                faults.push(fault(locale, "invalid_locale", "A language tag such as de or pt-BR."));
            } else if self.variants[..i]
                .iter()
                .any(|other| other.locale.eq_ignore_ascii_case(&variant.locale))
            {
                faults.push(fault(locale, "duplicate_locale", "This language is there already."));
            }
            for (name, text) in
                [("title", Some(&variant.title)), ("summary", variant.summary.as_ref())]
            {
                if text.is_some_and(|text| !is_text(text)) {
                    let pointer = format!("/variants/{i}/{name}");
                    let detail = "At most 200 characters on one line.";
                    faults.push(fault(pointer, "invalid_text", detail));
                }
            }
        }
        if faults.is_empty() {
            return Ok(());
        }
        Err(Problem::invalid("invalid_request", "The draft has faults.", faults))
    }

    /// Those that are needed for its documents.
    pub fn reasons(&self) -> Reasons {
        let found = self.obstacles(&Reasons::default());
        let needed = |code: &str, reason: &Option<String>| {
            said(reason.as_ref()).filter(|_| found.iter().any(|it| it.code == code))
        };
        Reasons {
            unreadable: needed(UNREADABLE, &self.unreadable_ok),
            active_content: needed(ACTIVE, &self.active_content_ok),
        }
    }

    /// What its documents lack, or what acts in them, without a reason for publishing it.
    pub fn obstacles(&self, reasons: &Reasons) -> Vec<Fault> {
        let documents = self.variants.iter().enumerate();
        let documents = documents.filter_map(|(i, it)| Some((i, it.document.as_ref()?)));
        let found = documents.flat_map(|(i, document)| {
            let pointer = format!("/variants/{i}/document");
            let obstacles = document.obstacles(reasons);
            obstacles.into_iter().map(move |it| (pointer.clone(), it))
        });
        found
            .map(|(pointer, Obstacle { code, page, detail })| Fault {
                pointer,
                code: code.into(),
                detail,
                replaced_by: None,
                page,
            })
            .collect()
    }

    /// What is mostly a mistake: the same file for two languages.
    pub fn warnings(&self) -> Vec<Fault> {
        let documents = self.variants.iter().enumerate();
        let documents: Vec<_> =
            documents.filter_map(|(i, it)| Some((i, &it.document.as_ref()?.sha256))).collect();
        let repeated = documents.iter().enumerate().filter_map(|(at, (i, sha256))| {
            let (first, _) = documents[..at].iter().find(|(_, other)| other == sha256)?;
            let first = &self.variants[*first].locale;
            let detail = format!("It is the same file, byte for byte, as that of {first}.");
            Some(fault(format!("/variants/{i}/document"), "same_document", &detail))
        });
        repeated.collect()
    }

    /// The version to publish, or all that is missing for it.
    pub fn new_term(&self, now: Instant) -> Result<NewTerm, Vec<Fault>> {
        let mut faults = Vec::new();
        let instant =
            |text: &Option<String>| text.as_deref().and_then(|text| Instant::parse(text).ok());
        let effective_from = instant(&self.effective_from).unwrap_or(now);
        let grace_until = instant(&self.grace_until);
        if grace_until.is_some_and(|until| until <= effective_from) {
            let detail = "The grace must end after the version takes effect.";
            faults.push(fault("/grace_until", "grace_before_effect", detail));
        }
        let kind = TermType::parse(&self.kind);
        if kind.is_none() {
            faults.push(fault("/type", "missing", "Choose a type."));
        }
        if self.minor && self.replaces.is_none() {
            faults.push(fault("/minor", "nothing_to_replace", "A minor version replaces another."));
        }
        if self.variants.is_empty() {
            faults.push(fault("/variants", "missing", "Add at least one language."));
        }
        let mut variants = Vec::new();
        for (i, variant) in self.variants.iter().enumerate() {
            if variant.title.trim().is_empty() {
                faults.push(fault(format!("/variants/{i}/title"), "missing", "Give it a title."));
            }
            match &variant.document {
                None => {
                    let pointer = format!("/variants/{i}/document");
                    faults.push(fault(pointer, "missing", "Upload the PDF of this language."));
                }
                Some(document) => variants.push(Variant {
                    locale: variant.locale.clone(),
                    title: variant.title.clone(),
                    sha256: document.sha256.clone(),
                    summary: said(variant.summary.as_ref()),
                }),
            }
        }
        match kind {
            Some(kind) if faults.is_empty() => Ok(NewTerm {
                kind,
                mandatory: self.mandatory,
                display_order: self.display_order,
                effective_from,
                grace_until,
                replaces: self.replaces,
                material: !self.minor,
                summary: said(self.summary.as_ref()),
                label: said(self.label.as_ref()),
                market: self.market.as_deref().and_then(Market::from_stored),
                instead_of: self.instead_of,
                variants,
                draft: None,
            }),
            _ => Err(faults),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Documents were not examined when they were uploaded to it.
    #[test]
    fn a_draft_of_before_is_uploaded_again_whatever_the_reason() {
        let text = r#"{"type":"A","unreadable_ok":"x","active_content_ok":"x","variants":[
            {"locale":"en","title":"T","document":{"sha256":"aa","bytes":1,"pages":1}}]}"#;
        let mut draft: DraftBody = serde_json::from_str(text).expect("a draft");
        let found = draft.obstacles(&draft.reasons());
        assert_eq!((found.len(), found[0].code.as_str()), (1, UNREADABLE));
        for variant in &mut draft.variants {
            let document = variant.document.as_mut().expect("a document");
            document.findings = Some(Vec::new());
        }
        assert!(draft.obstacles(&draft.reasons()).is_empty());
        assert_eq!(draft.reasons(), Reasons::default(), "a reason that is not needed is not kept");
    }
}

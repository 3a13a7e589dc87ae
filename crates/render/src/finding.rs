//! Findings: content that is missing in the page images, and active content.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// A fact to know before a document is published.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// Number of the page, counted from 1; `None` for the document as a whole.
    pub page: Option<u32>,
    /// The kind of content.
    pub kind: FindingKind,
    /// Name of the field, font, picture or file in the document, or the path to it; may be empty.
    pub name: String,
}

/// The kind of content that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The file declares more pages than it contains.
    Pages,
    /// The drawing commands of a page, or a part of them.
    Content,
    /// An image that cannot be decoded.
    Picture,
    /// A form XObject, pattern or shading that cannot be drawn.
    Graphic,
    /// A font whose glyphs cannot be drawn.
    Font,
    /// A form field without an appearance that can be drawn.
    FormField,
    /// An annotation without an appearance that can be drawn.
    Annotation,
    /// Text that readers show only when a user opens it.
    Note,
    /// A second form in the document, which some readers show instead of its pages.
    Xfa,
    /// Text that is drawn but missing in the reading view.
    Letters,
    /// A script (ISO 32000-2 §12.6.4.17).
    Javascript,
    /// An action that starts a program.
    Launch,
    /// A file embedded in the document.
    EmbeddedFile,
    /// An action that sends the form to a URL.
    SubmitForm,
    /// An action that fills the form from a file.
    ImportData,
    /// An action that opens another file.
    RemoteFile,
    /// Sound, video or 3D content.
    Media,
}

/// The action that a publisher must take about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// The content is missing in the page images, so their readers do not see everything in the
    /// document.
    Missing,
    /// The content can act on the device of a person who opens the PDF.
    Active,
    /// The publisher should check the page.
    Remark,
}

impl FindingKind {
    /// Returns how serious a finding of this kind is.
    pub const fn concern(self) -> Concern {
        match self {
            Self::Pages
            | Self::Content
            | Self::Picture
            | Self::Graphic
            | Self::Font
            | Self::FormField
            | Self::Annotation
            | Self::Note
            | Self::Xfa => Concern::Missing,
            Self::Letters => Concern::Remark,
            Self::Javascript
            | Self::Launch
            | Self::EmbeddedFile
            | Self::SubmitForm
            | Self::ImportData
            | Self::RemoteFile
            | Self::Media => Concern::Active,
        }
    }

    /// Returns a stable code for programs, the same as in JSON.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Content => "content",
            Self::Picture => "picture",
            Self::Graphic => "graphic",
            Self::Font => "font",
            Self::FormField => "form_field",
            Self::Annotation => "annotation",
            Self::Note => "note",
            Self::Xfa => "xfa",
            Self::Letters => "letters",
            Self::Javascript => "javascript",
            Self::Launch => "launch",
            Self::EmbeddedFile => "embedded_file",
            Self::SubmitForm => "submit_form",
            Self::ImportData => "import_data",
            Self::RemoteFile => "remote_file",
            Self::Media => "media",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Pages => "missing pages",
            Self::Content => "content that cannot be read to its end",
            Self::Picture => "a picture that cannot be drawn",
            Self::Graphic => "a graphic that cannot be drawn",
            Self::Font => "a font that cannot be drawn",
            Self::FormField => "a form field whose value is not drawn",
            Self::Annotation => "an annotation that cannot be drawn",
            Self::Note => "a note whose text is not on the page",
            Self::Xfa => "an XFA form, which is not drawn",
            Self::Letters => "text that cannot be read as letters",
            Self::Javascript => "JavaScript",
            Self::Launch => "an action that starts a program",
            Self::EmbeddedFile => "an embedded file",
            Self::SubmitForm => "an action that sends the form",
            Self::ImportData => "an action that imports data",
            Self::RemoteFile => "an action that opens another file",
            Self::Media => "sound, video or 3D content",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.page {
            Some(page) => write!(f, "page {page} has {}", self.kind.description())?,
            None => write!(f, "the document has {}", self.kind.description())?,
        }
        if self.name.is_empty() { Ok(()) } else { write!(f, " ({})", self.name) }
    }
}

/// Maximum number of findings. A malicious document may contain millions.
const FINDINGS_MAX: usize = 200;
const NAME_CHARS_MAX: usize = 100;

/// Findings that all threads collect. Pages finish in any order.
#[derive(Default, Clone)]
pub(super) struct Findings(Arc<Mutex<BTreeSet<Finding>>>);

impl Findings {
    /// Adds a finding. `index` is that of the page, counted from 0.
    pub(super) fn add(&self, index: Option<usize>, kind: FindingKind, name: &str) {
        let page = index.map(|index| u32::try_from(index + 1).unwrap_or(u32::MAX));
        let name = name.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect();
        let mut findings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if findings.len() < FINDINGS_MAX {
            findings.insert(Finding { page, kind, name });
        }
    }

    pub(super) fn has(&self, index: usize, kind: FindingKind) -> bool {
        let page = u32::try_from(index + 1).ok();
        let findings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        findings.iter().any(|finding| finding.page == page && finding.kind == kind)
    }

    pub(super) fn into_list(self) -> Vec<Finding> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

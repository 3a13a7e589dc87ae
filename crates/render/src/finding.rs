//! Findings: content that the page images lack, and content that acts by itself.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// One thing to know before a document is published.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// Counted from 1; none: of the document as a whole.
    pub page: Option<u32>,
    /// The kind of content.
    pub kind: FindingKind,
    /// The name that the document gives to the field, font, picture or file, else the place; may be
    /// empty.
    pub name: String,
}

/// The kind of content that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The file counts more pages than can be found in it.
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
    /// Text that readers show only when somebody opens it.
    Note,
    /// A second form inside of the document that some readers show instead of its pages.
    Xfa,
    /// Drawn, but the reading view lacks it.
    Letters,
    /// A script (ISO 32000-2 §12.6.4.17).
    Javascript,
    /// An action that starts a program.
    Launch,
    /// A file inside of the document.
    EmbeddedFile,
    /// An action that sends the form to an address.
    SubmitForm,
    /// An action that fills the form from a file.
    ImportData,
    /// An action that opens another file.
    RemoteFile,
    /// Sound, film or 3D.
    Media,
}

/// What a publisher must do about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// The page images lack it: who reads them does not see what the document says.
    Missing,
    /// It acts on the device of whoever opens the PDF.
    Active,
    /// Worth a look.
    Remark,
}

impl FindingKind {
    /// How serious a finding of this kind is.
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

    /// A stable code for programs, the same as in JSON.
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

    const fn words(self) -> &'static str {
        match self {
            Self::Pages => "pages that are missing",
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
            Self::Media => "sound, film or 3D",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.page {
            Some(page) => write!(f, "page {page} has {}", self.kind.words())?,
            None => write!(f, "the document has {}", self.kind.words())?,
        }
        if self.name.is_empty() { Ok(()) } else { write!(f, " ({})", self.name) }
    }
}

/// A hostile document has millions; a person reads the first.
const FINDINGS_MAX: usize = 200;
const NAME_CHARS_MAX: usize = 100;

/// Gathered by all threads; pages finish in any order.
#[derive(Default, Clone)]
pub(super) struct Findings(Arc<Mutex<BTreeSet<Finding>>>);

impl Findings {
    /// `index` of the page, counted from 0.
    pub(super) fn add(&self, index: Option<usize>, kind: FindingKind, name: &str) {
        let page = index.map(|index| u32::try_from(index + 1).unwrap_or(u32::MAX));
        let name = name.chars().filter(|c| !c.is_control()).take(NAME_CHARS_MAX).collect();
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() < FINDINGS_MAX {
            found.insert(Finding { page, kind, name });
        }
    }

    pub(super) fn has(&self, index: usize, kind: FindingKind) -> bool {
        let page = u32::try_from(index + 1).ok();
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.iter().any(|finding| finding.page == page && finding.kind == kind)
    }

    pub(super) fn into_list(self) -> Vec<Finding> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

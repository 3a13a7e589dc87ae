use serde::{Deserialize, Serialize};

/// Why a document has no page images. The sentence is for the person who publishes it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum RenderError {
    /// There is no PDF header.
    #[error("The file is not a PDF document.")]
    NotAPdf,
    /// More bytes than [`crate::Limits::input_bytes`].
    #[error("The document is larger than {limit_bytes} bytes.")]
    TooLarge {
        /// The limit.
        limit_bytes: usize,
    },
    /// More pages than [`crate::Limits::pages`].
    #[error("The document has {pages} pages; at most {limit} are possible.")]
    TooManyPages {
        /// Pages of the document.
        pages: usize,
        /// The limit.
        limit: usize,
    },
    /// Encrypted with a user password.
    #[error("The document needs a password to be opened. Save it without one.")]
    Encrypted,
    /// The PDF is malformed.
    #[error("The document cannot be read: {reason}.")]
    Unreadable {
        /// The parser's words.
        reason: String,
    },
    /// It may be damaged, or meant to do harm.
    #[error("The document makes the program that draws it fail.")]
    Crashed,
    /// Longer than [`crate::Limits::time`].
    #[error("Drawing the document took longer than {limit_s} seconds.")]
    TimedOut {
        /// The limit in seconds.
        limit_s: u64,
    },
    /// More than [`crate::Limits::memory_bytes`].
    #[error("Drawing the document needs more memory than is allowed.")]
    OutOfMemory,
    /// More than [`crate::Limits::image_bytes`].
    #[error("The pictures of the pages take more than {limit_bytes} bytes.")]
    ImagesTooLarge {
        /// The limit.
        limit_bytes: usize,
    },
    /// Nothing is wrong with the document as far as is known.
    #[error("The document could not be drawn now: {reason}.")]
    Unavailable {
        /// The error of the system.
        reason: String,
    },
}

impl RenderError {
    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAPdf => "document_not_pdf",
            Self::TooLarge { .. } => "document_too_large",
            Self::TooManyPages { .. } => "document_too_many_pages",
            Self::Encrypted | Self::Unreadable { .. } | Self::Crashed => "document_unreadable",
            Self::TimedOut { .. } => "document_render_timeout",
            Self::OutOfMemory | Self::ImagesTooLarge { .. } => "document_render_memory",
            Self::Unavailable { .. } => "document_render_unavailable",
        }
    }

    /// Whether the content of the document is at fault, so that somebody may have a reason to publish it
    /// all the same. False for a file that is no PDF, is too large, or could not be read now.
    pub fn is_of_content(&self) -> bool {
        !matches!(self, Self::NotAPdf | Self::TooLarge { .. } | Self::Unavailable { .. })
    }

    pub(super) fn unreadable(reason: impl Into<String>) -> Self {
        Self::Unreadable { reason: reason.into() }
    }
}

use serde::{Deserialize, Serialize};

/// The reason why a document has no page images. The message is for the person who publishes the
/// document.
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
    #[error("The document has {pages} pages; the maximum is {limit}.")]
    TooManyPages {
        /// Number of pages of the document.
        pages: usize,
        /// The limit.
        limit: usize,
    },
    /// Encrypted with a user password.
    #[error(
        "The document needs a password to be opened. Save it without a password and upload it again."
    )]
    Encrypted,
    /// The PDF is malformed.
    #[error("The document cannot be read: {reason}.")]
    Unreadable {
        /// The reason, as a clause.
        reason: String,
    },
    /// The document crashes the renderer. It may be damaged or malicious.
    #[error("The document crashes the renderer. It may be damaged or malicious.")]
    Crashed,
    /// Rendering took longer than [`crate::Limits::time`].
    #[error("Rendering the document took longer than {limit_s} seconds.")]
    TimedOut {
        /// The limit in seconds.
        limit_s: u64,
    },
    /// Rendering used more than [`crate::Limits::memory_bytes`].
    #[error("Rendering the document needs more memory than the limit allows.")]
    OutOfMemory,
    /// The images have more than [`crate::Limits::image_bytes`].
    #[error("The page images are larger than {limit_bytes} bytes.")]
    ImagesTooLarge {
        /// The limit.
        limit_bytes: usize,
    },
    /// Rendering failed for a reason that is not in the document.
    #[error("The document cannot be rendered at the moment: {reason}. Try again later.")]
    Unavailable {
        /// The error of the operating system.
        reason: String,
    },
}

impl RenderError {
    /// Returns a stable code for programs.
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

    /// Returns whether the content of the document caused the error. A user may then have a reason
    /// to publish it anyway. It is false for a file that is not a PDF, is too large, or could not
    /// be read at the moment.
    pub fn is_of_content(&self) -> bool {
        !matches!(self, Self::NotAPdf | Self::TooLarge { .. } | Self::Unavailable { .. })
    }

    pub(super) fn unreadable(reason: impl Into<String>) -> Self {
        Self::Unreadable { reason: reason.into() }
    }
}

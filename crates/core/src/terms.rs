//! Terms, their versions, and the rules that accept or reject a submission.
//!
//! Storage of terms and decisions is in `musette-store`; the JSON format is in `musette`.

mod catalog;
mod decision;
mod ending;
mod ending_change;
mod gate;
mod import;
mod locale;
mod narrowing;
mod notices;
mod order;
mod outstanding;
mod publication;
mod receipt;
mod stored_locale;
mod submission;
mod term;
mod text_language;

pub use catalog::Catalog;
pub use decision::{Decision, Decisions, EffectiveDecision, Outcome};
pub use ending::{Ending, Endings};
pub use ending_change::{EndingChange, EndingChanged, TermEndError};
pub use gate::GateAnswer;
pub use import::{DecisionHistory, ImportCheck};
pub use locale::{
    choose_language, choose_locale, is_language_tag, language_ranges, lookup_language,
};
pub use order::{DocumentVersions, documents, reordered};
pub use outstanding::{Outstanding, outstanding};
pub use publication::{
    DraftOfTerm, NewTerm, Placement, PublicationError, PublicationMarketError, Replacement,
};
pub use receipt::{ReceiptId, ReceiptKey, new_entry_id};
pub use stored_locale::StoredLocale;
pub use submission::{
    DecisionRecord, DeviceClock, Evidence, Method, SubmissionRefusal, SubmissionRule,
    SubmittedDecision, ValidSubmission, Violation, check, is_ahead_of_server,
};
pub use term::{Term, TermId, TermKind, TermType, UserType, Variant, is_label, is_sha256};
pub use text_language::{detect_language, is_other_language};

//! Terms, their versions, and the rules that accept or reject a submission.
//!
//! Storage of terms and decisions is in `musette-store`; the JSON format is in `musette`.

mod catalog;
mod decision;
mod ending;
mod ending_change;
mod gate;
mod import;
mod kept_locale;
mod locale;
mod narrowing;
mod notices;
mod order;
mod outstanding;
mod publication;
mod receipt;
mod submission;
mod term;

pub use catalog::Catalog;
pub use decision::{Decision, Decisions, EffectiveDecision, Outcome};
pub use ending::{Ending, Endings};
pub use ending_change::{EndingChange, EndingChanged, TermEndError};
pub use gate::GateAnswer;
pub use import::{DecisionHistory, ImportCheck};
pub use kept_locale::StoredLocale;
pub use locale::{choose_language, choose_locale, is_language_tag, language_ranges};
pub use order::{DocumentVersions, documents, reordered};
pub use outstanding::{Outstanding, outstanding};
pub use publication::{
    DraftOfTerm, NewTerm, Placement, PublicationError, PublicationMarketError, Replacement,
};
pub use receipt::{ReceiptId, ReceiptKey};
pub use submission::{
    Accepted, DecisionRecord, Evidence, Method, Refusal, SubmissionRule, SubmittedDecision,
    Violation, check, is_ahead_of_server,
};
pub use term::{Term, TermId, TermKind, TermType, UserType, Variant, is_label, is_sha256};

//! Decisions about riders: evaluations of their work, and what decisions of every kind have in
//! common.
//!
//! [`table`] has the transitions as data, [`judge`] applies them, [`lapse`] makes an evaluation
//! final, [`record`] commits to the decision, and [`receipt`] proves it. The shared parts
//! ([`fields`], [`record`], [`receipt`]) are the same for evaluations and restrictions.
//!
//! Not here: the storage of evaluations, and who has which role.

mod allowed;
pub mod evaluation;
pub mod fields;
pub mod judge;
pub mod lapse;
pub mod receipt;
pub mod record;
pub mod report;
pub mod restrictions;
pub mod suppression;
pub mod systems;
pub mod table;

pub use allowed::{allowed, judge};
pub use evaluation::{By, Discussion, Evaluation, Message, Rules, Side, WorkSubject};
pub use fields::{FIGURE_MAX, FieldError, Figures, REASONS_MAX, Reason, System, check_reasons};
pub use judge::{Caller, Refusal, Request, Requested, judge_message};
pub use lapse::{Settled, settle};
pub use receipt::{DecisionReceipt, DecisionReceiptError, VerifiedDecision};
pub use record::{Decided, RecordError, canonical, commitment};
pub use table::Status;

#[cfg(test)]
mod picture;
#[cfg(test)]
mod tests;

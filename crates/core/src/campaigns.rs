//! Campaigns: messages that inform riders about a term or a notice, with proof of each text.
//!
//! A campaign has steps. Each step has a time and a channel. A rider gets at most one message for
//! each step. The messages of a step are collected in batches, and the log has the Merkle root of
//! each batch, so that one message is proved without the others.
//!
//! Sending, the store and the time of day are in other crates.

mod batch;
mod check;
mod definition;
mod message;
mod period;
mod proof;
mod recipient;
mod report;
mod template;

pub use batch::{BATCH_MESSAGES_MAX, leaf, path, root, verify};
pub use check::CampaignFieldError;
pub use definition::{
    CampaignAction, CampaignDefinition, CampaignStatus, CampaignStep, CampaignText, Channel,
    StepDate, StepTime,
};
pub use message::{Attempt, MessageRecord, RETRIES_MAX, RETRY_AFTER, text_sha256};
pub use period::Period;
pub use proof::{MessageReceipt, MessageReceiptError, VerifiedMessage};
pub use recipient::{Reachability, SkipReason};
pub use report::{DeliveryReport, ReportError, enhanced_status};
pub use template::{Values, fill, unknown_placeholder};

//! What is remembered: the only SQL of Musette, one text for SQLite and PostgreSQL.
//!
//! Not here: HTTP, rules (they are in `musette-core`), a clock (every function takes `now`).

mod allowances;
mod audit;
mod backup;
mod batch;
mod claims;
mod codes;
mod consents;
mod control;
mod coverage;
mod db;
mod deliveries;
mod directory;
mod documents;
mod drafts;
mod erasure;
mod error;
mod exports;
mod exposures;
mod flags;
mod identities;
mod imports;
mod log;
mod metrics;
mod parts;
mod people;
mod people_search;
mod rotator;
mod secrets;
mod sessions;
mod sign_in;
mod signing_keys;
mod sticky;
mod term_order;
mod terms;
mod views;
mod writer;

#[cfg(test)]
mod tests;

pub use audit::{AuditCount, AuditEntry, AuditEvent, AuditFilter};
pub use backup::{Continuing, RestoreError};
pub use claims::{Claim, Claimed};
pub use codes::{Guessed, NewCode};
pub use consents::HistoryEntry;
pub use control::Node;
pub use coverage::{RiderStanding, Standing, Tally};
pub use db::{Engine, Store};
pub use deliveries::Deliveries;
pub use directory::{Person, PersonFilter};
pub use documents::{DocumentName, DocumentPart, NewDocument};
pub use drafts::TermDraft;
pub use error::StoreError;
pub use exports::{ConsentFilter, ConsentPlace, ExportedConsent};
pub use exposures::{ArmUnits, Hash, Inserted, NewExposure, Series};
pub use flags::{
    EnvironmentHead, FlagChange, FlagEnvironment, FlagKey, FlagUsage, FlagVersion, LiveFlagKey,
    NewFlagChange, NewFlagKey, NewFlagVersion, WaitingChange,
};
pub use imports::{ImportOutcome, ImportedDecision, Pasts};
pub use log::{
    Evidence, Fault, LastVerified, Log, NewLog, ReceiptHolder, ReceiptOwner, StoredReceipt,
    Verified as VerifiedLog,
};
pub use metrics::{Aggregation, ArmSums, MetricQuery, NewMetricValue};
pub use people::{NewUser, User};
pub use rotator::{Acknowledgement, RotateTo, Rotator};
pub use secrets::{SecretsFault, SecretsKeys};
pub use sessions::{Ending, LiveSession, NewSession, Session, SessionRotation};
pub use sign_in::{Credentials, SecondFactor, Throttle};
pub use signing_keys::SigningKeyRow;
pub use sticky::{NewAssignment, StickyRow};
pub use terms::{NewTerm, PublishRefusal, Replacing};
pub use views::{Funnel, OpenedTerm, ShownTerm, TermView};
#[cfg(feature = "bench")]
pub use writer::WITHOUT_LOG;
pub use writer::{
    Continues, Idempotency, Outcome, Recorded, RecordedEntry, Submission, Submitter, Writer,
};

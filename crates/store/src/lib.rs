//! The database layer: all SQL of Musette, with one text for SQLite and PostgreSQL.
//!
//! # Errors
//! Every call of [`Store`] may fail with a [`StoreError`]. [`StoreError::is_unavailable`] tells
//! whether a retry of the same call may succeed. A request that breaks a business rule is a value
//! of the result and never an error.
//!
//! Not here: HTTP, business rules (they are in `musette-core`), a clock (every function takes
//! `now`).

#![warn(missing_docs)]

mod approvals;
mod audit;
mod backup;
mod campaigns;
mod changes;
mod cluster;
mod connections;
mod consents;
mod db;
mod decisions;
mod experiments;
mod first_steps;
mod flags;
mod gate;
mod log;
mod markets;
mod notices;
mod outbox;
mod people;
mod service_keys;
mod session_ends;
mod sessions;
mod terms;
mod traces;
mod webhooks;
mod writer;

#[cfg(test)]
mod tests;

pub use approvals::clearance::{BreakGlass, Clearance};
pub use approvals::independence::CredentialPart;
pub use approvals::notices::{ApprovalNotice, NotifiedPerson};
pub use approvals::proposals::{
    ActionApproval, NewProposal, PROPOSAL_VOTES, Proposal, RULES as RULE_PROPOSALS,
};
pub use approvals::weakening::{WeakenedRule, weakened};
pub use approvals::{Approval, ApprovalRule, NewVote, VoteOutcome};
pub use audit::{AuditCount, AuditEntry, AuditEvent, AuditFilter, EVENTS as AUDIT_EVENTS};
pub use backup::lines::BackupCheck;
pub use backup::move_error::MoveError;
pub use backup::moving::MoveState;
pub use backup::seal::{Authenticity, BackupTrust};
pub use backup::{BACKUP_BEGINS, LogContinuation, RestoreError};
pub use campaigns::passes::{Pass, Preparing};
pub use campaigns::people::{MessageCount, PersonMessage};
pub use campaigns::proofs::MessageProof;
pub use campaigns::recipients::{Audience, Recipient};
pub use campaigns::reports::{OfferedMessage, ReportOutcome};
pub use campaigns::sending::{Compose, ComposedText, LeaseLimits, Leased, LeasedMessage};
pub use campaigns::settling::SettledMessage;
pub use campaigns::{Campaign, NewPass};
pub use changes::ChangeWatcher;
pub use cluster::ClusterNode;
pub use connections::Connections;
pub use consents::as_of::AsOf;
pub use consents::claims::{ClaimOutcome, NewClaim};
pub use consents::coverage::{CountedDecisions, DecisionGroup, RiderDecision};
pub use consents::exports::{ConsentFilter, ConsentPlace, ExportedConsent};
pub use consents::imports::{DecisionHistories, ImportOutcome, ImportedDecision};
pub use consents::{HistoryEntry, SubmissionCounts};
pub use db::change_numbers::ChangeNumbers;
pub use db::error::{SecretsError, StoreError};
pub use db::health::{Durability, Pages};
pub use db::hosts::shown_database;
pub use db::migrations::Migrations;
pub use db::replication::Replication;
pub use db::secrets::SecretsKeys;
pub use db::wal::{
    CopyError, RebuiltDatabase, WalCopies, reach as copies_reach, rebuild as rebuild_copy,
};
pub use db::warned::{NOTICES, note_warning};
pub use db::{Engine, POSTGRES_CONNECTIONS, Store};
pub use decisions::restrictions::{
    NewRestriction, RESTRICTIONS_SUBJECT, RestrictionAction, RestrictionChange, RestrictionFilter,
    RestrictionOf, RestrictionOutcome, RestrictionPlace, RestrictionRecord,
};
pub use decisions::systems::{SystemDraft, SystemDraftSaved, system_sha256};
pub use decisions::{
    Action, AnswerTimes, AssignOutcome, Author, Change, ChangeOutcome, ChangeOutcomes,
    DecisionCounts, DiscussionCounts, EvaluationAssignment, EvaluationCount, EvaluationFilter,
    EvaluationOf, EvaluationPlace, Excusal, ExcusalItem, ExcusalResult, ExcusalScheduled,
    HistoryRecord, NewEvaluation, NewEvaluationAssignment, NewExcusal, NewReply, Randomness,
    ReadAt, Reminder, Render, Reply, RestrictionCount, ReviewRule, StoredDecisionReceipt,
    WorkFilter, Written,
};
pub use experiments::days::{DaySums, Since};
pub use experiments::decisions::{ExperimentDecision, NewDecision};
pub use experiments::exposures::{ArmUnits, Inserted, NewExposure, Series, ShortHash};
pub use experiments::metrics::{Aggregation, ArmSums, MetricQuery, NewMetricValue};
pub use experiments::sticky::{NewAssignment, StickyRow};
pub use first_steps::FirstSteps;
pub use flags::{
    ChangedObject, EnvironmentHead, FlagChange, FlagEnvironment, FlagKey, FlagUsage, FlagVersion,
    LiveFlagKey, NewFlagChange, NewFlagKey, NewFlagVersion, PROPOSED, ReleasedFlag, Releases,
    VersionFilter, VersionObject, WaitingChange,
};
pub use gate::ERASED_TOLD;
pub use gate::maintenance::{GateState, GateTermCache};
pub use gate::page::{GateItem, GatePage, GatePlace};
pub use log::{
    EntryText, IntegrityError, LastTimeStamp, LastVerified, Log, LogVerification, NewLog,
    NewTimeStamp, NewestEntry, ProvenEntry, Publication, ReceiptHolder, ReceiptOwner, SignedHead,
    StampedHead, StoredReceipt, StoredTimeStamp, SubmissionEntry, TimeStampRow,
};
pub use markets::filter::MarketFilter;
pub use markets::{DeclaredMarket, MarketRemoval, Move};
pub use notices::{
    NewNoticeOpening, NoticeCounts, NoticeOpening, NoticeOpeningReceipt, NoticeReception,
    NoticeState, PushSaved, PushSubscription,
};
pub use outbox::EVENT_TYPES;
pub use outbox::read::{EventPage, StoredEvent, event_id};
pub use people::bulk::{ImportedPerson, PeopleImport};
pub use people::contact::{ContactChange, ContactDetails, ContactNotice};
pub use people::directory::{Person, PersonFilter};
pub use people::former::FormerForms;
pub use people::personal_data::{AssignmentRow, Participation, StoredExposure, StoredMetricValue};
pub use people::{NewUser, User};
pub use service_keys::ServiceKey;
pub use sessions::codes::{GuessOutcome, NewCode};
pub use sessions::deliveries::Deliveries;
pub use sessions::rotator::{Acknowledgement, RotateTo, Rotator};
pub use sessions::sign_in::{Credentials, SecondFactor, Throttle};
pub use sessions::signing_keys::SigningKeyRow;
pub use sessions::{LiveSession, NewSession, Session, SessionRotation, SessionsToEnd};
pub use terms::documents::{DocumentName, DocumentPart, NewDocument, SpooledPart};
pub use terms::drafts::{DraftText, TermDraft};
pub use terms::views::{Funnel, OpenedTerm, ShownTerm, TermView};
pub use traces::{TRACES, set_traceparent_source};
pub use webhooks::deliveries::{DeliveryResult, WebhookDelivery};
pub use webhooks::{NewWebhookSecret, Webhook, WebhookSettings};
pub use writer::{
    ANSWERED_WITHIN, EarlierReceipt, HeldUntilRecorded, Idempotency, RecordedDecision,
    RecordedSubmission, Submission, SubmissionOutcome, Submitter, Writer,
};

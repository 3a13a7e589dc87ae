use std::collections::BTreeMap;

use musette_core::instant::Instant;
use musette_core::log::entry::{Consent, Evidence, Method, Submission, UserType};
use musette_core::terms::{Catalog, Outcome};
use musette_store::{
    AssignmentRow, NoticeOpeningReceipt, Participation, StoredExposure, StoredMetricValue, TermView,
};
use serde::Serialize;
use serde_json::Value;

use crate::http::access::audit_log::AuditEntryBody;
use crate::http::campaigns::people::MessageProofBody;
use crate::http::decisions::receipts::DecisionReceiptBody;
use crate::http::evidence::receipts::Receipt;
use crate::http::notices::rider::RecordedOpening;
use crate::http::people::PersonBody;
use crate::http::people::sessions::PersonSession;
use crate::platform::closed_sets;

/// A copy of all data of one person (GDPR article 15).
#[derive(Serialize, utoipa::ToSchema)]
pub struct PersonData {
    /// The time of the copy.
    #[schema(format = DateTime)]
    pub made_at: String,
    /// True if the copy is complete. False: the oldest data is left out, because there are more
    /// than 10,000 submissions or 10,000 audit entries.
    pub is_complete: bool,
    /// The person.
    pub person: PersonBody,
    /// The sessions that have not ended, last used first.
    pub sessions: Vec<PersonSession>,
    /// The terms that were shown to the person before a decision, newest first.
    pub terms_shown: Vec<PersonView>,
    /// The decisions, newest first: those of the newest 10,000 submissions.
    pub decisions: Vec<PersonDecision>,
    /// The receipts of these decisions, newest first.
    pub receipts: Vec<Receipt>,
    /// The receipts of all versions and messages of evaluations of the person's work. Each has the
    /// whole record.
    pub evaluation_receipts: Vec<DecisionReceiptBody>,
    /// The receipts of all versions of restrictions of the person, without proposals that are not
    /// decided. Each has the whole record.
    pub restriction_receipts: Vec<DecisionReceiptBody>,
    /// The notices that the person opened, oldest first, with their proofs.
    pub notice_openings: Vec<PersonOpening>,
    /// The proofs of the messages of campaigns that were sent to the person, oldest first.
    pub message_proofs: Vec<MessageProofBody>,
    /// The submissions that the person made as an applicant and claimed.
    pub claims: Vec<PersonClaim>,
    /// The data of experiments and holdouts about the person.
    pub experiments: PersonExperiments,
    /// The audit entries that affect the person or that they caused, newest first, at most 10,000.
    /// Other people are not named.
    pub audit: Vec<AuditEntryBody>,
    /// All other rows about the person by the name of their table, without secrets. The members may
    /// change with each version.
    #[schema(value_type = Object)]
    pub records: BTreeMap<&'static str, Vec<Value>>,
}

/// A term that was shown to a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonView {
    /// The id of the term version.
    terms_and_conditions_id: i64,
    /// The time at which it was first shown.
    #[schema(format = DateTime)]
    shown_at: String,
    /// The time at which the document was first opened. Absent if it was not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    opened_at: Option<String>,
}

/// A notice that a person opened, with the proof of its log entry.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonOpening {
    #[serde(flatten)]
    opening: RecordedOpening,
    /// The canonical text of the log entry.
    entry: String,
    /// The proof that the entry is in the log, as C2SP `tlog-proof@v1`.
    proof: String,
    /// The key that links the entry to the person, in base64url.
    #[schema(pattern = "^[A-Za-z0-9_-]{43}$")]
    subject_key: String,
}

impl From<NoticeOpeningReceipt> for PersonOpening {
    fn from(receipt: NoticeOpeningReceipt) -> Self {
        let NoticeOpeningReceipt { opening, entry, proof, subject_key, .. } = receipt;
        Self { opening: opening.into(), entry, proof, subject_key }
    }
}

fn text(at: i64) -> String {
    Instant::from_millis(at).to_string()
}

impl From<TermView> for PersonView {
    fn from(view: TermView) -> Self {
        Self {
            terms_and_conditions_id: view.term_id,
            shown_at: text(view.shown_at),
            opened_at: view.opened_at.map(text),
        }
    }
}

/// A decision of a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonDecision {
    /// The id of the term version.
    terms_and_conditions_id: i64,
    /// The type of the term. Empty if the version no longer exists.
    #[serde(rename = "type")]
    kind: String,
    /// The title in the language that was shown. Empty if the version no longer exists.
    title: String,
    /// The name of the version: its label, or else its number. Empty if the version no longer
    /// exists.
    version: String,
    /// The language of the document. Absent if the version has no such document.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    /// The language of the screen, as the app sent it. Absent if the app did not send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    locale: Option<String>,
    /// The SHA-256 of the document, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// The source of the information which document was shown.
    #[schema(value_type = closed_sets::EvidenceKind)]
    evidence: &'static str,
    /// The role in which the person decided.
    #[schema(value_type = closed_sets::UserType)]
    user_type: &'static str,
    /// True: accepted. False: refused or withdrawn.
    accepted: bool,
    /// The decision: accepted, declined or withdrawn.
    #[schema(value_type = closed_sets::DecisionOutcome)]
    decision: &'static str,
    /// The way in which the person decided. Absent if the app did not send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::ConsentMethod>)]
    method: Option<&'static str>,
    /// True if the document was opened. Absent if the app did not send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    opened: Option<bool>,
    /// The furthest page that was displayed, counted from 1. Absent if the app did not send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_page: Option<u32>,
    /// The time of the decision, as the person's device sent it.
    #[schema(format = DateTime)]
    consented_at: String,
    /// The time at which the decision was recorded, by the server's clock.
    #[schema(format = DateTime)]
    recorded_at: String,
    /// The id of the submission's receipt.
    receipt_id: String,
    /// The build of the app. Absent if the app did not send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    app: Option<String>,
}

impl PersonDecision {
    pub fn new(
        consent: &Consent,
        submission: &Submission,
        receipt_id: &str,
        app: Option<&String>,
        catalog: &Catalog,
        outcome: Outcome,
    ) -> Self {
        let term = catalog.get(consent.terms_and_conditions_id);
        let variants = term.map(|term| term.variants.as_slice()).unwrap_or_default();
        let shown = variants.iter().find(|variant| variant.sha256 == consent.sha256);
        let variant = shown.or(variants.first());
        Self {
            terms_and_conditions_id: consent.terms_and_conditions_id,
            kind: term.map_or_else(String::new, |term| term.kind.as_str().to_owned()),
            title: variant.map_or_else(String::new, |variant| variant.title.clone()),
            version: term.map_or_else(String::new, musette_core::terms::Term::version_name),
            language: shown.map(|variant| variant.locale.clone()),
            locale: submission.locale.clone(),
            sha256: consent.sha256.clone(),
            evidence: match consent.evidence {
                Evidence::Presented => "presented",
                Evidence::Inferred => "inferred",
                Evidence::Imported => "imported",
            },
            user_type: match submission.user_type {
                UserType::Rider => "RIDER",
                UserType::Applicant => "APPLICANT",
            },
            accepted: consent.accepted,
            decision: outcome.as_str(),
            method: consent.method.map(|method| match method {
                Method::Tick => "tick",
                Method::AgreeAll => "agree_all",
            }),
            opened: consent.opened,
            last_page: consent.last_page,
            consented_at: consent.consented_at.clone(),
            recorded_at: submission.recorded_at.clone(),
            receipt_id: receipt_id.to_owned(),
            app: app.cloned(),
        }
    }
}

/// A claim of a submission that the person made as an applicant.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonClaim {
    /// The id of the submission's receipt.
    pub receipt_id: String,
    /// The index of the claim's entry in the log, counted from 0.
    pub log_index: u64,
    /// The log entry: canonical JSON (RFC 8785).
    pub entry: String,
}

/// The data of experiments and holdouts about a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonExperiments {
    /// The variations that are stored for the person.
    assignments: Vec<PersonAssignment>,
    /// The participations that were counted.
    exposures: Vec<PersonExposure>,
    /// The values of metrics that were reported.
    values: Vec<PersonValue>,
}

/// A variation that is stored for a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonAssignment {
    /// The environment of the flags.
    environment: String,
    /// The key of the experiment.
    experiment: String,
    /// The key of the variation.
    variation: String,
    /// The time of the assignment.
    #[schema(format = DateTime)]
    at: String,
}

/// A participation that was counted.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonExposure {
    /// The environment of the flags.
    environment: String,
    /// `experiment` or `holdout`.
    series: String,
    /// The key of the experiment or holdout.
    name: String,
    /// The phase of the experiment.
    phase: i64,
    /// The variation or group.
    arm: String,
    /// The time of the participation.
    #[schema(format = DateTime)]
    at: String,
}

/// A reported value of a metric.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonValue {
    /// The environment of the flags.
    environment: String,
    /// The key of the metric.
    name: String,
    /// The value.
    value: f64,
    /// The time of the value.
    #[schema(format = DateTime)]
    at: String,
}

impl From<Participation> for PersonExperiments {
    fn from(participation: Participation) -> Self {
        let assignment = |row: AssignmentRow| PersonAssignment {
            environment: row.environment,
            experiment: row.experiment,
            variation: row.variation,
            at: text(row.at),
        };
        let exposure = |row: StoredExposure| PersonExposure {
            environment: row.environment,
            series: row.kind,
            name: row.name,
            phase: row.phase,
            arm: row.arm,
            at: text(row.at),
        };
        let value = |row: StoredMetricValue| PersonValue {
            environment: row.environment,
            name: row.name,
            value: row.value,
            at: text(row.at),
        };
        Self {
            assignments: participation.assignments.into_iter().map(assignment).collect(),
            exposures: participation.exposures.into_iter().map(exposure).collect(),
            values: participation.values.into_iter().map(value).collect(),
        }
    }
}

/// Converts timestamps from milliseconds since 1970 to RFC 3339.
pub fn readable(row: &mut Value) {
    let Some(members) = row.as_object_mut() else { return };
    for (name, value) in members {
        let is_instant =
            name == "at" || ["_at", "_until", "_due"].iter().any(|ending| name.ends_with(ending));
        if let Some(at) = value.as_i64().filter(|_| is_instant) {
            *value = text(at).into();
        }
    }
}

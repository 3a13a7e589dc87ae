//! Exports decisions as CSV, as JSON lines, or as ISO/IEC TS 27560 records in DPV.

mod dpv;

use std::sync::Arc;

use crate::platform::closed_sets;
use clap::ValueEnum;
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, ReceiptKey};
use musette_store::{ConsentFilter, ConsentPlace, ExportedConsent, Store, StoreError};
use serde::Serialize;

/// The number of decisions that are read and written at once.
pub const ROWS_AT_ONCE: i64 = 1000;
/// The number of the first decisions, so that a download starts soon even if few decisions match
/// the filter.
const FIRST_ROWS: i64 = 100;

/// The columns. The first nine are fixed by the contract; later ones are appended.
const COLUMNS: [&str; 16] = [
    "receipt_id",
    "user_id",
    "user_type",
    "terms_and_conditions_id",
    "accepted",
    "consented_at",
    "recorded_at",
    "sha256",
    "evidence",
    "title",
    "version",
    "label",
    "language",
    "market",
    "amr",
    "decision",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    Csv,
    Jsonl,
    /// ISO/IEC TS 27560 records in the Data Privacy Vocabulary, as JSON-LD
    Dpv,
}

impl ExportFormat {
    pub fn parse(text: &str) -> Option<Self> {
        <Self as ValueEnum>::from_str(text, false).ok()
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Jsonl => "application/x-ndjson",
            Self::Dpv => "application/ld+json",
        }
    }

    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Dpv => "jsonld",
        }
    }
}

/// A decision of a person on a term version.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ExportedDecision {
    /// The ID of the submission's receipt.
    pub receipt_id: String,
    /// The user id. Empty for an applicant and for an erased person.
    pub user_id: String,
    /// The role in which the submission was made.
    #[schema(value_type = closed_sets::UserType)]
    pub user_type: String,
    /// The ID of the term version.
    pub terms_and_conditions_id: i64,
    /// True if the person accepted; false if they declined or withdrew.
    pub accepted: bool,
    /// The decision: accepted, declined or withdrawn.
    #[schema(value_type = closed_sets::DecisionOutcome)]
    pub decision: &'static str,
    /// The time of the decision, by the clock of the person's device.
    #[schema(format = DateTime)]
    pub consented_at: String,
    /// The time at which the decision was recorded, by the server's clock.
    #[schema(format = DateTime)]
    pub recorded_at: String,
    /// The SHA-256 of the document that the decision was made on, in lower-case hexadecimal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// The source of the information which document was shown.
    #[schema(value_type = closed_sets::EvidenceKind)]
    pub evidence: String,
    /// The person's market at the time of recording. Absent if it was unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market: Option<String>,
    /// The sign-in methods of the session: authentication method references (RFC 8176). Absent for
    /// applicants, for imported decisions, and for decisions that an earlier version of the server
    /// recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amr: Option<Vec<String>>,
}

impl ExportedDecision {
    pub fn new(consent: ExportedConsent, receipts: &ReceiptKey) -> Self {
        let decision = consent.outcome().as_str();
        Self {
            receipt_id: receipts.id(consent.seq, &consent.entry_id),
            user_id: consent.user_id,
            user_type: consent.user_type,
            terms_and_conditions_id: consent.term_id,
            decision,
            accepted: consent.accepted,
            consented_at: Instant::from_millis(consent.consented_at).to_string(),
            recorded_at: Instant::from_millis(consent.recorded_at).to_string(),
            sha256: consent.sha256,
            evidence: consent.evidence,
            market: consent.market,
            amr: consent.amr.map(|methods| methods.split(' ').map(str::to_owned).collect()),
        }
    }

    /// Returns the cells in the order of the columns.
    fn cells(self, shown: ShownDocument) -> [String; COLUMNS.len()] {
        let ShownDocument { title, version, label, language } = shown;
        [
            self.receipt_id,
            self.user_id,
            self.user_type,
            self.terms_and_conditions_id.to_string(),
            self.accepted.to_string(),
            self.consented_at,
            self.recorded_at,
            self.sha256,
            self.evidence,
            title,
            version,
            label,
            language,
            self.market.unwrap_or_default(),
            self.amr.unwrap_or_default().join(" "),
            self.decision.to_owned(),
        ]
    }
}

/// Descriptions of the document that was decided on; empty if unknown.
struct ShownDocument {
    /// The title in the language that was shown.
    title: String,
    version: String,
    label: String,
    language: String,
}

impl ShownDocument {
    fn of(consent: &ExportedConsent, catalog: &Catalog) -> Self {
        let term = catalog.get(consent.term_id);
        let variants = term.map(|term| term.variants.as_slice()).unwrap_or_default();
        let exact = variants.iter().find(|variant| variant.sha256 == consent.sha256);
        let best = exact.or(variants.first());
        Self {
            title: best.map_or_else(String::new, |variant| variant.title.clone()),
            version: consent.version.to_string(),
            label: term.and_then(|term| term.label.clone()).unwrap_or_default(),
            language: exact.map_or_else(String::new, |variant| variant.locale.clone()),
        }
    }
}

/// An export that is written piece by piece.
pub struct Export {
    store: Arc<Store>,
    receipts: ReceiptKey,
    catalog: Arc<Catalog>,
    /// The origin of the log.
    origin: String,
    format: ExportFormat,
    filter: ConsentFilter,
    at: At,
    pub written: u64,
}

enum At {
    Start,
    After(ConsentPlace),
    End,
}

impl Export {
    pub async fn new(
        store: Arc<Store>,
        receipts: ReceiptKey,
        catalog: Arc<Catalog>,
        format: ExportFormat,
        filter: ConsentFilter,
    ) -> Result<Self, StoreError> {
        let origin = store.log().await?.map(|log| log.origin).unwrap_or_default();
        Ok(Self { store, receipts, catalog, origin, format, filter, at: At::Start, written: 0 })
    }

    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, StoreError> {
        let (after, limit) = match self.at {
            At::Start => (ConsentPlace::START, FIRST_ROWS),
            At::After(place) => (place, ROWS_AT_ONCE),
            At::End => return Ok(None),
        };
        let rows = self.store.consents_after(&self.filter, after, limit).await?;
        let mut out = Vec::new();
        if matches!(self.at, At::Start) {
            match self.format {
                ExportFormat::Csv => crate::platform::csv::write_line(&mut out, COLUMNS),
                ExportFormat::Jsonl => {}
                ExportFormat::Dpv => dpv::begin(&mut out),
            }
        }
        let is_last = i64::try_from(rows.len()).is_ok_and(|count| count < limit);
        self.at = match rows.last() {
            Some(last) if !is_last => At::After(last.place()),
            _ => At::End,
        };
        for row in rows {
            self.write(&mut out, row);
        }
        if is_last && self.format == ExportFormat::Dpv {
            dpv::end(&mut out);
        }
        Ok(Some(out))
    }

    fn write(&mut self, out: &mut Vec<u8>, consent: ExportedConsent) {
        match self.format {
            ExportFormat::Csv => {
                let shown = ShownDocument::of(&consent, &self.catalog);
                crate::platform::csv::write_line(
                    out,
                    ExportedDecision::new(consent, &self.receipts).cells(shown),
                );
            }
            ExportFormat::Jsonl => {
                write_json(out, &ExportedDecision::new(consent, &self.receipts));
                out.push(b'\n');
            }
            ExportFormat::Dpv => {
                out.extend(if self.written == 0 { "\n" } else { ",\n" }.as_bytes());
                write_json(
                    out,
                    &dpv::record(&consent, &self.catalog, &self.receipts, &self.origin),
                );
            }
        }
        self.written += 1;
    }
}

/// Appends a value as JSON. It must consist of texts, numbers and booleans, which can always be
/// serialized.
fn write_json(out: &mut Vec<u8>, value: &impl Serialize) {
    out.extend(serde_json::to_vec(value).unwrap_or_default());
}

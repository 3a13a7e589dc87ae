//! Consents in the compact form of SQLite: without values that are in the submission, the term or
//! the entry.

use musette_core::instant::Instant;
use musette_core::terms::TermId;

use super::Plan;
use crate::writer::Submission;
use crate::writer::commit::{ConsentRow, DecisionRow};

/// Returns the index of the document's language in its term.
pub(super) fn variant(submission: &Submission, term: TermId, sha256: &str) -> Option<usize> {
    submission.catalog.get(term)?.variants.iter().position(|variant| variant.sha256 == sha256)
}

impl Plan<'_> {
    /// Returns the rows of `decisions`.
    pub(crate) fn decisions(&self) -> Vec<DecisionRow> {
        let row = |(row, variant): (&ConsentRow, &Option<usize>)| {
            let variant = variant.and_then(|variant| i64::try_from(variant).ok());
            let text = &row.consented_at_text;
            let is_canonical = Instant::from_millis(row.consented_at).to_string() == *text;
            DecisionRow {
                submission: row.submission,
                position: row.position,
                term_id: row.term_id,
                accepted: row.accepted,
                consented_at: row.consented_at,
                variant,
                sha256: variant.is_none().then(|| row.sha256.clone()),
                consented_at_text: (!is_canonical).then(|| text.clone()),
                evidence: row.evidence,
                method: row.method,
                opened: row.opened,
                last_page: row.last_page,
            }
        };
        self.consents.iter().zip(&self.variants).map(row).collect()
    }
}

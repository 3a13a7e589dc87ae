//! Decisions that were made elsewhere, read from a file: every line is judged before any is taken.

mod lines;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use musette_core::instant::Instant;
use musette_core::terms::{
    Catalog, Decision, DecisionHistory, ImportCheck, KeptLocale, ReceiptKey, Term, Variant,
};
use musette_store::{DecisionHistories, ImportedDecision};

use crate::people::{USER_ID_RULE, is_user_id};
use crate::random;
use lines::Written;

/// Clocks differ; the same as for a submission.
const AHEAD_MAX: Duration = Duration::from_secs(5 * 60);

/// The format of a file to import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// With a header line
    Csv,
    /// One JSON object a line
    Jsonl,
}

/// Why a line is refused; the first is line 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    pub line: u64,
    pub code: &'static str,
    pub text: String,
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: {}", self.line, self.code, self.text)
    }
}

type Judged<T> = Result<T, (&'static str, String)>;

/// A file as far as it can be judged without the store.
pub struct Import {
    /// In the order in which they were decided, with their lines.
    decisions: Vec<(u64, ImportedDecision)>,
    faults: Vec<LineFault>,
}

impl Import {
    /// Reads and checks every line.
    pub fn read(
        bytes: &[u8],
        format: ImportFormat,
        catalog: &Catalog,
        receipts: &ReceiptKey,
        now: Instant,
    ) -> Self {
        let mut import = Self { decisions: Vec::new(), faults: Vec::new() };
        let judge = |written: Written| decision(written, catalog, receipts, now);
        for (line, written) in lines::read(bytes, format) {
            match written.and_then(judge) {
                Ok(decision) => import.decisions.push((line, decision)),
                Err((code, text)) => import.faults.push(LineFault { line, code, text }),
            }
        }
        // The latest by the order of recording is what counts.
        import.decisions.sort_by_key(|(_, decision)| decision.consented_at);
        import
    }

    /// The people whose decisions these are, each once.
    pub fn user_ids(&self) -> Vec<&str> {
        let ids: HashSet<&str> =
            self.decisions.iter().map(|(_, decision)| decision.user_id.as_str()).collect();
        ids.into_iter().collect()
    }

    /// Compares the decisions with the store: gives the new ones and how many the store has already.
    ///
    /// # Errors
    ///
    /// Every line that is refused.
    pub fn plan(
        self,
        pasts: &DecisionHistories,
    ) -> Result<(Vec<ImportedDecision>, u64), Vec<LineFault>> {
        let Self { decisions, mut faults } = self;
        let mut pasts: HashMap<&str, DecisionHistory> =
            pasts.iter().map(|(id, past)| (id.as_str(), past.clone())).collect();
        let (mut new, mut there) = (Vec::new(), 0);
        for (line, decision) in decisions {
            let ImportedDecision { term, accepted, consented_at, .. } = decision;
            let Some(past) = pasts.get_mut(decision.user_id.as_str()) else {
                let text = format!("there is no user '{}'", decision.user_id);
                faults.push(LineFault { line, code: "unknown_user", text });
                continue;
            };
            let decided = Decision { accepted, consented_at };
            match past.check(term, decided) {
                ImportCheck::New => {
                    past.record(term, decided);
                    new.push(decision);
                }
                ImportCheck::AlreadyThere => there += 1,
                ImportCheck::DecidedSince => {
                    let text =
                        format!("this person has decided on term {term} at that time or later");
                    faults.push(LineFault { line, code: "decided_since", text });
                }
            }
        }
        if faults.is_empty() {
            return Ok((new, there));
        }
        faults.sort_by_key(|fault| fault.line);
        Err(faults)
    }
}

fn decision(
    written: Written,
    catalog: &Catalog,
    receipts: &ReceiptKey,
    now: Instant,
) -> Judged<ImportedDecision> {
    let user_id = written.user_id.ok_or(("missing_column", "user_id is missing".to_owned()))?;
    if !is_user_id(&user_id) {
        return Err(("invalid_user_id", USER_ID_RULE.into()));
    }
    if written.user_type.as_deref().is_some_and(|it| it != "RIDER") {
        return Err(("invalid_user_type", "only decisions of riders can be imported".into()));
    }
    let term = written.term.as_deref().unwrap_or_default();
    let term = term.parse().ok().and_then(|id| catalog.get(id));
    let term = term.filter(|term| catalog.cancelled_at(term.id).is_none());
    let term = term.ok_or_else(|| {
        let text = written.term.unwrap_or_default();
        ("unknown_term", format!("terms_and_conditions_id '{text}' is none that was published"))
    })?;
    // Spreadsheet programs write TRUE and FALSE.
    let accepted = match written.accepted.as_deref() {
        Some("true" | "TRUE" | "True") => true,
        Some("false" | "FALSE" | "False") => false,
        _ => return Err(("invalid_accepted", "accepted is true or false".into())),
    };
    let consented_at_text = written.consented_at.unwrap_or_default();
    let consented_at = Instant::parse_strict(&consented_at_text).map_err(|_| {
        let text = "consented_at is an RFC 3339 time, such as 2024-05-31T09:30:00Z".to_owned();
        ("invalid_consented_at", text)
    })?;
    if consented_at > now.plus(AHEAD_MAX) {
        return Err(("consented_at_in_future", "consented_at lies ahead".into()));
    }
    let shown = shown(term, written.sha256.as_deref(), written.locale.as_deref())?;
    Ok(ImportedDecision {
        entry_id: receipts.entry_id(random::uuid),
        user_id,
        term: term.id,
        accepted,
        consented_at,
        consented_at_text,
        sha256: shown.sha256.clone(),
        locale: written.locale.as_deref().map(KeptLocale::of),
    })
}

/// The document that was agreed to: by its hash, else by its language, else the version's default.
fn shown<'a>(term: &'a Term, sha256: Option<&str>, locale: Option<&str>) -> Judged<&'a Variant> {
    let mut variants = term.variants.iter();
    let found = match (sha256, locale) {
        (Some(sha256), _) => variants.find(|variant| variant.sha256 == sha256),
        (None, Some(locale)) => {
            variants.find(|variant| variant.locale.eq_ignore_ascii_case(locale))
        }
        (None, None) => variants.next(),
    };
    let named = if sha256.is_some() { "sha256" } else { "locale" };
    found.ok_or_else(|| {
        ("unknown_document", format!("{named} names no document of term {}", term.id))
    })
}

#[cfg(test)]
mod tests;

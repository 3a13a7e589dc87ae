//! Imports decisions that were made elsewhere from a file. All lines are checked before any is
//! imported.

mod lines;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use musette_core::instant::Instant;
use musette_core::terms::{
    Catalog, Decision, DecisionHistory, ImportCheck, StoredLocale, Term, Variant, new_entry_id,
};
use musette_store::{DecisionHistories, ImportedDecision};

use crate::people::{USER_ID_RULE, is_user_id};
use crate::platform::random;
use lines::Line;

/// The tolerance for clocks that differ, as for submissions.
const AHEAD_MAX: Duration = Duration::from_secs(5 * 60);

/// The format of a file to import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// CSV with a header line
    Csv,
    /// One JSON object per line
    Jsonl,
}

/// The reason why a line is rejected; the first line is line 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    pub line: u64,
    pub code: &'static str,
    pub text: String,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: {}", self.line, self.code, self.text)
    }
}

type Checked<T> = Result<T, (&'static str, String)>;

/// A file, checked as far as possible without the store.
pub struct Import {
    /// The decisions in the order of their time, with their line numbers.
    decisions: Vec<(u64, ImportedDecision)>,
    errors: Vec<LineError>,
}

impl Import {
    /// Reads and checks all lines.
    pub fn read(bytes: &[u8], format: ImportFormat, catalog: &Catalog, now: Instant) -> Self {
        let mut import = Self { decisions: Vec::new(), errors: Vec::new() };
        let check = |line: Line| decision(line, catalog, now);
        for (number, line) in lines::read(bytes, format) {
            match line.and_then(check) {
                Ok(decision) => import.decisions.push((number, decision)),
                Err((code, text)) => import.errors.push(LineError { line: number, code, text }),
            }
        }
        // The last recorded decision counts, so they must be recorded in the order of their time.
        import.decisions.sort_by_key(|(_, decision)| decision.consented_at);
        import
    }

    /// Returns the ID of each person with decisions in the file.
    pub fn user_ids(&self) -> Vec<&str> {
        let ids: HashSet<&str> =
            self.decisions.iter().map(|(_, decision)| decision.user_id.as_str()).collect();
        ids.into_iter().collect()
    }

    /// Compares the decisions with the store. Returns the new ones, and the number of those that
    /// the store already has.
    ///
    /// # Errors
    ///
    /// Returns all lines that are rejected.
    pub fn plan(
        self,
        pasts: &DecisionHistories,
    ) -> Result<(Vec<ImportedDecision>, u64), Vec<LineError>> {
        let Self { decisions, mut errors } = self;
        let mut pasts: HashMap<&str, DecisionHistory> =
            pasts.iter().map(|(id, past)| (id.as_str(), past.clone())).collect();
        let (mut new, mut existing) = (Vec::new(), 0);
        for (line, decision) in decisions {
            let ImportedDecision { term, accepted, consented_at, .. } = decision;
            let Some(past) = pasts.get_mut(decision.user_id.as_str()) else {
                let text = format!("the user '{}' does not exist", decision.user_id);
                errors.push(LineError { line, code: "unknown_user", text });
                continue;
            };
            let decided = Decision { accepted, consented_at };
            match past.check(term, decided) {
                ImportCheck::New => {
                    past.record(term, decided);
                    new.push(decision);
                }
                ImportCheck::AlreadyThere => existing += 1,
                ImportCheck::DecidedSince => {
                    let text =
                        format!("this person has a decision on term {term} at that time or later");
                    errors.push(LineError { line, code: "decided_since", text });
                }
            }
        }
        if errors.is_empty() {
            return Ok((new, existing));
        }
        errors.sort_by_key(|error| error.line);
        Err(errors)
    }
}

fn decision(line: Line, catalog: &Catalog, now: Instant) -> Checked<ImportedDecision> {
    let user_id = line.user_id.ok_or(("missing_column", "user_id is missing".to_owned()))?;
    if !is_user_id(&user_id) {
        return Err(("invalid_user_id", USER_ID_RULE.into()));
    }
    if line.user_type.as_deref().is_some_and(|user_type| user_type != "RIDER") {
        return Err(("invalid_user_type", "only decisions of riders can be imported".into()));
    }
    let term = line.term.as_deref().unwrap_or_default();
    let term = term.parse().ok().and_then(|id| catalog.get(id));
    let term = term.filter(|term| !term.is_notice() && catalog.cancelled_at(term.id).is_none());
    let term = term.ok_or_else(|| {
        let text = line.term.unwrap_or_default();
        ("unknown_term", format!("terms_and_conditions_id '{text}' is not a published version"))
    })?;
    // Spreadsheet programs write TRUE and FALSE.
    let accepted = match line.accepted.as_deref() {
        Some("true" | "TRUE" | "True") => true,
        Some("false" | "FALSE" | "False") => false,
        _ => return Err(("invalid_accepted", "accepted must be true or false".into())),
    };
    let consented_at_text = line.consented_at.unwrap_or_default();
    let consented_at = Instant::parse_strict(&consented_at_text).map_err(|_| {
        let text = "consented_at must be an RFC 3339 time, such as 2024-05-31T09:30:00Z".to_owned();
        ("invalid_consented_at", text)
    })?;
    if consented_at > now.plus(AHEAD_MAX) {
        return Err(("consented_at_in_future", "consented_at must not be in the future".into()));
    }
    let variant = variant(term, line.sha256.as_deref(), line.locale.as_deref())?;
    Ok(ImportedDecision {
        entry_id: new_entry_id(random::uuid()),
        user_id,
        term: term.id,
        accepted,
        consented_at,
        consented_at_text,
        sha256: variant.sha256.clone(),
        locale: line.locale.as_deref().map(StoredLocale::of),
    })
}

/// Finds the document of a decision: by its hash, or else by its language, or else the default of
/// the version.
fn variant<'a>(term: &'a Term, sha256: Option<&str>, locale: Option<&str>) -> Checked<&'a Variant> {
    let mut variants = term.variants.iter();
    let variant = match (sha256, locale) {
        (Some(sha256), _) => variants.find(|variant| variant.sha256 == sha256),
        (None, Some(locale)) => {
            variants.find(|variant| variant.locale.eq_ignore_ascii_case(locale))
        }
        (None, None) => variants.next(),
    };
    let column = if sha256.is_some() { "sha256" } else { "locale" };
    variant.ok_or_else(|| {
        ("unknown_document", format!("{column} does not match a document of term {}", term.id))
    })
}

#[cfg(test)]
mod tests;

use super::catalog::Catalog;
use super::decision::Decisions;
use super::term::{Term, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// The answer to "may this rider start a shift?".
#[derive(Debug)]
pub struct Outstanding<'a> {
    /// False as soon as one of `terms` is past its grace.
    pub may_work: bool,
    /// Mandatory, in effect, not accepted; in order of display.
    pub terms: Vec<&'a Term>,
}

/// Finds the terms of these types that somebody of this market has to agree to, and whether they may
/// work meanwhile.
pub fn outstanding<'a>(
    catalog: &'a Catalog,
    decisions: &Decisions,
    types: &'a [TermType],
    market: Option<&'a Market>,
    now: Instant,
) -> Outstanding<'a> {
    let terms: Vec<&Term> = catalog
        .in_effect_for(types, market, now)
        .filter(|term| term.mandatory && !decisions.has_accepted(catalog, term))
        .collect();
    let may_work = terms.iter().all(|term| term.is_in_grace(now));
    Outstanding { may_work, terms }
}

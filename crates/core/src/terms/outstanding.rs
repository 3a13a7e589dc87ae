use super::catalog::Catalog;
use super::decision::Decisions;
use super::term::{Term, TermType};
use crate::instant::Instant;
use crate::markets::Market;

/// The result of the check whether a rider may start a shift.
#[derive(Debug)]
pub struct Outstanding<'a> {
    /// False as soon as the grace period of one of `terms` is over.
    pub may_work: bool,
    /// Mandatory terms in effect that the rider has not accepted, in display order.
    pub terms: Vec<&'a Term>,
}

/// Returns the terms of these types that a user of this market still has to accept, and whether
/// they may work.
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

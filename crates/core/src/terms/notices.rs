//! Which notices a person sees.

use std::collections::HashSet;

use super::catalog::Catalog;
use super::term::{Term, TermId};
use crate::instant::Instant;
use crate::markets::Market;

impl Catalog {
    /// Returns the notices for people of this market, newest first. A notice is listed from its
    /// publication on, also before it takes effect. Of several versions the newest is listed; an
    /// older version, or one of a retired document, only if the person has `reached` it: received
    /// or opened it. Cancelled versions are never listed.
    pub fn notices_for(
        &self,
        market: Option<&Market>,
        reached: &HashSet<TermId>,
        now: Instant,
    ) -> Vec<&Term> {
        let is_listed = |term: &&Term| {
            let is_newest = self.successor(term.id).is_none() && !self.is_retired(term.id, now);
            term.is_notice()
                && self.cancelled_at(term.id).is_none()
                && self.is_asked(term, market, now)
                && (is_newest || reached.contains(&term.id))
        };
        let mut notices: Vec<&Term> = self.all().iter().filter(is_listed).collect();
        notices.sort_by_key(|term| std::cmp::Reverse(term.id));
        notices
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::instant::Instant;
    use crate::markets::Market;
    use crate::terms::{Catalog, Ending, Endings, NewTerm, Term, TermId, TermKind, TermType};

    const NOW: Instant = Instant::from_millis(1_800_000_000_000);

    fn new_notice(replaces: Option<TermId>) -> NewTerm {
        NewTerm {
            kind: TermType::parse("FREELANCER").expect("a type"),
            term_kind: TermKind::Notice,
            mandatory: false,
            display_order: None,
            effective_from: NOW,
            grace_until: None,
            replaces,
            material: true,
            summary: None,
            label: None,
            market: None,
            instead_of: None,
            variants: Vec::new(),
            draft: None,
        }
    }

    fn terms(new: Vec<NewTerm>) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for (id, new) in (1..).zip(new) {
            let published = new.publish(id, &Catalog::new(terms.clone()), NOW);
            terms.push(published.expect("published"));
        }
        terms
    }

    fn listed(
        catalog: &Catalog,
        market: Option<&str>,
        reached: &[TermId],
        now: Instant,
    ) -> Vec<TermId> {
        let market = market.and_then(Market::parse);
        let reached: HashSet<TermId> = reached.iter().copied().collect();
        let notices = catalog.notices_for(market.as_ref(), &reached, now);
        notices.iter().map(|term| term.id).collect()
    }

    #[test]
    fn lists_scheduled_versions_and_older_ones_only_to_people_who_were_reached() {
        let later = Instant::from_millis(NOW.millis() + 1000);
        let scheduled = NewTerm { effective_from: later, ..new_notice(Some(1)) };
        let consent = NewTerm { term_kind: TermKind::Consent, ..new_notice(None) };
        let mut all = terms(vec![new_notice(None), scheduled, new_notice(None), consent]);
        let catalog = Catalog::new(all.clone());
        assert_eq!(listed(&catalog, None, &[], NOW), [3, 2]);
        assert_eq!(listed(&catalog, None, &[1], NOW), [3, 2, 1]);

        let endings = Endings::from([(2, Ending::Cancelled(NOW)), (3, Ending::Retired(later))]);
        all.sort_by_key(|term| term.id);
        let catalog = Catalog::with_endings(all, &endings);
        assert_eq!(listed(&catalog, None, &[2], NOW), [3, 1], "2 is cancelled");
        assert_eq!(listed(&catalog, None, &[], later), [1], "3 is retired");
        assert_eq!(listed(&catalog, None, &[3], later), [3, 1]);
    }

    #[test]
    fn lists_the_notices_of_the_market_and_the_narrowest_in_effect() {
        let later = Instant::from_millis(NOW.millis() + 1000);
        let narrow = NewTerm {
            market: Market::parse("DE-BE"),
            instead_of: Some(1),
            effective_from: later,
            ..new_notice(None)
        };
        let french = NewTerm { market: Market::parse("FR"), ..new_notice(None) };
        let catalog = Catalog::new(terms(vec![new_notice(None), narrow, french]));
        assert_eq!(listed(&catalog, None, &[], later), [1]);
        assert_eq!(listed(&catalog, Some("FR"), &[], later), [3, 1]);
        assert_eq!(listed(&catalog, Some("DE-BE"), &[], NOW), [2, 1], "1 still applies");
        assert_eq!(listed(&catalog, Some("DE-BE"), &[], later), [2]);
    }
}

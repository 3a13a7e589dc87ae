//! Which texts can take the place of which: those for narrower markets that stand, directly or through others, for the
//! same text.

use std::collections::HashMap;

use super::term::{Term, TermId};

/// The groups of documents of which somebody has the narrowest only. Empty for a company without such texts.
#[derive(Debug, Default)]
pub(super) struct Narrowing {
    /// Broadest text of the group, by version.
    group: HashMap<TermId, TermId>,
    /// Indexes of all versions of a group's documents, by group.
    members: HashMap<TermId, Vec<usize>>,
}

impl Narrowing {
    /// `previous` names what each version was published to replace. All versions of a document stand for the same text,
    /// and a text was published before what stands for it.
    pub(super) fn new(terms: &[Term], previous: &HashMap<TermId, TermId>) -> Self {
        if terms.iter().all(|term| term.instead_of.is_none()) {
            return Self::default();
        }
        let first = |id: TermId| -> TermId {
            std::iter::successors(Some(id), |id| previous.get(id).copied()).last().unwrap_or(id)
        };
        let broader: HashMap<TermId, TermId> = terms
            .iter()
            .filter_map(|term| Some((first(term.id), first(term.instead_of?))))
            .collect();
        let mut all = Self::default();
        for (i, term) in terms.iter().enumerate() {
            let up = std::iter::successors(Some(first(term.id)), |id| broader.get(id).copied());
            let Some(broadest) = up.take(terms.len()).last() else { continue };
            all.group.insert(term.id, broadest);
            all.members.entry(broadest).or_default().push(i);
        }
        all
    }

    /// The indices of all versions that can take its place, or whose place it can take.
    pub(super) fn rivals(&self, id: TermId) -> impl Iterator<Item = usize> {
        let members = self.group.get(&id).and_then(|group| self.members.get(group));
        members.into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests;

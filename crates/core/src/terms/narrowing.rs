//! Groups of documents that can displace each other: texts for narrower markets that replace,
//! directly or through other texts, the same broader text there.

use std::collections::HashMap;

use super::term::{Term, TermId};

/// Groups of documents of which each user gets only the narrowest. Empty if no text is limited to a
/// market in place of another.
#[derive(Debug, Default)]
pub(super) struct Narrowing {
    /// Broadest text of the group, by version.
    group: HashMap<TermId, TermId>,
    /// Indexes of all versions of a group's documents, by the broadest text.
    members: HashMap<TermId, Vec<usize>>,
}

impl Narrowing {
    /// Builds the groups. `previous` names the version that each version was published to replace.
    /// All versions of a document displace the same broader text, which was published before them.
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

    /// Returns the indexes of all versions in the group of this version, including its own.
    pub(super) fn rivals(&self, id: TermId) -> impl Iterator<Item = usize> {
        let members = self.group.get(&id).and_then(|group| self.members.get(group));
        members.into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests;

//! The display order of documents. It is not part of the agreement, so it may change.

use std::collections::HashSet;

use super::catalog::Catalog;
use super::term::{Term, TermId, TermType};
use crate::instant::Instant;

/// A document with all its versions.
#[derive(Debug)]
pub struct DocumentVersions<'a> {
    /// The version in effect, or the first that will be.
    pub current: &'a Term,
    /// All versions, oldest first. Cancelled ones are included, so that a restored one has the same
    /// position as the others.
    pub versions: Vec<&'a Term>,
}

/// Returns the documents of one type that are or will be in effect and that users agree to, in
/// display order.
pub fn documents<'a>(
    catalog: &'a Catalog,
    kind: &TermType,
    now: Instant,
) -> Vec<DocumentVersions<'a>> {
    let is_first = |term: &&Term| {
        term.kind == *kind && !term.is_notice() && catalog.published_before(term.id).is_none()
    };
    let firsts = catalog.all().iter().filter(is_first);
    let mut documents: Vec<_> = firsts
        .filter_map(|first| {
            let mut versions = vec![first];
            versions.extend(catalog.published_after(first.id));
            let is_active = |term: &&&Term| {
                catalog.cancelled_at(term.id).is_none() && !catalog.is_retired(term.id, now)
            };
            let mut active = versions.iter().filter(is_active);
            let in_effect = active.clone().rfind(|term| term.is_effective(now));
            let current = in_effect.or_else(|| active.next()).copied()?;
            Some(DocumentVersions { current, versions })
        })
        .collect();
    documents.sort_by_key(|document| (document.current.display_order, document.current.id));
    documents
}

/// Returns the display order of each version after the documents are put in the order of `ids`,
/// which name any version of each. Returns `None` unless `ids` name every document exactly once.
///
/// The documents keep the positions that they occupy among documents of other types. Equal
/// positions are made unequal, because documents with equal positions are sorted by id.
pub fn reordered(documents: &[DocumentVersions<'_>], ids: &[TermId]) -> Option<Vec<(TermId, i64)>> {
    let place_of = |id: &TermId| {
        documents
            .iter()
            .position(|document| document.versions.iter().any(|version| version.id == *id))
    };
    let order: Vec<usize> = ids.iter().map(place_of).collect::<Option<_>>()?;
    let named: HashSet<usize> = order.iter().copied().collect();
    if order.len() != documents.len() || named.len() != documents.len() {
        return None;
    }
    let mut last = i64::MIN;
    let mut places = Vec::new();
    for (document, slot) in order.into_iter().zip(documents) {
        last = slot.current.display_order.max(last.saturating_add(1));
        places.extend(documents[document].versions.iter().map(|version| (version.id, last)));
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::{documents, reordered};
    use crate::instant::Instant;
    use crate::terms::{Catalog, Term, TermId, TermKind, TermType};

    fn term(id: TermId, kind: &str, display_order: i64, replaces: Option<TermId>) -> Term {
        Term {
            id,
            kind: TermType::parse(kind).expect("a type"),
            version: 1,
            term_kind: TermKind::Consent,
            mandatory: true,
            display_order,
            effective_from: Instant::from_millis(id * 10),
            grace_until: None,
            replaces,
            material: true,
            summary: None,
            label: None,
            published_at: Instant::from_millis(0),
            market: None,
            instead_of: None,
            variants: Vec::new(),
        }
    }

    fn catalog() -> Catalog {
        Catalog::new(vec![
            term(1, "A", 5, None),
            term(2, "A", 5, None),
            term(3, "B", 6, None),
            term(4, "A", 9, Some(1)),
            term(5, "A", 9, None),
        ])
    }

    #[test]
    fn lists_each_document_once_by_its_version_in_effect() {
        let (catalog, kind) = (catalog(), TermType::parse("A").expect("a type"));
        let current = |now| -> Vec<TermId> {
            let documents = documents(&catalog, &kind, Instant::from_millis(now));
            documents.iter().map(|document| document.current.id).collect()
        };
        assert_eq!(current(25), [1, 2, 5], "the second version of 1 is not in effect yet");
        assert_eq!(current(45), [2, 4, 5]);
        assert_eq!(current(0), [1, 2, 5], "nothing is in effect");
    }

    #[test]
    fn reassigns_positions_and_makes_equal_ones_unequal() {
        let (catalog, kind) = (catalog(), TermType::parse("A").expect("a type"));
        let documents = documents(&catalog, &kind, Instant::from_millis(25));
        assert_eq!(reordered(&documents, &[5, 2, 4]), Some(vec![(5, 5), (2, 6), (1, 9), (4, 9)]));
        for bad in [&[5, 2][..], &[5, 2, 2], &[5, 2, 1, 4], &[5, 2, 3], &[]] {
            assert_eq!(reordered(&documents, bad), None, "{bad:?}");
        }
    }
}

use std::collections::HashSet;

use proptest::prelude::*;

use crate::instant::Instant;
use crate::markets::Market;
use crate::terms::{Catalog, NewTerm, Term, TermId, TermKind, TermType};

/// Codes that are nested, siblings, or similar only in their letters.
const CODES: [&str; 11] = [
    "DE",
    "DE-BE",
    "DE-BE.berlin",
    "DE-BE.ber",
    "DE.berlin",
    "DE-BB",
    "UY",
    "UY-MO",
    "UY.montevideo",
    "UY.monte",
    "UY-MO.centro",
];

fn kind() -> TermType {
    TermType::parse("FREELANCER").expect("a type")
}

/// A publication to try: market, text to replace, text to displace, and time of effect.
type Attempt = (Option<usize>, Option<TermId>, Option<TermId>, i64);

/// Publishes what the rules allow and skips the rest.
fn published(attempts: &[Attempt]) -> Catalog {
    let mut terms: Vec<Term> = Vec::new();
    for (id, &(market, replaces, instead_of, from)) in (1..).zip(attempts) {
        let new = NewTerm {
            kind: kind(),
            term_kind: TermKind::Consent,
            mandatory: true,
            display_order: None,
            effective_from: Instant::from_millis(from),
            grace_until: None,
            replaces,
            material: true,
            summary: None,
            label: None,
            market: market.filter(|_| replaces.is_none()).and_then(|i| Market::parse(CODES[i])),
            instead_of: instead_of.filter(|_| replaces.is_none()),
            variants: Vec::new(),
            draft: None,
        };
        if let Ok(term) = new.publish(id, &Catalog::new(terms.clone()), Instant::from_millis(0)) {
            terms.push(term);
        }
    }
    Catalog::new(terms)
}

/// A second implementation of the contract that shares no code with the first. Texts are sets of
/// ids; a market is a list of parts.
mod naive {
    use super::*;

    fn parts(code: &str) -> Vec<String> {
        let place = code.find('.').unwrap_or(code.len());
        let mut parts: Vec<String> = code[..place].split('-').map(str::to_owned).collect();
        parts.extend((place < code.len()).then(|| code[place..].to_owned()));
        parts
    }

    fn begins_with(code: &str, outer: &str) -> bool {
        parts(code).starts_with(&parts(outer))
    }

    struct Text<'a> {
        versions: Vec<&'a Term>,
    }

    fn texts(terms: &[Term]) -> Vec<Text<'_>> {
        let mut texts: Vec<Text<'_>> = Vec::new();
        for term in terms {
            let of = texts
                .iter_mut()
                .find(|text| text.versions.iter().any(|version| Some(version.id) == term.replaces));
            match of {
                Some(text) => text.versions.push(term),
                None => texts.push(Text { versions: vec![term] }),
            }
        }
        texts
    }

    /// Returns the texts that this one displaces, directly or through others.
    fn displaced_by(texts: &[Text<'_>], text: usize) -> HashSet<usize> {
        let mut displaced = HashSet::new();
        let mut current = text;
        while let Some(id) = texts[current].versions[0].instead_of {
            let has_version =
                |text: &Text<'_>| text.versions.iter().any(|version| version.id == id);
            current = texts.iter().position(has_version).expect("published before");
            displaced.insert(current);
        }
        displaced
    }

    pub(super) fn terms_of(terms: &[Term], market: Option<&str>, now: i64) -> Vec<TermId> {
        let mut terms = terms.to_vec();
        terms.sort_by_key(|term| term.id);
        let texts = texts(&terms);
        let current = |text: &Text<'_>| -> Option<TermId> {
            let effective =
                text.versions.iter().filter(|version| version.effective_from.millis() <= now);
            effective.map(|version| version.id).max()
        };
        let market_of = |i: usize| texts[i].versions[0].market.as_ref().map(Market::as_str);
        let candidates: Vec<usize> = (0..texts.len())
            .filter(|&i| current(&texts[i]).is_some())
            .filter(|&i| match (market_of(i), market) {
                (None, _) => true,
                (Some(of), Some(market)) => begins_with(market, of),
                (Some(_), None) => false,
            })
            .collect();
        let length = |i: usize| market_of(i).map_or(0, |code| parts(code).len());
        let is_displaced = |i: usize| {
            let displaced = displaced_by(&texts, i);
            candidates.iter().any(|&other| {
                let displaced_by_other = displaced_by(&texts, other);
                displaced_by_other.contains(&i)
                    || (!displaced_by_other.is_disjoint(&displaced) && length(other) > length(i))
            })
        };
        let remaining = candidates.iter().filter(|&&i| !is_displaced(i));
        let mut ids: Vec<TermId> = remaining.filter_map(|&i| current(&texts[i])).collect();
        ids.sort_unstable();
        ids
    }
}

fn terms_in(catalog: &Catalog, market: Option<&str>, now: i64) -> Vec<TermId> {
    let market = market.and_then(Market::parse);
    let kinds = [kind()];
    let terms = catalog.in_effect_for(&kinds, market.as_ref(), Instant::from_millis(now));
    let mut ids: Vec<TermId> = terms.map(|term| term.id).collect();
    ids.sort_unstable();
    ids
}

/// The example in the contract.
#[test]
fn berlin_gets_only_the_text_for_de_be() {
    let catalog = published(&[
        (None, None, None, 0),
        (Some(0), None, Some(1), 0),
        (Some(1), None, Some(1), 0),
        (Some(1), None, None, 0),
    ]);
    assert_eq!(terms_in(&catalog, Some("DE-BE.berlin"), 5), [3, 4]);
    assert_eq!(terms_in(&catalog, Some("DE-BE"), 5), [3, 4]);
    assert_eq!(terms_in(&catalog, Some("DE-BB"), 5), [2]);
    assert_eq!(terms_in(&catalog, Some("UY"), 5), [1]);
    assert_eq!(terms_in(&catalog, None, 5), [1]);
}

#[test]
fn a_narrower_text_displaces_through_a_text_that_is_not_in_effect_yet() {
    let catalog = published(&[
        (None, None, None, 0),
        (Some(0), None, Some(1), 50),
        (Some(1), None, Some(2), 10),
        // All other texts also displace the new version of the broadest text.
        (None, Some(1), None, 20),
    ]);
    assert_eq!(terms_in(&catalog, Some("DE"), 5), [1]);
    assert_eq!(terms_in(&catalog, Some("DE-BE"), 5), [1]);
    assert_eq!(terms_in(&catalog, Some("DE-BE"), 10), [3], "through one that is not in effect yet");
    assert_eq!(terms_in(&catalog, Some("DE"), 20), [4]);
    assert_eq!(terms_in(&catalog, Some("DE"), 50), [2]);
    assert_eq!(terms_in(&catalog, Some("DE-BE"), 50), [3]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn terms_of_a_user_equal_those_of_a_naive_implementation(
        attempts in prop::collection::vec(
            (
                prop::option::weighted(0.8, 0..CODES.len()),
                prop::option::weighted(0.25, 1..14_i64),
                prop::option::weighted(0.6, 1..14_i64),
                0..100_i64,
            ),
            1..16,
        ),
        now in 0..100_i64,
    ) {
        let catalog = published(&attempts);
        for market in CODES.into_iter().map(Some).chain([None]) {
            prop_assert_eq!(terms_in(&catalog, market, now), naive::terms_of(catalog.all(), market, now), "{:?}", market);
        }
    }
}

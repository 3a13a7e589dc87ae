use std::time::Duration;

use super::GateAnswer;
use crate::instant::Instant;
use crate::terms::{Catalog, Decision, Decisions, Term, TermKind, TermType, Variant};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn day(n: u32) -> Instant {
    Instant::from_millis(0).plus(DAY * n)
}

fn term(id: i64, effective_from: Instant, grace_until: Option<Instant>) -> Term {
    Term {
        id,
        kind: TermType::parse("FREELANCER").expect("a type"),
        version: 1,
        term_kind: TermKind::Consent,
        mandatory: true,
        display_order: 0,
        effective_from,
        grace_until,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        published_at: day(0),
        market: None,
        instead_of: None,
        variants: vec![Variant {
            locale: "en".into(),
            title: "Terms".into(),
            sha256: "0".repeat(64),
            summary: None,
        }],
    }
}

fn answer(catalog: &Catalog, accepted: &[i64], now: Instant) -> (Vec<i64>, Option<Instant>) {
    let mut decisions = Decisions::default();
    for &id in accepted {
        decisions.record(id, Decision { accepted: true, consented_at: now });
    }
    let types = [TermType::parse("FREELANCER").expect("a type")];
    let answer = GateAnswer::of(catalog, &decisions, &types, None, now);
    assert_eq!(answer.may_work(), answer.reasons.is_empty());
    (answer.reasons, answer.changes_at)
}

#[test]
fn an_answer_is_valid_until_it_changes() {
    let catalog = Catalog::new(vec![term(1, day(1), Some(day(3))), term(2, day(5), None)]);
    // A term that takes effect with a grace period does not change the answer.
    assert_eq!(answer(&catalog, &[], day(0)), (vec![], Some(day(3))));
    assert_eq!(answer(&catalog, &[], day(2)), (vec![], Some(day(3))));
    assert_eq!(answer(&catalog, &[], day(3)), (vec![1], Some(day(5))));
    assert_eq!(answer(&catalog, &[], day(5)), (vec![1, 2], None));
    assert_eq!(answer(&catalog, &[1], day(0)), (vec![], Some(day(5))));
    assert_eq!(answer(&catalog, &[1, 2], day(0)), (vec![], None));
}

#[test]
fn a_catalog_without_terms_does_not_block_work() {
    assert_eq!(answer(&Catalog::default(), &[], day(0)), (vec![], None));
}

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::restrictions::{RestrictionKind, ReviewOutcome};
use super::super::suppression::{COUNT_MIN, Figure, suppress};
use super::super::table::Status;
use super::{
    CONTESTED, COUNTS, EVALUATIONS, FIRST_KIND, FIRST_OUTCOME, MonthCounts, OPEN_REVIEWS,
    OVERTURNED, RESTRICTIONS, REVIEWS, ReportRow, median, percentile, report_rows,
};
use crate::markets::Market;

type Tallies = BTreeMap<Option<Market>, MonthCounts>;

fn market(code: &str) -> Market {
    Market::from_stored(code).expect("a market")
}

fn row<'a>(rows: &'a [ReportRow], code: Option<&str>) -> &'a ReportRow {
    let place = code.map(market);
    rows.iter().find(|row| row.market == place).expect("a row")
}

fn evaluated(n: u64) -> MonthCounts {
    let mut tally = MonthCounts::default();
    tally.add_evaluations(Status::Evaluated, false, false, n);
    tally
}

#[test]
fn a_market_counts_those_inside_it() {
    let tallies = Tallies::from([
        (Some(market("DE")), evaluated(20)),
        (Some(market("DE-BE")), evaluated(30)),
        (Some(market("DE-BE.mitte")), evaluated(40)),
        (Some(market("FR")), evaluated(15)),
        (None, evaluated(12)),
    ]);
    let rows = report_rows([], &tallies);
    let codes: Vec<_> = rows.iter().map(|row| row.market.as_ref().map(Market::as_str)).collect();
    assert_eq!(codes, [None, Some("DE"), Some("DE-BE"), Some("DE-BE.mitte"), Some("FR")]);
    let counts = rows.iter().map(|row| row.status(Status::Evaluated));
    let exact = [117, 90, 70, 40, 15].map(Figure::Exact);
    assert_eq!(counts.collect::<Vec<_>>(), exact);
}

#[test]
fn a_small_market_suppresses_the_counts_of_each_market_around_it() {
    let tallies = Tallies::from([
        (Some(market("DE")), evaluated(20)),
        (Some(market("DE-BE")), evaluated(4)),
        (Some(market("FR")), evaluated(15)),
    ]);
    let rows = report_rows([], &tallies);
    let published = |code| row(&rows, code).status(Status::Evaluated);
    assert_eq!(published(Some("DE-BE")), Figure::Few);
    assert_eq!(published(Some("DE")), Figure::Suppressed);
    assert_eq!(published(None), Figure::Suppressed);
    assert_eq!(published(Some("FR")), Figure::Exact(15));
}

#[test]
fn a_small_rest_outside_the_inner_markets_is_not_given_away() {
    let tallies =
        Tallies::from([(Some(market("DE")), evaluated(3)), (Some(market("DE-BE")), evaluated(40))]);
    let rows = report_rows([], &tallies);
    assert_eq!(row(&rows, Some("DE")).status(Status::Evaluated), Figure::Suppressed);
    assert_eq!(row(&rows, Some("DE-BE")).status(Status::Evaluated), Figure::Exact(40));
}

#[test]
fn a_declared_market_without_work_has_a_row() {
    let rows = report_rows([market("DE")], &Tallies::new());
    assert_eq!(row(&rows, Some("DE")).status(Status::Pending), Figure::Few);
    assert_eq!(row(&rows, None).evaluations(), Figure::Few);
}

#[test]
fn counts_contests_restrictions_and_reviews() {
    let mut tally = MonthCounts::default();
    for status in Status::ALL {
        tally.add_evaluations(status, false, false, 10);
    }
    tally.add_evaluations(Status::Accepted, true, true, 12);
    tally.add_evaluations(Status::Rejected, true, false, 30);
    for kind in RestrictionKind::ALL {
        tally.add_restrictions(kind, None, 20);
    }
    for outcome in ReviewOutcome::ALL {
        tally.add_restrictions(RestrictionKind::Suspension, Some(Some(outcome)), 11);
    }
    tally.add_restrictions(RestrictionKind::Suspension, Some(None), 10);
    let rows = report_rows([], &Tallies::from([(None, tally)]));
    let row = row(&rows, None);
    assert_eq!(row.status(Status::Accepted), Figure::Exact(22));
    assert_eq!(row.evaluations(), Figure::Exact(102));
    assert_eq!((row.contested(), row.overturned()), (Figure::Exact(42), Figure::Exact(12)));
    assert_eq!(row.kind(RestrictionKind::Suspension), Figure::Exact(63));
    assert_eq!(row.restrictions(), Figure::Exact(103));
    assert_eq!(row.reviews_with(Some(ReviewOutcome::Lifted)), Figure::Exact(11));
    assert_eq!(row.reviews_with(None), Figure::Exact(10));
    assert_eq!(row.reviews(), Figure::Exact(43));
}

#[test]
fn times_of_fewer_than_ten_answers_are_not_published() {
    let times = |n: i64| {
        let mut tally = evaluated(100);
        (1..=n).for_each(|i| tally.add_answer(i * 1000));
        let rows = report_rows([], &Tallies::from([(Some(market("FR")), tally)]));
        let row = row(&rows, Some("FR"));
        (row.median_ms, row.p90_ms)
    };
    assert_eq!(times(9), (None, None));
    assert_eq!(times(10), (Some(5500), Some(9000)));
    assert_eq!(times(11), (Some(6000), Some(10_000)));
    assert_eq!((median(&[]), percentile(&[], 90)), (None, None));
    assert_eq!(percentile(&[7], 90), Some(7));
}

/// Markets that lie inside one another, with work outside of any.
const CODES: [Option<&str>; 7] = [
    None,
    Some("DE"),
    Some("DE-BE"),
    Some("DE-BE.mitte"),
    Some("DE-BE.pankow"),
    Some("DE-HH"),
    Some("FR"),
];

const LAST_KIND: usize = RESTRICTIONS - 1;

/// Returns the counts that a change of one count also changes, if it is a part of a total.
fn total_of(count: usize) -> Option<usize> {
    match count {
        0..EVALUATIONS => Some(EVALUATIONS),
        FIRST_KIND..=LAST_KIND => Some(RESTRICTIONS),
        FIRST_OUTCOME..=OPEN_REVIEWS => Some(REVIEWS),
        _ => None,
    }
}

/// Changes a count by one, with its total. Returns none below zero.
fn step(tally: &mut MonthCounts, count: usize, is_up: bool) -> Option<()> {
    for count in [Some(count), total_of(count)].into_iter().flatten() {
        let value = tally.counts[count];
        tally.counts[count] = if is_up { value + 1 } else { value.checked_sub(1)? };
    }
    Some(())
}

/// Repairs a table after a step: there are no more successful contests than contests, no more
/// contests than evaluations, and no more reviews than restrictions.
fn repair(tally: &mut MonthCounts, is_up: bool) -> Option<()> {
    for (inner, outer, parts) in [
        (OVERTURNED, CONTESTED, CONTESTED..CONTESTED + 1),
        (CONTESTED, EVALUATIONS, 0..EVALUATIONS),
        (OVERTURNED, CONTESTED, CONTESTED..CONTESTED + 1),
        (REVIEWS, RESTRICTIONS, FIRST_KIND..RESTRICTIONS),
    ] {
        if tally.counts[inner] <= tally.counts[outer] {
            continue;
        }
        let part = match (is_up, inner) {
            // A count of nine is published in another way when it rises.
            (true, _) => parts.clone().find(|&part| tally.counts[part] != COUNT_MIN - 1),
            (false, REVIEWS) => (FIRST_OUTCOME..=OPEN_REVIEWS)
                .find(|&part| tally.counts[part] > 0 && tally.counts[part] != COUNT_MIN),
            (false, _) => Some(inner),
        };
        step(tally, part?, is_up)?;
    }
    Some(())
}

/// Returns the table with one count raised or lowered by one.
fn moved(tallies: &Tallies, place: usize, count: usize, is_up: bool) -> Option<Tallies> {
    let mut changed = tallies.clone();
    let tally = changed.get_mut(&CODES[place].map(market))?;
    step(tally, count, is_up)?;
    repair(tally, is_up)?;
    Some(changed)
}

/// Returns all tables with one changed count of these.
fn neighbours(tallies: &Tallies, counts: &[usize]) -> Vec<Tallies> {
    let places = 0..CODES.len();
    let single = places.flat_map(|place| counts.iter().map(move |&count| (place, count)));
    single
        .flat_map(|(place, count)| [true, false].map(|is_up| moved(tallies, place, count, is_up)))
        .flatten()
        .collect()
}

/// Counts that belong together: a change of one can hide a change of another.
fn family(count: usize) -> Vec<usize> {
    match count {
        0..=EVALUATIONS => (0..EVALUATIONS).collect(),
        CONTESTED | OVERTURNED => vec![CONTESTED, OVERTURNED],
        FIRST_KIND..=RESTRICTIONS => (FIRST_KIND..RESTRICTIONS).collect(),
        _ => (FIRST_OUTCOME..=OPEN_REVIEWS).collect(),
    }
}

/// A count that must stay secret: of a market with those inside it, without them, or the contests
/// without success.
#[derive(Clone, Copy, Debug)]
enum Secret {
    Row(usize, usize),
    Own(usize, usize),
    NotOverturned(usize),
}

impl Secret {
    fn value(self, tallies: &Tallies) -> u64 {
        let inside = |place: usize, count: usize| {
            super::sum_inside(CODES[place].map(market).as_ref(), tallies).counts[count]
        };
        match self {
            Self::Row(place, count) => inside(place, count),
            Self::Own(place, count) => tallies[&CODES[place].map(market)].counts[count],
            Self::NotOverturned(place) => inside(place, CONTESTED) - inside(place, OVERTURNED),
        }
    }

    fn count(self) -> usize {
        match self {
            Self::Row(_, count) | Self::Own(_, count) => count,
            Self::NotOverturned(_) => CONTESTED,
        }
    }
}

/// Returns the small counts of a table. A rest of zero concerns no person, and is no secret.
fn secrets(tallies: &Tallies) -> Vec<Secret> {
    let places = 0..CODES.len();
    let cells = places.flat_map(|place| (0..COUNTS).map(move |count| (place, count)));
    let rows = cells.clone().map(|(place, count)| Secret::Row(place, count));
    let rows = rows.filter(|secret| secret.value(tallies) < COUNT_MIN);
    let rests = cells
        .map(|(place, count)| Secret::Own(place, count))
        .chain((0..CODES.len()).map(Secret::NotOverturned));
    let rests = rests.filter(|secret| (1..COUNT_MIN).contains(&secret.value(tallies)));
    rows.chain(rests).collect()
}

/// Returns whether another table with another value of the secret is published in the same way.
/// Then no arithmetic on the published figures finds the secret, not even by a reader who knows
/// the rule.
fn is_safe<P: PartialEq>(
    tallies: &Tallies,
    secret: Secret,
    publish: &impl Fn(&Tallies) -> P,
) -> bool {
    let (published, value) = (publish(tallies), secret.value(tallies));
    let is_proof = |other: &Tallies| secret.value(other) != value && publish(other) == published;
    let counts = family(secret.count());
    let first = neighbours(tallies, &counts);
    if first.iter().any(is_proof) {
        return true;
    }
    first.iter().any(|one| neighbours(one, &counts).iter().any(is_proof))
}

fn figures(tallies: &Tallies) -> Vec<Vec<Figure>> {
    report_rows([], tallies).into_iter().map(|row| row.figures).collect()
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0_u64..=12, 1 => Just(0), 2 => 10_u64..=30, 2 => 40_u64..=400]
}

fn tally() -> impl Strategy<Value = MonthCounts> {
    let parts = proptest::collection::vec(count(), COUNTS);
    (parts, 0_u64..=100, 0_u64..=100).prop_map(|(parts, contested, overturned)| {
        let mut tally = MonthCounts::default();
        for (count, n) in parts.into_iter().enumerate() {
            let Some(total) = total_of(count) else { continue };
            // There are no more reviews than restrictions.
            let n = if total == REVIEWS { n.min(tally.counts[RESTRICTIONS] / 4) } else { n };
            tally.counts[count] += n;
            tally.counts[total] += n;
        }
        tally.counts[CONTESTED] = tally.counts[EVALUATIONS] * contested / 100;
        tally.counts[OVERTURNED] = tally.counts[CONTESTED] * overturned / 100;
        tally
    })
}

fn tables() -> impl Strategy<Value = Tallies> {
    proptest::collection::vec(tally(), CODES.len())
        .prop_map(|tallies| CODES.into_iter().map(|code| code.map(market)).zip(tallies).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_suppressed_count_can_be_solved_for(tallies in tables()) {
        for secret in secrets(&tallies) {
            prop_assert!(is_safe(&tallies, secret, &figures), "{:?}", secret);
        }
    }
}

/// The search is worth something only if it finds what a weaker rule gives away.
#[test]
fn the_search_finds_a_count_that_a_weaker_rule_gives_away() {
    let mut tally = MonthCounts::default();
    for (status, n) in Status::ALL.into_iter().zip([4, 20, 20, 20, 20, 20]) {
        tally.add_evaluations(status, false, false, n);
    }
    let tallies: Tallies =
        CODES.into_iter().map(|code| (code.map(market), tally.clone())).collect();
    let only_small = |tallies: &Tallies| -> Vec<Figure> {
        let sums = tallies.keys().map(|place| super::sum_inside(place.as_ref(), tallies));
        suppress(&sums.flat_map(|sum| sum.counts).collect::<Vec<_>>(), &[])
    };
    let france = Secret::Row(6, 0);
    assert_eq!(france.value(&tallies), 4);
    assert!(!is_safe(&tallies, france, &only_small));
    assert!(is_safe(&tallies, france, &figures));
}

//! The report for representatives: counts of evaluations and restrictions by month and market,
//! without any person.
//!
//! The counts of a market include those of the markets inside it. [`suppress`] decides which are
//! published.
//!
//! Not here: which rows a caller may see. The figures of a row do not depend on it, so that two
//! callers who compare their reports learn nothing from the differences.

use std::collections::BTreeMap;

use super::restrictions::{RestrictionKind, ReviewOutcome};
use super::suppression::{COUNT_MIN, Figure, Total, suppress};
use super::table::Status;
use crate::markets::Market;

const STATUSES: usize = Status::ALL.len();
const KINDS: usize = RestrictionKind::ALL.len();
const OUTCOMES: usize = ReviewOutcome::ALL.len();
/// Places of the counts in [`MonthCounts::counts`]: statuses, their total, then these.
const EVALUATIONS: usize = STATUSES;
const CONTESTED: usize = EVALUATIONS + 1;
const OVERTURNED: usize = CONTESTED + 1;
const FIRST_KIND: usize = OVERTURNED + 1;
const RESTRICTIONS: usize = FIRST_KIND + KINDS;
const FIRST_OUTCOME: usize = RESTRICTIONS + 1;
const OPEN_REVIEWS: usize = FIRST_OUTCOME + OUTCOMES;
const REVIEWS: usize = OPEN_REVIEWS + 1;
const COUNTS: usize = REVIEWS + 1;

/// The counts of one month and market.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MonthCounts {
    counts: [u64; COUNTS],
    /// Milliseconds to each answer to a rider.
    answers: Vec<i64>,
}

impl MonthCounts {
    /// Counts evaluations.
    pub fn add_evaluations(
        &mut self,
        status: Status,
        is_contested: bool,
        is_overturned: bool,
        n: u64,
    ) {
        let place = Status::ALL.iter().position(|other| *other == status).unwrap_or_default();
        self.counts[place] += n;
        self.counts[EVALUATIONS] += n;
        self.counts[CONTESTED] += if is_contested { n } else { 0 };
        self.counts[OVERTURNED] += if is_overturned { n } else { 0 };
    }

    /// Counts restrictions. `review` is the outcome of the review, if the rider requested one; its
    /// inner value is none while the review is open.
    pub fn add_restrictions(
        &mut self,
        kind: RestrictionKind,
        review: Option<Option<ReviewOutcome>>,
        n: u64,
    ) {
        let place = RestrictionKind::ALL.iter().position(|other| *other == kind);
        self.counts[FIRST_KIND + place.unwrap_or_default()] += n;
        self.counts[RESTRICTIONS] += n;
        let Some(outcome) = review else { return };
        let place = outcome.map_or(OPEN_REVIEWS, |outcome| {
            let place = ReviewOutcome::ALL.iter().position(|other| *other == outcome);
            FIRST_OUTCOME + place.unwrap_or_default()
        });
        self.counts[place] += n;
        self.counts[REVIEWS] += n;
    }

    /// Adds the milliseconds from a contest to its answer.
    pub fn add_answer(&mut self, millis: i64) {
        self.answers.push(millis);
    }

    fn add(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.answers.extend(&other.answers);
    }
}

/// The published figures of one month and market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// The market with those inside it; none for everywhere, with work outside of any market.
    pub market: Option<Market>,
    figures: Vec<Figure>,
    /// The median time to answer in milliseconds; none for few answers.
    pub median_ms: Option<i64>,
    /// The 90th percentile of the time to answer in milliseconds; none for few answers.
    pub p90_ms: Option<i64>,
}

impl ReportRow {
    /// Returns the evaluations with a status.
    pub fn status(&self, status: Status) -> Figure {
        let place = Status::ALL.iter().position(|other| *other == status);
        self.figures[place.unwrap_or_default()]
    }

    /// Returns all evaluations.
    pub fn evaluations(&self) -> Figure {
        self.figures[EVALUATIONS]
    }

    /// Returns the evaluations that riders contested.
    pub fn contested(&self) -> Figure {
        self.figures[CONTESTED]
    }

    /// Returns the evaluations that were changed in favour of the rider after a contest.
    pub fn overturned(&self) -> Figure {
        self.figures[OVERTURNED]
    }

    /// Returns the restrictions of a kind.
    pub fn kind(&self, kind: RestrictionKind) -> Figure {
        let place = RestrictionKind::ALL.iter().position(|other| *other == kind);
        self.figures[FIRST_KIND + place.unwrap_or_default()]
    }

    /// Returns all restrictions.
    pub fn restrictions(&self) -> Figure {
        self.figures[RESTRICTIONS]
    }

    /// Returns the reviews with an outcome, or the open ones.
    pub fn reviews_with(&self, outcome: Option<ReviewOutcome>) -> Figure {
        let place = outcome.map_or(OPEN_REVIEWS, |outcome| {
            let place = ReviewOutcome::ALL.iter().position(|other| *other == outcome);
            FIRST_OUTCOME + place.unwrap_or_default()
        });
        self.figures[place]
    }

    /// Returns all reviews that riders requested.
    pub fn reviews(&self) -> Figure {
        self.figures[REVIEWS]
    }
}

/// Returns the rows of one month: everywhere, then each market in the order of the codes. `tallies`
/// has the counts of each market without those inside it.
pub fn report_rows(
    markets: impl IntoIterator<Item = Market>,
    tallies: &BTreeMap<Option<Market>, MonthCounts>,
) -> Vec<ReportRow> {
    let mut places: Vec<Option<Market>> = markets.into_iter().map(Some).collect();
    places.extend(tallies.keys().cloned());
    places.push(None);
    places.sort_unstable();
    places.dedup();
    let sums: Vec<MonthCounts> =
        places.iter().map(|place| sum_inside(place.as_ref(), tallies)).collect();
    let counts: Vec<u64> = sums.iter().flat_map(|sum| sum.counts).collect();
    let figures = suppress(&counts, &totals(&places));
    let rows = places.into_iter().zip(sums).zip(figures.chunks(COUNTS));
    let rows = rows.map(|((market, mut sum), figures)| {
        sum.answers.sort_unstable();
        let has_enough = u64::try_from(sum.answers.len()).is_ok_and(|n| n >= COUNT_MIN);
        let median_ms = median(&sum.answers).filter(|_| has_enough);
        let p90_ms = percentile(&sum.answers, 90).filter(|_| has_enough);
        ReportRow { market, figures: figures.to_vec(), median_ms, p90_ms }
    });
    rows.collect()
}

fn is_inside(inner: Option<&Market>, outer: Option<&Market>) -> bool {
    match (inner, outer) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(inner), Some(outer)) => inner.is_within(outer),
    }
}

fn sum_inside(
    place: Option<&Market>,
    tallies: &BTreeMap<Option<Market>, MonthCounts>,
) -> MonthCounts {
    let mut sum = MonthCounts::default();
    for (market, tally) in tallies {
        if is_inside(market.as_ref(), place) {
            sum.add(tally);
        }
    }
    sum
}

/// Returns which counts include which: within a row, and of a market over the next ones inside it.
fn totals(places: &[Option<Market>]) -> Vec<Total> {
    let mut totals = Vec::new();
    for (row, place) in places.iter().enumerate() {
        let at = |count: usize| row * COUNTS + count;
        let sum = |total: usize, parts: std::ops::Range<usize>| Total::Sum {
            total: at(total),
            parts: parts.map(at).collect(),
        };
        totals.push(sum(EVALUATIONS, 0..STATUSES));
        totals.push(sum(RESTRICTIONS, FIRST_KIND..FIRST_KIND + KINDS));
        totals.push(sum(REVIEWS, FIRST_OUTCOME..OPEN_REVIEWS + 1));
        totals.push(Total::Whole { whole: at(CONTESTED), part: at(OVERTURNED) });
        let inside = next_inside(places, place.as_ref());
        totals.extend((0..COUNTS).map(|count| Total::Sum {
            total: at(count),
            parts: inside.iter().map(|other| other * COUNTS + count).collect(),
        }));
    }
    totals
}

/// Returns the rows of the markets inside a market that are in no other market inside it.
fn next_inside(places: &[Option<Market>], outer: Option<&Market>) -> Vec<usize> {
    let is_below = |place: &Option<Market>| {
        place.is_some() && place.as_ref() != outer && is_inside(place.as_ref(), outer)
    };
    let below: Vec<usize> = (0..places.len()).filter(|&row| is_below(&places[row])).collect();
    let is_next = |row: &usize| {
        !below
            .iter()
            .any(|other| other != row && is_inside(places[*row].as_ref(), places[*other].as_ref()))
    };
    below.iter().copied().filter(is_next).collect()
}

/// Returns the median of sorted values: of an even number, the mean of the two in the middle.
fn median(sorted: &[i64]) -> Option<i64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *sorted.get((sorted.len() / 2).checked_sub(1)?)?;
    Some(lower + (upper - lower) / 2)
}

/// Returns the nearest-rank percentile of sorted values.
fn percentile(sorted: &[i64], percent: usize) -> Option<i64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests;

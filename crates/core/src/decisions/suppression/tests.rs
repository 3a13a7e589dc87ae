use super::Figure::{Exact, Few, Suppressed};
use super::{Figure, Total, suppress};

fn sum(total: usize, parts: &[usize]) -> Total {
    Total::Sum { total, parts: parts.to_vec() }
}

#[test]
fn publishes_counts_from_ten_and_hides_zero() {
    assert_eq!(suppress(&[0, 1, 9, 10, 11], &[]), [Few, Few, Few, Exact(10), Exact(11)]);
}

#[test]
fn suppresses_a_total_that_gives_a_small_part_away() {
    let published = |counts: &[u64]| -> Vec<Figure> { suppress(counts, &[sum(0, &[1, 2])]) };
    assert_eq!(published(&[30, 20, 10]), [Exact(30), Exact(20), Exact(10)]);
    assert_eq!(published(&[23, 20, 3]), [Suppressed, Exact(20), Few]);
    assert_eq!(published(&[20, 20, 0]), [Suppressed, Exact(20), Few]);
    assert_eq!(published(&[12, 6, 6]), [Suppressed, Few, Few]);
    assert_eq!(published(&[7, 4, 3]), [Few, Few, Few]);
    // The rest of 4 is in no part.
    assert_eq!(published(&[34, 20, 10]), [Suppressed, Exact(20), Exact(10)]);
    assert_eq!(published(&[40, 20, 10]), [Exact(40), Exact(20), Exact(10)]);
}

#[test]
fn suppresses_each_total_around_a_suppressed_one() {
    // 0 is the country, 1 a region in it, 2 and 3 its cities, 4 another region.
    let totals = [sum(0, &[1, 4]), sum(1, &[2, 3])];
    let counts = [64, 24, 20, 4, 40];
    assert_eq!(suppress(&counts, &totals), [Suppressed, Suppressed, Exact(20), Few, Exact(40)]);
    let reversed: Vec<Total> = totals.iter().rev().cloned().collect();
    assert_eq!(suppress(&counts, &reversed), suppress(&counts, &totals));
}

#[test]
fn suppresses_a_whole_that_differs_little_from_its_published_part() {
    let published = |whole, part| suppress(&[whole, part], &[Total::Whole { whole: 0, part: 1 }]);
    assert_eq!(published(12, 10), [Suppressed, Exact(10)]);
    assert_eq!(published(12, 9), [Exact(12), Few]);
    assert_eq!(published(12, 12), [Exact(12), Exact(12)]);
    assert_eq!(published(20, 10), [Exact(20), Exact(10)]);
    assert_eq!(published(9, 9), [Few, Few]);
}

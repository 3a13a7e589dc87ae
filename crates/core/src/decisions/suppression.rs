//! Disclosure control of published counts: small counts, and the totals that would give them away,
//! are not published.
//!
//! The rule works upwards only: a total over a suppressed part is suppressed. So for each suppressed
//! count there is another table that is published in the same way, and no arithmetic on the
//! published figures finds the count.

/// The smallest count that is published.
pub const COUNT_MIN: u64 = 10;

/// A count as it is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The count.
    Exact(u64),
    /// The count is below [`COUNT_MIN`].
    Few,
    /// A count of at least [`COUNT_MIN`] that would give a small part of it away.
    Suppressed,
}

/// A count that includes others. Counts are named by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Total {
    /// The total is the sum of the parts and of a rest that is not published.
    Sum {
        /// The total.
        total: usize,
        /// The parts, which do not overlap.
        parts: Vec<usize>,
    },
    /// The part is one of those that the whole counts. The whole is suppressed if the difference of
    /// the two published counts is small.
    Whole {
        /// The count that includes the part.
        whole: usize,
        /// The part.
        part: usize,
    },
}

/// Returns each count as it is published.
pub fn suppress(counts: &[u64], totals: &[Total]) -> Vec<Figure> {
    let mut is_hidden: Vec<bool> = counts.iter().map(|&count| count < COUNT_MIN).collect();
    hide_sums(counts, totals, &mut is_hidden);
    for total in totals {
        if let Total::Whole { whole, part } = *total
            && !is_hidden[part]
            && is_small_rest(counts[whole].saturating_sub(counts[part]))
        {
            is_hidden[whole] = true;
        }
    }
    hide_sums(counts, totals, &mut is_hidden);
    let figure = |(&count, is_hidden)| match (count < COUNT_MIN, is_hidden) {
        (true, _) => Figure::Few,
        (false, true) => Figure::Suppressed,
        (false, false) => Figure::Exact(count),
    };
    counts.iter().zip(is_hidden).map(figure).collect()
}

/// Hides each total with a hidden part or a small rest, until none is left: totals may be parts of
/// other totals.
fn hide_sums(counts: &[u64], totals: &[Total], is_hidden: &mut [bool]) {
    loop {
        let mut has_changed = false;
        for total in totals {
            let Total::Sum { total, parts } = total else { continue };
            let sum: u64 = parts.iter().map(|&part| counts[part]).sum();
            let gives_away = parts.iter().any(|&part| is_hidden[part])
                || is_small_rest(counts[*total].saturating_sub(sum));
            if gives_away && !is_hidden[*total] {
                is_hidden[*total] = true;
                has_changed = true;
            }
        }
        if !has_changed {
            return;
        }
    }
}

/// Returns whether a part that is not published is small. A rest of zero concerns no person.
const fn is_small_rest(count: u64) -> bool {
    count > 0 && count < COUNT_MIN
}

#[cfg(test)]
mod tests;

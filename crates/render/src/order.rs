//! Checks whether an order of lines agrees with their positions on the page. A line below another
//! is read after it. Of two lines at one height, the one at the beginning of the line is read
//! first.

use hayro::kurbo::Rect;

/// Maximum number of lines that are compared; more than on any normal page.
const LINES_MAX: usize = 700;

/// A line with the properties that the order depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) area: Rect,
    pub(super) words: usize,
}

/// Returns the number of words in lines that must be removed so that the others are in order.
/// Returns the number of all words if the page has too many lines.
pub(super) fn disorder(spots: &[Spot], rtl: bool) -> usize {
    if spots.len() > LINES_MAX {
        return spots.iter().map(|spot| spot.words).sum();
    }
    let mut wrong: Vec<Vec<usize>> = vec![Vec::new(); spots.len()];
    for (at, earlier) in spots.iter().enumerate() {
        for (later_at, later) in spots.iter().enumerate().skip(at + 1) {
            if comes_before(&later.area, &earlier.area, rtl) {
                wrong[at].push(later_at);
                wrong[later_at].push(at);
            }
        }
    }
    let mut words = 0;
    // The line with most contradictions is the one that was moved.
    while let Some(worst) = (0..wrong.len())
        .filter(|at| !wrong[*at].is_empty())
        .max_by_key(|at| (wrong[*at].len(), usize::MAX - spots[*at].words))
    {
        words += spots[worst].words;
        for other in std::mem::take(&mut wrong[worst]) {
            wrong[other].retain(|at| *at != worst);
        }
    }
    words
}

fn comes_before(a: &Rect, b: &Rect, rtl: bool) -> bool {
    let common = a.x1.min(b.x1) - a.x0.max(b.x0);
    let height = a.height().min(b.height());
    if common > 0.3 * a.width().min(b.width()) {
        return a.y1.midpoint(a.y0) + 0.6 * height < b.y1.midpoint(b.y0);
    }
    let level = (a.y1 - b.y1).abs() < 0.3 * height;
    level && common < 0.0 && if rtl { a.x0 > b.x1 } else { a.x1 < b.x0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(x: f64, y: f64, words: usize) -> Spot {
        Spot { area: Rect::new(x, y, x + 100.0, y + 10.0), words }
    }

    #[test]
    fn lines_below_each_other_are_in_order() {
        let lines = [spot(0.0, 0.0, 5), spot(0.0, 14.0, 5), spot(0.0, 28.0, 5)];
        assert_eq!(disorder(&lines, false), 0);
        let moved = [lines[1], lines[2], spot(0.0, 0.0, 3)];
        assert_eq!(disorder(&moved, false), 3);
    }

    #[test]
    fn columns_are_read_one_after_the_other() {
        let columns =
            [spot(0.0, 0.0, 5), spot(0.0, 14.0, 5), spot(150.0, 0.0, 5), spot(150.0, 14.0, 5)];
        assert_eq!(disorder(&columns, false), 0);
        assert_eq!(disorder(&columns, true), 10);
        let swapped = [columns[2], columns[3], columns[0], columns[1]];
        assert_eq!(disorder(&swapped, false), 10);
    }
}

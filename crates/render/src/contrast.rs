//! Where something can be seen on the image of a page, in squares of a few pixels: the proof that a letter
//! of the file is on the page, and that nothing on the page is missing in the reading view.

use std::hash::{DefaultHasher, Hash, Hasher};

use hayro::kurbo::Rect;

/// Side of a square, in pixels of the 1x image.
pub(super) const SQUARE_PX: u32 = 4;

/// Squares by which it is told whether a letter is seen have half that side.
const FINE: usize = 2;

/// A square whose lightest and darkest point differ by less looks even to everybody.
const SEEN: u8 = 20;

/// The squares of one page in which something can be seen.
#[derive(Debug, Clone, Default)]
pub(super) struct Contrast {
    pub(super) columns: usize,
    pub(super) rows: usize,
    seen: Vec<bool>,
    fine: Squares,
}

/// Those of half the side.
#[derive(Debug, Clone, Default)]
struct Squares {
    columns: usize,
    rows: usize,
    seen: Vec<bool>,
}

impl Contrast {
    /// Reads an image that is `scale` times as large as the 1x image, three bytes a pixel.
    pub(super) fn of(width: u32, data: &[u8], scale: u32) -> Self {
        let side = (SQUARE_PX * scale) as usize / FINE;
        let row_bytes = (width as usize * 3).max(1);
        let columns = (width as usize).div_ceil(side);
        let rows = (data.len() / row_bytes).div_ceil(side);
        let mut lightest = vec![0_u8; columns * rows];
        let mut darkest = vec![u8::MAX; columns * rows];
        for (y, row) in data.chunks_exact(row_bytes).enumerate() {
            let first = y / side * columns;
            for (column, pixels) in row.chunks(side * 3).enumerate() {
                let at = first + column;
                for &[red, green, blue] in pixels.as_chunks::<3>().0 {
                    // Close enough to how light it looks, and of whole numbers.
                    let light = (u16::from(red) * 2 + u16::from(green) * 5 + u16::from(blue)) / 8;
                    let light = light as u8;
                    lightest[at] = lightest[at].max(light);
                    darkest[at] = darkest[at].min(light);
                }
            }
        }
        let is_seen = |(light, dark): (&u8, &u8)| light.saturating_sub(*dark) >= SEEN;
        let seen = lightest.iter().zip(&darkest).map(is_seen).collect();
        let fine = Squares { columns, rows, seen };
        let (columns, rows) = (columns.div_ceil(FINE), rows.div_ceil(FINE));
        let mut light = vec![0_u8; columns * rows];
        let mut dark = vec![u8::MAX; columns * rows];
        for (at, (a, b)) in lightest.into_iter().zip(darkest).enumerate() {
            let (column, row) = (at % fine.columns / FINE, at / fine.columns / FINE);
            let whole = row * columns + column;
            (light[whole], dark[whole]) = (light[whole].max(a), dark[whole].min(b));
        }
        let seen = light.iter().zip(&dark).map(is_seen).collect();
        Self { columns, rows, seen, fine }
    }

    pub(super) fn is_seen(&self, column: usize, row: usize) -> bool {
        column < self.columns && self.seen.get(row * self.columns + column) == Some(&true)
    }

    /// The squares that a rectangle touches: columns, then rows.
    pub(super) fn squares(&self, area: &Rect) -> (Span, Span) {
        touched(area, f64::from(SQUARE_PX), self.columns, self.rows)
    }

    /// A number that differs where what is seen differs.
    pub(super) fn look(&self, area: &Rect) -> u64 {
        let (columns, rows) = self.squares(area);
        let mut hasher = DefaultHasher::new();
        for row in rows {
            columns.clone().for_each(|column| self.is_seen(column, row).hash(&mut hasher));
        }
        hasher.finish()
    }

    pub(super) fn has_any(&self) -> bool {
        self.seen.contains(&true)
    }

    /// Whether anything can be seen in this part of the page.
    pub(super) fn shows(&self, area: &Rect) -> bool {
        let Squares { columns, rows, ref seen } = self.fine;
        let (across, down) = touched(area, f64::from(SQUARE_PX) / FINE as f64, columns, rows);
        down.into_iter()
            .any(|row| across.clone().any(|column| seen.get(row * columns + column) == Some(&true)))
    }
}

type Span = std::ops::Range<usize>;

fn touched(area: &Rect, side: f64, columns: usize, rows: usize) -> (Span, Span) {
    let low = |pixels: f64| (pixels.max(0.0) / side) as usize;
    let high = |pixels: f64, most: usize| ((pixels.max(0.0) / side).ceil() as usize).min(most);
    (low(area.x0)..high(area.x1, columns), low(area.y0)..high(area.y1, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_with_ink_is_seen_and_an_even_one_is_not() {
        let mut data = vec![250_u8; 16 * 8 * 3];
        // One dark point in the second square of the first row, and a faint one in the third.
        data[5 * 3] = 0;
        data[5 * 3 + 1] = 0;
        data[9 * 3] = 240;
        let contrast = Contrast::of(16, &data, 1);
        assert_eq!((contrast.columns, contrast.rows), (4, 2));
        let seen: Vec<bool> = (0..4).map(|column| contrast.is_seen(column, 0)).collect();
        assert_eq!(seen, [false, true, false, false]);
        assert!(contrast.shows(&Rect::new(0.0, 0.0, 16.0, 4.0)));
        assert!(!contrast.shows(&Rect::new(0.0, 4.0, 16.0, 8.0)));
        // Finer: the point is in the left half of its square.
        assert!(!contrast.shows(&Rect::new(6.0, 0.0, 8.0, 4.0)));
    }
}

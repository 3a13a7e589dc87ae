//! Finds where something is visible in the image of a page, in squares of a few pixels. This proves
//! that a letter of the file is visible on the page, and that nothing on the page is missing in the
//! reading view.

use std::hash::{DefaultHasher, Hash, Hasher};

use hayro::kurbo::Rect;

/// Side of a square, in pixels of the 1x image.
pub(super) const SQUARE_PX: u32 = 4;

/// Number of fine squares per side of a square. Fine squares are used to check letters.
const FINE: usize = 2;

/// Minimum difference between the lightest and darkest point of a square. With less, it looks
/// uniform.
const VISIBLE_DIFFERENCE: u8 = 20;

/// The squares of one page in which something is visible.
#[derive(Debug, Clone, Default)]
pub(super) struct Contrast {
    pub(super) columns: usize,
    pub(super) rows: usize,
    visible: Vec<bool>,
    fine: Squares,
}

/// The fine squares, with half the side.
#[derive(Debug, Clone, Default)]
struct Squares {
    columns: usize,
    rows: usize,
    visible: Vec<bool>,
}

impl Contrast {
    /// Analyses an image that is `scale` times as large as the 1x image, with three bytes per
    /// pixel.
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
                    // An integer approximation of the perceived lightness.
                    let light = (u16::from(red) * 2 + u16::from(green) * 5 + u16::from(blue)) / 8;
                    let light = light as u8;
                    lightest[at] = lightest[at].max(light);
                    darkest[at] = darkest[at].min(light);
                }
            }
        }
        let is_visible =
            |(light, dark): (&u8, &u8)| light.saturating_sub(*dark) >= VISIBLE_DIFFERENCE;
        let visible = lightest.iter().zip(&darkest).map(is_visible).collect();
        let fine = Squares { columns, rows, visible };
        let (columns, rows) = (columns.div_ceil(FINE), rows.div_ceil(FINE));
        let mut light = vec![0_u8; columns * rows];
        let mut dark = vec![u8::MAX; columns * rows];
        for (at, (a, b)) in lightest.into_iter().zip(darkest).enumerate() {
            let (column, row) = (at % fine.columns / FINE, at / fine.columns / FINE);
            let whole = row * columns + column;
            (light[whole], dark[whole]) = (light[whole].max(a), dark[whole].min(b));
        }
        let visible = light.iter().zip(&dark).map(is_visible).collect();
        Self { columns, rows, visible, fine }
    }

    pub(super) fn is_visible(&self, column: usize, row: usize) -> bool {
        column < self.columns && self.visible.get(row * self.columns + column) == Some(&true)
    }

    /// Returns the squares that a rectangle touches: columns, then rows.
    pub(super) fn squares(&self, area: &Rect) -> (Span, Span) {
        touched(area, f64::from(SQUARE_PX), self.columns, self.rows)
    }

    /// Returns a hash of the visible squares in an area.
    pub(super) fn look(&self, area: &Rect) -> u64 {
        let (columns, rows) = self.squares(area);
        let mut hasher = DefaultHasher::new();
        for row in rows {
            columns.clone().for_each(|column| self.is_visible(column, row).hash(&mut hasher));
        }
        hasher.finish()
    }

    pub(super) fn has_any(&self) -> bool {
        self.visible.contains(&true)
    }

    /// Returns whether anything is visible in this part of the page.
    pub(super) fn shows(&self, area: &Rect) -> bool {
        let Squares { columns, rows, ref visible } = self.fine;
        let (across, down) = touched(area, f64::from(SQUARE_PX) / FINE as f64, columns, rows);
        down.into_iter().any(|row| {
            across.clone().any(|column| visible.get(row * columns + column) == Some(&true))
        })
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
    fn detects_ink_and_ignores_faint_differences() {
        let mut data = vec![250_u8; 16 * 8 * 3];
        // One dark point in the second square of the first row, and a faint one in the third.
        data[5 * 3] = 0;
        data[5 * 3 + 1] = 0;
        data[9 * 3] = 240;
        let contrast = Contrast::of(16, &data, 1);
        assert_eq!((contrast.columns, contrast.rows), (4, 2));
        let visible: Vec<bool> = (0..4).map(|column| contrast.is_visible(column, 0)).collect();
        assert_eq!(visible, [false, true, false, false]);
        assert!(contrast.shows(&Rect::new(0.0, 0.0, 16.0, 4.0)));
        assert!(!contrast.shows(&Rect::new(0.0, 4.0, 16.0, 8.0)));
        // With fine squares: the point is in the left half of its square.
        assert!(!contrast.shows(&Rect::new(6.0, 0.0, 8.0, 4.0)));
    }
}

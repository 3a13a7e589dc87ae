//! The ink of a page image that no glyph accounts for, in pixels of the 1x image.

use hayro::kurbo::Rect;

use super::claims::{Claims, difference};
use super::pixels::Rgb;

/// Minimum difference between adjacent pixels of the 2x image at the edge of a mark.
const EDGE: u8 = 24;

/// Minimum length of a rule. Shorter strokes are signs, boxes or parts of them.
const RULE_PX: usize = 12;

/// Maximum length of a part of a rule that glyphs hide.
const HIDDEN_PX: usize = 40;

/// Maximum distance of cells that belong together.
const REACH: usize = 2;

/// Maximum side of a sign, which is no rule.
const SIGN_PX: f64 = 34.0;

/// The pixels with unexplained edges.
#[derive(Debug, Clone, Default)]
pub(super) struct Residue {
    width: usize,
    height: usize,
    ink: Vec<bool>,
    /// Pixels of glyphs.
    glyphs: Vec<bool>,
    /// The lightness of each pixel.
    light: Vec<u8>,
}

/// A connected piece of unexplained ink.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) area: Rect,
    cells: Vec<usize>,
}

impl Residue {
    pub(super) fn of(claims: &Claims, image: &Rgb) -> Self {
        let (wide, high) = (image.width as usize, image.height as usize);
        let (width, height) = (wide.div_ceil(2), high.div_ceil(2));
        let mut residue = Self {
            width,
            height,
            ink: vec![false; width * height],
            glyphs: vec![false; width * height],
            light: vec![0; width * height],
        };
        let bytes = wide * 3;
        let rows: Vec<&[u8]> = image.data.chunks_exact(bytes.max(3)).collect();
        for (y, row) in rows.iter().enumerate() {
            let next = rows.get(y + 1).filter(|next| *next != row);
            let is_flat = row[3..] == row[..bytes - 3];
            if !is_flat {
                residue.across(y, row, claims, wide);
            }
            if let Some(next) = next {
                residue.down(y, row, next, claims, wide);
            }
            if y % 2 == 0 {
                residue.lightness(y / 2, row);
            }
            for x in 0..wide {
                if claims.is_touched(y * wide + x) {
                    residue.glyphs[y / 2 * width + x / 2] = true;
                }
            }
        }
        residue
    }

    fn lightness(&mut self, y: usize, row: &[u8]) {
        let pixels = row.as_chunks::<3>().0.iter().step_by(2);
        for (light, [red, green, blue]) in self.light[y * self.width..].iter_mut().zip(pixels) {
            let sum = u16::from(*red) * 2 + u16::from(*green) * 5 + u16::from(*blue);
            *light = (sum / 8) as u8;
        }
    }

    /// Returns whether the ink of an area is solid, as that of a bullet is and that of a box is not.
    pub(super) fn is_solid(&self, area: &Rect) -> bool {
        let (left, top) = (area.x0 as usize, area.y0 as usize);
        let (right, bottom) = (area.x1 as usize, area.y1 as usize);
        let at = |x: usize, y: usize| self.light.get(y * self.width + x).copied().unwrap_or(255);
        let middle = at(usize::midpoint(left, right), usize::midpoint(top, bottom));
        let same = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let (mut like, mut all) = (0, 0);
        for (x, y) in same {
            all += 1;
            like += usize::from(at(x, y).abs_diff(middle) < 64);
        }
        let ground = at(left.saturating_sub(2), top.saturating_sub(2));
        ground.abs_diff(middle) >= 64 && like * 2 > all
    }

    fn across(&mut self, y: usize, row: &[u8], claims: &Claims, wide: usize) {
        let pixels = row.as_chunks::<3>().0;
        for (x, pair) in pixels.windows(2).enumerate() {
            let at = y * wide + x;
            let is_edge = pair[0] != pair[1] && difference(pair[0], pair[1]) >= EDGE;
            if is_edge && claims.is_free(at) && claims.is_free(at + 1) {
                self.ink[y / 2 * self.width + x / 2] = true;
                self.ink[y / 2 * self.width + x.div_ceil(2)] = true;
            }
        }
    }

    fn down(&mut self, y: usize, row: &[u8], next: &[u8], claims: &Claims, wide: usize) {
        let pairs = row.as_chunks::<3>().0.iter().zip(next.as_chunks::<3>().0);
        for (x, (one, other)) in pairs.enumerate() {
            let at = y * wide + x;
            let is_edge = one != other && difference(*one, *other) >= EDGE;
            if is_edge && claims.is_free(at) && claims.is_free(at + wide) {
                self.ink[y / 2 * self.width + x / 2] = true;
                self.ink[y.div_ceil(2) * self.width + x / 2] = true;
            }
        }
    }

    pub(super) const fn height(&self) -> f64 {
        self.height as f64
    }

    /// Removes everything in an area that is shown as a picture.
    pub(super) fn clear(&mut self, area: &Rect) {
        let clip = |at: f64, most: usize| (at.max(0.0) as usize).min(most);
        let (left, right) = (clip(area.x0, self.width), clip(area.x1.ceil(), self.width));
        for y in clip(area.y0, self.height)..clip(area.y1.ceil(), self.height) {
            self.ink[y * self.width + left..y * self.width + right.max(left)].fill(false);
        }
    }

    /// Returns the connected pieces of ink.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let mut open = self.ink.clone();
        let (mut pieces, mut pending) = (Vec::new(), Vec::new());
        for start in 0..open.len() {
            if !std::mem::take(&mut open[start]) {
                continue;
            }
            pending.push(start);
            let mut cells = Vec::new();
            let (mut left, mut right, mut top, mut bottom) = (self.width, 0, self.height, 0);
            while let Some(at) = pending.pop() {
                let (x, y) = (at % self.width, at / self.width);
                cells.push(at);
                (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
                for row in y.saturating_sub(REACH)..(y + REACH + 1).min(self.height) {
                    for column in x.saturating_sub(REACH)..(x + REACH + 1).min(self.width) {
                        if std::mem::take(&mut open[row * self.width + column]) {
                            pending.push(row * self.width + column);
                        }
                    }
                }
            }
            let (x0, y0) = (left as f64, top as f64);
            let area = Rect::new(x0, y0, right as f64 + 1.0, bottom as f64 + 1.0);
            pieces.push(Piece { area, cells });
        }
        pieces
    }

    /// Removes the straight rules of a piece for which `crosses` is false, and returns whether all
    /// of it was removed.
    pub(super) fn remove_rules(&mut self, piece: &Piece, crosses: &dyn Fn(&Rect) -> bool) {
        let (left, top) = (piece.area.x0 as usize, piece.area.y0 as usize);
        let (right, bottom) = (piece.area.x1 as usize, piece.area.y1 as usize);
        let mut own = vec![false; (right - left) * (bottom - top)];
        for &cell in &piece.cells {
            let (x, y) = (cell % self.width - left, cell / self.width - top);
            own[y * (right - left) + x] = true;
        }
        let mut rules = Vec::new();
        let is_own = |x: usize, y: usize| own[(y - top) * (right - left) + (x - left)];
        for y in top..bottom {
            let along = (left..right).map(|x| (is_own(x, y), self.glyphs[y * self.width + x]));
            for (from, to) in runs(along) {
                rules.push((left + from, y, left + to, y + 1));
            }
        }
        for x in left..right {
            let along = (top..bottom).map(|y| (is_own(x, y), self.glyphs[y * self.width + x]));
            for (from, to) in runs(along) {
                rules.push((x, top + from, x + 1, top + to));
            }
        }
        for (x0, y0, x1, y1) in rules {
            let area = Rect::new(x0 as f64, y0 as f64, x1 as f64, y1 as f64);
            if !crosses(&area) {
                self.clear(&area);
            }
        }
    }
}

/// Returns whether ink is as small as a sign.
pub(super) fn is_sign(area: &Rect) -> bool {
    area.width() <= SIGN_PX && area.height() <= SIGN_PX
}

/// Returns the straight runs in a row or column of cells, each with whether it has ink and whether
/// it has a glyph, which may hide a part of a rule.
fn runs(cells: impl Iterator<Item = (bool, bool)>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let (mut start, mut end, mut hidden) = (None, 0, 0);
    let mut close = |start: &mut Option<usize>, end: usize| {
        runs.extend(start.take().filter(|start| end - start >= RULE_PX).map(|start| (start, end)));
    };
    for (at, (ink, glyph)) in cells.enumerate() {
        if ink {
            start.get_or_insert(at);
            (end, hidden) = (at + 1, 0);
        } else {
            hidden += 1;
            if !glyph && hidden > 1 || hidden > HIDDEN_PX {
                close(&mut start, end);
            }
        }
    }
    close(&mut start, end);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: usize, height: usize, dark: &[(usize, usize)]) -> Rgb {
        let mut data = vec![255; width * height * 3];
        for (x, y) in dark {
            data[(y * width + x) * 3..][..3].fill(0);
        }
        Rgb { width: width as u32, height: height as u32, data }
    }

    #[test]
    fn a_rule_is_removed_unless_it_crosses_a_glyph() {
        let level: Vec<_> = (10..70).flat_map(|x| [(x, 20), (x, 21)]).collect();
        let image = image(100, 60, &level);
        let claims = Claims::of(100, 60, &[]);
        let mut residue = Residue::of(&claims, &image);
        let pieces = residue.pieces();
        assert_eq!(pieces.len(), 1);
        residue.remove_rules(&pieces[0], &|_| true);
        assert_eq!(residue.pieces().len(), 1);
        residue.remove_rules(&pieces[0], &|_| false);
        assert!(residue.pieces().iter().all(|piece| piece.area.width() < 3.0));
    }

    #[test]
    fn a_point_is_found() {
        let claims = Claims::of(40, 40, &[]);
        let image = image(40, 40, &[(20, 20), (21, 20), (20, 21), (21, 21)]);
        assert_eq!(Residue::of(&claims, &image).pieces().len(), 1);
    }
}

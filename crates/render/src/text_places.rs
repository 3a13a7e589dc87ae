//! Where the text of a page is, for the distance of ink from it.

use hayro::kurbo::Rect;

use super::glyphs::Glyph;
use super::residue::is_sign;
use super::side_bars;

/// Maximum size of a bullet, in font sizes of its line, and its distance from it.
const BULLET_EM: f64 = 0.55;
const BULLET_GAP_EM: f64 = 3.0;

/// Distance at which a sign belongs to a line, in font sizes.
const BESIDE_EM: f64 = 6.0;

/// The text of a page, for the distance of ink from it.
pub(super) struct Text<'a> {
    letters: Vec<(&'a Glyph, Rect)>,
}

impl<'a> Text<'a> {
    pub(super) fn of(letters: &'a [Glyph]) -> Self {
        let inked = letters.iter().filter_map(|glyph| Some((glyph, glyph.ink?)));
        Self { letters: inked.collect() }
    }

    /// Returns whether a thin straight line passes through a letter.
    pub(super) fn crosses(&self, rule: &Rect) -> bool {
        let is_level = rule.width() > rule.height();
        let (x, y) = (rule.center().x, rule.center().y);
        self.letters.iter().any(|(glyph, ink)| {
            if is_level {
                let low = f64::from(glyph.baseline) - 0.05 * f64::from(glyph.size);
                let low = if glyph.turned { ink.y1 - 1.0 } else { low.min(ink.y1 - 1.0) };
                let common = rule.x1.min(ink.x1) - rule.x0.max(ink.x0);
                ink.y0 + 1.0 < y && y < low && common > 0.5 * ink.width()
            } else {
                let common = rule.y1.min(ink.y1) - rule.y0.max(ink.y0);
                ink.x0 + 1.0 < x && x < ink.x1 - 1.0 && common > 0.5 * ink.height()
            }
        })
    }

    /// Returns whether ink is among the letters of a line.
    pub(super) fn touches(&self, area: &Rect) -> bool {
        self.letters.iter().any(|(glyph, _)| {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let line = Rect::new(
                f64::from(glyph.left) - 0.25 * size,
                baseline - 0.75 * size,
                f64::from(glyph.right) + 0.25 * size,
                baseline,
            );
            !glyph.turned && line.overlaps(*area)
        })
    }

    /// Returns whether thin ink is below the letters of a line.
    pub(super) fn is_underline(&self, area: &Rect) -> bool {
        area.height() <= 4.0
            && area.width() >= 4.0
            && self.letters.iter().any(|(glyph, ink)| {
                let below = (area.y0 - f64::from(glyph.baseline)) / f64::from(glyph.size);
                let common = area.x1.min(ink.x1) - area.x0.max(ink.x0);
                (-0.02..0.35).contains(&below) && common > 0.0
            })
            && !self.touches(area)
    }

    /// Returns whether ink is a thick line at the side of text, taller than a line of it: a drawn
    /// sign is not.
    pub(super) fn is_side_bar(&self, area: &Rect) -> bool {
        const LINES: f64 = 1.5;
        let level = |glyph: &Glyph| (area.y0..area.y1).contains(&f64::from(glyph.baseline));
        let size =
            self.letters.iter().filter(|(glyph, _)| level(glyph)).map(|(glyph, _)| glyph.size);
        let is_tall = area.height() >= LINES * f64::from(size.fold(0.0, f32::max));
        let letters = || self.letters.iter().map(|(glyph, _)| *glyph);
        is_tall && !self.touches(area) && side_bars::marked_area(area, letters(), area.x1).is_some()
    }

    /// Returns whether a figure is a part of a line: a sign next to it, or a picture of words in it.
    pub(super) fn is_among(&self, figure: &Rect) -> bool {
        if is_sign(figure) {
            return self.beside(figure).is_some();
        }
        self.letters.iter().any(|(glyph, ink)| {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let gap = (figure.x0 - ink.x1).max(ink.x0 - figure.x1);
            let level = (baseline - 0.8 * size..baseline + 0.1 * size).contains(&figure.center().y);
            level && gap < 2.0 * size && figure.height() < 1.8 * size && !glyph.furniture
        })
    }

    /// Returns the letter of the line that ink belongs to.
    pub(super) fn beside(&self, area: &Rect) -> Option<Rect> {
        let middle = area.center().y;
        let near = self.letters.iter().filter_map(|(glyph, ink)| {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let gap = (area.x0 - ink.x1).max(ink.x0 - area.x1).max(0.0);
            let is_level = (baseline - 1.1 * size..baseline + 0.35 * size).contains(&middle);
            (is_level && gap < BESIDE_EM * size && !glyph.furniture && !glyph.turned)
                .then_some((gap, *ink))
        });
        near.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, ink)| ink)
    }

    /// Returns whether ink has the size and the place of the bullet of a line.
    pub(super) fn is_bullet(&self, area: &Rect) -> bool {
        let middle = area.center().y;
        let (mut before, mut after, mut size_of_line) = (false, false, 0.0_f64);
        for (glyph, ink) in &self.letters {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let is_level = (baseline - 0.7 * size..baseline).contains(&middle);
            let reach = BULLET_GAP_EM * size;
            if !is_level {
                continue;
            }
            size_of_line = size_of_line.max(size);
            before |= ink.x0 >= area.x1 && ink.x0 - area.x1 < reach;
            after |= ink.x1 <= area.x0 && area.x0 - ink.x1 < reach;
        }
        before != after && area.width().max(area.height()) <= BULLET_EM * size_of_line + 1.0
    }
}

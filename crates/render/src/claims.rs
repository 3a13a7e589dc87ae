//! Draws the page a second time, from the glyphs of its text alone, to find out which parts of the
//! page image the text accounts for. The outlines are those that the renderer fills.

use std::collections::HashMap;

use hayro::kurbo::{BezPath, PathEl, Point, Rect, flatten};

use super::coverage::Coverage;
use super::pixels::Rgb;

/// The outlines are in pixels of the 2x image.
pub(super) const SCALE: f64 = 2.0;

/// A pixel next to a glyph, where a soft edge may end.
const NEAR: u8 = 1;
/// A pixel that a glyph touches.
const TOUCHED: u8 = 2;

/// Minimum coverage of a touched pixel, and of a pixel that certainly has the glyph's colour.
const TOUCHED_FROM: f32 = 0.02;
const HALF: f32 = 0.5;

/// Maximum number of glyphs that are compared. More are on no page that people read.
const GLYPHS_MAX: usize = 60_000;

/// Maximum size of one glyph, in pixels of the 2x image. Larger ones are drawings.
const GLYPH_PX_MAX: f64 = 4_000_000.0;

/// Minimum difference of a visible pixel from its surroundings.
const VISIBLE: u8 = 16;

/// A glyph as the renderer draws it.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    pub(super) path: BezPath,
    /// By how many pixels a stroke around the outline extends it.
    pub(super) grown: usize,
}

/// Whether the ink of a glyph is on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// All of it, or nothing can be said.
    Seen,
    /// A part of it is covered.
    Partly,
    /// None of it.
    Nowhere,
}

/// The pixels of the 2x image that glyphs cover.
#[derive(Debug, Clone, Default)]
pub(super) struct Claims {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    /// Number of the glyph that covers a pixel, from 1; 0 for none.
    owners: Vec<u16>,
    /// The pixels around each glyph.
    boxes: Vec<[usize; 4]>,
    areas: Vec<u32>,
    overlaps: HashMap<(u16, u16), u32>,
}

impl Claims {
    pub(super) fn of(width: usize, height: usize, outlines: &[Outline]) -> Self {
        let mut claims = Self {
            width,
            height,
            pixels: vec![0; width * height],
            owners: vec![0; width * height],
            ..Self::default()
        };
        for (index, outline) in outlines.iter().take(GLYPHS_MAX).enumerate() {
            let (pixels, area) = claims.stamp(index as u16 + 1, outline);
            claims.boxes.push(pixels);
            claims.areas.push(area);
        }
        claims
    }

    /// Adds a glyph; returns the pixels around it and the number of those that it covers.
    fn stamp(&mut self, id: u16, outline: &Outline) -> ([usize; 4], u32) {
        let Some(coverage) = coverage_of(&outline.path) else { return ([0; 4], 0) };
        let (mut across, mut down) = ((self.width, 0), (self.height, 0));
        let mut area = 0;
        let reach = 1 + outline.grown;
        for (x, y, covered) in coverage.pixels() {
            let Some((x, y)) = self.on_page(x, y).filter(|_| covered > TOUCHED_FROM) else {
                continue;
            };
            across = (across.0.min(x), across.1.max(x + 1));
            down = (down.0.min(y), down.1.max(y + 1));
            for row in y.saturating_sub(reach)..(y + reach + 1).min(self.height) {
                let (left, right) = (x.saturating_sub(reach), (x + reach + 1).min(self.width));
                for pixel in &mut self.pixels[row * self.width + left..row * self.width + right] {
                    *pixel |= NEAR;
                }
            }
            let at = y * self.width + x;
            self.pixels[at] |= TOUCHED;
            if covered >= HALF {
                area += 1;
                let before = std::mem::replace(&mut self.owners[at], id);
                if before != 0 && before != id {
                    *self.overlaps.entry((before, id)).or_default() += 1;
                }
            }
        }
        ([across.0, down.0, across.1, down.1], area)
    }

    fn on_page(&self, x: i64, y: i64) -> Option<(usize, usize)> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then_some((x, y))
    }

    pub(super) fn is_free(&self, at: usize) -> bool {
        self.pixels[at] == 0
    }

    pub(super) fn is_touched(&self, at: usize) -> bool {
        self.pixels[at] & TOUCHED != 0
    }

    /// Returns pairs of glyphs that cover each other, with the share of the smaller one.
    pub(super) fn overlaps(&self) -> Vec<(usize, usize, f32)> {
        let area = |id: u16| self.areas.get(usize::from(id) - 1).copied().unwrap_or(0).max(1);
        let mut pairs: Vec<_> = self
            .overlaps
            .iter()
            .map(|(&(a, b), &common)| {
                let share = common as f32 / area(a).min(area(b)) as f32;
                (usize::from(a) - 1, usize::from(b) - 1, share)
            })
            .collect();
        pairs.sort_unstable_by_key(|&(a, b, _)| (a, b));
        pairs
    }

    /// Compares each glyph with the page image.
    pub(super) fn inks(&self, image: &Rgb) -> Vec<Ink> {
        let ids = 1..=self.boxes.len() as u16;
        ids.zip(&self.boxes).map(|(id, pixels)| self.ink(id, *pixels, image)).collect()
    }

    fn ink(&self, id: u16, [left, top, right, bottom]: [usize; 4], image: &Rgb) -> Ink {
        if left >= right || top >= bottom {
            return Ink::Seen;
        }
        let colour =
            |at: usize| [image.data[at * 3], image.data[at * 3 + 1], image.data[at * 3 + 2]];
        let (mut around, mut inside) = (Colours::default(), Vec::new());
        for y in top.saturating_sub(2)..(bottom + 2).min(self.height) {
            for x in left.saturating_sub(2)..(right + 2).min(self.width) {
                let at = y * self.width + x;
                if self.owners[at] == id {
                    inside.push(colour(at));
                } else if !self.is_touched(at) {
                    around.add(colour(at));
                }
            }
        }
        let Some(ground) = around.most() else { return Ink::Seen };
        let mut steps: Vec<u8> = inside.iter().map(|ink| difference(*ink, ground)).collect();
        steps.sort_unstable();
        let Some(&high) = steps.get(steps.len() * 3 / 4) else { return Ink::Seen };
        if high < VISIBLE {
            return Ink::Nowhere;
        }
        let faint = steps.iter().filter(|step| **step < high / 4).count();
        if faint >= 3 && faint * 8 > steps.len() { Ink::Partly } else { Ink::Seen }
    }
}

/// Returns the largest difference of a channel.
pub(super) fn difference(a: [u8; 3], b: [u8; 3]) -> u8 {
    a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])).max(a[2].abs_diff(b[2]))
}

/// The colours around a glyph, of which the most frequent one is its background.
#[derive(Default)]
struct Colours(Vec<([u8; 3], u32)>);

/// Maximum number of colours that are distinguished around one glyph.
const COLOURS_MAX: usize = 24;

impl Colours {
    fn add(&mut self, colour: [u8; 3]) {
        let same = self.0.iter().position(|(other, _)| difference(*other, colour) < 6);
        match same {
            Some(at) => self.0[at].1 += 1,
            None if self.0.len() < COLOURS_MAX => self.0.push((colour, 1)),
            None => {}
        }
    }

    fn most(&self) -> Option<[u8; 3]> {
        self.0.iter().max_by_key(|(_, count)| *count).map(|(colour, _)| *colour)
    }
}

fn coverage_of(path: &BezPath) -> Option<Coverage> {
    let bounds: Rect = path.control_box();
    if path.elements().is_empty() || !bounds.is_finite() || bounds.area() > GLYPH_PX_MAX {
        return None;
    }
    let mut coverage = Coverage::new(bounds);
    let (mut first, mut last) = (Point::ZERO, Point::ZERO);
    flatten(path, 0.15, |element| match element {
        PathEl::MoveTo(point) => {
            coverage.line(last, first);
            (first, last) = (point, point);
        }
        PathEl::LineTo(point) => {
            coverage.line(last, point);
            last = point;
        }
        _ => {
            coverage.line(last, first);
            last = first;
        }
    });
    coverage.line(last, first);
    Some(coverage)
}

#[cfg(test)]
mod tests {
    use hayro::kurbo::Shape;

    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Outline {
        Outline { path: Rect::new(x, y, x + side, y + side).to_path(0.1), grown: 0 }
    }

    fn white(side: usize) -> Rgb {
        Rgb { width: side as u32, height: side as u32, data: vec![255; side * side * 3] }
    }

    fn paint(image: &mut Rgb, area: [usize; 4], grey: u8) {
        for y in area[1]..area[3] {
            for x in area[0]..area[2] {
                let at = (y * image.width as usize + x) * 3;
                image.data[at..at + 3].fill(grey);
            }
        }
    }

    #[test]
    fn a_claim_without_ink_is_found() {
        let claims = Claims::of(40, 40, &[square(10.0, 10.0, 12.0)]);
        let mut image = white(40);
        assert_eq!(claims.inks(&image), [Ink::Nowhere]);
        paint(&mut image, [10, 10, 22, 22], 0);
        assert_eq!(claims.inks(&image), [Ink::Seen]);
        // White over a third of it.
        paint(&mut image, [10, 14, 22, 18], 255);
        assert_eq!(claims.inks(&image), [Ink::Partly]);
    }

    #[test]
    fn claims_over_each_other_are_found() {
        let apart = Claims::of(40, 40, &[square(2.0, 2.0, 8.0), square(12.0, 2.0, 8.0)]);
        assert_eq!(apart.overlaps(), []);
        let over = Claims::of(40, 40, &[square(2.0, 2.0, 8.0), square(6.0, 2.0, 8.0)]);
        assert_eq!(over.overlaps(), [(0, 1, 0.5)]);
    }
}

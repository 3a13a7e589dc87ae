//! The visible parts of a page, and how the glyphs of its text account for it.

use super::claims::{Claims, Ink, Outline};
use super::contrast::Contrast;
use super::glyphs::Glyph;
use super::pixels::Rgb;
use super::residue::Residue;

#[derive(Debug, Clone, Default)]
pub(super) struct Sight {
    /// The squares in which something is visible.
    pub(super) contrast: Contrast,
    /// What no glyph accounts for.
    pub(super) residue: Residue,
    /// Pairs of outlines that cover each other, with the share of the smaller one.
    pub(super) overlaps: Vec<(usize, usize, f32)>,
    inks: Vec<Ink>,
}

impl Sight {
    pub(super) fn of(image: &Rgb, outlines: &[Outline]) -> Self {
        let contrast = Contrast::of(image.width, &image.data, 2);
        let claims = Claims::of(image.width as usize, image.height as usize, outlines);
        let (residue, inks) = (Residue::of(&claims, image), claims.inks(image));
        Self { contrast, residue, overlaps: claims.overlaps(), inks }
    }

    pub(super) fn ink(&self, glyph: &Glyph) -> Ink {
        let outline = glyph.outline.and_then(|outline| self.inks.get(outline as usize));
        outline.copied().unwrap_or(Ink::Seen)
    }
}

//! The outlines of glyphs in the page image.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use hayro::hayro_interpret::DrawMode;
use hayro::hayro_interpret::font::{Glyph, GlyphRun, HintingCache, OutlineGlyph};
use hayro::hayro_interpret::hayro_cmap::WritingMode;
use hayro::kurbo::{Affine, BezPath, Rect, Shape as _};

use super::claims::{Outline, SCALE};

/// The sizes that the renderer hints, in pixels of the 2x image.
const HINTED_PX: std::ops::RangeInclusive<f64> = 4.0..=128.0;

/// How the glyphs of a drawing operation are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    is_hinted: bool,
    is_filled: bool,
    /// Width of the stroke around the outlines, in pixels of the 2x image.
    stroke: f64,
}

impl Drawn {
    pub(super) fn of(run: &GlyphRun<'_, '_>, transform: Affine, mode: &DrawMode) -> Self {
        let is_hinted = run.writing_mode() == WritingMode::Horizontal;
        let stroke = match mode {
            DrawMode::Stroke(stroke) | DrawMode::FillAndStroke(_, stroke) => stroke.line_width,
            DrawMode::Fill(_) | DrawMode::Invisible => 0.0,
        };
        let is_filled = matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..));
        let scale = SCALE * transform.determinant().abs().sqrt();
        Self { is_hinted, is_filled, stroke: f64::from(stroke) * scale }
    }
}

/// Outlines by glyph and size. Outlines without hints have the size 0.
type Paths = HashMap<(u128, u32), Option<Rc<BezPath>>>;

/// The outlines of the glyphs of a document, which its pages share.
#[derive(Default)]
pub(super) struct Outlines {
    hinting: HintingCache,
    paths: RefCell<Paths>,
}

impl Outlines {
    fn path(
        &self,
        glyph: &OutlineGlyph,
        ppem: f32,
        path: impl FnOnce() -> Option<BezPath>,
    ) -> Option<Rc<BezPath>> {
        let key = (glyph.identifier().cache_key(), ppem.to_bits());
        if let Some(path) = self.paths.borrow().get(&key) {
            return path.clone();
        }
        let path = path().map(Rc::new);
        self.paths.borrow_mut().insert(key, path.clone());
        path
    }

    fn hinted(&self, glyph: &OutlineGlyph, ppem: f32) -> Option<Rc<BezPath>> {
        self.path(glyph, ppem, || glyph.hinted_outline(ppem, &self.hinting))
    }

    fn plain(&self, glyph: &OutlineGlyph) -> Rc<BezPath> {
        self.path(glyph, 0.0, || Some(glyph.outline())).unwrap_or_default()
    }
}

/// The shape of one glyph.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    /// Its outline, if the page image has it filled.
    pub(super) outline: Option<Outline>,
    /// Its area in pixels of the 1x image.
    pub(super) ink: Option<Rect>,
    /// Whether it certainly draws nothing.
    pub(super) is_empty: bool,
}

impl Shape {
    pub(super) fn has_ink(&self) -> bool {
        self.ink.is_some_and(|ink| ink.width() > 0.5 || ink.height() > 0.5)
    }
}

/// Returns whether a character is drawn with ink in every font.
pub(super) fn has_ink(letter: char) -> bool {
    letter.is_alphanumeric() || letter.is_ascii_punctuation() || "€£§°±×÷–—−•".contains(letter)
}

/// Returns the shape of a glyph. `transform` leads to pixels of the 1x image.
pub(super) fn shape(
    glyph: &Glyph<'_>,
    transform: Affine,
    drawn: Drawn,
    outlines: &Outlines,
) -> Shape {
    let Glyph::Outline(outline) = glyph else { return Shape::default() };
    let double = Affine::scale(SCALE) * transform;
    let [a, b, c, d, e, f] = double.as_coeffs();
    let ppem = d.abs() * 1000.0;
    let hints = drawn.is_hinted && drawn.is_filled && b == 0.0 && HINTED_PX.contains(&ppem);
    // As the renderer does it, so that the pixels are the same.
    let hinted = hints.then(|| outlines.hinted(outline, ppem as f32)).flatten();
    let path: BezPath = match hinted {
        Some(path) => Affine::new([a, b, c, d, e, f.round()]) * &*path,
        None => double * &*outlines.plain(outline),
    };
    if path.elements().is_empty() {
        return Shape { is_empty: true, ..Shape::default() };
    }
    let bounds = path.bounding_box();
    let ink = Rect::new(bounds.x0 / SCALE, bounds.y0 / SCALE, bounds.x1 / SCALE, bounds.y1 / SCALE);
    let grown =
        if drawn.stroke > 0.0 { (drawn.stroke / 2.0).ceil().clamp(1.0, 40.0) as usize } else { 0 };
    let is_visible = drawn.is_filled || drawn.stroke > 0.0;
    Shape {
        outline: is_visible.then_some(Outline { path, grown }),
        ink: Some(ink).filter(Rect::is_finite),
        is_empty: false,
    }
}

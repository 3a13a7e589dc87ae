//! The size of a page's image, and the position of the page in it.

use hayro::hayro_interpret::TransformExt as _;
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::Affine;

use super::{Limits, RenderError};

/// Short side of the 1x image of each page. A4 in portrait format then has 780 × 1103 pixels.
const SHORT_SIDE_PX: f32 = 780.0;
/// Maximum enlargement, for small pages such as a receipt or a card.
const MAX_SCALE: f32 = 3.0;

/// Size of the 1x image, and the position of the page in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub(super) width: u32,
    pub(super) height: u32,
    /// From PDF units to pixels of the 1x image, y downwards.
    pub(super) transform: Affine,
}

impl Placement {
    pub(super) fn of(page: &PdfPage<'_>, limits: &Limits) -> Result<Self, RenderError> {
        let (width_pt, height_pt) = page.render_dimensions();
        let usable = |side: f32| side.is_finite() && side > 0.0;
        if !usable(width_pt) || !usable(height_pt) {
            return Err(RenderError::unreadable("a page has no size"));
        }
        let scale = (SHORT_SIDE_PX / width_pt.min(height_pt))
            .min(MAX_SCALE)
            .min(limits.page_side_px as f32 / width_pt.max(height_pt));
        let side = |points: f32| ((points * scale).round() as u32).max(1);
        let (width, height) = (side(width_pt), side(height_pt));
        // Each side has its own scale, so that the last row of pixels is never half outside of the
        // page.
        let to_pixels = Affine::scale_non_uniform(
            f64::from(width) / f64::from(width_pt),
            f64::from(height) / f64::from(height_pt),
        );
        let upright = page.initial_transform(true).to_kurbo();
        Ok(Self { width, height, transform: to_pixels * upright })
    }
}

//! Draws one page as an image at two sizes.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{
    Pixmap, RasterizerSettings, RenderContext, RenderSettings as CanvasSettings, Resources,
    TargetInit,
};
use hayro::{RenderCache, RenderSettings};

use super::claims::Outline;
use super::pixels::{Depth, Rgb, reduce};
use super::placement::Placement;
use super::sight::Sight;
use super::{RenderError, webp};

pub(super) struct Images {
    pub(super) single: Rgb,
    pub(super) double: Rgb,
}

impl Images {
    /// Returns the two files.
    pub(super) fn encode(&self, is_fast: bool) -> Result<[Vec<u8>; 2], RenderError> {
        Ok([webp::encode(&self.single, is_fast)?, webp::encode(&self.double, is_fast)?])
    }
}

/// Draws the page and the overlay `over`, and compares the image with the outlines of its text. The
/// overlay does not share the caches, because it is another document. Returns the images and the
/// visible parts of the page.
pub(super) fn draw<'a>(
    page: &'a PdfPage<'a>,
    over: Option<&PdfPage<'_>>,
    outlines: &[Outline],
    placement: &Placement,
    cache: &RenderCache<'a>,
    settings: &InterpreterSettings,
) -> Result<(Images, Sight), RenderError> {
    let mut double = rasterise(page, over, placement, cache, settings)?;
    let depth = Depth::of(&double);
    let sight = Sight::of(&double, outlines);
    let mut single = halve(&double);
    reduce(&mut double, depth);
    reduce(&mut single, depth);
    Ok((Images { single, double }, sight))
}

fn rasterise<'a>(
    page: &'a PdfPage<'a>,
    over: Option<&PdfPage<'_>>,
    placement: &Placement,
    cache: &RenderCache<'a>,
    settings: &InterpreterSettings,
) -> Result<Rgb, RenderError> {
    let too_wide = |_| RenderError::unreadable("a page is too wide");
    let width = u16::try_from(placement.width * 2).map_err(too_wide)?;
    let height = u16::try_from(placement.height * 2).map_err(too_wide)?;
    let mut canvas = RenderContext::new_with(width, height, CanvasSettings::default());
    let transform = Affine::scale(2.0) * placement.transform;
    let drawing = RenderSettings::default();
    hayro::render_into(page, cache, settings, &drawing, &mut canvas, transform);
    if let Some(over) = over {
        let cache = RenderCache::new();
        hayro::render_into(over, &cache, settings, &drawing, &mut canvas, transform);
    }
    canvas.flush();
    let mut pixels = Pixmap::new(width, height);
    canvas.render_with(
        &mut pixels,
        &mut Resources::default(),
        RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..Default::default() },
    );
    // The background is opaque, so premultiplied colours equal the colours.
    let mut data = vec![0; pixels.data().len() * 3];
    let (colours, _) = data.as_chunks_mut::<3>();
    for (colour, pixel) in colours.iter_mut().zip(pixels.data()) {
        *colour = [pixel.r, pixel.g, pixel.b];
    }
    Ok(Rgb { width: u32::from(width), height: u32::from(height), data })
}

/// Halves an image: each pixel is the mean of the stored values of 2 × 2 pixels, without gamma
/// correction. Glyph edges are blended in the same way when they are drawn, so the small image
/// looks like one that was drawn small.
fn halve(image: &Rgb) -> Rgb {
    let (width, height) = (image.width / 2, image.height / 2);
    let row_bytes = image.width as usize * 3;
    let mut data = vec![0; (width * height * 3) as usize];
    let rows = data.chunks_exact_mut(width as usize * 3);
    for (halved, rows) in rows.zip(image.data.chunks_exact(row_bytes * 2)) {
        let (upper, lower) = rows.split_at(row_bytes);
        let pairs = upper.as_chunks::<6>().0.iter().zip(lower.as_chunks::<6>().0);
        for (mean, (a, b)) in halved.as_chunks_mut::<3>().0.iter_mut().zip(pairs) {
            let sum = |channel: usize| {
                u16::from(a[channel])
                    + u16::from(a[channel + 3])
                    + u16::from(b[channel])
                    + u16::from(b[channel + 3])
            };
            *mean = [0, 1, 2].map(|channel| ((sum(channel) + 2) / 4) as u8);
        }
    }
    Rgb { width, height, data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_an_image_by_the_mean_of_four_pixels() {
        let image = Rgb {
            width: 2,
            height: 2,
            data: [[0u8, 10, 255], [0, 10, 255], [255, 20, 255], [255, 20, 255]].concat(),
        };
        let small = halve(&image);
        assert_eq!((small.width, small.height), (1, 1));
        assert_eq!(small.data, [128, 15, 255]);
    }
}

//! Reduces the colours of a page image without a visible difference. WebP then needs half of the
//! bytes.
//!
//! Most pages are black text on white: 16 greys look the same as 256. A page with a photograph or a
//! scan gets 64 greys, and one with few colours keeps them.

use std::collections::HashSet;

/// An opaque image with three bytes per pixel.
pub(super) struct Rgb {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Vec<u8>,
}

impl Rgb {
    /// Returns a part, which must be inside of the image.
    pub(super) fn part(&self, x: u32, y: u32, width: u32, height: u32) -> Self {
        let row_bytes = self.width as usize * 3;
        let (start, length) = (x as usize * 3, width as usize * 3);
        let rows = self.data.chunks_exact(row_bytes).skip(y as usize).take(height as usize);
        let data = rows.flat_map(|row| &row[start..start + length]).copied().collect();
        Self { width, height, data }
    }
}

/// The colours that a page keeps. The 1x image uses the same as the 2x image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Grey16,
    Grey64,
    Colour,
}

/// Maximum difference between channels of a grey pixel. Decoders of JPEG scans leave a small tint.
const GREY_TOLERANCE: u8 = 6;

/// Minimum share of intermediate greys in a picture. The soft edges of text cover about a tenth of
/// a page.
const PICTURE_SHARE: f32 = 0.25;

/// Minimum share of smooth pixels, as one in this many. Text alone has far fewer.
const SMOOTH_SHARE: usize = 100;

/// Maximum number of colours in a WebP palette.
const PALETTE_MAX: usize = 256;

impl Depth {
    pub(super) fn of(image: &Rgb) -> Self {
        let mut in_between = 0usize;
        for &[r, g, b] in image.data.as_chunks::<3>().0 {
            let (low, high) = (r.min(g).min(b), r.max(g).max(b));
            if high - low > GREY_TOLERANCE {
                return Self::Colour;
            }
            // 8 and 247 are within half a step (of 16 greys) from black and white.
            in_between += usize::from((9..247).contains(&g));
        }
        let pixels = (image.data.len() / 3).max(1);
        if in_between as f32 / pixels as f32 > PICTURE_SHARE { Self::Grey64 } else { Self::Grey16 }
    }
}

/// Reduces the image to the colours of this depth.
pub(super) fn reduce(image: &mut Rgb, depth: Depth) {
    match depth {
        Depth::Grey16 => paint(image, |pixel| [step16(pixel[1]); 3]),
        Depth::Grey64 => paint(image, |pixel| [step64(pixel[1]); 3]),
        // The soft edges of coloured text look the same with 32 steps per channel. Gradients and
        // photographs would get visible stripes.
        Depth::Colour => {
            let coarse = |pixel: [u8; 3]| pixel.map(|channel| (channel >> 3 << 3) | (channel >> 5));
            let has_few_colours = |paint: &dyn Fn([u8; 3]) -> [u8; 3]| has_a_palette(image, paint);
            if !has_few_colours(&|pixel| pixel) && !is_smooth(image) && has_few_colours(&coarse) {
                paint(image, coarse);
            }
        }
    }
}

fn paint(image: &mut Rgb, paint: impl Fn([u8; 3]) -> [u8; 3]) {
    for pixel in image.data.as_chunks_mut::<3>().0 {
        *pixel = paint(*pixel);
    }
}

/// Rounds to 64 greys. The grain of scanned paper is a third of the file in its last two bits, and
/// the difference is not visible.
fn step64(grey: u8) -> u8 {
    (grey & 0xFC) | (grey >> 6)
}

fn step16(grey: u8) -> u8 {
    ((u16::from(grey) + 8) / 17) as u8 * 17
}

/// Returns whether many adjacent pixels differ by very little.
fn is_smooth(image: &Rgb) -> bool {
    let row_bytes = image.width as usize * 3;
    let slight_steps = |offset: usize| {
        let (pixels, _) = image.data.as_chunks::<3>();
        let (others, _) = image.data.get(offset..).unwrap_or_default().as_chunks::<3>();
        let slight = pixels.iter().zip(others).map(|(a, b)| {
            let step = a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])).max(a[2].abs_diff(b[2]));
            usize::from((1..=8).contains(&step))
        });
        slight.sum::<usize>()
    };
    let steps = slight_steps(3) + slight_steps(row_bytes);
    steps > image.data.len() / 3 / SMOOTH_SHARE
}

/// Returns whether the painted image has at most 256 colours.
fn has_a_palette(image: &Rgb, paint: &dyn Fn([u8; 3]) -> [u8; 3]) -> bool {
    let mut colours = HashSet::new();
    // Adjacent pixels are usually equal, so the set is used only once per run.
    let mut last = None;
    for pixel in image.data.as_chunks::<3>().0 {
        if last.replace(pixel) != Some(pixel) {
            colours.insert(paint(*pixel));
            if colours.len() > PALETTE_MAX {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, pixels: &[[u8; 3]]) -> Rgb {
        let height = pixels.len() as u32 / width;
        Rgb { width, height, data: pixels.concat() }
    }

    fn reduce_image(width: u32, pixels: &[[u8; 3]], depth: Depth) -> Vec<u8> {
        let mut page = image(width, pixels);
        assert_eq!(Depth::of(&page), depth);
        reduce(&mut page, depth);
        page.data
    }

    #[test]
    fn black_text_keeps_pure_white_and_black() {
        let page = [[255; 3], [0; 3], [255; 3], [0; 3], [255; 3], [247, 248, 246]];
        let grey = reduce_image(3, &page, Depth::Grey16);
        assert_eq!(grey, [[255; 3], [0; 3], [255; 3], [0; 3], [255; 3], [255; 3]].concat());
    }

    #[test]
    fn a_picture_keeps_its_greys_within_four_steps() {
        let pixels: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
        let grey = reduce_image(16, &pixels, Depth::Grey64);
        assert!(
            grey.iter()
                .zip(pixels.concat())
                .all(|(reduced, original)| reduced.abs_diff(original) < 4)
        );
        assert_eq!((grey.first(), grey.last()), (Some(&0), Some(&255)));
    }

    #[test]
    fn keeps_few_colours_unchanged() {
        let pixels = [[200, 16, 46], [255; 3], [1, 2, 3], [200, 16, 46]];
        assert_eq!(reduce_image(2, &pixels, Depth::Colour), pixels.concat());
    }

    #[test]
    fn soft_edges_become_a_palette_and_gradients_do_not() {
        let count = |pixels: &[u8]| pixels.chunks(3).collect::<HashSet<_>>().len();
        // A hundred very different colours, each in eight shades.
        let edges: Vec<[u8; 3]> = (0..1024u32)
            .map(|n| [(n % 10 * 24 + n / 100 % 8) as u8, (n / 10 % 10 * 24) as u8, 0])
            .collect();
        assert!(count(&edges.concat()) > PALETTE_MAX);
        assert_eq!(count(&reduce_image(32, &edges, Depth::Colour)), 100);
        let gradient: Vec<[u8; 3]> =
            (0..4096u32).map(|n| [(n % 64) as u8, (n / 64) as u8, 99]).collect();
        assert_eq!(reduce_image(64, &gradient, Depth::Colour), gradient.concat());
    }

    #[test]
    fn keeps_many_colours_unchanged() {
        let pixels: Vec<[u8; 3]> = (0..1024u32)
            .map(|n| [(n * 37 % 256) as u8, (n * 91 % 256) as u8, (n / 4) as u8])
            .collect();
        assert_eq!(reduce_image(32, &pixels, Depth::Colour), pixels.concat());
    }
}

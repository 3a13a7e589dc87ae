//! The pixels of a page image, in as few colours as nobody can tell from all of them: what WebP stores in
//! half of the bytes.
//!
//! Most pages are black text on white: 16 greys look the same as 256. A page with a photograph or a scan gets
//! 64, one with few colours keeps them.

use std::collections::HashSet;

/// An opaque image, three bytes a pixel.
pub(super) struct Rgb {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Vec<u8>,
}

/// Which colours of one page are kept; the 1x image follows the 2x image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Grey16,
    Grey64,
    Colour,
}

/// Below this difference between channels a pixel looks grey: decoders of JPEG scans leave a
/// tint of a few steps.
const GREY_TOLERANCE: u8 = 6;

/// Text covers about a tenth of a page with its soft edges; more in-between greys is a picture.
const PICTURE_SHARE: f32 = 0.25;

/// One pixel in so many; text alone has far fewer.
const SMOOTH_SHARE: usize = 100;

/// WebP stores so many colours as a palette.
const PALETTE_MAX: usize = 256;

impl Depth {
    pub(super) fn of(image: &Rgb) -> Self {
        let mut in_between = 0usize;
        for &[r, g, b] in image.data.as_chunks::<3>().0 {
            let (low, high) = (r.min(g).min(b), r.max(g).max(b));
            if high - low > GREY_TOLERANCE {
                return Self::Colour;
            }
            // 8 and 247 are within half a step of 16 greys from black and white.
            in_between += usize::from((9..247).contains(&g));
        }
        let pixels = (image.data.len() / 3).max(1);
        if in_between as f32 / pixels as f32 > PICTURE_SHARE { Self::Grey64 } else { Self::Grey16 }
    }
}

/// Leaves only the colours of this depth.
pub(super) fn reduce(image: &mut Rgb, depth: Depth) {
    match depth {
        Depth::Grey16 => paint(image, |pixel| [step16(pixel[1]); 3]),
        Depth::Grey64 => paint(image, |pixel| [step64(pixel[1]); 3]),
        // The soft edges of coloured text bear 32 steps a channel; gradients and photographs would show
        // stripes.
        Depth::Colour => {
            let coarse = |pixel: [u8; 3]| pixel.map(|channel| (channel >> 3 << 3) | (channel >> 5));
            let fits = |paint: &dyn Fn([u8; 3]) -> [u8; 3]| has_a_palette(image, paint);
            if !fits(&|pixel| pixel) && !is_smooth(image) && fits(&coarse) {
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

/// The paper of a scan is all grain: its last two bits are a third of the file, and nobody sees
/// 64 greys end.
fn step64(grey: u8) -> u8 {
    (grey & 0xFC) | (grey >> 6)
}

fn step16(grey: u8) -> u8 {
    ((u16::from(grey) + 8) / 17) as u8 * 17
}

/// Whether many neighbours, beside or below, differ by very little.
fn is_smooth(image: &Rgb) -> bool {
    let row_bytes = image.width as usize * 3;
    let slight_steps = |apart: usize| {
        let (pixels, _) = image.data.as_chunks::<3>();
        let (others, _) = image.data.get(apart..).unwrap_or_default().as_chunks::<3>();
        let slight = pixels.iter().zip(others).map(|(a, b)| {
            let step = a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])).max(a[2].abs_diff(b[2]));
            usize::from((1..=8).contains(&step))
        });
        slight.sum::<usize>()
    };
    let steps = slight_steps(3) + slight_steps(row_bytes);
    steps > image.data.len() / 3 / SMOOTH_SHARE
}

/// Whether the painted image has at most 256 colours.
fn has_a_palette(image: &Rgb, paint: &dyn Fn([u8; 3]) -> [u8; 3]) -> bool {
    let mut known = HashSet::new();
    // Neighbours are mostly equal, so the set is asked once a run.
    let mut last = None;
    for pixel in image.data.as_chunks::<3>().0 {
        if last.replace(pixel) != Some(pixel) {
            known.insert(paint(*pixel));
            if known.len() > PALETTE_MAX {
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

    fn reduced(width: u32, pixels: &[[u8; 3]], depth: Depth) -> Vec<u8> {
        let mut page = image(width, pixels);
        assert_eq!(Depth::of(&page), depth);
        reduce(&mut page, depth);
        page.data
    }

    #[test]
    fn black_text_keeps_white_white_and_black_black() {
        let page = [[255; 3], [0; 3], [255; 3], [0; 3], [255; 3], [247, 248, 246]];
        let grey = reduced(3, &page, Depth::Grey16);
        assert_eq!(grey, [[255; 3], [0; 3], [255; 3], [0; 3], [255; 3], [255; 3]].concat());
    }

    #[test]
    fn a_picture_keeps_its_greys_within_four_steps() {
        let pixels: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
        let grey = reduced(16, &pixels, Depth::Grey64);
        assert!(grey.iter().zip(pixels.concat()).all(|(shown, meant)| shown.abs_diff(meant) < 4));
        assert_eq!((grey.first(), grey.last()), (Some(&0), Some(&255)));
    }

    #[test]
    fn few_colours_stay_as_they_are() {
        let pixels = [[200, 16, 46], [255; 3], [1, 2, 3], [200, 16, 46]];
        assert_eq!(reduced(2, &pixels, Depth::Colour), pixels.concat());
    }

    #[test]
    fn soft_edges_become_a_palette_and_gradients_do_not() {
        let count = |pixels: &[u8]| pixels.chunks(3).collect::<HashSet<_>>().len();
        // A hundred colours far from each other, each in eight shades.
        let edges: Vec<[u8; 3]> = (0..1024u32)
            .map(|n| [(n % 10 * 24 + n / 100 % 8) as u8, (n / 10 % 10 * 24) as u8, 0])
            .collect();
        assert!(count(&edges.concat()) > PALETTE_MAX);
        assert_eq!(count(&reduced(32, &edges, Depth::Colour)), 100);
        let gradient: Vec<[u8; 3]> =
            (0..4096u32).map(|n| [(n % 64) as u8, (n / 64) as u8, 99]).collect();
        assert_eq!(reduced(64, &gradient, Depth::Colour), gradient.concat());
    }

    #[test]
    fn many_colours_stay() {
        let pixels: Vec<[u8; 3]> = (0..1024u32)
            .map(|n| [(n * 37 % 256) as u8, (n * 91 % 256) as u8, (n / 4) as u8])
            .collect();
        assert_eq!(reduced(32, &pixels, Depth::Colour), pixels.concat());
    }
}

//! Small PNG files of page images.
//!
//! Most pages are black text on white: 16 greys look the same as 256 and are half the bytes. A
//! page with a photograph or a scan gets 64, one with few colours gets a palette.

use std::collections::HashMap;

use png::{BitDepth, ColorType, Compression, EncodingError, Filter};

/// An opaque image, three bytes a pixel.
pub(super) struct Rgb {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Vec<u8>,
}

/// How the pixels of one page are stored; the 1x image follows the 2x image.
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

pub(super) fn encode(image: &Rgb, depth: Depth) -> Result<Vec<u8>, EncodingError> {
    match depth {
        Depth::Grey16 => write(image, ColorType::Grayscale, BitDepth::Four, None, &grey16(image)),
        Depth::Grey64 => {
            let grey: Vec<u8> = image.data.chunks_exact(3).map(|p| step64(p[1])).collect();
            write(image, ColorType::Grayscale, BitDepth::Eight, None, &grey)
        }
        Depth::Colour => match palette(image) {
            Some((palette, indices)) => {
                write(image, ColorType::Indexed, BitDepth::Eight, Some(palette), &indices)
            }
            None => write(image, ColorType::Rgb, BitDepth::Eight, None, &image.data),
        },
    }
}

fn write(
    image: &Rgb,
    colour: ColorType,
    depth: BitDepth,
    palette: Option<Vec<u8>>,
    data: &[u8],
) -> Result<Vec<u8>, EncodingError> {
    let mut out = Vec::with_capacity(64 * 1024);
    let mut encoder = png::Encoder::new(&mut out, image.width, image.height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    let picture = depth == BitDepth::Eight && palette.is_none();
    if let Some(palette) = palette {
        encoder.set_palette(palette);
    }
    encoder.set_compression(Compression::Balanced);
    // Filters predict smooth pictures; on flat text and palettes they only hide the repetition.
    encoder.set_filter(if picture { Filter::Adaptive } else { Filter::NoFilter });
    let mut writer = encoder.write_header()?;
    writer.write_image_data(data)?;
    writer.finish()?;
    Ok(out)
}

/// Two pixels a byte; a row begins on a new byte.
fn grey16(image: &Rgb) -> Vec<u8> {
    let row_bytes = image.width as usize * 3;
    let mut packed = Vec::with_capacity(image.data.len() / 6 + image.height as usize);
    for row in image.data.chunks_exact(row_bytes) {
        packed.extend(row.chunks(6).map(|pair| {
            let left = step16(pair[1]) << 4;
            pair.get(4).map_or(left, |&right| left | step16(right))
        }));
    }
    packed
}

/// The paper of a scan is all grain: its last two bits are a third of the file, and nobody sees
/// 64 greys end.
fn step64(grey: u8) -> u8 {
    (grey & 0xFC) | (grey >> 6)
}

fn step16(grey: u8) -> u8 {
    ((u16::from(grey) + 8) / 17) as u8
}

/// At most 256 colours: exact if there are so few, else to the nearest of 32 steps a channel. The
/// soft edges of coloured text bear that; gradients and photographs would show stripes.
fn palette(image: &Rgb) -> Option<(Vec<u8>, Vec<u8>)> {
    index(image, |channel| channel).or_else(|| {
        let coarse = |channel| (channel >> 3 << 3) | (channel >> 5);
        if is_smooth(image) { None } else { index(image, coarse) }
    })
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

fn index(image: &Rgb, step: impl Fn(u8) -> u8) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let mut colours = Vec::with_capacity(768);
    let mut indices = Vec::with_capacity(image.data.len() / 3);
    // Neighbours are mostly equal, so the map is asked once a run.
    let mut last: Option<([u8; 3], u8)> = None;
    for pixel in image.data.chunks_exact(3) {
        let key = [pixel[0], pixel[1], pixel[2]];
        if let Some((_, index)) = last.filter(|(raw, _)| *raw == key) {
            indices.push(index);
            continue;
        }
        let colour = key.map(&step);
        let index = match known.get(&colour) {
            Some(&index) => index,
            None => {
                let index = u8::try_from(known.len()).ok()?;
                known.insert(colour, index);
                colours.extend(colour);
                index
            }
        };
        last = Some((key, index));
        indices.push(index);
    }
    Some((colours, indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, pixels: &[[u8; 3]]) -> Rgb {
        let height = pixels.len() as u32 / width;
        Rgb { width, height, data: pixels.concat() }
    }

    fn decode(bytes: &[u8]) -> (png::OutputInfo, Vec<u8>) {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut out = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut out).unwrap();
        out.truncate(info.buffer_size());
        (info, out)
    }

    #[test]
    fn black_text_keeps_white_white_and_black_black_in_an_odd_width() {
        let page = image(3, &[[255; 3], [0; 3], [255; 3], [0; 3], [255; 3], [255; 3]]);
        assert_eq!(Depth::of(&page), Depth::Grey16);
        let (_, grey) = decode(&encode(&page, Depth::Grey16).unwrap());
        assert_eq!(grey, [255, 0, 255, 0, 255, 255]);
    }

    #[test]
    fn a_picture_keeps_its_greys_within_four_steps() {
        let pixels: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
        let page = image(16, &pixels);
        assert_eq!(Depth::of(&page), Depth::Grey64);
        let (_, grey) = decode(&encode(&page, Depth::Grey64).unwrap());
        assert!(grey.iter().zip(0..=255u8).all(|(&shown, meant)| shown.abs_diff(meant) < 4));
        assert_eq!((grey.first(), grey.last()), (Some(&0), Some(&255)));
    }

    #[test]
    fn few_colours_come_back_exactly() {
        let page = image(2, &[[200, 16, 46], [255; 3], [1, 2, 3], [200, 16, 46]]);
        assert_eq!(Depth::of(&page), Depth::Colour);
        let (info, rgb) = decode(&encode(&page, Depth::Colour).unwrap());
        assert_eq!(info.color_type, ColorType::Rgb);
        assert_eq!(rgb, page.data);
    }

    #[test]
    fn many_colours_stay_true_colour() {
        let pixels: Vec<[u8; 3]> = (0..1024u32)
            .map(|n| [(n * 37 % 256) as u8, (n * 91 % 256) as u8, (n / 4) as u8])
            .collect();
        let page = image(32, &pixels);
        let (_, rgb) = decode(&encode(&page, Depth::Colour).unwrap());
        assert_eq!(rgb, page.data);
    }
}

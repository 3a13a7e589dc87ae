//! Encodes page images as lossless WebP.

use webp::{Encoder, WebPConfig};

use super::RenderError;
use super::pixels::Rgb;

/// The encoder's method, from 0 to 6, and its effort, from 0 to 100. Text contains many
/// repetitions, so the effort reduces the size. From an effort of 25 on, which takes twice the time,
/// an image at 2x has half to two thirds of the bytes.
const SMALL: (i32, f32) = (4, 75.0);
/// Faster encoding into a larger file with the same pixels.
const FAST: (i32, f32) = (0, 0.0);

pub(super) fn encode(image: &Rgb, is_fast: bool) -> Result<Vec<u8>, RenderError> {
    let (method, search) = if is_fast { FAST } else { SMALL };
    let mut config = WebPConfig::new().map_err(|()| RenderError::unreadable("no WebP encoder"))?;
    config.lossless = 1;
    config.method = method;
    config.quality = search;
    let encoder = Encoder::from_rgb(&image.data, image.width, image.height);
    // The configuration and the size are valid, so the only possible error is a lack of memory.
    let encoded = encoder.encode_advanced(&config).map_err(|_| RenderError::OutOfMemory)?;
    Ok(encoded.to_vec())
}

/// Returns the pixels of a file.
#[cfg(test)]
pub(super) fn decode(file: &[u8]) -> Vec<u8> {
    webp::Decoder::new(file).decode().expect("a WebP").to_vec()
}

/// Returns whether the bytes begin like a lossless WebP file.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..16) == Some(b"WEBPVP8L")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_to_the_same_pixels() {
        let few = (0..512u32).map(|n| [(n % 16) as u8 * 17; 3]);
        let many = (0..4096u32).map(|n| [(n * 37 % 256) as u8, (n * 91 % 256) as u8, n as u8]);
        for (width, pixels) in [(16, few.collect::<Vec<_>>()), (64, many.collect())] {
            let height = pixels.len() as u32 / width;
            let image = Rgb { width, height, data: pixels.concat() };
            for is_fast in [false, true] {
                let file = encode(&image, is_fast).unwrap();
                assert!(begins(&file));
                let decoded = webp::Decoder::new(&file).decode().unwrap();
                assert_eq!((decoded.width(), decoded.height()), (width, height));
                assert!(!decoded.is_alpha());
                assert_eq!(&decoded[..], image.data);
            }
        }
    }
}

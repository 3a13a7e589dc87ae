//! Cuts figures and parts out of the images of a page, so that a reader of the text does not load
//! the whole page for each of them.

use super::blocks::Area;
use super::page::Images;
use super::{Cut, RenderError, webp};

/// Maximum number of parts that are cut out of one page.
pub(super) const CUTS_MAX: usize = 64;

/// Maximum share of a page that is cut out. A larger part is shown by the image of the page, which
/// would otherwise be stored twice.
const SHARE_MAX: f32 = 0.6;

/// Returns whether a part is small enough to be cut out.
pub(super) fn is_small(area: &Area, [width, height]: [f32; 2]) -> bool {
    area.width * area.height <= SHARE_MAX * width * height
}

/// Cuts out the areas, which are rounded outwards to whole pixels of the 1x image.
pub(super) fn cut(areas: &[Area], images: &Images, is_fast: bool) -> Result<Vec<Cut>, RenderError> {
    let (single, double) = (&images.single, &images.double);
    let cut_one = |area: &Area| {
        let [x, right] = range(area.x, area.width, single.width);
        let [y, bottom] = range(area.y, area.height, single.height);
        let (width, height) = (right - x, bottom - y);
        let image_1x = webp::encode(&single.part(x, y, width, height), is_fast)?;
        let part = double.part(2 * x, 2 * y, 2 * width, 2 * height);
        let image_2x = webp::encode(&part, is_fast)?;
        Ok(Cut { x, y, width, height, image_1x, image_2x, spooled: None })
    };
    areas.iter().map(cut_one).collect()
}

/// Returns the whole pixels of a range, at least one.
fn range(start: f32, length: f32, end: u32) -> [u32; 2] {
    let first = (start.max(0.0) as u32).min(end - 1);
    let last = ((start + length).ceil().max(0.0) as u32).clamp(first + 1, end);
    [first, last]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::Rgb;

    fn image(width: u32, height: u32) -> Rgb {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| [x as u8, y as u8, 7]));
        Rgb { width, height, data: pixels.collect::<Vec<_>>().concat() }
    }

    fn pixels(file: &[u8]) -> Vec<u8> {
        webp::decode(file)
    }

    #[test]
    fn a_cut_has_the_pixels_of_the_page_at_both_sizes() {
        let images = Images { single: image(20, 10), double: image(40, 20) };
        let area = Area { x: 3.6, y: 2.0, width: 4.1, height: 3.5 };
        let cuts = cut(&[area], &images, true).unwrap();
        let [Cut { x: 3, y: 2, width: 5, height: 4, image_1x, image_2x, .. }] = &cuts[..] else {
            panic!("{cuts:?}");
        };
        assert_eq!(pixels(image_1x)[..6], [3, 2, 7, 4, 2, 7]);
        assert_eq!(pixels(image_1x).len(), 5 * 4 * 3);
        assert_eq!(pixels(image_2x)[..6], [6, 4, 7, 7, 4, 7]);
        assert_eq!(pixels(image_2x).len(), 10 * 8 * 3);
    }

    #[test]
    fn a_cut_stays_on_the_page() {
        assert_eq!(range(-3.0, 5.5, 10), [0, 3]);
        assert_eq!(range(8.2, 5.0, 10), [8, 10]);
        assert_eq!(range(12.0, 5.0, 10), [9, 10]);
        assert_eq!(range(4.0, 0.0, 10), [4, 5]);
    }

    #[test]
    fn a_part_that_is_most_of_the_page_is_not_cut_out() {
        let page = [100.0, 200.0];
        assert!(is_small(&Area { x: 0.0, y: 0.0, width: 100.0, height: 110.0 }, page));
        assert!(!is_small(&Area { x: 0.0, y: 0.0, width: 100.0, height: 130.0 }, page));
    }
}

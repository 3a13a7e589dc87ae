//! The frame of a page in the output of the child: its numbers, then its images.

use std::io;

use super::cuts::CUTS_MAX;
use super::document::Drawn;
use super::{Cut, webp};

/// The numbers at the start: index, number of pages, number of cuts, lengths of the two images.
const HEAD_NUMBERS: usize = 5;
/// The numbers of each cut: left, top, width, height, lengths of its two images.
const CUT_NUMBERS: usize = 6;
const NUMBER_BYTES: usize = 4;
/// Maximum length of all numbers.
pub(super) const HEAD_BYTES_MAX: usize = NUMBER_BYTES * (HEAD_NUMBERS + CUTS_MAX * CUT_NUMBERS);

/// Returns the numbers and the images of a page.
pub(super) fn parts(page: &Drawn) -> io::Result<(Vec<u8>, Vec<&[u8]>)> {
    let [single, double] = &page.images;
    let mut numbers = vec![page.index, page.pages, page.cuts.len(), single.len(), double.len()];
    let mut images: Vec<&[u8]> = vec![single, double];
    for Cut { x, y, width, height, image_1x, image_2x, .. } in &page.cuts {
        numbers.extend([x, y, width, height].map(|number| *number as usize));
        numbers.extend([image_1x.len(), image_2x.len()]);
        images.extend([&image_1x[..], &image_2x[..]]);
    }
    let mut head = Vec::with_capacity(numbers.len() * NUMBER_BYTES);
    for number in numbers {
        head.extend(u32::try_from(number).map_err(io::Error::other)?.to_be_bytes());
    }
    Ok((head, images))
}

/// The content of a page frame, whose images are checked.
pub(super) struct PageFrame<'c> {
    pub(super) index: usize,
    pub(super) pages: usize,
    pub(super) images: [&'c [u8]; 2],
    pub(super) cuts: Vec<([u32; 4], [&'c [u8]; 2])>,
}

impl<'c> PageFrame<'c> {
    /// Returns `None` if the content is not a page with images.
    pub(super) fn of(content: &'c [u8]) -> Option<Self> {
        let (head, mut rest) = take_numbers::<HEAD_NUMBERS>(content)?;
        let [index, pages, count, single, double] = head.map(|number| number as usize);
        if count > CUTS_MAX {
            return None;
        }
        let mut heads = Vec::with_capacity(count);
        for _ in 0..count {
            let (head, after) = take_numbers::<CUT_NUMBERS>(rest)?;
            heads.push(head);
            rest = after;
        }
        let mut take = |length: usize| {
            let (image, after) = rest.split_at_checked(length)?;
            rest = after;
            // The images are served as image/webp later, so they must at least begin like WebP.
            webp::begins(image).then_some(image)
        };
        let images = [take(single)?, take(double)?];
        let mut cuts = Vec::with_capacity(count);
        for [x, y, width, height, single, double] in heads {
            cuts.push(([x, y, width, height], [take(single as usize)?, take(double as usize)?]));
        }
        rest.is_empty().then_some(Self { index, pages, images, cuts })
    }
}

fn take_numbers<const COUNT: usize>(content: &[u8]) -> Option<([u32; COUNT], &[u8])> {
    let (head, rest) = content.split_at_checked(COUNT * NUMBER_BYTES)?;
    let mut numbers = [0; COUNT];
    for (number, bytes) in numbers.iter_mut().zip(head.as_chunks::<NUMBER_BYTES>().0) {
        *number = u32::from_be_bytes(*bytes);
    }
    Some((numbers, rest))
}

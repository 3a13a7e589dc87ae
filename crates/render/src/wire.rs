//! What the child writes to its stdout: a mark, the length of a JSON head, the head, the images.
//!
//! The reader trusts nothing: a child that was taken over by a document can write what it likes.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::{Block, Doubt, Finding, Line, Page, RenderError, Rendered};

/// Nothing that prints by accident begins so.
const MARK: &[u8; 8] = b"\x93musette";

#[derive(Serialize, Deserialize)]
struct Head {
    pages: Vec<PageHead>,
    text: String,
    blocks: Vec<Block>,
    doubts: Vec<Doubt>,
    findings: Vec<Finding>,
}

#[derive(Serialize, Deserialize)]
struct PageHead {
    width: u32,
    height: u32,
    png_1x_bytes: usize,
    png_2x_bytes: usize,
    lines: Vec<Line>,
}

pub(super) fn write(out: &mut impl Write, result: Result<Rendered, RenderError>) -> io::Result<()> {
    let (head, images) = match result {
        Ok(rendered) => {
            let (head, images) = split(rendered);
            (Ok(head), images)
        }
        Err(error) => (Err(error), Vec::new()),
    };
    let head: Result<Head, RenderError> = head;
    let json = serde_json::to_vec(&head)?;
    let length = u32::try_from(json.len()).map_err(io::Error::other)?;
    out.write_all(MARK)?;
    out.write_all(&length.to_be_bytes())?;
    out.write_all(&json)?;
    for image in images {
        out.write_all(&image)?;
    }
    out.flush()
}

fn split(rendered: Rendered) -> (Head, Vec<Vec<u8>>) {
    let mut images = Vec::with_capacity(rendered.pages.len() * 2);
    let mut pages = Vec::with_capacity(rendered.pages.len());
    for page in rendered.pages {
        let Page { width, height, png_1x, png_2x, lines } = page;
        let (png_1x_bytes, png_2x_bytes) = (png_1x.len(), png_2x.len());
        pages.push(PageHead { width, height, png_1x_bytes, png_2x_bytes, lines });
        images.extend([png_1x, png_2x]);
    }
    let Rendered { text, blocks, doubts, findings, .. } = rendered;
    (Head { pages, text, blocks, doubts, findings }, images)
}

/// `None` if this is not a whole answer.
pub(super) fn read(bytes: &[u8]) -> Option<Result<Rendered, RenderError>> {
    let rest = bytes.strip_prefix(MARK)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (json, mut images) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    let head: Head = match serde_json::from_slice(json).ok()? {
        Ok(head) => head,
        Err(error) => return Some(Err(error)),
    };
    let mut take = |length: usize| {
        let (image, rest) = images.split_at_checked(length)?;
        images = rest;
        // Served as image/png later, so at least it must begin as one.
        image.starts_with(b"\x89PNG\r\n\x1a\n").then(|| image.to_vec())
    };
    let mut pages = Vec::new();
    for page in head.pages {
        let (png_1x, png_2x) = (take(page.png_1x_bytes)?, take(page.png_2x_bytes)?);
        let PageHead { width, height, lines, .. } = page;
        pages.push(Page { width, height, png_1x, png_2x, lines });
    }
    let Head { text, blocks, doubts, findings, .. } = head;
    images.is_empty().then_some(Ok(Rendered { pages, text, blocks, doubts, findings }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockKind, DoubtKind, FindingKind};

    fn example() -> Rendered {
        let png = |tail: &[u8]| [b"\x89PNG\r\n\x1a\n", tail].concat();
        let line =
            Line { x: 1.0, y: 2.5, width: 3.0, height: 4.0, text: "نص".to_owned(), rtl: true };
        Rendered {
            pages: vec![Page {
                width: 7,
                height: 9,
                png_1x: png(b"a"),
                png_2x: png(b"bc"),
                lines: vec![line],
            }],
            text: "نص".to_owned(),
            blocks: vec![Block {
                page: 1,
                kind: BlockKind::Heading { level: 2 },
                text: "نص".to_owned(),
                rtl: true,
                ..Block::default()
            }],
            doubts: vec![Doubt { page: 1, kind: DoubtKind::Order }],
            findings: vec![Finding {
                page: Some(1),
                kind: FindingKind::Font,
                name: "Arial".to_owned(),
            }],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        write(&mut bytes, Ok(example())).unwrap();
        assert_eq!(read(&bytes), Some(Ok(example())));
        let mut bytes = Vec::new();
        write(&mut bytes, Err(RenderError::Encrypted)).unwrap();
        assert_eq!(read(&bytes), Some(Err(RenderError::Encrypted)));
    }

    #[test]
    fn half_an_answer_is_none() {
        let mut bytes = Vec::new();
        write(&mut bytes, Ok(example())).unwrap();
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length]), None, "{length}");
        }
        bytes.push(0);
        assert_eq!(read(&bytes), None);
    }
}

//! The format of the child's standard output: a magic number, then frames with a kind, a length and
//! a content. The first frame names the protections that the child lacks. Each page that is drawn
//! is a frame with its images, so that the child keeps none. The last frame is the result.
//!
//! The reader trusts nothing, because a malicious document may take control of the child.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt as _;
use std::sync::Once;

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::document::Drawn;
use super::{ImagePlace, Limits, Progress, RenderError, Rendered, webp};

/// The magic number, which no accidental output begins with.
const MARK: &[u8; 8] = b"\x93musette";

/// A page: its index, the number of pages, the length of the first image; then the images.
const PAGE: u8 = b'p';
const PAGE_HEAD_BYTES: usize = 12;
/// The protections that the kernel lacks, as a list of texts.
const UNPROTECTED: u8 = b'u';
const UNPROTECTED_BYTES_MAX: usize = 4096;
const DOCUMENT: u8 = b'd';
const FAILURE: u8 = b'f';

/// Maximum length of the result. The text of any renderable document is shorter.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

type Answer = Result<Rendered, RenderError>;

/// Writes that the child is confined, and the protections that are missing.
pub(super) fn write_mark(out: &mut impl Write, unprotected: &[String]) -> io::Result<()> {
    out.write_all(MARK)?;
    write_frame(out, UNPROTECTED, &[&serde_json::to_vec(unprotected)?])
}

pub(super) fn write_page(out: &mut impl Write, page: &Drawn) -> io::Result<()> {
    let [single, double] = &page.images;
    let mut head = Vec::with_capacity(PAGE_HEAD_BYTES);
    for number in [page.index, page.pages, single.len()] {
        head.extend(u32::try_from(number).map_err(io::Error::other)?.to_be_bytes());
    }
    write_frame(out, PAGE, &[&head, single, double])
}

pub(super) fn write_answer(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    match answer {
        Ok(rendered) => write_frame(out, DOCUMENT, &[&serde_json::to_vec(rendered)?]),
        Err(error) => write_frame(out, FAILURE, &[&serde_json::to_vec(error)?]),
    }
}

fn write_frame(out: &mut impl Write, kind: u8, parts: &[&[u8]]) -> io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    out.write_all(&[kind])?;
    out.write_all(&u32::try_from(length).map_err(io::Error::other)?.to_be_bytes())?;
    parts.iter().try_for_each(|part| out.write_all(part))?;
    out.flush()
}

/// Reads the output of the child; returns `None` if it is not a complete result.
pub(super) async fn read(
    from: &mut (impl AsyncRead + Unpin),
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> io::Result<Option<Answer>> {
    match read_frames(from, limits, tell, spool).await {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        read => read,
    }
}

async fn read_frames(
    from: &mut (impl AsyncRead + Unpin),
    limits: &Limits,
    tell: &(dyn Fn(Progress) + Sync),
    spool: Option<&File>,
) -> io::Result<Option<Answer>> {
    let mut mark = [0; MARK.len()];
    from.read_exact(&mut mark).await?;
    if mark != *MARK || !read_unprotected(from).await? {
        return Ok(None);
    }
    let end = spool.map(File::metadata).transpose()?.map_or(0, |metadata| metadata.len());
    let bytes_left = limits.image_bytes;
    let mut images = Images { of_pages: BTreeMap::new(), bytes_left, spool, end };
    loop {
        let kind = from.read_u8().await?;
        let length = from.read_u32().await? as usize;
        let most = match kind {
            PAGE => PAGE_HEAD_BYTES + images.bytes_left,
            _ => ANSWER_BYTES_MAX,
        };
        if length > most {
            return Ok(None);
        }
        let Some(content) = read_content(from, length).await? else { return Ok(None) };
        if kind != PAGE {
            let is_last = from.read(&mut [0]).await? == 0;
            return Ok(if is_last { images.answer(kind, &content) } else { None });
        }
        match images.take(content, limits)? {
            Some(progress) => tell(progress),
            None => return Ok(None),
        }
    }
}

/// Reads content of a given length. It does not allocate memory for bytes that did not arrive yet.
async fn read_content(
    from: &mut (impl AsyncRead + Unpin),
    length: usize,
) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    from.take(length as u64).read_to_end(&mut content).await?;
    Ok((content.len() == length).then_some(content))
}

/// Reads the first frame, and logs once which protections are missing in the children of this
/// process.
async fn read_unprotected(from: &mut (impl AsyncRead + Unpin)) -> io::Result<bool> {
    static LOG: Once = Once::new();
    let kind = from.read_u8().await?;
    let length = from.read_u32().await? as usize;
    if kind != UNPROTECTED || length > UNPROTECTED_BYTES_MAX {
        return Ok(false);
    }
    let Some(content) = read_content(from, length).await? else { return Ok(false) };
    let Ok(missing) = serde_json::from_slice::<Vec<String>>(&content) else { return Ok(false) };
    if !missing.is_empty() {
        LOG.call_once(|| {
            tracing::warn!(missing = ?missing, "documents are rendered without all protections of the operating system");
        });
    }
    Ok(true)
}

/// The images that have arrived, by page.
struct Images<'a> {
    of_pages: BTreeMap<usize, StoredImages>,
    bytes_left: usize,
    spool: Option<&'a File>,
    /// Offset of the next image in the file.
    end: u64,
}

enum StoredImages {
    InMemory([Vec<u8>; 2]),
    InFile([ImagePlace; 2]),
}

impl Images<'_> {
    /// Stores the two images of a page; returns `None` if they are not valid.
    fn take(&mut self, content: Vec<u8>, limits: &Limits) -> io::Result<Option<Progress>> {
        let Some((index, pages, [single, double])) = self.check_page(&content, limits) else {
            return Ok(None);
        };
        let stored = match self.spool {
            None => StoredImages::InMemory([single.to_vec(), double.to_vec()]),
            Some(file) => {
                let mut append = |image: &[u8]| -> io::Result<ImagePlace> {
                    file.write_all_at(image, self.end)?;
                    let place = ImagePlace { at: self.end, length: image.len() };
                    self.end += image.len() as u64;
                    Ok(place)
                };
                StoredImages::InFile([append(single)?, append(double)?])
            }
        };
        let previous = self.of_pages.insert(index, stored);
        Ok(previous.is_none().then_some(Progress { page: self.of_pages.len(), pages }))
    }

    fn check_page<'c>(
        &mut self,
        content: &'c [u8],
        limits: &Limits,
    ) -> Option<(usize, usize, [&'c [u8]; 2])> {
        let (head, _) = content.split_at_checked(PAGE_HEAD_BYTES)?;
        let numbers = head.as_chunks::<4>().0.iter();
        let numbers: Vec<usize> =
            numbers.map(|number| u32::from_be_bytes(*number) as usize).collect();
        let &[index, pages, length] = numbers.as_slice() else { return None };
        if index >= pages || pages > limits.pages {
            return None;
        }
        let (single, double) = content[PAGE_HEAD_BYTES..].split_at_checked(length)?;
        // The images are served as image/webp later, so they must at least begin like WebP.
        if !webp::begins(single) || !webp::begins(double) {
            return None;
        }
        self.bytes_left = self.bytes_left.checked_sub(single.len() + double.len())?;
        Some((index, pages, [single, double]))
    }

    fn answer(self, kind: u8, content: &[u8]) -> Option<Answer> {
        match kind {
            DOCUMENT => self.complete(serde_json::from_slice(content).ok()?).map(Ok),
            FAILURE => serde_json::from_slice(content).ok().map(Err),
            _ => None,
        }
    }

    /// Adds the images to the pages.
    fn complete(self, mut rendered: Rendered) -> Option<Rendered> {
        if rendered.pages.len() != self.of_pages.len() {
            return None;
        }
        for (index, stored) in self.of_pages {
            let page = rendered.pages.get_mut(index)?;
            match stored {
                StoredImages::InMemory([single, double]) => {
                    (page.image_1x, page.image_2x) = (single, double);
                }
                StoredImages::InFile(places) => page.spooled = Some(places),
            }
        }
        Some(rendered)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::{Block, BlockKind, Doubt, DoubtKind, Finding, FindingKind, Line, Page};

    fn image(tail: &[u8]) -> Vec<u8> {
        [b"RIFF\x0a\0\0\0WEBPVP8L", tail].concat()
    }

    fn page(tail: &[u8]) -> Page {
        let line =
            Line { x: 1.0, y: 2.5, width: 3.0, height: 4.0, text: "نص".to_owned(), rtl: true };
        let (image_1x, image_2x) = (image(tail), image(&[tail, tail].concat()));
        Page { width: 7, height: 9, image_1x, image_2x, spooled: None, lines: vec![line] }
    }

    fn example() -> Rendered {
        Rendered {
            pages: vec![page(b"a"), page(b"bc")],
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

    /// Writes the output of a child that draws the pages in the order of `drawn`.
    fn write_output(drawn: &[usize], answer: &Answer) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_mark(&mut bytes, &["Landlock: not supported".to_owned()]).unwrap();
        for &index in drawn {
            let page = &example().pages[index];
            let images = [page.image_1x.clone(), page.image_2x.clone()];
            write_page(&mut bytes, &Drawn { index, pages: 2, images }).unwrap();
        }
        write_answer(&mut bytes, answer).unwrap();
        bytes
    }

    async fn read_without_progress(bytes: &[u8]) -> Option<Answer> {
        read(&mut &*bytes, &Limits::default(), &|_| (), None).await.unwrap()
    }

    #[tokio::test]
    async fn reads_what_was_written() {
        let reported = Mutex::new(Vec::new());
        let tell =
            |progress: Progress| reported.lock().unwrap().push((progress.page, progress.pages));
        let bytes = write_output(&[1, 0], &Ok(example()));
        let read = read(&mut &*bytes, &Limits::default(), &tell, None).await.unwrap();
        assert_eq!(read, Some(Ok(example())));
        assert_eq!(*reported.lock().unwrap(), [(1, 2), (2, 2)], "pages that are done");
        let failure = Err(RenderError::Encrypted);
        assert_eq!(read_without_progress(&write_output(&[0], &failure)).await, Some(failure));
    }

    #[tokio::test]
    async fn an_incomplete_result_is_none() {
        let mut bytes = write_output(&[0, 1], &Ok(example()));
        for length in 0..bytes.len() {
            assert_eq!(read_without_progress(&bytes[..length]).await, None, "{length}");
        }
        bytes.push(0);
        assert_eq!(read_without_progress(&bytes).await, None);
    }

    #[tokio::test]
    async fn missing_and_too_many_pages_give_none() {
        for drawn in [&[0][..], &[0, 0], &[0, 1, 1], &[]] {
            assert_eq!(
                read_without_progress(&write_output(drawn, &Ok(example()))).await,
                None,
                "{drawn:?}"
            );
        }
        let bytes = write_output(&[0, 1], &Ok(example()));
        let few = Limits { pages: 1, ..Limits::default() };
        assert_eq!(read(&mut &*bytes, &few, &|_| (), None).await.unwrap(), None);
        let image_bytes = 4 * image(b"").len();
        let small = Limits { image_bytes, ..Limits::default() };
        assert_eq!(read(&mut &*bytes, &small, &|_| (), None).await.unwrap(), None);
    }

    #[tokio::test]
    async fn an_image_of_another_format_gives_none() {
        let mut bytes = write_output(&[0, 1], &Ok(example()));
        let at = bytes.windows(4).position(|window| window == b"VP8L").unwrap();
        bytes[at..at + 4].copy_from_slice(b"<svg");
        assert_eq!(read_without_progress(&bytes).await, None);
    }
}

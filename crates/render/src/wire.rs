//! What the child writes to its stdout: a mark, then frames of a kind, a length and a content. The first frame names
//! the protections that the child lacks. Each page that is drawn is a frame with its images, so that the child keeps
//! none, and the last frame is the answer.
//!
//! The reader trusts nothing: a child that was taken over by a document can write what it likes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt as _;
use std::sync::Once;

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::document::Drawn;
use super::{ImagePlace, Limits, Progress, RenderError, Rendered, webp};

/// Nothing that prints by accident begins so.
const MARK: &[u8; 8] = b"\x93musette";

/// The place of the page, the number of all pages, the length of the first image; then the images.
const PAGE: u8 = b'p';
const PAGE_HEAD_BYTES: usize = 12;
/// Protections that the kernel lacks, as a list of texts.
const UNPROTECTED: u8 = b'u';
const UNPROTECTED_BYTES_MAX: usize = 4096;
const DOCUMENT: u8 = b'd';
const FAILURE: u8 = b'f';

/// The text of any document that can be drawn stays below this.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

type Answer = Result<Rendered, RenderError>;

/// Says that the child is set up, and without which protections.
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

/// `None` if this is not a whole answer.
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

/// Not allocated before it has come.
async fn read_content(
    from: &mut (impl AsyncRead + Unpin),
    length: usize,
) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    from.take(length as u64).read_to_end(&mut content).await?;
    Ok((content.len() == length).then_some(content))
}

/// Reads the first frame, and logs once which protections the children of this process lack.
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

/// The images that have come, by page.
struct Images<'a> {
    of_pages: BTreeMap<usize, Kept>,
    bytes_left: usize,
    spool: Option<&'a File>,
    /// Where the next image begins in the file.
    end: u64,
}

enum Kept {
    InMemory([Vec<u8>; 2]),
    InFile([ImagePlace; 2]),
}

impl Images<'_> {
    /// Keeps the two images of a page; none if they are not what a renderer sends.
    fn take(&mut self, content: Vec<u8>, limits: &Limits) -> io::Result<Option<Progress>> {
        let Some((index, pages, [single, double])) = self.checked(&content, limits) else {
            return Ok(None);
        };
        let kept = match self.spool {
            None => Kept::InMemory([single.to_vec(), double.to_vec()]),
            Some(file) => {
                let mut append = |image: &[u8]| -> io::Result<ImagePlace> {
                    file.write_all_at(image, self.end)?;
                    let place = ImagePlace { at: self.end, length: image.len() };
                    self.end += image.len() as u64;
                    Ok(place)
                };
                Kept::InFile([append(single)?, append(double)?])
            }
        };
        let before = self.of_pages.insert(index, kept);
        Ok(before.is_none().then_some(Progress { page: self.of_pages.len(), pages }))
    }

    fn checked<'c>(
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
        // Served as image/webp later, so at least they must begin as one.
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

    /// Gives each page its images.
    fn complete(self, mut rendered: Rendered) -> Option<Rendered> {
        if rendered.pages.len() != self.of_pages.len() {
            return None;
        }
        for (index, kept) in self.of_pages {
            let page = rendered.pages.get_mut(index)?;
            match kept {
                Kept::InMemory([single, double]) => {
                    (page.image_1x, page.image_2x) = (single, double);
                }
                Kept::InFile(places) => page.spooled = Some(places),
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

    /// The pages in the order of `drawn`.
    fn written(drawn: &[usize], answer: &Answer) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_mark(&mut bytes, &["Landlock: not there".to_owned()]).unwrap();
        for &index in drawn {
            let page = &example().pages[index];
            let images = [page.image_1x.clone(), page.image_2x.clone()];
            write_page(&mut bytes, &Drawn { index, pages: 2, images }).unwrap();
        }
        write_answer(&mut bytes, answer).unwrap();
        bytes
    }

    async fn quietly(bytes: &[u8]) -> Option<Answer> {
        read(&mut &*bytes, &Limits::default(), &|_| (), None).await.unwrap()
    }

    #[tokio::test]
    async fn what_is_written_is_read() {
        let told = Mutex::new(Vec::new());
        let tell = |progress: Progress| told.lock().unwrap().push((progress.page, progress.pages));
        let bytes = written(&[1, 0], &Ok(example()));
        let read = read(&mut &*bytes, &Limits::default(), &tell, None).await.unwrap();
        assert_eq!(read, Some(Ok(example())));
        assert_eq!(*told.lock().unwrap(), [(1, 2), (2, 2)], "pages that are done");
        let refused = Err(RenderError::Encrypted);
        assert_eq!(quietly(&written(&[0], &refused)).await, Some(refused));
    }

    #[tokio::test]
    async fn half_an_answer_is_none() {
        let mut bytes = written(&[0, 1], &Ok(example()));
        for length in 0..bytes.len() {
            assert_eq!(quietly(&bytes[..length]).await, None, "{length}");
        }
        bytes.push(0);
        assert_eq!(quietly(&bytes).await, None);
    }

    #[tokio::test]
    async fn pages_that_lack_or_are_too_many_are_none() {
        for drawn in [&[0][..], &[0, 0], &[0, 1, 1], &[]] {
            assert_eq!(quietly(&written(drawn, &Ok(example()))).await, None, "{drawn:?}");
        }
        let bytes = written(&[0, 1], &Ok(example()));
        let few = Limits { pages: 1, ..Limits::default() };
        assert_eq!(read(&mut &*bytes, &few, &|_| (), None).await.unwrap(), None);
        let image_bytes = 4 * image(b"").len();
        let small = Limits { image_bytes, ..Limits::default() };
        assert_eq!(read(&mut &*bytes, &small, &|_| (), None).await.unwrap(), None);
    }

    #[tokio::test]
    async fn an_image_of_another_kind_is_none() {
        let mut bytes = written(&[0, 1], &Ok(example()));
        let at = bytes.windows(4).position(|window| window == b"VP8L").unwrap();
        bytes[at..at + 4].copy_from_slice(b"<svg");
        assert_eq!(quietly(&bytes).await, None);
    }
}

//! The format of the child's standard output: a magic number, then frames with a kind, a length and
//! a content. The first frame names the protections that the child lacks. Each page that is drawn
//! is a frame with its images, so that the child keeps none. The last frame is the result.
//!
//! The reader trusts nothing, because a malicious document may take control of the child.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::iter;
use std::os::unix::fs::FileExt as _;
use std::sync::Once;

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::document::Drawn;
use super::page_frame::{self, PageFrame};
use super::{Cut, ImagePlace, Limits, Page, Progress, RenderError, Rendered};

/// The magic number, which no accidental output begins with.
const MARK: &[u8; 8] = b"\x93musette";

/// A page, as [`PageFrame`] describes it.
const PAGE: u8 = b'p';
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
    let (head, images) = page_frame::parts(page)?;
    let parts: Vec<&[u8]> = iter::once(&head[..]).chain(images).collect();
    write_frame(out, PAGE, &parts)
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
            PAGE => page_frame::HEAD_BYTES_MAX + images.bytes_left,
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
        match images.take(&content, limits)? {
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
    of_pages: BTreeMap<usize, StoredPage>,
    bytes_left: usize,
    spool: Option<&'a File>,
    /// Offset of the next image in the file.
    end: u64,
}

struct StoredPage {
    images: StoredImages,
    cuts: Vec<Cut>,
}

/// The two images, and their positions in the file if there is one.
type StoredImages = ([Vec<u8>; 2], Option<[ImagePlace; 2]>);

impl Images<'_> {
    /// Stores the images of a page; returns `None` if they are not valid.
    fn take(&mut self, content: &[u8], limits: &Limits) -> io::Result<Option<Progress>> {
        let Some(frame) = self.check_page(content, limits) else { return Ok(None) };
        let images = self.store(frame.images)?;
        let mut cuts = Vec::with_capacity(frame.cuts.len());
        for ([x, y, width, height], of_cut) in frame.cuts {
            let ([image_1x, image_2x], spooled) = self.store(of_cut)?;
            cuts.push(Cut { x, y, width, height, image_1x, image_2x, spooled });
        }
        let previous = self.of_pages.insert(frame.index, StoredPage { images, cuts });
        let progress = Progress { page: self.of_pages.len(), pages: frame.pages };
        Ok(previous.is_none().then_some(progress))
    }

    fn store(&mut self, images: [&[u8]; 2]) -> io::Result<StoredImages> {
        let Some(file) = self.spool else { return Ok((images.map(<[u8]>::to_vec), None)) };
        let mut append = |image: &[u8]| -> io::Result<ImagePlace> {
            file.write_all_at(image, self.end)?;
            let place = ImagePlace { at: self.end, length: image.len() };
            self.end += image.len() as u64;
            Ok(place)
        };
        let places = [append(images[0])?, append(images[1])?];
        Ok(([Vec::new(), Vec::new()], Some(places)))
    }

    fn check_page<'c>(&mut self, content: &'c [u8], limits: &Limits) -> Option<PageFrame<'c>> {
        let frame = PageFrame::of(content)?;
        if frame.index >= frame.pages || frame.pages > limits.pages {
            return None;
        }
        let of_cuts = frame.cuts.iter().flat_map(|(_, images)| images);
        let bytes = frame.images.iter().chain(of_cuts).map(|image| image.len()).sum();
        self.bytes_left = self.bytes_left.checked_sub(bytes)?;
        Some(frame)
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
            let StoredPage { images, cuts } = stored;
            if !cuts.iter().all(|cut| is_on_page(cut, page)) {
                return None;
            }
            ([page.image_1x, page.image_2x], page.spooled) = images;
            page.cuts = cuts;
        }
        Some(rendered)
    }
}

fn is_on_page(cut: &Cut, page: &Page) -> bool {
    let fits = |start: u32, length: u32, end: u32| {
        length > 0 && start.checked_add(length).is_some_and(|last| last <= end)
    };
    fits(cut.x, cut.width, page.width) && fits(cut.y, cut.height, page.height)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::{Block, BlockKind, Doubt, DoubtKind, Finding, FindingKind, Line};

    fn image(tail: &[u8]) -> Vec<u8> {
        [b"RIFF\x0a\0\0\0WEBPVP8L", tail].concat()
    }

    fn page(tail: &[u8]) -> Page {
        let line =
            Line { x: 1.0, y: 2.5, width: 3.0, height: 4.0, text: "نص".to_owned(), rtl: true };
        let (image_1x, image_2x) = (image(tail), image(&[tail, tail].concat()));
        let cuts = (1..3).map(|x| cut(x, tail)).collect();
        Page { width: 7, height: 9, image_1x, image_2x, spooled: None, cuts, lines: vec![line] }
    }

    fn cut(x: u32, tail: &[u8]) -> Cut {
        let (image_1x, image_2x) = (image(&[tail, b"1"].concat()), image(&[tail, b"2"].concat()));
        Cut { x, y: 0, width: 5, height: 9, image_1x, image_2x, spooled: None }
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
            let cuts = page.cuts.clone();
            write_page(&mut bytes, &Drawn { index, pages: 2, images, cuts }).unwrap();
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
    async fn a_cut_outside_of_its_page_gives_none() {
        for (x, width) in [(3, 5), (7, 1), (0, 0), (u32::MAX, 2)] {
            let mut bytes = Vec::new();
            write_mark(&mut bytes, &[]).unwrap();
            for index in 0..2 {
                let images = [image(b""), image(b"")];
                let cuts = vec![Cut { width, ..cut(x, b"") }];
                write_page(&mut bytes, &Drawn { index, pages: 2, images, cuts }).unwrap();
            }
            write_answer(&mut bytes, &Ok(example())).unwrap();
            assert_eq!(read_without_progress(&bytes).await, None, "{x} {width}");
        }
    }

    #[tokio::test]
    async fn an_image_of_another_format_gives_none() {
        let mut bytes = write_output(&[0, 1], &Ok(example()));
        let at = bytes.windows(4).position(|window| window == b"VP8L").unwrap();
        bytes[at..at + 4].copy_from_slice(b"<svg");
        assert_eq!(read_without_progress(&bytes).await, None);
    }
}

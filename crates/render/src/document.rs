//! A whole document: opened, counted, its pages drawn on two threads, its text put together.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Builder};

use hayro::RenderCache;
use hayro::hayro_interpret::{InterpreterCache, InterpreterSettings, InterpreterWarning};
use hayro::hayro_syntax::object::Dict;
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use super::annotations;
use super::appearance::Ink;
use super::finding::{FindingKind, Findings};
use super::form::Form;
use super::layout::{self, PageText, Reading};
use super::page::{self, Images, Placement};
use super::sheet::Sheet;
use super::tags::Tags;
use super::{Limits, Page, RenderError, Rendered, active, contents, glyphs, overlay};

const THREADS: usize = 2;

/// Programs put bytes before the header or after the end; readers look this far.
const SEARCHED_BYTES: usize = 2048;

/// Draws and reads the document in this process. See [`super::render_in_child`].
///
/// # Errors
///
/// [`RenderError`] says why the document has no page images.
pub fn render(pdf: &[u8], limits: &Limits) -> Result<Rendered, RenderError> {
    let document = open(pdf, limits)?;
    let pages = document.pages().len();
    let findings = Findings::default();
    let form = Form::of(&document);
    let tags = Tags::of(&document);
    let job = Job {
        document: &document,
        limits,
        form: &form,
        tags: &tags,
        findings: &findings,
        next: AtomicUsize::new(0),
    };
    active::look(&document, &findings);
    form.look_for_lost(&document, &findings);
    if counted(&document).is_some_and(|counted| counted > pages) {
        findings.add(None, FindingKind::Pages, "");
    }
    let workers = THREADS.min(thread::available_parallelism().map_or(1, NonZeroUsize::get));
    let mut drawn = thread::scope(|scope| {
        let mut threads = Vec::with_capacity(workers);
        for _ in 0..workers.min(pages) {
            let thread = Builder::new().spawn_scoped(scope, || draw_some(&job));
            // It is refused for want of room for its stack.
            threads.push(thread.map_err(|_| RenderError::OutOfMemory)?);
        }
        let mut drawn = Vec::with_capacity(pages);
        for thread in threads {
            // The message of the panic is on stderr already.
            let part = thread.join().map_err(|_| RenderError::Crashed)?;
            drawn.extend(part?);
        }
        Ok(drawn)
    })?;
    drawn.sort_unstable_by_key(|page| page.index);
    Ok(assemble(drawn, findings))
}

/// How many pages the file says that it has.
fn counted(document: &Pdf) -> Option<usize> {
    let root = document.xref().get::<Dict<'_>>(document.xref().root_id())?;
    let count = root.get::<Dict<'_>>("Pages")?.get::<i32>("Count")?;
    usize::try_from(count).ok()
}

fn open(pdf: &[u8], limits: &Limits) -> Result<Pdf, RenderError> {
    if pdf.len() > limits.input_bytes {
        return Err(RenderError::TooLarge { limit_bytes: limits.input_bytes });
    }
    let head = &pdf[..pdf.len().min(SEARCHED_BYTES)];
    if !contains(head, b"%PDF-") {
        return Err(RenderError::NotAPdf);
    }
    // What is left of a cut-off file can often be repaired, without its last pages. Half a
    // contract is worse than none.
    let tail = &pdf[pdf.len().saturating_sub(SEARCHED_BYTES)..];
    if !contains(tail, b"%%EOF") {
        return Err(RenderError::unreadable("its end is missing"));
    }
    let document = Pdf::new(pdf.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => RenderError::Encrypted,
        LoadPdfError::Decryption(_) => RenderError::unreadable("its encryption is not known"),
        LoadPdfError::Invalid => RenderError::unreadable("its structure is damaged"),
    })?;
    match document.pages().len() {
        0 => Err(RenderError::unreadable("it has no pages")),
        pages if pages > limits.pages => {
            Err(RenderError::TooManyPages { pages, limit: limits.pages })
        }
        _ => Ok(document),
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

struct DrawnPage {
    index: usize,
    placement: Placement,
    images: Images,
    text: PageText,
}

/// State that all threads share.
struct Job<'a> {
    document: &'a Pdf,
    limits: &'a Limits,
    form: &'a Form<'a>,
    tags: &'a Tags,
    findings: &'a Findings,
    next: AtomicUsize,
}

/// One thread's share: whichever page is next. The caches cannot cross threads.
fn draw_some(job: &Job<'_>) -> Result<Vec<DrawnPage>, RenderError> {
    let (cache, fonts) = (RenderCache::new(), InterpreterCache::new());
    let mut drawn = Vec::new();
    loop {
        let index = job.next.fetch_add(1, Ordering::Relaxed);
        let Some(page) = job.document.pages().get(index) else { return Ok(drawn) };
        drawn.push(draw_one(job, index, page, &cache, &fonts)?);
    }
}

fn draw_one<'a>(
    job: &Job<'_>,
    index: usize,
    page: &'a PdfPage<'a>,
    cache: &RenderCache<'a>,
    fonts: &InterpreterCache<'a>,
) -> Result<DrawnPage, RenderError> {
    let findings = job.findings;
    let pictures = contents::compare(page, index, fonts, findings);
    let complaints = Complaints::default();
    let settings = complaints.settings();
    let placement = Placement::of(page, job.limits)?;
    let mut glyphs = glyphs::collect(page, &placement, &settings);
    if glyphs.unnamed > glyphs.named.len() / 4 {
        findings.add(Some(index), FindingKind::Letters, "");
    }
    let transform = placement.transform;
    let mut sheet = Sheet {
        index,
        glyphs: &glyphs.named,
        transform,
        findings,
        ink: Ink::default(),
        covered: Vec::new(),
    };
    annotations::examine(page, job.form, &mut sheet);
    let Sheet { ink, covered, .. } = sheet;
    glyphs.named.retain(|glyph| !covered.iter().any(|area| glyph.stands_in(area)));
    let commands = ink.into_commands();
    let over = (!commands.is_empty()).then(|| overlay::over(page, &commands)).transpose()?;
    let over = over.as_ref().and_then(|over| over.pages().first());
    if let Some(over) = over {
        glyphs.add(glyphs::collect(over, &placement, &settings));
    }
    let mut images = page::draw(page, over, &placement, cache, &settings)?;
    if complaints.0.picture.load(Ordering::Relaxed) {
        pictures.name_broken(index, findings);
    }
    if complaints.0.font.load(Ordering::Relaxed) && !findings.has(index, FindingKind::Font) {
        findings.add(Some(index), FindingKind::Font, "");
    }
    let size = (placement.width, placement.height);
    // Not kept: it has a byte for each square, 0.27 MB for a page of A4.
    let contrast = std::mem::take(&mut images.contrast);
    let text = PageText::of(glyphs, index, size, job.tags, &contrast);
    Ok(DrawnPage { index, placement, images, text })
}

/// Warnings of the interpreter while it draws a page. They name nothing: [`contents`] does.
#[derive(Default, Clone)]
struct Complaints(Arc<Complained>);

#[derive(Default)]
struct Complained {
    font: AtomicBool,
    picture: AtomicBool,
}

impl Complaints {
    fn settings(&self) -> InterpreterSettings {
        let said = Arc::clone(&self.0);
        let warning_sink = Arc::new(move |warning| match warning {
            InterpreterWarning::UnsupportedFont => said.font.store(true, Ordering::Relaxed),
            InterpreterWarning::ImageDecodeFailure => said.picture.store(true, Ordering::Relaxed),
            // Warnings about annotations are ignored: annotations are checked one by one, and the
            // warning also names every box that is not ticked.
            _ => {}
        });
        InterpreterSettings { warning_sink, ..InterpreterSettings::default() }
    }
}

fn assemble(drawn: Vec<DrawnPage>, findings: Findings) -> Rendered {
    let mut texts = Vec::with_capacity(drawn.len());
    let mut pages = Vec::with_capacity(drawn.len());
    for page in drawn {
        let Placement { width, height, .. } = page.placement;
        let Images { png_1x, png_2x, .. } = page.images;
        pages.push(Page { width, height, png_1x, png_2x, lines: page.text.lines() });
        texts.push(page.text);
    }
    let reading = layout::read(&texts);
    let findings = findings.into_list();
    let Reading { text, blocks, doubts } = reading;
    Rendered { pages, text, blocks, doubts, findings }
}

//! Renders a whole document: opens it, draws its pages in parallel, and assembles its text.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
use super::outlines::Outlines;
use super::page;
use super::placement::Placement;
use super::sheet::Sheet;
use super::tags::Tags;
use super::{
    Cut, Limits, Page, RenderError, Rendered, active, compositing, contents, cuts, glyphs, overlay,
    tick_boxes,
};

/// Length of the search for the header and the end, because programs may put bytes before or after
/// them.
const SEARCHED_BYTES: usize = 2048;

/// Number of pages after which a thread clears its caches of fonts and glyphs. A document with many
/// fonts would fill the memory. Loading the fonts of one page again takes a few milliseconds.
const CACHED_PAGES: usize = 16;

/// A page that was drawn.
pub(super) struct Drawn {
    /// Index of the page, counted from 0.
    pub(super) index: usize,
    /// Number of pages of the document.
    pub(super) pages: usize,
    /// The images at 1x and at 2x.
    pub(super) images: [Vec<u8>; 2],
    /// The parts that are cut out of them.
    pub(super) cuts: Vec<Cut>,
}

/// A callback that receives the images of each page as soon as they are drawn, in any order and
/// from any thread.
pub(super) type Take<'a> = dyn Fn(Drawn) -> Result<(), RenderError> + Sync + 'a;

/// Renders the document in this process. See [`super::render_in_child`].
///
/// # Errors
///
/// Returns a [`RenderError`] with the reason why the document has no page images.
pub fn render(pdf: &[u8], limits: &Limits) -> Result<Rendered, RenderError> {
    let drawn_pages = Mutex::new(Vec::new());
    let take = |drawn: Drawn| -> Result<(), RenderError> {
        drawn_pages.lock().unwrap_or_else(PoisonError::into_inner).push(drawn);
        Ok(())
    };
    let mut rendered = render_each(pdf, limits, &take)?;
    for drawn in drawn_pages.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let page = &mut rendered.pages[drawn.index];
        [page.image_1x, page.image_2x] = drawn.images;
        page.cuts = drawn.cuts;
    }
    Ok(rendered)
}

/// Renders a document and passes its images to `take`. The pages of the result have no images.
pub(super) fn render_each(
    pdf: &[u8],
    limits: &Limits,
    take: &Take<'_>,
) -> Result<Rendered, RenderError> {
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
        image_bytes: AtomicUsize::new(0),
        take,
    };
    active::examine(&document, &findings);
    form.report_fields_without_page(&document, &findings);
    if page_count(&document).is_some_and(|count| count > pages) {
        findings.add(None, FindingKind::Pages, "");
    }
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = limits.threads.clamp(1, cores);
    let mut read_pages = thread::scope(|scope| {
        let mut threads = Vec::with_capacity(workers);
        for _ in 0..workers.min(pages) {
            let thread = Builder::new().spawn_scoped(scope, || draw_some(&job));
            // Creating a thread fails if there is not enough memory for its stack.
            threads.push(thread.map_err(|_| RenderError::OutOfMemory)?);
        }
        let mut pages_of_threads = Vec::with_capacity(pages);
        for thread in threads {
            // The message of the panic is already on stderr.
            let part = thread.join().map_err(|_| RenderError::Crashed)?;
            pages_of_threads.extend(part?);
        }
        Ok(pages_of_threads)
    })?;
    read_pages.sort_unstable_by_key(|page| page.index);
    Ok(assemble(read_pages, findings))
}

/// Returns the number of pages in the page tree's `Count`.
fn page_count(document: &Pdf) -> Option<usize> {
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
    // A truncated file can often be repaired, but without its last pages. A document must not be
    // published with missing pages.
    let is_padding = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let end = pdf.iter().rposition(|byte| !is_padding(byte)).map_or(0, |last| last + 1);
    let tail = &pdf[end.saturating_sub(SEARCHED_BYTES)..end];
    if !contains(tail, b"%%EOF") {
        return Err(RenderError::unreadable("its end is missing"));
    }
    let document = Pdf::new(pdf[..end].to_vec()).map_err(|error| match error {
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

fn contains(bytes: &[u8], pattern: &[u8]) -> bool {
    bytes.windows(pattern.len()).any(|window| window == pattern)
}

/// The data of a page without its images.
struct ReadPage {
    index: usize,
    placement: Placement,
    text: PageText,
}

/// State that is shared by all threads.
struct Job<'a> {
    document: &'a Pdf,
    limits: &'a Limits,
    form: &'a Form<'a>,
    tags: &'a Tags,
    findings: &'a Findings,
    next: AtomicUsize,
    /// Bytes of all images so far.
    image_bytes: AtomicUsize,
    take: &'a Take<'a>,
}

impl Job<'_> {
    fn take(&self, index: usize, images: [Vec<u8>; 2], cuts: Vec<Cut>) -> Result<(), RenderError> {
        let of_cuts = cuts.iter().flat_map(|cut| [&cut.image_1x, &cut.image_2x]);
        let more: usize = images.iter().chain(of_cuts).map(Vec::len).sum();
        let limit_bytes = self.limits.image_bytes;
        if self.image_bytes.fetch_add(more, Ordering::Relaxed) + more > limit_bytes {
            return Err(RenderError::ImagesTooLarge { limit_bytes });
        }
        (self.take)(Drawn { index, pages: self.document.pages().len(), images, cuts })
    }
}

/// Draws pages until none is left. It runs in each thread, because the caches cannot be shared.
fn draw_some(job: &Job<'_>) -> Result<Vec<ReadPage>, RenderError> {
    let mut read = Vec::new();
    loop {
        let (cache, fonts) = (RenderCache::new(), InterpreterCache::new());
        let outlines = Outlines::default();
        for _ in 0..CACHED_PAGES {
            let index = job.next.fetch_add(1, Ordering::Relaxed);
            let Some(page) = job.document.pages().get(index) else { return Ok(read) };
            let drawn = draw_one(job, index, page, &cache, &fonts, &outlines);
            // After an error, the other threads need not draw further pages.
            read.push(drawn.inspect_err(|_| job.next.store(usize::MAX / 2, Ordering::Relaxed))?);
        }
    }
}

fn draw_one<'a>(
    job: &Job<'_>,
    index: usize,
    page: &'a PdfPage<'a>,
    cache: &RenderCache<'a>,
    fonts: &InterpreterCache<'a>,
    outlines: &Outlines,
) -> Result<ReadPage, RenderError> {
    let findings = job.findings;
    let pictures = contents::compare(page, index, fonts, findings);
    let warnings = Warnings::default();
    let settings = warnings.settings();
    let placement = Placement::of(page, job.limits)?;
    let mut glyphs = glyphs::collect(page, &placement, &settings, fonts, outlines);
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
        boxes: Vec::new(),
    };
    annotations::examine(page, job.form, &mut sheet);
    let Sheet { ink, covered, boxes, .. } = sheet;
    compositing::examine(page, index, findings);
    glyphs.named.retain(|glyph| !covered.iter().any(|area| glyph.is_in(area)));
    tick_boxes::add(&mut glyphs, &boxes);
    let commands = ink.into_commands();
    let over = (!commands.is_empty()).then(|| overlay::over(page, &commands)).transpose()?;
    let over = over.as_ref().and_then(|over| over.pages().first());
    if let Some(over) = over {
        let (fonts, outlines) = (InterpreterCache::new(), Outlines::default());
        glyphs.add(glyphs::collect(over, &placement, &settings, &fonts, &outlines));
    }
    for font in &glyphs.lacking {
        findings.add(Some(index), FindingKind::Font, font);
    }
    let (images, sight) = page::draw(page, over, &glyphs.outlines, &placement, cache, &settings)?;
    if warnings.0.picture.load(Ordering::Relaxed) {
        pictures.name_broken(index, findings);
    }
    if warnings.0.font.load(Ordering::Relaxed) && !findings.has(index, FindingKind::Font) {
        findings.add(Some(index), FindingKind::Font, "");
    }
    let size = [placement.width as f32, placement.height as f32];
    let text = PageText::of(glyphs, index, size, job.tags, sight);
    let is_fast = job.limits.fast_images;
    job.take(index, images.encode(is_fast)?, cuts::cut(text.cuts(), &images, is_fast)?)?;
    Ok(ReadPage { index, placement, text })
}

/// Warnings of the interpreter while it draws a page. They do not name objects; [`contents`] does.
#[derive(Default, Clone)]
struct Warnings(Arc<WarningFlags>);

#[derive(Default)]
struct WarningFlags {
    font: AtomicBool,
    picture: AtomicBool,
}

impl Warnings {
    fn settings(&self) -> InterpreterSettings {
        let flags = Arc::clone(&self.0);
        let warning_sink = Arc::new(move |warning| match warning {
            InterpreterWarning::UnsupportedFont => flags.font.store(true, Ordering::Relaxed),
            InterpreterWarning::ImageDecodeFailure => flags.picture.store(true, Ordering::Relaxed),
            // Warnings about annotations are ignored, because annotations are checked separately.
            // The interpreter also warns about every unticked box.
            _ => {}
        });
        InterpreterSettings { warning_sink, ..InterpreterSettings::default() }
    }
}

fn assemble(read_pages: Vec<ReadPage>, findings: Findings) -> Rendered {
    let mut texts = Vec::with_capacity(read_pages.len());
    let mut pages = Vec::with_capacity(read_pages.len());
    for mut page in read_pages {
        let Placement { width, height, .. } = page.placement;
        let (image_1x, image_2x, cuts) = (Vec::new(), Vec::new(), Vec::new());
        let lines = page.text.take_lines();
        pages.push(Page { width, height, image_1x, image_2x, spooled: None, cuts, lines });
        texts.push(page.text);
    }
    let reading = layout::read(&texts);
    let findings = findings.into_list();
    let Reading { text, blocks, doubts } = reading;
    Rendered { pages, text, blocks, doubts, findings }
}

//! A whole document: opened, counted, its pages drawn on two threads, its text put together.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder};

use hayro::RenderCache;
use hayro::hayro_interpret::{InterpreterSettings, InterpreterWarning};
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use super::glyphs;
use super::layout::{self, PageText};
use super::page::{self, Images, Placement};
use super::{Limits, Page, RenderError, Rendered};

const THREADS: usize = 2;

/// Programs put bytes before the header or after the end; readers look this far.
const SEARCHED_BYTES: usize = 2048;

/// Draws and reads the document in this process. See [`super::render_in_child`].
pub fn render(pdf: &[u8], limits: &Limits) -> Result<Rendered, RenderError> {
    let document = open(pdf, limits)?;
    let pages = document.pages().len();
    let next = AtomicUsize::new(0);
    let warnings = Warnings::default();
    let workers = THREADS.min(thread::available_parallelism().map_or(1, NonZeroUsize::get));
    let mut drawn = thread::scope(|scope| {
        let mut threads = Vec::with_capacity(workers);
        for _ in 0..workers.min(pages) {
            let thread = Builder::new()
                .spawn_scoped(scope, || draw_some(&document, limits, &next, &warnings));
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
    Ok(assemble(drawn, warnings))
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

/// One thread's share: whichever page is next. The caches cannot cross threads.
fn draw_some(
    document: &Pdf,
    limits: &Limits,
    next: &AtomicUsize,
    warnings: &Warnings,
) -> Result<Vec<DrawnPage>, RenderError> {
    let cache = RenderCache::new();
    let mut drawn = Vec::new();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(page) = document.pages().get(index) else { return Ok(drawn) };
        let settings = InterpreterSettings {
            warning_sink: warnings.sink(index),
            ..InterpreterSettings::default()
        };
        let placement = Placement::of(page, limits)?;
        let images = page::draw(page, &placement, &cache, &settings)?;
        let glyphs = glyphs::collect(page, &placement, &settings);
        if glyphs.unnamed > glyphs.named.len() / 4 {
            warnings.add(index, "has text that cannot be read as letters");
        }
        drawn.push(DrawnPage { index, placement, images, text: PageText::of(glyphs.named) });
    }
}

/// What a person should look at before publishing. Pages finish in any order.
#[derive(Default, Clone)]
struct Warnings(Arc<Mutex<BTreeSet<(usize, &'static str)>>>);

impl Warnings {
    fn add(&self, index: usize, what: &'static str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((index, what));
    }

    fn sink(&self, index: usize) -> Arc<dyn Fn(InterpreterWarning) + Send + Sync> {
        let warnings = self.clone();
        Arc::new(move |warning| {
            let what = match warning {
                InterpreterWarning::UnsupportedFont => "has a font that cannot be drawn",
                InterpreterWarning::ImageDecodeFailure => "has a picture that cannot be drawn",
                _ => "has a part that cannot be drawn",
            };
            warnings.add(index, what);
        })
    }

    fn sentences(&self) -> Vec<String> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.iter().map(|(index, what)| format!("Page {} {what}.", index + 1)).collect()
    }
}

fn assemble(drawn: Vec<DrawnPage>, warnings: Warnings) -> Rendered {
    let mut texts = Vec::with_capacity(drawn.len());
    let mut pages = Vec::with_capacity(drawn.len());
    for page in drawn {
        let Placement { width, height, .. } = page.placement;
        let Images { png_1x, png_2x } = page.images;
        pages.push(Page { width, height, png_1x, png_2x, lines: page.text.lines() });
        texts.push((page.text, height as f32));
    }
    let reading = layout::read(&texts);
    Rendered { pages, text: reading.text, blocks: reading.blocks, warnings: warnings.sentences() }
}

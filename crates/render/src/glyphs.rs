//! Collects the letters of a page with their positions, in the order in which the file draws them,
//! and the strokes.

use hayro::hayro_interpret::font::{Glyph as PdfGlyph, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
    InterpreterCache, InterpreterSettings, SoftMask, interpret_page,
};
use hayro::hayro_syntax::object::{Dict, String as PdfString};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::{Affine, BezPath, Point, Rect, Shape};
use unicode_bidi::{BidiClass, bidi_class};

use super::claims::Outline;
use super::letters::{clean, has_same_letters};
use super::outlines::{self, Drawn, Outlines, Shape as GlyphShape};
use super::placement::Placement;
use super::strokes::Strokes;
use super::symbols::{self, Symbols};
use super::text_string::text_string;

/// Glyph outlines are in thousandths of the font size.
const UNITS_PER_EM: f64 = 1000.0;

/// A glyph that represents text, in pixels of the 1x image.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    /// Text in logical order. It may have several letters, for a ligature or a span with
    /// `ActualText`.
    pub(super) text: String,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    /// Whether it is placed on another letter without its own width.
    pub(super) mark: bool,
    /// Whether it is a page number or a running header of a tagged document.
    pub(super) furniture: bool,
    /// Whether it is not written from left to right along the page, such as a watermark or a turned
    /// note in the margin.
    pub(super) turned: bool,
    /// Number of the drawing operation; letters of one operation have the same number.
    pub(super) run: u32,
    /// Number of its marked content in the tags of the document.
    pub(super) tag: Option<u32>,
    /// Whether the file marks it as invisible, such as the text over a scan.
    pub(super) hidden: bool,
    /// The area of its outline; `None` without one.
    pub(super) ink: Option<Rect>,
    /// Index of its outline.
    pub(super) outline: Option<u32>,
}

#[derive(Default)]
pub(super) struct Glyphs {
    pub(super) named: Vec<Glyph>,
    /// Number of drawn glyphs without a known text.
    pub(super) unnamed: usize,
    /// Number of glyphs whose text comes only from an `ActualText` that cannot be confirmed.
    pub(super) unconfirmed: usize,
    /// The outlines of all glyphs that have a text, as the renderer fills them.
    pub(super) outlines: Vec<Outline>,
    /// Areas whose ink the text says otherwise, such as the boxes of forms.
    pub(super) claimed: Vec<Rect>,
    /// Areas of drawn signs whose character is not known.
    pub(super) signs: Vec<Rect>,
    /// Names of fonts that lack the outline of a letter.
    pub(super) lacking: Vec<String>,
    pub(super) strokes: Strokes,
}

impl Glyph {
    /// Creates an ordinary letter, for tests.
    #[cfg(test)]
    pub(super) fn plain(text: &str, left: f32, width: f32, baseline: f32, size: f32) -> Self {
        Self {
            text: text.to_owned(),
            left,
            right: left + width,
            baseline,
            size,
            bold: false,
            mark: false,
            furniture: false,
            turned: false,
            run: 0,
            tag: None,
            hidden: false,
            ink: None,
            outline: None,
        }
    }

    /// Returns whether it has a letter or a digit.
    pub(super) fn is_word(&self) -> bool {
        self.text.chars().any(char::is_alphanumeric)
    }

    pub(super) fn has_width(&self) -> bool {
        self.right - self.left > 0.1 * self.size && !self.mark
    }

    pub(super) fn is_in(&self, area: &Rect) -> bool {
        let middle = f64::from(self.left + self.right) / 2.0;
        let height = f64::from(self.baseline - self.size * 0.3);
        (area.x0..=area.x1).contains(&middle) && (area.y0..=area.y1).contains(&height)
    }
}

impl Glyphs {
    /// Adds glyphs that were drawn over the same page.
    pub(super) fn add(&mut self, over: Self) {
        let runs = self.named.iter().map(|glyph| glyph.run).max().unwrap_or(0);
        let moved = over.named.into_iter();
        let before = self.outlines.len() as u32;
        self.named.extend(moved.map(|glyph| Glyph {
            run: glyph.run + runs,
            outline: glyph.outline.map(|outline| outline + before),
            ..glyph
        }));
        self.unnamed += over.unnamed;
        self.outlines.extend(over.outlines);
        self.signs.extend(over.signs);
        self.lacking.extend(over.lacking);
        self.strokes.add(over.strokes);
    }
}

pub(super) fn collect<'a>(
    page: &'a PdfPage<'a>,
    placement: &Placement,
    settings: &InterpreterSettings,
    fonts: &InterpreterCache<'a>,
    outlines: &Outlines,
) -> Glyphs {
    let area = Rect::new(0.0, 0.0, placement.width.into(), placement.height.into());
    let mut context = Context::new(placement.transform, area, fonts, page.xref(), settings.clone());
    let (glyphs, marked) = (Glyphs::default(), Vec::new());
    let mut collector = Collector { area, glyphs, marked, run: 0, outlines };
    interpret_page(page, &mut context, &mut collector);
    while !collector.marked.is_empty() {
        collector.end_marked_content();
    }
    collector.glyphs
}

struct Collector<'o> {
    area: Rect,
    glyphs: Glyphs,
    marked: Vec<Marked>,
    run: u32,
    outlines: &'o Outlines,
}

/// One level of marked content (PDF 32000-1 §14.6).
struct Marked {
    furniture: bool,
    tag: Option<u32>,
    /// The text that the file declares for the whole sequence.
    actual_text: Option<String>,
    /// Index of its first glyph.
    first: usize,
}

impl Collector<'_> {
    fn add(&mut self, glyph: &PdfGlyph<'_>, transform: Affine, run: &Run) {
        let [a, b, c, d, ..] = transform.as_coeffs();
        let size = c.hypot(d) * UNITS_PER_EM;
        let width = advance_width(glyph).unwrap_or(UNITS_PER_EM / 2.0);
        let (start, end) = (transform * Point::ZERO, transform * Point::new(width, 0.0));
        let middle = start.midpoint(end);
        if !size.is_finite() || size < 0.5 || !self.area.contains(middle) {
            return;
        }
        let shape = outlines::shape(glyph, transform, run.drawn, self.outlines);
        let (left, right) = (start.x.min(end.x) as f32, start.x.max(end.x) as f32);
        let has_actual_text = self.marked.iter().any(|marked| marked.actual_text.is_some());
        let text = match self.text(glyph, run, &shape) {
            Some(text) => text,
            // The text of the surrounding sequence is used for it.
            None if has_actual_text => String::new(),
            None => {
                self.glyphs.unnamed += 1;
                self.glyphs.signs.extend(shape.ink);
                return;
            }
        };
        let mark = text.chars().next().is_some_and(|c| bidi_class(c) == BidiClass::NSM);
        let (left, right) =
            if mark { outline_sides(glyph, transform, left, right) } else { (left, right) };
        let outline = shape.outline.map(|outline| {
            self.glyphs.outlines.push(outline);
            self.glyphs.outlines.len() as u32 - 1
        });
        self.glyphs.named.push(Glyph {
            text,
            left,
            right,
            baseline: start.y as f32,
            size: size as f32,
            bold: run.bold,
            mark,
            furniture: self.marked.iter().any(|marked| marked.furniture),
            turned: a <= 0.0 || b.abs() > 0.1 * a.abs(),
            run: self.run,
            tag: self.marked.iter().rev().find_map(|marked| marked.tag),
            hidden: run.hidden,
            ink: shape.ink,
            outline,
        });
    }

    /// Returns the text of a glyph; `None` if the file names none that it can have.
    fn text(&mut self, glyph: &PdfGlyph<'_>, run: &Run, shape: &GlyphShape) -> Option<String> {
        let letters = match glyph.as_unicode()? {
            BfString::Char(letter) => letter.to_string(),
            BfString::String(letters) => letters,
        };
        let text = match symbols::read(&letters, run.symbols) {
            Some(text) => text.to_owned(),
            None if letters.chars().any(symbols::is_private) || run.symbols.is_some() => {
                return None;
            }
            None => clean(letters.chars()),
        };
        let is_blank = text.trim().is_empty();
        if is_blank && shape.has_ink() && !run.hidden {
            // A sign that the file calls a space.
            return None;
        }
        if !is_blank && shape.is_empty && !run.hidden && text.chars().any(outlines::has_ink) {
            self.glyphs.lacking.push(run.font.clone());
        }
        Some(text)
    }

    /// Applies the text that the file declares for a sequence. It is used only if it has the same
    /// letters as the drawn ones, or if some of them have no known text. Otherwise the reading view
    /// of a file could have a text that is not on its page.
    fn apply_actual_text(&mut self, actual: String, first: usize) {
        // A glyph without a width is a mark, and often has the text of another letter with the
        // mark.
        let placed = self.glyphs.named[first..].iter().filter(|glyph| glyph.has_width());
        let drawn: Vec<&str> = placed.map(|glyph| glyph.text.as_str()).collect();
        let has_unknown = drawn.contains(&"");
        if !has_unknown && !has_same_letters(&actual, &drawn) {
            return;
        }
        let mut drawn = self.glyphs.named.drain(first..);
        let Some(mut merged) = drawn.next() else { return };
        for glyph in drawn {
            merged.left = merged.left.min(glyph.left);
            merged.right = merged.right.max(glyph.right);
            self.glyphs.unconfirmed += usize::from(has_unknown);
        }
        self.glyphs.unconfirmed += usize::from(has_unknown);
        merged.text = actual;
        self.glyphs.named.push(merged);
    }
}

fn advance_width(glyph: &PdfGlyph<'_>) -> Option<f64> {
    let width = match glyph {
        PdfGlyph::Outline(outline) => outline.advance_width(),
        PdfGlyph::Type3(drawn) => drawn.advance_width(),
    };
    width.map(f64::from)
}

/// Returns the horizontal range of a mark's outline. A mark often has no width, and its origin is
/// next to the letter.
fn outline_sides(glyph: &PdfGlyph<'_>, transform: Affine, left: f32, right: f32) -> (f32, f32) {
    match glyph {
        PdfGlyph::Outline(outline) => {
            let ink = (transform * outline.outline()).bounding_box();
            (ink.x0 as f32, ink.x1 as f32)
        }
        PdfGlyph::Type3(_) => (left, right),
    }
}

/// The properties of a drawing operation.
struct Run {
    bold: bool,
    hidden: bool,
    font: String,
    symbols: Option<Symbols>,
    drawn: Drawn,
}

impl Run {
    fn of(run: &GlyphRun<'_, '_>, transform: Affine, mode: &DrawMode) -> Self {
        let font = run.glyphs().first().and_then(|glyph| match &**glyph {
            PdfGlyph::Outline(outline) => outline.font_data(),
            PdfGlyph::Type3(_) => None,
        });
        let name = font.as_ref().and_then(|font| font.postscript_name.clone()).unwrap_or_default();
        let is_heavy = ["Bold", "Black", "Heavy"].iter().any(|word| name.contains(word));
        Self {
            bold: is_heavy || font.and_then(|font| font.weight).is_some_and(|weight| weight >= 600),
            hidden: matches!(mode, DrawMode::Invisible),
            symbols: Symbols::of(&name),
            font: name,
            drawn: Drawn::of(run, transform, mode),
        }
    }
}

impl<'a> Device<'a> for Collector<'_> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        self.run += 1;
        let of_run = Run::of(run, props.transform, mode);
        for glyph in run.glyphs() {
            self.add(glyph, props.transform * glyph.transform(), &of_run);
        }
    }

    fn begin_marked_content(&mut self, tag: &[u8], properties: Option<&Dict<'_>>) {
        let actual_text = properties
            .and_then(|properties| properties.get::<PdfString<'_>>(b"ActualText"))
            .map(|text| clean(text_string(text.as_bytes()).chars()));
        self.marked.push(Marked {
            furniture: tag == b"Artifact",
            tag: properties.and_then(|properties| properties.get::<u32>(b"MCID")),
            actual_text,
            first: self.glyphs.named.len(),
        });
    }

    fn end_marked_content(&mut self) {
        let Some(Marked { actual_text, first, .. }) = self.marked.pop() else { return };
        if let Some(actual) = actual_text {
            self.apply_actual_text(actual, first);
        }
        if self.marked.iter().any(|marked| marked.actual_text.is_some()) {
            return;
        }
        let (before, signs) = (self.glyphs.named.len(), &mut self.glyphs.signs);
        let mut at = 0;
        self.glyphs.named.retain(|glyph| {
            at += 1;
            let is_kept = at <= first || !glyph.text.is_empty();
            signs.extend(glyph.ink.filter(|_| !is_kept));
            is_kept
        });
        self.glyphs.unnamed += before - self.glyphs.named.len();
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.glyphs.strokes.path(path, props.transform, mode);
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let size = Rect::new(0.0, 0.0, image.width().into(), image.height().into());
        self.glyphs.strokes.picture(props.transform.transform_rect_bbox(size), &self.area);
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_presentation_forms_and_keeps_other_characters() {
        // Lam-alef, initial beh, the fi ligature.
        assert_eq!(clean("\u{FEFB}\u{FE91}\u{FB01}".chars()), "\u{644}\u{627}\u{628}fi");
        assert_eq!(clean("5 m²\u{A0}½™".chars()), "5 m² ½™");
        assert_eq!(clean("a\u{202E}b\u{0}c".chars()), "abc");
    }

    #[test]
    fn accepts_a_declared_text_only_with_the_same_letters() {
        assert!(has_same_letters("of\u{FB01}ce", &["office"]));
        assert!(has_same_letters("\u{AD}", &["-"]));
        assert!(has_same_letters("سلام", &["م", "ا", "ل", "س"]));
        assert!(has_same_letters("ح\u{64E}", &["ح\u{64E}", "ح\u{64E}"]));
        assert!(!has_same_letters("free of charge", &["a fee of 500"]));
        assert!(!has_same_letters("paid", &["not", " ", "paid"]));
        assert!(!has_same_letters("no", &["o", "n"]));
    }
}

//! Annotations of a page in addition to its content: form fields, marks, notes (ISO 32000-2 §12.5).
//! An annotation has an appearance that the interpreter draws, or it is drawn here from its values,
//! or it is reported as missing.

use hayro::hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, Object, Rect, Stream, String as PdfString,
};
use hayro::hayro_syntax::page::Page as PdfPage;

use super::appearance::{Lines, Writing};
use super::finding::FindingKind;
use super::form::Form;
use super::layout;
use super::sheet::{Appearance, Sheet, colour, numbers, numbers_of, text_of, visible_area};
use super::text_string::text_string;

/// Length of the excerpt of a note in a finding, enough to recognise it.
const EXCERPT_CHARS: usize = 60;
const YELLOW: [f64; 3] = [1.0, 0.9, 0.2];

/// Draws the annotations that can be drawn, and reports the others.
pub(super) fn examine(page: &PdfPage<'_>, form: &Form<'_>, sheet: &mut Sheet<'_>) {
    let Some(annotations) = page.raw().get::<Array<'_>>("Annots") else { return };
    // The interpreter stops at the first entry that is not a dictionary.
    let mut stopped = false;
    for item in annotations.raw_iter() {
        let annotation = match item {
            MaybeRef::Ref(id) => page.xref().get::<Dict<'_>>(id.into()),
            MaybeRef::NotRef(object) => object.into_dict(),
        };
        let Some(annotation) = annotation else {
            stopped = true;
            continue;
        };
        let Some(at) = visible_area(&annotation) else { continue };
        let appearance = match appearance_of(&annotation) {
            Appearance::Drawn if stopped => Appearance::Broken,
            appearance => appearance,
        };
        match annotation.get::<Name<'_>>("Subtype").as_deref() {
            Some(b"Link" | b"Popup" | b"PrinterMark" | b"TrapNet") => {}
            Some(b"Widget") => form.draw(&annotation, &at, appearance, sheet),
            Some(kind) => markup(&annotation, kind, &at, appearance, sheet),
            None => {
                if appearance == Appearance::Broken {
                    sheet.add(FindingKind::Annotation, "");
                }
            }
        }
    }
}

fn appearance_of(annotation: &Dict<'_>) -> Appearance {
    let Some(appearances) = annotation.get::<Dict<'_>>("AP") else { return Appearance::None };
    match appearances.get::<Object<'_>>("N") {
        None | Some(Object::Null(_)) => Appearance::None,
        Some(Object::Stream(stream)) => of_stream(&stream),
        Some(Object::Dict(states)) => {
            let state = annotation.get::<Name<'_>>("AS");
            let stream_of = |state: &[u8]| states.get::<Stream<'_>>(state);
            match state.as_deref().and_then(stream_of).or_else(|| stream_of(b"Off")) {
                Some(stream) => of_stream(&stream),
                None => Appearance::Blank,
            }
        }
        Some(_) => Appearance::Broken,
    }
}

fn of_stream(stream: &Stream<'_>) -> Appearance {
    let has_box = stream.dict().get::<[f32; 4]>("BBox").is_some();
    match stream.decoded_data() {
        Ok(commands) if has_box && draws_anything(&commands) => Appearance::Drawn,
        Ok(_) if has_box => Appearance::Blank,
        _ => Appearance::Broken,
    }
}

/// Returns whether any command draws something.
fn draws_anything(commands: &[u8]) -> bool {
    use hayro::hayro_syntax::content::TypedIter;
    use hayro::hayro_syntax::content::ops::TypedInstruction as I;
    let mut commands = TypedIter::new(commands);
    while let Some(command) = commands.next() {
        if matches!(
            command,
            I::XObject(_)
                | I::InlineImage(_)
                | I::Shading(_)
                | I::ShowText(_)
                | I::ShowTexts(_)
                | I::NextLineAndShowText(_)
                | I::ShowTextWithParameters(_)
                | I::StrokePath(_)
                | I::CloseAndStrokePath(_)
                | I::FillPathNonZero(_)
                | I::FillPathNonZeroCompatibility(_)
                | I::FillPathEvenOdd(_)
                | I::FillAndStrokeNonZero(_)
                | I::FillAndStrokeEvenOdd(_)
                | I::CloseFillAndStrokeNonZero(_)
                | I::CloseFillAndStrokeEvenOdd(_)
        ) {
            return true;
        }
    }
    false
}

fn excerpt(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(EXCERPT_CHARS).collect()
}

fn markup(
    annotation: &Dict<'_>,
    kind: &[u8],
    at: &Rect,
    appearance: Appearance,
    sheet: &mut Sheet<'_>,
) {
    let text = text_of(annotation, "Contents");
    if appearance != Appearance::Drawn && !draw(annotation, kind, at, text.as_deref(), sheet) {
        let excerpt_of_text = text.as_deref().map(excerpt).unwrap_or_default();
        let kind = String::from_utf8_lossy(kind);
        let name = if excerpt_of_text.is_empty() {
            kind.into_owned()
        } else {
            format!("{kind}: {excerpt_of_text}")
        };
        return sheet.add(FindingKind::Annotation, &name);
    }
    let is_note = matches!(
        kind,
        b"Text"
            | b"Highlight"
            | b"Underline"
            | b"StrikeOut"
            | b"Squiggly"
            | b"Square"
            | b"Circle"
            | b"Line"
            | b"Polygon"
            | b"PolyLine"
            | b"Ink"
            | b"Caret"
            | b"Stamp"
    );
    // Many programs copy the marked text into the note.
    if let Some(text) = text.filter(|text| is_note && !is_on_page(sheet, text)) {
        sheet.add(FindingKind::Note, &excerpt(&text));
    }
}

fn is_on_page(sheet: &Sheet<'_>, text: &str) -> bool {
    let without_spaces =
        |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let lines = layout::drawn_lines(sheet.glyphs.to_vec());
    let page: String = lines.iter().map(|line| without_spaces(&line.text)).collect();
    page.contains(&without_spaces(text))
}

/// Draws the annotation; returns false for a kind that is not supported.
fn draw(
    annotation: &Dict<'_>,
    kind: &[u8],
    at: &Rect,
    text: Option<&str>,
    sheet: &mut Sheet<'_>,
) -> bool {
    let shade = colour(annotation, "C");
    let line = shade.unwrap_or([0.0; 3]);
    let inside = colour(annotation, "IC");
    let width = annotation
        .get::<Dict<'_>>("BS")
        .and_then(|style| style.get::<f32>("W"))
        .map_or(1.0, |width| f64::from(width).clamp(0.0, 20.0));
    match kind {
        b"Highlight" => {
            for [tl, tr, bl, br] in quads(annotation, at) {
                sheet.ink.mark(&[tl, tr, br, bl], shade.unwrap_or(YELLOW));
            }
        }
        b"Underline" | b"Squiggly" | b"StrikeOut" => {
            let middle = if kind == b"StrikeOut" { 0.5 } else { 0.08 };
            for [tl, tr, bl, br] in quads(annotation, at) {
                let on = |low: [f64; 2], high: [f64; 2]| {
                    [low[0] + (high[0] - low[0]) * middle, low[1] + (high[1] - low[1]) * middle]
                };
                sheet.ink.line(&[on(bl, tl), on(br, tr)], 1.0, line, false);
            }
        }
        b"FreeText" => return free_text(annotation, at, shade, text, sheet),
        b"Text" => {
            let corner = Rect::new(at.x0, at.y1 - 14.0, at.x0 + 14.0, at.y1);
            sheet.ink.fill(&corner, shade.unwrap_or(YELLOW));
            let rule =
                |y: f64| [[corner.x0 + 3.0, corner.y0 + y], [corner.x1 - 3.0, corner.y0 + y]];
            for y in [4.0, 7.0, 10.0] {
                sheet.ink.line(&rule(y), 0.8, [0.2; 3], false);
            }
        }
        b"Square" => {
            let corners = [[at.x0, at.y0], [at.x1, at.y0], [at.x1, at.y1], [at.x0, at.y1]];
            if let Some(inside) = inside {
                sheet.ink.fill_shape(&corners, inside);
            }
            sheet.ink.line(&corners, width, line, true);
        }
        b"Circle" => {
            if let Some(inside) = inside {
                sheet.ink.fill_ellipse(at, inside);
            }
            sheet.ink.ellipse(at, width, line);
        }
        b"Line" => {
            let Some(ends) = numbers(annotation, "L").filter(|ends| ends.len() == 4) else {
                return false;
            };
            sheet.ink.line(&[[ends[0], ends[1]], [ends[2], ends[3]]], width, line, false);
        }
        b"Polygon" | b"PolyLine" => {
            let Some(points) = numbers(annotation, "Vertices") else { return false };
            if let Some(inside) = inside.filter(|_| kind == b"Polygon") {
                sheet.ink.fill_shape(&pairs(&points), inside);
            }
            sheet.ink.line(&pairs(&points), width, line, kind == b"Polygon");
        }
        b"Ink" => {
            let Some(strokes) = annotation.get::<Array<'_>>("InkList") else { return false };
            for stroke in strokes.iter::<Array<'_>>() {
                sheet.ink.line(&pairs(&numbers_of(&stroke)), width, line, false);
            }
        }
        _ => return false,
    }
    true
}

fn pairs(numbers: &[f64]) -> Vec<[f64; 2]> {
    numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Returns the corners of each quadrilateral: upper left, upper right, lower left, lower right. All
/// programs write them in this order, although the standard specifies another.
fn quads(annotation: &Dict<'_>, at: &Rect) -> Vec<[[f64; 2]; 4]> {
    let points =
        numbers(annotation, "QuadPoints").map(|numbers| pairs(&numbers)).unwrap_or_default();
    let quads: Vec<_> =
        points.chunks_exact(4).map(|quad| [quad[0], quad[1], quad[2], quad[3]]).collect();
    if quads.is_empty() {
        return vec![[[at.x0, at.y1], [at.x1, at.y1], [at.x0, at.y0], [at.x1, at.y0]]];
    }
    quads
}

fn free_text(
    annotation: &Dict<'_>,
    at: &Rect,
    shade: Option<[f64; 3]>,
    text: Option<&str>,
    sheet: &mut Sheet<'_>,
) -> bool {
    if let Some(shade) = shade {
        sheet.ink.fill(at, shade);
    }
    let Some(text) = text else { return true };
    let style = annotation.get::<PdfString<'_>>("DA").map(|style| text_string(style.as_bytes()));
    let align = annotation.get::<i32>("Q").unwrap_or(0);
    let writing = Writing::of(style.as_deref().unwrap_or("/F 12 Tf"), align, Lines::Many);
    sheet.ink.write(text, at, &writing)
}

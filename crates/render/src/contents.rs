//! Checks whether everything on a page can be drawn: its drawing commands up to the end, and the
//! pictures, graphics and fonts that they name. The interpreter silently leaves out what it cannot
//! draw.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::{Decompress, FlushDecompress, Status};
use hayro::hayro_interpret::{
    Context, DummyDevice, InterpreterCache, InterpreterSettings, interpret,
};
use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::object::stream::ImageDecodeParams;
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Stream};
use hayro::hayro_syntax::page::{Page as PdfPage, Resources};
use hayro::kurbo::{Affine, Rect};

use super::finding::{FindingKind, Findings};

/// Maximum depth of nested forms.
const DEPTH_MAX: usize = 16;

/// A marker after the last command. If the interpreter does not reach it, commands before it were
/// lost.
const END: &[u8] = b"MusetteEnd";

pub(super) fn compare<'a>(
    page: &PdfPage<'a>,
    index: usize,
    cache: &InterpreterCache<'a>,
    findings: &Findings,
) -> Pictures<'a> {
    let mut walk =
        Walk { page, index, cache, findings, seen: HashSet::new(), pictures: Vec::new() };
    if streams(page).is_none_or(|streams| !streams.iter().all(is_intact)) {
        findings.add(Some(index), FindingKind::Content, "");
    }
    if let Some(content) = page.page_stream() {
        walk.content(content, page.resources(), "", 0);
    }
    Pictures(walk.pictures)
}

/// Images that a page draws. Which one is broken is checked only if drawing fails.
pub(super) struct Pictures<'a>(Vec<(String, Stream<'a>)>);

impl Pictures<'_> {
    pub(super) fn name_broken(&self, index: usize, findings: &Findings) {
        let mut is_reported = false;
        for (name, picture) in &self.0 {
            let side = |key: &str| picture.dict().get::<u32>(key).unwrap_or(0);
            let params = ImageDecodeParams {
                width: side("Width"),
                height: side("Height"),
                ..ImageDecodeParams::default()
            };
            if picture.decoded_image(&params).is_err() {
                findings.add(Some(index), FindingKind::Picture, name);
                is_reported = true;
            }
        }
        if !is_reported {
            findings.add(Some(index), FindingKind::Picture, "");
        }
    }
}

/// Returns the content streams of a page, or `None` if one is missing. A page without streams is
/// empty.
fn streams<'a>(page: &PdfPage<'a>) -> Option<Vec<Stream<'a>>> {
    let Some(contents) = page.raw().get_raw::<Object<'_>>("Contents") else {
        return Some(Vec::new());
    };
    let resolved = match contents {
        MaybeRef::Ref(id) => page.xref().get::<Object<'_>>(id.into())?,
        MaybeRef::NotRef(object) => object,
    };
    match resolved {
        Object::Stream(stream) => Some(vec![stream]),
        Object::Array(array) => all_streams(&array, page),
        Object::Null(_) => Some(Vec::new()),
        _ => None,
    }
}

fn all_streams<'a>(array: &Array<'a>, page: &PdfPage<'a>) -> Option<Vec<Stream<'a>>> {
    let stream = |item: MaybeRef<Object<'_>>| page.xref().get(item.as_obj_ref()?.into());
    array.raw_iter().map(stream).collect()
}

/// Returns whether the stream's filters are known and its compressed data is complete. Many readers
/// draw the available part of a truncated stream, but a document must not be published with missing
/// parts.
fn is_intact(stream: &Stream<'_>) -> bool {
    let dict = stream.dict();
    let filters = match dict.get::<Object<'_>>("Filter") {
        None | Some(Object::Null(_)) => 0,
        Some(Object::Array(names)) => names.raw_iter().count(),
        Some(_) => 1,
    };
    let filters_known = stream.filters();
    if filters_known.len() != filters || stream.decoded_data().is_err() {
        return false;
    }
    filters_known.first() != Some(&Filter::FlateDecode) || inflates(&stream.raw_data())
}

/// Returns whether the data decompresses to its end. A wrong checksum after it is ignored, because
/// many programs write one.
fn inflates(data: &[u8]) -> bool {
    let has_head = data.len() >= 2
        && data[0] & 0x0f == 8
        && u16::from_be_bytes([data[0], data[1]]).is_multiple_of(31);
    let mut input = if has_head { &data[2..] } else { data };
    let mut inflater = Decompress::new(false);
    let mut output = vec![0; 64 * 1024];
    loop {
        let (read, written) = (inflater.total_in(), inflater.total_out());
        match inflater.decompress(input, &mut output, FlushDecompress::None) {
            Ok(Status::StreamEnd) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
        let consumed = usize::try_from(inflater.total_in() - read).unwrap_or(input.len());
        if consumed == 0 && inflater.total_out() == written {
            return false;
        }
        input = &input[consumed..];
    }
}

struct Walk<'a, 'w> {
    page: &'w PdfPage<'a>,
    index: usize,
    cache: &'w InterpreterCache<'a>,
    findings: &'w Findings,
    seen: HashSet<ObjectIdentifier>,
    pictures: Vec<(String, Stream<'a>)>,
}

impl<'a> Walk<'a, '_> {
    fn add(&self, kind: FindingKind, name: &str) {
        self.findings.add(Some(self.index), kind, name);
    }

    fn content(&mut self, content: &[u8], resources: &Resources<'a>, form: &str, depth: usize) {
        let marked = [content, b"\n/", END, b" MP\n"].concat();
        let mut commands = TypedIter::new(&marked);
        let mut fonts = HashSet::new();
        let mut ended = false;
        while let Some(command) = commands.next() {
            match command {
                TypedInstruction::XObject(named) => self.object(named.0, resources, depth),
                TypedInstruction::TextFont(chosen) if fonts.insert(chosen.0.to_vec()) => {
                    self.font(chosen.0, resources);
                }
                TypedInstruction::Shading(named) if resources.get_shading(named.0).is_none() => {
                    self.add(FindingKind::Graphic, &text(named.0));
                }
                TypedInstruction::MarkedContentPoint(point) => ended = &**point.0 == END,
                _ => {}
            }
        }
        if !ended {
            self.add(FindingKind::Content, form);
        }
    }

    fn object(&mut self, name: &Name<'_>, resources: &Resources<'a>, depth: usize) {
        let Some(object) = resources.get_x_object(name) else {
            return self.add(FindingKind::Graphic, &text(name));
        };
        if !self.seen.insert(object.obj_id()) {
            return;
        }
        match object.dict().get::<Name<'_>>("Subtype").as_deref() {
            Some(b"Image") => {
                let side = |key: &str| object.dict().get::<u32>(key).unwrap_or(0);
                if side("Width") == 0 || side("Height") == 0 {
                    self.add(FindingKind::Picture, &text(name));
                }
                self.pictures.push((text(name), object));
            }
            Some(b"Form") => self.form(name, &object, resources, depth),
            _ => self.add(FindingKind::Graphic, &text(name)),
        }
    }

    fn form(
        &mut self,
        name: &Name<'_>,
        form: &Stream<'a>,
        resources: &Resources<'a>,
        depth: usize,
    ) {
        let has_box = form.dict().get::<[f32; 4]>("BBox").is_some();
        if depth >= DEPTH_MAX || !has_box || !is_intact(form) {
            return self.add(FindingKind::Graphic, &text(name));
        }
        let Ok(content) = form.decoded_data() else { return };
        let own = form.dict().get::<Dict<'_>>("Resources").map(Resources::new);
        self.content(&content, own.as_ref().unwrap_or(resources), &text(name), depth + 1);
    }

    /// Checks a font by loading it in the interpreter, which reports only that a font was bad.
    fn font(&self, name: &Name<'_>, resources: &Resources<'a>) {
        let Some(font) = resources.get_font(name) else {
            return self.add(FindingKind::Font, &text(name));
        };
        let font_name =
            font.get::<Name<'_>>("BaseFont").map_or_else(|| text(name), |name| text(&name));
        if lacks_glyphs(&font) {
            return self.add(FindingKind::Font, &font_name);
        }
        let failed = Arc::new(AtomicBool::new(false));
        let failed_in_sink = Arc::clone(&failed);
        let settings = InterpreterSettings {
            warning_sink: Arc::new(move |_| failed_in_sink.store(true, Ordering::Relaxed)),
            ..InterpreterSettings::default()
        };
        let area = Rect::new(0.0, 0.0, 1.0, 1.0);
        let xref = self.page.xref();
        let mut context = Context::new(Affine::IDENTITY, area, self.cache, xref, settings);
        let choose = [b"/", &*escaped(name), b" 1 Tf"].concat();
        interpret(TypedIter::new(&choose), resources, &mut context, &mut DummyDevice);
        if failed.load(Ordering::Relaxed) {
            self.add(FindingKind::Font, &font_name);
        }
    }
}

/// Returns whether a composite font lacks its font file. Its glyph numbers refer to that file and
/// would select wrong glyphs in another font.
fn lacks_glyphs(font: &Dict<'_>) -> bool {
    if font.get::<Name<'_>>("Subtype").as_deref() != Some(b"Type0") {
        return false;
    }
    let descendant = font.get::<Array<'_>>("DescendantFonts");
    let descendant = descendant.and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let descriptor = descendant.and_then(|font| font.get::<Dict<'_>>("FontDescriptor"));
    descriptor.is_none_or(|descriptor| {
        !["FontFile", "FontFile2", "FontFile3"]
            .iter()
            .any(|file| descriptor.get::<Stream<'_>>(file).is_some())
    })
}

fn text(name: &Name<'_>) -> String {
    String::from_utf8_lossy(name).into_owned()
}

fn escaped(name: &Name<'_>) -> Vec<u8> {
    let escape = |byte: &u8| match byte {
        byte if byte.is_ascii_alphanumeric() => vec![*byte],
        byte => format!("#{byte:02x}").into_bytes(),
    };
    name.iter().flat_map(escape).collect()
}

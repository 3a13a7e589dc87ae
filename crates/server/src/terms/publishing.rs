//! Prepares a PDF for publication: computes its hash, renders its pages, extracts its text, and
//! reports findings.

mod findings;
pub mod queue;
mod reading;

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use musette_core::terms::detect_language;
use musette_store::{DocumentPart, NewDocument, SpooledPart};
use serde_json::{Value, json};

use crate::platform::private_files::unnamed_file;
use crate::platform::random;
use crate::platform::test_mode;
pub use findings::{ACTIVE, DocumentFinding, Obstacle, Reasons, UNREADABLE, is_reason, obstacles};
use musette_render::{
    Block, CHECK, Finding, ImagePlace, Limits, Line, Page, Progress, RenderError, Rendered,
    active_names,
};

/// The maximum size of a PDF; a larger file is rejected before it is read.
pub const DOCUMENT_BYTES_MAX: u64 = 20 * 1024 * 1024;

const WEBP: &str = "image/webp";

/// A prepared document, with everything that an approver must know.
pub struct Prepared {
    pub document: NewDocument,
    pub findings: Vec<Finding>,
    /// The language of its text, as `detect_language` returns it.
    pub language: Option<String>,
    /// The reason why it has no page images; the viewer then tries to render it with pdf.js.
    pub undrawn: Option<RenderError>,
}

/// Renders the document in a process with limits, and reports each rendered page to `tell`. With a
/// `directory`, the page images are stored in a file there instead of in memory. Returns an error
/// if the document can never be published, or for an error of the machine.
pub async fn prepare(
    bytes: Vec<u8>,
    tell: &(dyn Fn(Progress) + Sync),
    directory: Option<&Path>,
) -> Result<Prepared, RenderError> {
    if !bytes.starts_with(b"%PDF-") {
        return Err(RenderError::NotAPdf);
    }
    let sha256 = random::sha256_hex(&bytes);
    let spool = directory.and_then(|directory| {
        let file = unnamed_file(directory);
        file.map_err(|error| {
            tracing::warn!(
                error = %error,
                "the page images of a document cannot be stored on disk: they are kept in memory"
            );
        })
        .ok()
    });
    let limits = Limits { fast_images: test_mode::has_fast_images(), ..Limits::default() };
    match musette_render::render_in_child(&bytes, &limits, tell, spool.as_ref()).await {
        Ok(rendered) => {
            let pages = i64::try_from(rendered.pages.len()).unwrap_or(0);
            let findings = rendered.findings.clone();
            let language = detect_language(&rendered.text);
            let (parts, spooled) = parts(&sha256, rendered, spool);
            let document = NewDocument { sha256, bytes, pages, parts, spooled };
            Ok(Prepared { document, findings, language, undrawn: None })
        }
        Err(error) if error.is_of_content() => {
            let findings = active_names(&bytes);
            let document =
                NewDocument { sha256, bytes, pages: 0, parts: Vec::new(), spooled: Vec::new() };
            Ok(Prepared { document, findings, language: None, undrawn: Some(error) })
        }
        Err(error) => Err(error),
    }
}

/// The files of a document: in memory, or in the file of its images.
#[derive(Default)]
struct Files {
    parts: Vec<DocumentPart>,
    spooled: Vec<SpooledPart>,
    spool: Option<Arc<File>>,
}

impl Files {
    fn add_json(&mut self, name: String, value: &Value) {
        let (media_type, bytes) = ("application/json".into(), value.to_string().into_bytes());
        self.parts.push(DocumentPart { name, media_type, bytes });
    }

    /// Adds an image at two sizes. The names end with `.png` although the images are WebP, because
    /// the previous version of the program serves no other names and must be able to serve this
    /// document. Browsers detect the format by the first bytes.
    fn add_image(
        &mut self,
        names: [String; 2],
        images: [Vec<u8>; 2],
        places: Option<[ImagePlace; 2]>,
    ) {
        if let (Some(places), Some(file)) = (places, &self.spool) {
            for (name, ImagePlace { at, length }) in names.into_iter().zip(places) {
                let (media_type, file) = (WEBP.to_owned(), Arc::clone(file));
                self.spooled.push(SpooledPart { name, media_type, file, at, length });
            }
        } else {
            let images = names.into_iter().zip(images);
            let part = |(name, bytes)| DocumentPart { name, media_type: WEBP.into(), bytes };
            self.parts.extend(images.map(part));
        }
    }
}

fn parts(
    sha256: &str,
    rendered: Rendered,
    spool: Option<File>,
) -> (Vec<DocumentPart>, Vec<SpooledPart>) {
    let mut files = Files { spool: spool.map(Arc::new), ..Files::default() };
    let base = format!("/documents/{sha256}");
    let page = |(n, page): (usize, &Page)| {
        json!({
            "width": page.width, "height": page.height, "src": format!("{base}/{n}.png"),
            "src2x": format!("{base}/{n}@2x.png"), "lines": format!("{base}/{n}.json")
        })
    };
    let manifest = json!({
        "sha256": sha256, "pages": (1..).zip(&rendered.pages).map(page).collect::<Vec<_>>(),
        "text": rendered.text, "reading": format!("{base}/reading.json"),
        "doubts": reading::doubts(&rendered.doubts),
        "regions": reading::regions(&rendered.blocks), "check": CHECK, "pdf": format!("{base}.pdf")
    });
    files.add_json("manifest.json".into(), &manifest);
    let block = |block| reading::block(block, &rendered.pages, &base);
    let blocks: Vec<Value> = rendered.blocks.iter().map(block).collect();
    files.add_json("reading.json".into(), &json!({ "blocks": blocks }));
    // A logo that the reading view shows once was cut out of each of its pages.
    let cut_of = |block: &Block| Some((block.page as usize, block.cut?));
    let used: HashSet<(usize, usize)> = rendered.blocks.iter().filter_map(cut_of).collect();
    for (n, page) in (1..).zip(rendered.pages) {
        let lines: Vec<Value> = page.lines.iter().map(line).collect();
        files.add_json(format!("{n}.json"), &json!({ "lines": lines }));
        let names = [format!("{n}.png"), format!("{n}@2x.png")];
        files.add_image(names, [page.image_1x, page.image_2x], page.spooled);
        for (at, cut) in page.cuts.into_iter().enumerate() {
            if used.contains(&(n, at)) {
                let names = reading::cut_names(n, at);
                files.add_image(names, [cut.image_1x, cut.image_2x], cut.spooled);
            }
        }
    }
    (files.parts, files.spooled)
}

fn line(line: &Line) -> Value {
    json!({
        "x": round_to_tenths(line.x), "y": round_to_tenths(line.y),
        "width": round_to_tenths(line.width), "height": round_to_tenths(line.height),
        "text": line.text, "dir": reading::dir(line.rtl)
    })
}

/// Rounds a coordinate on a page to a tenth of a pixel. More digits would be a third of the stored
/// text.
fn round_to_tenths(place: f32) -> f64 {
    (f64::from(place) * 10.0).round() / 10.0
}

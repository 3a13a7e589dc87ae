//! From the bytes of a PDF to a document that can be published: its hash, its pages as images, its
//! text, and what must be known of it before.

mod findings;
pub mod queue;
mod reading;

use musette_store::{DocumentPart, NewDocument};
use serde_json::{Value, json};

use crate::random;
use crate::test_mode;
pub use findings::{ACTIVE, DocumentFinding, Obstacle, Reasons, UNREADABLE, is_reason, obstacles};
use musette_render::{Finding, Limits, Progress, RenderError, Rendered, active_names};

/// A larger file is refused before it is read.
pub const DOCUMENT_BYTES_MAX: u64 = 20 * 1024 * 1024;

/// A document, and what somebody has to know who publishes it.
pub struct Prepared {
    pub document: NewDocument,
    pub findings: Vec<Finding>,
    /// Why it has no page images; the viewer draws it with pdf.js, if that can.
    pub undrawn: Option<RenderError>,
}

/// Draws the document in a process with limits, and tells each page that is drawn. An error is of what can
/// never be published, or of the machine.
pub async fn prepare(
    bytes: Vec<u8>,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Prepared, RenderError> {
    if !bytes.starts_with(b"%PDF-") {
        return Err(RenderError::NotAPdf);
    }
    let sha256 = random::sha256_hex(&bytes);
    let limits = Limits { fast_images: test_mode::has_fast_images(), ..Limits::default() };
    match musette_render::render_in_child(&bytes, &limits, tell).await {
        Ok(rendered) => {
            let pages = i64::try_from(rendered.pages.len()).unwrap_or(0);
            let findings = rendered.findings.clone();
            let parts = parts(&sha256, rendered);
            let document = NewDocument { sha256, bytes, pages, parts };
            Ok(Prepared { document, findings, undrawn: None })
        }
        Err(error) if error.is_of_content() => {
            let findings = active_names(&bytes);
            let document = NewDocument { sha256, bytes, pages: 0, parts: Vec::new() };
            Ok(Prepared { document, findings, undrawn: Some(error) })
        }
        Err(error) => Err(error),
    }
}

fn parts(sha256: &str, rendered: Rendered) -> Vec<DocumentPart> {
    let base = format!("/documents/{sha256}");
    let json_part = |name: String, value: &Value| DocumentPart {
        name,
        media_type: "application/json".into(),
        bytes: value.to_string().into_bytes(),
    };
    // The names end in `.png` whatever the files are: the version before serves no other image, and must be
    // able to serve this document. Browsers go by the first bytes.
    let image = |name: String, bytes| DocumentPart { name, media_type: "image/webp".into(), bytes };
    let blocks: Vec<Value> = rendered.blocks.iter().map(reading::block).collect();
    let pages: Vec<Value> = rendered
        .pages
        .iter()
        .enumerate()
        .map(|(i, page)| {
            let n = i + 1;
            json!({
                "width": page.width, "height": page.height, "src": format!("{base}/{n}.png"),
                "src2x": format!("{base}/{n}@2x.png"), "lines": format!("{base}/{n}.json")
            })
        })
        .collect();
    let manifest = json!({
        "sha256": sha256, "pages": pages, "text": rendered.text,
        "reading": format!("{base}/reading.json"), "doubts": reading::doubts(&rendered.doubts),
        "pdf": format!("{base}.pdf")
    });
    let mut parts = vec![
        json_part("manifest.json".into(), &manifest),
        json_part("reading.json".into(), &json!({ "blocks": blocks })),
    ];
    for (i, page) in rendered.pages.into_iter().enumerate() {
        let n = i + 1;
        let lines: Vec<Value> = page
            .lines
            .iter()
            .map(|line| {
                json!({
                    "x": tenths(line.x), "y": tenths(line.y),
                    "width": tenths(line.width), "height": tenths(line.height),
                    "text": line.text, "dir": reading::dir(line.rtl)
                })
            })
            .collect();
        parts.push(json_part(format!("{n}.json"), &json!({ "lines": lines })));
        parts.push(image(format!("{n}.png"), page.image_1x));
        parts.push(image(format!("{n}@2x.png"), page.image_2x));
    }
    parts
}

/// A place on a page, to a tenth of a pixel: more digits would be a third of what is stored of a text.
fn tenths(place: f32) -> f64 {
    (f64::from(place) * 10.0).round() / 10.0
}

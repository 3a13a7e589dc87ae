//! From the bytes of a PDF to a document that can be published: its hash, its pages as images, its
//! text.

use musette_store::{DocumentPart, NewDocument};
use serde_json::{Value, json};

use crate::random;
use musette_render::{BlockKind, Limits, RenderError, Rendered};

/// A larger file is refused before it is read.
pub const DOCUMENT_BYTES_MAX: u64 = 20 * 1024 * 1024;

/// Draws the document in a process with limits. What is no PDF, needs a password, goes beyond a limit
/// or makes the process fail is refused; a PDF that we merely cannot read is published without pages,
/// and the viewer draws it with pdf.js.
pub async fn prepare(bytes: Vec<u8>) -> Result<NewDocument, RenderError> {
    if !bytes.starts_with(b"%PDF-") {
        return Err(RenderError::NotAPdf);
    }
    let sha256 = random::sha256_hex(&bytes);
    let (pages, parts) = match musette_render::render_in_child(&bytes, &Limits::default()).await {
        Ok(rendered) => {
            for warning in &rendered.warnings {
                tracing::warn!(sha256, warning, "a page image may lack something");
            }
            (rendered.pages.len(), parts(&sha256, rendered))
        }
        Err(error @ RenderError::Unreadable { .. }) => {
            tracing::warn!(sha256, error = %error, "published without page images");
            (0, Vec::new())
        }
        Err(error) => return Err(error),
    };
    Ok(NewDocument { sha256, bytes, pages: i64::try_from(pages).unwrap_or(0), parts })
}

fn parts(sha256: &str, rendered: Rendered) -> Vec<DocumentPart> {
    let base = format!("/documents/{sha256}");
    let json_part = |name: String, value: &Value| DocumentPart {
        name,
        media_type: "application/json".into(),
        bytes: value.to_string().into_bytes(),
    };
    let png = |name: String, bytes| DocumentPart { name, media_type: "image/png".into(), bytes };
    let dir = |rtl: bool| if rtl { "rtl" } else { "ltr" };

    let blocks: Vec<Value> = rendered
        .blocks
        .iter()
        .map(|block| {
            let (kind, level) = match block.kind {
                BlockKind::Heading { level } => ("heading", Some(level)),
                BlockKind::Paragraph => ("paragraph", None),
                BlockKind::Item => ("item", None),
            };
            let mut value = json!({
                "page": block.page, "kind": kind, "text": block.text, "dir": dir(block.rtl)
            });
            if let Some(level) = level {
                value["level"] = level.into();
            }
            value
        })
        .collect();
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
        "reading": format!("{base}/reading.json"), "pdf": format!("{base}.pdf")
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
                    "x": line.x, "y": line.y, "width": line.width, "height": line.height,
                    "text": line.text, "dir": dir(line.rtl)
                })
            })
            .collect();
        parts.push(json_part(format!("{n}.json"), &json!({ "lines": lines })));
        parts.push(png(format!("{n}.png"), page.png_1x));
        parts.push(png(format!("{n}@2x.png"), page.png_2x));
    }
    parts
}

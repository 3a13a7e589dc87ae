//! The tables of `docs/pdf-features.md`: each row has a file, made from `testdata/pdf-features.json`,
//! whose page is drawn as ISO 32000-2 says, is reported, or is not changed by the feature. `UPDATE=1`
//! writes the tables.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Concern, FindingKind, Limits, Rendered, render, webp};

#[derive(Deserialize)]
struct Group {
    title: String,
    features: Vec<Feature>,
}

/// A feature and the file that shows it. The page has 100 × 100 units.
#[derive(Deserialize)]
struct Feature {
    name: String,
    /// Places from the lower left corner with their colours: x, y, red, green, blue. The colours of
    /// blend modes are those of the formulas of §11.3.5.
    #[serde(default)]
    drawn: Vec<[u32; 5]>,
    /// Publishing reports it. Without this and `drawn`, it has no effect.
    finding: Option<FindingKind>,
    #[serde(default)]
    content: String,
    /// Entries of the resources of the page.
    #[serde(default)]
    resources: String,
    /// Entries of the page.
    #[serde(default)]
    page: String,
    /// Entries of the catalog.
    #[serde(default)]
    catalog: String,
    /// The objects from number 10 on.
    #[serde(default)]
    objects: Vec<Object>,
}

#[derive(Deserialize)]
struct Object {
    dict: String,
    stream: Option<String>,
}

/// The page of features without an effect.
const SQUARE: &str = "20 20 60 60 re f";

/// Colours differ by the steps of the greys.
const TOLERANCE: u32 = 10;

/// The font F: A is a square of one em in the current colour, and a space has half of its width.
const FONT: &str = "/Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]\
    /FirstChar 32/LastChar 65/Widths[500 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
    1000]/Encoding<</Differences[32/space 65/A]>>/CharProcs<</A 7 0 R/space 8 0 R>>";
/// The font G: A is a red square.
const RED_FONT: &str = "/Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]\
    /FontMatrix[.001 0 0 .001 0 0]/FirstChar 65/LastChar 65/Widths[1000]\
    /Encoding<</Differences[65/A]>>/CharProcs<</A 9 0 R>>";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns a stream object.
pub(super) fn stream(dict: &str, data: &str) -> String {
    format!("<<{dict}/Length {}>>stream\n{data}\nendstream", data.len())
}

/// Returns a file with these objects, from number 1 on. The first one is the catalog.
pub(super) fn written(objects: &[String]) -> Vec<u8> {
    let mut pdf = String::from("%PDF-1.7\n");
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(pdf.len());
        let _ = write!(pdf, "{number} 0 obj\n{object}\nendobj\n");
    }
    let (table, size) = (pdf.len(), objects.len() + 1);
    let _ = write!(pdf, "xref\n0 {size}\n0000000000 65535 f \n");
    for place in places {
        let _ = writeln!(pdf, "{place:010} 00000 n ");
    }
    let _ = write!(pdf, "trailer<</Root 1 0 R/Size {size}>>\nstartxref\n{table}\n%%EOF\n");
    pdf.into_bytes()
}

fn file(feature: &Feature) -> Vec<u8> {
    let Feature { content, resources, page, catalog, .. } = feature;
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R\
             /Resources<</Font<</F 5 0 R/G 6 0 R>>{resources}>>{page}>>"
        ),
        stream("", content),
        format!("<<{FONT}>>"),
        format!("<<{RED_FONT}>>"),
        stream("", "1000 0 0 0 1000 1000 d1 0 0 1000 1000 re f"),
        stream("", "500 0 0 0 0 0 d1"),
        stream("", "1000 0 d0 1 0 0 rg 0 0 1000 1000 re f"),
    ];
    objects.extend(feature.objects.iter().map(|object| match &object.stream {
        Some(data) => stream(&object.dict, data),
        None => format!("<<{}>>", object.dict),
    }));
    written(&objects)
}

fn publish(feature: &Feature) -> (Rendered, Vec<u8>) {
    let limits = Limits { fast_images: true, threads: 1, ..Limits::default() };
    let rendered =
        render(&file(feature), &limits).unwrap_or_else(|error| panic!("{}: {error}", feature.name));
    let pixels = webp::decode(&rendered.pages[0].image_1x);
    (rendered, pixels)
}

fn colour_at(rendered: &Rendered, pixels: &[u8], x: u32, y: u32) -> [u32; 3] {
    let page = &rendered.pages[0];
    let at = |place: u32, side: u32| (place * side / 100).min(side - 1);
    let (column, row) = (at(x, page.width), page.height - 1 - at(y, page.height));
    let first = ((row * page.width + column) * 3) as usize;
    [0, 1, 2].map(|channel| pixels[first + channel].into())
}

/// Returns the difference from the right result of a feature.
fn mistake(feature: &Feature, square: &[u8]) -> Option<String> {
    let (rendered, pixels) = publish(feature);
    if let Some(kind) = feature.finding {
        let is_reported = rendered.findings.iter().any(|finding| finding.kind == kind);
        return (!is_reported).then(|| format!("only {:?}", rendered.findings));
    }
    let is_missing = |kind: FindingKind| kind.concern() == Concern::Missing;
    if let Some(finding) = rendered.findings.iter().find(|finding| is_missing(finding.kind)) {
        return Some(format!("{finding:?}"));
    }
    if feature.drawn.is_empty() {
        return (square != pixels).then(|| "it changes the page".to_owned());
    }
    feature.drawn.iter().find_map(|&[x, y, red, green, blue]| {
        let (colour, right) = (colour_at(&rendered, &pixels, x, y), [red, green, blue]);
        let is_right = colour.iter().zip(right).all(|(a, b)| a.abs_diff(b) <= TOLERANCE);
        (!is_right).then(|| format!("{colour:?}, not {right:?} at {x}, {y}"))
    })
}

fn table(features: &[Feature]) -> String {
    let mut table = String::from("| Feature | Result |\n|---|---|\n");
    for feature in features {
        let result = match feature.finding {
            Some(kind) => format!("finding: {}", serde_json::json!(kind).as_str().unwrap()),
            None if feature.drawn.is_empty() => "no effect".to_owned(),
            None => "drawn".to_owned(),
        };
        let _ = writeln!(table, "| {} | {result} |", feature.name);
    }
    table
}

#[test]
fn every_row_of_the_feature_table_has_a_file() {
    let groups = fs::read(folder().join("testdata/pdf-features.json")).unwrap();
    let groups: Vec<Group> = serde_json::from_slice(&groups).unwrap();
    let path = folder().join("docs/pdf-features.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, _) = page.split_once("\n## ").expect("a group");
    let mut right = head.to_owned();
    for Group { title, features } in &groups {
        let _ = write!(right, "\n## {title}\n\n{}", table(features));
    }
    if env::var("UPDATE").is_ok() {
        fs::write(&path, &right).unwrap();
    } else {
        assert_eq!(page, right, "a row without a file, or a file without a row");
    }
    let square: Feature =
        serde_json::from_value(serde_json::json!({ "name": "", "content": SQUARE })).unwrap();
    let square = publish(&square).1;
    let features = groups.iter().flat_map(|group| &group.features);
    let mistakes: Vec<String> = features
        .filter_map(|feature| Some(format!("{}: {}", feature.name, mistake(feature, &square)?)))
        .collect();
    assert!(mistakes.is_empty(), "{mistakes:#?}");
}

//! A file whose pages have text, drawings, annotations, boxes of forms, layers and groups.

use std::fmt::Write as _;

use super::super::feature_tests::{stream, written};

pub(super) const SIZE: [f64; 2] = [300.0, 400.0];

const FONTS: &str = "/Font<</F 3 0 R/O 4 0 R>>";

/// An annotation, with its entries and the content of its appearance, which has its place.
pub(super) struct Annotation {
    pub(super) entries: String,
    pub(super) area: [f64; 4],
    pub(super) appearance: Option<String>,
}

/// One page. Tints and frames are below the rest.
#[derive(Default)]
pub(super) struct Paper {
    pub(super) under: String,
    /// Parts that may be drawn in any order.
    pub(super) units: Vec<String>,
    /// Contents of transparency groups, drawn as `/X0`, `/X1` …
    pub(super) groups: Vec<String>,
    pub(super) annotations: Vec<Annotation>,
    /// Boxes of forms: their areas, and whether they are ticked.
    pub(super) boxes: Vec<([f64; 4], bool)>,
}

/// The objects of a file, from number 1 on.
struct Objects(Vec<String>);

impl Objects {
    fn add(&mut self, object: String) -> usize {
        self.0.push(object);
        self.0.len()
    }

    fn appearance(&mut self, area: &[f64; 4], content: &str) -> usize {
        let [x0, y0, x1, y1] = area;
        self.add(stream(
            &format!(
                "/Type/XObject/Subtype/Form/BBox[{x0:.2} {y0:.2} {x1:.2} {y1:.2}]\
                 /Resources<</ExtGState<</M<</BM/Multiply>>>>>>"
            ),
            content,
        ))
    }

    fn box_of_form(&mut self, number: usize, (area, is_ticked): &([f64; 4], bool)) -> usize {
        let [x0, y0, x1, y1] = area;
        let (wide, high) = (x1 - x0, y1 - y0);
        let frame = format!("0.8 w {x0:.2} {y0:.2} {wide:.2} {high:.2} re S ");
        let cross =
            format!("{x0:.2} {y0:.2} m {x1:.2} {y1:.2} l S {x0:.2} {y1:.2} m {x1:.2} {y0:.2} l S");
        let on = self.appearance(area, &(frame.clone() + &cross));
        let off = self.appearance(area, &frame);
        let state = if *is_ticked { "On" } else { "Off" };
        self.add(format!(
            "<</Type/Annot/Subtype/Widget/FT/Btn/T(b{number})/V/{state}/AS/{state}/F 4\
             /Rect[{x0:.2} {y0:.2} {x1:.2} {y1:.2}]/AP<</N<</On {on} 0 R/Off {off} 0 R>>>>>>"
        ))
    }

    fn page(&mut self, paper: &Paper, fields: &mut Vec<usize>) -> usize {
        let mut annotations = String::new();
        for Annotation { entries, area, appearance } in &paper.annotations {
            let [x0, y0, x1, y1] = area;
            let appearance = appearance.as_ref().map(|content| self.appearance(area, content));
            let appearance = appearance.map_or(String::new(), |at| format!("/AP<</N {at} 0 R>>"));
            let annotation = self.add(format!(
                "<</Type/Annot/F 4/Rect[{x0:.2} {y0:.2} {x1:.2} {y1:.2}]{entries}{appearance}>>"
            ));
            let _ = write!(annotations, "{annotation} 0 R ");
        }
        for tick_box in &paper.boxes {
            let field = self.box_of_form(fields.len(), tick_box);
            fields.push(field);
            let _ = write!(annotations, "{field} 0 R ");
        }
        let [width, height] = SIZE;
        let mut groups = String::new();
        for (at, content) in paper.groups.iter().enumerate() {
            let group = self.add(stream(
                &format!(
                    "/Type/XObject/Subtype/Form/BBox[0 0 {width} {height}]\
                     /Group<</S/Transparency/I true>>/Resources<<{FONTS}>>"
                ),
                content,
            ));
            let _ = write!(groups, "/X{at} {group} 0 R");
        }
        let content = self.add(stream("", &(paper.under.clone() + &paper.units.concat())));
        self.add(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Contents {content} 0 R\
             /Annots[{annotations}]/Resources<<{FONTS}/XObject<<{groups}>>\
             /Properties<</On 5 0 R/Off 6 0 R>>>>>>"
        ))
    }
}

pub(super) fn file(pages: &[Paper]) -> Vec<u8> {
    let font = |name: &str| {
        format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>")
    };
    let layer = |name: &str| format!("<</Type/OCG/Name({name})>>");
    let mut objects = Objects(vec![
        String::new(),
        String::new(),
        font("Helvetica"),
        font("Helvetica-Oblique"),
        layer("On"),
        layer("Off"),
    ]);
    let mut fields = Vec::new();
    let kids: Vec<usize> = pages.iter().map(|page| objects.page(page, &mut fields)).collect();
    let list = |numbers: &[usize]| -> String {
        numbers.iter().map(|number| format!("{number} 0 R ")).collect()
    };
    objects.0[0] = format!(
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{}]>>\
         /OCProperties<</OCGs[5 0 R 6 0 R]/D<</OFF[6 0 R]/Order[5 0 R 6 0 R]>>>>>>",
        list(&fields)
    );
    objects.0[1] = format!("<</Type/Pages/Kids[{}]/Count {}>>", list(&kids), kids.len());
    written(&objects.0)
}

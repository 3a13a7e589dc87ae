//! One page while its annotations are drawn, and helpers for reading annotations and form fields.

use hayro::hayro_interpret::RectExt as _;
use hayro::hayro_syntax::object::{Array, Dict, Object, Rect};
use hayro::kurbo::{Affine, Rect as Area};

use super::appearance::Ink;
use super::finding::{FindingKind, Findings};
use super::glyphs::Glyph;
use super::text_string::text_string;

const HIDDEN_OR_NOT_ON_SCREEN: u32 = 1 << 1 | 1 << 5;

/// One page while its annotations are examined.
pub(super) struct Sheet<'s> {
    pub(super) index: usize,
    pub(super) glyphs: &'s [Glyph],
    /// Transform to the pixels that the glyphs use.
    pub(super) transform: Affine,
    pub(super) findings: &'s Findings,
    pub(super) ink: Ink,
    /// Areas that are painted over, in pixels. The text under them is hidden.
    pub(super) covered: Vec<Area>,
    /// The boxes and radio buttons of forms.
    pub(super) boxes: Vec<TickBox>,
}

/// A box or radio button of a form, in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct TickBox {
    pub(super) area: Area,
    pub(super) is_round: bool,
    pub(super) is_ticked: bool,
}

impl Sheet<'_> {
    pub(super) fn add(&self, kind: FindingKind, name: &str) {
        self.findings.add(Some(self.index), kind, name);
    }

    /// Paints over an area, to replace its content.
    pub(super) fn cover(&mut self, at: &Rect, ground: [f64; 3]) {
        self.ink.fill(at, ground);
        self.covered.push(self.area(at));
    }

    fn area(&self, at: &Rect) -> Area {
        self.transform.transform_rect_bbox(at.to_kurbo()).inflate(1.0, 1.0)
    }

    pub(super) fn tick_box(&mut self, at: &Rect, is_round: bool, is_ticked: bool) {
        self.boxes.push(TickBox { area: self.area(at), is_round, is_ticked });
    }

    /// Returns the glyphs inside a rectangle, in the order in which they are drawn.
    pub(super) fn glyphs_in(&self, at: &Rect) -> Vec<Glyph> {
        let area = self.area(at);
        self.glyphs.iter().filter(|glyph| glyph.is_in(&area)).cloned().collect()
    }
}

/// The appearance that the annotation itself has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Appearance {
    Drawn,
    /// There is an appearance that draws nothing, or none for the current state.
    Blank,
    None,
    Broken,
}

/// Returns the area of an annotation, or `None` if it is not shown on a screen.
pub(super) fn visible_area(annotation: &Dict<'_>) -> Option<Rect> {
    if annotation.get::<u32>("F").unwrap_or(0) & HIDDEN_OR_NOT_ON_SCREEN != 0 {
        return None;
    }
    let area = annotation.get::<Rect>("Rect")?;
    (area.width() > 0.0 && area.height() > 0.0).then_some(area)
}

pub(super) fn text_of(dict: &Dict<'_>, key: &str) -> Option<String> {
    let text = match dict.get::<Object<'_>>(key)? {
        Object::String(text) => text_string(text.as_bytes()),
        Object::Stream(text) => text_string(&text.decoded_data().ok()?),
        Object::Name(name) => String::from_utf8_lossy(&name).into_owned(),
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// Returns a colour of one, three or four components, or `None` if there is none.
pub(super) fn colour(dict: &Dict<'_>, key: &str) -> Option<[f64; 3]> {
    let parts: Vec<f64> =
        numbers(dict, key)?.into_iter().map(|part| part.clamp(0.0, 1.0)).collect();
    match *parts {
        [grey] => Some([grey; 3]),
        [red, green, blue] => Some([red, green, blue]),
        [c, m, y, k] => Some([c, m, y].map(|ink| (1.0 - ink) * (1.0 - k))),
        _ => None,
    }
}

pub(super) fn numbers(dict: &Dict<'_>, key: &str) -> Option<Vec<f64>> {
    Some(numbers_of(&dict.get::<Array<'_>>(key)?))
}

pub(super) fn numbers_of(array: &Array<'_>) -> Vec<f64> {
    array.iter::<f32>().map(f64::from).filter(|number| number.is_finite()).collect()
}

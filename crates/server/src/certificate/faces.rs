//! The typefaces of the certificate, built into the binary: one family a script, so that the name of
//! a document is legible in any language in which we have texts.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use harfrust::{Direction, Script, ShapePlan};
use krilla::text::Font;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// One file, once for the shaper and once for the page.
pub struct Face {
    pub shaped: harfrust::Font,
    pub drawn: Font,
    /// Shaping plans by script and direction. To make one takes longer than to set a line with it.
    plans: Mutex<Vec<Arc<ShapePlan>>>,
}

/// The faces of one weight; the first has Latin, Greek and Cyrillic, digits and signs.
type Faces = Vec<Face>;

macro_rules! faces {
    ($weight:literal) => {
        LazyLock::new(|| {
            [
                include_bytes!(concat!("../../fonts/NotoSans-", $weight, ".ttf")).as_slice(),
                include_bytes!(concat!("../../fonts/NotoSansArabic-", $weight, ".ttf")),
                include_bytes!(concat!("../../fonts/NotoSansBengali-", $weight, ".ttf")),
                include_bytes!(concat!("../../fonts/NotoSansThai-", $weight, ".ttf")),
            ]
            .into_iter()
            .filter_map(face)
            .collect()
        })
    };
}

static REGULAR: LazyLock<Faces> = faces!("Regular");
static BOLD: LazyLock<Faces> = faces!("Bold");

/// None for a broken file, which a test would find.
fn face(bytes: &'static [u8]) -> Option<Face> {
    let shaped = harfrust::Font::new(bytes, 0)?;
    let drawn = Font::new(bytes.into(), 0)?;
    Some(Face { shaped, drawn, plans: Mutex::default() })
}

pub fn faces(weight: Weight) -> &'static [Face] {
    match weight {
        Weight::Regular => &REGULAR,
        Weight::Bold => &BOLD,
    }
}

impl Face {
    pub fn has(&self, character: char) -> bool {
        self.shaped.charmap().map_unicode(character).is_some()
    }

    pub fn plan(&self, script: Option<Script>, direction: Direction) -> Arc<ShapePlan> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let known = plans.iter().find(|it| it.script() == script && it.direction() == direction);
        if let Some(known) = known {
            return Arc::clone(known);
        }
        let made = Arc::new(ShapePlan::new(&self.shaped, direction, script, None, &[]));
        plans.push(Arc::clone(&made));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::{Weight, faces};

    #[test]
    fn every_script_of_our_languages_has_a_face() {
        for weight in [Weight::Regular, Weight::Bold] {
            assert_eq!(faces(weight).len(), 4);
            for character in "aßłşшش،گ۔ก้কঢ়\u{fffd}…“”·".chars() {
                assert!(faces(weight).iter().any(|face| face.has(character)), "{character}");
            }
        }
    }
}

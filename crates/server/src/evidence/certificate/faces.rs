//! The typefaces of the certificate, which are built into the binary: one family for each script,
//! so that the title of a document is legible in every supported language.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use harfrust::{Direction, Script, ShapePlan};
use krilla::text::Font;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// A font file, loaded once for shaping and once for drawing.
pub struct Face {
    pub shaped: harfrust::Font,
    pub drawn: Font,
    /// Shaping plans by script and direction, because creating one takes longer than setting a line
    /// with it.
    plans: Mutex<Vec<Arc<ShapePlan>>>,
}

/// The faces of one weight. The first one contains Latin, Greek and Cyrillic letters, digits and
/// signs.
type Faces = Vec<Face>;

macro_rules! faces {
    ($weight:literal) => {
        LazyLock::new(|| {
            [
                include_bytes!(concat!("../../../fonts/NotoSans-", $weight, ".ttf")).as_slice(),
                include_bytes!(concat!("../../../fonts/NotoSansArabic-", $weight, ".ttf")),
                include_bytes!(concat!("../../../fonts/NotoSansBengali-", $weight, ".ttf")),
                include_bytes!(concat!("../../../fonts/NotoSansThai-", $weight, ".ttf")),
            ]
            .into_iter()
            .filter_map(face)
            .collect()
        })
    };
}

static REGULAR: LazyLock<Faces> = faces!("Regular");
static BOLD: LazyLock<Faces> = faces!("Bold");

/// Loads a face. None for a damaged file, which a test would detect.
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
        let is_match =
            |plan: &&Arc<ShapePlan>| plan.script() == script && plan.direction() == direction;
        if let Some(plan) = plans.iter().find(is_match) {
            return Arc::clone(plan);
        }
        let plan = Arc::new(ShapePlan::new(&self.shaped, direction, script, None, &[]));
        plans.push(Arc::clone(&plan));
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::{Weight, faces};

    #[test]
    fn every_supported_script_has_a_face() {
        for weight in [Weight::Regular, Weight::Bold] {
            assert_eq!(faces(weight).len(), 4);
            for character in "aßłşшش،گ۔ก้কঢ়\u{fffd}…“”·".chars() {
                assert!(faces(weight).iter().any(|face| face.has(character)), "{character}");
            }
        }
    }
}

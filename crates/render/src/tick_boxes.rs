//! Adds the boxes and radio buttons of forms to the text, before their sentences.

use super::glyphs::{Glyph, Glyphs};
use super::sheet::TickBox;

/// Maximum distance of a box from its sentence, in font sizes.
const NEAR_EM: f32 = 4.0;

pub(super) fn add(glyphs: &mut Glyphs, boxes: &[TickBox]) {
    for tick_box in boxes {
        // The tick of an appearance is a letter of a symbol font.
        glyphs.named.retain(|glyph| !glyph.is_in(&tick_box.area));
        let (at, glyph) = placed(&glyphs.named, tick_box);
        glyphs.named.insert(at, glyph);
        glyphs.claimed.push(tick_box.area);
    }
}

/// Returns the sign of a box, and its index among the letters of its line.
fn placed(letters: &[Glyph], tick_box: &TickBox) -> (usize, Glyph) {
    let area = tick_box.area;
    let (left, right) = (area.x0 as f32, area.x1 as f32);
    let (top, bottom) = (area.y0 as f32, area.y1 as f32);
    let is_level = |letter: &Glyph| {
        let middle = letter.baseline - 0.35 * letter.size;
        !letter.turned && (top - 0.3 * letter.size..bottom + 0.3 * letter.size).contains(&middle)
    };
    let gap = |letter: &Glyph| (letter.left - right).max(left - letter.right);
    let near = letters
        .iter()
        .enumerate()
        .filter(|(_, letter)| is_level(letter) && gap(letter) < NEAR_EM * letter.size)
        .min_by(|(_, a), (_, b)| gap(a).total_cmp(&gap(b)));
    let text = match (tick_box.is_round, tick_box.is_ticked) {
        (false, false) => "☐",
        (false, true) => "☑",
        (true, false) => "◯",
        (true, true) => "◉",
    };
    let height = (bottom - top).max(1.0);
    let (at, like) = match near {
        Some((at, letter)) if letter.left > left => (at, Some(letter)),
        Some((at, letter)) => (at + 1, Some(letter)),
        None => (letters.iter().filter(|letter| letter.baseline < bottom).count(), None),
    };
    let glyph = Glyph {
        text: text.to_owned(),
        left,
        right,
        baseline: like.map_or(bottom - 0.2 * height, |letter| letter.baseline),
        size: like.map_or(height, |letter| letter.size),
        bold: like.is_some_and(|letter| letter.bold),
        mark: false,
        furniture: false,
        turned: false,
        run: like.map_or(0, |letter| letter.run),
        tag: like.and_then(|letter| letter.tag),
        hidden: false,
        ink: None,
        outline: None,
    };
    (at.min(letters.len()), glyph)
}

//! Words of the file that are not visible on the page, in lines with words that are: struck by a bar,
//! painted over, typed again. Such a line is shown as a part of the page, so the page needs no warning.

use super::glyphs::Glyph;

/// Maximum distance of a hidden word from a visible one of its line, in font sizes.
const NEAR_EM: f32 = 16.0;

/// Maximum difference of the baselines and of the sizes within a line, in font sizes.
const LEVEL_EM: f32 = 0.3;

/// Minimum number of visible letters for a hidden one. With fewer, the page has a text behind it.
const VISIBLE_MIN: usize = 4;

/// Maximum number of hidden letters that are compared.
const HIDDEN_MAX: usize = 400;

/// Returns whether each hidden word is in a line with a visible one.
pub(super) fn are_partly_seen(hidden: &[Glyph], visible: &[Glyph]) -> bool {
    let words = || hidden.iter().filter(|glyph| glyph.is_word());
    let count = words().count();
    let is_near = |glyph: &Glyph| visible.iter().any(|other| is_in_line(glyph, other));
    count > 0
        && count <= HIDDEN_MAX
        && count * VISIBLE_MIN <= visible.len()
        && words().all(|glyph| is_markable(glyph) && is_near(glyph))
}

/// Returns whether a hidden glyph was drawn, and has a place that can be marked.
fn is_markable(glyph: &Glyph) -> bool {
    !glyph.hidden && !glyph.turned && glyph.ink.is_some()
}

fn is_in_line(glyph: &Glyph, other: &Glyph) -> bool {
    let reach = LEVEL_EM * glyph.size;
    let gap = (other.left - glyph.right).max(glyph.left - other.right);
    (glyph.baseline - other.baseline).abs() < reach
        && (glyph.size - other.size).abs() < reach
        && gap < NEAR_EM * glyph.size
        && other.is_word()
        && !other.turned
}

/// Returns the visible letters with the hidden ones at their places in the order of drawing, so that
/// the parts of a sentence around a hidden word stay one paragraph.
pub(super) fn in_their_places(
    visible: Vec<Glyph>,
    hidden: Vec<Glyph>,
    visibility: &[bool],
) -> Vec<Glyph> {
    let (mut visible, mut hidden) = (visible.into_iter(), hidden.into_iter());
    let next = |is_seen: &bool| if *is_seen { visible.next() } else { hidden.next() };
    visibility.iter().filter_map(next).filter(|glyph| !glyph.hidden).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(left: f32, baseline: f32) -> Glyph {
        let ink = hayro::kurbo::Rect::new(0.0, 0.0, 1.0, 1.0);
        Glyph { ink: Some(ink), ..Glyph::plain("a", left, 10.0, baseline, 20.0) }
    }

    #[test]
    fn a_hidden_word_is_partly_seen_if_its_line_is() {
        let line: Vec<Glyph> = (0..8_u8).map(|at| letter(10.0 * f32::from(at), 50.0)).collect();
        let is_seen = |hidden: &[Glyph]| are_partly_seen(hidden, &line);
        assert!(is_seen(&[letter(80.0, 50.0), letter(90.0, 50.0)]));
        // Another line, too far away, too many, and text that the file calls invisible.
        assert!(!is_seen(&[letter(80.0, 74.0)]));
        assert!(!is_seen(&[letter(900.0, 50.0)]));
        assert!(!is_seen(&[letter(80.0, 50.0), letter(90.0, 50.0), letter(95.0, 50.0)]));
        assert!(!is_seen(&[Glyph { hidden: true, ..letter(80.0, 50.0) }]));
        assert!(!is_seen(&[]));
    }

    #[test]
    fn hidden_letters_keep_their_order_of_drawing() {
        let letters = [letter(0.0, 0.0), letter(1.0, 0.0), letter(2.0, 0.0)];
        let [first, second, third] = letters.clone();
        let merged = in_their_places(vec![first, third], vec![second], &[true, false, true]);
        let lefts = |letters: &[Glyph]| letters.iter().map(|glyph| glyph.left).collect::<Vec<_>>();
        assert_eq!(lefts(&merged), lefts(&letters));
    }
}

//! Notes that are marked by a thick line at their side. They are treated as framed.

use hayro::kurbo::Rect;

use super::glyphs::Glyph;

/// Maximum width of the line, and its minimum height, in pixels of the 1x image.
const THICK_PX: f64 = 9.0;
const TALL_PX: f64 = 24.0;

/// Maximum distance of the text, in its font size.
const NEAR_EM: f64 = 2.5;

/// Returns the part of the page that a line marks: there must be text next to it on exactly one
/// side.
pub(super) fn marked_area<'g>(
    line: &Rect,
    letters: impl IntoIterator<Item = &'g Glyph>,
    page_width: f64,
) -> Option<Rect> {
    if line.width() > THICK_PX || line.height() < TALL_PX {
        return None;
    }
    let level = letters.into_iter().filter(|glyph| {
        let height = f64::from(glyph.baseline - glyph.size * 0.3);
        glyph.is_word() && !glyph.turned && (line.y0..line.y1).contains(&height)
    });
    let (mut before, mut after) = (f64::INFINITY, f64::INFINITY);
    for glyph in level {
        let (left, right) = (f64::from(glyph.left), f64::from(glyph.right));
        let size = f64::from(glyph.size).max(1.0);
        if right <= line.center().x {
            before = before.min((line.x0 - right) / size);
        } else {
            after = after.min((left - line.x1) / size);
        }
    }
    match (before, after) {
        (f64::INFINITY, gap) if gap < NEAR_EM => {
            Some(Rect::new(line.x0, line.y0, page_width, line.y1))
        }
        (gap, f64::INFINITY) if gap < NEAR_EM => Some(Rect::new(0.0, line.y0, line.x1, line.y1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(left: f32, baseline: f32) -> Glyph {
        Glyph::plain("a", left, 10.0, baseline, 20.0)
    }

    #[test]
    fn a_line_marks_the_text_on_one_side() {
        let line = Rect::new(100.0, 0.0, 104.0, 60.0);
        let area_for = |letters: &[Glyph]| marked_area(&line, letters, 800.0);
        let right = Rect::new(100.0, 0.0, 800.0, 60.0);
        assert_eq!(area_for(&[letter(124.0, 30.0), letter(700.0, 50.0)]), Some(right));
        assert_eq!(area_for(&[letter(70.0, 30.0)]), Some(Rect::new(0.0, 0.0, 104.0, 60.0)));
        // Between two columns, too far away, or not next to text.
        assert_eq!(area_for(&[letter(70.0, 30.0), letter(124.0, 30.0)]), None);
        assert_eq!(area_for(&[letter(200.0, 30.0)]), None);
        assert_eq!(area_for(&[letter(124.0, 130.0)]), None);
        let wide = Rect::new(90.0, 0.0, 104.0, 60.0);
        assert_eq!(marked_area(&wide, &[letter(124.0, 30.0)], 800.0), None);
    }
}

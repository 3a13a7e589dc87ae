//! Letters that are printed over other letters: bold text that is simulated by printing twice, or
//! text that was covered and typed again while the covered text is still in the file.

use std::collections::HashMap;

use super::glyphs::Glyph;

/// Maximum distances at which two letters cannot both be legible: in widths of the wider letter,
/// and in font sizes of the smaller letter.
const SAME_WIDTH: f32 = 0.35;
const SAME_HEIGHT_EM: f32 = 0.7;

/// Maximum distance between two prints of one letter, in font sizes.
const TWICE_EM: f32 = 0.12;

/// Side of the squares for finding neighbours, in pixels of the 1x image.
const SQUARE_PX: f32 = 16.0;

/// Maximum number of letters per square; more than on any normal page.
const LETTERS_MAX: usize = 400;

/// Returns the letters without second prints, and whether different letters still overlap.
pub(super) fn resolve(letters: Vec<Glyph>) -> (Vec<Glyph>, bool) {
    let mut result: Vec<Glyph> = Vec::with_capacity(letters.len());
    let mut squares: HashMap<(i32, i32), Vec<usize>> = HashMap::new();
    let mut is_overprinted = false;
    for glyph in letters {
        if glyph.turned || !glyph.has_width() {
            result.push(glyph);
            continue;
        }
        let (column, row) = square(&glyph);
        let near = (row - 1..=row + 1)
            .flat_map(|row| (column - 1..=column + 1).map(move |column| (column, row)))
            .filter_map(|at| squares.get(&at))
            .flatten()
            .map(|at| &result[*at]);
        let mut is_second = false;
        for other in near {
            if is_second_print(&glyph, other) {
                is_second = true;
                break;
            }
            is_overprinted |= overlap(&glyph, other);
        }
        if is_second {
            continue;
        }
        let square = squares.entry((column, row)).or_default();
        if square.len() < LETTERS_MAX {
            square.push(result.len());
        } else {
            is_overprinted = true;
        }
        result.push(glyph);
    }
    (result, is_overprinted)
}

fn middle(glyph: &Glyph) -> f32 {
    glyph.left.midpoint(glyph.right)
}

fn square(glyph: &Glyph) -> (i32, i32) {
    ((middle(glyph) / SQUARE_PX) as i32, (glyph.baseline / SQUARE_PX) as i32)
}

fn is_second_print(glyph: &Glyph, other: &Glyph) -> bool {
    let reach = TWICE_EM * glyph.size;
    glyph.text == other.text
        && (glyph.size - other.size).abs() < reach
        && (glyph.left - other.left).abs() < reach
        && (glyph.baseline - other.baseline).abs() < reach
}

fn overlap(glyph: &Glyph, other: &Glyph) -> bool {
    let width = (glyph.right - glyph.left).max(other.right - other.left);
    (middle(glyph) - middle(other)).abs() < SAME_WIDTH * width
        && (glyph.baseline - other.baseline).abs() < SAME_HEIGHT_EM * glyph.size.min(other.size)
        && glyph.is_word()
        && other.is_word()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, left: f32, baseline: f32) -> Vec<Glyph> {
        let letter = |(at, letter): (usize, char)| {
            let x = left + 6.0 * at as f32;
            Glyph::plain(letter.encode_utf8(&mut [0; 4]), x, 6.0, baseline, 12.0)
        };
        text.chars().enumerate().map(letter).collect()
    }

    fn resolve_lines(lines: &[Vec<Glyph>]) -> (String, bool) {
        let (result, is_overprinted) = resolve(lines.concat());
        (result.iter().map(|glyph| glyph.text.as_str()).collect(), is_overprinted)
    }

    #[test]
    fn text_that_is_printed_twice_occurs_once() {
        let (once, twice) = (line("all fees", 0.0, 20.0), line("all fees", 0.6, 20.0));
        assert_eq!(resolve_lines(&[once, twice]), ("all fees".to_owned(), false));
    }

    #[test]
    fn detects_words_over_other_words_but_not_lines_below_each_other() {
        let (free, paid) = (line("it is free", 0.0, 20.0), line("it costs 5", 2.0, 20.0));
        assert!(resolve_lines(&[free.clone(), paid]).1);
        assert!(resolve_lines(&[free.clone(), line("it costs 5", 0.0, 27.0)]).1);
        assert!(!resolve_lines(&[free, line("it costs 5", 0.0, 32.0)]).1);
    }
}

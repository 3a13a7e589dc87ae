//! Letters that are printed over letters: bold made by printing twice, or words that were covered and
//! typed anew, of which the covered ones are still in the file.

use std::collections::HashMap;

use super::glyphs::Glyph;

/// Letters whose middles are nearer cannot both be read: in widths of the wider one, and in font sizes of
/// the smaller one.
const SAME_WIDTH: f32 = 0.35;
const SAME_HEIGHT_EM: f32 = 0.7;

/// A letter is moved by less when it is printed twice, in font sizes.
const TWICE_EM: f32 = 0.12;

/// Side of the squares by which neighbours are found, in pixels of the 1x image.
const SQUARE_PX: f32 = 16.0;

/// No page that people read has more letters in a square.
const LETTERS_MAX: usize = 400;

/// The letters without second prints; and whether different ones still share a place.
pub(super) fn resolve(letters: Vec<Glyph>) -> (Vec<Glyph>, bool) {
    let mut kept: Vec<Glyph> = Vec::with_capacity(letters.len());
    let mut squares: HashMap<(i32, i32), Vec<usize>> = HashMap::new();
    let mut is_overprinted = false;
    for glyph in letters {
        if glyph.turned || !glyph.has_width() {
            kept.push(glyph);
            continue;
        }
        let (column, row) = square(&glyph);
        let near = (row - 1..=row + 1)
            .flat_map(|row| (column - 1..=column + 1).map(move |column| (column, row)))
            .filter_map(|at| squares.get(&at))
            .flatten()
            .map(|at| &kept[*at]);
        let mut is_second = false;
        for other in near {
            if is_second_print(&glyph, other) {
                is_second = true;
                break;
            }
            is_overprinted |= share_a_place(&glyph, other);
        }
        if is_second {
            continue;
        }
        let square = squares.entry((column, row)).or_default();
        if square.len() < LETTERS_MAX {
            square.push(kept.len());
        } else {
            is_overprinted = true;
        }
        kept.push(glyph);
    }
    (kept, is_overprinted)
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

fn share_a_place(glyph: &Glyph, other: &Glyph) -> bool {
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
            let left = left + 6.0 * at as f32;
            Glyph::plain(letter.encode_utf8(&mut [0; 4]), left, 6.0, baseline, 12.0)
        };
        text.chars().enumerate().map(letter).collect()
    }

    fn resolved(lines: &[Vec<Glyph>]) -> (String, bool) {
        let (kept, is_overprinted) = resolve(lines.concat());
        (kept.iter().map(|glyph| glyph.text.as_str()).collect(), is_overprinted)
    }

    #[test]
    fn what_is_printed_twice_is_read_once() {
        let (once, twice) = (line("all fees", 0.0, 20.0), line("all fees", 0.6, 20.0));
        assert_eq!(resolved(&[once, twice]), ("all fees".to_owned(), false));
    }

    #[test]
    fn words_over_other_words_are_noticed_and_lines_under_each_other_are_not() {
        let (free, paid) = (line("it is free", 0.0, 20.0), line("it costs 5", 2.0, 20.0));
        assert!(resolved(&[free.clone(), paid]).1);
        assert!(resolved(&[free.clone(), line("it costs 5", 0.0, 27.0)]).1);
        assert!(!resolved(&[free, line("it costs 5", 0.0, 32.0)]).1);
    }
}

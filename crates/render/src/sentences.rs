//! Extends a mark to the whole sentence. A word that is a picture or painted over leaves a gap, which
//! divides its line, and with it the paragraph. The rest of the sentence must not be read without it.

use super::composed::Composed;
use super::paragraphs::Paragraph;

/// Maximum distance of baselines within a sentence, in font sizes.
const LEADING_EM: f32 = 1.8;

/// Maximum difference of the sizes within a sentence, as a share of the larger one.
const SAME_SIZE: f32 = 0.15;

/// Maximum height of a picture of a word, in font sizes.
const WORD_EM: f64 = 1.8;

/// Minimum number of words before a picture that ends their sentence. Fewer are a title.
const WORDS_MIN: usize = 3;

const ENDS: [char; 13] = ['.', ':', ';', '!', '?', '…', '؟', '۔', '؛', '।', '。', '！', '？'];

/// Marks what belongs to the sentences of marked paragraphs.
pub(super) fn extend_marks(composed: &mut Composed) {
    with_last_pictures(composed);
    let paragraphs = &mut composed.paragraphs;
    for at in 1..paragraphs.len() {
        extend(paragraphs, at - 1, at);
    }
    for at in (1..paragraphs.len()).rev() {
        extend(paragraphs, at, at - 1);
    }
}

fn extend(paragraphs: &mut [Paragraph], from: usize, to: usize) {
    let (upper, lower) = (&paragraphs[from.min(to)], &paragraphs[from.max(to)]);
    if paragraphs[from].marked.is_some()
        && paragraphs[to].marked.is_none()
        && continues(upper, lower)
    {
        paragraphs[to].marked = paragraphs[to].area();
    }
}

/// Returns whether a paragraph continues the sentence of the one above it.
fn continues(upper: &Paragraph, lower: &Paragraph) -> bool {
    let (Some(above), Some(below)) = (upper.pieces.last(), lower.first()) else { return false };
    let (Some(a), Some(b)) = (upper.area(), lower.area()) else { return false };
    let is_text = |paragraph: &Paragraph| !paragraph.furniture() && paragraph.rows.is_empty();
    let size = above.size.max(below.size);
    let step = (below.baseline - above.baseline) / size;
    let are_elements = upper.tagged.is_some() && lower.tagged.is_some();
    is_text(upper)
        && is_text(lower)
        && !are_elements
        && lower.marker.is_none()
        && lower.label.is_none()
        && (0.5..LEADING_EM).contains(&step)
        && (above.size - below.size).abs() <= SAME_SIZE * size
        && upper.bold() == lower.bold()
        && a.x0 < b.x1
        && b.x0 < a.x1
        && is_open(&upper.text())
}

/// Returns whether a text ends within a sentence.
fn is_open(text: &str) -> bool {
    let closes = |letter: char| letter.is_whitespace() || "”“»«›’\")]¹²³".contains(letter);
    !text.trim_end_matches(closes).ends_with(ENDS)
}

/// Marks sentences whose last word is a picture below them.
fn with_last_pictures(composed: &mut Composed) {
    let Composed { paragraphs, figures, .. } = composed;
    figures.retain(|figure| {
        let area = figure.area;
        let sentence = paragraphs.iter_mut().find(|paragraph| {
            let (Some(last), Some(whole)) = (paragraph.pieces.last(), paragraph.area()) else {
                return false;
            };
            let size = f64::from(last.size);
            let step = (area.center().y - f64::from(last.baseline)) / size;
            let indent = if paragraph.rtl { whole.x1 - area.x1 } else { area.x0 - whole.x0 };
            (0.2..1.9).contains(&step)
                && area.height() < WORD_EM * size
                && indent.abs() < size
                && paragraph.rows.is_empty()
                && !paragraph.furniture()
                && paragraph.text().split_whitespace().count() >= WORDS_MIN
                && is_open(&paragraph.text())
        });
        let Some(sentence) = sentence else { return true };
        sentence.marked = sentence.marked.or(sentence.area()).map(|own| own.union(area));
        !figure.text.is_empty()
    });
}

#[cfg(test)]
mod tests {
    use hayro::kurbo::Rect;

    use super::super::composed::Figure;
    use super::super::glyphs::Glyph;
    use super::super::{lines, paragraphs};
    use super::*;

    /// Sets lines of single letters, 10 pixels wide; a dash is a gap.
    fn composed(lines: &[(&str, f32)], figures: Vec<Rect>) -> Composed {
        let mut letters = Vec::new();
        for (text, baseline) in lines {
            for (at, letter) in text.chars().enumerate().filter(|(_, letter)| *letter != '-') {
                letters.push(Glyph::plain(
                    &letter.to_string(),
                    10.0 * at as f32,
                    10.0,
                    *baseline,
                    20.0,
                ));
            }
        }
        let figure = |area| Figure { area, text: String::new(), rtl: false, look: 0 };
        Composed {
            paragraphs: paragraphs::paragraphs(lines::rows(letters)),
            figures: figures.into_iter().map(figure).collect(),
            frames: Vec::new(),
            doubts: Vec::new(),
            words: String::new(),
        }
    }

    fn marked(composed: &Composed) -> Vec<bool> {
        composed.paragraphs.iter().map(|paragraph| paragraph.marked.is_some()).collect()
    }

    #[test]
    fn a_mark_extends_to_its_sentence_and_not_beyond_it() {
        let lines = [("The rider pays", 50.0), ("the ------ fee", 74.0), ("each week anew.", 98.0)];
        let after = ("Another text.", 122.0);
        let mut page = composed(&[lines[0], lines[1], lines[2], after], Vec::new());
        let gap = page.paragraphs.iter().position(|paragraph| paragraph.cells).expect("a gap");
        page.paragraphs[gap].marked = page.paragraphs[gap].area();
        extend_marks(&mut page);
        let texts: Vec<String> = page.paragraphs.iter().map(Paragraph::text).collect();
        let rest: Vec<(&str, bool)> = texts.iter().map(String::as_str).zip(marked(&page)).collect();
        assert!(
            rest.iter().all(|(text, is_marked)| *is_marked || text.contains("Another")),
            "{rest:?}"
        );
    }

    #[test]
    fn a_picture_that_ends_a_sentence_belongs_to_it() {
        let word = Rect::new(0.0, 60.0, 60.0, 76.0);
        let mut open = composed(&[("The fee is not", 50.0)], vec![word]);
        extend_marks(&mut open);
        assert_eq!((marked(&open), open.figures.len()), (vec![true], 0));
        let mut ended = composed(&[("The fee is due.", 50.0)], vec![word]);
        extend_marks(&mut ended);
        assert_eq!((marked(&ended), ended.figures.len()), (vec![false], 1));
    }
}

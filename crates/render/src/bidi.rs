//! Converts the visual order of letters on the page to their logical order.
//!
//! A PDF stores positions, not the reading order. Arabic text is usually stored as glyphs from left
//! to right. The Unicode algorithm (UAX #9) only converts logical to visual order, and several
//! logical texts can look the same. Therefore this module creates candidates and takes the first
//! one that the algorithm would display exactly as on the page.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

/// One or more adjacent letters whose order does not change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cluster {
    /// Text in logical order.
    pub(super) text: String,
    /// Number of the drawing operation. It is a hint for the logical order, but not sufficient
    /// alone.
    pub(super) run: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
    Number,
    /// A part of a number, inside it or next to it: separators, signs, per cent.
    NumberPart,
    Neutral,
}

impl Cluster {
    fn direction(&self) -> Direction {
        let mut first = Direction::Neutral;
        for letter in self.text.chars() {
            match bidi_class(letter) {
                BidiClass::L => return Direction::Left,
                BidiClass::R | BidiClass::AL => return Direction::Right,
                BidiClass::EN | BidiClass::AN => first = Direction::Number,
                BidiClass::ES | BidiClass::CS | BidiClass::ET if first == Direction::Neutral => {
                    first = Direction::NumberPart;
                }
                _ => {}
            }
        }
        first
    }
}

/// Returns the number of letters from right to left, and from left to right.
pub(super) fn strong_letters(clusters: &[Cluster]) -> (usize, usize) {
    let letters = clusters.iter().flat_map(|cluster| cluster.text.chars());
    letters.fold((0, 0), |(right, left), letter| match bidi_class(letter) {
        BidiClass::R | BidiClass::AL => (right + 1, left),
        BidiClass::L => (right, left + 1),
        _ => (right, left),
    })
}

/// Returns whether a text has letters that are read from right to left.
pub(super) fn is_from_right(text: &str) -> bool {
    text.chars().any(|letter| matches!(bidi_class(letter), BidiClass::R | BidiClass::AL))
}

/// Returns the logical text of one line. Its clusters are sorted from left to right.
pub(super) fn logical(visual: &[Cluster], rtl: bool) -> String {
    let directions: Vec<_> = visual.iter().map(Cluster::direction).collect();
    let plain = !rtl && !directions.contains(&Direction::Right);
    let order = if plain { (0..visual.len()).collect() } else { reorder(visual, &directions, rtl) };
    let mut text: String = order.iter().map(|&index| visual[index].text.as_str()).collect();
    if !plain {
        let is_correct = |text: &str| is_correct_after_letters(text, visual, &directions, rtl);
        let isolated = with_isolates(visual, &directions, &order);
        if isolated != text && !is_correct(&text) && is_correct(&isolated) {
            text = isolated;
        }
        turn_brackets(&mut text);
    }
    text
}

/// Characters that begin and end an isolate, which is displayed from left to right (UAX #9 §2.4).
const LEFT_TO_RIGHT: char = '\u{2066}';
const END: char = '\u{2069}';

/// Returns the text with isolates around numbers of several parts, as their author wrote them.
/// Without an isolate, 555-0100 after Arabic letters would be displayed as 0100-555.
fn with_isolates(visual: &[Cluster], directions: &[Direction], order: &[usize]) -> String {
    let is_part =
        |index: usize| matches!(directions[index], Direction::Number | Direction::NumberPart);
    let mut text = String::new();
    for stretch in order.chunk_by(|&a, &b| a + 1 == b && is_part(a) && is_part(b)) {
        let words = stretch.iter().map(|&index| visual[index].text.as_str());
        let number = |index: &usize| directions[*index] == Direction::Number;
        let parts = stretch.iter().any(|index| !number(index));
        let whole =
            parts && stretch.first().is_some_and(number) && stretch.last().is_some_and(number);
        text.extend(whole.then_some(LEFT_TO_RIGHT));
        text.extend(words);
        text.extend(whole.then_some(END));
    }
    text
}

fn reorder(visual: &[Cluster], directions: &[Direction], rtl: bool) -> Vec<usize> {
    let all: Vec<usize> = (0..visual.len()).collect();
    let inverse = if rtl { from_right(&all, directions) } else { from_left(&all, directions) };
    let drawn = as_drawn(visual, directions);
    [drawn, inverse.clone()]
        .into_iter()
        .find(|order| displays_as(visual, directions, order, rtl))
        .unwrap_or(inverse)
}

/// Returns the order of the drawing operations. Within an operation, the direction of its letters
/// decides.
fn as_drawn(visual: &[Cluster], directions: &[Direction]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..visual.len()).collect();
    order.sort_by_key(|&index| visual[index].run);
    order
        .chunk_by(|&a, &b| visual[a].run == visual[b].run)
        .flat_map(|run| {
            let has_right = run.iter().any(|&index| directions[index] == Direction::Right);
            if has_right { from_right(run, directions) } else { run.to_vec() }
        })
        .collect()
}

/// Returns whether the Unicode algorithm displays this order as on the page.
fn displays_as(visual: &[Cluster], directions: &[Direction], order: &[usize], rtl: bool) -> bool {
    let text: String = order.iter().map(|&index| visual[index].text.as_str()).collect();
    is_displayed_as(&text, visual, directions, rtl)
}

/// Returns whether the text is also displayed as on the page after a line of Arabic, which changes
/// the order of numbers.
fn is_correct_after_letters(
    text: &str,
    visual: &[Cluster],
    directions: &[Direction],
    rtl: bool,
) -> bool {
    if !rtl {
        return is_displayed_as(text, visual, directions, rtl);
    }
    let before = Cluster { text: "\u{628}".to_owned(), run: 0 };
    let visual: Vec<Cluster> = visual.iter().cloned().chain([before.clone()]).collect();
    let directions: Vec<Direction> = directions.iter().copied().chain([Direction::Right]).collect();
    is_displayed_as(&format!("{}{text}", before.text), &visual, &directions, rtl)
}

fn is_displayed_as(text: &str, visual: &[Cluster], directions: &[Direction], rtl: bool) -> bool {
    let level = if rtl { Level::rtl() } else { Level::ltr() };
    let info = BidiInfo::new(text, Some(level));
    let [paragraph] = info.paragraphs.as_slice() else { return false };
    let displayed = info.reorder_line(paragraph, paragraph.range.clone());
    let displayed = displayed.replace([LEFT_TO_RIGHT, END], "");
    let mut on_page = String::with_capacity(text.len());
    for (cluster, direction) in visual.iter().zip(directions) {
        match direction {
            Direction::Right => on_page.extend(cluster.text.chars().rev()),
            _ => on_page.push_str(&cluster.text),
        }
    }
    displayed.trim() == on_page.trim()
}

/// Returns the order from right to left, except for parts from left to right inside it: words, and
/// numbers with their parts.
fn from_right(span: &[usize], directions: &[Direction]) -> Vec<usize> {
    let reversed: Vec<usize> = span.iter().rev().copied().collect();
    let direction = |at: usize| directions[reversed[at]];
    let mut order = Vec::with_capacity(reversed.len());
    let mut at = 0;
    while at < reversed.len() {
        let end = match direction(at) {
            Direction::Left | Direction::Number | Direction::NumberPart => {
                embedded_end(&reversed, directions, at)
            }
            Direction::Right | Direction::Neutral => at + 1,
        };
        order.extend(reversed[at..end].iter().rev());
        at = end;
    }
    order
}

/// Returns the end of a left-to-right part that begins at `start`. If it contains a word, spaces
/// and punctuation up to the next word or number belong to it. Otherwise only numbers and their
/// parts do.
fn embedded_end(span: &[usize], directions: &[Direction], start: usize) -> usize {
    let mut end = start + 1;
    let mut word = directions[span[start]] == Direction::Left;
    let mut solid = directions[span[start]] != Direction::NumberPart;
    for (at, &index) in span.iter().enumerate().skip(start + 1) {
        match directions[index] {
            Direction::Right => break,
            Direction::Left => {
                word = true;
                (end, solid) = (at + 1, true);
            }
            Direction::Number => {
                let joined =
                    (end..at).all(|between| directions[span[between]] == Direction::NumberPart);
                if !word && !joined {
                    break;
                }
                (end, solid) = (at + 1, true);
            }
            Direction::NumberPart if at == end => {}
            Direction::NumberPart | Direction::Neutral if word => {}
            Direction::NumberPart => {}
            Direction::Neutral => break,
        }
    }
    // A sign alone is punctuation of the surrounding right-to-left text.
    if solid { end } else { start + 1 }
}

/// Returns the order from left to right, except for parts between the first and last right-to-left
/// letter of a phrase.
fn from_left(span: &[usize], directions: &[Direction]) -> Vec<usize> {
    let mut order = Vec::with_capacity(span.len());
    let mut at = 0;
    while at < span.len() {
        let mut end = at + 1;
        if directions[span[at]] == Direction::Right {
            for (next, &index) in span.iter().enumerate().skip(at + 1) {
                match directions[index] {
                    Direction::Right => end = next + 1,
                    Direction::Left => break,
                    _ => {}
                }
            }
        }
        order.extend(from_right(&span[at..end], directions));
        at = end;
    }
    order
}

/// Corrects brackets. Some programs store a mirrored bracket by its shape, others by its meaning.
/// If the first bracket of a line closes one that was never opened, the shape was stored.
fn turn_brackets(text: &mut String) {
    let opens = |c| matches!(c, '(' | '[' | '{');
    let closes = |c| matches!(c, ')' | ']' | '}');
    let Some(first) = text.chars().find(|&c| opens(c) || closes(c)) else { return };
    let balance =
        text.chars().filter(|&c| opens(c)).count() == text.chars().filter(|&c| closes(c)).count();
    if closes(first) && balance {
        *text = text.chars().map(mirrored).collect();
    }
}

fn mirrored(letter: char) -> char {
    match letter {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the letters of a text in visual order, as clusters of one letter in one drawing
    /// operation.
    fn on_page(text: &str, rtl: bool) -> Vec<Cluster> {
        let level = if rtl { Level::rtl() } else { Level::ltr() };
        let info = BidiInfo::new(text, Some(level));
        let paragraph = &info.paragraphs[0];
        info.reorder_line(paragraph, paragraph.range.clone())
            .chars()
            .map(|letter| Cluster { text: letter.to_string(), run: 0 })
            .collect()
    }

    #[test]
    fn restores_the_logical_order_of_arabic() {
        for text in [
            "شروط الاستخدام",
            "المادة 12 من العقد",
            "رسوم قدرها 12.50 يورو في السنة",
            "نسبة 25% من المبلغ",
            "في 01/12/2026 تبدأ الخدمة",
            "وثيقة لشركة Example GmbH فقط",
            "هل قرأت الشروط؟ نعم.",
            "الرقم ١٢٣ هنا",
        ] {
            assert_eq!(logical(&on_page(text, true), true), text);
        }
    }

    #[test]
    fn restores_the_logical_order_of_arabic_inside_english() {
        let text = "The word شروط الاستخدام means terms of use";
        assert_eq!(logical(&on_page(text, false), false), text);
    }

    #[test]
    fn the_drawing_order_decides_between_texts_with_the_same_visual_order() {
        // "GmbH 25" looks the same whether the number was typed before or after the word.
        let drawn = |number_run, word_run| {
            let mut clusters: Vec<_> = ["G", "m", "b", "H"]
                .map(|letter| Cluster { text: letter.to_owned(), run: word_run })
                .to_vec();
            clusters.push(Cluster { text: " ".to_owned(), run: 1 });
            clusters.extend(["2", "5"].map(|l| Cluster { text: l.to_owned(), run: number_run }));
            clusters
        };
        assert_eq!(logical(&drawn(0, 2), true), "25 GmbH");
        assert_eq!(logical(&drawn(2, 0), true), "GmbH 25");
    }

    #[test]
    fn keeps_the_visual_order_of_isolated_numbers() {
        let line = |text: &str| -> Vec<Cluster> {
            text.chars().map(|char| Cluster { text: char.to_string(), run: 0 }).collect()
        };
        // The letters as drawn, from left to right.
        let telephone = line("555-0100 ئراوطلا");
        assert_eq!(logical(&telephone, true), "الطوارئ \u{2066}555-0100\u{2069}");
        // Alone on its line, after other lines.
        assert_eq!(logical(&line("555-0100"), true), "\u{2066}555-0100\u{2069}");
        // Texts that the algorithm already displays like this need no isolates.
        for text in ["من 7:00 إلى 22:00", "في 01/12/2026 تبدأ", "المادة 12 من"] {
            assert_eq!(logical(&on_page(text, true), true), text);
        }
        assert_eq!(logical(&line("call 555-0100"), false), "call 555-0100");
    }

    #[test]
    fn corrects_brackets_that_are_stored_by_their_shape() {
        let by_look = ["(", "ب", ")"].map(|t| Cluster { text: t.to_owned(), run: 0 });
        let by_meaning = [")", "ب", "("].map(|t| Cluster { text: t.to_owned(), run: 0 });
        assert_eq!(logical(&by_look, true), "(ب)");
        assert_eq!(logical(&by_meaning, true), "(ب)");
    }

    #[test]
    fn a_ligature_is_not_reversed_inside() {
        let clusters = ["م", "لا", "س"].map(|t| Cluster { text: t.to_owned(), run: 0 });
        assert_eq!(logical(&clusters, true), "سلام");
    }
}

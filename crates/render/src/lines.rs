//! Combines letters to lines: letters at one height, divided where a table or a column has a gap.

use super::accents;
use super::bidi::{self, Cluster};
use super::glyphs::Glyph;
use super::marker;
use super::piece::{Piece, Row};
use super::raised::{self, Height};

/// Maximum vertical distance of letters in one line, in font sizes.
const SAME_LINE_EM: f32 = 0.35;

/// This limit for superscripts and subscripts, which are small and close to the previous letter.
const RAISED_EM: f32 = 0.65;

/// Maximum rounding error between equal positions, in font sizes.
const NO_WIDTH_EM: f32 = 0.01;

/// Minimum gap between words. A space has a quarter of the font size in most fonts, and half of
/// that in a tight justified line. TeX uses a sixth and draws no spaces.
const WORD_GAP_EM: f32 = 0.12;

/// Gaps between the figures of a number that are neither none nor a space, in font sizes.
const NUMBER_GAP_EM: std::ops::Range<f32> = 0.085..0.2;

/// Minimum gap between cells of a table. Justified text rarely has such wide spaces.
const CELL_GAP_EM: f32 = 1.8;

/// Minimum gap between cells if the file draws no space and begins a new operation, unlike typed
/// text.
const BARE_CELL_GAP_EM: f32 = 0.8;

pub(super) fn rows(glyphs: Vec<Glyph>) -> Vec<Row> {
    let mut groups: Vec<Vec<Glyph>> = Vec::new();
    for glyph in glyphs {
        match groups.last_mut().filter(|group| same_line(group, &glyph)) {
            Some(group) => group.push(glyph),
            None => groups.push(vec![glyph]),
        }
    }
    groups.into_iter().map(row).filter(|row| !row.is_empty()).collect()
}

/// Returns whether a glyph continues the line. Only consecutive glyphs are combined, which
/// separates adjacent columns.
fn same_line(group: &[Glyph], glyph: &Glyph) -> bool {
    let Some(last) = group.last() else { return false };
    if last.turned || glyph.turned {
        return last.turned && glyph.turned && last.run == glyph.run;
    }
    let tall = base(group.iter().filter(|letter| !without_width(letter))).unwrap_or(last);
    let close = (glyph.left - last.right).abs() < 0.5 * tall.size;
    let raised = close && (glyph.size < 0.8 * tall.size || without_width(glyph));
    let reach = if raised { RAISED_EM } else { SAME_LINE_EM } * tall.size.max(glyph.size);
    last.furniture == glyph.furniture && (tall.baseline - glyph.baseline).abs() < reach
}

/// Returns a letter on the baseline of a line: one of the size that most letters have, as the first
/// one may be a large initial and the last one a superscript.
fn base<'g>(letters: impl Iterator<Item = &'g Glyph> + Clone) -> Option<&'g Glyph> {
    let tall = letters.clone().max_by(|a, b| a.size.total_cmp(&b.size))?;
    let is_large = |letter: &&Glyph| letter.size > 0.6 * tall.size;
    let all = letters.clone().count();
    let large = letters.clone().filter(is_large).count();
    if large * 4 >= all || all < 4 {
        return Some(tall);
    }
    let mut rest = letters.filter(|letter| !is_large(letter));
    let first = rest.next()?;
    Some(rest.fold(first, |tall, other| if other.size > tall.size { other } else { tall }))
}

/// Returns whether a glyph has no width: a mark that is named together with its letter, or a letter
/// that is drawn with another one.
fn without_width(glyph: &Glyph) -> bool {
    glyph.right - glyph.left < NO_WIDTH_EM * glyph.size
}

fn row(group: Vec<Glyph>) -> Row {
    let turned = group.first().is_some_and(|glyph| glyph.turned);
    let placed = place_marks(group, turned);
    let mut pieces: Row = Vec::new();
    let mut current: Vec<Placed> = Vec::new();
    let mut edge = f32::NEG_INFINITY;
    for placed in placed {
        if placed.is_space() {
            // A wide space is a gap like any other. A leading space has no meaning. Neither has a
            // space that ended the line before it was mirrored and now overlaps the last letter.
            if !current.is_empty() && (turned || placed.glyph.right > edge) {
                current.push(placed);
            }
            continue;
        }
        let gap = (placed.glyph.left - edge) / placed.glyph.size;
        if !turned && current.last().is_some_and(|last| gap > cell_gap(last, &placed)) {
            pieces.extend(piece(std::mem::take(&mut current)));
        }
        edge = edge.max(placed.glyph.right);
        current.push(placed);
    }
    pieces.extend(piece(current));
    let (right, left) = pieces.iter().fold((0, 0), |(right, left), piece| {
        let (r, l) = bidi::strong_letters(&piece.clusters);
        (right + r, left + l)
    });
    if right > left {
        pieces.reverse();
    }
    marker::join_to_item(pieces)
}

fn cell_gap(last: &Placed, next: &Placed) -> f32 {
    let bare = !last.is_space() && last.glyph.run != next.glyph.run;
    if bare { BARE_CELL_GAP_EM } else { CELL_GAP_EM }
}

/// A letter with its marks.
struct Placed {
    glyph: Glyph,
    order: usize,
}

impl Placed {
    fn is_space(&self) -> bool {
        self.glyph.text.trim().is_empty()
    }
}

/// Returns the letters from left to right, each mark with the letter that it is above or below.
fn place_marks(group: Vec<Glyph>, turned: bool) -> Vec<Placed> {
    let group = accents::attached(group);
    let numbered = group.into_iter().enumerate().map(|(order, glyph)| Placed { glyph, order });
    let (mut marks, mut letters): (Vec<_>, Vec<_>) = numbered.partition(|placed| placed.glyph.mark);
    if letters.is_empty() {
        letters.append(&mut marks);
    }
    if !turned {
        letters.sort_by(|a, b| a.glyph.left.total_cmp(&b.glyph.left));
        in_drawn_order(&mut letters);
    }
    letters.dedup_by(|b, a| is_repeated(&mut a.glyph, &b.glyph));
    let mut targets: Vec<(usize, Placed)> = marks
        .into_iter()
        .filter_map(|mark| {
            let middle = (mark.glyph.left + mark.glyph.right) / 2.0;
            nearest(&letters, middle).map(|target| (target, mark))
        })
        .collect();
    // Several marks on one letter follow it in the order of their distance from it in the file.
    targets.sort_by_key(|(target, mark)| mark.order.abs_diff(letters[*target].order));
    for (target, mark) in targets {
        accents::add(&mut letters[target].glyph.text, &mark.glyph.text);
    }
    letters
}

/// Sorts two letters at one position, one of which has no width, in the order in which they were
/// drawn.
fn in_drawn_order(letters: &mut [Placed]) {
    for at in 1..letters.len() {
        let (one, other) = (&letters[at - 1], &letters[at]);
        let together = other.glyph.left - one.glyph.left < NO_WIDTH_EM * one.glyph.size;
        let narrow = without_width(&one.glyph) || without_width(&other.glyph);
        if together && narrow && other.order < one.order {
            letters.swap(at - 1, at);
        }
    }
}

/// Returns whether the second glyph repeats the first. Bold may be simulated by drawing twice, and
/// outlined text is drawn as fill and as stroke. Some files also name both a letter and its mark as
/// the combination of both.
fn is_repeated(first: &mut Glyph, second: &Glyph) -> bool {
    let apart = (second.left - first.left).abs();
    let with_mark = first.text.chars().nth(1).is_some() && apart < first.right - first.left;
    let again = first.text == second.text && (apart < 0.1 * first.size || with_mark);
    if again {
        first.right = first.right.max(second.right);
    }
    again
}

fn nearest(letters: &[Placed], x: f32) -> Option<usize> {
    let distance = |glyph: &Glyph| (glyph.left - x).max(x - glyph.right).max(0.0);
    let inked = letters.iter().enumerate().filter(|(_, placed)| !placed.is_space());
    inked
        .min_by(|(_, a), (_, b)| distance(&a.glyph).total_cmp(&distance(&b.glyph)))
        .map(|(at, _)| at)
}

fn piece(mut placed: Vec<Placed>) -> Option<Piece> {
    while placed.last().is_some_and(Placed::is_space) {
        placed.pop();
    }
    let first = placed.first()?;
    let tall = base(placed.iter().map(|p| &p.glyph)).unwrap_or(&first.glyph);
    let (baseline, size) = (tall.baseline, tall.size);
    let (furniture, turned) = (first.glyph.furniture, first.glyph.turned);
    let left_edge = placed.iter().map(|p| p.glyph.left).fold(f32::INFINITY, f32::min);
    let right_edge = placed.iter().map(|p| p.glyph.right).fold(f32::NEG_INFINITY, f32::max);
    let bold = placed.iter().filter(|p| !p.is_space()).all(|p| p.glyph.bold);
    let heights = !turned && raise(&mut placed, baseline, size);
    let (clusters, gaps) = add_spaces(placed);
    let clusters = raised::with_fractions(clusters);
    let unsure = heights || gaps && !turned;
    Some(Piece {
        clusters,
        left: left_edge,
        right: right_edge,
        baseline,
        size,
        bold,
        furniture,
        turned,
        unsure,
    })
}

/// Replaces raised and lowered signs by their characters. Returns whether a sign has none, or is a
/// large initial next to several lines.
fn raise(placed: &mut [Placed], baseline: f32, size: f32) -> bool {
    let mut unsure = false;
    for Placed { glyph, .. } in placed.iter_mut() {
        let above = baseline - glyph.baseline;
        let is_letter = glyph.is_word() && !bidi::is_from_right(&glyph.text);
        if glyph.mark || without_width(glyph) || glyph.text.trim().is_empty() {
            continue;
        }
        if glyph.size > 1.4 * size && above.abs() > 0.2 * size {
            unsure |= is_letter;
            continue;
        }
        let height = raised::height(above, size);
        let is_small = glyph.size < 0.9 * size || above.abs() > 0.2 * size;
        if height == Height::OnLine || !is_small || !is_letter && !"+-−=()".contains(&glyph.text)
        {
            continue;
        }
        match raised::form(&glyph.text, height) {
            Some(text) => glyph.text = text,
            None => unsure = true,
        }
    }
    unsure
}

/// Adds a space where the file only left a gap, and never two in a row. Returns also whether a gap in
/// a number is neither none nor a space.
fn add_spaces(placed: Vec<Placed>) -> (Vec<Cluster>, bool) {
    let letter_gap = usual_gap(&placed);
    let mut clusters: Vec<Cluster> = Vec::with_capacity(placed.len());
    let mut edge = f32::NEG_INFINITY;
    let mut unsure = false;
    for Placed { glyph, .. } in placed {
        let after_space = clusters.last().is_none_or(|last| last.text == " ");
        let space = Cluster { text: " ".to_owned(), run: glyph.run };
        if glyph.text.trim().is_empty() {
            if !after_space {
                clusters.push(space);
            }
            continue;
        }
        let leader = glyph.text == "." && clusters.last().is_some_and(|last| last.text == ".");
        let word_gap = (WORD_GAP_EM * glyph.size).max(2.5 * letter_gap);
        let gap = (glyph.left - edge - letter_gap) / glyph.size;
        unsure |= !after_space
            && NUMBER_GAP_EM.contains(&gap)
            && clusters.last().is_some_and(|last| is_in_number(&last.text, &glyph.text));
        if !after_space && !leader && glyph.left - edge > word_gap {
            clusters.push(space);
        }
        edge = edge.max(glyph.right);
        clusters.push(Cluster { text: glyph.text, run: glyph.run });
    }
    (clusters, unsure)
}

/// Returns whether two signs may be parts of one number.
fn is_in_number(one: &str, other: &str) -> bool {
    // A raised or lowered figure is not a part of the number next to it.
    let is_apart = |letter: char| "¹²³".contains(letter) || ('⁰'..='₎').contains(&letter);
    let is_figure =
        |text: &str| text.chars().all(|letter| letter.is_numeric() && !is_apart(letter));
    let is_part = |text: &str| is_figure(text) || matches!(text, "." | ",");
    is_part(one) && is_part(other) && (is_figure(one) || is_figure(other))
}

/// Returns the usual gap between adjacent letters, which is 0 except in letter-spaced headings.
fn usual_gap(placed: &[Placed]) -> f32 {
    let mut gaps: Vec<f32> = placed
        .windows(2)
        // The dots before a page number are not counted.
        .filter(|pair| pair.iter().all(|p| p.glyph.text.chars().all(char::is_alphanumeric)))
        .map(|pair| pair[1].glyph.left - pair[0].glyph.right)
        .collect();
    gaps.sort_by(f32::total_cmp);
    // A few letters are not enough to determine the usual gap.
    if gaps.len() < 6 { 0.0 } else { gaps[gaps.len() / 2].max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(text: &str, left: f32, baseline: f32) -> Glyph {
        Glyph::plain(text, left, 5.0, baseline, 10.0)
    }

    fn texts(rows: &[Row]) -> Vec<Vec<String>> {
        let text = |piece: &Piece| bidi::logical(&piece.clusters, false);
        rows.iter().map(|row| row.iter().map(text).collect()).collect()
    }

    #[test]
    fn a_gap_becomes_a_space_and_a_large_gap_another_cell() {
        let rows = rows(vec![
            glyph("a", 0.0, 0.0),
            glyph("b", 5.0, 0.0),
            glyph("c", 13.0, 0.0),
            glyph("d", 60.0, 0.0),
            glyph("e", 0.0, 14.0),
        ]);
        assert_eq!(texts(&rows), [vec!["ab c", "d"], vec!["e"]]);
    }

    #[test]
    fn a_tight_line_has_spaces_too() {
        let rows = rows(vec![glyph("a", 0.0, 0.0), glyph("b", 5.6, 0.0), glyph("c", 12.2, 0.0)]);
        assert_eq!(texts(&rows), [["ab c"]]);
    }

    #[test]
    fn a_smaller_gap_becomes_a_cell_if_the_file_draws_no_space() {
        let next = |run| Glyph { run, ..glyph("b", 15.0, 0.0) };
        assert_eq!(texts(&rows(vec![glyph("a", 0.0, 0.0), next(0)])), [vec!["a b"]]);
        assert_eq!(texts(&rows(vec![glyph("a", 0.0, 0.0), next(1)])), [vec!["a", "b"]]);
    }

    #[test]
    fn a_letter_and_its_mark_with_the_same_text_are_combined() {
        let both = "ق\u{64C}";
        let mark = Glyph { left: 3.0, right: 3.0, ..glyph(both, 0.0, 0.0) };
        let drawn = vec![mark, glyph(both, 0.0, 0.0), glyph("ئ", 5.0, 0.0)];
        let rows = rows(drawn);
        assert_eq!(bidi::logical(&rows[0][0].clusters, true), format!("ئ{both}"));
    }

    #[test]
    fn a_high_mark_with_the_text_of_its_letter_does_not_end_the_line() {
        let both = "أ\u{64F}";
        let mark = Glyph { left: 0.5, right: 0.5, baseline: -4.8, ..glyph(both, 0.0, 0.0) };
        let rows = rows(vec![glyph("س", -5.0, 0.0), mark, glyph(both, 0.0, 0.0)]);
        assert_eq!(rows.len(), 1);
        assert_eq!(bidi::logical(&rows[0][0].clusters, true), format!("{both}س"));
    }

    #[test]
    fn lam_alef_with_a_mark_occurs_once() {
        let lam = "ل\u{64B}";
        // The starts of both differ by a rounding error.
        let alef = Glyph { right: 0.0001, ..glyph("ا", 0.0001, 0.0) };
        let mark = Glyph { left: 3.0, right: 3.0, baseline: -2.7, ..glyph(lam, 0.0, 0.0) };
        let rows = rows(vec![alef, mark, glyph(lam, 0.0, 0.0), glyph("ع", 5.0, 0.0)]);
        assert_eq!(bidi::logical(&rows[0][0].clusters, true), format!("ع{lam}ا"));
    }

    #[test]
    fn the_space_at_the_end_of_a_mirrored_line_does_not_divide_a_number() {
        let mut drawn = vec![glyph("ة", 30.0, 0.0), glyph(" ", 25.0, 0.0)];
        drawn.extend("20:00".chars().zip(0_u8..).map(|(letter, at)| Glyph {
            run: 1,
            ..glyph(&letter.to_string(), f32::from(at) * 5.0, 0.0)
        }));
        drawn.push(Glyph { right: 2.5, run: 2, ..glyph(" ", 0.0, 0.0) });
        let rows = rows(drawn);
        assert_eq!(bidi::logical(&rows[0][0].clusters, true), "ة 20:00");
    }

    #[test]
    fn letter_spacing_does_not_divide_words() {
        let spread = |n: usize| n as f32 * 8.0;
        let mut letters: Vec<_> = "TERMSOFUSE"
            .chars()
            .enumerate()
            .map(|(n, c)| glyph(&c.to_string(), spread(n), 0.0))
            .collect();
        letters.push(glyph("X", 8.0 * 10.0 + 9.0, 0.0));
        assert_eq!(texts(&rows(letters)), [vec!["TERMSOFUSE X"]]);
    }

    #[test]
    fn dots_before_a_page_number_keep_the_spaces_between_words() {
        let mut letters = vec![glyph("a", 0.0, 0.0), glyph("b", 8.0, 0.0)];
        letters.extend((0..20u8).map(|n| glyph(".", 16.0 + 12.0 * f32::from(n), 0.0)));
        assert_eq!(texts(&rows(letters)), [vec![format!("a b {}", ".".repeat(20))]]);
    }

    #[test]
    fn marks_follow_their_letter_in_typed_order() {
        let mark = |text, left| Glyph { mark: true, ..glyph(text, left, 0.0) };
        // Drawn from left to right: fatha, shadda, then their letter.
        let drawn = vec![
            mark("\u{64E}", 5.0),
            mark("\u{651}", 5.0),
            glyph("ب", 5.0, 0.0),
            glyph("ا", 10.0, 0.0),
        ];
        let rows = rows(drawn);
        assert_eq!(bidi::logical(&rows[0][0].clusters, true), "اب\u{651}\u{64E}");
    }

    #[test]
    fn keeps_superscripts_on_the_line_and_merges_letters_drawn_twice() {
        let raised = Glyph { size: 6.0, ..glyph("2", 5.0, -5.0) };
        let after = glyph(".", 10.0, 0.0);
        let rows = rows(vec![glyph("m", 0.0, 0.0), glyph("m", 0.3, 0.0), raised, after]);
        assert_eq!(texts(&rows), [vec!["m²."]]);
    }
}

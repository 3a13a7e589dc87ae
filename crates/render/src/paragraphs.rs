//! Combines lines to paragraphs, by their distance and size and by how they begin and end.

use hayro::kurbo::Rect;
use unicode_bidi::{BidiClass, bidi_class};

use super::bidi;
use super::blocks::{Cell, table_text};
use super::glyphs::Glyph;
use super::marker::{self, Marker};
use super::piece::{Piece, Row};
use super::tags::Leaf;

/// Distance of baselines within a paragraph, in font sizes, if the page has no typical distance.
const USUAL_LEADING: f32 = 1.45;

/// Maximum distance of baselines in running text.
const WIDE_LEADING: f32 = 2.0;

/// A line that is shorter than this share of its column ended before the margin.
const SHORT_LINE: f32 = 0.75;

#[derive(Debug, Clone)]
pub(super) struct Paragraph {
    /// Pieces in reading order. The cells of a table row are one paragraph.
    pub(super) pieces: Vec<Piece>,
    pub(super) rtl: bool,
    pub(super) cells: bool,
    /// Marker at the start of the first line of an item, which distinguishes its next lines from a
    /// new item.
    pub(super) marker: Option<Marker>,
    /// The element of the tags that it belongs to.
    pub(super) tagged: Option<Leaf>,
    /// Marker of an item that is not part of its text.
    pub(super) label: Option<String>,
    /// The rows of a table.
    pub(super) rows: Vec<Vec<Cell>>,
    /// The part of the page that is shown instead of its text, which may say something else.
    pub(super) marked: Option<Rect>,
}

impl Paragraph {
    fn of(row: Row) -> Self {
        let marker = match row.as_slice() {
            [piece] => marker_of(piece),
            _ => None,
        };
        Self { cells: row.len() > 1, marker, ..Self::plain(row, false) }
    }

    fn plain(pieces: Vec<Piece>, rtl: bool) -> Self {
        let (marker, tagged, label, rows) = (None, None, None, Vec::new());
        Self { pieces, rtl, cells: false, marker, tagged, label, rows, marked: None }
    }

    pub(super) fn table(pieces: Vec<Piece>, rows: Vec<Vec<Cell>>, rtl: bool) -> Self {
        Self { rows, ..Self::plain(pieces, rtl) }
    }

    /// Returns the area from its first to its last line.
    pub(super) fn area(&self) -> Option<Rect> {
        self.pieces.iter().map(Piece::area).reduce(|all, next| all.union(next))
    }

    /// Returns its position in the order of drawing.
    pub(super) fn first_run(&self) -> u32 {
        let runs = self.pieces.iter().flat_map(|piece| &piece.clusters).map(|cluster| cluster.run);
        runs.min().unwrap_or(u32::MAX)
    }

    fn set_direction(&mut self, page_rtl: bool) {
        let (right, left) = letters(self.pieces.iter());
        // On an Arabic page one Arabic word is enough, because company names are often Latin.
        self.rtl = if page_rtl { right > 0 || left == 0 } else { right > left };
    }

    pub(super) fn first(&self) -> Option<&Piece> {
        self.pieces.first()
    }

    pub(super) fn size(&self) -> f32 {
        self.pieces.iter().map(|piece| piece.size).fold(0.0, f32::max)
    }

    pub(super) fn bold(&self) -> bool {
        self.pieces.iter().all(|piece| piece.bold)
    }

    pub(super) fn furniture(&self) -> bool {
        self.pieces.iter().all(|piece| piece.furniture || piece.turned)
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        self.pieces.iter().map(|piece| bidi::logical(&piece.clusters, self.rtl))
    }

    pub(super) fn text(&self) -> String {
        if !self.rows.is_empty() {
            return table_text(&self.rows);
        }
        let mut text = String::new();
        for line in self.lines() {
            if self.cells {
                // A screen reader pauses at the dot where a cell ends.
                text.push_str(if text.is_empty() { "" } else { " · " });
                text.push_str(line.trim());
            } else {
                append_line(&mut text, line.trim());
            }
        }
        text
    }
}

/// Appends a line. A hyphen at its end stays, unless the file calls it a soft one: self-employed is
/// not selfemployed, and the hyphen of a divided word looks like that of a compound.
pub(super) fn append_line(text: &mut String, line: &str) {
    let before = text.chars().rev().nth(1);
    let divided = text.ends_with(['\u{AD}', '-', '\u{2010}'])
        && before.is_some_and(char::is_lowercase)
        && line.starts_with(char::is_lowercase);
    // Texts such as "km/h" and URLs may be divided after the slash.
    let mut end = text.chars().rev();
    let slashed = end.next() == Some('/') && end.next().is_some_and(|before| before != ' ');
    if divided && text.ends_with('\u{AD}') {
        text.pop();
    } else if !text.is_empty() && !text.ends_with(' ') && !slashed && (!divided || is_apart(line)) {
        text.push(' ');
    }
    text.push_str(line);
}

/// Returns whether a line begins with a word before which a hyphen replaces the rest of a compound,
/// as in "Steuer- und Sozialabgaben".
fn is_apart(line: &str) -> bool {
    let word = line.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
    CONJUNCTIONS.contains(&word)
}

const CONJUNCTIONS: [&str; 24] = [
    "und", "oder", "bzw", "sowie", "bis", "wie", "als", "noch", "and", "or", "to", "en", "of",
    "et", "ou", "och", "eller", "og", "i", "oraz", "lub", "y", "o", "e",
];

fn marker_of(piece: &Piece) -> Option<Marker> {
    let (right, left) = bidi::strong_letters(&piece.clusters);
    let text = bidi::logical(&piece.clusters, right > left);
    marker::at_start(&text).map(|(marker, _)| marker)
}

pub(super) fn paragraphs(rows: Vec<Row>) -> Vec<Paragraph> {
    let singles: Vec<Piece> =
        rows.iter().filter(|row| row.len() == 1).filter_map(|row| row.first()).cloned().collect();
    let leading = usual_leading(&singles);
    let page_rtl = reads_from_right(singles.iter().chain(rows.iter().flatten()));
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    for row in rows {
        let next = Paragraph::of(row);
        let joined = paragraphs
            .last_mut()
            .filter(|last| continues(last, &next, leading, &singles, page_rtl));
        match joined {
            Some(last) => last.pieces.extend(next.pieces),
            None => paragraphs.push(next),
        }
    }
    for paragraph in &mut paragraphs {
        paragraph.set_direction(page_rtl);
    }
    paragraphs
}

/// Combines all rows to one paragraph at any distance, for elements of the tags.
pub(super) fn whole(rows: Vec<Row>, page_rtl: bool) -> Paragraph {
    let mut paragraph = Paragraph::plain(rows.into_iter().flatten().collect(), false);
    paragraph.set_direction(page_rtl);
    paragraph
}

/// Returns whether more letters are right-to-left than left-to-right.
pub(super) fn is_rtl(glyphs: &[Glyph]) -> bool {
    let classes = glyphs.iter().flat_map(|glyph| glyph.text.chars()).map(bidi_class);
    let (right, left) = classes.fold((0, 0), |(right, left), class| match class {
        BidiClass::R | BidiClass::AL => (right + 1, left),
        BidiClass::L => (right, left + 1),
        _ => (right, left),
    });
    right > left
}

fn letters<'p>(pieces: impl Iterator<Item = &'p Piece>) -> (usize, usize) {
    pieces
        .map(|piece| bidi::strong_letters(&piece.clusters))
        .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

fn reads_from_right<'p>(pieces: impl Iterator<Item = &'p Piece>) -> bool {
    let (right, left) = letters(pieces);
    right > left
}

/// Returns the typical distance of adjacent lines of one size, in font sizes.
fn usual_leading(pieces: &[Piece]) -> f32 {
    let mut steps: Vec<f32> = pieces
        .windows(2)
        .filter(|pair| same_size(&pair[0], &pair[1]))
        .map(|pair| (pair[1].baseline - pair[0].baseline) / pair[1].size)
        .filter(|step| (0.8..2.6).contains(step))
        .collect();
    steps.sort_by(f32::total_cmp);
    steps.get(steps.len() / 3).copied().unwrap_or(USUAL_LEADING)
}

fn same_size(a: &Piece, b: &Piece) -> bool {
    (a.size - b.size).abs() <= 0.08 * a.size.max(b.size)
}

fn continues(last: &Paragraph, next: &Paragraph, leading: f32, page: &[Piece], rtl: bool) -> bool {
    let (Some(above), [line]) = (last.pieces.last(), next.pieces.as_slice()) else { return false };
    if last.cells || above.turned || line.turned || above.furniture != line.furniture {
        return false;
    }
    let step = line.baseline - above.baseline;
    let overlaps = line.left < above.right && line.right > above.left;
    let short = is_short(above, page, rtl);
    let sentence_ended = ends_sentence(above, rtl);
    // A full line that ends inside a sentence continues, even if the lines are far apart.
    let reach = if short || sentence_ended {
        1.25 * leading.max(1.0)
    } else {
        WIDE_LEADING.max(1.25 * leading)
    };
    if !overlaps || !same_size(above, line) || !(0.3..reach).contains(&(step / line.size)) {
        return false;
    }
    match next.marker {
        Some(Marker::Bullet) => return false,
        // A wrapped line may begin with a number such as "12." by chance, but the first line of a
        // paragraph does not.
        Some(Marker::Number) if last.marker == Some(Marker::Number) || short => return false,
        _ => {}
    }
    if short && (above.bold != line.bold || sentence_ended) {
        return false;
    }
    // The first line of a paragraph may be indented. The next lines of an item always are.
    let indent = line.start(rtl) - above.start(rtl);
    let indented = (0.8..6.0).contains(&(indent / line.size));
    !indented || last.marker.is_some() && last.pieces.len() == 1 || !sentence_ended
}

fn is_short(piece: &Piece, page: &[Piece], rtl: bool) -> bool {
    let column = page.iter().filter(|other| other.left < piece.right && other.right > piece.left);
    let widest = if rtl {
        piece.right - column.map(|other| other.left).fold(piece.left, f32::min)
    } else {
        column.map(|other| other.right).fold(piece.right, f32::max) - piece.left
    };
    piece.right - piece.left < SHORT_LINE * widest
}

fn ends_sentence(piece: &Piece, rtl: bool) -> bool {
    bidi::logical(&piece.clusters, rtl)
        .trim_end()
        .ends_with(['.', ':', ';', '!', '?', '؟', '۔', '»', '”'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bidi::Cluster;

    fn line(text: &str, left: f32, right: f32, baseline: f32) -> Row {
        let clusters = vec![Cluster { text: text.to_owned(), run: 0 }];
        let (size, bold, furniture, turned, unsure) = (10.0, false, false, false, false);
        vec![Piece { clusters, left, right, baseline, size, bold, furniture, turned, unsure }]
    }

    fn texts(rows: Vec<Row>) -> Vec<String> {
        paragraphs(rows).iter().map(Paragraph::text).collect()
    }

    #[test]
    fn a_larger_distance_or_a_short_line_begins_a_paragraph() {
        let rows = vec![
            line("one runs on", 0.0, 100.0, 0.0),
            line("and ends.", 0.0, 40.0, 14.0),
            line("two follows at once", 0.0, 100.0, 28.0),
            line("and goes on", 0.0, 100.0, 42.0),
            line("three is apart", 0.0, 100.0, 70.0),
        ];
        assert_eq!(
            texts(rows),
            ["one runs on and ends.", "two follows at once and goes on", "three is apart"]
        );
    }

    #[test]
    fn items_keep_their_lines_and_are_separate() {
        let rows = vec![
            line("1. first goes", 0.0, 100.0, 0.0),
            line("on", 12.0, 20.0, 14.0),
            line("2. second", 0.0, 60.0, 28.0),
            line("• bullet", 0.0, 60.0, 42.0),
        ];
        assert_eq!(texts(rows), ["1. first goes on", "2. second", "• bullet"]);
    }

    #[test]
    fn a_wrapped_number_is_not_an_item() {
        let rows = vec![
            line("this ends on 31 December", 0.0, 100.0, 0.0),
            line("12. or so", 0.0, 60.0, 14.0),
        ];
        assert_eq!(texts(rows).len(), 1);
    }

    #[test]
    fn a_hyphen_at_the_end_of_a_line_stays_unless_it_is_soft() {
        let mut text = "The agree-".to_owned();
        append_line(&mut text, "ment of the Ad-");
        append_line(&mut text, "Board");
        let mut soft = "agree\u{AD}".to_owned();
        append_line(&mut soft, "ment");
        assert_eq!(soft, "agreement");
        let mut apart = "Steuer-".to_owned();
        append_line(&mut apart, "und Sozialabgaben");
        assert_eq!(apart, "Steuer- und Sozialabgaben");
        assert_eq!(text, "The agree-ment of the Ad- Board");
    }

    #[test]
    fn joins_text_divided_after_a_slash_without_a_space() {
        let mut text = "60 km/".to_owned();
        append_line(&mut text, "h at most, with a helmet /");
        append_line(&mut text, "cap");
        assert_eq!(text, "60 km/h at most, with a helmet / cap");
    }

    #[test]
    fn a_table_row_is_one_paragraph() {
        let mut row = line("Fee", 0.0, 30.0, 0.0);
        row.extend(line("5 euros", 80.0, 120.0, 0.0));
        assert_eq!(texts(vec![row, line("after", 0.0, 50.0, 14.0)]), ["Fee · 5 euros", "after"]);
    }
}

//! Markers of list items: a bullet, a number, a letter in brackets.

use super::bidi::{self, Cluster};
use super::piece::{Piece, Row};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    /// A sign without meaning; the reading view draws its own.
    Bullet,
    /// A number, which is part of the wording, because contracts are cited by it.
    Number,
}

/// Returns the marker at the start of a text and its length in bytes.
pub(super) fn at_start(text: &str) -> Option<(Marker, usize)> {
    let word = text.split(' ').next().filter(|word| !word.is_empty())?;
    let mut letters = word.chars();
    if let (Some(sign), None) = (letters.next(), letters.next()) {
        let dash = matches!(sign, '-' | '–' | '—') && word.len() < text.len();
        let bullet = "•‣⁃∙◦●○■□▪▫▶►·".contains(sign) || ('\u{F0A7}'..='\u{F0B7}').contains(&sign);
        return (dash || bullet).then_some((Marker::Bullet, word.len()));
    }
    is_number(word).then_some((Marker::Number, word.len()))
}

/// Returns whether the word is a number of an item: `1.` `2)` `(a)` `iv.` `3.2` `3.2.1.` `§4` `١-`.
/// A plain `12` or `a` is a word of a sentence.
fn is_number(word: &str) -> bool {
    let inner = word.trim_start_matches(['(', '§']);
    let bare = inner.trim_end_matches([')', '.', '-', '–']);
    if bare.is_empty() || word.chars().count() > 9 {
        return false;
    }
    let closed = bare.len() < inner.len() || word.starts_with('§');
    let parts: Vec<&str> = bare.split('.').collect();
    let figures = parts.iter().all(|part| !part.is_empty() && part.chars().all(char::is_numeric));
    if figures {
        // 2026. is the end of a sentence, and 12.50 an amount.
        let short = parts.iter().all(|part| part.chars().count() <= 2);
        let outline = parts.len() > 1 && parts.iter().all(|part| is_section(part));
        return short && (closed || outline);
    }
    let roman = bare.chars().all(|c| "ivxIVX".contains(c));
    closed && (bare.chars().count() == 1 || roman) && bare.chars().all(char::is_alphabetic)
}

/// Returns whether the part may be a section number. Chapters have few sections; 12.50 and 1.05 are
/// amounts.
fn is_section(part: &str) -> bool {
    !part.starts_with('0') && part.parse().is_ok_and(|section: u8| section < 40)
}

/// Boxes and ticks, which belong to the sentence after them and stay in its text.
const BOXES: &str = "☐☑☒✓✔✗✘◯◉❏❐❑❒";

/// Joins a separate bullet and its text to one piece.
pub(super) fn join_to_item(mut pieces: Row) -> Row {
    let is_marker = |piece: &Piece| {
        let text = bidi::logical(&piece.clusters, false);
        let is_box = text.chars().all(|sign| BOXES.contains(sign));
        is_box || at_start(&format!("{text} x")).is_some_and(|(_, length)| length == text.len())
    };
    if pieces.len() < 2 || !is_marker(&pieces[0]) {
        return pieces;
    }
    let first = pieces.remove(0);
    let second = &mut pieces[0];
    let space = Cluster { text: " ".to_owned(), run: second.clusters.first().map_or(0, |c| c.run) };
    let (before, after) = if first.left < second.left {
        (first.clusters, std::mem::take(&mut second.clusters))
    } else {
        (std::mem::take(&mut second.clusters), first.clusters)
    };
    second.clusters = before.into_iter().chain([space]).chain(after).collect();
    second.left = second.left.min(first.left);
    second.right = second.right.max(first.right);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_markers_from_words() {
        for item in [
            "1. Scope",
            "(a) Riders",
            "b) Pay",
            "iv. End",
            "3.2 Tips",
            "§4 Duties",
            "10.1. X",
            "١. نطاق",
        ] {
            assert!(matches!(at_start(item), Some((Marker::Number, _))), "{item}");
        }
        for item in ["• Scope", "- Scope", "– Scope", "▪ X"] {
            assert!(matches!(at_start(item), Some((Marker::Bullet, _))), "{item}");
        }
        for text in ["12 riders", "2026. Then", "12.50 euros", "A rider", "end.", "", "-", "I. e"] {
            let marker = at_start(text);
            assert!(marker.is_none() || text == "I. e", "{text}: {marker:?}");
        }
    }
}

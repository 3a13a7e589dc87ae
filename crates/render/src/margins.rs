//! Running heads, running feet and page numbers: said once, and left out where they say nothing new.

use std::collections::HashMap;

use super::paragraphs::Paragraph;

/// They stand in this share of the page, at its top and bottom.
pub(super) const MARGIN: f32 = 0.12;

/// "Page 3 of 30" in any language.
const PAGE_NUMBER_CHARS: usize = 24;

/// What stands in the margins of a document, by height and words.
#[derive(Default)]
pub(super) struct Margins {
    /// On how many pages it stands.
    counts: HashMap<(i32, String), usize>,
    /// The page on which it was first seen, its numbers there, and whether they count the pages.
    counting: HashMap<(i32, String), (usize, Vec<u64>, bool)>,
    /// The numbers in it when it was first read.
    first: HashMap<(i32, String), Vec<u64>>,
    pages: usize,
}

/// What to do with a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Margin {
    /// It stands in no margin, or is text that happens to be there.
    Text,
    /// A head or foot that was not there before.
    First,
    /// It was said, or is the number of the page.
    Again,
}

impl Margins {
    pub(super) fn count<'p>(
        &mut self,
        paragraphs: impl Iterator<Item = &'p Paragraph>,
        height: f32,
    ) {
        let mut keys = Vec::new();
        for paragraph in paragraphs {
            let Some(key) = key(paragraph, height) else { continue };
            let now = numbers(&paragraph.text());
            let page = self.pages;
            let (first, then, counts) =
                self.counting.entry(key.clone()).or_insert_with(|| (page, now.clone(), false));
            let pages = (page - *first) as u64;
            *counts |= pages > 0 && *then != now && says_again(then, &now, pages);
            keys.push(key);
        }
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            *self.counts.entry(key).or_default() += 1;
        }
        self.pages += 1;
    }

    /// Judges the paragraphs of all pages, page by page in their order.
    pub(super) fn judge(&mut self, paragraph: &Paragraph, page: u32, height: f32) -> Margin {
        let Some(key) = key(paragraph, height) else { return Margin::Text };
        let numbers = numbers(&paragraph.text());
        let total = self.pages as u64;
        // Of how many, if it says so: "Page 3 of 30", and no "Section 3".
        let of_total = numbers.last() == Some(&total) && numbers.first() == Some(&u64::from(page));
        let counts = self.counting.get(&key).is_some_and(|(first, then, counts)| {
            *counts && says_again(then, &numbers, u64::from(page - 1) - *first as u64)
        });
        let is_page_number = key.1.is_empty()
            && numbers.len() <= 2
            && paragraph.pieces.len() <= 2
            && (counts || of_total || numbers == [u64::from(page)]);
        let is_repeated =
            self.counts.get(&key).is_some_and(|count| *count >= 3.max(self.pages / 4));
        if !paragraph.furniture() && !is_repeated && !is_page_number {
            return Margin::Text;
        }
        let is_of_total =
            of_total && numbers.len() == 2 && paragraph.text().chars().count() <= PAGE_NUMBER_CHARS;
        if is_page_number || is_of_total || counts && paragraph.furniture() {
            return Margin::Repeated;
        }
        match self.first.get(&key) {
            Some(then) if *then == numbers => Margin::Repeated,
            Some(_) => Margin::First,
            None => {
                self.first.insert(key, numbers);
                Margin::First
            }
        }
    }
}

/// Whether these are the same numbers, or such that count the pages.
fn says_again(then: &[u64], now: &[u64], pages: u64) -> bool {
    let counts = |(then, now): (&u64, &u64)| then == now || then.checked_add(pages) == Some(*now);
    then.len() == now.len() && then.iter().zip(now).all(counts)
}

fn numbers(text: &str) -> Vec<u64> {
    let parts = text.split(|letter: char| !letter.is_numeric()).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

/// The height, and the words there, numbers aside. Without words it is the number of the page.
fn key(paragraph: &Paragraph, height: f32) -> Option<(i32, String)> {
    let piece = paragraph.first().filter(|_| paragraph.pieces.len() <= 4)?;
    let inside = piece.baseline > MARGIN * height && piece.baseline < (1.0 - MARGIN) * height;
    let words: String = paragraph.text().chars().filter(|c| c.is_alphabetic()).collect();
    (!inside || paragraph.furniture()).then(|| ((piece.baseline / 3.0).round() as i32, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_does_not_count_pages_is_news() {
        assert!(says_again(&[3, 30], &[5, 30], 2));
        assert!(!says_again(&[100], &[200], 1));
        assert!(!says_again(&[100], &[100, 5], 1));
        assert_eq!(numbers("Page 3 of 30"), [3, 30]);
    }
}

//! Running headers, footers and page numbers: the reading view contains each once, and omits it
//! where it has nothing new.

use std::collections::HashMap;

use super::passage::Passage;

/// Height of the margins at the top and bottom, as a fraction of the page.
pub(super) const MARGIN: f32 = 0.12;

/// Maximum length of a page number such as "Page 3 of 30", in any language.
const PAGE_NUMBER_CHARS: usize = 24;

/// The contents of the margins of a document, by height and words.
#[derive(Default)]
pub(super) struct Margins {
    /// Number of pages on which they occur.
    counts: HashMap<(i32, String), usize>,
    /// The page of the first occurrence, its numbers there, and whether the numbers count the
    /// pages.
    counting: HashMap<(i32, String), (usize, Vec<u64>, bool)>,
    /// The numbers at the first occurrence in the reading view.
    first: HashMap<(i32, String), Vec<u64>>,
    pages: usize,
}

/// The classification of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Margin {
    /// Text, even if it is in a margin.
    Text,
    /// A header or footer that is new.
    First,
    /// A repeated header or footer, or the number of the page.
    Repeated,
}

impl Margins {
    pub(super) fn count(&mut self, passages: &[Passage], height: f32) {
        let mut keys = Vec::new();
        for passage in passages {
            let Some(key) = key(passage, height) else { continue };
            let now = numbers(&passage.text);
            let page = self.pages;
            let (first, earlier, counts) =
                self.counting.entry(key.clone()).or_insert_with(|| (page, now.clone(), false));
            let pages = (page - *first) as u64;
            *counts |= pages > 0 && *earlier != now && are_repeated(earlier, &now, pages);
            keys.push(key);
        }
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            *self.counts.entry(key).or_default() += 1;
        }
        self.pages += 1;
    }

    /// Returns which passages of a page may be left out: those that look like running headers and
    /// footers, from the edge of the page inwards up to the first that does not. Text inside
    /// of text, such as a clause below its heading, is text.
    pub(super) fn outermost(&self, passages: &[Passage], page: u32, height: f32) -> Vec<bool> {
        let place = |passage: &Passage| passage.area.map_or(0.0, |area| area.center().y);
        let is_text: Vec<bool> = passages
            .iter()
            .map(|passage| !self.looks_like_margin(passage, page, height).0)
            .collect();
        let texts = || {
            let pairs = passages.iter().zip(&is_text);
            pairs.filter(|(passage, is_text)| **is_text && !passage.text.trim().is_empty())
        };
        let (top, bottom) =
            texts().fold((f64::INFINITY, 0.0_f64), |(top, bottom), (passage, _)| {
                let area = passage.area.unwrap_or_default();
                (top.min(area.y0), bottom.max(area.y1))
            });
        passages
            .iter()
            .zip(&is_text)
            .map(|(passage, is_text)| {
                let middle = place(passage);
                !is_text && (passage.furniture || middle < top || middle > bottom)
            })
            .collect()
    }

    /// Returns whether a passage looks like a running header or footer or the number of the page,
    /// and whether it is left out even at its first occurrence.
    fn looks_like_margin(&self, passage: &Passage, page: u32, height: f32) -> (bool, bool) {
        let Some(key) = key(passage, height) else { return (false, false) };
        let text = &passage.text;
        if has_value(text) && !passage.furniture {
            return (false, false);
        }
        let numbers = numbers(text);
        let total = self.pages as u64;
        // Whether it contains the total, such as "Page 3 of 30", unlike "Section 3".
        let of_total = numbers.last() == Some(&total) && numbers.first() == Some(&u64::from(page));
        let counts = self.counting.get(&key).is_some_and(|(first, earlier, counts)| {
            *counts && are_repeated(earlier, &numbers, u64::from(page - 1) - *first as u64)
        });
        let is_page_number = key.1.is_empty()
            && numbers.len() <= 2
            && passage.pieces <= 2
            && !has_value(text)
            && (counts || of_total || numbers == [u64::from(page)]);
        let is_of_total =
            of_total && numbers.len() == 2 && text.chars().count() <= PAGE_NUMBER_CHARS;
        let is_repeated =
            self.counts.get(&key).is_some_and(|count| *count >= 3.max(self.pages / 4));
        let is_margin = passage.furniture || is_repeated || is_page_number || is_of_total;
        let is_left_out =
            is_page_number || is_of_total || counts && passage.furniture && !has_value(text);
        (is_margin, is_left_out)
    }

    /// Classifies a passage, which is text if it is not at the edge of its page. Paragraphs must be passed page by page
    /// in their order.
    pub(super) fn judge(
        &mut self,
        passage: &Passage,
        page: u32,
        height: f32,
        is_outermost: bool,
    ) -> Margin {
        if !is_outermost {
            return Margin::Text;
        }
        let (is_margin, is_left_out) = self.looks_like_margin(passage, page, height);
        let Some(key) = key(passage, height).filter(|_| is_margin) else { return Margin::Text };
        if is_left_out {
            return Margin::Repeated;
        }
        let numbers = numbers(&passage.text);
        match self.first.get(&key) {
            Some(earlier) if *earlier == numbers => Margin::Repeated,
            Some(_) => Margin::First,
            None => {
                self.first.insert(key, numbers);
                Margin::First
            }
        }
    }
}

/// Returns whether a text has an amount or a rate, which is no page number.
fn has_value(text: &str) -> bool {
    text.contains(['%', '‰', '€', '$', '£', '¥', '¢', '₹', '₺', '₽', '₩', '₪', '₫', '₴', '₦', '฿'])
}

/// Returns whether the numbers are the same, or count the pages.
fn are_repeated(earlier: &[u64], now: &[u64], pages: u64) -> bool {
    let counts =
        |(earlier, now): (&u64, &u64)| earlier == now || earlier.checked_add(pages) == Some(*now);
    earlier.len() == now.len() && earlier.iter().zip(now).all(counts)
}

fn numbers(text: &str) -> Vec<u64> {
    let parts = text.split(|letter: char| !letter.is_numeric()).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

/// Returns the height and the words without numbers. Without words it may be a page number.
fn key(passage: &Passage, height: f32) -> Option<(i32, String)> {
    let piece = passage.first.as_ref().filter(|_| passage.pieces <= 4)?;
    let inside = piece.baseline > MARGIN * height && piece.baseline < (1.0 - MARGIN) * height;
    let words: String = passage.text.chars().filter(|c| c.is_alphabetic()).collect();
    (!inside || passage.furniture).then(|| ((piece.baseline / 3.0).round() as i32, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_count_pages_are_new() {
        assert!(are_repeated(&[3, 30], &[5, 30], 2));
        assert!(!are_repeated(&[100], &[200], 1));
        assert!(!are_repeated(&[100], &[100, 5], 1));
        assert_eq!(numbers("Page 3 of 30"), [3, 30]);
    }
}

//! Compares the words of two texts, independent of their order and spaces.

use std::collections::HashMap;

pub(super) fn count(text: &str) -> usize {
    words(text).count()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns whether both texts have the same words. Words that occur in only one text are compared
/// without the spaces between them, because a word may be divided or joined differently.
pub(super) fn are_equal(a: &str, b: &str) -> bool {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    words(a).for_each(|word| *counts.entry(word).or_default() += 1);
    words(b).for_each(|word| *counts.entry(word).or_default() -= 1);
    let alone = |text: &str, side: i64| -> String {
        let mut remaining = counts.clone();
        let only = words(text).filter(|word| {
            let count = remaining.entry(*word).or_default();
            let is_alone = *count * side > 0;
            *count -= if is_alone { side } else { 0 };
            is_alone
        });
        only.collect()
    };
    alone(a, 1) == alone(b, -1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_as_a_multiset() {
        assert!(are_equal("the fee is 5", "5 is the fee"));
        assert!(are_equal("an agree ment", "an agreement."));
        assert!(!are_equal("is not paid", "is paid"));
        assert!(!are_equal("5 and 5", "5 and 6"));
        assert!(!are_equal("from here", "form here"));
        assert_eq!(count("A fee, of 5."), 4);
    }
}

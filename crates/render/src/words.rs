//! Whether two texts have the same words, whatever their order and their spaces.

use std::collections::HashMap;

pub(super) fn count(text: &str) -> usize {
    words(text).count()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Words that only one of them has are compared without the spaces between them, since a word may be
/// divided or joined differently.
pub(super) fn are_the_same(a: &str, b: &str) -> bool {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    words(a).for_each(|word| *counts.entry(word).or_default() += 1);
    words(b).for_each(|word| *counts.entry(word).or_default() -= 1);
    let alone = |text: &str, side: i64| -> String {
        let mut left = counts.clone();
        let only = words(text).filter(|word| {
            let left = left.entry(*word).or_default();
            let is_alone = *left * side > 0;
            *left -= if is_alone { side } else { 0 };
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
        assert!(are_the_same("the fee is 5", "5 is the fee"));
        assert!(are_the_same("an agree ment", "an agreement."));
        assert!(!are_the_same("is not paid", "is paid"));
        assert!(!are_the_same("5 and 5", "5 and 6"));
        assert!(!are_the_same("from here", "form here"));
        assert_eq!(count("A fee, of 5."), 4);
    }
}

//! Groups errors by their cause.
//!
//! One wrong row or one missing declaration makes hundreds of others look wrong. A reader needs the
//! first place and the number, not a line for each.

use std::collections::HashMap;

/// The errors of one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause<E> {
    /// The first error.
    pub first: E,
    /// The number of errors, with the first.
    pub count: u64,
}

impl<E> Cause<E> {
    /// Returns how many errors follow the first, as the end of its line: empty, or ` (and 99 more)`.
    pub fn more(&self) -> String {
        more(self.count)
    }
}

/// Returns how many errors follow the first, as the end of its line: empty, or ` (and 99 more)`.
pub fn more(count: u64) -> String {
    if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() }
}

/// Collects errors. The causes have the order of their first errors.
#[derive(Debug)]
pub struct Causes<E> {
    causes: Vec<Cause<E>>,
    places: HashMap<String, usize>,
    causes_max: usize,
}

impl<E> Causes<E> {
    /// Creates an empty collection. Errors of further causes than `causes_max` are dropped.
    pub fn new(causes_max: usize) -> Self {
        Self { causes: Vec::new(), places: HashMap::new(), causes_max }
    }

    /// Adds an error of this cause.
    pub fn add(&mut self, cause: impl Into<String>, error: E) {
        self.add_many(cause, error, 1);
    }

    /// Adds `count` errors of this cause, of which `first` is the first.
    pub fn add_many(&mut self, cause: impl Into<String>, first: E, count: u64) {
        let cause = cause.into();
        if let Some(place) = self.places.get(&cause) {
            if let Some(same) = self.causes.get_mut(*place) {
                same.count += count;
            }
        } else if self.causes.len() < self.causes_max {
            self.places.insert(cause, self.causes.len());
            self.causes.push(Cause { first, count });
        }
    }

    /// Returns the causes.
    pub fn into_causes(self) -> Vec<Cause<E>> {
        self.causes
    }
}

/// Groups errors by the cause that `cause_of` returns for each.
pub fn by_cause<E>(
    errors: impl IntoIterator<Item = E>,
    cause_of: impl Fn(&E) -> String,
) -> Vec<Cause<E>> {
    let mut causes = Causes::new(usize::MAX);
    for error in errors {
        causes.add(cause_of(&error), error);
    }
    causes.into_causes()
}

/// Returns the message without the numbers, ids and hashes in it, which differ from row to row.
pub fn without_numbers(message: &str) -> String {
    let word = |word: &str| {
        let is_number = word.bytes().any(|byte| byte.is_ascii_digit());
        if is_number { "#".to_owned() } else { word.to_owned() }
    };
    message.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Causes, by_cause, without_numbers};

    #[test]
    fn keeps_the_first_error_of_each_cause_and_counts_the_others() {
        let errors = ["a 1", "b 1", "a 2", "a 3"];
        let causes = by_cause(errors, |error| error[..1].to_owned());
        let lines: Vec<_> =
            causes.iter().map(|cause| format!("{}{}", cause.first, cause.more())).collect();
        assert_eq!(lines, ["a 1 (and 2 more)", "b 1"]);
    }

    #[test]
    fn counts_errors_of_a_listed_cause_when_no_other_cause_fits() {
        let mut causes = Causes::new(1);
        for cause in ["a", "b", "a"] {
            causes.add(cause, cause);
        }
        let causes = causes.into_causes();
        assert_eq!((causes.len(), causes[0].first, causes[0].count), (1, "a", 2));
    }

    #[test]
    fn messages_that_differ_in_numbers_have_one_cause() {
        let of = |subject: &str| without_numbers(&format!("subject {subject} differs"));
        assert_eq!(of("0193a"), of("77"));
        assert_ne!(without_numbers("the row is missing"), without_numbers("the row is wrong"));
        // `sha256` has digits as well: a message about it is not confused with another column.
        assert_ne!(without_numbers("sha256 differs"), without_numbers("locale differs"));
    }
}

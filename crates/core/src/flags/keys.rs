//! The form of new keys. Older ones may have another: what was saved once stays valid, so this is no
//! rule of the document itself, and is asked only for what nobody has saved yet.

use std::collections::HashSet;

use super::check::experiments_of;
use super::diagnostic::Diagnostic;
use super::document::{Document, Serve};
use super::pointer::Pointer;

const NEW_KEY_BYTES_MAX: usize = 100;

/// What a key names. Keys of one kind are unique among themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keyed {
    /// A flag.
    Flag,
    /// A segment.
    Segment,
    /// An experiment.
    Experiment,
    /// A holdout.
    Holdout,
}

/// A key that nothing new may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MalformedKey {
    /// What it names.
    pub of: Keyed,
    /// The key itself.
    pub key: String,
    /// Where it stands in its document (RFC 6901).
    pub pointer: String,
}

impl MalformedKey {
    /// The fault of a document that brings this key.
    pub fn diagnostic(&self) -> Diagnostic {
        let detail = format!(
            "A new key has 1 to {NEW_KEY_BYTES_MAX} lower-case letters, digits, '.', '_' or '-' and \
             begins with a letter or digit; {:?} does not.",
            self.key
        );
        Diagnostic { pointer: self.pointer.clone(), code: "malformed_key", detail }
    }
}

/// `[a-z0-9][a-z0-9._-]{0,99}`: a key that reads the same in an address, a shell, a file name and code.
pub(super) fn is_new_key(key: &str) -> bool {
    let is_plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    (1..=NEW_KEY_BYTES_MAX).contains(&key.len())
        && key.bytes().next().is_some_and(is_plain)
        && key.bytes().all(|it| is_plain(it) || matches!(it, b'.' | b'_' | b'-'))
}

/// Every key of a flag, segment, experiment or holdout that nothing new may have.
pub fn malformed_keys(document: &Document) -> Vec<MalformedKey> {
    let mut found = Vec::new();
    let mut look = |of, key: &str, place: &Pointer<'_>| {
        if !is_new_key(key) {
            let pointer = place.name("key").pointer();
            found.push(MalformedKey { of, key: key.to_owned(), pointer });
        }
    };
    let list = Pointer::DOCUMENT.name("segments");
    for (index, segment) in document.segments.iter().enumerate() {
        look(Keyed::Segment, &segment.key, &list.index(index));
    }
    let list = Pointer::DOCUMENT.name("holdouts");
    for (index, holdout) in document.holdouts.iter().enumerate() {
        look(Keyed::Holdout, &holdout.key, &list.index(index));
    }
    let list = Pointer::DOCUMENT.name("flags");
    for (index, flag) in document.flags.iter().enumerate() {
        let place = list.index(index);
        look(Keyed::Flag, &flag.key, &place);
        let rules = place.name("rules");
        for (index, rule) in flag.rules.iter().enumerate() {
            if let Serve::Experiment(experiment) = &rule.serve {
                let rule = rules.index(index);
                let serve = rule.name("serve");
                look(Keyed::Experiment, &experiment.key, &serve.name("experiment"));
            }
        }
    }
    found
}

/// Drops from `found` what `saved` has under the same key: it is not new.
pub fn drop_known(found: &mut Vec<MalformedKey>, saved: &Document) {
    let known = malformed_keys(saved);
    let known: HashSet<_> = known.iter().map(|it| (it.of, it.key.as_str())).collect();
    found.retain(|it| !known.contains(&(it.of, it.key.as_str())));
}

/// Whether the document has something of this kind under this key.
pub(super) fn has_key(document: &Document, of: Keyed, key: &str) -> bool {
    match of {
        Keyed::Flag => document.flags.iter().any(|it| it.key == key),
        Keyed::Segment => document.segments.iter().any(|it| it.key == key),
        Keyed::Holdout => document.holdouts.iter().any(|it| it.key == key),
        Keyed::Experiment => document.flags.iter().flat_map(experiments_of).any(|it| it.key == key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_reads_the_same_everywhere() {
        let longest = "a".repeat(NEW_KEY_BYTES_MAX);
        for key in ["a", "7", "night-rides", "a.b_c-d", &longest] {
            assert!(is_new_key(key), "{key}");
        }
        let longer = format!("{longest}a");
        for key in
            ["", "Night Rides!", "a/b c?d", "-a", ".a", "nightRides", "späti", "a\n", &longer]
        {
            assert!(!is_new_key(key), "{key}");
        }
    }

    #[test]
    fn each_is_found_with_its_place_unless_it_was_saved_before() {
        let text = include_str!("schema/complete.json");
        let document = Document::parse(text).expect("valid");
        assert_eq!(malformed_keys(&document), []);
        let mut odd = document.clone();
        odd.segments[0].key = "A".to_owned();
        odd.holdouts[0].key = "A".to_owned();
        odd.flags[0].key = "A".to_owned();
        for rule in &mut odd.flags[0].rules {
            if let Serve::Experiment(experiment) = &mut rule.serve {
                experiment.key = "A".to_owned();
            }
        }
        let mut found = malformed_keys(&odd);
        let places: Vec<_> = found.iter().map(|it| it.pointer.as_str()).collect();
        let expected = [
            "/segments/0/key",
            "/holdouts/0/key",
            "/flags/0/key",
            "/flags/0/rules/1/serve/experiment/key",
        ];
        assert_eq!(places, expected);
        drop_known(&mut found, &document);
        assert_eq!(found.len(), 4);
        let mut saved = document.clone();
        saved.flags[0].key = "A".to_owned();
        drop_known(&mut found, &saved);
        assert!(found.len() == 3 && found.iter().all(|it| it.of != Keyed::Flag), "{found:?}");
    }
}

//! The form of new keys. Saved keys may have another form and stay valid. Therefore this is not a
//! rule of the document itself, and only keys that are not saved yet are checked.

use std::collections::HashSet;

use super::check::experiments_of;
use super::diagnostic::Diagnostic;
use super::document::{Document, Serve};
use super::pointer::Pointer;

const NEW_KEY_BYTES_MAX: usize = 100;

/// The kind of object that a key names. Keys of one kind are unique.
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

/// A key that does not have the form of new keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MalformedKey {
    /// The kind of object.
    pub of: Keyed,
    /// The key itself.
    pub key: String,
    /// JSON pointer to the key in its document (RFC 6901).
    pub pointer: String,
}

impl MalformedKey {
    /// Returns the error for a document that adds this key.
    pub fn diagnostic(&self) -> Diagnostic {
        let detail = format!(
            "A new key must have 1 to {NEW_KEY_BYTES_MAX} lower-case letters, digits, '.', '_' or '-' and \
             begin with a letter or digit; {:?} is not valid.",
            self.key
        );
        Diagnostic { pointer: self.pointer.clone(), code: "malformed_key", detail }
    }
}

/// Returns whether the key matches `[a-z0-9][a-z0-9._-]{0,99}`. Such a key needs no escaping in a
/// URL, a shell, a file name or code.
pub(super) fn is_new_key(key: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=NEW_KEY_BYTES_MAX).contains(&key.len())
        && key.bytes().next().is_some_and(is_plain)
        && key.bytes().all(|byte| is_plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
}

/// Returns all keys of flags, segments, experiments and holdouts that do not have the form of new
/// keys.
pub fn malformed_keys(document: &Document) -> Vec<MalformedKey> {
    let mut malformed = Vec::new();
    let mut check = |of, key: &str, place: &Pointer<'_>| {
        if !is_new_key(key) {
            let pointer = place.name("key").pointer();
            malformed.push(MalformedKey { of, key: key.to_owned(), pointer });
        }
    };
    let list = Pointer::DOCUMENT.name("segments");
    for (index, segment) in document.segments.iter().enumerate() {
        check(Keyed::Segment, &segment.key, &list.index(index));
    }
    let list = Pointer::DOCUMENT.name("holdouts");
    for (index, holdout) in document.holdouts.iter().enumerate() {
        check(Keyed::Holdout, &holdout.key, &list.index(index));
    }
    let list = Pointer::DOCUMENT.name("flags");
    for (index, flag) in document.flags.iter().enumerate() {
        let place = list.index(index);
        check(Keyed::Flag, &flag.key, &place);
        let rules = place.name("rules");
        for (index, rule) in flag.rules.iter().enumerate() {
            if let Serve::Experiment(experiment) = &rule.serve {
                let rule = rules.index(index);
                let serve = rule.name("serve");
                check(Keyed::Experiment, &experiment.key, &serve.name("experiment"));
            }
        }
    }
    malformed
}

/// Removes the keys that `saved` has too, because they are not new.
pub fn drop_known(malformed: &mut Vec<MalformedKey>, saved: &Document) {
    let saved_keys = malformed_keys(saved);
    let saved_keys: HashSet<_> =
        saved_keys.iter().map(|known_key| (known_key.of, known_key.key.as_str())).collect();
    malformed.retain(|key| !saved_keys.contains(&(key.of, key.key.as_str())));
}

/// Returns whether the document has an object of this kind with this key.
pub(super) fn has_key(document: &Document, of: Keyed, key: &str) -> bool {
    match of {
        Keyed::Flag => document.flags.iter().any(|flag| flag.key == key),
        Keyed::Segment => document.segments.iter().any(|segment| segment.key == key),
        Keyed::Holdout => document.holdouts.iter().any(|holdout| holdout.key == key),
        Keyed::Experiment => {
            document.flags.iter().flat_map(experiments_of).any(|experiment| experiment.key == key)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_keys_that_need_no_escaping() {
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
    fn finds_each_malformed_key_that_was_not_saved_before() {
        let text = include_str!("schema/complete.json");
        let document = Document::parse(text).expect("valid");
        assert_eq!(malformed_keys(&document), []);
        let mut changed = document.clone();
        changed.segments[0].key = "A".to_owned();
        changed.holdouts[0].key = "A".to_owned();
        changed.flags[0].key = "A".to_owned();
        for rule in &mut changed.flags[0].rules {
            if let Serve::Experiment(experiment) = &mut rule.serve {
                experiment.key = "A".to_owned();
            }
        }
        let mut malformed = malformed_keys(&changed);
        let pointers: Vec<_> = malformed.iter().map(|key| key.pointer.as_str()).collect();
        let expected = [
            "/segments/0/key",
            "/holdouts/0/key",
            "/flags/0/key",
            "/flags/0/rules/1/serve/experiment/key",
        ];
        assert_eq!(pointers, expected);
        drop_known(&mut malformed, &document);
        assert_eq!(malformed.len(), 4);
        let mut saved = document.clone();
        saved.flags[0].key = "A".to_owned();
        drop_known(&mut malformed, &saved);
        assert!(
            malformed.len() == 3 && malformed.iter().all(|key| key.of != Keyed::Flag),
            "{malformed:?}"
        );
    }
}

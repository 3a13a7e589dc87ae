//! Conversion of imported keys to the form that new keys must have.

use super::Imported;
use super::finish::finish;
use super::report::SourcePointer;
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::{Document, Serve};
use crate::flags::keys::{Keyed, MalformedKey, has_key, is_new_key};

/// Converts these keys of the imported document and lists each change, because code that evaluates
/// a flag must be changed too. A flag whose key has no usable character is left out.
///
/// # Errors
/// Returns errors if the result would break a rule.
pub fn with_new_keys(
    imported: Imported,
    malformed: &[MalformedKey],
) -> Result<Imported, Vec<Diagnostic>> {
    let Imported { mut document, mut left_out } = imported;
    for MalformedKey { of, key, .. } in malformed {
        let (Keyed::Flag | Keyed::Experiment) = of else { continue };
        let noun = if *of == Keyed::Flag { "flag" } else { "experiment" };
        let converted = find_unused_key(&document, *of, &convert_key(key));
        let reason = match (of, converted) {
            (Keyed::Flag, None) => {
                document.flags.retain(|flag| flag.key != *key);
                format!("the flag {key:?} is left out: its name cannot be converted to a key")
            }
            (Keyed::Flag, Some(new)) => {
                rename_flag(&mut document, key, &new);
                format!(
                    "the flag {key:?} was renamed to {new:?}: change the code that evaluates it"
                )
            }
            (_, new) => {
                let new = new.or_else(|| find_unused_key(&document, *of, noun)).unwrap_or_default();
                rename_experiment(&mut document, key, &new);
                format!("the {noun} {key:?} was renamed to {new:?}")
            }
        };
        left_out.push(SourcePointer::default().left_out(reason));
    }
    finish(document, left_out)
}

/// Converts a key: `New Checkout` and `newCheckout` become `new-checkout`. The result is empty if
/// the key has no ASCII letter or digit.
fn convert_key(key: &str) -> String {
    let mut new = String::with_capacity(key.len());
    let mut was_lower = false;
    for letter in key.chars() {
        if letter.is_ascii_uppercase() && was_lower {
            new.push('-');
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        match letter {
            letter if letter.is_ascii_alphanumeric() => new.push(letter.to_ascii_lowercase()),
            '.' | '_' => new.push(letter),
            _ if new.ends_with('-') => {}
            _ => new.push('-'),
        }
    }
    // Leaves room for the number of a second key with the same name.
    new.truncate(90);
    new.trim_matches(['-', '.', '_']).to_owned()
}

/// Returns the key, or the first of `key-2`, `key-3` and so on that is not in use.
fn find_unused_key(document: &Document, of: Keyed, key: &str) -> Option<String> {
    if !is_new_key(key) {
        return None;
    }
    let numbered = (2..).map(|number| format!("{key}-{number}"));
    std::iter::once(key.to_owned())
        .chain(numbered)
        .find(|candidate| !has_key(document, of, candidate))
}

fn rename_flag(document: &mut Document, old: &str, new: &str) {
    for flag in &mut document.flags {
        if flag.key == old {
            new.clone_into(&mut flag.key);
        }
        for prerequisite in &mut flag.prerequisites {
            if prerequisite.flag == old {
                new.clone_into(&mut prerequisite.flag);
            }
        }
    }
}

fn rename_experiment(document: &mut Document, old: &str, new: &str) {
    for rule in document.flags.iter_mut().flat_map(|flag| &mut flag.rules) {
        if let Serve::Experiment(experiment) = &mut rule.serve
            && experiment.key == old
        {
            new.clone_into(&mut experiment.key);
        }
    }
    for slot in document.layers.iter_mut().flat_map(|layer| &mut layer.slots) {
        if slot.experiment == old {
            new.clone_into(&mut slot.experiment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::import::unleash;
    use crate::flags::keys::malformed_keys;

    #[test]
    fn converts_keys_to_the_form_of_new_keys() {
        for (key, expected) in [
            ("New Checkout!", "new-checkout"),
            ("newCheckout", "new-checkout"),
            ("a/b c?d", "a-b-c-d"),
            ("Feature.A_b", "feature.a_b"),
            ("ABTest2Go", "abtest2-go"),
            ("夜間", ""),
        ] {
            assert_eq!(convert_key(key), expected, "{key}");
        }
        assert!(is_new_key(&convert_key(&"X y".repeat(100))));
    }

    #[test]
    fn renames_references_to_a_flag_and_lists_each_change() {
        let text = r#"{"version": 2, "features": [
            {"name": "newMap", "enabled": true, "strategies": [{"name": "default"}]},
            {"name": "new-map", "enabled": true, "strategies": [{"name": "default"}]},
            {"name": "夜間", "enabled": true, "strategies": [{"name": "default"}]},
            {"name": "Child Flag", "enabled": true, "strategies": [{"name": "default"}],
             "dependencies": [{"feature": "newMap"}]}
        ]}"#;
        let imported = unleash(text, "production").expect("a document of Unleash");
        let malformed = malformed_keys(&imported.document);
        assert_eq!(malformed.len(), 3);
        let before = imported.left_out.len();
        let Imported { document, left_out } =
            with_new_keys(imported, &malformed).expect("still valid");
        let keys: Vec<_> = document.flags.iter().map(|flag| flag.key.as_str()).collect();
        assert_eq!(keys, ["new-map-2", "new-map", "child-flag"]);
        assert_eq!(document.flags[2].prerequisites[0].flag, "new-map-2");
        assert_eq!(left_out.len(), before + 3, "{left_out:?}");
    }
}

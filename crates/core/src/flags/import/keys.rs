//! Keys of another service, in the form that new keys have here.

use super::Imported;
use super::finish::finish;
use super::report::SourcePointer;
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::{Document, Serve};
use crate::flags::keys::{Keyed, MalformedKey, has_key, is_new_key};

/// Converts these keys of the imported document, and lists each: code that asks for a flag must be
/// changed with it. A flag whose key has no letter to keep is left out.
///
/// # Errors
/// When the result would break a rule.
pub fn with_new_keys(
    imported: Imported,
    malformed: &[MalformedKey],
) -> Result<Imported, Vec<Diagnostic>> {
    let Imported { mut document, mut left_out } = imported;
    for MalformedKey { of, key, .. } in malformed {
        let (Keyed::Flag | Keyed::Experiment) = of else { continue };
        let noun = if *of == Keyed::Flag { "flag" } else { "experiment" };
        let converted = free(&document, *of, &converted(key));
        let reason = match (of, converted) {
            (Keyed::Flag, None) => {
                document.flags.retain(|flag| flag.key != *key);
                format!("the flag {key:?} is left out: no key could be made of its name")
            }
            (Keyed::Flag, Some(new)) => {
                rename_flag(&mut document, key, &new);
                format!(
                    "the flag {key:?} is called {new:?} here: code that asks for it must be changed"
                )
            }
            (_, new) => {
                let new = new.or_else(|| free(&document, *of, noun)).unwrap_or_default();
                rename_experiment(&mut document, key, &new);
                format!("the {noun} {key:?} is called {new:?} here")
            }
        };
        left_out.push(SourcePointer::default().left_out(reason));
    }
    finish(document, left_out)
}

/// `New Checkout` and `newCheckout` become `new-checkout`; empty when no ASCII letter or digit is left.
fn converted(key: &str) -> String {
    let mut new = String::with_capacity(key.len());
    let mut was_lower = false;
    for letter in key.chars() {
        if letter.is_ascii_uppercase() && was_lower {
            new.push('-');
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        match letter {
            it if it.is_ascii_alphanumeric() => new.push(it.to_ascii_lowercase()),
            '.' | '_' => new.push(letter),
            _ if new.ends_with('-') => {}
            _ => new.push('-'),
        }
    }
    // Room for the number of a second one of that name.
    new.truncate(90);
    new.trim_matches(['-', '.', '_']).to_owned()
}

/// The key, or the first of `key-2`, `key-3` and so on that nothing else has.
fn free(document: &Document, of: Keyed, key: &str) -> Option<String> {
    if !is_new_key(key) {
        return None;
    }
    let numbered = (2..).map(|number| format!("{key}-{number}"));
    std::iter::once(key.to_owned()).chain(numbered).find(|it| !has_key(document, of, it))
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
    fn a_key_keeps_what_it_can() {
        for (key, expected) in [
            ("New Checkout!", "new-checkout"),
            ("newCheckout", "new-checkout"),
            ("a/b c?d", "a-b-c-d"),
            ("Feature.A_b", "feature.a_b"),
            ("ABTest2Go", "abtest2-go"),
            ("夜間", ""),
        ] {
            assert_eq!(converted(key), expected, "{key}");
        }
        assert!(is_new_key(&converted(&"X y".repeat(100))));
    }

    #[test]
    fn what_depends_on_a_flag_follows_its_new_key_and_each_change_is_listed() {
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
        let keys: Vec<_> = document.flags.iter().map(|it| it.key.as_str()).collect();
        assert_eq!(keys, ["new-map-2", "new-map", "child-flag"]);
        assert_eq!(document.flags[2].prerequisites[0].flag, "new-map-2");
        assert_eq!(left_out.len(), before + 3, "{left_out:?}");
    }
}

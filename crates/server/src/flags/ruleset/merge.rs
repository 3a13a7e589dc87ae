//! Merges a change that was based on one version into a later version.

use std::fmt;

use musette_core::flags::{Diagnostic, Document, within_budget};

/// The reason why a change cannot be merged into the current version.
#[derive(Debug, Clone, PartialEq)]
pub enum Unmerged {
    /// Both sides changed the same objects, each named `section/key`.
    Both(Vec<String>),
    /// Both sides are valid, but the result is not.
    Invalid(Vec<Diagnostic>),
}

/// Applies the differences between `base` and `changed` to `current`. Whole objects are replaced,
/// because a mixture of two changes to one flag would be a flag that no author has written.
pub fn merge(
    base: &Document,
    current: &Document,
    changed: &Document,
) -> Result<Document, Unmerged> {
    let mut merged = current.clone();
    let mut both = Vec::new();
    macro_rules! section {
        ($list:ident, $key:ident) => {
            section(
                stringify!($list),
                &base.$list,
                &mut merged.$list,
                &changed.$list,
                |object| object.$key.as_str(),
                &mut both,
            )
        };
    }
    section!(attributes, name);
    section!(segments, key);
    section!(layers, key);
    section!(holdouts, key);
    section!(metrics, key);
    section!(flags, key);
    if changed.client_metrics != base.client_metrics {
        // There are only two values, so a concurrent change made the same change.
        merged.client_metrics = changed.client_metrics;
    }
    if !both.is_empty() {
        return Err(Unmerged::Both(both));
    }
    let text = merged.to_json();
    // No time limit: a change that is due must not be rejected because the machine is busy.
    within_budget(&text, || true).map_err(|error| Unmerged::Invalid(vec![error]))?;
    Document::parse(&text).map_err(Unmerged::Invalid)
}

fn section<T: Clone + PartialEq>(
    name: &str,
    base: &[T],
    merged: &mut Vec<T>,
    changed: &[T],
    key: fn(&T) -> &str,
    both: &mut Vec<String>,
) {
    let find = |list: &[T], name: &str| list.iter().find(|object| key(object) == name).cloned();
    let removed = base.iter().filter(|object| find(changed, key(object)).is_none());
    for object in removed.chain(changed).map(key) {
        let (before, after) = (find(base, object), find(changed, object));
        let at = merged.iter().position(|other| key(other) == object);
        let current = at.map(|at| &merged[at]);
        if before == after || current == after.as_ref() {
            continue;
        }
        if before.as_ref() != current {
            both.push(format!("{name}/{object}"));
            continue;
        }
        match (at, after) {
            (Some(at), Some(after)) => merged[at] = after,
            (Some(at), None) => drop(merged.remove(at)),
            (None, Some(after)) => merged.push(after),
            (None, None) => {}
        }
    }
}

impl fmt::Display for Unmerged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Both(objects) => {
                write!(f, "changed by someone else in the meantime: {}", objects.join(", "))
            }
            Self::Invalid(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                write!(f, "not valid together with later changes: {}", errors.join("; "))
            }
        }
    }
}

#[cfg(test)]
mod tests;

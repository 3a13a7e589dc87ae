//! A change that was made from one version, brought into a later one.

use std::fmt;

use musette_core::flags::{Diagnostic, Document, within_budget};

/// Why a change does not go into what is current.
#[derive(Debug, Clone, PartialEq)]
pub enum Unmerged {
    /// Changed on both sides, each named `section/key`.
    Both(Vec<String>),
    /// Each is right, together they are not.
    Faulty(Vec<Diagnostic>),
}

/// `current` with what differs between `base` and `changed`. Whole objects are taken or left: half of
/// one change and half of another would be a flag that nobody wrote.
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
                |it| it.$key.as_str(),
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
        // There are two values: whoever else changed it made the same change.
        merged.client_metrics = changed.client_metrics;
    }
    if !both.is_empty() {
        return Err(Unmerged::Both(both));
    }
    let text = merged.to_json();
    // Without the clock: a change must not be lost because the machine was busy when it was due.
    within_budget(&text, || true).map_err(|fault| Unmerged::Faulty(vec![fault]))?;
    Document::parse(&text).map_err(Unmerged::Faulty)
}

fn section<T: Clone + PartialEq>(
    name: &str,
    base: &[T],
    merged: &mut Vec<T>,
    changed: &[T],
    key: fn(&T) -> &str,
    both: &mut Vec<String>,
) {
    let find = |list: &[T], wanted: &str| list.iter().find(|it| key(it) == wanted).cloned();
    let removed = base.iter().filter(|it| find(changed, key(it)).is_none());
    for wanted in removed.chain(changed).map(key) {
        let (was, becomes) = (find(base, wanted), find(changed, wanted));
        let at = merged.iter().position(|it| key(it) == wanted);
        let is = at.map(|at| &merged[at]);
        if was == becomes || is == becomes.as_ref() {
            continue;
        }
        if was.as_ref() != is {
            both.push(format!("{name}/{wanted}"));
            continue;
        }
        match (at, becomes) {
            (Some(at), Some(becomes)) => merged[at] = becomes,
            (Some(at), None) => drop(merged.remove(at)),
            (None, Some(becomes)) => merged.push(becomes),
            (None, None) => {}
        }
    }
}

impl fmt::Display for Unmerged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Both(objects) => write!(f, "changed since then: {}", objects.join(", ")),
            Self::Faulty(faults) => {
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                write!(f, "with what was changed since then it is not valid: {}", faults.join("; "))
            }
        }
    }
}

#[cfg(test)]
mod tests;

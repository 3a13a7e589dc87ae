//! A change that was made from one version, brought into a later one.

use std::collections::BTreeSet;

use musette_core::flags::{Document, Fault};
use serde_json::Value;

use super::diff::{SECTIONS, objects, tree};

/// Why a change does not go into what is current.
#[derive(Debug, Clone, PartialEq)]
pub enum Unmerged {
    /// Changed on both sides, each named `section/key`.
    Both(Vec<String>),
    /// Each is right, together they are not.
    Faulty(Vec<Fault>),
}

/// `current` with what differs between `base` and `changed`. Whole objects are taken or left: half of
/// one change and half of another would be a flag that nobody wrote.
pub fn merge(
    base: &Document,
    current: &Document,
    changed: &Document,
) -> Result<Document, Unmerged> {
    let (base, ours, theirs) = (tree(base), tree(current), tree(changed));
    let mut merged = ours.clone();
    let mut both = Vec::new();
    for (section, name) in SECTIONS {
        let base = objects(&base, section, name);
        let ours = objects(&ours, section, name);
        let theirs = objects(&theirs, section, name);
        let keys: BTreeSet<&str> = base.keys().chain(theirs.keys()).copied().collect();
        let Some(list) = merged.get_mut(section).and_then(Value::as_array_mut) else { continue };
        for key in keys {
            let [was, is, becomes] = [&base, &ours, &theirs].map(|it| it.get(key).map(|it| it.1));
            if was == becomes || is == becomes {
                continue;
            }
            if was != is {
                both.push(format!("{section}/{key}"));
                continue;
            }
            let at = list.iter().position(|it| it[name] == key);
            match (at, becomes) {
                (Some(at), Some(becomes)) => list[at] = becomes.clone(),
                (Some(at), None) => drop(list.remove(at)),
                (None, Some(becomes)) => list.push(becomes.clone()),
                (None, None) => {}
            }
        }
    }
    if !both.is_empty() {
        return Err(Unmerged::Both(both));
    }
    Document::parse(&merged.to_string()).map_err(Unmerged::Faulty)
}

impl std::fmt::Display for Unmerged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

//! Compares two configurations object by object.

use std::collections::BTreeMap;

use crate::platform::closed_sets;
use musette_core::flags::Document;
use serde::Serialize;
use serde_json::{Map, Value};

/// The lists of a document, with the member that identifies their objects.
pub(super) const SECTIONS: [(&str, &str); 6] = [
    ("attributes", "name"),
    ("segments", "key"),
    ("layers", "key"),
    ("holdouts", "key"),
    ("metrics", "key"),
    ("flags", "key"),
];

/// The kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Added,
    Removed,
    Changed,
}

/// The default values of the settings of a document.
const SETTINGS: [(&str, Value); 1] = [("clientMetrics", Value::Bool(false))];

/// An object that differs between two configurations.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct ObjectDiff {
    /// The section of the configuration.
    #[schema(value_type = closed_sets::ConfigurationSection)]
    pub section: &'static str,
    /// The key of the object.
    pub key: String,
    /// The kind of difference.
    pub how: ChangeKind,
    /// The place in the newer document, or in the older one for a removed object: a JSON pointer.
    pub pointer: String,
    /// The values that differ. For an added or removed object: each of its members if this is a
    /// proposed change, and none if versions are compared.
    pub changes: Vec<ValueDiff>,
}

/// A value that differs between two configurations.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct ValueDiff {
    /// The place of the value: a JSON pointer from the root of the document.
    pub pointer: String,
    /// The older value. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub before: Option<Value>,
    /// The newer value. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub after: Option<Value>,
}

/// Returns the document as JSON, so that all members are compared, including those of a later
/// format.
pub fn tree(document: &Document) -> Value {
    serde_json::from_str(&document.to_json()).unwrap_or(Value::Null)
}

/// Returns the objects of a section by key, with their indexes.
fn objects<'a>(
    tree: &'a Value,
    section: &str,
    name: &str,
) -> BTreeMap<&'a str, (usize, &'a Value)> {
    let list = tree[section].as_array().map_or(&[][..], Vec::as_slice);
    let key = |object: &'a Value| object[name].as_str().unwrap_or_default();
    list.iter().enumerate().map(|(i, object)| (key(object), (i, object))).collect()
}

/// Compares two documents. The result is in the order of the document's sections, and sorted by
/// key.
pub fn diff(before: &Document, after: &Document) -> Vec<ObjectDiff> {
    compare(before, after, false)
}

/// Compares like [`diff`], but also lists the members of added and removed objects, for approvers.
pub fn diff_with_members(before: &Document, after: &Document) -> Vec<ObjectDiff> {
    compare(before, after, true)
}

fn compare(before: &Document, after: &Document, with_members: bool) -> Vec<ObjectDiff> {
    let nothing = Value::Object(Map::new());
    let members = |old: &Value, new: &Value, pointer: &str| {
        let mut changes = Vec::new();
        if with_members {
            values(old, new, pointer, &mut changes);
        }
        changes
    };
    let (before, after) = (tree(before), tree(after));
    let mut diffs = Vec::new();
    for (section, name) in SECTIONS {
        let (old, new) = (objects(&before, section, name), objects(&after, section, name));
        let mut keys: Vec<&str> = old.keys().chain(new.keys()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let pointer = |i: usize| format!("/{section}/{i}");
            let (how, pointer, changes) = match (old.get(key), new.get(key)) {
                (Some((_, old)), Some((_, new))) if old == new => continue,
                (Some((_, old)), Some((i, new))) => {
                    let mut changes = Vec::new();
                    values(old, new, &pointer(*i), &mut changes);
                    (ChangeKind::Changed, pointer(*i), changes)
                }
                (Some((i, old)), None) => {
                    (ChangeKind::Removed, pointer(*i), members(old, &nothing, &pointer(*i)))
                }
                (None, Some((i, new))) => {
                    (ChangeKind::Added, pointer(*i), members(&nothing, new, &pointer(*i)))
                }
                (None, None) => continue,
            };
            diffs.push(ObjectDiff { section, key: key.to_owned(), how, pointer, changes });
        }
    }
    diffs.extend(
        SETTINGS.iter().filter_map(|(name, default)| setting(&before, &after, name, default)),
    );
    diffs
}

/// Compares a setting of the document.
fn setting(before: &Value, after: &Value, name: &str, default: &Value) -> Option<ObjectDiff> {
    let of = |tree: &Value| tree.get(name).unwrap_or(default).clone();
    let (before, after) = (of(before), of(after));
    let pointer = format!("/{name}");
    let mut changes = Vec::new();
    values(&before, &after, &pointer, &mut changes);
    (!changes.is_empty()).then(|| ObjectDiff {
        section: "settings",
        key: name.to_owned(),
        how: ChangeKind::Changed,
        pointer,
        changes,
    })
}

fn values(before: &Value, after: &Value, pointer: &str, changes: &mut Vec<ValueDiff>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(old), Value::Object(new)) => {
            let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                optional_values(old.get(name), new.get(name), &pointer, changes);
            }
        }
        (Value::Array(old), Value::Array(new)) => lists(old, new, pointer, changes),
        _ => whole_values(Some(before), Some(after), pointer, changes),
    }
}

fn optional_values(
    before: Option<&Value>,
    after: Option<&Value>,
    pointer: &str,
    changes: &mut Vec<ValueDiff>,
) {
    match (before, after) {
        (Some(before), Some(after)) => values(before, after, pointer, changes),
        _ => whole_values(before, after, pointer, changes),
    }
}

fn whole_values(
    before: Option<&Value>,
    after: Option<&Value>,
    pointer: &str,
    changes: &mut Vec<ValueDiff>,
) {
    let (before, after) = (before.cloned(), after.cloned());
    changes.push(ValueDiff { pointer: pointer.to_owned(), before, after });
}

/// Compares two lists. Rules and variations are matched by their IDs, so that an insertion at the
/// front does not mark the following ones as changed. A changed order is a separate difference.
fn lists(old: &[Value], new: &[Value], pointer: &str, changes: &mut Vec<ValueDiff>) {
    let (Some(old_ids), Some(new_ids)) = (ids(old), ids(new)) else {
        for i in 0..old.len().max(new.len()) {
            optional_values(old.get(i), new.get(i), &format!("{pointer}/{i}"), changes);
        }
        return;
    };
    for (i, id) in old_ids.iter().enumerate() {
        if !new_ids.contains(id) {
            whole_values(old.get(i), None, &format!("{pointer}/{i}"), changes);
        }
    }
    for (i, id) in new_ids.iter().enumerate() {
        let was = old_ids.iter().position(|other| other == id).and_then(|i| old.get(i));
        optional_values(was, new.get(i), &format!("{pointer}/{i}"), changes);
    }
    let common = |ids: &[&str], others: &[&str]| {
        let common: Vec<Value> =
            ids.iter().filter(|id| others.contains(id)).map(|id| Value::from(*id)).collect();
        Value::from(common)
    };
    let (old_order, new_order) = (common(&old_ids, &new_ids), common(&new_ids, &old_ids));
    if old_order != new_order {
        whole_values(Some(&old_order), Some(&new_order), pointer, changes);
    }
}

/// Returns the `id` or `key` of each element, if all elements have a unique one.
fn ids(list: &[Value]) -> Option<Vec<&str>> {
    let ids: Option<Vec<&str>> = list
        .iter()
        .map(|element| element.get("id").or_else(|| element.get("key"))?.as_str())
        .collect();
    let mut unique = std::collections::HashSet::new();
    ids.filter(|ids| ids.iter().all(|id| unique.insert(*id)))
}

/// Returns whether the only differences are flags that are switched off.
pub fn only_switches_off(before: &Document, after: &Document) -> bool {
    let mut expected = before.clone();
    for flag in &mut expected.flags {
        let after = after.flags.iter().find(|other| other.key == flag.key);
        flag.on = flag.on && after.is_none_or(|after| after.on);
    }
    expected.flags == after.flags && {
        expected.flags.clone_from(&after.flags);
        expected.environment.clone_from(&after.environment);
        expected.version = after.version;
        expected == *after
    }
}

#[cfg(test)]
pub(super) mod tests;

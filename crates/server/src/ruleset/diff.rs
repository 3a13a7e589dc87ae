//! Differences between two configurations, object by object.

use std::collections::BTreeMap;

use crate::closed_sets;
use musette_core::flags::Document;
use serde::Serialize;
use serde_json::{Map, Value};

/// The lists of a document, and by which member their objects are known.
const SECTIONS: [(&str, &str); 6] = [
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

/// Defaults of a whole document.
const SETTINGS: [(&str, Value); 1] = [("clientMetrics", Value::Bool(false))];

/// An object of a configuration that differs.
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

/// A value that differs.
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

/// The document as a JSON tree, so that every member is compared, also one of a later version.
fn tree(document: &Document) -> Value {
    serde_json::from_str(&document.to_json()).unwrap_or(Value::Null)
}

/// The objects of a section by their keys, with their places.
fn objects<'a>(
    tree: &'a Value,
    section: &str,
    name: &str,
) -> BTreeMap<&'a str, (usize, &'a Value)> {
    let list = tree[section].as_array().map_or(&[][..], Vec::as_slice);
    let key = |it: &'a Value| it[name].as_str().unwrap_or_default();
    list.iter().enumerate().map(|(i, it)| (key(it), (i, it))).collect()
}

/// In order of the document's sections, and of keys.
pub fn diff(before: &Document, after: &Document) -> Vec<ObjectDiff> {
    compare(before, after, false)
}

/// [`diff`] that also lists the members of added and removed objects, for whoever approves the change.
pub fn diff_with_members(before: &Document, after: &Document) -> Vec<ObjectDiff> {
    compare(before, after, true)
}

fn compare(before: &Document, after: &Document, with_members: bool) -> Vec<ObjectDiff> {
    let nothing = Value::Object(Map::new());
    let members = |old: &Value, new: &Value, pointer: &str| {
        let mut found = Vec::new();
        if with_members {
            values(old, new, pointer, &mut found);
        }
        found
    };
    let (before, after) = (tree(before), tree(after));
    let mut found = Vec::new();
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
            found.push(ObjectDiff { section, key: key.to_owned(), how, pointer, changes });
        }
    }
    found.extend(
        SETTINGS.iter().filter_map(|(name, unsaid)| setting(&before, &after, name, unsaid)),
    );
    found
}

/// A member of the document itself.
fn setting(before: &Value, after: &Value, name: &str, unsaid: &Value) -> Option<ObjectDiff> {
    let of = |tree: &Value| tree.get(name).unwrap_or(unsaid).clone();
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

fn values(before: &Value, after: &Value, pointer: &str, found: &mut Vec<ValueDiff>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(old), Value::Object(new)) => {
            let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                either(old.get(name), new.get(name), &pointer, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => lists(old, new, pointer, found),
        _ => either_whole(Some(before), Some(after), pointer, found),
    }
}

fn either(
    before: Option<&Value>,
    after: Option<&Value>,
    pointer: &str,
    found: &mut Vec<ValueDiff>,
) {
    match (before, after) {
        (Some(before), Some(after)) => values(before, after, pointer, found),
        _ => either_whole(before, after, pointer, found),
    }
}

fn either_whole(
    before: Option<&Value>,
    after: Option<&Value>,
    pointer: &str,
    found: &mut Vec<ValueDiff>,
) {
    let (before, after) = (before.cloned(), after.cloned());
    found.push(ValueDiff { pointer: pointer.to_owned(), before, after });
}

/// Rules and variations are followed by their ids, so that one that was put in front does not make all
/// behind it look changed; that their order is another is then a difference of its own.
fn lists(old: &[Value], new: &[Value], pointer: &str, found: &mut Vec<ValueDiff>) {
    let (Some(old_ids), Some(new_ids)) = (ids(old), ids(new)) else {
        for i in 0..old.len().max(new.len()) {
            either(old.get(i), new.get(i), &format!("{pointer}/{i}"), found);
        }
        return;
    };
    for (i, id) in old_ids.iter().enumerate() {
        if !new_ids.contains(id) {
            either_whole(old.get(i), None, &format!("{pointer}/{i}"), found);
        }
    }
    for (i, id) in new_ids.iter().enumerate() {
        let was = old_ids.iter().position(|it| it == id).and_then(|i| old.get(i));
        either(was, new.get(i), &format!("{pointer}/{i}"), found);
    }
    let stayed = |ids: &[&str], others: &[&str]| {
        let stayed: Vec<Value> =
            ids.iter().filter(|it| others.contains(it)).map(|it| Value::from(*it)).collect();
        Value::from(stayed)
    };
    let (old_order, new_order) = (stayed(&old_ids, &new_ids), stayed(&new_ids, &old_ids));
    if old_order != new_order {
        either_whole(Some(&old_order), Some(&new_order), pointer, found);
    }
}

/// By `id` or `key`, when every element has one of its own.
fn ids(list: &[Value]) -> Option<Vec<&str>> {
    let id = |it: &'_ Value| -> Option<String> {
        it.get("id").or_else(|| it.get("key"))?.as_str().map(str::to_owned)
    };
    let mut seen = std::collections::HashSet::new();
    let all_own = list.iter().all(|it| id(it).is_some_and(|id| seen.insert(id)));
    all_own.then(|| {
        let text = |it| Value::as_str(it);
        list.iter().filter_map(|it| it.get("id").or_else(|| it.get("key")).and_then(text)).collect()
    })
}

/// Whether nothing but switches differ, each turned off.
pub fn only_switches_off(before: &Document, after: &Document) -> bool {
    let mut expected = before.clone();
    for flag in &mut expected.flags {
        let after = after.flags.iter().find(|it| it.key == flag.key);
        flag.on = flag.on && after.is_none_or(|it| it.on);
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

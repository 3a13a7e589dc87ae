//! Determines which objects each version of a configuration has changed. This is stored with the
//! version, so that a history can be listed without its documents.

use std::collections::HashMap;

use musette_core::flags::Document;
use musette_store::{ChangedObject, Store, StoreError};
use serde::Serialize;
use serde_json::Value;

use super::reading::{ParseOrder, reading};
use super::saving::at_version;

/// The number of versions that are read at once.
const VERSIONS_PER_READ: i64 = 50;

/// Returns the objects of `after` that differ from those of `before`.
pub fn changed_objects(before: &Document, after: &Document) -> Vec<ChangedObject> {
    let mut objects = Vec::new();
    macro_rules! section {
        ($list:ident, $key:ident) => {
            section(
                stringify!($list),
                &before.$list,
                &after.$list,
                |object| object.$key.as_str(),
                &mut objects,
            )
        };
    }
    section!(attributes, name);
    section!(segments, key);
    section!(layers, key);
    section!(holdouts, key);
    section!(metrics, key);
    section!(flags, key);
    if before.client_metrics != after.client_metrics {
        objects.push(changed_object("settings", "clientMetrics", "changed", Vec::new()));
    }
    objects
}

fn section<T: PartialEq + Serialize>(
    name: &str,
    before: &[T],
    after: &[T],
    key: fn(&T) -> &str,
    objects: &mut Vec<ChangedObject>,
) {
    let mut old: HashMap<&str, &T> = before.iter().map(|object| (key(object), object)).collect();
    for new in after {
        match old.remove(key(new)) {
            None => objects.push(changed_object(name, key(new), "added", Vec::new())),
            Some(before) if before == new => {}
            Some(before) => objects.push(of_members(name, key(new), before, new)),
        }
    }
    let removed = before.iter().map(key).filter(|key| old.contains_key(key));
    objects.extend(removed.map(|key| changed_object(name, key, "removed", Vec::new())));
}

/// Compares the members of an object. If only the switch of a flag differs, the change is
/// `switched_on` or `switched_off`.
fn of_members<T: Serialize>(section: &str, key: &str, before: &T, after: &T) -> ChangedObject {
    let tree = |object: &T| serde_json::to_value(object).unwrap_or(Value::Null);
    let (before, after) = (tree(before), tree(after));
    let members = |object: &Value| -> Vec<String> {
        object.as_object().into_iter().flat_map(|members| members.keys().cloned()).collect()
    };
    let mut fields = [members(&before), members(&after)].concat();
    fields.sort_unstable();
    fields.dedup();
    fields.retain(|field| before.get(field) != after.get(field));
    match (fields.as_slice(), after["on"].as_bool()) {
        ([only], Some(true)) if only == "on" => {
            changed_object(section, key, "switched_on", Vec::new())
        }
        ([only], Some(false)) if only == "on" => {
            changed_object(section, key, "switched_off", Vec::new())
        }
        _ => changed_object(section, key, "changed", fields),
    }
}

fn changed_object(section: &str, key: &str, change: &str, fields: Vec<String>) -> ChangedObject {
    ChangedObject {
        section: section.to_owned(),
        key: key.to_owned(),
        change: change.to_owned(),
        fields: fields.join(" "),
    }
}

/// Describes versions that an earlier version of the program saved without a history. A version
/// that cannot be read is described as changing nothing, so that it is not tried again.
pub async fn describe_older(store: &Store) -> Result<(), StoreError> {
    loop {
        let versions = store.flag_versions_without_objects(VERSIONS_PER_READ).await?;
        if versions.is_empty() {
            return Ok(());
        }
        for (environment, version) in versions {
            let before = at_version(store, ParseOrder::Queued, &environment, version - 1).await;
            let after = at_version(store, ParseOrder::Queued, &environment, version).await;
            let objects = match (before, after) {
                (Ok(Some(before)), Ok(Some(after))) => {
                    reading(ParseOrder::Queued, move || changed_objects(&before, &after)).await?
                }
                (Err(error), _) | (_, Err(error)) if error.is_unavailable() => return Err(error),
                _ => Vec::new(),
            };
            store.store_flag_version_objects(&environment, version, &objects).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use musette_core::flags::Document;

    use super::{ChangedObject, changed_objects};
    use crate::flags::ruleset::diff::tests::{document, flag};

    fn describe_changes(before: &Document, after: &Document) -> Vec<String> {
        let objects = changed_objects(before, after).into_iter();
        objects
            .map(|object| {
                let ChangedObject { change, section, key, fields } = object;
                format!("{change} {section}/{key} {fields}")
            })
            .collect()
    }

    #[test]
    fn describes_each_changed_object_once() {
        let before = document(vec![flag("a"), flag("b")]);
        assert_eq!(describe_changes(&before, &before), [""; 0]);
        let mut after = document(vec![flag("b"), flag("new"), flag("a")]);
        after.flags[2].on = false;
        assert_eq!(
            describe_changes(&before, &after),
            ["added flags/new ", "switched_off flags/a "]
        );
        assert_eq!(
            describe_changes(&after, &before),
            ["switched_on flags/a ", "removed flags/new "]
        );
        after.flags[2].owner = Some("somebody".to_owned());
        assert_eq!(describe_changes(&before, &after)[1], "changed flags/a on owner");
        after.client_metrics = true;
        assert_eq!(describe_changes(&before, &after)[2], "changed settings/clientMetrics ");
    }
}

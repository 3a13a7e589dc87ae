//! What a version of a configuration changed, as its history lists it: kept beside the version, so that
//! a history is read without its documents.

use std::collections::HashMap;

use musette_core::flags::Document;
use musette_store::{ChangedObject, Store, StoreError};
use serde::Serialize;
use serde_json::Value;

use super::reading::{Turn, reading};
use super::saving::at_version;

/// Versions that are described in one go.
const AT_ONCE: i64 = 50;

/// The objects of `after` that differ from those of `before`.
pub fn changed_objects(before: &Document, after: &Document) -> Vec<ChangedObject> {
    let mut found = Vec::new();
    macro_rules! section {
        ($list:ident, $key:ident) => {
            section(
                stringify!($list),
                &before.$list,
                &after.$list,
                |it| it.$key.as_str(),
                &mut found,
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
        found.push(changed("settings", "clientMetrics", "changed", Vec::new()));
    }
    found
}

fn section<T: PartialEq + Serialize>(
    name: &str,
    before: &[T],
    after: &[T],
    key: fn(&T) -> &str,
    found: &mut Vec<ChangedObject>,
) {
    let mut old: HashMap<&str, &T> = before.iter().map(|it| (key(it), it)).collect();
    for is in after {
        match old.remove(key(is)) {
            None => found.push(changed(name, key(is), "added", Vec::new())),
            Some(was) if was == is => {}
            Some(was) => found.push(of_members(name, key(is), was, is)),
        }
    }
    let removed = before.iter().map(key).filter(|it| old.contains_key(it));
    found.extend(removed.map(|key| changed(name, key, "removed", Vec::new())));
}

/// A flag of which nothing but its switch differs was switched.
fn of_members<T: Serialize>(section: &str, key: &str, was: &T, is: &T) -> ChangedObject {
    let tree = |it: &T| serde_json::to_value(it).unwrap_or(Value::Null);
    let (was, is) = (tree(was), tree(is));
    let members = |it: &Value| -> Vec<String> {
        it.as_object().into_iter().flat_map(|it| it.keys().cloned()).collect()
    };
    let mut fields = [members(&was), members(&is)].concat();
    fields.sort_unstable();
    fields.dedup();
    fields.retain(|it| was.get(it) != is.get(it));
    match (fields.as_slice(), is["on"].as_bool()) {
        ([only], Some(true)) if only == "on" => changed(section, key, "switched_on", Vec::new()),
        ([only], Some(false)) if only == "on" => changed(section, key, "switched_off", Vec::new()),
        _ => changed(section, key, "changed", fields),
    }
}

fn changed(section: &str, key: &str, change: &str, fields: Vec<String>) -> ChangedObject {
    ChangedObject {
        section: section.to_owned(),
        key: key.to_owned(),
        change: change.to_owned(),
        fields: fields.join(" "),
    }
}

/// Describes versions that were saved without it: by a version of the program that kept no history. One
/// that nobody can read any more is described as changing nothing.
pub async fn describe_older(store: &Store) -> Result<(), StoreError> {
    loop {
        let versions = store.flag_versions_without_objects(AT_ONCE).await?;
        if versions.is_empty() {
            return Ok(());
        }
        for (environment, version) in versions {
            let before = at_version(store, Turn::Queued, &environment, version - 1).await;
            let after = at_version(store, Turn::Queued, &environment, version).await;
            let objects = match (before, after) {
                (Ok(Some(before)), Ok(Some(after))) => {
                    reading(Turn::Queued, move || changed_objects(&before, &after)).await?
                }
                (Err(error), _) | (_, Err(error)) if error.is_unavailable() => return Err(error),
                _ => Vec::new(),
            };
            store.keep_flag_version_objects(&environment, version, &objects).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use musette_core::flags::Document;

    use super::changed_objects;
    use crate::ruleset::diff::tests::{document, flag};

    fn told(before: &Document, after: &Document) -> Vec<String> {
        let objects = changed_objects(before, after).into_iter();
        objects.map(|it| format!("{} {}/{} {}", it.change, it.section, it.key, it.fields)).collect()
    }

    #[test]
    fn each_object_is_told_once_and_a_switch_as_what_it_is() {
        let before = document(vec![flag("a"), flag("b")]);
        assert_eq!(told(&before, &before), [""; 0]);
        let mut after = document(vec![flag("b"), flag("new"), flag("a")]);
        after.flags[2].on = false;
        assert_eq!(told(&before, &after), ["added flags/new ", "switched_off flags/a "]);
        assert_eq!(told(&after, &before), ["switched_on flags/a ", "removed flags/new "]);
        after.flags[2].owner = Some("somebody".to_owned());
        assert_eq!(told(&before, &after)[1], "changed flags/a on owner");
        after.client_metrics = true;
        assert_eq!(told(&before, &after)[2], "changed settings/clientMetrics ");
    }
}

//! Merges a change that was based on one version into a later version: object by object, within an
//! object member by member, and in a list of rules or variations element by element.
//!
//! A person who reviews the result may combine two changes of one flag. A scheduled or proposed
//! change, whose result is not reviewed again, fails if both sides changed the same object.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use musette_core::flags::{Diagnostic, Document, within_budget};
use serde::Serialize;
use serde_json::{Map, Value};

use super::diff::{SECTIONS, tree};
use crate::platform::closed_sets;

/// The reason why a change cannot be merged into the current version.
#[derive(Debug, Clone, PartialEq)]
pub enum Unmerged {
    /// Both sides changed the same objects, each named `section/key`.
    Both(Vec<String>),
    /// Both sides are valid, but the result is not.
    Invalid(Vec<Diagnostic>),
}

/// An object, or a part of one, that both sides have changed.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct MergeConflict {
    /// The section of the configuration.
    #[schema(value_type = closed_sets::ConfigurationSection)]
    pub section: &'static str,
    /// The key of the object.
    pub key: String,
    /// The member, or the list and the identifier of its element: `rules/r1`. Empty if one side has
    /// added or removed the object.
    pub part: String,
    /// The object before both changes. Absent if it did not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Map<String, Value>>)]
    pub base: Option<Value>,
    /// The object with only this part of the current version. Absent if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Map<String, Value>>)]
    pub theirs: Option<Value>,
    /// The object with only this part of the new change. Absent if it is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Map<String, Value>>)]
    pub mine: Option<Value>,
}

/// Two changes in one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    pub document: Value,
    /// What both sides changed differently. The document has the current version's side of each,
    /// unless the caller chose the other.
    pub conflicts: Vec<MergeConflict>,
    /// The objects that both sides changed, each named `section/key`.
    pub both: Vec<String>,
}

/// Applies the differences between `base` and `changed` to `current`, without a review: only if no
/// object was changed by both.
pub fn merge(
    base: &Document,
    current: &Document,
    changed: &Document,
) -> Result<Document, Unmerged> {
    let [base, current, changed] = [base, current, changed].map(tree);
    let Merged { document, both, .. } = combine(&base, current, &changed, &HashSet::new());
    if !both.is_empty() {
        return Err(Unmerged::Both(both));
    }
    let text = document.to_string();
    // No time limit: a change that is due must not be rejected because the machine is busy.
    within_budget(&text, || true).map_err(|error| Unmerged::Invalid(vec![error]))?;
    Document::parse(&text).map_err(Unmerged::Invalid)
}

/// Applies the differences between `base` and `changed` to `current`. `mine` has the conflicts, each
/// `section/key/part`, of which the side of `changed` is taken. None of the documents needs to be valid.
pub fn combine(base: &Value, current: Value, changed: &Value, mine: &HashSet<String>) -> Merged {
    let mut document = current;
    let (mut conflicts, mut both) = (Vec::new(), Vec::new());
    for (section, name) in SECTIONS {
        let of = |tree: &Value| objects(&tree[section], name);
        let (was, own, mut result) = (of(base), of(changed), of(&document));
        for key in names([&was, &own]) {
            let [a, b, c] = [&was, &result, &own].map(|list| list.get(&key).cloned());
            if a == c || b == c {
                continue;
            }
            if a != b {
                both.push(format!("{section}/{key}"));
            }
            let mut place = Place { section, key: &key, mine, conflicts: &mut conflicts };
            let chosen = match [&a, &b, &c] {
                [Some(a), Some(b), Some(c)] => Some(place.object([a, b, c])),
                _ if a == b => c,
                sides => place.choose(String::new(), sides.map(Option::as_ref), whole),
            };
            result.set(key, chosen);
        }
        // A document without metrics keeps omitting the member.
        if !result.0.is_empty() || document.get(section).is_some() {
            document[section] = result.0.into_iter().map(|(_, object)| object).collect();
        }
    }
    let [was, own] =
        [base, changed].map(|tree| tree["clientMetrics"].as_bool().unwrap_or_default());
    if was != own {
        // There are only two values, so a concurrent change made the same change.
        document["clientMetrics"] = own.into();
    }
    Merged { document, conflicts, both }
}

/// Values by their identifiers, in their order.
struct Named(Vec<(String, Value)>);

impl Named {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Replaces a value at its place, adds a new one at the end, or removes it.
    fn set(&mut self, name: String, value: Option<Value>) {
        match (self.0.iter().position(|(other, _)| *other == name), value) {
            (Some(at), Some(value)) => self.0[at].1 = value,
            (Some(at), None) => drop(self.0.remove(at)),
            (None, Some(value)) => self.0.push((name, value)),
            (None, None) => {}
        }
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name)
    }
}

fn names<const N: usize>(lists: [&Named; N]) -> Vec<String> {
    let mut unique = HashSet::new();
    let all = lists.into_iter().flat_map(Named::names);
    all.filter(|name| unique.insert(*name)).cloned().collect()
}

fn objects(section: &Value, name: &str) -> Named {
    let list = section.as_array().map_or(&[][..], Vec::as_slice);
    let key = |object: &Value| object[name].as_str().unwrap_or_default().to_owned();
    Named(list.iter().map(|object| (key(object), object.clone())).collect())
}

/// Returns the elements of a list by what identifies them: a rule's id, a variation's key, or the
/// person of an override. None if it is no list, or they are not unique.
fn elements(list: Option<&Value>) -> Option<Named> {
    let name = |element: &Value| {
        let unit = element["unit"].as_str();
        let members: &[&str] =
            if unit.is_some() { &["id"] } else { &["id", "key", "flag", "experiment"] };
        let name = members.iter().find_map(|member| element.get(member))?.as_str()?;
        Some(unit.map_or_else(|| name.to_owned(), |unit| format!("{unit} {name}")))
    };
    let list = list?.as_array()?;
    let named: Option<Vec<_>> =
        list.iter().map(|element| Some((name(element)?, element.clone()))).collect();
    let mut unique = HashSet::new();
    named.filter(|all| all.iter().all(|(name, _)| unique.insert(name.clone()))).map(Named)
}

/// Returns the identifiers of all elements in the changed order. None if both sides changed it.
fn order([base, theirs, mine]: [&Named; 3]) -> Option<Vec<String>> {
    let [was, there, here] = [base, theirs, mine].map(|side| -> Vec<&String> {
        let is_common = |name: &&String| [base, theirs, mine].iter().all(|s| s.get(name).is_some());
        side.names().filter(is_common).collect()
    });
    let is_mine = was != here;
    if is_mine && was != there && here != there {
        return None;
    }
    let (first, second) = if is_mine { (mine, theirs) } else { (theirs, mine) };
    let mut order: Vec<String> = first.names().cloned().collect();
    // Each element of the other side is inserted after its predecessor there.
    let mut next = 0;
    for name in second.names() {
        match order.iter().position(|other| other == name) {
            Some(at) => next = at + 1,
            None => {
                order.insert(next, name.clone());
                next += 1;
            }
        }
    }
    Some(order)
}

/// An object that one side added or removed is chosen as a whole.
fn whole(object: Option<&Value>) -> Option<Value> {
    object.cloned()
}

/// Returns the value that only one side changed, or that both changed equally. None for a conflict.
fn pick([base, theirs, mine]: [Option<&Value>; 3]) -> Option<Option<&Value>> {
    if base == mine || theirs == mine {
        return Some(theirs);
    }
    (base == theirs).then_some(mine)
}

/// An object that both sides changed.
struct Place<'a> {
    section: &'static str,
    key: &'a str,
    mine: &'a HashSet<String>,
    conflicts: &'a mut Vec<MergeConflict>,
}

impl Place<'_> {
    fn object(&mut self, objects: [&Value; 3]) -> Value {
        let members = objects.map(|object| object.as_object());
        let names: BTreeSet<&String> = members.into_iter().flatten().flat_map(Map::keys).collect();
        let mut merged = Map::new();
        for name in names {
            let values = objects.map(|object| object.get(name));
            let value = match pick(values) {
                Some(value) => value.cloned(),
                None => self.member(objects[0], name, values),
            };
            merged.extend(value.map(|value| (name.clone(), value)));
        }
        Value::Object(merged)
    }

    fn member(&mut self, base: &Value, name: &str, values: [Option<&Value>; 3]) -> Option<Value> {
        let with = |value: Option<&Value>| {
            let mut object = base.clone();
            let members = object.as_object_mut()?;
            match value {
                Some(value) => members.insert(name.to_owned(), value.clone()),
                None => members.remove(name),
            };
            Some(object)
        };
        let [Some(a), Some(b), Some(c)] = values.map(elements) else {
            return self.choose_with_base(base, name.to_owned(), values, with);
        };
        let Some(order) = order([&a, &b, &c]) else {
            return self.choose_with_base(base, name.to_owned(), values, with);
        };
        let chosen = order.into_iter().filter_map(|element| {
            let each = [&a, &b, &c].map(|side| side.get(&element));
            match pick(each) {
                Some(value) => value.cloned(),
                None => self.choose_with_base(base, format!("{name}/{element}"), each, |value| {
                    let mut list = Named(a.0.clone());
                    list.set(element.clone(), value.cloned());
                    with(Some(&list.0.into_iter().map(|(_, value)| value).collect()))
                }),
            }
        });
        Some(chosen.collect())
    }

    /// Records a conflict within an object that all three sides have.
    fn choose_with_base(
        &mut self,
        base: &Value,
        part: String,
        values: [Option<&Value>; 3],
        alone: impl Fn(Option<&Value>) -> Option<Value>,
    ) -> Option<Value> {
        let chosen = self.choose(part, values, alone);
        if let Some(conflict) = self.conflicts.last_mut() {
            conflict.base = Some(base.clone());
        }
        chosen
    }

    /// Records a conflict, and returns the value of the chosen side.
    fn choose(
        &mut self,
        part: String,
        [base, theirs, mine]: [Option<&Value>; 3],
        alone: impl Fn(Option<&Value>) -> Option<Value>,
    ) -> Option<Value> {
        let is_mine = self.mine.contains(&format!("{}/{}/{part}", self.section, self.key));
        self.conflicts.push(MergeConflict {
            section: self.section,
            key: self.key.to_owned(),
            part,
            base: base.cloned(),
            theirs: alone(theirs),
            mine: alone(mine),
        });
        if is_mine { mine.cloned() } else { theirs.cloned() }
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

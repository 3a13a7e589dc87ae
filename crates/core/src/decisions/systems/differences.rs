//! The differences between two versions of a description, for people who compare them.

use std::collections::BTreeSet;

use super::{SystemDefinition, SystemParameter, SystemText};

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemChange {
    /// The member, such as `purpose`, `parameters.weight` or `texts.de.name`.
    pub field: String,
    /// The item of a list: the name of a parameter, or a category of data.
    pub item: Option<String>,
    /// The text before. `None`: it was added.
    pub before: Option<String>,
    /// The text after. `None`: it was removed.
    pub after: Option<String>,
}

/// An item of a list, and its text.
type Item<'a> = (&'a str, String);

#[derive(Default)]
struct Changes(Vec<SystemChange>);

impl Changes {
    fn add(&mut self, field: &str, item: Option<&str>, before: Option<&str>, after: Option<&str>) {
        if before != after {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let (field, item) = (field.to_owned(), owned(item));
            self.0.push(SystemChange { field, item, before: owned(before), after: owned(after) });
        }
    }

    /// Compares lists of texts.
    fn values(&mut self, field: &str, before: &[String], after: &[String]) {
        for text in before.iter().filter(|text| !after.contains(text)) {
            self.add(field, None, Some(text), None);
        }
        for text in after.iter().filter(|text| !before.contains(text)) {
            self.add(field, None, None, Some(text));
        }
        self.order(field, before, after);
    }

    /// Compares lists whose items have names. A name may occur several times with other texts.
    fn items(&mut self, field: &str, before: &[Item<'_>], after: &[Item<'_>]) {
        let names: BTreeSet<&str> = before.iter().chain(after).map(|(name, _)| *name).collect();
        for name in names {
            let without = |all: &[Item<'_>], other: &[Item<'_>]| -> Vec<String> {
                let own = all.iter().filter(|item| item.0 == name && !other.contains(item));
                own.map(|(_, text)| text.clone()).collect()
            };
            let (removed, added) = (without(before, after), without(after, before));
            if let ([old], [new]) = (&removed[..], &added[..]) {
                self.add(field, Some(name), Some(old), Some(new));
                continue;
            }
            for text in &removed {
                self.add(field, Some(name), Some(text), None);
            }
            for text in &added {
                self.add(field, Some(name), None, Some(text));
            }
        }
        let names = |all: &[Item<'_>]| all.iter().map(|(name, _)| (*name).to_owned()).collect();
        let (before, after): (Vec<String>, Vec<String>) = (names(before), names(after));
        self.order(field, &before, &after);
    }

    /// Reports another order of the same items.
    fn order(&mut self, field: &str, before: &[String], after: &[String]) {
        let sorted = |all: &[String]| {
            let mut all = all.to_vec();
            all.sort_unstable();
            all
        };
        if sorted(before) == sorted(after) {
            self.add(field, None, Some(&before.join(", ")), Some(&after.join(", ")));
        }
    }

    /// Compares the weights of parameters that both versions have.
    fn weights(&mut self, before: &[SystemParameter], after: &[SystemParameter]) {
        for old in before {
            let Some(new) = after.iter().find(|new| new.name == old.name) else { continue };
            let (old_weight, new_weight) = (old.weight.as_str(), new.weight.as_str());
            self.add("parameters.weight", Some(&old.name), Some(old_weight), Some(new_weight));
        }
    }

    fn text(
        &mut self,
        tag: &str,
        (before, old): (&SystemDefinition, Option<&SystemText>),
        (after, new): (&SystemDefinition, Option<&SystemText>),
    ) {
        let prefix = format!("texts.{tag}");
        let (Some(old), Some(new)) = (old, new) else {
            let name =
                |text: Option<&SystemText>| text.map(|text| text.name.clone().unwrap_or_default());
            return self.add(&prefix, None, name(old).as_deref(), name(new).as_deref());
        };
        for (member, old, new) in [
            ("name", &old.name, &new.name),
            ("purpose", &old.purpose, &new.purpose),
            ("human_oversight", &old.human_oversight, &new.human_oversight),
        ] {
            self.add(&format!("{prefix}.{member}"), None, old.as_deref(), new.as_deref());
        }
        let old_items = [data_items(before, old), parameter_items(before, old)];
        let new_items = [data_items(after, new), parameter_items(after, new)];
        for ((member, old), new) in ["data", "parameters"].iter().zip(&old_items).zip(&new_items) {
            self.items(&format!("{prefix}.{member}"), old, new);
        }
        let decisions = |text: &SystemText| text.decisions.clone().unwrap_or_default();
        self.values(&format!("{prefix}.decisions"), &decisions(old), &decisions(new));
    }
}

/// Returns the translated data, named by the category in the description.
fn data_items<'a>(definition: &'a SystemDefinition, text: &SystemText) -> Vec<Item<'a>> {
    let translated = text.data.iter().flatten();
    let named = definition.data.iter().zip(translated);
    named
        .map(|(own, text)| (own.category.as_str(), format!("{}: {}", text.category, text.source)))
        .collect()
}

/// Returns the translated parameters, named by the parameter in the description.
fn parameter_items<'a>(definition: &'a SystemDefinition, text: &SystemText) -> Vec<Item<'a>> {
    let translated = text.parameters.iter().flatten();
    let named = definition.parameters.iter().zip(translated);
    named
        .map(|(own, text)| (own.name.as_str(), format!("{}: {}", text.name, text.description)))
        .collect()
}

/// Returns the differences between two descriptions of a system, in the order of the members.
pub fn differences(before: &SystemDefinition, after: &SystemDefinition) -> Vec<SystemChange> {
    let mut changes = Changes::default();
    changes.add("name", None, Some(&before.name), Some(&after.name));
    changes.add("purpose", None, Some(&before.purpose), Some(&after.purpose));
    changes.add("kind", None, Some(before.kind.as_str()), Some(after.kind.as_str()));
    changes.add("locale", None, before.locale.as_deref(), after.locale.as_deref());
    changes.values("markets", &before.markets, &after.markets);
    changes.items("data", &own_data(before), &own_data(after));
    changes.items("parameters", &own_parameters(before), &own_parameters(after));
    changes.weights(&before.parameters, &after.parameters);
    changes.values("decisions", &before.decisions, &after.decisions);
    let (old, new) = (before.human_oversight.as_deref(), after.human_oversight.as_deref());
    changes.add("human_oversight", None, old, new);
    let (old, new) = (&before.contact, &after.contact);
    changes.add("contact.name", None, Some(&old.name), Some(&new.name));
    changes.add("contact.email", None, old.email.as_deref(), new.email.as_deref());
    changes.add("contact.phone", None, old.phone.as_deref(), new.phone.as_deref());
    let tags: BTreeSet<&String> = before.texts.keys().chain(after.texts.keys()).collect();
    for tag in tags {
        changes.text(tag, (before, before.texts.get(tag)), (after, after.texts.get(tag)));
    }
    changes.0
}

fn own_data(definition: &SystemDefinition) -> Vec<Item<'_>> {
    definition.data.iter().map(|data| (data.category.as_str(), data.source.clone())).collect()
}

fn own_parameters(definition: &SystemDefinition) -> Vec<Item<'_>> {
    let own = definition.parameters.iter();
    own.map(|parameter| (parameter.name.as_str(), parameter.description.clone())).collect()
}

//! Validates the converted document with the regular parser and checks, so that no rule is
//! duplicated.

use std::collections::{BTreeMap, BTreeSet};

use super::Imported;
use super::report::{OmittedItem, SourcePointer};
use crate::flags::check::UNITS;
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::{Attribute, AttributeType, Condition, Document, Flag, Segment, Serve};

/// Removes flags that the checks reject, for example for their name or size, and the flags that
/// depend on them.
pub(super) fn finish(
    mut document: Document,
    mut left_out: Vec<OmittedItem>,
) -> Result<Imported, Vec<Diagnostic>> {
    while let Err(errors) = reparse(&document) {
        let rejected = rejected_flags(&document, &errors);
        if rejected.is_empty() {
            return Err(errors);
        }
        for (index, detail) in rejected.into_iter().rev() {
            let key = document.flags.remove(index).key;
            let reason = format!("the flag {key:?} is left out: {detail}");
            left_out.push(SourcePointer::default().left_out(reason));
        }
        drop_empty_slots(&mut document);
    }
    Ok(Imported { document, left_out })
}

/// Writes and parses the document. This finds numbers that are too large and values that are nested
/// too deep, which only a program can create.
fn reparse(document: &Document) -> Result<(), Vec<Diagnostic>> {
    Document::parse(&document.to_json()).map(drop)
}

/// Returns the rejected flags with the reasons.
fn rejected_flags(document: &Document, errors: &[Diagnostic]) -> BTreeMap<usize, String> {
    let by_pointer = errors.iter().rev();
    let by_pointer = by_pointer.filter_map(|error| Some((flag_of(error)?, error.detail.clone())));
    let by_pointer: BTreeMap<usize, String> = by_pointer.collect();
    if !by_pointer.is_empty() {
        return by_pointer;
    }
    // An error of form has no pointer, so each flag is checked alone.
    let first_error = |flag| check_alone(document, flag).err()?.into_iter().next();
    let flags = document.flags.iter().enumerate();
    flags.filter_map(|(index, flag)| Some((index, first_error(flag)?.detail))).collect()
}

fn check_alone(document: &Document, flag: &Flag) -> Result<(), Vec<Diagnostic>> {
    let mut flag = flag.clone();
    flag.prerequisites.clear();
    for rule in &mut flag.rules {
        if let Serve::Experiment(experiment) = &mut rule.serve {
            experiment.layer = None;
        }
    }
    let mut alone = Document::new(&document.environment);
    alone.attributes.clone_from(&document.attributes);
    alone.segments.clone_from(&document.segments);
    alone.flags.push(flag);
    reparse(&alone)
}

fn flag_of(error: &Diagnostic) -> Option<usize> {
    error.pointer.strip_prefix("/flags/")?.split('/').next()?.parse().ok()
}

fn drop_empty_slots(document: &mut Document) {
    let rules = document.flags.iter().flat_map(|flag| &flag.rules);
    let experiments: BTreeSet<&str> = rules
        .filter_map(|rule| match &rule.serve {
            Serve::Experiment(experiment) => Some(experiment.key.as_str()),
            _ => None,
        })
        .collect();
    for layer in &mut document.layers {
        layer.slots.retain(|slot| experiments.contains(slot.experiment.as_str()));
    }
}

/// Returns whether the operator accepts the operand.
pub(super) fn is_accepted(attr: &str, r#type: AttributeType, condition: &Condition) -> bool {
    let mut document = Document::new("production");
    if !UNITS.contains(&attr) {
        document.attributes.push(Attribute { name: attr.to_owned(), r#type, description: None });
    }
    document.segments.push(Segment {
        key: "tried".to_owned(),
        description: None,
        r#match: condition.clone(),
    });
    reparse(&document).is_ok()
}

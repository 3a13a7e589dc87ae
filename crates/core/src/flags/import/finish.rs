//! Is it a document? Asked of our own reader and check, so that no rule of theirs is written twice.

use std::collections::{BTreeMap, BTreeSet};

use super::Imported;
use super::report::{LeftOut, SourcePointer};
use crate::flags::check::UNITS;
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::{Attribute, AttributeType, Condition, Document, Flag, Segment, Serve};

/// A flag that is refused, for its name or its size, is left out, and with it those that depend on
/// it.
pub(super) fn finish(
    mut document: Document,
    mut left_out: Vec<LeftOut>,
) -> Result<Imported, Vec<Diagnostic>> {
    while let Err(faults) = read_again(&document) {
        let refused = refused(&document, &faults);
        if refused.is_empty() {
            return Err(faults);
        }
        for (index, detail) in refused.into_iter().rev() {
            let key = document.flags.remove(index).key;
            let reason = format!("the flag {key:?} is left out: {detail}");
            left_out.push(SourcePointer::default().left_out(reason));
        }
        drop_empty_slots(&mut document);
    }
    Ok(Imported { document, left_out })
}

/// Writing and reading finds what a program can build and no reader lets through: numbers too large,
/// values too deep.
fn read_again(document: &Document) -> Result<(), Vec<Diagnostic>> {
    Document::parse(&document.to_json()).map(drop)
}

/// The flags at fault, and why.
fn refused(document: &Document, faults: &[Diagnostic]) -> BTreeMap<usize, String> {
    let told = faults.iter().rev();
    let told = told.filter_map(|fault| Some((flag_of(fault)?, fault.detail.clone())));
    let told: BTreeMap<usize, String> = told.collect();
    if !told.is_empty() {
        return told;
    }
    // A fault of form ends the reading before it is known what it is part of.
    let fault = |flag| alone(document, flag).err()?.into_iter().next();
    let found = document.flags.iter().enumerate();
    found.filter_map(|(index, flag)| Some((index, fault(flag)?.detail))).collect()
}

fn alone(document: &Document, flag: &Flag) -> Result<(), Vec<Diagnostic>> {
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
    read_again(&alone)
}

fn flag_of(fault: &Diagnostic) -> Option<usize> {
    fault.pointer.strip_prefix("/flags/")?.split('/').next()?.parse().ok()
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

/// Whether the operand is one that the operator takes.
pub(super) fn accepted(attr: &str, r#type: AttributeType, condition: &Condition) -> bool {
    let mut document = Document::new("production");
    if !UNITS.contains(&attr) {
        document.attributes.push(Attribute { name: attr.to_owned(), r#type, description: None });
    }
    document.segments.push(Segment {
        key: "tried".to_owned(),
        description: None,
        r#match: condition.clone(),
    });
    read_again(&document).is_ok()
}

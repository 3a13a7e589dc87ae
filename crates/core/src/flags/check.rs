//! Whether a document makes sense: every name means something, every number adds up, and nothing
//! goes round in a circle.

mod conditions;
mod experiments;
mod flags;
mod holdouts;
mod layers;
mod metrics;
mod prerequisites;
mod segments;

use std::collections::{HashMap, HashSet};

use flags::VARIATIONS_MAX;

use super::diagnostic::Diagnostic;
use super::document::{AttributeType, Document, Experiment, Flag, MetricKind, SCHEMA, Serve};
use super::pointer::Pointer;
use crate::instant::Instant;

/// Texts that every person may have, declared or not.
pub(super) const UNITS: [&str; 5] = ["key", "userId", "googleClientId", "email", "anonymousId"];
const KEY_BYTES_MAX: usize = 200;
/// Looking through so few is cheaper than a set.
const FEW_KEYS: usize = 8;
const ATTRIBUTES_MAX: usize = 1_000;
/// A document with more faults than this is hardly the file that somebody meant to check.
pub(super) const FAULTS_MAX: usize = 1_000;

/// All faults of sense. Where the shape is broken already, what follows from that is not told.
pub(super) fn check(document: &Document, of_shape: &[Diagnostic]) -> Vec<Diagnostic> {
    let broken = of_shape.iter().map(|fault| fault.pointer.as_str()).collect();
    let mut check = Check::new(document, broken);
    check.head();
    check.attributes();
    check.segments();
    check.layers();
    check.metrics();
    check.holdouts();
    check.flags();
    check.faults
}

struct Check<'d> {
    document: &'d Document,
    /// None: declared, of a type that could not be read.
    attributes: HashMap<&'d str, Option<AttributeType>>,
    segments: HashMap<&'d str, usize>,
    layers: HashMap<&'d str, usize>,
    metrics: HashMap<&'d str, MetricKind>,
    flags: HashMap<&'d str, usize>,
    experiments: HashMap<&'d str, &'d Experiment>,
    /// Pointers of what has no right shape.
    broken: HashSet<&'d str>,
    faults: Vec<Diagnostic>,
}

impl<'d> Check<'d> {
    fn new(document: &'d Document, broken: HashSet<&'d str>) -> Self {
        let mut attributes: HashMap<_, _> =
            UNITS.iter().map(|&name| (name, Some(AttributeType::String))).collect();
        for (index, attribute) in document.attributes.iter().enumerate() {
            let is_broken =
                !broken.is_empty() && broken.contains(&*format!("/attributes/{index}/type"));
            attributes.insert(&attribute.name, (!is_broken).then_some(attribute.r#type));
        }
        let segments = document.segments.iter().map(|it| it.key.as_str());
        let layers = document.layers.iter().map(|it| it.key.as_str());
        let metrics = document.metrics.iter().map(|it| (it.key.as_str(), it.kind));
        let flags = document.flags.iter().map(|it| it.key.as_str());
        let experiments = document.flags.iter().flat_map(experiments_of);
        Self {
            document,
            attributes,
            segments: segments.zip(0..).collect(),
            layers: layers.zip(0..).collect(),
            metrics: metrics.collect(),
            flags: flags.zip(0..).collect(),
            experiments: experiments.map(|it| (it.key.as_str(), it)).collect(),
            broken,
            faults: Vec::new(),
        }
    }

    fn fault(&mut self, place: &Pointer<'_>, code: &'static str, detail: impl Into<String>) {
        if self.faults.len() >= FAULTS_MAX {
            return;
        }
        let pointer = place.pointer();
        let is_within = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let follows = |broken: &&str| is_within(&pointer, broken) || is_within(broken, &pointer);
        if !self.broken.iter().any(follows) {
            self.faults.push(Diagnostic { pointer, code, detail: detail.into() });
        }
    }

    fn head(&mut self) {
        let place = Pointer::DOCUMENT;
        if self.document.schema != SCHEMA {
            let detail = format!("This program reads {SCHEMA}.");
            self.fault(&place.name("schema"), "unknown_schema", detail);
        }
        self.key(&self.document.environment, &place.name("environment"));
    }

    fn attributes(&mut self) {
        let list = Pointer::DOCUMENT.name("attributes");
        let attributes = &self.document.attributes;
        self.at_most(attributes.len(), ATTRIBUTES_MAX, &list);
        self.keys(attributes.iter().map(|it| it.name.as_str()), &list, "name");
        for (index, attribute) in attributes.iter().enumerate() {
            if attribute.name == "featureList" {
                let detail = "The request says with this name which flags it asks for.";
                self.fault(&list.index(index).name("name"), "reserved_name", detail);
            }
        }
    }

    /// A name that stands in addresses, answers and bucket inputs.
    fn key(&mut self, key: &str, place: &Pointer<'_>) {
        let is_plain = !key.is_empty()
            && key.len() <= KEY_BYTES_MAX
            && key.trim() == key
            && !key.contains(char::is_control);
        if !is_plain {
            let detail = format!(
                "A name has 1 to {KEY_BYTES_MAX} bytes, no control characters and no blanks at \
                 its ends."
            );
            self.fault(place, "bad_key", detail);
        }
    }

    /// Each is a name, and none stands twice.
    fn keys<'k>(
        &mut self,
        keys: impl Iterator<Item = &'k str>,
        list: &Pointer<'_>,
        member: &'static str,
    ) {
        let mut few: Vec<&str> = Vec::new();
        let mut many = HashSet::new();
        for (index, key) in keys.enumerate() {
            let item = list.index(index);
            self.key(key, &item.name(member));
            let is_new = if few.contains(&key) {
                false
            } else if few.len() < FEW_KEYS {
                few.push(key);
                true
            } else {
                many.insert(key)
            };
            if !is_new {
                let detail = format!("{key:?} stands twice.");
                self.fault(&item.name(member), "duplicate_key", detail);
            }
        }
    }

    fn at_most(&mut self, count: usize, max: usize, place: &Pointer<'_>) {
        if count > max {
            self.fault(place, "too_many", format!("{count} are more than {max}."));
        }
    }

    /// The attribute that people are drawn by.
    fn unit(&mut self, unit: &str, place: &Pointer<'_>) {
        match self.attributes.get(unit) {
            None => {
                let detail = format!("No attribute is called {unit:?}.");
                self.fault(place, "unknown_attribute", detail);
            }
            Some(Some(
                AttributeType::Boolean | AttributeType::Strings | AttributeType::Numbers,
            )) => {
                let detail = format!("{unit:?} is neither a text nor a number.");
                self.fault(place, "wrong_type", detail);
            }
            Some(_) => {}
        }
    }

    fn instant(&mut self, text: &str, place: &Pointer<'_>) -> Option<Instant> {
        let instant = Instant::parse(text).ok();
        if instant.is_none() {
            let detail = format!("{text:?} is not an RFC 3339 date and time with an offset.");
            self.fault(place, "bad_instant", detail);
        }
        instant
    }

    /// One of the flag's variations.
    fn variation(&mut self, flag: &Flag, key: &str, place: &Pointer<'_>) {
        if flag.variations.len() > VARIATIONS_MAX {
            return;
        }
        if !flag.variations.iter().any(|it| it.key == key) {
            let detail = format!("The flag has no variation {key:?}.");
            self.fault(place, "unknown_variation", detail);
        }
    }
}

/// The experiments that the flag's rules serve.
pub(super) fn experiments_of(flag: &Flag) -> impl Iterator<Item = &Experiment> {
    flag.rules.iter().filter_map(|rule| match &rule.serve {
        Serve::Experiment(experiment) => Some(experiment),
        _ => None,
    })
}

#[cfg(test)]
mod tests;

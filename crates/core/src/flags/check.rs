//! Validation of a document: every name refers to something, numbers are in range, and there are no
//! cycles.

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

use super::diagnostic::{Diagnostic, ERRORS_MAX};
use super::document::{
    AttributeType, BYTES_MAX, Document, Experiment, Flag, MetricKind, SCHEMA, Serve, read,
};
use super::json;
use super::pointer::Pointer;
use crate::instant::Instant;

/// Attributes with text values that exist even if the document does not declare them.
pub(super) const UNITS: [&str; 5] = ["key", "userId", "googleClientId", "email", "anonymousId"];
const KEY_BYTES_MAX: usize = 200;
/// Up to this number of keys, comparing each one is faster than a set.
const FEW_KEYS: usize = 8;
const ATTRIBUTES_MAX: usize = 1_000;

impl Document {
    /// Parses a document and checks its shape and all rules.
    ///
    /// # Errors
    /// Returns all errors together: of the JSON, the shape and the rules, in this order.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        if text.len() > BYTES_MAX {
            return Err(vec![Diagnostic {
                pointer: String::new(),
                code: "too_large",
                detail: format!("A document has at most {BYTES_MAX} bytes."),
            }]);
        }
        let (json, mut errors) = json::parse(text).map_err(|error| vec![error])?;
        let (document, shape_errors) = read::read(&json);
        // For a large document, the parsed JSON takes several times the memory of its text.
        drop(json);
        errors.extend(shape_errors);
        if errors.len() < ERRORS_MAX {
            errors.extend(check(&document, &errors));
        }
        if errors.is_empty() { Ok(document) } else { Err(errors) }
    }
}

/// Returns all errors in the meaning of a document. Errors that follow from an error in its shape
/// are not reported.
pub(super) fn check(document: &Document, shape_errors: &[Diagnostic]) -> Vec<Diagnostic> {
    let broken = shape_errors.iter().map(|error| error.pointer.as_str()).collect();
    let mut check = Check::new(document, broken);
    check.head();
    check.attributes();
    check.segments();
    check.layers();
    check.metrics();
    check.holdouts();
    check.flags();
    check.errors
}

struct Check<'d> {
    document: &'d Document,
    /// The type of each attribute; `None` if it is declared with an unreadable type.
    attributes: HashMap<&'d str, Option<AttributeType>>,
    segments: HashMap<&'d str, usize>,
    layers: HashMap<&'d str, usize>,
    metrics: HashMap<&'d str, MetricKind>,
    flags: HashMap<&'d str, usize>,
    experiments: HashMap<&'d str, &'d Experiment>,
    /// Pointers to the parts with a wrong shape.
    broken: HashSet<&'d str>,
    errors: Vec<Diagnostic>,
}

fn no_attribute(name: &str) -> String {
    format!("There is no attribute named {name:?}. Declare it under `attributes`.")
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
        let segments = document.segments.iter().map(|segment| segment.key.as_str());
        let layers = document.layers.iter().map(|layer| layer.key.as_str());
        let metrics = document.metrics.iter().map(|metric| (metric.key.as_str(), metric.kind));
        let flags = document.flags.iter().map(|flag| flag.key.as_str());
        let experiments = document.flags.iter().flat_map(experiments_of);
        Self {
            document,
            attributes,
            segments: segments.zip(0..).collect(),
            layers: layers.zip(0..).collect(),
            metrics: metrics.collect(),
            flags: flags.zip(0..).collect(),
            experiments: experiments
                .map(|experiment| (experiment.key.as_str(), experiment))
                .collect(),
            broken,
            errors: Vec::new(),
        }
    }

    fn report(&mut self, place: &Pointer<'_>, code: &'static str, detail: impl Into<String>) {
        if self.errors.len() >= ERRORS_MAX {
            return;
        }
        let pointer = place.pointer();
        let is_within = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let follows = |broken: &&str| is_within(&pointer, broken) || is_within(broken, &pointer);
        if !self.broken.iter().any(follows) {
            self.errors.push(Diagnostic { pointer, code, detail: detail.into() });
        }
    }

    fn head(&mut self) {
        let place = Pointer::DOCUMENT;
        if self.document.schema != SCHEMA {
            let detail = format!("This version of Musette reads only {SCHEMA}.");
            self.report(&place.name("schema"), "unknown_schema", detail);
        }
        self.key(&self.document.environment, &place.name("environment"));
    }

    fn attributes(&mut self) {
        let list = Pointer::DOCUMENT.name("attributes");
        let attributes = &self.document.attributes;
        self.at_most(attributes.len(), ATTRIBUTES_MAX, &list);
        self.keys(attributes.iter().map(|attribute| attribute.name.as_str()), &list, "name");
        for (index, attribute) in attributes.iter().enumerate() {
            if attribute.name == "featureList" {
                let detail = "This name is reserved: requests use it for the list of flags.";
                self.report(&list.index(index).name("name"), "reserved_name", detail);
            }
        }
    }

    /// Checks a name that is used in URLs, responses and bucket inputs.
    fn key(&mut self, key: &str, place: &Pointer<'_>) {
        let is_plain = !key.is_empty()
            && key.len() <= KEY_BYTES_MAX
            && key.trim() == key
            && !key.contains(char::is_control);
        if !is_plain {
            let detail = format!(
                "A name has 1 to {KEY_BYTES_MAX} bytes, no control characters and no whitespace at \
                 its start or end."
            );
            self.report(place, "bad_key", detail);
        }
    }

    /// Checks that each key is a valid name and that no key is used twice.
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
                let detail = format!("{key:?} is used twice.");
                self.report(&item.name(member), "duplicate_key", detail);
            }
        }
    }

    fn at_most(&mut self, count: usize, max: usize, place: &Pointer<'_>) {
        if count > max {
            self.report(place, "too_many", format!("There are {count}; the maximum is {max}."));
        }
    }

    /// Checks the attribute that units are drawn by.
    fn unit(&mut self, unit: &str, place: &Pointer<'_>) {
        match self.attributes.get(unit) {
            None => {
                self.report(place, "unknown_attribute", no_attribute(unit));
            }
            Some(Some(
                AttributeType::Boolean | AttributeType::Strings | AttributeType::Numbers,
            )) => {
                let detail = format!("{unit:?} is neither a text nor a number.");
                self.report(place, "wrong_type", detail);
            }
            Some(_) => {}
        }
    }

    fn instant(&mut self, text: &str, place: &Pointer<'_>) -> Option<Instant> {
        let instant = Instant::parse(text).ok();
        if instant.is_none() {
            let detail = format!("{text:?} is not an RFC 3339 date and time with an offset.");
            self.report(place, "bad_instant", detail);
        }
        instant
    }

    /// Checks that the flag has this variation.
    fn variation(&mut self, flag: &Flag, key: &str, place: &Pointer<'_>) {
        if flag.variations.len() > VARIATIONS_MAX {
            return;
        }
        if !flag.variations.iter().any(|variation| variation.key == key) {
            let detail = format!("The flag has no variation {key:?}.");
            self.report(place, "unknown_variation", detail);
        }
    }
}

/// Returns the experiments that the flag's rules serve.
pub(super) fn experiments_of(flag: &Flag) -> impl Iterator<Item = &Experiment> {
    flag.rules.iter().filter_map(|rule| match &rule.serve {
        Serve::Experiment(experiment) => Some(experiment),
        _ => None,
    })
}

#[cfg(test)]
mod tests;

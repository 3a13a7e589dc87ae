//! A description in the best language for the reader.

use super::{ParameterWeight, SystemData, SystemDefinition, SystemText};
use crate::terms::choose_language;

/// The texts of a description in one language.
#[derive(Debug, Clone, Copy)]
pub struct LocalizedSystem<'a> {
    definition: &'a SystemDefinition,
    text: Option<(&'a str, &'a SystemText)>,
}

impl SystemDefinition {
    /// Returns the description in the best language for these ranges.
    pub fn localized(&self, ranges: &[&str]) -> LocalizedSystem<'_> {
        let own = self.locale.iter().map(|tag| (tag.as_str(), None));
        let translated = self.texts.iter().map(|(tag, text)| (tag.as_str(), Some(text)));
        let languages: Vec<(&str, Option<&SystemText>)> = own.chain(translated).collect();
        let chosen = choose_language(ranges, &languages, |(tag, _)| tag);
        let text = chosen.and_then(|(tag, text)| Some((*tag, (*text)?)));
        LocalizedSystem { definition: self, text }
    }
}

impl<'a> LocalizedSystem<'a> {
    fn translated<T: ?Sized>(&self, member: fn(&'a SystemText) -> Option<&'a T>) -> Option<&'a T> {
        self.text.and_then(|(_, text)| member(text))
    }

    /// Returns the language, if it is stated. Members without a translation are in the language of
    /// the description.
    pub fn locale(&self) -> Option<&'a str> {
        self.text.map(|(tag, _)| tag).or(self.definition.locale.as_deref())
    }

    /// Returns the name.
    pub fn name(&self) -> &'a str {
        self.translated(|text| text.name.as_deref()).unwrap_or(&self.definition.name)
    }

    /// Returns the purpose.
    pub fn purpose(&self) -> &'a str {
        self.translated(|text| text.purpose.as_deref()).unwrap_or(&self.definition.purpose)
    }

    /// Returns the categories of data.
    pub fn data(&self) -> &'a [SystemData] {
        self.translated(|text| text.data.as_deref()).unwrap_or(&self.definition.data)
    }

    /// Returns the name, the description and the weight of each parameter.
    pub fn parameters(&self) -> Vec<(&'a str, &'a str, ParameterWeight)> {
        let own = &self.definition.parameters;
        match self.translated(|text| text.parameters.as_deref()) {
            Some(texts) => own
                .iter()
                .zip(texts)
                .map(|(own, text)| (text.name.as_str(), text.description.as_str(), own.weight))
                .collect(),
            None => own
                .iter()
                .map(|own| (own.name.as_str(), own.description.as_str(), own.weight))
                .collect(),
        }
    }

    /// Returns the decisions.
    pub fn decisions(&self) -> &'a [String] {
        self.translated(|text| text.decisions.as_deref()).unwrap_or(&self.definition.decisions)
    }

    /// Returns how people supervise the system.
    pub fn human_oversight(&self) -> Option<&'a str> {
        self.translated(|text| text.human_oversight.as_deref())
            .or(self.definition.human_oversight.as_deref())
    }
}

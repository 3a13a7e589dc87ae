//! The rules of a description. They apply to drafts, so that each draft can be published.

use std::collections::BTreeSet;

use super::{SystemDefinition, SystemKind, SystemText};
use crate::session::is_reachable;
use crate::terms::is_language_tag;
use crate::typed_text::is_invisible;

/// Characters of a name, a category, a source or an address.
const LINE_CHARS_MAX: usize = 200;
/// Characters of a purpose, a description, a decision or the human oversight.
const TEXT_CHARS_MAX: usize = 4000;
/// Items of each list.
const ITEMS_MAX: usize = 100;
/// Translations.
const TEXTS_MAX: usize = 40;

/// A member of a description that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemFieldError {
    /// JSON pointer to the member.
    pub pointer: String,
    /// Stable code of the rule.
    pub code: &'static str,
    /// What to do, in English.
    pub detail: String,
}

#[derive(Default)]
struct FieldErrors(Vec<SystemFieldError>);

impl FieldErrors {
    fn add(&mut self, pointer: &str, code: &'static str, detail: impl Into<String>) {
        self.0.push(SystemFieldError { pointer: pointer.to_owned(), code, detail: detail.into() });
    }

    /// Checks a text on one line.
    fn line(&mut self, pointer: &str, text: &str) {
        self.text_of(pointer, text, LINE_CHARS_MAX, char::is_control);
    }

    /// Checks a text with paragraphs.
    fn text(&mut self, pointer: &str, text: &str) {
        self.text_of(pointer, text, TEXT_CHARS_MAX, |c| c.is_control() && c != '\n');
    }

    fn text_of(&mut self, pointer: &str, text: &str, max: usize, is_refused: fn(char) -> bool) {
        if text.chars().all(|c| c.is_whitespace() || is_invisible(c)) {
            self.add(pointer, "missing", "This must not be empty.");
        } else if text.chars().count() > max || text.chars().any(is_refused) {
            let detail =
                format!("This must have at most {max} characters and no control characters.");
            self.add(pointer, "invalid_text", detail);
        }
    }

    /// Checks the length of a list and that its items are distinct.
    fn items<T: Ord>(&mut self, pointer: &str, items: impl Iterator<Item = T>) {
        let mut distinct = BTreeSet::new();
        for (i, item) in items.enumerate() {
            if i >= ITEMS_MAX {
                let detail = format!("This must have at most {ITEMS_MAX} items.");
                return self.add(pointer, "too_many", detail);
            }
            if !distinct.insert(item) {
                self.add(&format!("{pointer}/{i}"), "duplicate", "This item occurs twice.");
            }
        }
    }

    /// Checks that a translated list has an item for each item of the description.
    fn same_length(&mut self, pointer: &str, translated: usize, described: usize) {
        if translated != described {
            let detail = format!("This must have {described} items, as the description has.");
            self.add(pointer, "other_length", detail);
        }
    }
}

impl SystemDefinition {
    /// Returns the members that break a rule, in the order of the API's documentation. Whether the
    /// markets exist is not checked here.
    pub fn check(&self) -> Vec<SystemFieldError> {
        let mut errors = FieldErrors::default();
        errors.line("/name", &self.name);
        errors.text("/purpose", &self.purpose);
        errors.items("/markets", self.markets.iter());
        self.check_lists(&mut errors);
        match &self.human_oversight {
            Some(text) => errors.text("/human_oversight", text),
            None if self.kind == SystemKind::Decision => {
                let detail = "State how people supervise a system that makes decisions.";
                errors.add("/human_oversight", "missing", detail);
            }
            None => {}
        }
        self.check_contact(&mut errors);
        if self.locale.as_deref().is_some_and(|tag| !is_language_tag(tag)) {
            errors.add(
                "/locale",
                "invalid_locale",
                "This must be a BCP 47 tag such as de or pt-BR.",
            );
        }
        if self.texts.len() > TEXTS_MAX {
            let detail = format!("This must have at most {TEXTS_MAX} languages.");
            errors.add("/texts", "too_many", detail);
        }
        for (tag, text) in self.texts.iter().take(TEXTS_MAX) {
            self.check_language(&mut errors, tag);
            self.check_text(&mut errors, &format!("/texts/{}", escaped(tag)), text);
        }
        errors.0
    }

    fn check_lists(&self, errors: &mut FieldErrors) {
        for (i, data) in self.data.iter().take(ITEMS_MAX).enumerate() {
            errors.line(&format!("/data/{i}/category"), &data.category);
            errors.line(&format!("/data/{i}/source"), &data.source);
        }
        errors.items("/data", self.data.iter().map(|data| (&data.category, &data.source)));
        for (i, parameter) in self.parameters.iter().take(ITEMS_MAX).enumerate() {
            errors.line(&format!("/parameters/{i}/name"), &parameter.name);
            errors.text(&format!("/parameters/{i}/description"), &parameter.description);
        }
        errors.items("/parameters", self.parameters.iter().map(|parameter| &parameter.name));
        for (i, decision) in self.decisions.iter().take(ITEMS_MAX).enumerate() {
            errors.text(&format!("/decisions/{i}"), decision);
        }
        errors.items("/decisions", self.decisions.iter());
    }

    fn check_contact(&self, errors: &mut FieldErrors) {
        let contact = &self.contact;
        let (email, phone) = (contact.email.as_deref(), contact.phone.as_deref());
        let addresses = [("email", email), ("phone", phone)];
        if contact.name.trim().is_empty() || !is_reachable(email, phone) {
            let detail = "A contact needs a name, and a valid e-mail address or phone number.";
            return errors.add("/contact", "contact_required", detail);
        }
        errors.line("/contact/name", &contact.name);
        for (member, text) in addresses {
            if let Some(text) = text {
                errors.line(&format!("/contact/{member}"), text);
            }
        }
    }

    fn check_language(&self, errors: &mut FieldErrors, tag: &str) {
        let pointer = format!("/texts/{}", escaped(tag));
        if !is_language_tag(tag) {
            let detail = "The name of this member must be a BCP 47 tag such as de or pt-BR.";
            errors.add(&pointer, "invalid_locale", detail);
        }
        let is_same = |other: &str| other.eq_ignore_ascii_case(tag);
        let is_earlier = |other: &String| other.as_str() < tag && is_same(other);
        if self.locale.as_deref().is_some_and(is_same) || self.texts.keys().any(is_earlier) {
            errors.add(&pointer, "duplicate", "The description already has this language.");
        }
    }

    fn check_text(&self, errors: &mut FieldErrors, pointer: &str, text: &SystemText) {
        if *text == SystemText::default() {
            errors.add(pointer, "missing", "Translate at least one member.");
        }
        if let Some(name) = &text.name {
            errors.line(&format!("{pointer}/name"), name);
        }
        let long = [("purpose", &text.purpose), ("human_oversight", &text.human_oversight)];
        for (member, text) in long {
            if let Some(text) = text {
                errors.text(&format!("{pointer}/{member}"), text);
            }
        }
        if let Some(data) = &text.data {
            errors.same_length(&format!("{pointer}/data"), data.len(), self.data.len());
            for (i, data) in data.iter().take(ITEMS_MAX).enumerate() {
                errors.line(&format!("{pointer}/data/{i}/category"), &data.category);
                errors.line(&format!("{pointer}/data/{i}/source"), &data.source);
            }
        }
        if let Some(parameters) = &text.parameters {
            let pointer = format!("{pointer}/parameters");
            errors.same_length(&pointer, parameters.len(), self.parameters.len());
            for (i, parameter) in parameters.iter().take(ITEMS_MAX).enumerate() {
                errors.line(&format!("{pointer}/{i}/name"), &parameter.name);
                errors.text(&format!("{pointer}/{i}/description"), &parameter.description);
            }
        }
        if let Some(decisions) = &text.decisions {
            let pointer = format!("{pointer}/decisions");
            errors.same_length(&pointer, decisions.len(), self.decisions.len());
            for (i, decision) in decisions.iter().take(ITEMS_MAX).enumerate() {
                errors.text(&format!("{pointer}/{i}"), decision);
            }
        }
    }
}

/// Returns a name as a part of a JSON pointer (RFC 6901).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

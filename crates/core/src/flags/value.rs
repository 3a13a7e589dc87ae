//! The value of an attribute, parsed as its type once for all conditions.

mod version;

use std::borrow::Cow;
use std::net::IpAddr;

use serde::Serialize;

use crate::instant::Instant;

pub(super) use version::Version;

/// Type of the values of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum AttributeType {
    /// Any text.
    String,
    /// A finite number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A text that is a version according to semver.org.
    Semver,
    /// A text in RFC 3339.
    Date,
    /// A text that is an IPv4 or IPv6 address.
    Ip,
    /// A list of texts.
    #[serde(rename = "string[]")]
    Strings,
    /// A list of numbers.
    #[serde(rename = "number[]")]
    Numbers,
}

#[derive(Debug, Clone, Default)]
pub(super) enum Value<'a> {
    /// Absent or null.
    #[default]
    Missing,
    /// Present, but not of the attribute's type. It equals no operand.
    Other,
    Text(&'a str),
    Version(&'a str, Version),
    /// The text and its milliseconds since 1970.
    Date(&'a str, i64),
    Address(&'a str, IpAddr),
    Number(f64),
    Boolean(bool),
    /// A value that had to be parsed or unescaped. It is boxed, so that dropping a context without
    /// such values need not visit each attribute.
    Owned(Box<Owned<'a>>),
}

#[derive(Debug, Clone)]
pub(super) enum Owned<'a> {
    /// A text with escapes, and its parsed form.
    Text(Box<str>, Meaning),
    Texts(Vec<Cow<'a, str>>),
    Numbers(Vec<f64>),
}

#[derive(Debug, Clone)]
pub(super) enum Meaning {
    Text,
    Version(Version),
    Date(i64),
    Address(IpAddr),
}

impl<'a> Value<'a> {
    /// Stores a text as a value of this type. A text that is not a valid version, date or address
    /// stays a text.
    #[inline]
    pub fn set_text(&mut self, text: &'a str, kind: AttributeType) {
        match kind {
            // Most attributes are texts, which need no parsing.
            AttributeType::String => *self = Self::Text(text),
            AttributeType::Semver => match Version::parse(text) {
                Some(version) => *self = Self::Version(text, version),
                None => *self = Self::Text(text),
            },
            AttributeType::Date => match Instant::parse(text) {
                Ok(instant) => *self = Self::Date(text, instant.millis()),
                Err(_) => *self = Self::Text(text),
            },
            AttributeType::Ip => match text.parse::<IpAddr>() {
                Ok(address) => *self = Self::Address(text, address.to_canonical()),
                Err(_) => *self = Self::Text(text),
            },
            AttributeType::Number
            | AttributeType::Boolean
            | AttributeType::Strings
            | AttributeType::Numbers => *self = Self::Other,
        }
    }

    #[cold]
    pub fn of_escaped(text: Box<str>, kind: AttributeType) -> Self {
        let mut plain = Value::Missing;
        plain.set_text(&text, kind);
        let meaning = match plain {
            Value::Text(_) => Meaning::Text,
            Value::Version(_, version) => Meaning::Version(version),
            Value::Date(_, millis) => Meaning::Date(millis),
            Value::Address(_, address) => Meaning::Address(address),
            _ => return Self::Other,
        };
        Self::Owned(Box::new(Owned::Text(text, meaning)))
    }

    pub fn texts(texts: Vec<Cow<'a, str>>) -> Self {
        Self::Owned(Box::new(Owned::Texts(texts)))
    }

    pub fn numbers(numbers: Vec<f64>) -> Self {
        Self::Owned(Box::new(Owned::Numbers(numbers)))
    }

    #[inline]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text)
            | Self::Version(text, _)
            | Self::Date(text, _)
            | Self::Address(text, _) => Some(text),
            Self::Owned(owned) => owned.text().map(|(text, _)| text),
            _ => None,
        }
    }

    /// Returns the version and the text that it was parsed from.
    #[inline]
    pub fn version(&self) -> Option<(&str, &Version)> {
        match self {
            Self::Version(text, version) => Some((text, version)),
            Self::Owned(owned) => match owned.text() {
                Some((text, Meaning::Version(version))) => Some((text, version)),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn date(&self) -> Option<i64> {
        match self {
            Self::Date(_, millis) => Some(*millis),
            Self::Owned(owned) => match owned.text() {
                Some((_, Meaning::Date(millis))) => Some(*millis),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Address(_, address) => Some(*address),
            Self::Owned(owned) => match owned.text() {
                Some((_, Meaning::Address(address))) => Some(*address),
                _ => None,
            },
            _ => None,
        }
    }

    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }
}

impl Owned<'_> {
    #[cold]
    fn text(&self) -> Option<(&str, &Meaning)> {
        match self {
            Self::Text(text, meaning) => Some((text, meaning)),
            _ => None,
        }
    }
}

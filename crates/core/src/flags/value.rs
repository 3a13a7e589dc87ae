//! An attribute as a person has it, read as its type once for all conditions that ask.

use std::borrow::Cow;
use std::net::IpAddr;

use super::document::AttributeType;
use super::matcher::Version;
use crate::instant::Instant;

#[derive(Debug, Clone, Default)]
pub(super) enum Value<'a> {
    /// Absent or null.
    #[default]
    Missing,
    /// Present, and not of the attribute's type: equal to nothing.
    Other,
    Text(Cow<'a, str>),
    Version(Cow<'a, str>, Version),
    /// Milliseconds.
    Date(Cow<'a, str>, i64),
    Address(Cow<'a, str>, IpAddr),
    Number(f64),
    Boolean(bool),
    Texts(Vec<Cow<'a, str>>),
    Numbers(Vec<f64>),
}

impl<'a> Value<'a> {
    /// A text that is no version, date or address is still a text.
    pub fn of_text(text: Cow<'a, str>, kind: AttributeType) -> Self {
        match kind {
            AttributeType::String => Self::Text(text),
            AttributeType::Semver => match Version::parse(&text) {
                Some(version) => Self::Version(text, version),
                None => Self::Text(text),
            },
            AttributeType::Date => match Instant::parse(&text) {
                Ok(instant) => Self::Date(text, instant.millis()),
                Err(_) => Self::Text(text),
            },
            AttributeType::Ip => match text.parse::<IpAddr>() {
                Ok(address) => Self::Address(text, address.to_canonical()),
                Err(_) => Self::Text(text),
            },
            AttributeType::Number
            | AttributeType::Boolean
            | AttributeType::Strings
            | AttributeType::Numbers => Self::Other,
        }
    }

    #[inline]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text)
            | Self::Version(text, _)
            | Self::Date(text, _)
            | Self::Address(text, _) => Some(text),
            _ => None,
        }
    }

    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }
}

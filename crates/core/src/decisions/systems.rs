//! The register of automated systems: what a company states about each program that monitors
//! riders or decides about them.
//!
//! A draft becomes an immutable version with a date. The public register has the versions in
//! effect. Storage is in `musette-store`; the JSON of the API is in `musette`.

mod check;
mod differences;
mod localized;
mod register;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use check::SystemFieldError;
pub use differences::{SystemChange, differences};
pub use localized::LocalizedSystem;
pub use register::{SystemRegister, SystemVersion};

pub use crate::log::entry::is_system_key;

/// The description of a system. Members of all types here are declared in the order of their names
/// and contain only texts, so that the JSON is canonical (RFC 8785) and its hash can be computed
/// again from the public description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemDefinition {
    /// Contact for questions about the system.
    pub contact: SystemContact,
    /// Personal data that the system uses.
    pub data: Vec<SystemData>,
    /// Decisions that the system makes or supports.
    pub decisions: Vec<String>,
    /// How people supervise the system and can change its results.
    pub human_oversight: Option<String>,
    /// Whether it monitors or decides.
    pub kind: SystemKind,
    /// Language of the texts outside of `texts`, if it is stated.
    pub locale: Option<String>,
    /// Codes of the markets in which it is used. Empty: everywhere.
    pub markets: Vec<String>,
    /// Name of the system.
    pub name: String,
    /// What influences the results.
    pub parameters: Vec<SystemParameter>,
    /// What the system is used for.
    pub purpose: String,
    /// Translations, by language.
    pub texts: BTreeMap<String, SystemText>,
}

/// The kind of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemKind {
    /// It supervises or evaluates work.
    Monitoring,
    /// It makes or supports decisions about people.
    Decision,
}

/// A person or department with an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemContact {
    /// E-mail address.
    pub email: Option<String>,
    /// Name of the person or department.
    pub name: String,
    /// Phone number.
    pub phone: Option<String>,
}

/// A category of personal data and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemData {
    /// Category of the data.
    pub category: String,
    /// Origin of the data.
    pub source: String,
}

/// What influences the results of a system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemParameter {
    /// How the parameter influences the results.
    pub description: String,
    /// Name of the parameter.
    pub name: String,
    /// How important it is.
    pub weight: ParameterWeight,
}

/// How important a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterWeight {
    /// One of the main parameters.
    Main,
    /// Any other parameter.
    Secondary,
}

/// A description in another language. A member that is absent is shown in the language of the
/// description. Lists have the same order and length as there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemText {
    /// Translations of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Vec<SystemData>>,
    /// Translations of the decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<String>>,
    /// Translation of the human oversight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human_oversight: Option<String>,
    /// Translation of the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Translations of the parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<ParameterText>>,
    /// Translation of the purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

/// A translated parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterText {
    /// Translation of the description.
    pub description: String,
    /// Translation of the name.
    pub name: String,
}

impl SystemKind {
    /// Parses the name of a kind.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Monitoring, Self::Decision].into_iter().find(|kind| kind.as_str() == text)
    }

    /// Returns the name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monitoring => "monitoring",
            Self::Decision => "decision",
        }
    }
}

impl ParameterWeight {
    /// Parses the name of a weight.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Main, Self::Secondary].into_iter().find(|weight| weight.as_str() == text)
    }

    /// Returns the name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Secondary => "secondary",
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;

//! The description of a system in requests and responses.

use std::collections::BTreeMap;

use musette_core::decisions::systems::{
    ParameterText, ParameterWeight, SystemChange, SystemContact, SystemData, SystemDefinition,
    SystemFieldError, SystemKind, SystemParameter, SystemText,
};
use serde::{Deserialize, Serialize};

use crate::platform::closed_sets;

/// The description of an automated system.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(examples(json!({"name":"Order dispatch","purpose":"Offers orders to riders who are near the restaurant.","kind":"decision","locale":"en","markets":["DE"],"data":[{"category":"Location","source":"The rider app, during a shift"}],"parameters":[{"name":"Distance","weight":"main","description":"The nearest rider is asked first."}],"decisions":["Which rider is offered an order."],"human_oversight":"A dispatcher can assign each order by hand.","contact":{"name":"Rider support","email":"riders@example.com"},"texts":{"de":{"name":"Auftragsverteilung"}}})))]
pub struct SystemBody {
    /// The name of the system, on one line.
    #[schema(required, min_length = 1, max_length = 200)]
    pub name: String,
    /// The purpose of the system. It may have paragraphs.
    #[schema(required, min_length = 1, max_length = 4000)]
    pub purpose: String,
    /// `monitoring`: the system monitors work. `decision`: it makes or supports decisions.
    #[schema(required, value_type = closed_sets::SystemKind)]
    pub kind: String,
    /// The language of these texts: a BCP 47 tag such as `en` or `pt-BR`. Absent: not stated. Then
    /// a reader gets them only if no translation fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 35)]
    pub locale: Option<String>,
    /// The codes of the markets in which the system is used, such as `DE` or `DE-BE`. Empty:
    /// everywhere.
    #[schema(max_items = 100)]
    pub markets: Vec<String>,
    /// The categories of personal data that the system uses.
    #[schema(max_items = 100)]
    pub data: Vec<SystemDataBody>,
    /// The parameters that influence the results.
    #[schema(max_items = 100)]
    pub parameters: Vec<SystemParameterBody>,
    /// The decisions that the system makes or supports. Each has at most 4,000 characters.
    #[schema(max_items = 100)]
    pub decisions: Vec<String>,
    /// The way people supervise the system and can change its results. Required for a system of the
    /// kind `decision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4000)]
    pub human_oversight: Option<String>,
    /// Contact for questions about the system.
    #[schema(required, value_type = SystemContactBody)]
    pub contact: Option<SystemContactBody>,
    /// The translations, by language (a BCP 47 tag), at most 40.
    pub texts: BTreeMap<String, SystemTextBody>,
}

/// A category of personal data.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct SystemDataBody {
    /// The category of the data, on one line.
    #[schema(required, min_length = 1, max_length = 200)]
    pub category: String,
    /// The origin of the data, on one line.
    #[schema(required, min_length = 1, max_length = 200)]
    pub source: String,
}

/// A parameter that influences the results of a system.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct SystemParameterBody {
    /// The name of the parameter, on one line. Names are unique.
    #[schema(required, min_length = 1, max_length = 200)]
    pub name: String,
    /// The weight: `main` for the main parameters, or `secondary`.
    #[schema(required, value_type = closed_sets::ParameterWeight)]
    pub weight: String,
    /// The effect of the parameter on the results.
    #[schema(required, min_length = 1, max_length = 4000)]
    pub description: String,
}

/// A person or department with at least one address.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct SystemContactBody {
    /// The name of the person or department, on one line.
    #[schema(required, min_length = 1, max_length = 200)]
    pub name: String,
    /// The e-mail address. Required if there is no phone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub email: Option<String>,
    /// The phone number. Required if there is no e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub phone: Option<String>,
}

/// A translation. Readers get an absent member in the language of the description.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct SystemTextBody {
    /// The translated name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub name: Option<String>,
    /// The translated purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4000)]
    pub purpose: Option<String>,
    /// The translated data, one item for each item of the description, in the same order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 100)]
    pub data: Option<Vec<SystemDataBody>>,
    /// The translated parameters, one item for each item of the description, in the same order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 100)]
    pub parameters: Option<Vec<ParameterTextBody>>,
    /// The translated decisions, one item for each item of the description, in the same order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 100)]
    pub decisions: Option<Vec<String>>,
    /// The translated human oversight.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4000)]
    pub human_oversight: Option<String>,
}

/// A translated parameter.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct ParameterTextBody {
    /// The translated name.
    #[schema(required, min_length = 1, max_length = 200)]
    pub name: String,
    /// The translated description.
    #[schema(required, min_length = 1, max_length = 4000)]
    pub description: String,
}

/// A difference between two versions of a description.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[schema(examples(json!({"field":"parameters.weight","item":"Distance","before":"main","after":"secondary"})))]
pub struct SystemChangeBody {
    /// The member that differs, such as `purpose`, `parameters.weight` or `texts.de.name`.
    pub field: String,
    /// The item of a list: the name of a parameter, or a category of data. Null for other members.
    #[schema(required)]
    pub item: Option<String>,
    /// The text before. Null: the member or item was added.
    #[schema(required)]
    pub before: Option<String>,
    /// The text after. Null: the member or item was removed.
    #[schema(required)]
    pub after: Option<String>,
}

impl From<SystemChange> for SystemChangeBody {
    fn from(change: SystemChange) -> Self {
        let SystemChange { field, item, before, after } = change;
        Self { field, item, before, after }
    }
}

impl SystemBody {
    /// Returns the description, with all members that break a rule.
    pub fn definition(self) -> (SystemDefinition, Vec<SystemFieldError>) {
        let mut faults = Vec::new();
        let mut missing = |pointer: String, detail: &str| {
            faults.push(SystemFieldError {
                pointer,
                code: "invalid_value",
                detail: detail.to_owned(),
            });
        };
        let kind = SystemKind::parse(&self.kind).unwrap_or_else(|| {
            missing("/kind".to_owned(), "This must be monitoring or decision.");
            SystemKind::Monitoring
        });
        let parameters = self.parameters.into_iter().enumerate().map(|(i, parameter)| {
            let weight = ParameterWeight::parse(&parameter.weight).unwrap_or_else(|| {
                missing(format!("/parameters/{i}/weight"), "This must be main or secondary.");
                ParameterWeight::Main
            });
            let SystemParameterBody { name, description, .. } = parameter;
            SystemParameter { description, name, weight }
        });
        let parameters = parameters.collect();
        let contact = self.contact.unwrap_or_default();
        let definition = SystemDefinition {
            contact: SystemContact {
                email: contact.email,
                name: contact.name,
                phone: contact.phone,
            },
            data: self.data.into_iter().map(SystemData::from).collect(),
            decisions: self.decisions,
            human_oversight: self.human_oversight,
            kind,
            locale: self.locale,
            markets: self.markets,
            name: self.name,
            parameters,
            purpose: self.purpose,
            texts: self.texts.into_iter().map(|(tag, text)| (tag, text.into())).collect(),
        };
        faults.extend(definition.check());
        (definition, faults)
    }
}

impl From<SystemDefinition> for SystemBody {
    fn from(definition: SystemDefinition) -> Self {
        let parameters = definition.parameters.into_iter().map(|parameter| SystemParameterBody {
            name: parameter.name,
            weight: parameter.weight.as_str().to_owned(),
            description: parameter.description,
        });
        let SystemContact { email, name, phone } = definition.contact;
        Self {
            name: definition.name,
            purpose: definition.purpose,
            kind: definition.kind.as_str().to_owned(),
            locale: definition.locale,
            markets: definition.markets,
            data: definition.data.into_iter().map(SystemDataBody::from).collect(),
            parameters: parameters.collect(),
            decisions: definition.decisions,
            human_oversight: definition.human_oversight,
            contact: Some(SystemContactBody { name, email, phone }),
            texts: definition.texts.into_iter().map(|(tag, text)| (tag, text.into())).collect(),
        }
    }
}

impl From<SystemDataBody> for SystemData {
    fn from(SystemDataBody { category, source }: SystemDataBody) -> Self {
        Self { category, source }
    }
}

impl From<SystemData> for SystemDataBody {
    fn from(SystemData { category, source }: SystemData) -> Self {
        Self { category, source }
    }
}

impl From<SystemTextBody> for SystemText {
    fn from(text: SystemTextBody) -> Self {
        let data = text.data.map(|data| data.into_iter().map(SystemData::from).collect());
        let parameter =
            |ParameterTextBody { name, description }| ParameterText { description, name };
        let parameters = text.parameters;
        let parameters = parameters.map(|all| all.into_iter().map(parameter).collect());
        let SystemTextBody { name, purpose, decisions, human_oversight, .. } = text;
        Self { data, decisions, human_oversight, name, parameters, purpose }
    }
}

impl From<SystemText> for SystemTextBody {
    fn from(text: SystemText) -> Self {
        let data = text.data.map(|data| data.into_iter().map(SystemDataBody::from).collect());
        let parameter =
            |ParameterText { description, name }| ParameterTextBody { name, description };
        let parameters = text.parameters;
        let parameters = parameters.map(|all| all.into_iter().map(parameter).collect());
        let SystemText { name, purpose, decisions, human_oversight, .. } = text;
        Self { name, purpose, data, parameters, decisions, human_oversight }
    }
}

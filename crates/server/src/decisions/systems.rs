//! The register of automated systems that this node serves, and its public representation.

use std::sync::Arc;

use musette_core::decisions::systems::{SystemRegister, SystemVersion};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::language_ranges;
use musette_store::{Store, StoreError};
use serde::Serialize;

use crate::platform::closed_sets;
use crate::terms::{RenderedBody, RenderedLists};

/// The published versions of one revision, and rendered lists of them.
#[derive(Default)]
pub struct Systems {
    pub register: SystemRegister,
    /// By market and languages.
    rendered: RenderedLists<(Option<Market>, String)>,
}

/// An automated system as the company describes it to riders and applicants.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(examples(json!({"key":"order-dispatch","version":2,"name":"Order dispatch","purpose":"Offers orders to riders who are near the restaurant.","kind":"decision","locale":"en","markets":["DE"],"data":[{"category":"Location","source":"The rider app, during a shift"}],"parameters":[{"name":"Distance","weight":"main","description":"The nearest rider is asked first."}],"decisions":["Which rider is offered an order."],"human_oversight":"A dispatcher can assign each order by hand.","contact":{"name":"Rider support","email":"riders@example.com","phone":null},"effective_from":"2026-12-01T00:00:00.000Z","sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"})))]
pub struct PublicSystem {
    /// The key of the system. Decisions name it.
    #[schema(pattern = "^[a-z][a-z0-9-]{0,62}$")]
    pub key: String,
    /// The number of this version of the description, counted from 1.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The name, in the language of `locale`.
    #[schema(max_length = 200)]
    pub name: String,
    /// The purpose of the system. It may have paragraphs.
    #[schema(max_length = 4000)]
    pub purpose: String,
    /// `monitoring`: the system monitors work. `decision`: it makes or supports decisions.
    #[schema(value_type = closed_sets::SystemKind)]
    pub kind: &'static str,
    /// The language of the texts, as a BCP 47 tag. A text without a translation is in the language
    /// of the description. Null if the company did not state the language.
    #[schema(required, max_length = 35)]
    pub locale: Option<String>,
    /// The codes of the markets in which the system is used. Empty: everywhere.
    #[schema(max_items = 100)]
    pub markets: Vec<String>,
    /// The categories of personal data that the system uses.
    #[schema(max_items = 100)]
    pub data: Vec<PublicSystemData>,
    /// The parameters that influence the results.
    #[schema(max_items = 100)]
    pub parameters: Vec<PublicSystemParameter>,
    /// The decisions that the system makes or supports.
    #[schema(max_items = 100)]
    pub decisions: Vec<String>,
    /// The way people supervise the system and can change its results. Null if the system makes no
    /// decisions.
    #[schema(required, max_length = 4000)]
    pub human_oversight: Option<String>,
    /// Contact for questions about the system.
    pub contact: PublicSystemContact,
    /// The time at which this version takes effect.
    #[schema(format = DateTime)]
    pub effective_from: String,
    /// The SHA-256 of the description, in lower-case hexadecimal. The log has it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
}

/// A category of personal data that an automated system uses.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublicSystemData {
    /// The category of the data.
    #[schema(max_length = 200)]
    pub category: String,
    /// The origin of the data.
    #[schema(max_length = 200)]
    pub source: String,
}

/// A parameter that influences the results of an automated system.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublicSystemParameter {
    /// The name of the parameter.
    #[schema(max_length = 200)]
    pub name: String,
    /// The weight: `main` for the main parameters, or `secondary`.
    #[schema(value_type = closed_sets::ParameterWeight)]
    pub weight: &'static str,
    /// The effect of the parameter on the results.
    #[schema(max_length = 4000)]
    pub description: String,
}

/// A person or department that answers questions about an automated system.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublicSystemContact {
    /// The name of the person or department.
    #[schema(max_length = 200)]
    pub name: String,
    /// The e-mail address. Null if there is none; then there is a phone number.
    #[schema(required, max_length = 200)]
    pub email: Option<String>,
    /// The phone number. Null if there is none; then there is an e-mail address.
    #[schema(required, max_length = 200)]
    pub phone: Option<String>,
}

/// The public register.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublicSystemList {
    /// The systems in effect, by key. Empty if the company uses none in the market.
    pub items: Vec<PublicSystem>,
}

/// A person's part of the public register of automated systems.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OwnSystems {
    /// The person's market, for the public register. Null if it is unknown, or if no system is
    /// limited to markets.
    #[schema(required)]
    market: Option<String>,
    /// The number of systems in effect in this market; without a market, in all markets.
    #[schema(minimum = 0)]
    in_effect: usize,
}

impl OwnSystems {
    /// Returns the part of a person. `None` if no system was ever published; this needs no query.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn of(
        register: &SystemRegister,
        store: &Store,
        subject: &str,
        now: Instant,
    ) -> Result<Option<Self>, StoreError> {
        if register.is_empty() {
            return Ok(None);
        }
        let market = if register.has_markets() { store.market_of(subject).await? } else { None };
        let in_effect = register.in_effect(now, market.as_ref()).count();
        Ok(Some(Self { market: market.map(|market| market.to_string()), in_effect }))
    }
}

impl PublicSystem {
    fn new(system: &SystemVersion, ranges: &[&str]) -> Self {
        let definition = &system.definition;
        let localized = definition.localized(ranges);
        let data = localized.data().iter().map(|data| PublicSystemData {
            category: data.category.clone(),
            source: data.source.clone(),
        });
        let parameters = localized.parameters().into_iter();
        let parameters = parameters.map(|(name, description, weight)| PublicSystemParameter {
            name: name.to_owned(),
            weight: weight.as_str(),
            description: description.to_owned(),
        });
        let contact = definition.contact.clone();
        Self {
            key: system.key.clone(),
            version: system.version,
            name: localized.name().to_owned(),
            purpose: localized.purpose().to_owned(),
            kind: definition.kind.as_str(),
            locale: localized.locale().map(str::to_owned),
            markets: definition.markets.clone(),
            data: data.collect(),
            parameters: parameters.collect(),
            decisions: localized.decisions().to_vec(),
            human_oversight: localized.human_oversight().map(str::to_owned),
            contact: PublicSystemContact {
                name: contact.name,
                email: contact.email,
                phone: contact.phone,
            },
            effective_from: system.effective_from.to_string(),
            sha256: musette_store::system_sha256(definition),
        }
    }
}

impl Systems {
    /// Loads the register.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        Ok(Self { register: store.system_register().await?, rendered: RenderedLists::default() })
    }

    /// Returns the systems of a market that are in effect now, rendered once for all identical
    /// requests.
    pub fn current(
        &self,
        market: Option<Market>,
        language: String,
        now: Instant,
    ) -> Arc<RenderedBody> {
        // Without systems that are limited to markets, all requests get the same list.
        let market = market.filter(|_| self.register.has_markets());
        self.rendered.get((market, language), now, |(market, language)| {
            let list = self.list(now, market.as_ref(), language);
            RenderedBody::of(&list, self.register.next_change(now))
        })
    }

    /// Returns the systems of a market that were in effect at an instant.
    pub fn list(&self, at: Instant, market: Option<&Market>, language: &str) -> PublicSystemList {
        let ranges = language_ranges(language);
        let systems = self.register.in_effect(at, market);
        PublicSystemList {
            items: systems.map(|system| PublicSystem::new(system, &ranges)).collect(),
        }
    }
}

//! GrowthBook's engine, `growthbook-rust`. It compares versions only with `$vgt`.

use std::collections::HashMap;

use growthbook_rust::growthbook::GrowthBook;
use growthbook_rust::model_public::GrowthBookAttribute;
use serde_json::json;

use crate::Engine;
use crate::workload::{APP_VERSION, COUNTRIES, COUNTRY, HOURS, USER, VERSION_ABOVE, WORKED, names};

pub struct Growthbook {
    engine: GrowthBook,
    attributes: Option<Vec<GrowthBookAttribute>>,
    names: Vec<String>,
}

fn attributes() -> Option<Vec<GrowthBookAttribute>> {
    let attributes =
        json!({"id": USER, "country": COUNTRY, "appVersion": APP_VERSION, "hours": WORKED});
    Some(GrowthBookAttribute::from(attributes).expect("attributes"))
}

impl Growthbook {
    pub fn new() -> Self {
        let feature = |name: &String| {
            let feature = json!({"defaultValue": false, "rules": [{
                "condition": {"country": {"$in": COUNTRIES}, "appVersion": {"$vgt": VERSION_ABOVE},
                              "hours": {"$gte": HOURS}},
                "force": true, "coverage": 0.5, "hashAttribute": "id", "seed": name,
            }]});
            serde_json::from_value(feature).expect("a valid document")
        };
        Self {
            engine: GrowthBook {
                forced_variations: None,
                features: names().map(|name| (name.clone(), feature(&name))).collect(),
                attributes: None,
                sticky_bucket_service: None,
                saved_groups: HashMap::default(),
            },
            attributes: attributes(),
            names: names().collect(),
        }
    }
}

impl Engine for Growthbook {
    fn name(&self) -> &'static str {
        "growthbook-rust 0.4.0"
    }

    fn one(&self, flag: &str) -> bool {
        self.engine.check(flag, &self.attributes).on
    }

    fn one_prepared_for_it(&self, flag: &str) -> bool {
        self.engine.check(flag, &attributes()).on
    }

    fn all(&self) -> usize {
        self.names.iter().filter(|flag| self.engine.check(flag, &self.attributes).on).count()
    }
}

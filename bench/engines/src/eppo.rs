//! Eppo's engine, `eppo_core`.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use eppo_core::eval::get_assignment;
use eppo_core::ufc::UniversalFlagConfig;
use eppo_core::{AttributeValue, Configuration, SdkMetadata, Str};
use serde_json::json;

use crate::Engine;
use crate::workload::{APP_VERSION, COUNTRIES, COUNTRY, HOURS, USER, VERSION_ABOVE, WORKED, names};

type Attributes = Arc<HashMap<Str, AttributeValue>>;

pub struct Eppo {
    configuration: Configuration,
    attributes: Attributes,
    subject: Str,
    names: Vec<String>,
    now: DateTime<Utc>,
}

fn attributes() -> Attributes {
    Arc::new(HashMap::from([
        (Str::from_static_str("country"), AttributeValue::categorical(COUNTRY)),
        (Str::from_static_str("appVersion"), AttributeValue::categorical(APP_VERSION)),
        (Str::from_static_str("hours"), AttributeValue::numeric(WORKED as f64)),
    ]))
}

impl Eppo {
    pub fn new() -> Self {
        let flag = |name: &String| {
            json!({
                "key": name, "enabled": true, "variationType": "BOOLEAN", "totalShards": 10000,
                "variations": {"on": {"key": "on", "value": true}, "off": {"key": "off", "value": false}},
                "allocations": [{
                    "key": "rollout", "doLog": false,
                    "rules": [{"conditions": [
                        {"attribute": "country", "operator": "ONE_OF", "value": COUNTRIES},
                        {"attribute": "appVersion", "operator": "GT", "value": VERSION_ABOVE},
                        {"attribute": "hours", "operator": "GTE", "value": HOURS},
                    ]}],
                    "splits": [{"variationKey": "on", "shards": [
                        {"salt": name, "ranges": [{"start": 0, "end": 5000}]},
                    ]}],
                }],
            })
        };
        let flags: serde_json::Map<_, _> = names().map(|name| (name.clone(), flag(&name))).collect();
        let document = json!({
            "createdAt": "2026-11-21T00:00:00Z", "format": "SERVER",
            "environment": {"name": "bench"}, "flags": flags,
        });
        let about = SdkMetadata { name: "bench", version: "0" };
        let document = serde_json::to_vec(&document).expect("JSON");
        let document = UniversalFlagConfig::from_json(about, document).expect("a valid document");
        Self {
            configuration: Configuration::from_server_response(document, None),
            attributes: attributes(),
            subject: USER.into(),
            names: names().collect(),
            now: Utc::now(),
        }
    }

    fn ask(&self, flag: &str, attributes: &Attributes) -> bool {
        let assignment = get_assignment(
            Some(&self.configuration),
            flag,
            &self.subject,
            attributes,
            None,
            self.now,
        );
        assignment.expect("evaluates").is_some()
    }
}

impl Engine for Eppo {
    fn name(&self) -> &'static str {
        "eppo_core 9.3.0"
    }

    fn one(&self, flag: &str) -> bool {
        self.ask(flag, &self.attributes)
    }

    fn one_prepared_for_it(&self, flag: &str) -> bool {
        self.ask(flag, &attributes())
    }

    fn all(&self) -> usize {
        self.names.iter().filter(|flag| self.ask(flag, &self.attributes)).count()
    }
}

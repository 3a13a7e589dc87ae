//! Unleash's engine, `unleash-yggdrasil`.

use std::collections::HashMap;

use serde_json::json;
use unleash_yggdrasil::{Context, EngineState};

use crate::Engine;
use crate::workload::{APP_VERSION, COUNTRIES, COUNTRY, HOURS, USER, VERSION_ABOVE, WORKED, names};

pub struct Unleash {
    engine: EngineState,
    context: Context,
}

fn context() -> Context {
    Context {
        user_id: Some(USER.into()),
        session_id: None,
        environment: None,
        app_name: None,
        current_time: None,
        remote_address: None,
        properties: Some(HashMap::from([
            ("country".into(), COUNTRY.into()),
            ("appVersion".into(), APP_VERSION.into()),
            ("hours".into(), WORKED.to_string()),
        ])),
    }
}

impl Unleash {
    pub fn new() -> Self {
        let features: Vec<_> = names()
            .map(|name| {
                json!({"name": name, "enabled": true, "strategies": [{
                    "name": "flexibleRollout",
                    "parameters": {"rollout": "50", "stickiness": "userId", "groupId": name},
                    "constraints": [
                        {"contextName": "country", "operator": "IN", "values": COUNTRIES},
                        {"contextName": "appVersion", "operator": "SEMVER_GT", "value": VERSION_ABOVE},
                        {"contextName": "hours", "operator": "NUM_GTE", "value": HOURS.to_string()},
                    ],
                }]})
            })
            .collect();
        let features = json!({"version": 2, "features": features});
        let engine = EngineState::default();
        let features = serde_json::from_value(features).expect("a valid document");
        assert!(engine.apply_client_features(features).is_none());
        Self { engine, context: context() }
    }
}

impl Engine for Unleash {
    fn name(&self) -> &'static str {
        "unleash-yggdrasil 0.21.7"
    }

    fn one(&self, flag: &str) -> bool {
        self.engine.is_enabled(flag, &self.context, &None)
    }

    fn one_prepared_for_it(&self, flag: &str) -> bool {
        self.engine.is_enabled(flag, &context(), &None)
    }

    fn all(&self) -> usize {
        let all = self.engine.resolve_all(&self.context, &None).expect("flags");
        all.values().filter(|flag| flag.enabled).count()
    }
}

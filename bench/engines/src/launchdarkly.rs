//! LaunchDarkly's engine, `launchdarkly-server-sdk-evaluation`. Its store trait returns
//! clones; here the flags are held outside it, which is the fastest way to call its engine.

use std::collections::HashMap;

use launchdarkly_server_sdk_evaluation::{
    AttributeValue, Context, ContextBuilder, Flag, FlagValue, Segment, Store, evaluate,
};
use serde_json::json;

use crate::Engine;
use crate::workload::{APP_VERSION, COUNTRIES, COUNTRY, HOURS, USER, VERSION_ABOVE, WORKED, names};

struct Empty;

impl Store for Empty {
    fn flag(&self, _: &str) -> Option<Flag> {
        None
    }
    fn segment(&self, _: &str) -> Option<Segment> {
        None
    }
}

pub struct LaunchDarkly {
    flags: HashMap<String, Flag>,
    context: Context,
}

fn context() -> Context {
    let mut context = ContextBuilder::new(USER);
    context.set_value("country", AttributeValue::String(COUNTRY.into()));
    context.set_value("appVersion", AttributeValue::String(APP_VERSION.into()));
    context.set_value("hours", AttributeValue::Number(WORKED as f64));
    context.build().expect("a context")
}

impl LaunchDarkly {
    pub fn new() -> Self {
        let clause = |attribute: &str, op: &str, values: serde_json::Value| {
            json!({"attribute": attribute, "op": op, "values": values, "negate": false,
                   "contextKind": "user"})
        };
        let flags = names()
            .map(|name| {
                let flag = json!({
                    "key": name, "version": 1, "on": true, "targets": [], "prerequisites": [],
                    "salt": name, "offVariation": 0, "variations": [false, true],
                    "fallthrough": {"variation": 0},
                    "trackEventsFallthrough": false, "trackEvents": false, "clientSide": false,
                    "rules": [{"id": "r", "trackEvents": false, "clauses": [
                        clause("country", "in", json!(COUNTRIES)),
                        clause("appVersion", "semVerGreaterThan", json!([VERSION_ABOVE])),
                        clause("hours", "greaterThanOrEqual", json!([HOURS])),
                    ], "rollout": {"contextKind": "user", "variations": [
                        {"variation": 1, "weight": 50000}, {"variation": 0, "weight": 50000},
                    ]}}],
                });
                (name, serde_json::from_value(flag).expect("a valid document"))
            })
            .collect();
        Self { flags, context: context() }
    }

    fn ask(&self, flag: &Flag, context: &Context) -> bool {
        evaluate(&Empty, flag, context, None).value == Some(&FlagValue::Bool(true))
    }
}

impl Engine for LaunchDarkly {
    fn name(&self) -> &'static str {
        "launchdarkly-server-sdk-evaluation 2.2.1"
    }

    fn one(&self, flag: &str) -> bool {
        self.ask(&self.flags[flag], &self.context)
    }

    fn one_prepared_for_it(&self, flag: &str) -> bool {
        self.ask(&self.flags[flag], &context())
    }

    fn all(&self) -> usize {
        self.flags.values().filter(|flag| self.ask(flag, &self.context)).count()
    }
}

//! Each part of a document from its members, with the defaults of what may be left out.

use std::collections::BTreeMap;

use super::{Faults, Members, Read, words};
use crate::flags::document::{
    Applies, Attribute, AttributeType, Condition, Direction, Document, Experiment,
    ExperimentStatus, Flag, FlagType, Holdout, HoldoutStatus, Layer, Metric, MetricKind,
    MetricRoles, Mode, Override, Percent, Prerequisite, Rollout, Rule, Schedule, Scope, Segment,
    Serve, Slot, Step, UNIT, Variation,
};
use crate::flags::json::Json;
use crate::flags::pointer::Pointer;

/// The stand-in of an object is what reading an empty one gives; its faults are told already.
macro_rules! objects {
    ($($object:ident { $it:ident => $read:expr })*) => {$(
        impl Read for $object {
            fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
                let Some($it) = Members::of(json, place, faults) else {
                    return Self::stand_in();
                };
                $read
            }

            fn stand_in() -> Self {
                let unheard = Faults(Default::default());
                Self::read(&Json::Object(Vec::new()), &Pointer::DOCUMENT, &unheard)
            }
        }
    )*};
}

objects! {
    Document { it => Self {
        schema: it.required("schema"),
        environment: it.required("environment"),
        version: it.or("version", 0),
        attributes: it.list("attributes"),
        segments: it.list("segments"),
        layers: it.list("layers"),
        holdouts: it.list("holdouts"),
        metrics: it.list("metrics"),
        client_metrics: it.or("clientMetrics", false),
        flags: it.list("flags"),
    }}
    Attribute { it => Self {
        name: it.required("name"),
        r#type: it.required("type"),
        description: it.optional("description"),
    }}
    Segment { it => Self {
        key: it.required("key"),
        description: it.optional("description"),
        r#match: it.required("match"),
    }}
    Layer { it => {
        let key: String = it.required("key");
        Self {
            description: it.optional("description"),
            salt: it.or("salt", key.clone()),
            slots: it.list("slots"),
            key,
        }
    }}
    Slot { it => Self {
        experiment: it.required("experiment"),
        from: it.required("from"),
        to: it.required("to"),
    }}
    Holdout { it => {
        let key: String = it.required("key");
        Self {
            description: it.optional("description"),
            salt: it.or("salt", key.clone()),
            unit: it.or("unit", UNIT.to_owned()),
            percent: it.required("percent"),
            status: it.or("status", HoldoutStatus::Running),
            priority: it.or("priority", 0),
            scope: it.or("scope", Scope::All),
            applies: it.required("applies"),
            population: it.optional("population"),
            schedule: it.optional("schedule"),
            metrics: roles(&it),
            key,
        }
    }}
    Metric { it => Self {
        key: it.required("key"),
        name: it.optional("name"),
        description: it.optional("description"),
        direction: it.or("direction", Direction::Increase),
        kind: it.or("kind", MetricKind::Sum),
        denominator: it.optional("denominator"),
        unit: it.optional("unit"),
        min: it.optional("min"),
        max: it.optional("max"),
        cap: it.optional("cap"),
    }}
    Applies { it => Self {
        mode: it.required("mode"),
        except_flags: it.list("exceptFlags"),
        flags: it.list("flags"),
        tags: it.list("tags"),
    }}
    Schedule { it => Self {
        start_at: it.optional("startAt"),
        analysis_at: it.optional("analysisAt"),
        stop_at: it.optional("stopAt"),
    }}
    Flag { it => {
        let key: String = it.required("key");
        let off_variation: Option<String> = it.optional("offVariation");
        let default_variation: String = it.required("defaultVariation");
        let baseline = off_variation.clone().unwrap_or_else(|| default_variation.clone());
        Self {
            r#type: it.required("type"),
            description: it.optional("description"),
            on: it.or("on", true),
            salt: it.or("salt", key.clone()),
            tags: it.list("tags"),
            owner: it.optional("owner"),
            client_visible: it.or("clientVisible", true),
            archived: it.or("archived", false),
            variations: it.required("variations"),
            off_variation,
            default_variation,
            baseline_variation: it.or("baselineVariation", baseline),
            prerequisites: it.list("prerequisites"),
            overrides: it.list("overrides"),
            rules: it.list("rules"),
            key,
        }
    }}
    Variation { it => Self { key: it.required("key"), value: it.required("value") }}
    Prerequisite { it => Self { flag: it.required("flag"), r#in: it.required("in") }}
    Override { it => Self {
        unit: it.or("unit", UNIT.to_owned()),
        id: it.required("id"),
        variation: it.required("variation"),
    }}
    Rule { it => Self {
        id: it.required("id"),
        name: it.optional("name"),
        when: it.or("when", Condition::always()),
        serve: it.required("serve"),
    }}
    Rollout { it => Self {
        unit: it.or("unit", UNIT.to_owned()),
        steps: it.required("steps"),
        variation: it.required("variation"),
    }}
    Step { it => Self { at: it.optional("at"), percent: it.required("percent") }}
    Experiment { it => {
        let key: String = it.required("key");
        Self {
            layer: it.optional("layer"),
            unit: it.or("unit", UNIT.to_owned()),
            fallback_unit: it.optional("fallbackUnit"),
            seed: it.or("seed", key.clone()),
            coverage: it.or("coverage", Percent::HUNDRED.thousandths()),
            weights: it.required::<BTreeMap<String, u32>>("weights"),
            sticky: it.or("sticky", false),
            bucket_version: it.or("bucketVersion", 1),
            min_bucket_version: it.or("minBucketVersion", 0),
            phase: it.or("phase", 1),
            status: it.or("status", ExperimentStatus::Running),
            winner: it.optional("winner"),
            hypothesis: it.optional("hypothesis"),
            primary_metric: it.optional("primaryMetric"),
            minimum_effect: it.optional("minimumEffect"),
            metrics: Box::new(roles(&it)),
            key,
        }
    }}
}

/// They stand among the members of what they decide about.
fn roles(it: &Members<'_>) -> MetricRoles {
    MetricRoles {
        goal: it.optional("goal"),
        guardrails: it.list("guardrails"),
        secondary: it.list("secondary"),
    }
}

impl Read for Serve {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        let Some(it) = Members::of(json, place, faults) else { return Self::stand_in() };
        let said: Vec<&str> = ["variation", "rollout", "experiment"]
            .into_iter()
            .filter(|name| it.get(name).is_some())
            .collect();
        match said[..] {
            ["variation"] => Self::Variation(it.required("variation")),
            ["rollout"] => Self::Rollout(it.required("rollout")),
            ["experiment"] => Self::Experiment(it.required("experiment")),
            _ => {
                let detail = "A rule serves exactly one of variation, rollout, experiment.";
                faults.add(place, "bad_serve", detail);
                Self::stand_in()
            }
        }
    }

    fn stand_in() -> Self {
        Self::Variation(String::new())
    }
}

words!(AttributeType, "unknown_type",
    "string" => String,
    "number" => Number,
    "boolean" => Boolean,
    "semver" => Semver,
    "date" => Date,
    "ip" => Ip,
    "string[]" => Strings,
    "number[]" => Numbers,
);
// Json stands in: every value is one.
words!(FlagType, "unknown_type",
    "json" => Json,
    "boolean" => Boolean,
    "string" => String,
    "number" => Number,
);
words!(HoldoutStatus, "unknown_status",
    "draft" => Draft,
    "running" => Running,
    "analysis" => Analysis,
    "ended" => Ended,
);
words!(ExperimentStatus, "unknown_status",
    "draft" => Draft,
    "running" => Running,
    "stopped" => Stopped,
    "shipped" => Shipped,
);
words!(Scope, "unknown_scope", "experiments" => Experiments, "all" => All);
words!(Direction, "unknown_direction", "increase" => Increase, "decrease" => Decrease);
words!(MetricKind, "unknown_kind",
    "sum" => Sum,
    "conversion" => Conversion,
    "mean" => Mean,
    "ratio" => Ratio,
);
words!(Mode, "unknown_mode", "global" => Global, "selected" => Selected);

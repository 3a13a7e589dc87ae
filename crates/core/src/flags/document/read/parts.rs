//! Reads each part of a document from its members, with the defaults of optional members.

use std::collections::BTreeMap;

use super::{Errors, Members, Read, words};
use crate::flags::document::{
    Applies, Attribute, AttributeType, Condition, Direction, Document, Experiment,
    ExperimentStatus, Flag, FlagType, Holdout, HoldoutStatus, Layer, Metric, MetricKind,
    MetricRoles, Mode, Override, Percent, Prerequisite, RequiresNotice, Rollout, Rule, Schedule,
    Scope, Segment, Serve, Slot, Step, UNIT, Variation,
};
use crate::flags::json::Json;
use crate::flags::pointer::Pointer;

/// The placeholder of an object is the result of reading an empty object. Its errors are dropped,
/// because the error of the object itself is reported already.
macro_rules! objects {
    ($($object:ident { $members:ident => $read:expr })*) => {$(
        impl Read for $object {
            fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
                let Some($members) = Members::of(json, place, errors) else {
                    return Self::placeholder();
                };
                $read
            }

            fn placeholder() -> Self {
                let dropped = Errors(Default::default());
                Self::read(&Json::Object(Vec::new()), &Pointer::DOCUMENT, &dropped)
            }
        }
    )*};
}

objects! {
    Document { members => Self {
        schema: members.required("schema"),
        environment: members.required("environment"),
        version: members.or("version", 0),
        attributes: members.list("attributes"),
        segments: members.list("segments"),
        layers: members.list("layers"),
        holdouts: members.list("holdouts"),
        metrics: members.list("metrics"),
        client_metrics: members.or("clientMetrics", false),
        flags: members.list("flags"),
    }}
    Attribute { members => Self {
        name: members.required("name"),
        r#type: members.required("type"),
        description: members.optional("description"),
    }}
    Segment { members => Self {
        key: members.required("key"),
        description: members.optional("description"),
        r#match: members.required("match"),
    }}
    Layer { members => {
        let key: String = members.required("key");
        Self {
            description: members.optional("description"),
            salt: members.or("salt", key.clone()),
            slots: members.list("slots"),
            key,
        }
    }}
    Slot { members => Self {
        experiment: members.required("experiment"),
        from: members.required("from"),
        to: members.required("to"),
    }}
    Holdout { members => {
        let key: String = members.required("key");
        Self {
            description: members.optional("description"),
            salt: members.or("salt", key.clone()),
            unit: members.or("unit", UNIT.to_owned()),
            percent: members.required("percent"),
            status: members.or("status", HoldoutStatus::Running),
            priority: members.or("priority", 0),
            scope: members.or("scope", Scope::All),
            applies: members.required("applies"),
            population: members.optional("population"),
            schedule: members.optional("schedule"),
            metrics: roles(&members),
            key,
        }
    }}
    Metric { members => Self {
        key: members.required("key"),
        name: members.optional("name"),
        description: members.optional("description"),
        direction: members.or("direction", Direction::Increase),
        kind: members.or("kind", MetricKind::Sum),
        denominator: members.optional("denominator"),
        unit: members.optional("unit"),
        min: members.optional("min"),
        max: members.optional("max"),
        cap: members.optional("cap"),
    }}
    Applies { members => Self {
        mode: members.required("mode"),
        except_flags: members.list("exceptFlags"),
        flags: members.list("flags"),
        tags: members.list("tags"),
    }}
    Schedule { members => Self {
        start_at: members.optional("startAt"),
        analysis_at: members.optional("analysisAt"),
        stop_at: members.optional("stopAt"),
    }}
    Flag { members => {
        let key: String = members.required("key");
        let off_variation: Option<String> = members.optional("offVariation");
        let default_variation: String = members.required("defaultVariation");
        let baseline = off_variation.clone().unwrap_or_else(|| default_variation.clone());
        Self {
            r#type: members.required("type"),
            description: members.optional("description"),
            on: members.or("on", true),
            salt: members.or("salt", key.clone()),
            tags: members.list("tags"),
            owner: members.optional("owner"),
            client_visible: members.or("clientVisible", true),
            archived: members.or("archived", false),
            variations: members.required("variations"),
            off_variation,
            default_variation,
            baseline_variation: members.or("baselineVariation", baseline),
            prerequisites: members.list("prerequisites"),
            requires_notice: members.optional("requires_notice"),
            overrides: members.list("overrides"),
            rules: members.list("rules"),
            key,
        }
    }}
    Variation { members => Self { key: members.required("key"), value: members.required("value") }}
    Prerequisite { members => Self { flag: members.required("flag"), r#in: members.required("in") }}
    RequiresNotice { members => Self {
        term_id: members.required("term_id"),
        days: members.or("days", Self::DAYS),
        share_served: members.or("share_served", Self::SHARE_SERVED),
    }}
    Override { members => Self {
        unit: members.or("unit", UNIT.to_owned()),
        id: members.required("id"),
        variation: members.required("variation"),
    }}
    Rule { members => Self {
        id: members.required("id"),
        name: members.optional("name"),
        when: members.or("when", Condition::always()),
        serve: members.required("serve"),
    }}
    Rollout { members => Self {
        unit: members.or("unit", UNIT.to_owned()),
        steps: members.required("steps"),
        variation: members.required("variation"),
    }}
    Step { members => Self { at: members.optional("at"), percent: members.required("percent") }}
    Experiment { members => {
        let key: String = members.required("key");
        Self {
            layer: members.optional("layer"),
            unit: members.or("unit", UNIT.to_owned()),
            fallback_unit: members.optional("fallbackUnit"),
            seed: members.or("seed", key.clone()),
            coverage: members.or("coverage", Percent::HUNDRED.thousandths()),
            weights: members.required::<BTreeMap<String, u32>>("weights"),
            sticky: members.or("sticky", false),
            bucket_version: members.or("bucketVersion", 1),
            min_bucket_version: members.or("minBucketVersion", 0),
            phase: members.or("phase", 1),
            status: members.or("status", ExperimentStatus::Running),
            winner: members.optional("winner"),
            hypothesis: members.optional("hypothesis"),
            primary_metric: members.optional("primaryMetric"),
            minimum_effect: members.optional("minimumEffect"),
            metrics: Box::new(roles(&members)),
            key,
        }
    }}
}

/// Reads the roles of metrics, which are members of the experiment or holdout itself.
fn roles(members: &Members<'_>) -> MetricRoles {
    MetricRoles {
        goal: members.optional("goal"),
        guardrails: members.list("guardrails"),
        secondary: members.list("secondary"),
    }
}

impl Read for Serve {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        let Some(members) = Members::of(json, place, errors) else { return Self::placeholder() };
        let present: Vec<&str> = ["variation", "rollout", "experiment"]
            .into_iter()
            .filter(|name| members.get(name).is_some())
            .collect();
        match present[..] {
            ["variation"] => Self::Variation(members.required("variation")),
            ["rollout"] => Self::Rollout(members.required("rollout")),
            ["experiment"] => Self::Experiment(members.required("experiment")),
            _ => {
                let detail = "A rule must serve exactly one of variation, rollout, experiment.";
                errors.add(place, "bad_serve", detail);
                Self::placeholder()
            }
        }
    }

    fn placeholder() -> Self {
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
// Json is the placeholder, because every value is valid JSON.
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

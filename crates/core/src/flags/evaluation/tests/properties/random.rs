//! Documents and people from a list of choices. All documents are valid.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::flags::{
    Applies, Attribute, AttributeType, Condition, Document, Experiment, ExperimentStatus, Flag,
    FlagType, Holdout, HoldoutStatus, Json, Layer, MetricRoles, Mode, Operator, Override, Percent,
    Prerequisite, Rollout, Rule, Scope, Segment, Serve, Slot, Step, Test, Variation,
};

pub const ATTRIBUTES: [&str; 9] =
    ["userId", "anonymousId", "country", "hours", "version", "zones", "levels", "pro", "joined"];
const TYPES: [(&str, AttributeType); 7] = [
    ("country", AttributeType::String),
    ("hours", AttributeType::Number),
    ("version", AttributeType::Semver),
    ("zones", AttributeType::Strings),
    ("levels", AttributeType::Numbers),
    ("pro", AttributeType::Boolean),
    ("joined", AttributeType::Date),
];
const KEYS: [&str; 3] = ["a", "b", "c"];

/// A list of random choices. After its end, the first alternative is always chosen.
pub struct Choices<'c>(std::slice::Iter<'c, u16>);

impl<'c> Choices<'c> {
    pub fn new(choices: &'c [u16]) -> Self {
        Self(choices.iter())
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % limit)
    }

    fn one<T: Clone>(&mut self, alternatives: &[T]) -> T {
        alternatives[self.below(alternatives.len())].clone()
    }

    /// Returns true with a probability of 1 in `out_of`.
    fn chance(&mut self, out_of: usize) -> bool {
        self.below(out_of) == 1
    }

    pub fn document(&mut self) -> Document {
        let mut document = Document::new("test");
        document.attributes = TYPES
            .iter()
            .map(|(name, r#type)| Attribute {
                name: (*name).to_owned(),
                r#type: *r#type,
                description: None,
            })
            .collect();
        for number in 0..self.below(3) {
            let r#match = self.condition(2, number);
            document.segments.push(Segment {
                key: format!("s{number}"),
                description: None,
                r#match,
            });
        }
        let segments = document.segments.len();
        let flags = 1 + self.below(4);
        for number in 0..self.below(4) {
            document.holdouts.push(self.holdout(number, flags, segments));
        }
        let mut slots = Vec::new();
        for number in 0..flags {
            document.flags.push(self.flag(number, segments, &mut slots));
        }
        if !slots.is_empty() {
            let layer = Layer { key: "l".into(), description: None, salt: "l".into(), slots };
            document.layers.push(layer);
        }
        document
    }

    fn flag(&mut self, number: usize, segments: usize, slots: &mut Vec<Slot>) -> Flag {
        let rules = (0..self.below(4))
            .map(|rule| Rule {
                id: format!("r{rule}"),
                name: None,
                when: self.condition(3, segments),
                serve: self.serve(number, rule, slots),
            })
            .collect();
        let mut prerequisites = Vec::new();
        for other in 0..number {
            if self.chance(3) {
                let flag = format!("f{other}");
                prerequisites.push(Prerequisite { flag, r#in: self.some_keys() });
            }
        }
        let mut overrides: Vec<Override> = Vec::new();
        for (unit, id) in [("userId", "u1"), ("anonymousId", "u1"), ("country", "UY")] {
            if self.chance(5) {
                let variation = self.one(&KEYS).to_owned();
                overrides.push(Override { unit: unit.into(), id: id.into(), variation });
            }
        }
        Flag {
            key: format!("f{number}"),
            r#type: FlagType::String,
            description: None,
            on: !self.chance(6),
            salt: self.one(&["x", "y"]).to_owned(),
            tags: if self.chance(2) { vec!["t".to_owned()] } else { Vec::new() },
            owner: None,
            client_visible: true,
            archived: self.chance(9),
            variations: KEYS
                .iter()
                .map(|key| Variation { key: (*key).to_owned(), value: Json::from(*key) })
                .collect(),
            off_variation: self.one(&[None, Some("a"), Some("b")]).map(str::to_owned),
            default_variation: self.one(&KEYS).to_owned(),
            baseline_variation: self.one(&KEYS).to_owned(),
            prerequisites,
            requires_notice: None,
            overrides,
            rules,
        }
    }

    fn some_keys(&mut self) -> Vec<String> {
        let from = self.below(KEYS.len());
        KEYS[from..].iter().map(|key| (*key).to_owned()).collect()
    }

    fn serve(&mut self, flag: usize, rule: usize, slots: &mut Vec<Slot>) -> Serve {
        let unit = self.one(&["userId", "anonymousId", "country", "hours", "key"]).to_owned();
        let variation = self.one(&KEYS).to_owned();
        match self.below(3) {
            0 => Serve::Variation(variation),
            1 => {
                let percent = Percent::from_thousandths((self.below(4) * 33_333) as u32);
                let step = Step { at: None, percent: percent.expect("at most 99.999") };
                Serve::Rollout(Rollout { unit, steps: vec![step], variation })
            }
            _ => {
                let key = format!("e{flag}-{rule}");
                let first = self.one(&[0_u32, 30_000, 100_000]);
                let weights = BTreeMap::from([("a".into(), first), ("b".into(), 100_000 - first)]);
                let is_layered = self.chance(3);
                if is_layered {
                    let from = slots.len() as u32 * 5_000;
                    slots.push(Slot { experiment: key.clone(), from, to: from + 5_000 });
                }
                Serve::Experiment(Experiment {
                    seed: key.clone(),
                    key,
                    layer: is_layered.then(|| "l".to_owned()),
                    unit,
                    fallback_unit: self.chance(2).then(|| "anonymousId".to_owned()),
                    coverage: self.one(&[100_000, 50_000, 0]),
                    weights,
                    sticky: self.chance(2),
                    bucket_version: 2,
                    min_bucket_version: self.below(3) as u32,
                    phase: 1,
                    status: self.one(&[
                        ExperimentStatus::Running,
                        ExperimentStatus::Running,
                        ExperimentStatus::Draft,
                        ExperimentStatus::Shipped,
                    ]),
                    winner: Some("c".to_owned()),
                    hypothesis: None,
                    primary_metric: None,
                    minimum_effect: None,
                    metrics: Box::default(),
                })
            }
        }
    }

    fn holdout(&mut self, number: usize, flags: usize, segments: usize) -> Holdout {
        Holdout {
            key: format!("h{number}"),
            description: None,
            salt: self.one(&["h", "i"]).to_owned(),
            unit: self.one(&["userId", "country"]).to_owned(),
            percent: Percent::from_thousandths(self.one(&[0, 20_000, 50_000])).expect("at most 50"),
            status: self.one(&[
                HoldoutStatus::Running,
                HoldoutStatus::Analysis,
                HoldoutStatus::Draft,
                HoldoutStatus::Ended,
            ]),
            priority: self.below(2) as i32,
            scope: self.one(&[Scope::All, Scope::Experiments]),
            applies: Applies {
                mode: self.one(&[Mode::Global, Mode::Selected]),
                except_flags: vec![format!("f{}", self.below(flags))],
                flags: vec![format!("f{}", self.below(flags))],
                tags: self.one(&[vec![], vec!["t".to_owned()]]),
            },
            population: self.chance(2).then(|| self.condition(1, segments)),
            schedule: None,
            metrics: MetricRoles::default(),
        }
    }

    fn condition(&mut self, depth: usize, segments: usize) -> Condition {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 if self.chance(3) => Condition::always(),
            1 if segments > 0 => Condition::Segment(format!("s{}", self.below(segments))),
            3 => Condition::Not(Box::new(self.condition(depth - 1, segments))),
            4 => {
                let count = self.below(3);
                Condition::Any((0..count).map(|_| self.condition(depth - 1, segments)).collect())
            }
            5 => {
                let count = self.below(3);
                Condition::All((0..count).map(|_| self.condition(depth - 1, segments)).collect())
            }
            _ => Condition::Test(self.test()),
        }
    }

    fn test(&mut self) -> Test {
        let one = |attr: &str, op, value: Json| (attr.to_owned(), op, Some(value), None);
        let several = |attr: &str, op, values: Vec<Json>| (attr.to_owned(), op, None, Some(values));
        let (attr, op, value, values) = match self.below(12) {
            0 => one("country", Operator::Eq, "UY".into()),
            1 => one("country", Operator::Ne, "UY".into()),
            2 => several("country", Operator::In, vec!["AR".into(), "UY".into()]),
            3 => one("country", Operator::Matches, "^[A-M]".into()),
            4 => one("hours", Operator::Gte, 10_i64.into()),
            5 => several("hours", Operator::NotIn, vec![0_i64.into(), 10_i64.into()]),
            6 => one("version", Operator::SemverLt, "7.2.0".into()),
            7 => several("zones", Operator::HasAny, vec!["north".into()]),
            8 => several("levels", Operator::HasAll, vec![1_i64.into(), 2_i64.into()]),
            9 => one("pro", Operator::Eq, true.into()),
            10 => one("joined", Operator::Before, "2026-01-01T00:00:00Z".into()),
            _ => {
                let attr = self.one(&["userId", "zones", "pro", "joined"]).to_owned();
                (attr, Operator::Exists, None, None)
            }
        };
        Test { attr, op, value, values }
    }

    pub fn person(&mut self) -> Map<String, Value> {
        let values = [
            Value::Null,
            json!("u1"),
            json!("u2"),
            json!("UY"),
            json!("AR"),
            json!(10),
            json!(0),
            json!(-2.5),
            json!("7.1.9"),
            json!("2025-11-21T09:30:00Z"),
            json!(true),
            json!(false),
            json!(["north", 1]),
            json!([1, 2, "x"]),
            json!({"nested": [1]}),
            json!(""),
        ];
        let mut person = Map::new();
        for name in ATTRIBUTES {
            if !self.chance(4) {
                person.insert(name.to_owned(), self.one(&values));
            }
        }
        person
    }
}

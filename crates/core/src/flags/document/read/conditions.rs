//! Conditions and their operators.

use super::{Faults, Members, Read, words};
use crate::flags::document::{Condition, Operator, Test};
use crate::flags::json::Json;
use crate::flags::pointer::Pointer;

impl Read for Condition {
    fn read(json: &Json, place: &Pointer<'_>, faults: &Faults) -> Self {
        let Some(it) = Members::of(json, place, faults) else { return Self::stand_in() };
        let said: Vec<&str> = ["all", "any", "not", "segment", "attr"]
            .into_iter()
            .filter(|name| it.get(name).is_some())
            .collect();
        match said[..] {
            ["all"] => Self::All(it.required("all")),
            ["any"] => Self::Any(it.required("any")),
            ["not"] => Self::Not(Box::new(it.required("not"))),
            ["segment"] => Self::Segment(it.required("segment")),
            ["attr"] => Self::Test(Test {
                attr: it.required("attr"),
                op: it.required("op"),
                value: it.optional("value"),
                values: it.optional("values"),
            }),
            _ => {
                let detail = "A condition has exactly one of all, any, not, segment, attr.";
                faults.add(place, "bad_condition", detail);
                Self::stand_in()
            }
        }
    }

    fn stand_in() -> Self {
        Self::always()
    }
}

words!(Operator, "unknown_operator",
    "eq" => Eq,
    "ne" => Ne,
    "in" => In,
    "not_in" => NotIn,
    "lt" => Lt,
    "lte" => Lte,
    "gt" => Gt,
    "gte" => Gte,
    "between" => Between,
    "contains" => Contains,
    "not_contains" => NotContains,
    "starts" => Starts,
    "ends" => Ends,
    "matches" => Matches,
    "exists" => Exists,
    "semver_eq" => SemverEq,
    "semver_lt" => SemverLt,
    "semver_lte" => SemverLte,
    "semver_gt" => SemverGt,
    "semver_gte" => SemverGte,
    "before" => Before,
    "after" => After,
    "cidr" => Cidr,
    "has_any" => HasAny,
    "has_all" => HasAll,
);

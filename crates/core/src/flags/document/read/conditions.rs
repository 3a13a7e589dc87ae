//! Reads conditions and their operators.

use super::{Errors, Members, Read, words};
use crate::flags::document::{Condition, Operator, Test};
use crate::flags::json::Json;
use crate::flags::pointer::Pointer;

impl Read for Condition {
    fn read(json: &Json, place: &Pointer<'_>, errors: &Errors) -> Self {
        let Some(members) = Members::of(json, place, errors) else { return Self::placeholder() };
        let present: Vec<&str> = ["all", "any", "not", "segment", "attr"]
            .into_iter()
            .filter(|name| members.get(name).is_some())
            .collect();
        match present[..] {
            ["all"] => Self::All(members.required("all")),
            ["any"] => Self::Any(members.required("any")),
            ["not"] => Self::Not(Box::new(members.required("not"))),
            ["segment"] => Self::Segment(members.required("segment")),
            ["attr"] => Self::Test(Test {
                attr: members.required("attr"),
                op: members.required("op"),
                value: members.optional("value"),
                values: members.optional("values"),
            }),
            _ => {
                let detail = "A condition must have exactly one of all, any, not, segment, attr.";
                errors.add(place, "bad_condition", detail);
                Self::placeholder()
            }
        }
    }

    fn placeholder() -> Self {
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

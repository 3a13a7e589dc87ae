use std::borrow::Cow;

use super::Matcher;
use crate::flags::document::{AttributeType, Operator, Test};
use crate::flags::json::{Json, parse};
use crate::flags::value::Value;

const ALL: [Operator; 25] = [
    Operator::Eq,
    Operator::Ne,
    Operator::In,
    Operator::NotIn,
    Operator::Lt,
    Operator::Lte,
    Operator::Gt,
    Operator::Gte,
    Operator::Between,
    Operator::Contains,
    Operator::NotContains,
    Operator::Starts,
    Operator::Ends,
    Operator::Matches,
    Operator::Exists,
    Operator::SemverEq,
    Operator::SemverLt,
    Operator::SemverLte,
    Operator::SemverGt,
    Operator::SemverGte,
    Operator::Before,
    Operator::After,
    Operator::Cidr,
    Operator::HasAny,
    Operator::HasAll,
];
const TYPES: [AttributeType; 8] = [
    AttributeType::String,
    AttributeType::Number,
    AttributeType::Boolean,
    AttributeType::Semver,
    AttributeType::Date,
    AttributeType::Ip,
    AttributeType::Strings,
    AttributeType::Numbers,
];

/// Returns a test with an operand of this type if the operator accepts it, and otherwise of a type
/// that it accepts.
fn test(op: Operator, kind: AttributeType) -> Test {
    let one: Json = match (op, kind) {
        (Operator::Matches, _) => "a+".into(),
        (_, AttributeType::Number | AttributeType::Numbers) => 5_i64.into(),
        (_, AttributeType::Boolean) => true.into(),
        (_, AttributeType::Semver) => "7.2.0".into(),
        (_, AttributeType::Date) => "2026-11-21T09:30:00Z".into(),
        (_, AttributeType::Ip) => "10.0.0.0".into(),
        _ => "a".into(),
    };
    let (value, values) = match op {
        Operator::Exists => (None, None),
        Operator::Between => (None, Some(vec![one.clone(), one])),
        Operator::In | Operator::NotIn | Operator::Cidr | Operator::HasAny | Operator::HasAll => {
            (None, Some(vec![one]))
        }
        _ => (Some(one), None),
    };
    Test { attr: "a".to_owned(), op, value, values }
}

fn is_negated(op: Operator) -> bool {
    matches!(op, Operator::Ne | Operator::NotIn | Operator::NotContains)
}

#[test]
fn missing_and_mistyped_attributes_meet_only_negated_operators() {
    let mut tested = std::collections::HashSet::new();
    for op in ALL {
        for kind in TYPES {
            let Ok(matcher) = Matcher::new(&test(op, kind), kind) else { continue };
            tested.insert(op.word());
            assert_eq!(matcher.is_met(&Value::Missing), is_negated(op), "{op:?} of {kind:?}");
            let of_other_type = op == Operator::Exists || is_negated(op);
            assert_eq!(matcher.is_met(&Value::Other), of_other_type, "{op:?} of {kind:?}");
        }
    }
    assert_eq!(tested.len(), ALL.len(), "an operator is allowed for no type: {tested:?}");
}

/// Checks rows of operator, operands, attribute, and whether the test is met.
#[track_caller]
fn check(kind: AttributeType, rows: &[(&str, &str, &str, bool)]) {
    for (op, operand, attribute, met) in rows {
        let op = *ALL.iter().find(|candidate| candidate.word() == *op).expect(op);
        let (operand, _) = parse(operand).expect(operand);
        let (value, values) = match operand {
            Json::Null => (None, None),
            Json::Array(list) => (None, Some(list)),
            one => (Some(one), None),
        };
        let matcher = Matcher::new(&Test { attr: "a".to_owned(), op, value, values }, kind);
        let matcher = matcher.unwrap_or_else(|error| panic!("{op:?}: {error:?}"));
        let (attribute, _) = parse(attribute).expect(attribute);
        assert_eq!(
            matcher.is_met(&value_of(attribute.clone(), kind)),
            *met,
            "{op:?} {attribute:?}"
        );
    }
}

fn value_of(json: Json, kind: AttributeType) -> Value<'static> {
    let text = |json: Json| match json {
        Json::Text(text) => Some(Cow::Owned(text)),
        _ => None,
    };
    let number = |json: Json| match json {
        Json::Int(number) => Some(number as f64),
        Json::Float(number) => Some(number),
        _ => None,
    };
    match (json, kind) {
        (Json::Null, _) => Value::Missing,
        (Json::Bool(value), AttributeType::Boolean) => Value::Boolean(value),
        (Json::Text(text), kind) => Value::of_escaped(text.into(), kind),
        (Json::Array(list), AttributeType::Strings) => {
            Value::texts(list.into_iter().filter_map(text).collect())
        }
        (Json::Array(list), AttributeType::Numbers) => {
            Value::numbers(list.into_iter().filter_map(number).collect())
        }
        (json, AttributeType::Number) => number(json).map_or(Value::Other, Value::Number),
        _ => Value::Other,
    }
}

#[test]
fn texts() {
    check(
        AttributeType::String,
        &[
            ("eq", r#""UY""#, r#""UY""#, true),
            ("eq", r#""UY""#, r#""uy""#, false),
            ("eq", r#""1""#, "1", false),
            ("ne", r#""1""#, "1", true),
            ("eq", r#""""#, r#""""#, true),
            ("exists", "null", r#""""#, true),
            ("in", r#"["a","b","ç"]"#, r#""ç""#, true),
            ("in", r#"["a","bc"]"#, r#""ab""#, false),
            ("in", "[]", r#""a""#, false),
            ("not_in", "[]", r#""a""#, true),
            ("in", r#"["1","2","3","4","5","6","7","8","9"]"#, r#""9""#, true),
            ("not_in", r#"["1","2","3","4","5","6","7","8","9"]"#, r#""10""#, true),
            ("contains", r#""éé""#, r#""réé""#, true),
            ("contains", r#""""#, r#""a""#, true),
            ("not_contains", r#""b""#, r#""abc""#, false),
            ("starts", r#""😀""#, r#""😀x""#, true),
            ("ends", r#""😀""#, r#""x😀""#, true),
            ("ends", r#""x""#, r#""xy""#, false),
            ("matches", r#""^r[0-9]+$""#, r#""r12""#, true),
            ("matches", r#""^r[0-9]+$""#, r#""r12x""#, false),
            ("matches", r#""b""#, r#""abc""#, true),
            ("matches", r#""(?i)^É$""#, r#""é""#, true),
        ],
    );
}

#[test]
fn numbers() {
    check(
        AttributeType::Number,
        &[
            ("eq", "5", "5.0", true),
            ("eq", "-0.0", "0", true),
            ("eq", "5", r#""5""#, false),
            ("ne", "5", r#""5""#, true),
            ("in", "[3,1,2]", "2", true),
            ("in", "[3,-0.0]", "0", true),
            ("in", "[0,3]", "-0.0", true),
            ("not_in", "[3,1,2]", "2.5", true),
            ("lt", "5", "5", false),
            ("lte", "5", "5", true),
            ("gt", "5", "5.000001", true),
            ("gte", "5", "4.999999", false),
            ("between", "[1,3]", "1", true),
            ("between", "[1,3]", "3", true),
            ("between", "[1,3]", "3.1", false),
            ("eq", "9007199254740991", "9007199254740991", true),
            ("gt", "9007199254740991", "9007199254740993", true),
            ("eq", "9007199254740991", "9007199254740992", false),
            ("lt", "-9007199254740991", "-9007199254740995", true),
            ("gt", "9007199254740991", "1e300", true),
        ],
    );
    check(
        AttributeType::Boolean,
        &[
            ("eq", "true", "true", true),
            ("eq", "true", "false", false),
            ("ne", "true", "false", true),
            ("eq", "true", "1", false),
            ("in", "[true,false]", "false", true),
            ("in", "[]", "false", false),
        ],
    );
}

#[test]
fn versions_dates_and_addresses() {
    check(
        AttributeType::Semver,
        &[
            ("semver_gte", r#""7.2.0""#, r#""7.10.0""#, true),
            ("semver_gt", r#""7.2.0""#, r#""7.2.0""#, false),
            ("semver_lt", r#""7.2.0""#, r#""7.2.0-rc.1""#, true),
            ("semver_lte", r#""7.2.0""#, r#""7.2.0+b""#, true),
            ("semver_eq", r#""7.2.0+a""#, r#""7.2.0+b""#, true),
            ("eq", r#""7.2.0+a""#, r#""7.2.0+b""#, false),
            ("semver_eq", r#""7.2.0""#, r#""7.2""#, false),
            ("semver_lt", r#""7.2.0""#, r#""latest""#, false),
            ("semver_gte", r#""0.0.0""#, "7", false),
            ("starts", r#""7.""#, r#""7.2.0""#, true),
        ],
    );
    check(
        AttributeType::Date,
        &[
            ("before", r#""2026-11-21T09:30:00Z""#, r#""2026-11-21T10:29:59+01:00""#, true),
            ("before", r#""2026-11-21T09:30:00Z""#, r#""2026-11-21T09:30:00.000Z""#, false),
            ("after", r#""2026-11-21T09:30:00Z""#, r#""2026-11-21T09:30:00.001Z""#, true),
            ("after", r#""2026-11-21T09:30:00Z""#, r#""2026-11-22""#, false),
            ("exists", "null", r#""2026-11-22""#, true),
        ],
    );
    check(
        AttributeType::Ip,
        &[
            ("cidr", r#"["192.0.2.0/24","10.0.0.0/8"]"#, r#""10.1.2.3""#, true),
            ("cidr", r#"["10.0.0.0/8"]"#, r#""::ffff:10.1.2.3""#, true),
            ("cidr", r#"["2001:db8::/32"]"#, r#""2001:DB8::1""#, true),
            ("cidr", r#"["10.0.0.0/8"]"#, r#""localhost""#, false),
            ("eq", r#""10.1.2.3""#, r#""10.1.2.3""#, true),
        ],
    );
}

#[test]
fn lists() {
    check(
        AttributeType::Strings,
        &[
            ("has_any", r#"["a","b"]"#, r#"["c","b"]"#, true),
            ("has_any", r#"["a","b"]"#, "[]", false),
            ("has_all", r#"["a","b"]"#, r#"["b","c","a"]"#, true),
            ("has_all", r#"["a","b"]"#, r#"["a"]"#, false),
            ("has_all", "[]", "[]", true),
            ("has_any", r#"["a"]"#, r#""a""#, false),
            ("has_any", r#"["1"]"#, "[1]", false),
            ("contains", r#""a""#, r#"["a"]"#, true),
            ("not_contains", r#""a""#, r#"["b"]"#, true),
            ("exists", "null", "[]", true),
        ],
    );
    check(
        AttributeType::Numbers,
        &[
            ("has_any", "[1,2]", "[2.0]", true),
            ("has_all", "[1,2]", "[2,3,1]", true),
            ("has_all", "[1,2]", "[2]", false),
            ("contains", "3", "[1,3]", true),
            ("has_any", "[1]", r#"["1"]"#, false),
        ],
    );
}

#[test]
fn describes_every_kind_of_test() {
    for (op, kind, expected) in [
        (Operator::NotIn, AttributeType::String, r#"a not_in ["a"]"#),
        (Operator::Ne, AttributeType::Boolean, "a ne true"),
        (Operator::Between, AttributeType::Number, "a between [5,5]"),
        (Operator::SemverGte, AttributeType::Semver, r#"a semver_gte "7.2.0""#),
        (Operator::Before, AttributeType::Date, "a before 2026-11-21T09:30:00.000Z"),
        (Operator::Exists, AttributeType::Ip, "a exists"),
    ] {
        let matcher = Matcher::new(&test(op, kind), kind).expect("a valid operand");
        assert_eq!(matcher.describe("a"), expected);
    }
}

use super::{Context, ContextError, SlotId, Slots};
use crate::flags::document::AttributeType;
use crate::flags::interner::Interner;
use crate::flags::value::{Owned, Value, Version};

fn slots() -> Slots {
    Slots {
        names: Interner::new(["id", "hours", "version", "zones", "levels", "pro"]),
        types: vec![
            AttributeType::String,
            AttributeType::Number,
            AttributeType::Semver,
            AttributeType::Strings,
            AttributeType::Numbers,
            AttributeType::Boolean,
        ],
    }
}

fn read<'a>(slots: &Slots, json: &'a str) -> Result<Context<'a>, ContextError> {
    Context::read(slots, json)
}

#[test]
fn reads_numbers_to_the_last_digit() {
    let slots = slots();
    let few = ["0", "-0", "-0.0", "7", "23.5", "0.1", "0.3", "-12.75", "100.010", "0.000001"];
    let many = [
        "999999999999999",
        "9999999999999999",
        "0.1234567890123456789",
        "1.7976931348623157e308",
        "9007199254740993.0",
        "123456789012345.6",
        "12345678901234.5",
        "5e-324",
        "1E2",
        "1.5e+3",
        "25.0e-1",
    ];
    let random = (0..2_000_u64).map(|n| {
        let digits = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_string();
        let (whole, places) = digits.split_at(1 + n as usize % 9);
        format!(
            "{}.{}",
            whole.trim_start_matches('0').to_owned() + "1",
            &places[..1 + n as usize % 7]
        )
    });
    for text in few.into_iter().chain(many).map(str::to_owned).chain(random) {
        let json = format!(r#"{{"hours":{text}}}"#);
        let context = read(&slots, &json).expect(&text);
        let Value::Number(number) = context.value(SlotId(1)) else { panic!("{text}") };
        let expected: f64 = text.parse().expect(&text);
        assert_eq!(number.to_bits(), expected.to_bits(), "{text}");
    }
}

#[test]
fn rejects_invalid_json() {
    let slots = slots();
    for json in [
        "",
        " ",
        "null",
        "[]",
        r#""id""#,
        "{",
        "{]",
        "{}}",
        "{} x",
        r#"{"id"}"#,
        r#"{"id":}"#,
        r#"{"id":"a",}"#,
        r#"{,"id":"a"}"#,
        r#"{"id":"a" "pro":true}"#,
        r#"{id:"a"}"#,
        r#"{"id":'a'}"#,
        "{\"id\":\"a",
        "{\"id\":\"a\n\"}",
        "{\"id\":\"a\u{0}\"}",
        r#"{"id":"\x"}"#,
        r#"{"id":"\u12"}"#,
        r#"{"id":"\u12g4"}"#,
        r#"{"id":"\ud800"}"#,
        r#"{"id":"\ud800\n"}"#,
        r#"{"id":"\udc00\ud800"}"#,
        r#"{"id":"\ud800\ud800"}"#,
        r#"{"hours":01}"#,
        r#"{"hours":1.}"#,
        r#"{"hours":1.e5}"#,
        r#"{"hours":1.5e}"#,
        r#"{"hours":.5}"#,
        r#"{"hours":+5}"#,
        r#"{"hours":-}"#,
        r#"{"hours":1e}"#,
        r#"{"hours":1e999}"#,
        r#"{"unread":1e999}"#,
        r#"{"hours":NaN}"#,
        r#"{"hours":Infinity}"#,
        r#"{"hours":0x10}"#,
        r#"{"pro":True}"#,
        r#"{"pro":nul}"#,
        r#"{"zones":["a",]}"#,
        r#"{"zones":["a"}"#,
        r#"{"id":"a","id":"a"}"#,
        r#"{"id":null,"id":null}"#,
        r#"{"id":"a","\u0069d":"b"}"#,
        r#"{"unread":1,"unread":2}"#,
        r#"{"unread":{"a":1,"a":2}}"#,
        r#"{"zones":[{"a":1,"\u0061":2}]}"#,
        "{\"id\":\"a\"}\u{feff}",
    ] {
        assert!(read(&slots, json).is_err(), "{json} was accepted");
    }
}

#[test]
fn finds_a_duplicate_among_many_names() {
    let slots = slots();
    let many = |twice: &str| {
        let names: Vec<String> = (0..5_000).map(|i| format!(r#""n{i}":{i}"#)).collect();
        format!("{{{},{twice}:1}}", names.join(","))
    };
    assert!(read(&slots, &many(r#""other""#)).is_ok());
    for name in ["\"n0\"", "\"n15\"", "\"n16\"", "\"n4999\""] {
        assert!(read(&slots, &many(name)).is_err(), "{name}");
    }
}

#[test]
fn accepts_thirty_two_levels_and_no_more() {
    let slots = slots();
    for name in ["unread", "zones", "id"] {
        let nested = |depth: usize| {
            format!(r#"{{"{name}":{}{}}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1))
        };
        assert!(read(&slots, &nested(32)).is_ok(), "{name}");
        assert!(read(&slots, &nested(33)).is_err(), "{name}");
        assert!(read(&slots, &nested(20_000)).is_err(), "{name}");
    }
}

#[test]
fn an_escaped_text_equals_the_plain_text() {
    let slots = slots();
    for json in
        [r#"{"version":"7.2.0","id":"u1"}"#, r#"{"version":"\u0037.2.\u0030","id":"\u00751"}"#]
    {
        let context = read(&slots, json).expect("valid");
        let version = context.value(SlotId(2)).version().map(|(text, version)| (text, *version));
        assert_eq!(version, Version::parse("7.2.0").map(|version| ("7.2.0", version)));
        assert_eq!(context.unit(SlotId(0)), Some("u1"));
    }
}

#[test]
fn reads_values_by_their_declared_types() {
    let slots = slots();
    let json = r#" { "unread" : {"a":[{}, []]}, "id":"a\"b\u00e9\ud83d\ude00\/", "hours":-1.5e2,
        "version":"7.2.0", "zones":["n",1,"s"], "levels":[1,"x",2.5], "pro":false, "__proto__":{} } "#;
    let context = read(&slots, json).expect("valid");
    let list = |slot| match context.value(SlotId(slot)) {
        Value::Owned(list) => &**list,
        value => panic!("{value:?}"),
    };
    assert_eq!(context.value(SlotId(0)).text(), Some("a\"bé😀/"));
    assert!(matches!(context.value(SlotId(1)), Value::Number(-150.0)));
    assert!(matches!(context.value(SlotId(2)), Value::Version(..)));
    assert!(matches!(list(3), Owned::Texts(items) if *items == ["n", "s"]));
    assert!(matches!(list(4), Owned::Numbers(items) if *items == [1.0, 2.5]));
    assert!(matches!(context.value(SlotId(5)), Value::Boolean(false)));
    assert_eq!(context.raw(SlotId(1)), "-1.5e2");
    assert_eq!(context.raw(SlotId(3)), r#"["n",1,"s"]"#);
}

#[test]
fn finds_the_end_of_texts_of_every_length() {
    let slots = slots();
    for length in 0..40 {
        for middle in ["", "é", "\u{7f}", "\u{80}", "ÿ", "😀"] {
            let text = format!("{}{middle}{}", "x".repeat(length), "y".repeat(length % 7));
            let json = format!(r#"{{"id":"{text}","pro":true}}"#);
            let context = read(&slots, &json).expect("valid");
            assert_eq!(context.value(SlotId(0)).text(), Some(text.as_str()));
            assert!(matches!(context.value(SlotId(5)), Value::Boolean(true)));
            let escaped = format!(r#"{{"id":"{text}\n"}}"#);
            let context = read(&slots, &escaped).expect("valid");
            assert_eq!(context.value(SlotId(0)).text(), Some(format!("{text}\n").as_str()));
        }
    }
}

#[test]
fn missing_and_empty_values_are_not_units() {
    let slots = slots();
    for (json, unit) in [
        (r#"{"id":"u1"}"#, Some("u1")),
        (r#"{"id":"\u00e9"}"#, Some("é")),
        (r#"{"id":42}"#, Some("42")),
        (r#"{"id":-0.50}"#, Some("-0.50")),
        (r#"{"id":""}"#, None),
        (r#"{"id":null}"#, None),
        ("{}", None),
        (r#"{"id":true}"#, None),
        (r#"{"id":["u1"]}"#, None),
        (r#"{"id":{"id":"u1"}}"#, None),
    ] {
        assert_eq!(read(&slots, json).expect(json).unit(SlotId(0)), unit, "{json}");
    }
    for (json, unit) in [
        (r#"{"hours":7}"#, Some("7")),
        (r#"{"hours":"u1"}"#, Some("u1")),
        (r#"{"hours":""}"#, None),
    ] {
        assert_eq!(read(&slots, json).expect(json).unit(SlotId(1)), unit, "{json}");
    }
}

#[test]
fn null_counts_as_absent() {
    let slots = slots();
    let context = read(&slots, r#"{"id":null,"zones":null}"#).expect("valid");
    assert!(context.value(SlotId(0)).is_missing());
    assert_eq!((context.raw(SlotId(0)), context.raw(SlotId(3))), ("", ""));
    assert!(Context::empty().value(SlotId(3)).is_missing());
}

#[test]
fn returns_the_text_of_the_member_beside_the_attributes() {
    let slots = slots();
    for (json, list) in [
        (r#"{"id":"a"}"#, None),
        (r#"{"list" : [ "a", 1 ] ,"id":"a"}"#, Some(r#"[ "a", 1 ]"#)),
        (r#"{"id":"a","l\u0069st":null}"#, Some("null")),
        (r#"{"free":{"list":1},"id":"a","list":{}}"#, Some("{}")),
    ] {
        let (context, beside_value) =
            Context::read_with_member(&slots, json, "list", |_| 0).expect(json);
        assert_eq!(beside_value, list, "{json}");
        assert_eq!(context.value(SlotId(0)).text(), Some("a"), "{json}");
    }
    let (context, beside_value) =
        Context::read_with_member(&slots, r#"{"id":"a"}"#, "id", |_| 0).expect("valid");
    assert_eq!(
        (context.raw(SlotId(0)), beside_value),
        (r#""a""#, Some(r#""a""#)),
        "the member can be an attribute too"
    );
    for json in [r#"{"list":[],"list":[]}"#, r#"{"list":[}"#, r#"{"list":}"#] {
        assert!(Context::read_with_member(&slots, json, "list", |_| 0).is_err(), "{json}");
    }
}

#[test]
fn skips_a_member_of_known_length() {
    let slots = slots();
    let checked = r#"["a","b"]"#;
    let read = |json| {
        let known_length = |rest: &str| if rest.starts_with(checked) { checked.len() } else { 0 };
        Context::read_with_member(&slots, json, "list", known_length)
    };
    for json in [r#"{"list":["a","b"],"id":"a"}"#, r#"{"list":["a","b"] , "id":"a"}"#] {
        let (context, beside_value) = read(json).expect(json);
        assert_eq!(
            (context.value(SlotId(0)).text(), beside_value),
            (Some("a"), Some(checked)),
            "{json}"
        );
    }
    assert_eq!(read(r#"{"list":["a"]}"#).expect("valid").1, Some(r#"["a"]"#));
    for json in [r#"{"list":["a","b"]"#, r#"{"list":["a","b"]]}"#, r#"{"list":["a","b"],"list":1}"#]
    {
        assert!(read(json).is_err(), "{json}");
    }
}

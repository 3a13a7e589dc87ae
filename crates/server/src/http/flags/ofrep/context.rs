//! Converts an OFREP context to attributes: `targetingKey` becomes `key`. Values are copied as
//! text, because the engine's scanner reads text and [`Json`] would change the spelling of large
//! numbers.

use std::borrow::Cow;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{KEY, OfrepError};
use crate::http::wire::json::Json;

const TARGETING_KEY: &str = "targetingKey";

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow, default)]
    context: Option<&'a RawValue>,
}

pub struct Attributes<'a> {
    /// The attributes as the engine reads them.
    pub json: Cow<'a, str>,
    /// True if the context has a targeting key.
    pub has_key: bool,
}

/// The members of a JSON object, with the text of their values.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members<'de>, M::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads a body. The engine checks the attributes later, when it prepares the context.
pub fn attributes(body: &[u8]) -> Result<Attributes<'_>, OfrepError> {
    let invalid = |details: &str| OfrepError { code: "INVALID_CONTEXT", details: details.into() };
    let no_object = || invalid("The body must be an object with a context.");
    match Json::parse(body) {
        Ok(Json::Object(_)) => {}
        Ok(_) => return Err(no_object()),
        Err(problem) => return Err(OfrepError { code: "PARSE_ERROR", details: problem.detail }),
    }
    let body: Body<'_> = serde_json::from_slice(body).map_err(|_| no_object())?;
    let Some(context) = body.context else {
        return Ok(Attributes { json: Cow::Borrowed("{}"), has_key: false });
    };
    let Members(members) = serde_json::from_str(context.get())
        .map_err(|_| invalid("The context must be an object."))?;
    let has_key = match members.iter().find(|(name, _)| name == TARGETING_KEY) {
        None => false,
        Some((_, value)) if value.get() == "null" => false,
        Some((_, value)) if value.get().starts_with('"') => true,
        Some(_) => return Err(invalid("The targetingKey must be a string.")),
    };
    Ok(Attributes { json: renamed(&members).into(), has_key })
}

/// Writes the attributes with `targetingKey` as `key`. It replaces an attribute named `key`,
/// because a name must be unique.
fn renamed(members: &[(Cow<'_, str>, &RawValue)]) -> String {
    let mut json = String::from("{");
    for (name, value) in members.iter().filter(|(name, _)| name != KEY) {
        if json.len() > 1 {
            json.push(',');
        }
        let name = if name == TARGETING_KEY { KEY } else { name };
        json.push_str(&serde_json::to_string(name).unwrap_or_default());
        json.push(':');
        json.push_str(value.get());
    }
    json.push('}');
    json
}

#[cfg(test)]
mod tests {
    use super::attributes;

    #[track_caller]
    fn read(body: &str) -> (String, bool) {
        let attributes = attributes(body.as_bytes());
        let attributes = attributes.unwrap_or_else(|error| panic!("{}", error.details));
        (attributes.json.into_owned(), attributes.has_key)
    }

    #[test]
    fn reads_the_targeting_key_as_the_key() {
        let all =
            r#"{"context":{"country":"UY","targetingKey":"u\"1","n":{"a":[1]},"key":"other"}}"#;
        assert_eq!(read(all), (r#"{"country":"UY","key":"u\"1","n":{"a":[1]}}"#.into(), true));
        assert!(!read(r#"{"context":{"targetingKey":null}}"#).1);
        for body in ["{}", r#"{"context":null}"#, r#"{"context":{}}"#] {
            assert_eq!(read(body), ("{}".into(), false), "{body}");
        }
    }

    #[test]
    fn rejects_an_invalid_context_with_its_code() {
        for (body, code) in [
            ("", "PARSE_ERROR"),
            ("{", "PARSE_ERROR"),
            (r#"{"context":{"a":1,"a":2}}"#, "PARSE_ERROR"),
            ("[]", "INVALID_CONTEXT"),
            (r#"{"context":[]}"#, "INVALID_CONTEXT"),
            (r#"{"context":"u1"}"#, "INVALID_CONTEXT"),
            (r#"{"context":{"targetingKey":5}}"#, "INVALID_CONTEXT"),
        ] {
            let error = attributes(body.as_bytes()).err().expect(body);
            assert_eq!(error.code, code, "{body}");
        }
    }
}

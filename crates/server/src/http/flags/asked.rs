//! The list of requested flags in a body, next to the attributes.

use std::borrow::Cow;

use axum::http::StatusCode;
use musette_core::flags::ApiVersion;
use serde::Deserialize;

use super::report::ProblemErrors;
use crate::http::wire::json::Json;
use crate::http::wire::problem::Problem;

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The requested keys without duplicates. None means all flags.
pub type RequestedKeys<'a> = Option<Vec<Cow<'a, str>>>;

/// The member of a body that has the requested keys.
pub const FEATURE_LIST: &str = "featureList";

fn invalid_keys() -> Problem {
    let mut errors = ProblemErrors::default();
    errors.push(format!("/{FEATURE_LIST}"), "must be an array of flag keys");
    errors.into_problem()
}

/// Parses the value of `featureList`, which the engine has already located. Parsing the whole body
/// into a tree would slow every evaluation.
pub fn keys_of(json: &str) -> Result<RequestedKeys<'_>, Problem> {
    let keys: Option<Vec<Key<'_>>> = serde_json::from_str(json).map_err(|_| invalid_keys())?;
    Ok(keys.map(|keys| once_each(keys.into_iter().map(|key| key.0).collect())))
}

/// Returns an error for an empty list in the versions 1 and 2, which require a list.
pub fn required(version: ApiVersion, is_empty: bool) -> Result<(), Problem> {
    if version == ApiVersion::V3 || !is_empty {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::BAD_REQUEST,
        "feature_list_required",
        "The body must have a featureList with the keys of the flags.",
    ))
}

/// Removes duplicate keys. Duplicate members in a response would be ambiguous JSON.
fn once_each(keys: Vec<Cow<'_, str>>) -> Vec<Cow<'_, str>> {
    const FEW: usize = 16;
    let mut once: Vec<Cow<'_, str>> = Vec::with_capacity(keys.len());
    if keys.len() <= FEW {
        for key in keys {
            if !once.contains(&key) {
                once.push(key);
            }
        }
        return once;
    }
    let mut unique = std::collections::HashSet::with_capacity(keys.len());
    for key in &keys {
        if unique.insert(&**key) {
            once.push(key.clone());
        }
    }
    once
}

/// Returns the body as UTF-8, or an error.
pub fn text(body: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(body).map_err(|_| Problem::malformed_json("The body is not UTF-8."))
}

/// Returns the error for a body that cannot be read as attributes.
pub fn attributes_problem(body: &[u8], reason: &str) -> Problem {
    match Json::parse(body) {
        Err(problem) => problem,
        Ok(Json::Object(_)) => {
            Problem::malformed_json(format!("The body is not valid JSON for attributes: {reason}."))
        }
        Ok(_) => {
            let mut errors = ProblemErrors::default();
            errors.push(String::new(), "must be an object with the attributes of one person");
            errors.into_problem()
        }
    }
}

/// Returns the error of a malformed body. Errors of the body take precedence over an invalid key.
pub fn checked(body: &[u8], version: Option<ApiVersion>) -> Result<(), Problem> {
    let json = Json::parse(body)?;
    let Json::Object(_) = json else { return Err(attributes_problem(body, "")) };
    let Some(version) = version else { return Ok(()) };
    let is_empty = match json.get(FEATURE_LIST) {
        None => true,
        Some(Json::Array(keys)) if keys.iter().all(|key| matches!(key, Json::Text(_))) => {
            keys.is_empty()
        }
        Some(_) => return Err(invalid_keys()),
    };
    required(version, is_empty)
}

//! The list of requested flags in a body, beside the attributes.

use std::borrow::Cow;

use axum::http::StatusCode;
use musette_core::flags::ApiVersion;
use serde::Deserialize;

use super::report::Faults;
use crate::http::json::Json;
use crate::http::problem::Problem;

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// The keys that are asked for, each once; none: all that there are.
pub type Keys<'a> = Option<Vec<Cow<'a, str>>>;

/// The member of a body that holds them.
pub const FEATURE_LIST: &str = "featureList";

fn not_keys() -> Problem {
    let mut faults = Faults::default();
    faults.push(format!("/{FEATURE_LIST}"), "an array of keys");
    faults.into_problem()
}

/// Reads the value of that member, which the engine's scanner found: a tree of the whole body would slow
/// every evaluation.
pub fn keys_of(json: &str) -> Result<Keys<'_>, Problem> {
    let keys: Option<Vec<Key<'_>>> = serde_json::from_str(json).map_err(|_| not_keys())?;
    Ok(keys.map(|keys| once_each(keys.into_iter().map(|key| key.0).collect())))
}

/// Refuses an empty list in versions that do not answer it with all flags.
pub fn required(version: ApiVersion, is_empty: bool) -> Result<(), Problem> {
    if version == ApiVersion::V3 || !is_empty {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::BAD_REQUEST,
        "feature_list_required",
        "The body needs a featureList with the keys of the flags.",
    ))
}

/// Removes repeated keys: a name twice in an answer would be ambiguous JSON.
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
    let mut seen = std::collections::HashSet::with_capacity(keys.len());
    for key in &keys {
        if seen.insert(&**key) {
            once.push(key.clone());
        }
    }
    once
}

/// UTF-8, or why not.
pub fn text(body: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(body).map_err(|_| Problem::malformed_json("The body is not UTF-8."))
}

/// Why a body that could not be read as attributes is refused.
pub fn refusal(body: &[u8], reason: &str) -> Problem {
    match Json::parse(body) {
        Err(problem) => problem,
        Ok(Json::Object(_)) => Problem::malformed_json(format!(
            "The body is not JSON as it is accepted here: {reason}."
        )),
        Ok(_) => {
            let mut faults = Faults::default();
            faults.push(String::new(), "an object with the attributes of one person");
            faults.into_problem()
        }
    }
}

/// Checks of a body that precede the check of its key.
pub fn checked(body: &[u8], version: Option<ApiVersion>) -> Result<(), Problem> {
    let json = Json::parse(body)?;
    let Json::Object(_) = json else { return Err(refusal(body, "")) };
    let Some(version) = version else { return Ok(()) };
    let is_empty = match json.get(FEATURE_LIST) {
        None => true,
        Some(Json::Array(keys)) if keys.iter().all(|it| matches!(it, Json::Text(_))) => {
            keys.is_empty()
        }
        Some(_) => return Err(not_keys()),
    };
    required(version, is_empty)
}

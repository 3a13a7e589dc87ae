//! What a body asks for beside the attributes: the list of flags.

use std::borrow::Cow;

use axum::http::StatusCode;
use musette_core::flags::ApiVersion;
use serde::Deserialize;

use super::report::Faults;
use crate::http::json::Json;
use crate::http::problem::Problem;

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow, rename = "featureList", default)]
    feature_list: Option<Vec<Key<'a>>>,
}

/// The keys that are asked for, each once; none: all that there are.
pub type Keys<'a> = Option<Vec<Cow<'a, str>>>;

/// Of a body that is known to be a JSON object.
pub fn feature_list(text: &str, version: ApiVersion) -> Result<Keys<'_>, Problem> {
    let body: Body<'_> = serde_json::from_str(text).map_err(|_| {
        let mut faults = Faults::default();
        faults.push("/featureList".into(), "an array of keys");
        faults.into_problem()
    })?;
    let keys = body.feature_list.map(|list| list.into_iter().map(|key| key.0).collect());
    if version != ApiVersion::V3 && keys.as_ref().is_none_or(Vec::is_empty) {
        return Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "feature_list_required",
            "The body needs a featureList with the keys of the flags.",
        ));
    }
    Ok(keys.map(once_each))
}

/// A name twice in an answer would be JSON that nobody reads alike.
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

/// What must be said of a body before whose key it is.
pub fn checked(body: &[u8], version: Option<ApiVersion>) -> Result<(), Problem> {
    match Json::parse(body)? {
        Json::Object(_) => {}
        _ => return Err(refusal(body, "")),
    }
    match version {
        Some(version) => feature_list(text(body)?, version).map(drop),
        None => Ok(()),
    }
}

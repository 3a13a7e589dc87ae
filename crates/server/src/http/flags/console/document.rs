//! A configuration in a request. It may be larger than other bodies, and all its errors are
//! reported.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use musette_core::flags;

use crate::flags::ruleset::reading::examined;
use crate::flags::ruleset::{new_keys, notices};
use crate::http::wire::json::{Bounds, Json, read_within};
use crate::http::wire::large_body::{LargeBodies, Turn};
use crate::http::wire::problem::{Problem, ProblemError};
use crate::node::app::App;

/// Limits for three thousand flags with some rules each. Processing needs about thirty times the
/// memory of the body.
const BOUNDS: Bounds = Bounds { bytes: 4 * 1024 * 1024, values: 120_000 };

static CONFIGURATIONS: LargeBodies = LargeBodies::new();

/// The JSON text of a body with this many configurations, and its turn to be processed. It is the
/// last parameter of a handler, so that only permitted callers can send large bodies.
pub struct Text<const CONFIGURATIONS: usize = 1>(pub String, pub Turn);

impl<const COUNT: usize> FromRequest<Arc<App>> for Text<COUNT> {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, _: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let bounds = Bounds { bytes: COUNT * BOUNDS.bytes, values: COUNT * BOUNDS.values };
        let bytes = read_within(&parts.headers, body, bounds);
        let (bytes, turn) = CONFIGURATIONS.read(&parts.headers, bytes).await?;
        Json::parse(&bytes)?;
        let text = String::from_utf8(bytes.into());
        let text = text.map_err(|_| Problem::malformed_json("The body is not UTF-8."))?;
        Ok(Self(text, turn))
    }
}

/// A valid document, and its turn to be processed.
pub struct ValidConfiguration(pub flags::Document, pub Turn);

impl FromRequest<Arc<App>> for ValidConfiguration {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let Text(text, turn) = Text::<1>::from_request(request, app).await?;
        Ok(Self(parse(text).await?, turn))
    }
}

/// Parses a document that is to be saved. Documents that were saved earlier are checked as well,
/// because the current limits apply to both.
pub async fn parse(text: String) -> Result<flags::Document, Problem> {
    examined(text).await.map_err(Problem::internal)?.map_err(|errors| invalid(&errors))
}

fn invalid(errors: &[flags::Diagnostic]) -> Problem {
    let detail = match errors.len() {
        1 => "The configuration has 1 error. Nothing was saved.".to_owned(),
        count => format!("The configuration has {count} errors. Nothing was saved."),
    };
    Problem::invalid("invalid_document", detail, problem_errors(errors))
}

/// Returns the errors of keys that are new, and of notices that do not exist. Existing keys are not
/// checked.
pub async fn errors_in_store(
    app: &App,
    document: &flags::Document,
) -> Result<Vec<flags::Diagnostic>, Problem> {
    let malformed = new_keys::malformed(&app.store, document).await?;
    let mut errors: Vec<_> = malformed.iter().map(flags::MalformedKey::diagnostic).collect();
    errors.extend(notices::errors(&app.store, document).await?);
    Ok(errors)
}

pub async fn check_in_store(app: &App, document: &flags::Document) -> Result<(), Problem> {
    let errors = errors_in_store(app, document).await?;
    if errors.is_empty() { Ok(()) } else { Err(invalid(&errors)) }
}

pub fn problem_errors(diagnostics: &[flags::Diagnostic]) -> Vec<ProblemError> {
    let error = |diagnostic: &flags::Diagnostic| ProblemError {
        pointer: diagnostic.pointer.clone(),
        code: diagnostic.code.to_owned(),
        detail: diagnostic.detail.clone(),
        replaced_by: None,
        page: None,
    };
    diagnostics.iter().map(error).collect()
}

//! A configuration in a request: larger than other bodies, and refused with all of its faults.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use musette_core::flags;

use crate::app::App;
use crate::http::json::{Bounds, Json, read_within};
use crate::http::large_body::{LargeBodies, Turn};
use crate::http::problem::{Fault, Problem};
use crate::ruleset::new_keys;
use crate::ruleset::reading::examined;

/// Three thousand flags with some rules each. What is made of it takes some thirty times its memory.
const BOUNDS: Bounds = Bounds { bytes: 4 * 1024 * 1024, values: 120_000 };

static CONFIGURATIONS: LargeBodies = LargeBodies::new();

/// The JSON of a body, of whatever shape, and its turn to be processed. It stands last in a handler's signature, after
/// who calls: nobody else may send so much.
pub struct Text(pub String, pub Turn);

impl FromRequest<Arc<App>> for Text {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, _: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let bytes = read_within(&parts.headers, body, BOUNDS);
        let (bytes, turn) = CONFIGURATIONS.read(&parts.headers, bytes).await?;
        Json::parse(&bytes)?;
        let text = String::from_utf8(bytes.into());
        let text = text.map_err(|_| Problem::malformed_json("The body is not UTF-8."))?;
        Ok(Self(text, turn))
    }
}

/// A document without any fault, and its turn to be processed.
pub struct NewDocument(pub flags::Document, pub Turn);

impl FromRequest<Arc<App>> for NewDocument {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let Text(text, turn) = Text::from_request(request, app).await?;
        Ok(Self(parse(text).await?, turn))
    }
}

/// One that is to be saved: sent, or saved before, since today's budget holds for both.
pub async fn parse(text: String) -> Result<flags::Document, Problem> {
    examined(text).await.map_err(Problem::internal)?.map_err(|found| invalid(&found))
}

fn invalid(found: &[flags::Diagnostic]) -> Problem {
    let detail = format!("The configuration has {} faults; nothing was saved.", found.len());
    Problem::invalid("invalid_document", detail, faults(found))
}

/// Faults of keys that are new here: older ones stay as they are.
pub async fn faults_of_new_keys(
    app: &App,
    document: &flags::Document,
) -> Result<Vec<flags::Diagnostic>, Problem> {
    let found = new_keys::malformed(&app.store, document).await?;
    Ok(found.iter().map(flags::MalformedKey::diagnostic).collect())
}

pub async fn check_new_keys(app: &App, document: &flags::Document) -> Result<(), Problem> {
    let found = faults_of_new_keys(app, document).await?;
    if found.is_empty() { Ok(()) } else { Err(invalid(&found)) }
}

pub fn faults(found: &[flags::Diagnostic]) -> Vec<Fault> {
    let fault = |it: &flags::Diagnostic| Fault {
        pointer: it.pointer.clone(),
        code: it.code.to_owned(),
        detail: it.detail.clone(),
        replaced_by: None,
        page: None,
    };
    found.iter().map(fault).collect()
}

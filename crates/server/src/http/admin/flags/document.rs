//! A configuration in a request: larger than other bodies, and refused with all of its faults.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use musette_core::flags::{self, within_budget};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::http::json::{Json, read_body_up_to};
use crate::http::problem::{Fault, Problem};

/// Ten thousand flags with some rules each; who has more has another problem.
const DOCUMENT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// For the regular expressions of one document, which take milliseconds when they are honest.
const COMPILED_WITHIN: Duration = Duration::from_secs(2);

/// The JSON of a body, of whatever shape. It stands last in a handler's signature, after who calls:
/// nobody else may send so much.
pub struct Text(pub String);

impl FromRequest<Arc<App>> for Text {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, _: &Arc<App>) -> Result<Self, Problem> {
        let bytes = read_body_up_to(request, DOCUMENT_BYTES_MAX).await?;
        Json::parse(&bytes)?;
        let text = String::from_utf8(bytes.into());
        text.map(Self).map_err(|_| Problem::malformed_json("The body is not UTF-8."))
    }
}

/// A document without any fault.
pub struct NewDocument(pub flags::Document);

impl FromRequest<Arc<App>> for NewDocument {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let Text(text) = Text::from_request(request, app).await?;
        parse(text).await.map(Self)
    }
}

pub async fn parse(text: String) -> Result<flags::Document, Problem> {
    examined(text).await?.map_err(|found| {
        let detail = format!("The configuration has {} faults; nothing was saved.", found.len());
        Problem::invalid("invalid_document", detail, faults(&found))
    })
}

/// The document, or all of its faults; none of it is looked at beyond the budget for its expressions.
pub async fn examined(
    text: String,
) -> Result<Result<flags::Document, Vec<flags::Diagnostic>>, Problem> {
    compiling(move || {
        let start = Instant::now();
        let in_time = || start.elapsed() < COMPILED_WITHIN;
        within_budget(&text, in_time).map_err(|fault| vec![fault])?;
        flags::Document::parse(&text)
    })
    .await
}

/// Work of the processor: on a thread that answers nobody, one at a time, so that the other cores go
/// on serving riders.
pub async fn compiling<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    static TURN: Semaphore = Semaphore::const_new(1);
    // Never closed.
    let turn = TURN.acquire().await.map_err(|_| Problem::unavailable())?;
    let done = spawn_blocking(move || {
        // Kept until the work is done, also when nobody waits for it any more.
        let _turn = turn;
        work()
    });
    done.await.map_err(Problem::internal)
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

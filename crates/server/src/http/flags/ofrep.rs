//! The OpenFeature Remote Evaluation Protocol (OFREP) 0.3.0, on the same engine.

mod context;

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use musette_core::flags::{EvaluationInputs, FlagId, write_unknown_ofrep};

use super::RequestHead;
use super::answer::{json, not_modified};
use super::buffer::with_room;
use super::evaluate::{EnvironmentAssignments, Evaluator};
use super::key;
use super::stream::parameter;
use super::wire::{OfrepItemBody, OfrepItemsBody, OfrepRequestBody};
use crate::flags::ruleset::{Access, CurrentVersion};
use crate::http::wire::arriving::RequestBody;
use crate::http::wire::json::{Bounds, read_within};
use crate::http::wire::parameters::{ConfigEtagQuery, IfNoneMatch, OfrepFlagPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use context::{Attributes, attributes};

/// The time to wait for a configuration version. A stream may announce a version before another
/// node has it; nodes get it within one second.
const CATCH_UP_WITHIN: Duration = Duration::from_secs(1);
/// The attribute that a targeting key becomes.
const KEY: &str = "key";

/// An error in the format of OFREP.
pub struct OfrepError {
    code: &'static str,
    details: String,
}

fn error_response(key: Option<&str>, error: &OfrepError) -> Response {
    let mut out = Vec::with_capacity(128);
    write_failure(key, error.code, &error.details, &mut out);
    let mut response = Response::new(Body::from(out));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

fn write_failure(key: Option<&str>, code: &str, details: &str, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    out.push(b'{');
    if let Some(key) = key {
        out.extend(b"\"key\":");
        let _ = serde_json::to_writer(&mut *out, key);
        out.push(b',');
    }
    let _ = write!(out, "\"errorCode\":\"{code}\",\"errorDetails\":");
    let _ = serde_json::to_writer(&mut *out, details);
    out.push(b'}');
}

/// The checks that both operations begin with.
struct Call<'a> {
    head: RequestHead<'a>,
    access: Access,
    key: &'a str,
    body: Bytes,
}

impl<'a> Call<'a> {
    async fn read(app: &App, head: RequestHead<'a>, body: RequestBody) -> Result<Self, Problem> {
        let body = read_within(&head.parts.headers, body, Bounds::ORDINARY).await?;
        let (access, key) = key::ofrep_access(app, head.parts)?;
        Ok(Self { head, access, key, body })
    }

    fn with_evaluator(
        &self,
        app: &App,
        current: &CurrentVersion,
        attributes: &Attributes<'_>,
        answer: impl FnOnce(&Evaluator<'_>) -> Response,
    ) -> Result<Response, OfrepError> {
        let snapshot = &current.snapshot;
        let context = snapshot.context(&attributes.json).map_err(|error| OfrepError {
            code: "INVALID_CONTEXT",
            details: format!("The context is invalid: {error}."),
        })?;
        let environment = &self.access.environment.name;
        let sticky = EnvironmentAssignments { sticky: &app.flags.sticky, environment };
        Ok(answer(&Evaluator {
            app,
            access: &self.access,
            snapshot,
            lists: &current.lists,
            context: &context,
            moment: EvaluationInputs { now: app.now(), sticky: &sticky },
            counts: &app.flags.usage.of(snapshot),
            debug: false,
            head: self.head,
        }))
    }
}

/// Returns whether the flag depends on the targeting key and the context has none.
fn lacks_key(evaluator: &Evaluator<'_>, flag: FlagId, attributes: &Attributes<'_>) -> bool {
    !attributes.has_key && evaluator.snapshot.relevant(flag).any(|name| name == KEY)
}

const NO_KEY: &str = "This flag depends on the targeting key, and the context has none.";

fn write_item(
    evaluator: &Evaluator<'_>,
    flag: FlagId,
    attributes: &Attributes<'_>,
    out: &mut Vec<u8>,
) {
    if lacks_key(evaluator, flag, attributes) {
        let key = evaluator.snapshot.key(flag);
        write_failure(Some(key), "TARGETING_KEY_MISSING", NO_KEY, out);
    } else {
        evaluator.evaluate(flag).write_ofrep(out);
    }
}

/// Evaluate one flag by OFREP.
///
/// OFREP 0.3.0. A matching `If-None-Match` returns 304. The key may also be sent as `X-API-Key`.
///
/// - 400 `PARSE_ERROR`, `INVALID_CONTEXT` or `TARGETING_KEY_MISSING` in `errorCode`: the body or
///   the context is invalid.
/// - 404 `FLAG_NOT_FOUND` in `errorCode`: the key sees no such flag.
#[utoipa::path(
    post, path = "/ofrep/v1/evaluate/flags/{key}", tag = "ofrep", operation_id = "ofrep_flag",
    params(OfrepFlagPath, IfNoneMatch), request_body = OfrepRequestBody,
    responses((status = 200, body = OfrepItemBody), (status = 304), (status = 400, body = OfrepItemBody), (status = 404, body = OfrepItemBody), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []), ("flag_api_key" = []))
)]
pub async fn one(
    app: &Arc<App>,
    head: RequestHead<'_>,
    body: RequestBody,
    flag: &str,
) -> Result<Response, Problem> {
    let parts = head.parts;
    let call = Call::read(app, head, body).await?;
    let current = call.access.environment.current();
    let response = attributes(&call.body).and_then(|attributes| {
        call.with_evaluator(app, &current, &attributes, |evaluator| {
            let Some(id) = evaluator.visible(flag) else {
                let etag = evaluator.etag_of(&evaluator.snapshot.selection(None), &("ofrep", flag));
                let mut out = with_room(128);
                write_unknown_ofrep(flag, &mut out);
                return json(&parts.headers, StatusCode::NOT_FOUND, etag, out);
            };
            if lacks_key(evaluator, id, &attributes) {
                let error = OfrepError { code: "TARGETING_KEY_MISSING", details: NO_KEY.into() };
                return error_response(Some(flag), &error);
            }
            let etag =
                evaluator.etag_of(evaluator.lists.alone(evaluator.snapshot, id), &("ofrep", flag));
            if let Some(unchanged) = not_modified(&parts.headers, &etag) {
                evaluator.count_unchanged([id]);
                return unchanged;
            }
            let mut out = with_room(512);
            evaluator.evaluate(id).write_ofrep(&mut out);
            json(&parts.headers, StatusCode::OK, etag, out)
        })
    });
    Ok(response.unwrap_or_else(|error| error_response(Some(flag), &error)))
}

/// Evaluate all flags by OFREP.
///
/// OFREP 0.3.0: returns every flag that the key sees. A matching `If-None-Match` returns 304. The
/// key may also be sent as `X-API-Key`.
///
/// - 400 `PARSE_ERROR` or `INVALID_CONTEXT` in `errorCode`: the body or the context is invalid.
#[utoipa::path(
    post, path = "/ofrep/v1/evaluate/flags", tag = "ofrep", operation_id = "ofrep_flags",
    params(ConfigEtagQuery, IfNoneMatch),
    request_body = OfrepRequestBody,
    responses((status = 200, body = OfrepItemsBody), (status = 304), (status = 400, body = OfrepItemBody), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []), ("flag_api_key" = []))
)]
pub async fn all(
    app: &Arc<App>,
    head: RequestHead<'_>,
    body: RequestBody,
) -> Result<Response, Problem> {
    let parts = head.parts;
    let call = Call::read(app, head, body).await?;
    let announced = parameter(parts, "flagConfigEtag");
    let is_current = announced.as_deref().map(|version| caught_up(&call.access, version));
    let is_current = match is_current {
        Some(caught_up) => caught_up.await,
        None => true,
    };
    let current = call.access.environment.current();
    let response = attributes(&call.body).and_then(|attributes| {
        call.with_evaluator(app, &current, &attributes, |evaluator| {
            let all = evaluator.lists.all(evaluator.snapshot, call.access.kind);
            let flags: Vec<FlagId> = all.flags().collect();
            // A new link changes the ETag: with a 304, the client would keep the previous link.
            let link = app.flags.tickets.link(call.key, app.now());
            let form = ("ofrep all", attributes.has_key, link.expires_at);
            let etag = evaluator.etag_of(&all.selection, &form);
            // An outdated node returns the results and never 304.
            if is_current && let Some(unchanged) = not_modified(&parts.headers, &etag) {
                evaluator.count_unchanged(flags);
                return unchanged;
            }
            // The link is a secret, but no text in the body comes from the request, so its length
            // reveals nothing about the link.
            let body = write_all(evaluator, &flags, &attributes, &link.text);
            json(&parts.headers, StatusCode::OK, etag, body)
        })
    });
    Ok(response.unwrap_or_else(|error| error_response(None, &error)))
}

/// Waits up to a second for the version that a stream announced. Returns whether this node serves
/// exactly that version.
async fn caught_up(access: &Access, announced: &str) -> bool {
    let Ok(announced) = announced.trim_matches('"').parse::<u64>() else { return false };
    let mut versions = access.environment.changes.subscribe();
    let reached = versions.wait_for(|version| *version >= announced);
    let reached = tokio::time::timeout(CATCH_UP_WITHIN, reached).await;
    matches!(reached, Ok(Ok(version)) if *version == announced)
}

fn write_all(
    evaluator: &Evaluator<'_>,
    flags: &[FlagId],
    attributes: &Attributes<'_>,
    link: &str,
) -> Vec<u8> {
    let mut out = with_room(256 + flags.len() * 192);
    out.extend(b"{\"flags\":[");
    for (i, flag) in flags.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write_item(evaluator, *flag, attributes, &mut out);
    }
    // Writing to memory cannot fail.
    let _ = write!(
        out,
        "],\"metadata\":{{\"version\":{}}},\"eventStreams\":[{{\"type\":\"sse\",\"endpoint\":{{\"requestUri\":\"/ofrep/v1/stream?access={link}\"}},\"inactivityDelaySec\":120}}]}}",
        evaluator.snapshot.version()
    );
    out
}

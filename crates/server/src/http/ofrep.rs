//! OpenFeature's remote evaluation protocol, OFREP 0.3.0, over the same engine.

mod context;

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use musette_core::flags::{FlagId, Moment, write_unknown_ofrep};

use super::flags::Head;
use super::flags::answer::{is_known, json, not_modified};
use super::flags::buffer::with_room;
use super::flags::evaluate::{Asking, EnvironmentAssignments};
use super::flags::key;
use super::flags::stream::parameter;
use super::flags::wire::{OfrepItemBody, OfrepItemsBody, OfrepRequestBody};
use super::json::{Bounds, read_within};
use super::parameters::{ConfigEtagQuery, IfNoneMatch, OfrepFlagPath};
use super::problem::{Problem, ProblemBody};
use crate::app::App;
use crate::arriving::Arriving;
use crate::ruleset::{Access, Current};
use context::{Attributes, attributes};

/// A client that was told of a version by a stream may ask a node that has not got it yet; nodes get it
/// within a second.
const CATCH_UP_WITHIN: Duration = Duration::from_secs(1);
/// The attribute that a targeting key becomes.
const KEY: &str = "key";

/// Why a request is refused in the protocol's own words.
pub struct Refusal {
    code: &'static str,
    details: String,
}

fn refused(key: Option<&str>, refusal: &Refusal) -> Response {
    let mut out = Vec::with_capacity(128);
    write_failure(key, refusal.code, &refusal.details, &mut out);
    let mut answer = Response::new(Body::from(out));
    *answer.status_mut() = StatusCode::BAD_REQUEST;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    answer
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

/// The checks that both calls begin with.
struct Call<'a> {
    head: Head<'a>,
    access: Access,
    key: &'a str,
    body: Bytes,
}

impl<'a> Call<'a> {
    async fn read(app: &App, head: Head<'a>, body: Arriving) -> Result<Self, Problem> {
        let body = read_within(&head.parts.headers, body, Bounds::ORDINARY).await?;
        let (access, key) = key::ofrep_access(app, head.parts)?;
        Ok(Self { head, access, key, body })
    }

    fn asking(
        &self,
        app: &App,
        current: &Current,
        attributes: &Attributes<'_>,
        answer: impl FnOnce(&Asking<'_>) -> Response,
    ) -> Result<Response, Refusal> {
        let snapshot = &current.snapshot;
        let context = snapshot.context(&attributes.json).map_err(|fault| Refusal {
            code: "INVALID_CONTEXT",
            details: format!("The context cannot be read: {fault}."),
        })?;
        let environment = &self.access.environment.name;
        let sticky = EnvironmentAssignments { sticky: &app.flags.sticky, environment };
        Ok(answer(&Asking {
            app,
            access: &self.access,
            snapshot,
            lists: &current.lists,
            context: &context,
            moment: Moment { now: app.now(), sticky: &sticky },
            counts: &app.flags.usage.of(snapshot),
            debug: false,
            head: self.head,
        }))
    }
}

/// Whether the flag reads the targeting key, and there is none.
fn lacks_key(asking: &Asking<'_>, flag: FlagId, attributes: &Attributes<'_>) -> bool {
    !attributes.has_key && asking.snapshot.relevant(flag).any(|name| name == KEY)
}

const NO_KEY: &str = "This flag draws by the targeting key, and the context has none.";

fn write_item(asking: &Asking<'_>, flag: FlagId, attributes: &Attributes<'_>, out: &mut Vec<u8>) {
    if lacks_key(asking, flag, attributes) {
        let key = asking.snapshot.key(flag);
        write_failure(Some(key), "TARGETING_KEY_MISSING", NO_KEY, out);
    } else {
        asking.evaluate(flag).write_ofrep(out);
    }
}

/// Evaluate one flag by OpenFeature's protocol.
///
/// OFREP 0.3.0. A matching `If-None-Match` gives 304. 400 and 404 have an `errorCode`. The key may also come as
/// `X-API-Key`.
#[utoipa::path(
    post, path = "/ofrep/v1/evaluate/flags/{key}", tag = "ofrep", operation_id = "ofrep_flag",
    params(OfrepFlagPath, IfNoneMatch), request_body = OfrepRequestBody,
    responses((status = 200, body = OfrepItemBody), (status = 304), (status = 400, body = OfrepItemBody), (status = 404, body = OfrepItemBody), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []), ("flag_api_key" = []))
)]
pub async fn one(
    app: &Arc<App>,
    head: Head<'_>,
    body: Arriving,
    flag: &str,
) -> Result<Response, Problem> {
    let parts = head.parts;
    let call = Call::read(app, head, body).await?;
    let current = call.access.environment.current();
    let answer = attributes(&call.body).and_then(|attributes| {
        call.asking(app, &current, &attributes, |asking| {
            let Some(found) = asking.visible(flag) else {
                let etag = asking.etag_of(&asking.snapshot.selection(None), &("ofrep", flag));
                let mut out = with_room(128);
                write_unknown_ofrep(flag, &mut out);
                return json(StatusCode::NOT_FOUND, etag, out);
            };
            if lacks_key(asking, found, &attributes) {
                let refusal = Refusal { code: "TARGETING_KEY_MISSING", details: NO_KEY.into() };
                return refused(Some(flag), &refusal);
            }
            let etag = asking.etag_of(asking.lists.alone(asking.snapshot, found), &("ofrep", flag));
            if is_known(&parts.headers, &etag) {
                asking.count_unchanged([found]);
                return not_modified(etag);
            }
            let mut out = with_room(512);
            asking.evaluate(found).write_ofrep(&mut out);
            json(StatusCode::OK, etag, out)
        })
    });
    Ok(answer.unwrap_or_else(|refusal| refused(Some(flag), &refusal)))
}

/// Evaluate all flags by OpenFeature's protocol.
///
/// OFREP 0.3.0: every flag that the key sees. A matching `If-None-Match` gives 304. The key may also come as
/// `X-API-Key`.
#[utoipa::path(
    post, path = "/ofrep/v1/evaluate/flags", tag = "ofrep", operation_id = "ofrep_flags",
    params(ConfigEtagQuery, IfNoneMatch),
    request_body = OfrepRequestBody,
    responses((status = 200, body = OfrepItemsBody), (status = 304), (status = 400, body = OfrepItemBody), (status = "4XX", body = ProblemBody)),
    security(("flag_key" = []), ("flag_api_key" = []))
)]
pub async fn all(app: &Arc<App>, head: Head<'_>, body: Arriving) -> Result<Response, Problem> {
    let parts = head.parts;
    let call = Call::read(app, head, body).await?;
    let told = parameter(parts, "flagConfigEtag");
    let is_current = told.as_deref().map(|told| caught_up(&call.access, told));
    let is_current = match is_current {
        Some(caught_up) => caught_up.await,
        None => true,
    };
    let current = call.access.environment.current();
    let answer = attributes(&call.body).and_then(|attributes| {
        call.asking(app, &current, &attributes, |asking| {
            let all = asking.lists.all(asking.snapshot, call.access.kind);
            let flags: Vec<FlagId> = all.flags().collect();
            // With a link that is new, "not modified" would leave the client with the former one.
            let link = app.flags.tickets.link(call.key, app.now());
            let form = ("ofrep all", attributes.has_key, link.expires_at);
            let etag = asking.etag_of(&all.selection, &form);
            // A changed ticket may turn "not modified" into an answer, never the other way.
            if is_current && is_known(&parts.headers, &etag) {
                asking.count_unchanged(flags);
                return not_modified(etag);
            }
            json(StatusCode::OK, etag, write_all(asking, &flags, &attributes, &link.text))
        })
    });
    Ok(answer.unwrap_or_else(|refusal| refused(None, &refusal)))
}

/// Waits until this node serves the version that a stream told of, but not for long; false when it
/// does not serve just that one.
async fn caught_up(access: &Access, told: &str) -> bool {
    let Ok(told) = told.trim_matches('"').parse::<u64>() else { return false };
    let mut versions = access.environment.changes.subscribe();
    let reached = versions.wait_for(|version| *version >= told);
    let reached = tokio::time::timeout(CATCH_UP_WITHIN, reached).await;
    matches!(reached, Ok(Ok(version)) if *version == told)
}

fn write_all(
    asking: &Asking<'_>,
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
        write_item(asking, *flag, attributes, &mut out);
    }
    // Writing to memory cannot fail.
    let _ = write!(
        out,
        "],\"metadata\":{{\"version\":{}}},\"eventStreams\":[{{\"type\":\"sse\",\"endpoint\":{{\"requestUri\":\"/ofrep/v1/stream?access={link}\"}},\"inactivityDelaySec\":120}}]}}",
        asking.snapshot.version()
    );
    out
}

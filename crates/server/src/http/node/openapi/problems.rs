//! Adds the errors that any operation may return, so that operations do not list them.

use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, ResponseBuilder};

const MEDIA_TYPE: &str = "application/problem+json";
const BODY: &str = "ProblemBody";
/// The status by which operations declare "any error".
const ANY: &str = "4XX";

/// Status, name of the response component, and its description.
const PROBLEMS: [(u16, &str, &str); 15] = [
    (
        400,
        "BadRequest",
        "`malformed_json`, `malformed_request`, `invalid_parameter` or a specific code: the request cannot be parsed",
    ),
    (
        401,
        "Unauthenticated",
        "`unauthenticated` or a specific code: the token, key or ticket is missing or invalid",
    ),
    (
        403,
        "Forbidden",
        "`permission_denied` or a specific code: the caller's roles do not allow it",
    ),
    (404, "NotFound", "`not_found` or a specific code: the object does not exist"),
    (
        405,
        "MethodNotAllowed",
        "`method_not_allowed`: the path does not support the method; `Allow` lists the methods that it supports",
    ),
    (
        409,
        "Conflict",
        "`conflict` or a specific code: the current state of the object does not allow it",
    ),
    (
        410,
        "Gone",
        "`gate_gone` or `events_gone`: the entries after the cursor were deleted; read again without `after`",
    ),
    (412, "PreconditionFailed", "`precondition_failed`: the object has changed since it was read"),
    (413, "BodyTooLarge", "`body_too_large`: the body has too many bytes or values"),
    (414, "AddressTooLong", "`uri_too_long`: path and query together are longer than 16 KiB"),
    (
        415,
        "UnsupportedMediaType",
        "`unsupported_media_type`: the operation does not accept this `Content-Type`",
    ),
    (
        422,
        "Unprocessable",
        "`invalid_request` or a specific code: the body is invalid; `errors[]` lists each error",
    ),
    (
        429,
        "RateLimited",
        "`rate_limited`: too many requests; retry after the seconds in `Retry-After`",
    ),
    (
        500,
        "Internal",
        "`internal`: an error in the server; its log has the cause with the request's id",
    ),
    (
        503,
        "Unavailable",
        "`unavailable`: the server cannot do this now; retry after the seconds in `Retry-After`",
    ),
];

/// Errors that occur before the operation itself is reached.
const MISDIRECTED: (u16, &str, &str) = (
    421,
    "Misdirected",
    "`misdirected_request`: the `Host` is unknown, so the server cannot create links",
);
const PRECONDITION: (u16, &str, &str) =
    (428, "PreconditionRequired", "`precondition_required`: `If-Match` is missing");

pub fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        if let Some(read) = &mut item.get {
            complete_call(path, read, false);
        }
        let writes = [&mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for write in writes.into_iter().flatten() {
            complete_call(path, write, true);
        }
    }
    let components = document.components.get_or_insert_default();
    for (_, name, when) in PROBLEMS.iter().chain([&MISDIRECTED, &PRECONDITION]) {
        let body = Content::new(Some(Ref::from_schema_name(BODY)));
        let response = ResponseBuilder::new().description(*when).content(MEDIA_TYPE, body);
        components.responses.insert((*name).to_owned(), RefOr::T(response.build()));
    }
}

fn complete_call(path: &str, call: &mut Operation, is_write: bool) {
    let has_body = call.request_body.is_some();
    let is_admin = path.starts_with("/api/admin/");
    let answers = &mut call.responses.responses;
    answers.remove(ANY);
    for (status, answer) in answers.iter_mut() {
        if let (true, RefOr::T(answer)) = (status.starts_with(['4', '5']), answer) {
            set_problem_body(answer);
        }
    }
    for problem @ (status, ..) in &PROBLEMS {
        let may = match status {
            404 => {
                // These operations also return 404 for an object named in the body, or while a
                // feature is off.
                path.contains('{')
                    || path.contains("/terms/consents/")
                    || path.starts_with("/api/demo/")
                    || path.contains("/oidc/")
                    || path.ends_with("/receipts")
                    || path == "/.well-known/security.txt"
            }
            // Other operations declare these themselves. In the console, several people write at
            // once.
            409 | 412 => is_admin && is_write,
            410 => matches!(path, "/api/admin/v1/gate" | "/api/admin/v1/events"),
            403 if path.starts_with("/api/demo/") => true,
            401 | 403 => call.security.is_some() || path.starts_with("/api/session/"),
            413 | 415 | 422 => has_body,
            414 => path.contains('{') || call.parameters.is_some(),
            429 => !is_admin,
            _ => true,
        };
        if may {
            add(call, problem);
        }
    }
    if path.starts_with("/api/rooster/") {
        add(call, &MISDIRECTED);
    }
    if is_admin && is_write {
        add(call, &PRECONDITION);
    }
}

fn add(call: &mut Operation, (status, name, _): &(u16, &str, &str)) {
    let answers = &mut call.responses.responses;
    answers.entry(status.to_string()).or_insert_with(|| RefOr::Ref(Ref::from_response_name(*name)));
}

/// Gives an error the media type of problems, next to the media type of another protocol.
fn set_problem_body(answer: &mut Response) {
    let problem = || RefOr::T(Content::new(Some(Ref::from_schema_name(BODY))));
    answer.content.retain(|_, content| !is_problem(content));
    answer.content.entry(MEDIA_TYPE.to_owned()).or_insert_with(problem);
}

fn is_problem(content: &RefOr<Content>) -> bool {
    let RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) = content else { return false };
    schema.ref_location.ends_with(BODY)
}

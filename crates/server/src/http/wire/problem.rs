//! Error responses of the API: RFC 9457 `application/problem+json` with a stable `code`.

mod members;
mod unfinished;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_store::StoreError;
use serde::Serialize;

use crate::access::limits::RateLimited;
use crate::markets::UnknownMarket;
use crate::terms::publishing::queue::QueueFull;

/// One error in a request or a document.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct ProblemError {
    /// The place of the error: a JSON pointer (RFC 6901) into the body. Empty for the whole body.
    pub pointer: String,
    /// The kind of the error, for programs. Codes are stable.
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    pub code: String,
    /// A description of the error in English, for developers.
    pub detail: String,
    /// The ids of the newest versions in effect. Only with `terms_changed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<Vec<i64>>,
    /// The page of the document, counted from 1. Only for an error on a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub page: Option<u32>,
}

impl ProblemError {
    fn at(pointer: &str, code: &str, detail: impl Into<String>) -> Self {
        let (pointer, code, detail) = (pointer.into(), code.into(), detail.into());
        Self { pointer, code, detail, replaced_by: None, page: None }
    }
}

/// An error response: RFC 9457 problem details. Programs decide by `code`, which is stable.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(examples(json!({"type":"urn:musette:problem:not_found","title":"Not Found","status":404,"code":"not_found","detail":"Nothing exists at this path.","request_id":"0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e"})))]
pub struct ProblemBody<'a> {
    /// The code as a URN: `urn:musette:problem:CODE`.
    #[serde(rename = "type")]
    #[schema(pattern = "^urn:musette:problem:[a-z][a-z0-9_]*$")]
    pub kind: String,
    /// The name of the status, such as `Not Found`.
    pub title: &'a str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// The kind of the error, for programs. Codes are stable.
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    pub code: &'a str,
    /// A description of the error in English, for developers.
    pub detail: &'a str,
    /// The id of the request. The server's log contains it, too.
    #[schema(pattern = "^[A-Za-z0-9._-]{1,128}$")]
    pub request_id: &'a str,
    /// Each error with its place, if there are several or the place matters.
    #[serde(skip_serializing_if = "<[ProblemError]>::is_empty")]
    pub errors: &'a [ProblemError],
    /// The number of approvals that are needed. Only with `approval_required`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 3)]
    pub needed: Option<i64>,
    /// The number of approvals that exist so far. Only with `approval_required`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub given: Option<i64>,
    /// The statuses that a complete request of the caller could reach now. Only with
    /// `transition_not_allowed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<crate::platform::closed_sets::EvaluationStatus>>)]
    pub allowed: Option<&'a [&'static str]>,
    /// The current evaluation, as `GET` returns it. Only with `conflict` on an evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub evaluation: Option<&'a serde_json::Value>,
    /// Who works on the discussion and until when, as `PUT` returns it. Only with `assigned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub assignment: Option<&'a serde_json::Value>,
}

/// An error response before rendering. A layer that has the request's id renders it.
#[derive(Debug, Clone)]
pub struct Problem {
    pub status: StatusCode,
    pub code: &'static str,
    pub detail: String,
    pub errors: Vec<ProblemError>,
    /// Approvals needed and existing.
    approvals: Option<(u8, u8)>,
    headers: Vec<(HeaderName, HeaderValue)>,
    internal: Option<Internal>,
}

/// Details for the server, which the client never receives, or further members of some errors.
#[derive(Debug, Clone)]
enum Internal {
    /// Statuses of an evaluation that the caller could reach, for the client.
    Allowed(Box<[&'static str]>),
    /// The current evaluation, for the client.
    Evaluation(Box<serde_json::Value>),
    /// The assignment of another reviewer, for the client.
    Assignment(Box<serde_json::Value>),
    /// The subject of the caller without permission, for the audit.
    Actor(Box<str>),
    /// The cause of the error, for the log.
    Cause(Box<str>),
}

const UNKNOWN: &str = "The server cannot tell whether this was recorded. Send the request again with the same Idempotency-Key: it is recorded only once.";

/// `Retry-After` when the store is unavailable.
const RETRY_AFTER_S: u64 = 1;

/// The error for an unknown market in a query.
impl From<UnknownMarket> for Problem {
    fn from(unknown: UnknownMarket) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unknown_market", unknown.to_string())
    }
}

impl Problem {
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        let (errors, approvals, headers, internal) = (Vec::new(), None, Vec::new(), None);
        Self { status, code, detail: detail.into(), errors, approvals, headers, internal }
    }

    /// Adds a cause. The server logs it once with the request's id when it sends the response.
    #[must_use]
    fn with_cause(mut self, cause: impl std::fmt::Display) -> Self {
        self.internal = Some(Internal::Cause(cause.to_string().into()));
        self
    }

    /// Returns the subject of the person whose permission was denied, if the caller was signed in.
    pub fn actor(&self) -> Option<&str> {
        match &self.internal {
            Some(Internal::Actor(subject)) => Some(subject),
            _ => None,
        }
    }

    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Returns a 422 for a market in a body that is unknown.
    pub fn unknown_market(pointer: &str) -> Self {
        let detail = UnknownMarket.to_string();
        let error = ProblemError::at(pointer, "unknown_market", &*detail);
        Self::invalid("unknown_market", detail, vec![error])
    }

    /// Returns a 422 for a malformed market in a body or a path.
    pub fn invalid_market(pointer: &str) -> Self {
        let unknown = Self::unknown_market(pointer);
        let errors = unknown.errors.into_iter();
        let errors =
            errors.map(|error| ProblemError { code: "invalid_market".into(), ..error }).collect();
        Self::invalid("invalid_market", unknown.detail, errors)
    }

    #[must_use]
    fn with_approvals(mut self, needed: i64, given: i64) -> Self {
        // A rule demands at most three approvals. A field of eight bytes would make every error
        // larger.
        let small = |n: i64| u8::try_from(n).unwrap_or(u8::MAX);
        self.approvals = Some((small(needed), small(given)));
        self
    }

    pub fn malformed_json(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed_json", detail)
    }

    pub fn invalid_parameter(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_parameter", detail)
    }

    /// Returns a 400 for U+0000 in the path or query.
    pub fn nul() -> Self {
        Self::invalid_parameter("The path or query contains the character U+0000.")
    }

    pub fn unauthenticated() -> Self {
        let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
        Self::new(
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "The access token or service key is missing, invalid or expired. Send a valid one: Authorization: Bearer …",
        )
        .with_header(header::WWW_AUTHENTICATE, challenge)
    }

    pub fn permission_denied() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "permission_denied",
            "The caller's roles do not allow this.",
        )
    }

    /// Returns a 403 for a signed-in person. The audit records it.
    pub fn denied_to(subject: &str) -> Self {
        Self { internal: Some(Internal::Actor(subject.into())), ..Self::permission_denied() }
    }

    /// Returns a 403 for a signed-in person whose roles do not cover the market in this member of
    /// the body.
    pub fn out_of_reach(subject: &str, pointer: &str) -> Self {
        let problem = Self::denied_to(subject);
        let detail = "The caller's roles do not cover this market.";
        let error = ProblemError::at(pointer, problem.code, detail);
        Self { errors: vec![error], ..problem }
    }

    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "Nothing exists at this path.")
    }

    /// Returns a 404 for an object that does not exist.
    pub fn absent(object: &str) -> Self {
        Self { detail: format!("There is no {object}."), ..Self::not_found() }
    }

    pub fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This path does not support the method. Allow lists the methods that it supports.",
        )
    }

    /// Returns a 405 for a path that supports only these methods.
    pub fn only(methods: &'static str) -> Self {
        Self::method_not_allowed().with_header(header::ALLOW, HeaderValue::from_static(methods))
    }

    pub fn body_too_large(limit: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            format!("The body may have at most {limit} bytes."),
        )
    }

    pub fn body_too_many_values(limit: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            format!(
                "The body may have at most {limit} values: members of objects and items of lists."
            ),
        )
    }

    pub fn invalid(
        code: &'static str,
        detail: impl Into<String>,
        errors: Vec<ProblemError>,
    ) -> Self {
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail) }
    }

    pub fn rate_limited(retry_after_s: u64) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limited",
            "Too many requests from this IP address. Retry after the seconds in Retry-After.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(retry_after_s))
    }

    /// Returns a 503. Use it only for temporary errors: clients retry without end.
    pub fn unavailable() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "The service is unavailable at the moment. Try again.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_S))
    }

    /// Returns a 500 for an error in the server, which a retry does not resolve.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "An internal error occurred. The server's log has the cause with this request_id.",
        )
        .with_cause(cause)
    }

    fn title(&self) -> &'static str {
        self.status.canonical_reason().unwrap_or("Error")
    }

    pub fn render(&self, request_id: &str) -> Response {
        self.log(request_id);
        let body = ProblemBody {
            kind: format!("urn:musette:problem:{}", self.code),
            title: self.title(),
            status: self.status.as_u16(),
            code: self.code,
            detail: &self.detail,
            request_id,
            errors: &self.errors,
            needed: self.approvals.map(|counts| counts.0.into()),
            given: self.approvals.map(|counts| counts.1.into()),
            allowed: self.allowed(),
            evaluation: self.evaluation(),
            assignment: self.assignment(),
        };
        let body = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = (
            self.status,
            [
                (header::CONTENT_TYPE, "application/problem+json"),
                (header::CACHE_CONTROL, "no-store"),
            ],
            body,
        )
            .into_response();
        for (name, value) in &self.headers {
            response.headers_mut().insert(name.clone(), value.clone());
        }
        response
    }
}

impl Problem {
    fn log(&self, request_id: &str) {
        let Some(Internal::Cause(cause)) = &self.internal else { return };
        let cause: &str = cause;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            tracing::warn!(request_id, cause, "a request failed because the store is unavailable");
        } else {
            tracing::error!(
                request_id,
                code = self.code,
                cause,
                "a request failed with an internal error"
            );
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<RateLimited> for Problem {
    fn from(limited: RateLimited) -> Self {
        Self::rate_limited(limited.retry_after_s)
    }
}

impl From<QueueFull> for Problem {
    fn from(QueueFull { retry_after_s }: QueueFull) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "rendering_busy",
            "The queue for rendering documents is full. Nothing was saved. Retry after the seconds in Retry-After.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(retry_after_s))
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Conflict(_) => {
                Self::new(StatusCode::CONFLICT, "conflict", format!("Conflict: {error}."))
            }
            StoreError::ApprovalRequired { needed, given } => {
                let detail = "This needs the approval of other people first.";
                let problem = Self::new(StatusCode::CONFLICT, "approval_required", detail);
                problem.with_approvals(*needed, *given)
            }
            error if error.is_unavailable() => Self::unavailable().with_cause(error),
            error => Self::internal(error),
        }
    }
}

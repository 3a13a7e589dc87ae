//! Every error of the API: RFC 9457 `application/problem+json` with a stable `code`.

mod unfinished;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_store::StoreError;
use serde::Serialize;

use crate::limits::RateLimited;
use crate::markets::UnknownMarket;
use crate::publishing::queue::QueueFull;

/// One fault in a request or a document.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Fault {
    /// Where the fault is: a JSON pointer (RFC 6901) into the body. Empty for the whole body.
    pub pointer: String,
    /// What is wrong, for programs. Codes are stable.
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    pub code: String,
    /// What is wrong, in English, for developers.
    pub detail: String,
    /// The id of the newest version in effect. Only with `terms_changed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<Vec<i64>>,
    /// The page of the document, counted from 1. Only for a fault of a document's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub page: Option<u32>,
}

impl Fault {
    fn at(pointer: &str, code: &str, detail: impl Into<String>) -> Self {
        let (pointer, code, detail) = (pointer.into(), code.into(), detail.into());
        Self { pointer, code, detail, replaced_by: None, page: None }
    }
}

/// An error: RFC 9457 problem details. Programs decide by `code`, which is stable.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(examples(json!({"type":"urn:musette:problem:not_found","title":"Not Found","status":404,"code":"not_found","detail":"There is nothing at this address.","request_id":"0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e"})))]
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
    /// What went wrong, for programs.
    #[schema(pattern = "^[a-z][a-z0-9_]*$")]
    pub code: &'a str,
    /// What went wrong, in English, for developers.
    pub detail: &'a str,
    /// The id of the request, which the server's log has too.
    #[schema(pattern = "^[A-Za-z0-9._-]{1,128}$")]
    pub request_id: &'a str,
    /// Each fault and where it is, if there are several or the place matters.
    #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
    pub errors: &'a [Fault],
    /// How many approvals are needed. Only with `approval_required`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 3)]
    pub needed: Option<i64>,
    /// How many approvals were given. Only with `approval_required`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub given: Option<i64>,
}

/// Rendered by the layer that knows the request's id.
#[derive(Debug, Clone)]
pub struct Problem {
    pub status: StatusCode,
    pub code: &'static str,
    pub detail: String,
    pub errors: Vec<Fault>,
    /// Approvals needed and given.
    approvals: Option<(u8, u8)>,
    headers: Vec<(HeaderName, HeaderValue)>,
    untold: Option<Untold>,
}

/// Details for the log; nothing of them reaches the client.
#[derive(Debug, Clone)]
enum Untold {
    /// The subject of whoever is refused, for the audit.
    Actor(Box<str>),
    /// For the log.
    Cause(Box<str>),
}

const UNKNOWN: &str = "It is not known whether this was recorded. Send it again with the same Idempotency-Key: it is recorded once.";

/// `Retry-After` when the store is not available.
const RETRY_AFTER_S: u64 = 1;

/// In a query.
impl From<UnknownMarket> for Problem {
    fn from(unknown: UnknownMarket) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unknown_market", unknown.to_string())
    }
}

impl Problem {
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        let (errors, approvals, headers, untold) = (Vec::new(), None, Vec::new(), None);
        Self { status, code, detail: detail.into(), errors, approvals, headers, untold }
    }

    /// The log gets it with the request's id, once, when this is answered.
    #[must_use]
    fn because(mut self, cause: impl std::fmt::Display) -> Self {
        self.untold = Some(Untold::Cause(cause.to_string().into()));
        self
    }

    /// The person who was refused, if known.
    pub fn actor(&self) -> Option<&str> {
        match &self.untold {
            Some(Untold::Actor(subject)) => Some(subject),
            _ => None,
        }
    }

    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// 422, where a body names a market that cannot be used.
    pub fn unknown_market(pointer: &str) -> Self {
        let detail = UnknownMarket.to_string();
        let fault = Fault::at(pointer, "unknown_market", &*detail);
        Self::invalid("unknown_market", detail, vec![fault])
    }

    /// 422, where a body or a path names a market that there cannot be.
    pub fn invalid_market(pointer: &str) -> Self {
        let unknown = Self::unknown_market(pointer);
        let errors = unknown.errors.into_iter();
        let errors = errors.map(|it| Fault { code: "invalid_market".into(), ..it }).collect();
        Self::invalid("invalid_market", unknown.detail, errors)
    }

    #[must_use]
    fn with_approvals(mut self, needed: i64, given: i64) -> Self {
        // A rule demands three at the most; a number of eight bytes would make every error larger.
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

    /// In an address.
    pub fn nul() -> Self {
        Self::invalid_parameter("The address has the character U+0000.")
    }

    pub fn unauthenticated() -> Self {
        let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
        Self::new(
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "A valid access token, or a service key that is not over, is needed: Authorization: Bearer …",
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

    /// 403 for a known person, whom the audit records.
    pub fn denied_to(subject: &str) -> Self {
        Self { untold: Some(Untold::Actor(subject.into())), ..Self::permission_denied() }
    }

    /// 403 for a known person, whose roles do not reach as far as this member of the body says.
    pub fn out_of_reach(subject: &str, pointer: &str) -> Self {
        let problem = Self::denied_to(subject);
        let detail = "This is outside of the markets of your roles.";
        let fault = Fault::at(pointer, problem.code, detail);
        Self { errors: vec![fault], ..problem }
    }

    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
    }

    /// 404 for an address whose form is right.
    pub fn absent(what: &str) -> Self {
        Self { detail: format!("There is no {what}."), ..Self::not_found() }
    }

    pub fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This address does not take that method; Allow lists those that it takes.",
        )
    }

    /// 405 for an address that takes only these methods.
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

    pub fn invalid(code: &'static str, detail: impl Into<String>, errors: Vec<Fault>) -> Self {
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail) }
    }

    pub fn rate_limited(retry_after_s: u64) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limited",
            "Too many requests from this address; try again later.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(retry_after_s))
    }

    /// Only for faults that pass by themselves: a client retries for ever.
    pub fn unavailable() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "The service cannot do this at the moment. Try again.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_S))
    }

    /// A fault of ours, which trying again does not mend.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "This went wrong on our side. The server's log says why, beside the request_id.",
        )
        .because(cause)
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
            needed: self.approvals.map(|it| it.0.into()),
            given: self.approvals.map(|it| it.1.into()),
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
        let Some(Untold::Cause(cause)) = &self.untold else { return };
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
            "Other documents are being drawn, and enough wait for it. Nothing was saved; try again.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(retry_after_s))
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Conflict(_) => {
                Self::new(StatusCode::CONFLICT, "conflict", format!("Refused: {error}."))
            }
            StoreError::ApprovalRequired { needed, given } => {
                let detail = "Colleagues must approve this first.";
                let problem = Self::new(StatusCode::CONFLICT, "approval_required", detail);
                problem.with_approvals(*needed, *given)
            }
            error if error.is_unavailable() => Self::unavailable().because(error),
            error => Self::internal(error),
        }
    }
}

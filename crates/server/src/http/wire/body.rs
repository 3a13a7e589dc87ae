//! Bodies of the console's requests, and the check that a write does not overwrite another person's
//! change.

use axum::body::Body as Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::json::{Json, not_json, read_any, read_body};
use super::problem::Problem;
use crate::platform::etag;

/// The bytes of a file, for the API document.
#[derive(utoipa::ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it describes a body in the API document and is never built")]
pub struct FileBytes(Vec<u8>);

/// A JSON body of this shape. Errors: 415, 413, 400, then 422 `invalid_request`.
///
/// It is the last parameter of a handler, so that the caller is checked first.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request<Bytes>, _: &S) -> Result<Self, Problem> {
        let bytes = read_body(request).await?;
        // The API rejects duplicate names, deep nesting and lone surrogates in all JSON.
        if !matches!(Json::parse(&bytes)?, Json::Object(_)) {
            return Err(Problem::invalid(
                "invalid_request",
                "The body must be an object.",
                Vec::new(),
            ));
        }
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            Problem::invalid(
                "invalid_request",
                format!("The body is invalid: {error}."),
                Vec::new(),
            )
        })
    }
}

/// A JSON body that is a list. Errors as for [`Body`].
pub struct ListBody<T>(pub Vec<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ListBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request<Bytes>, _: &S) -> Result<Self, Problem> {
        let bytes = read_body(request).await?;
        if !matches!(Json::parse(&bytes)?, Json::Array(_)) {
            return Err(Problem::invalid(
                "invalid_request",
                "The body must be a list.",
                Vec::new(),
            ));
        }
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            Problem::invalid(
                "invalid_request",
                format!("The body is invalid: {error}."),
                Vec::new(),
            )
        })
    }
}

/// A JSON body that may be absent.
pub struct MaybeBody<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for MaybeBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request<Bytes>, state: &S) -> Result<Self, Problem> {
        if !request.headers().contains_key(header::CONTENT_TYPE) {
            // A body without a media type is an error. It is not ignored silently.
            let body = read_any(request.into_body()).await?;
            return if body.is_empty() { Ok(Self(T::default())) } else { Err(not_json()) };
        }
        Body::from_request(request, state).await.map(|Body(body)| Self(body))
    }
}

/// Returns the revision that the caller has read, from `If-Match`.
pub fn if_match(headers: &HeaderMap) -> Result<i64, Problem> {
    let Some(value) = headers.get(header::IF_MATCH) else {
        return Err(Problem::new(
            StatusCode::PRECONDITION_REQUIRED,
            "precondition_required",
            "The header If-Match is missing. Send the ETag of the version that you have read.",
        ));
    };
    let revision = value.to_str().ok().and_then(|text| text.trim().trim_matches('"').parse().ok());
    revision.ok_or_else(changed_meanwhile)
}

pub fn changed_meanwhile() -> Problem {
    Problem::new(
        StatusCode::PRECONDITION_FAILED,
        "precondition_failed",
        "It was changed after you read it. Read it again.",
    )
}

/// Returns an editable object with its ETag, which the next write must send.
pub fn revised(status: StatusCode, revision: i64, body: &impl Serialize) -> Response {
    let headers = [
        (header::ETAG, etag::quoted(&revision.to_string())),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    ];
    (status, headers, axum::Json(body)).into_response()
}

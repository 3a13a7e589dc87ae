//! Requests that change evaluations. Their parts are checked in the order of the contract: shape of
//! the body, session, permission, then the rest.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use musette_core::decisions::Caller as JudgedCaller;
use musette_core::session::Role;
use musette_store::{Author, NewReply};

use crate::http::access::caller::Caller;
use crate::http::access::permission::{Right, Within};
use crate::http::consents::submission::idempotency_key;
use crate::http::wire::json::{Bounds, Json, read_any, read_within};
use crate::http::wire::problem::Problem;
use crate::http::wire::shape::{self, Shaped};
use crate::node::app::App;
use crate::platform::random;

/// Bounds of transitions, restrictions and proposals.
pub const TRANSITION: Bounds = Bounds { bytes: 256 * 1024, values: 32_768 };

/// What a request without a body has.
#[derive(Debug)]
pub struct NoBody;

/// A body with its bounds.
pub trait Posting: Sized + Send {
    /// The bounds; none for a call without a body.
    const BOUNDS: Option<Bounds>;

    /// Parses the bytes, or returns the error of their shape.
    fn parse(bytes: &[u8]) -> Result<Self, Problem>;
}

/// Declares bodies whose shape is documented. Their method `check` checks what the document cannot
/// express.
macro_rules! posting {
    ($($body:ty),+ $(,)?) => {$(
        $crate::http::wire::shape::shaped!($body);
        impl $crate::http::decisions::requests::Posting for $body {
            const BOUNDS: Option<$crate::http::wire::json::Bounds> =
                Some($crate::http::decisions::requests::TRANSITION);

            fn parse(bytes: &[u8]) -> Result<Self, $crate::http::wire::problem::Problem> {
                let body: Self = $crate::http::decisions::requests::parse_shaped(bytes)?;
                body.check()?;
                Ok(body)
            }
        }
    )+};
}
pub(crate) use posting;

impl Posting for NoBody {
    const BOUNDS: Option<Bounds> = None;

    fn parse(_: &[u8]) -> Result<Self, Problem> {
        Ok(Self)
    }
}

pub fn parse_shaped<T: Shaped>(bytes: &[u8]) -> Result<T, Problem> {
    shape::read(&Json::parse(bytes)?)
}

/// The parts that all changes have.
pub struct Call<T> {
    pub caller: Caller,
    pub body: T,
    /// The `Idempotency-Key`.
    pub key: Option<String>,
    /// Hash of method, path and body, by which a retry is recognized.
    pub request_sha256: String,
    parts: Parts,
}

/// A call of a colleague or a service key with this permission in some market. The handler checks it
/// for the market of the evaluation.
pub struct Posted<R, T> {
    pub call: Call<T>,
    right: PhantomData<R>,
}

/// A call of the rider in `{userId}`, with their own session.
pub struct RiderPosted<T>(pub Call<T>);

async fn read<T: Posting>(request: Request<Body>) -> Result<(Parts, Bytes, T), Problem> {
    let (parts, body) = request.into_parts();
    let bytes = match T::BOUNDS {
        Some(bounds) => read_within(&parts.headers, body, bounds).await?,
        None => read_any(body).await?,
    };
    let body = T::parse(&bytes)?;
    Ok((parts, bytes, body))
}

impl<T> Call<T> {
    fn of(parts: Parts, bytes: &[u8], body: T, caller: Caller) -> Result<Self, Problem> {
        let key = idempotency_key(&parts.headers, false)?;
        let head = format!("{} {}\n", parts.method, parts.uri.path());
        let request_sha256 = random::sha256_hex(&[head.as_bytes(), bytes].concat());
        Ok(Self { caller, body, key, request_sha256, parts })
    }

    /// Returns the UUID that `{id}` names.
    pub async fn id(&mut self, app: &Arc<App>) -> Result<String, Problem> {
        uuid(path_part(&mut self.parts, app, "id").await.as_deref())
    }

    /// Returns this part of the path; empty if the path has none.
    pub async fn part(&mut self, app: &Arc<App>, name: &str) -> String {
        path_part(&mut self.parts, app, name).await.unwrap_or_default()
    }

    /// Returns under which key the answer is remembered.
    pub fn reply(&self, person: Option<String>) -> Option<NewReply> {
        let key = self.key.clone()?;
        let scope = scope(&self.caller).to_owned();
        Some(NewReply { scope, key, request_sha256: self.request_sha256.clone(), person })
    }
}

/// Returns the owner of idempotency keys: the session's user, or the service key.
pub fn scope(caller: &Caller) -> &str {
    if caller.is_service { &caller.user_id } else { &caller.subject }
}

impl<R: Right, T: Posting> FromRequest<Arc<App>> for Posted<R, T> {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let (mut parts, bytes, body) = read(request).await?;
        let Within { caller, .. } = Within::<R>::from_request_parts(&mut parts, app).await?;
        Ok(Self { call: Call::of(parts, &bytes, body, caller)?, right: PhantomData })
    }
}

impl<T: Posting> FromRequest<Arc<App>> for RiderPosted<T> {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let (mut parts, bytes, body) = read(request).await?;
        let caller = rider(&mut parts, app).await?;
        Call::of(parts, &bytes, body, caller).map(Self)
    }
}

/// The rider in `{userId}`, with their own session.
pub struct OwnRider {
    pub caller: Caller,
}

impl FromRequestParts<Arc<App>> for OwnRider {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Ok(Self { caller: rider(parts, app).await? })
    }
}

async fn rider(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Problem> {
    let user_id = path_part(parts, app, "userId").await;
    let caller = Caller::from_parts(parts, app).await?;
    if Some(&caller.user_id) != user_id.as_ref() {
        return Err(Problem::denied_to(&caller.subject));
    }
    Ok(caller)
}

/// The id in a path: a UUID, or 400. It is checked after the permission.
pub struct IdOf(pub String);

impl FromRequestParts<Arc<App>> for IdOf {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        uuid(path_part(parts, app, "id").await.as_deref()).map(Self)
    }
}

/// Parses a UUID in its usual form, in lower case.
pub fn uuid(text: Option<&str>) -> Result<String, Problem> {
    let text = text.filter(|text| text.len() == 36 && uuid::Uuid::try_parse(text).is_ok());
    let text = text.map(str::to_ascii_lowercase);
    text.ok_or_else(|| Problem::invalid_parameter("The id must be a UUID."))
}

async fn path_part(parts: &mut Parts, app: &Arc<App>, name: &str) -> Option<String> {
    let path: Result<Path<HashMap<String, String>>, _> = Path::from_request_parts(parts, app).await;
    path.ok().and_then(|Path(mut path)| path.remove(name))
}

/// Returns the rights of the caller for an evaluation in this market, or `None` without any.
pub fn author(caller: &Caller, market: Option<&str>) -> Option<Author> {
    let may = |role| {
        let reach = caller.reach(&[role, Role::Admin]);
        reach.is_some_and(|reach| reach.covers_code(market))
    };
    let (is_dispatcher, is_reviewer) = (may(Role::Dispatcher), may(Role::Reviewer));
    if caller.is_service {
        return is_dispatcher.then(|| Author {
            caller: JudgedCaller::Key,
            subject: Some(caller.subject.clone()),
            key: Some(caller.user_id.clone()),
        });
    }
    let subject = caller.subject.clone();
    (is_dispatcher || is_reviewer).then(|| Author {
        caller: JudgedCaller::Person { subject: subject.clone(), is_dispatcher, is_reviewer },
        subject: Some(subject),
        key: None,
    })
}

/// Returns the rider as the author of a change.
pub const RIDER: Author = Author { caller: JudgedCaller::Rider, subject: None, key: None };

//! With `--demo` only: the riders of the demo, and sessions without a sign-in.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use musette_core::session::{Identifier, SignInMethod};
use serde::{Deserialize, Serialize};

use crate::demo::{self, DemoAccount, DemoError};
use crate::http::session::{device, granted};
use crate::http::wire::caching::private;
use crate::http::wire::json::{Json, read_body};
use crate::http::wire::problem::Problem;
use crate::http::wire::query::{FromQuery, Parameters};
use crate::http::wire::shape;
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::sessions::keys::Tokens;
use crate::sessions::{self, NewSignIn};

/// The riders and the flag key of a demo.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DemoBody {
    /// The riders whose sessions can be opened.
    riders: Vec<DemoRider>,
    /// A client key of the demo's flag environment. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag_key: Option<String>,
}

/// A fictional rider.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DemoRider {
    /// The user id.
    user_id: String,
    /// The rider's name.
    name: String,
    /// The e-mail address for the sign-in by code. Absent if the rider has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Email)]
    email: Option<String>,
}

/// A one-time code that a message would contain.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DemoCode {
    /// The six-digit code.
    #[schema(pattern = "^[0-9]{6}$")]
    code: String,
}

/// The rider whose code is requested.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DemoCodeQuery {
    /// The phone number or e-mail address that the code was sent to.
    #[param(value_type = String)]
    identifier: Identifier,
}

impl FromQuery for DemoCodeQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let identifier = parameters.first("identifier").and_then(Identifier::parse);
        let missing = || {
            Problem::invalid_parameter("'identifier' must be a phone number or an e-mail address.")
        };
        Ok(Self { identifier: identifier.ok_or_else(missing)? })
    }
}

async fn playable(app: &App) -> Result<Vec<DemoAccount>, Problem> {
    demo::riders(&app.store).await.map_err(|error| match error {
        DemoError::Store(error) => error.into(),
        DemoError::File(..) => Problem::not_found(),
    })
}

/// List the riders of a demo.
///
/// - 404 `not_found`: the server was not started with `--demo`.
#[utoipa::path(
    get, path = "/api/demo/v1", tag = "demo",
    responses((status = 200, body = DemoBody), (status = 404, body = crate::http::wire::problem::ProblemBody))
)]
pub async fn people(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    if !app.settings.demo {
        return Err(Problem::not_found());
    }
    let riders = playable(&app).await?;
    let rider = |DemoAccount { user, name, email }| DemoRider { user_id: user.id, name, email };
    let riders = riders.into_iter().map(rider).collect();
    let flag_key = demo::flag_key(&app.store).await?;
    Ok(private(&DemoBody { riders, flag_key }))
}

/// The rider whose session is opened.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"user_id":"rider-1"})))]
pub struct DemoSessionBody {
    /// The user id of a rider of the demo. Other ids return 403 `permission_denied`.
    user_id: String,
}

shaped!(DemoSessionBody);

/// Open a session of one of the demo's riders.
///
/// A retry opens another session.
///
/// - 403 `permission_denied`: the user is not a rider of the demo.
/// - 404 `not_found`: the server was not started with `--demo`.
#[utoipa::path(
    post, path = "/api/demo/v1/sessions", tag = "demo", request_body = DemoSessionBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = crate::http::wire::problem::ProblemBody))
)]
pub async fn open_session(
    State(app): State<Arc<App>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    if !app.settings.demo {
        return Err(Problem::not_found());
    }
    let headers = request.headers().clone();
    let device = device(&headers);
    let body = read_body(request).await?;
    let DemoSessionBody { user_id } = shape::read(&Json::parse(&body)?)?;
    let rider = playable(&app).await?.into_iter().find(|rider| rider.user.id == user_id);
    let DemoAccount { user, .. } = rider.ok_or_else(Problem::permission_denied)?;
    let live = app.live.load_full();
    let sign_in =
        NewSignIn { user: &user, device: &device, method: SignInMethod::Demo, access_ttl: None };
    let issuer = app.settings.issuer();
    let opened = sessions::open(&app.store, &live.keys, sign_in, issuer, app.now()).await?;
    Ok(granted(&app, &headers, opened, false))
}

/// Read the newest one-time code of one of the demo's riders.
///
/// - 400 `invalid_parameter`: `identifier` is missing or malformed.
/// - 404 `not_found`: there is no code, or the server was not started with `--demo`.
#[utoipa::path(
    get, path = "/api/demo/v1/codes", tag = "demo",
    params(DemoCodeQuery),
    responses((status = 200, body = DemoCode), (status = "4XX", body = crate::http::wire::problem::ProblemBody))
)]
pub async fn code(
    State(app): State<Arc<App>>,
    parameters: Parameters,
) -> Result<Response, Problem> {
    if !app.settings.demo {
        return Err(Problem::not_found());
    }
    let DemoCodeQuery { identifier } = DemoCodeQuery::from_query(&parameters)?;
    let user_id = app.store.user_id_of(&identifier).await?;
    let riders = playable(&app).await?;
    let is_demo = user_id.is_some_and(|id| riders.iter().any(|rider| rider.user.id == id));
    let code = app.delivery.shown(&identifier).filter(|_| is_demo);
    let code = code.ok_or_else(Problem::not_found)?;
    Ok(private(&DemoCode { code }))
}

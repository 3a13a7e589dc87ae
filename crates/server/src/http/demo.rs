//! With `--demo` only: who may be played, and a session without a sign-in.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::json::{Json as Value, read_body};
use super::problem::Problem;
use super::terms::private;
use crate::app::App;
use crate::keys::Tokens;

#[derive(Serialize, utoipa::ToSchema)]
pub struct DemoBody {
    riders: Vec<DemoRider>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct DemoRider {
    user_id: String,
    name: String,
}

/// 404 where there is no demo.
#[utoipa::path(
    get, path = "/api/demo/v1", tag = "demo",
    responses((status = 200, body = DemoBody), (status = 404, body = super::problem::ProblemBody))
)]
pub async fn demo(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    if !app.settings.demo {
        return Err(Problem::not_found());
    }
    let riders = app.store.named_users().await?;
    let riders = riders.into_iter().map(|(user_id, name)| DemoRider { user_id, name }).collect();
    Ok(private(&DemoBody { riders }))
}

/// A session of one of the demo's riders.
#[utoipa::path(
    post, path = "/api/demo/v1/sessions", tag = "demo",
    responses((status = 200, body = Tokens), (status = "4XX", body = super::problem::ProblemBody))
)]
pub async fn open_session(
    State(app): State<Arc<App>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    if !app.settings.demo {
        return Err(Problem::not_found());
    }
    let body = read_body(request).await?;
    let json = Value::parse(&body)?;
    let Some(Value::Text(user_id)) = json.get("user_id") else {
        return Err(Problem::invalid("invalid_request", "user_id must be a text.", Vec::new()));
    };
    let riders = app.store.named_users().await?;
    if !riders.iter().any(|(id, _)| id == user_id) {
        return Err(Problem::permission_denied());
    }
    let user = app.store.user(user_id).await?.ok_or_else(Problem::permission_denied)?;
    let live = app.live.load_full();
    let issuer = app.settings.issuer();
    let tokens = live.keys.open_session(&app.store, &user, issuer, None, app.now()).await?;
    let mut cookies = HeaderMap::new();
    for (name, value) in
        [("dhh_token", &tokens.dhh_token), ("refresh_token", &tokens.refresh_token)]
    {
        if let Ok(cookie) = HeaderValue::try_from(cookie(&app, name, value)) {
            cookies.append(header::SET_COOKIE, cookie);
        }
    }
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::OK, cookies, no_store, Json(tokens)).into_response())
}

/// As the client writes them: readable, for the whole site. The access token's cookie outlives the
/// token, so that an expired one can be seen to be expired.
fn cookie(app: &App, name: &str, value: &str) -> String {
    const MAX_AGE_S: u32 = 14 * 24 * 60 * 60;
    let is_https = app.settings.public_url.as_ref().is_some_and(|url| url.starts_with("https:"));
    let secure = if is_https { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={MAX_AGE_S}; SameSite=Lax{secure}")
}

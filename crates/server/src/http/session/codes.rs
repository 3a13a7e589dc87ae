//! `POST /codes` and `POST /tokens`: a rider signs in with a phone number or an e-mail address.
//!
//! Whether anybody has it shows in nothing: the same work, the same answers, the same limits.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use musette_core::session::{CODE_LIFETIME, Identifier, code, typed_code};
use musette_store::{NewCode, Throttle, User};
use serde::Serialize;

use super::{header_text, is_console, refused, required_texts, sign_in, wrong_guess};
use crate::app::App;
use crate::delivery::{CodeMessage, Purpose};
use crate::http::caller::client_address;
use crate::http::json::JsonRequest;
use crate::http::limits::network;
use crate::http::problem::{Problem, ProblemBody};
use crate::keys::Tokens;
use crate::random;
use crate::sessions::audit;

/// From one network: enough for somebody who mistypes, too little to be a nuisance.
const FROM_ONE_NETWORK: Throttle = Throttle { burst: 5, interval: Duration::from_secs(60) };
/// From everywhere: nobody's phone rings all night. Far more than one network may ask for, so that
/// a stranger does not use up what the person needs.
const FROM_EVERYWHERE: Throttle = Throttle { burst: 20, interval: Duration::from_secs(120) };

#[derive(Serialize, utoipa::ToSchema)]
pub struct CodeBody {
    /// A phone number or an e-mail address.
    identifier: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct CodeSentBody {
    /// Seconds that the code is good for, if somebody has this identifier.
    expires_in: u64,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct CodeTokensBody {
    identifier: String,
    code: String,
}

fn network_of(app: &App, parts: &Parts) -> String {
    network(client_address(parts, app)).to_string()
}

/// What stands for it in the store. What nobody can have gets one too: it must cost the same.
fn identifier_key(app: &App, text: &str) -> (Option<Identifier>, String) {
    let identifier = Identifier::parse(text);
    let kept = identifier.as_ref().map_or(text, Identifier::as_str);
    let key = app.live.load().keys.keyed_hash(&["identifier", kept]);
    (identifier, key)
}

fn code_hash(app: &App, identifier_key: &str, network: &str, code: &str) -> String {
    app.live.load().keys.keyed_hash(&["code", identifier_key, network, code])
}

async fn throttle(app: &App, key: &str, network: &str) -> Result<(), Problem> {
    if !app.settings.throttles {
        return Ok(());
    }
    for (key, throttle) in [
        (format!("code:{key}:{network}"), FROM_ONE_NETWORK),
        (format!("code:{key}"), FROM_EVERYWHERE),
    ] {
        if let Some(wait) = app.store.throttle(&key, throttle, app.now()).await? {
            return Err(Problem::rate_limited(wait.as_secs() + 1));
        }
    }
    Ok(())
}

/// Who may sign in with a code: operators have a password and an authenticator, and a text message
/// is no way around them.
async fn person(app: &App, identifier: &Identifier) -> Result<Option<User>, Problem> {
    let Some(id) = app.store.user_id_of(identifier).await? else { return Ok(None) };
    Ok(app.store.user(&id).await?.filter(|user| !is_console(user)))
}

/// Sends a one-time code, if somebody has this identifier; the answer is the same if nobody has.
#[utoipa::path(
    post, path = "/api/session/v1/codes", tag = "session",
    request_body = CodeBody,
    responses((status = 202, body = CodeSentBody), (status = "4XX", body = ProblemBody))
)]
pub async fn send_code(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, json) = (&request.parts, request.json()?);
    let [text] = required_texts(&json, ["identifier"])?;
    app.limits.sign_in(client_address(parts, &app))?;
    let (identifier, key) = identifier_key(&app, text);
    let network = network_of(&app, parts);
    throttle(&app, &key, &network).await?;

    let languages = header_text(parts, &ACCEPT_LANGUAGE).unwrap_or_default().to_owned();
    // Looking somebody up, writing and sending all take time, and it would tell: the answer waits
    // for none of it.
    tokio::spawn({
        let app = Arc::clone(&app);
        async move {
            if let Err(problem) = make_code(&app, identifier, key, network, languages).await {
                tracing::error!(code = problem.code, "a one-time code was not made");
            }
        }
    });
    let body = CodeSentBody { expires_in: CODE_LIFETIME.as_secs() };
    Ok((StatusCode::ACCEPTED, [(CACHE_CONTROL, "no-store")], JsonBody(body)).into_response())
}

async fn make_code(
    app: &App,
    identifier: Option<Identifier>,
    key: String,
    network: String,
    languages: String,
) -> Result<(), Problem> {
    let user = match &identifier {
        Some(identifier) => person(app, identifier).await?,
        None => None,
    };
    let code = code(random::bytes::<8>());
    let expires_at = app.now().plus(CODE_LIFETIME);
    let new = NewCode {
        hash: code_hash(app, &key, &network, &code),
        identifier: key,
        network,
        user_id: user.as_ref().map(|user| user.id.clone()),
        expires_at,
    };
    app.store.keep_code(&new).await?;
    let outcome = if user.is_some() { "sent" } else { "unknown" };
    metrics::counter!("musette_codes_total", "outcome" => outcome).increment(1);
    let Some((user, identifier)) = user.zip(identifier) else { return Ok(()) };
    app.delivery.send(CodeMessage {
        identifier,
        purpose: Purpose::SignIn,
        code,
        expires_at,
        languages,
    });
    audit(app, "code_sent", Some(user.subject), None, None).await;
    Ok(())
}

/// Signs in with the code that came.
#[utoipa::path(
    post, path = "/api/session/v1/tokens", tag = "session",
    request_body = CodeTokensBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn code_tokens(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, json) = (&request.parts, request.json()?);
    let [identifier, code] = required_texts(&json, ["identifier", "code"])?;
    let (_, key) = identifier_key(&app, identifier);
    let network = network_of(&app, parts);
    // What is no code at all costs a try and finds none.
    let code = typed_code(code).unwrap_or_default();
    let hash = |asked_from: &str| code_hash(&app, &key, asked_from, &code);
    let user_id = app.store.try_code(&key, &network, hash, app.now()).await?;
    let user = match user_id {
        Some(id) => app.store.user(&id).await?.filter(|user| !is_console(user)),
        None => None,
    };
    match user {
        Some(user) => sign_in(&app, parts, &user, "code").await,
        None => {
            let problem = refused("code_invalid", "The code is wrong, used, or too old.");
            audit(&app, "code_refused", None, None, None).await;
            wrong_guess(&app, parts, "code", problem).await
        }
    }
}

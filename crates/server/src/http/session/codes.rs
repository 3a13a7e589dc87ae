//! `POST /codes` and `POST /tokens`: a rider signs in with a phone number or an e-mail address.
//!
//! Whether anybody has it shows in nothing: the same work, the same answers, the same limits. What a
//! stranger can do by asking and guessing: `docs/decisions/0015-guessing-one-time-codes.md`.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::{CODE_LIFETIME, Identifier, MESSAGES, SignInMethod, code, typed_code};
use musette_store::{Ending, Guessed, NewCode, StoreError, Throttle, User};
use serde::{Deserialize, Serialize};
use tracing::Instrument as _;

use super::browser::Browser;
use super::{cookies, count_refused_sign_in, header_text, is_console, opened, refused};
use crate::app::App;
use crate::audit::audit;
use crate::delivery::{CodeMessage, Purpose};
use crate::http::caller::client_address;
use crate::http::json::JsonRequest;
use crate::http::parameters::{AcceptLanguage, CookiesHeader};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::shape::shaped;
use crate::keys::Tokens;
use crate::limits::network;
use crate::random;
use crate::retention;

/// From one network: enough for somebody who mistypes, too little to be a nuisance.
const FROM_ONE_NETWORK: Throttle = Throttle { burst: 5, interval: Duration::from_secs(60) };

/// The identifier to send a one-time code to.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"identifier":"rider@example.com"})))]
pub struct CodeBody {
    /// A phone number or an e-mail address.
    #[schema(min_length = 1, max_length = 1024)]
    identifier: String,
}

/// The answer to a request for a code. It is the same whether somebody has the identifier or not.
#[derive(Serialize, utoipa::ToSchema)]
pub struct CodeSentBody {
    /// Seconds for which the code is valid.
    expires_in: u64,
}

/// An identifier and the one-time code that was sent to it.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"identifier":"rider@example.com","code":"042617"})))]
pub struct CodeTokensBody {
    /// The phone number or e-mail address that the code was sent to.
    #[schema(min_length = 1, max_length = 1024)]
    identifier: String,
    /// The six digits. Spaces and hyphens between them are ignored.
    #[schema(min_length = 1, max_length = 1024)]
    code: String,
}

shaped!(CodeBody, CodeTokensBody);

/// The hash that the store keeps. An impossible identifier gets one too, to take the same time.
fn identifier_key(app: &App, text: &str) -> (Option<Identifier>, String) {
    let identifier = Identifier::parse(text);
    let kept = identifier.as_ref().map_or(text, Identifier::as_str);
    let key = app.live.load().keys.keyed_hash(&["identifier", kept]);
    (identifier, key)
}

fn code_hash(app: &App, identifier_key: &str, asker: &str, code: &str) -> String {
    app.live.load().keys.keyed_hash(&["code", identifier_key, asker, code])
}

async fn throttle(app: &App, key: &str, network: &str) -> Result<(), Problem> {
    if !app.settings.throttles {
        return Ok(());
    }
    let key = format!("code:{key}:{network}");
    match app.store.throttle(&key, FROM_ONE_NETWORK, app.now()).await? {
        Some(wait) => Err(Problem::rate_limited(wait.as_secs() + 1)),
        None => Ok(()),
    }
}

/// Finds the person who may sign in with a code: operators have a password and an authenticator,
/// and a text message is no way around them.
async fn person(app: &App, identifier: &Identifier) -> Result<Option<User>, StoreError> {
    let Some(id) = app.store.user_id_of(identifier).await? else { return Ok(None) };
    Ok(app.store.user(&id).await?.filter(|user| !is_console(user)))
}

/// Somebody who wants a code.
struct CodeAttempt {
    identifier: Option<Identifier>,
    key: String,
    network: String,
    browser: Browser,
    /// The browser showed its secret, and did not only just get it.
    shown: bool,
    languages: String,
}

/// Send a one-time code to a phone number or e-mail address.
///
/// The answer is the same whether somebody has this identifier or not. A person is sent at most 5 messages an hour
/// and 20 a day, whoever asks; beyond that nothing is sent and the last code stays valid. A browser that keeps the
/// cookie `musette_browser` has 5 guesses of its own and, once it has signed somebody in, messages of its own for
/// that person. 429 `rate_limited`: too many requests from this network. A repeat sends another code.
#[utoipa::path(
    post, path = "/api/session/v1/codes", tag = "session",
    params(AcceptLanguage),
    request_body = CodeBody,
    responses((status = 202, body = CodeSentBody), (status = "4XX", body = ProblemBody))
)]
pub async fn send_code(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, CodeBody { identifier: text }) = (&request.parts, request.read()?);
    let address = client_address(parts, &app);
    app.limits.sign_in(address)?;
    let (identifier, key) = identifier_key(&app, &text);
    let network = network(address).to_string();
    throttle(&app, &key, &network).await?;

    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let (browser, shown) = match Browser::of(&app, &parts.headers) {
        Some(browser) => (browser, true),
        None => (Browser::random(), false),
    };
    if !shown {
        cookies::append(&mut headers, browser.asked_cookie(&app));
    }
    let languages = header_text(parts, &ACCEPT_LANGUAGE).unwrap_or_default().to_owned();
    let asked = CodeAttempt { identifier, key, network, browser, shown, languages };
    // Looking somebody up, writing and sending all take time, and it would tell: the answer waits
    // for none of it.
    let making = {
        let app = Arc::clone(&app);
        async move {
            if let Err(error) = make_code(&app, asked).await {
                tracing::error!(error = %error, "a one-time code could not be created: the user has to request another one");
            }
        }
    };
    tokio::spawn(making.in_current_span());
    let body = CodeSentBody { expires_in: CODE_LIFETIME.as_secs() };
    Ok((StatusCode::ACCEPTED, headers, JsonBody(body)).into_response())
}

async fn make_code(app: &App, asked: CodeAttempt) -> Result<(), StoreError> {
    let user = match &asked.identifier {
        Some(identifier) => person(app, identifier).await?,
        None => None,
    };
    // For nobody it is looked up as well.
    let user_id = user.as_ref().map_or(asked.key.as_str(), |user| user.id.as_str());
    let known_as = asked.browser.known_as(app, user_id);
    let since = past(app.now(), retention::BROWSERS);
    let is_known = app.store.is_known_browser(&known_as, since).await?;
    if !may_send(app, user.as_ref(), is_known.then_some(known_as)).await? {
        metrics::counter!("musette_codes_total", "outcome" => "withheld").increment(1);
        app.attempts.count("code_withheld", user.map(|user| user.id), "", app.now());
        return Ok(());
    }
    let code = code(random::bytes::<8>());
    let expires_at = app.now().plus(CODE_LIFETIME);
    let proof = asked.browser.proof(app, &asked.key);
    let asker = if asked.shown { format!("browser:{proof}") } else { asked.network };
    let new = NewCode {
        hash: code_hash(app, &asked.key, &asker, &code),
        identifier: asked.key,
        asker,
        proof,
        proof_needed: is_known,
        user_id: user.as_ref().map(|user| user.id.clone()),
        expires_at,
    };
    app.store.keep_code(&new).await?;
    let outcome = if user.is_some() { "sent" } else { "unknown" };
    metrics::counter!("musette_codes_total", "outcome" => outcome).increment(1);
    let Some((user, identifier)) = user.zip(asked.identifier) else { return Ok(()) };
    app.delivery.send(CodeMessage {
        identifier,
        purpose: Purpose::SignIn,
        code,
        expires_at,
        languages: asked.languages,
    });
    audit(app, "code_sent", Some(user.subject), None, None).await;
    Ok(())
}

/// Takes one of the messages that this person may be sent, or of those that a known browser may ask
/// for. Nobody is sent nothing, and leaves no row behind: anybody can invent identifiers.
async fn may_send(
    app: &App,
    user: Option<&User>,
    known_as: Option<String>,
) -> Result<bool, StoreError> {
    let Some(user) = user.filter(|_| app.settings.throttles) else { return Ok(true) };
    let whose = match known_as {
        Some(known_as) => format!("browser:{known_as}"),
        None => {
            format!("person:{}", app.live.load().keys.keyed_hash(&["messages", &user.id]))
        }
    };
    app.store.take_allowance(&whose, &MESSAGES, app.now()).await
}

fn past(now: Instant, ago: Duration) -> Instant {
    let ago = i64::try_from(ago.as_millis()).unwrap_or(i64::MAX);
    Instant::from_millis(now.millis().saturating_sub(ago))
}

fn code_invalid() -> Problem {
    refused("code_invalid", "The code is wrong, used, or too old.")
}

/// Sign in with a one-time code.
///
/// A code has 5 guesses for the browser that asked for it (the cookie `musette_browser`) and 5 for all others
/// together, who have none left once that browser has made its first. 401 `code_invalid`: wrong, used or expired.
/// 429 `rate_limited`: too many wrong guesses from this network. A code can be used once, so a repeat is refused.
#[utoipa::path(
    post, path = "/api/session/v1/tokens", tag = "session",
    params(CookiesHeader),
    request_body = CodeTokensBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn code_tokens(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, CodeTokensBody { identifier, code }) = (&request.parts, request.read()?);
    // Before anything is compared: a limited network learns of no code whether it is right.
    let address = client_address(parts, &app);
    app.limits.code_guess(address)?;
    let (identifier, key) = identifier_key(&app, &identifier);
    // A malformed code costs an attempt and matches none.
    let code = typed_code(&code).unwrap_or_default();
    let browser = Browser::of(&app, &parts.headers);
    let proof = browser.as_ref().map(|browser| browser.proof(&app, &key));
    let hash = |asker: &str| code_hash(&app, &key, asker, &code);
    let guessed = app.store.try_code(&key, proof.as_deref(), hash, app.now()).await?;
    let (user, whose) = match guessed {
        Guessed::Right(id) => (app.store.user(&id).await?.filter(|user| !is_console(user)), None),
        Guessed::Wrong(whose) => (None, whose),
    };
    let Some(user) = user else {
        count_refused_sign_in("code");
        app.attempts.count("code_refused", whose, "", app.now());
        return Err(code_invalid());
    };
    app.limits.right_code(address);
    let opened = opened(&app, parts, &user, SignInMethod::Code).await?;
    // The address may have become another person's since the code was sent, or in this very moment.
    let owner = match &identifier {
        Some(identifier) => app.store.user_id_of(identifier).await?,
        None => None,
    };
    if owner.as_ref() != Some(&user.id) {
        app.end_sessions_of_event(Ending::One { sid: &opened.sid }, "contact_changed").await?;
        return Err(code_invalid());
    }
    let hardened = cookies::wants_hardened(&parts.headers);
    let mut answer = cookies::granted(&app, &parts.headers, opened, hardened);
    // A client that does not show a cookie keeps none.
    if let Some(browser) = browser {
        let known_as = browser.known_as(&app, &user.id);
        if let Err(error) = app.store.know_browser(&known_as, &user.id, app.now()).await {
            tracing::warn!(error = %error, "the browser of a sign-in was not remembered: brute-force limits treat it as a new one");
        }
        cookies::append(answer.headers_mut(), browser.known_cookie(&app));
    }
    Ok(answer)
}

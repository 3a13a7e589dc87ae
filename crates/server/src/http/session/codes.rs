//! `POST /codes` and `POST /tokens`: a rider signs in with a phone number or an e-mail address.
//!
//! Nothing reveals whether an account has the identifier: the work, the responses and the limits
//! are the same. `docs/decisions/0015-guessing-one-time-codes.md` describes what an attacker can do
//! by requesting and guessing codes.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::{CODE_LIFETIME, Identifier, MESSAGES, SignInMethod, code, typed_code};
use musette_store::{GuessOutcome, NewCode, SessionsToEnd, StoreError, Throttle, User};
use serde::{Deserialize, Serialize};
use tracing::Instrument as _;

use super::browser::Browser;
use super::{cookies, count_failed_sign_in, header_text, is_console, opened, unauthorized};
use crate::access::limits::network;
use crate::http::access::audit::audit;
use crate::http::access::caller::client_address;
use crate::http::wire::json::JsonRequest;
use crate::http::wire::parameters::{AcceptLanguage, CookiesHeader};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::platform::random;
use crate::platform::retention;
use crate::sessions::delivery::{CodeMessage, Purpose};
use crate::sessions::keys::Tokens;

/// The limit of code requests from one network: enough for typing errors, too few for abuse.
const FROM_ONE_NETWORK: Throttle = Throttle { burst: 5, interval: Duration::from_secs(60) };

/// The identifier to send a one-time code to.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"identifier":"rider@example.com"})))]
pub struct CodeBody {
    /// A phone number or an e-mail address.
    #[schema(min_length = 1, max_length = 1024)]
    identifier: String,
}

/// The response to a request for a code. It is the same whether an account has the identifier or
/// not.
#[derive(Serialize, utoipa::ToSchema)]
pub struct CodeSentBody {
    /// The lifetime of the code, in seconds.
    expires_in: u64,
}

/// An identifier and the one-time code that was sent to it.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"identifier":"rider@example.com","code":"042617"})))]
pub struct CodeTokensBody {
    /// The phone number or e-mail address that the code was sent to.
    #[schema(min_length = 1, max_length = 1024)]
    identifier: String,
    /// The six-digit code. Spaces and hyphens between digits are ignored.
    #[schema(min_length = 1, max_length = 1024)]
    code: String,
}

shaped!(CodeBody, CodeTokensBody);

/// Returns the identifier and the hash by which the store knows it. An invalid identifier gets a
/// hash, too, so that it takes the same time.
fn identifier_key(app: &App, text: &str) -> (Option<Identifier>, String) {
    let identifier = Identifier::parse(text);
    let normalized = identifier.as_ref().map_or(text, Identifier::as_str);
    let key = app.live.load().keys.keyed_hash(&["identifier", normalized]);
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

/// Finds the person who may sign in with a code. Operators and admins may not: a text message must
/// not replace their password and authenticator.
async fn person(app: &App, identifier: &Identifier) -> Result<Option<User>, StoreError> {
    let Some(id) = app.store.user_id_of(identifier).await? else { return Ok(None) };
    Ok(app.store.user(&id).await?.filter(|user| !is_console(user)))
}

/// A request for a code.
struct CodeAttempt {
    identifier: Option<Identifier>,
    key: String,
    network: String,
    browser: Browser,
    /// True if the browser sent its cookie. False if it receives the cookie with this response.
    has_cookie: bool,
    languages: String,
}

/// Send a one-time code to a phone number or e-mail address.
///
/// The response is the same whether an account has this identifier or not. The server sends a
/// person at most 5 messages an hour and 20 a day, regardless of who requests them. Beyond that, it
/// sends nothing and the last code stays valid. A browser with the cookie `musette_browser` has its
/// own 5 guesses. Once a person has signed in with it, it also has its own messages for that
/// person. A retry sends another code.
///
/// - 429 `rate_limited`: too many requests from this network.
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
    let (browser, has_cookie) = match Browser::of(&app, &parts.headers) {
        Some(browser) => (browser, true),
        None => (Browser::random(), false),
    };
    if !has_cookie {
        cookies::append(&mut headers, browser.requested_cookie(&app));
    }
    let languages = header_text(parts, &ACCEPT_LANGUAGE).unwrap_or_default().to_owned();
    let attempt = CodeAttempt { identifier, key, network, browser, has_cookie, languages };
    // Lookup, write and delivery run in the background. Their duration would reveal whether the
    // account exists.
    let task = {
        let app = Arc::clone(&app);
        async move {
            if let Err(error) = make_code(&app, attempt).await {
                tracing::error!(error = %error, "a one-time code could not be created: the user has to request another one");
            }
        }
    };
    tokio::spawn(task.in_current_span());
    let body = CodeSentBody { expires_in: CODE_LIFETIME.as_secs() };
    Ok((StatusCode::ACCEPTED, headers, JsonBody(body)).into_response())
}

async fn make_code(app: &App, attempt: CodeAttempt) -> Result<(), StoreError> {
    let user = match &attempt.identifier {
        Some(identifier) => person(app, identifier).await?,
        None => None,
    };
    // An unknown identifier is looked up, too, so that it takes the same time.
    let user_id = user.as_ref().map_or(attempt.key.as_str(), |user| user.id.as_str());
    let known_as = attempt.browser.known_as(app, user_id);
    let since = past(app.now(), retention::BROWSERS);
    let is_known = app.store.is_known_browser(&known_as, since).await?;
    if !may_send(app, user.as_ref(), is_known.then_some(known_as)).await? {
        metrics::counter!("musette_codes_total", "outcome" => "withheld").increment(1);
        app.attempts.count("code_withheld", user.map(|user| user.id), "", app.now());
        return Ok(());
    }
    let code = code(random::bytes::<8>());
    let expires_at = app.now().plus(CODE_LIFETIME);
    let proof = attempt.browser.proof(app, &attempt.key);
    let asker = if attempt.has_cookie { format!("browser:{proof}") } else { attempt.network };
    let new = NewCode {
        hash: code_hash(app, &attempt.key, &asker, &code),
        identifier: attempt.key,
        asker,
        proof,
        proof_needed: is_known,
        user_id: user.as_ref().map(|user| user.id.clone()),
        expires_at,
    };
    app.store.store_code(&new).await?;
    let outcome = if user.is_some() { "sent" } else { "unknown" };
    metrics::counter!("musette_codes_total", "outcome" => outcome).increment(1);
    let Some((user, identifier)) = user.zip(attempt.identifier) else { return Ok(()) };
    app.delivery.send(CodeMessage {
        identifier,
        purpose: Purpose::SignIn,
        code,
        expires_at,
        languages: attempt.languages,
    });
    audit(app, "code_sent", Some(user.subject), None, None).await;
    Ok(())
}

/// Uses one of the messages that this person, or a browser known for this person, may request. For
/// an unknown identifier it returns true and writes no row, because anyone can invent identifiers.
async fn may_send(
    app: &App,
    user: Option<&User>,
    known_as: Option<String>,
) -> Result<bool, StoreError> {
    let Some(user) = user.filter(|_| app.settings.throttles) else { return Ok(true) };
    let owner = match known_as {
        Some(known_as) => format!("browser:{known_as}"),
        None => {
            format!("person:{}", app.live.load().keys.keyed_hash(&["messages", &user.id]))
        }
    };
    app.store.take_allowance(&owner, &MESSAGES, app.now()).await
}

fn past(now: Instant, ago: Duration) -> Instant {
    let ago = i64::try_from(ago.as_millis()).unwrap_or(i64::MAX);
    Instant::from_millis(now.millis().saturating_sub(ago))
}

fn code_invalid() -> Problem {
    unauthorized("code_invalid", "The code is wrong, used or expired.")
}

/// Sign in with a one-time code.
///
/// The browser that requested the code (cookie `musette_browser`) has 5 guesses. All other browsers
/// share 5 guesses, and lose them as soon as that browser makes its first guess. A code works once,
/// so a retry fails.
///
/// - 401 `code_invalid`: the code is wrong, used or expired.
/// - 429 `rate_limited`: too many wrong guesses from this network.
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
    // The limit comes before any comparison, so that a limited network cannot learn whether a code
    // is right.
    let address = client_address(parts, &app);
    app.limits.code_guess(address)?;
    let (identifier, key) = identifier_key(&app, &identifier);
    // A malformed code uses an attempt and matches no code.
    let code = typed_code(&code).unwrap_or_default();
    let browser = Browser::of(&app, &parts.headers);
    let proof = browser.as_ref().map(|browser| browser.proof(&app, &key));
    let hash = |asker: &str| code_hash(&app, &key, asker, &code);
    let guess = app.store.try_code(&key, proof.as_deref(), hash, app.now()).await?;
    let (user, owner) = match guess {
        GuessOutcome::Right(id) => {
            (app.store.user(&id).await?.filter(|user| !is_console(user)), None)
        }
        GuessOutcome::Wrong(owner) => (None, owner),
    };
    let Some(user) = user else {
        count_failed_sign_in("code");
        app.attempts.count("code_refused", owner, "", app.now());
        return Err(code_invalid());
    };
    app.limits.right_code(address);
    let opened = opened(&app, parts, &user, SignInMethod::Code).await?;
    // The identifier may have moved to another account since the code was sent, or at this very
    // moment.
    let owner = match &identifier {
        Some(identifier) => app.store.user_id_of(identifier).await?,
        None => None,
    };
    if owner.as_ref() != Some(&user.id) {
        app.end_sessions_of_event(SessionsToEnd::One { sid: &opened.sid }, "contact_changed")
            .await?;
        return Err(code_invalid());
    }
    let hardened = cookies::wants_hardened(&parts.headers);
    let mut response = cookies::granted(&app, &parts.headers, opened, hardened);
    // A client that does not send cookies does not store them either.
    if let Some(browser) = browser {
        let known_as = browser.known_as(&app, &user.id);
        if let Err(error) = app.store.record_browser(&known_as, &user.id, app.now()).await {
            tracing::warn!(error = %error, "the browser of a sign-in was not remembered: brute-force limits treat it as a new one");
        }
        cookies::append(response.headers_mut(), browser.known_cookie(&app));
    }
    Ok(response)
}

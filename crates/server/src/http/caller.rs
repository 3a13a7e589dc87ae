//! Extractors that authenticate the caller. One of them in a handler's signature is the permission
//! check; there is no other.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use musette_core::instant::Instant;
use musette_core::session::{Role, RoleGrant, SignInMethod};
use musette_store::StoreError;

use super::permission::{ReadDecisions, ReadPeople, Right};
use super::problem::Problem;
use super::session::cookies::access_cookie;
use crate::app::App;
use crate::service_keys;

/// The peer of the connection, put there by the accept loop.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// Somebody with a live session.
#[derive(Debug, Clone)]
pub struct Caller {
    pub user_id: String,
    /// By which consents and the audit name this person.
    pub subject: String,
    pub sid: String,
    pub roles: Vec<RoleGrant>,
    /// How the session was opened; none for a session of an earlier version of the program, and for a service key.
    pub method: Option<SignInMethod>,
    /// When the person last proved who they are. This node may not know of a later time yet:
    /// [`Self::authenticated_within`] asks the store then.
    pub authenticated_at: Option<Instant>,
    /// Another program of the company, with a service key instead of a session.
    pub is_service: bool,
}

impl Caller {
    pub fn has(&self, role: Role) -> bool {
        self.roles.iter().any(|grant| grant.role == role)
    }

    /// Whether the caller works in the console.
    pub fn opens_console(&self) -> bool {
        self.roles.iter().any(|grant| grant.role.opens_console())
    }

    /// Somebody with a session, or a program with a service key: only the console's calls take both.
    pub async fn of_console(parts: &Parts, app: &App) -> Result<Self, Problem> {
        let token = bearer(&parts.headers).ok_or_else(Problem::unauthenticated)?;
        if token.starts_with(service_keys::PREFIX) {
            return Self::of_service(token, app).await;
        }
        Self::of_token(token, app).await
    }

    async fn of_service(token: &str, app: &App) -> Result<Self, Problem> {
        let now = app.now();
        let live = app.live.load_full();
        let key = live.service_keys.get(token, now).ok_or_else(Problem::unauthenticated)?;
        if let Some(hour) = key.new_hour(now)
            && let Err(error) = app.store.used_service_key(&key.id, hour).await
        {
            tracing::error!(error = %error, "the last use of a service key was not recorded");
        }
        Ok(Self {
            user_id: key.id.clone(),
            subject: key.actor(),
            sid: String::new(),
            roles: key.roles.clone(),
            method: None,
            authenticated_at: None,
            is_service: true,
        })
    }

    /// Refuses a caller whose key was revoked, or whose session has ended, while the call waited for something.
    pub async fn check_still_valid(&self, app: &App) -> Result<(), Problem> {
        let is_alive = if self.is_service {
            app.live.load().service_keys.has(&self.user_id, app.now())
        } else {
            let known = app.sessions.get(&app.store, &self.sid).await?;
            known.is_some_and(|it| it.session.ended_at.is_none())
        };
        if is_alive { Ok(()) } else { Err(Problem::unauthenticated()) }
    }

    /// Whether the person proved who they are within this time. False for a service key, and for a session that an
    /// earlier version of the program opened.
    pub async fn authenticated_within(
        &self,
        app: &App,
        within: Duration,
    ) -> Result<bool, StoreError> {
        let now = app.now();
        let is_fresh = |at: Option<Instant>| at.is_some_and(|at| now < at.plus(within));
        if self.is_service || is_fresh(self.authenticated_at) {
            return Ok(!self.is_service);
        }
        // It may have been on another node, a moment ago.
        let session = app.store.session(&self.sid).await?;
        Ok(is_fresh(session.and_then(|it| it.authenticated_at).map(Instant::from_millis)))
    }

    /// Judges the caller's rights again before something is stored whose upload took its time: 401 if the session or
    /// key has ended meanwhile, 403 if the person has lost a role that the token carries.
    pub async fn check_rights_again(&self, app: &App) -> Result<(), Problem> {
        self.check_still_valid(app).await?;
        if self.is_service {
            return Ok(());
        }
        let user = app.store.user(&self.user_id).await?;
        let has = |grant: &RoleGrant| user.as_ref().is_some_and(|it| it.roles.contains(grant));
        if self.roles.iter().all(has) { Ok(()) } else { Err(Problem::denied_to(&self.subject)) }
    }

    /// Verifies `Authorization: Bearer`, and that the session is alive.
    pub async fn from_parts(parts: &Parts, app: &App) -> Result<Self, Problem> {
        let token = bearer(&parts.headers).ok_or_else(Problem::unauthenticated)?;
        Self::of_token(token, app).await
    }

    async fn of_token(token: &str, app: &App) -> Result<Self, Problem> {
        let now = app.now();
        let claims = app
            .live
            .load()
            .keys
            .verify(token, app.settings.issuer(), now)
            .map_err(|_| Problem::unauthenticated())?;
        let known = app.sessions.get(&app.store, &claims.sid).await?;
        let known = known.ok_or_else(Problem::unauthenticated)?;
        let session = &known.session;
        let alive = session.ended_at.is_none()
            && now.millis() < session.absolute_until
            && session.user_id == claims.sub;
        if !alive {
            return Err(Problem::unauthenticated());
        }
        app.sessions.acknowledge(&known, &claims, now);
        Ok(Self {
            user_id: claims.sub.clone(),
            subject: session.subject.clone(),
            sid: claims.sid.clone(),
            roles: session
                .carried_roles(claims.roles.iter().filter_map(|role| RoleGrant::from_stored(role))),
            method: session.method(),
            authenticated_at: session.authenticated_at.map(Instant::from_millis),
            is_service: false,
        })
    }
}

/// The subject of a rider who asks for something public. A browser sends the cookie by itself.
pub async fn rider_subject(app: &App, headers: &HeaderMap) -> Option<String> {
    let token = bearer(headers).or_else(|| access_cookie(app, headers))?;
    let caller = Caller::of_token(token, app).await.ok()?;
    caller.has(Role::Rider).then_some(caller.subject)
}

/// Whether whoever asks for a document by its hash may see what is not published yet; a browser sends
/// the cookie by itself. A token that is no good any more is told so, so that its client renews it.
pub async fn may_see_drafts(app: &App, headers: &HeaderMap) -> Result<bool, Problem> {
    let Some(token) = bearer(headers).or_else(|| access_cookie(app, headers)) else {
        return Ok(false);
    };
    let caller = Caller::of_token(token, app).await?;
    Ok(caller.opens_console())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (scheme, token) = values.next()?.to_str().ok()?.split_once(' ')?;
    // Two tokens: which of them counts would be a guess.
    (values.next().is_none() && scheme.eq_ignore_ascii_case("bearer")).then_some(token.trim())
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Self::from_parts(parts, app).await
    }
}

/// The user whom `{userId}` names, asked for by that user or by somebody of the console.
///
/// Another user's is refused before anybody looks whether there is one, so the answer tells nothing.
#[derive(Debug, Clone)]
pub struct Owner {
    pub user_id: String,
    pub subject: String,
}

impl FromRequestParts<Arc<App>> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Self::read_by::<ReadPeople>(parts, app).await
    }
}

/// [`Owner`] of every decision with its receipt: of the console only those who may read the decisions of people.
#[derive(Debug, Clone)]
pub struct HistoryOwner(pub Owner);

impl FromRequestParts<Arc<App>> for HistoryOwner {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Owner::read_by::<ReadDecisions>(parts, app).await.map(Self)
    }
}

impl Owner {
    async fn read_by<R: Right>(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let path: Result<Path<HashMap<String, String>>, _> =
            Path::from_request_parts(parts, app).await;
        let user_id = path
            .ok()
            .and_then(|Path(mut path)| path.remove("userId"))
            .ok_or_else(|| Problem::invalid_parameter("The user id in the path is not UTF-8."))?;
        let caller = Caller::of_console(parts, app).await?;
        if caller.user_id == user_id && !caller.is_service {
            return Ok(Self { user_id, subject: caller.subject });
        }
        let denied = || Problem::denied_to(&caller.subject);
        let reach = caller.reach_of::<R>().ok_or_else(denied)?;
        if user_id.contains('\0') {
            return Err(Problem::absent("person of this id"));
        }
        let user = app.store.user(&user_id).await?;
        let market = match &user {
            Some(user) if reach.markets.is_some() => app.store.market_of(&user.subject).await?,
            _ => None,
        };
        if !reach.covers(market.as_ref()) {
            return Err(denied());
        }
        let user = user.ok_or_else(|| Problem::absent("person of this id"))?;
        Ok(Self { user_id, subject: user.subject })
    }
}

/// A person who works in the console, whatever their role there.
#[derive(Debug, Clone)]
pub struct ConsoleUser(pub Caller);

impl FromRequestParts<Arc<App>> for ConsoleUser {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let caller = Caller::from_parts(parts, app).await?;
        if !caller.opens_console() {
            return Err(Problem::denied_to(&caller.subject));
        }
        Ok(Self(caller))
    }
}

/// The address that a limit counts for: the peer's, unless that is a trusted proxy.
pub fn client_address(parts: &Parts, app: &App) -> IpAddr {
    let unknown = Peer(IpAddr::from([0, 0, 0, 0]));
    let peer = parts.extensions.get::<Peer>().copied().unwrap_or(unknown);
    address_of(peer, &parts.headers, app)
}

/// The client address of a request that did not pass the router.
pub fn address_of(peer: Peer, headers: &HeaderMap, app: &App) -> IpAddr {
    let peer = peer.0.to_canonical();
    if !app.settings.trusts(peer) {
        return peer;
    }
    // Each proxy adds the address it saw at the end; the first from there that is none of ours.
    let forwarded = headers.get_all("x-forwarded-for");
    let texts: Vec<&str> =
        forwarded.iter().flat_map(|value| value.to_str().unwrap_or_default().split(',')).collect();
    // Everything left of an invalid entry is untrusted too; our proxies write at the right.
    let mut addresses = texts.into_iter().rev().map_while(|text| text.trim().parse().ok());
    addresses.find(|it| !app.settings.trusts(*it)).unwrap_or(peer)
}

/// A call without a session, within the limit of its address.
pub struct PublicRead;

impl FromRequestParts<Arc<App>> for PublicRead {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        app.limits.read(client_address(parts, app))?;
        Ok(Self)
    }
}

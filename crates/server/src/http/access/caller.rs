//! Extractors that authenticate the caller. An extractor in a handler's signature is its permission
//! check; there is no other check.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Once};
use std::time::Duration;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use musette_core::instant::Instant;
use musette_core::session::{Role, RoleGrant, SignInMethod};
use musette_store::StoreError;

use super::permission::{ReadDecisions, ReadPeople, Right};
use crate::access::service_keys;
use crate::http::layers::forwarded;
use crate::http::session::cookies::access_cookie;
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// The peer of the connection. The accept loop sets it.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// A person with a live session, or a service key.
#[derive(Debug, Clone)]
pub struct Caller {
    pub user_id: String,
    /// The reference by which consents and the audit name this person.
    pub subject: String,
    pub sid: String,
    pub roles: Vec<RoleGrant>,
    /// The sign-in method of the session. None for a session that an earlier version opened, and
    /// for a service key.
    pub method: Option<SignInMethod>,
    /// The time of the person's last authentication. Another node may have a later time:
    /// [`Self::authenticated_within`] then queries the store.
    pub authenticated_at: Option<Instant>,
    /// True for a service key of another system.
    pub is_service: bool,
}

impl Caller {
    pub fn has(&self, role: Role) -> bool {
        self.roles.iter().any(|grant| grant.role == role)
    }

    /// Returns whether the caller has access to the console.
    pub fn opens_console(&self) -> bool {
        self.roles.iter().any(|grant| grant.role.opens_console())
    }

    /// Returns whether the caller may read drafts and other data of the company. A representative
    /// reads published texts only.
    pub fn is_colleague(&self) -> bool {
        let is_colleague = |role: Role| role.opens_console() && role != Role::Representative;
        self.roles.iter().any(|grant| is_colleague(grant.role))
    }

    /// Authenticates a person with a session, or a service key. Only the console's operations
    /// accept both.
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

    /// Returns an error if the key was revoked or the session ended while the request was waiting.
    pub async fn check_still_valid(&self, app: &App) -> Result<(), Problem> {
        let is_alive = if self.is_service {
            app.live.load().service_keys.has(&self.user_id, app.now())
        } else {
            let cached = app.sessions.get(&app.store, &self.sid).await?;
            cached.is_some_and(|cached| cached.session.ended_at.is_none())
        };
        if is_alive { Ok(()) } else { Err(Problem::unauthenticated()) }
    }

    /// Returns whether the person authenticated within this time. False for a service key, and for
    /// a session that an earlier version opened.
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
        // The person may have authenticated on another node a moment ago.
        let session = app.store.session(&self.sid).await?;
        Ok(is_fresh(session.and_then(|session| session.authenticated_at).map(Instant::from_millis)))
    }

    /// Checks the caller's permissions again before the server stores a slow upload: 401 if the
    /// session or key has ended in the meantime, 403 if the person has lost a role that the token
    /// has.
    pub async fn check_rights_again(&self, app: &App) -> Result<(), Problem> {
        self.check_still_valid(app).await?;
        if self.is_service {
            return Ok(());
        }
        let user = app.store.user(&self.user_id).await?;
        let has = |grant: &RoleGrant| user.as_ref().is_some_and(|user| user.roles.contains(grant));
        if self.roles.iter().all(has) { Ok(()) } else { Err(Problem::denied_to(&self.subject)) }
    }

    /// Verifies `Authorization: Bearer` and checks that the session is live.
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
        let cached = app.sessions.get(&app.store, &claims.sid).await?;
        let cached = cached.ok_or_else(Problem::unauthenticated)?;
        let session = &cached.session;
        let is_alive = session.ended_at.is_none()
            && now.millis() < session.absolute_until
            && session.user_id == claims.sub;
        if !is_alive {
            return Err(Problem::unauthenticated());
        }
        app.sessions.acknowledge(&cached, &claims, now);
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

/// Returns the subject of a rider who reads a public resource. A browser sends the cookie by
/// itself.
pub async fn rider_subject(app: &App, headers: &HeaderMap) -> Option<String> {
    let token = bearer(headers).or_else(|| access_cookie(app, headers))?;
    let caller = Caller::of_token(token, app).await.ok()?;
    caller.has(Role::Rider).then_some(caller.subject)
}

/// Returns whether the caller may read unpublished documents by their hash. A browser sends the
/// cookie by itself. An invalid token is an error, so that the client refreshes it.
pub async fn may_see_drafts(app: &App, headers: &HeaderMap) -> Result<bool, Problem> {
    let Some(token) = bearer(headers).or_else(|| access_cookie(app, headers)) else {
        return Ok(false);
    };
    let caller = Caller::of_token(token, app).await?;
    Ok(caller.is_colleague())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (scheme, token) = values.next()?.to_str().ok()?.split_once(' ')?;
    // With two tokens, it would be ambiguous which one counts.
    (values.next().is_none() && scheme.eq_ignore_ascii_case("bearer")).then_some(token.trim())
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Self::from_parts(parts, app).await
    }
}

/// The user that `{userId}` names, if the caller is that user or a console user with the
/// permission.
///
/// For other callers, the error comes before the lookup, so that it does not reveal whether the
/// user exists.
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

/// [`Owner`] for all decisions with their receipts. Console users need the permission to read
/// people's decisions.
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
            return Err(Problem::absent("person with this id"));
        }
        let user = app.store.user(&user_id).await?;
        let market = match &user {
            Some(user) if reach.markets.is_some() => app.store.market_of(&user.subject).await?,
            _ => None,
        };
        if !reach.covers(market.as_ref()) {
            return Err(denied());
        }
        let user = user.ok_or_else(|| Problem::absent("person with this id"))?;
        Ok(Self { user_id, subject: user.subject })
    }
}

/// A person with access to the console, in any role.
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

/// Returns the address that rate limits count: the peer's, unless the peer is a trusted proxy.
pub fn client_address(parts: &Parts, app: &App) -> IpAddr {
    let unknown = Peer(IpAddr::from([0, 0, 0, 0]));
    let peer = parts.extensions.get::<Peer>().copied().unwrap_or(unknown);
    address_of(peer, &parts.headers, app)
}

/// Returns the client address of a request that bypassed the router.
pub fn address_of(peer: Peer, headers: &HeaderMap, app: &App) -> IpAddr {
    let peer = peer.0.to_canonical();
    if !app.settings.trusts(peer) {
        return peer;
    }
    match forwarded::client_address(headers, |address| app.settings.trusts(address)) {
        Ok(address) => address.unwrap_or(peer),
        Err(entry) => {
            static WARNED: Once = Once::new();
            WARNED.call_once(|| {
                tracing::warn!(
                    proxy = %peer, entry = %entry.escape_debug(),
                    "a trusted proxy sends a client address that cannot be read, so its clients share one limit; later ones are not logged"
                );
            });
            peer
        }
    }
}

/// A request without a session, within the rate limit of its address.
pub struct PublicRead;

impl FromRequestParts<Arc<App>> for PublicRead {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        app.limits.read(client_address(parts, app))?;
        Ok(Self)
    }
}

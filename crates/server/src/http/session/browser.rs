//! The cookie that identifies a browser at sign-in with a code: this browser requested the code, or
//! has signed in this person before. The cookie is random, so it neither reveals the person nor
//! grants access by itself.

use std::time::Duration;

use axum::http::HeaderMap;

use super::cookies::{self, cookie, secure};
use crate::node::app::App;
use crate::platform::{random, retention};

const COOKIE: &str = "musette_browser";
const PATH: &str = "/api/session/v1";
/// The lifetime of the cookie for a browser that has only requested a code.
const REQUESTED_COOKIE_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
const SECRET_DIGITS: usize = 32;

pub struct Browser {
    secret: String,
}

impl Browser {
    /// Returns the browser of the request, if its cookie has the form that the server sets.
    pub fn of(app: &App, headers: &HeaderMap) -> Option<Self> {
        let secret = cookie(headers, &cookies::name(app, COOKIE))?;
        let is_valid = secret.len() == SECRET_DIGITS
            && secret.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_valid.then(|| Self { secret: secret.to_owned() })
    }

    pub fn random() -> Self {
        Self { secret: random::hex::<{ SECRET_DIGITS / 2 }>() }
    }

    /// Returns the hash that proves that this browser requested a code for the identifier.
    pub fn proof(&self, app: &App, identifier_key: &str) -> String {
        let keys = &app.live.load().keys;
        keys.keyed_hash(&["browser that asked", &self.secret, identifier_key])
    }

    /// Returns the hash that identifies a browser in which this user has signed in.
    pub fn known_as(&self, app: &App, user_id: &str) -> String {
        let keys = &app.live.load().keys;
        keys.keyed_hash(&["browser of", &self.secret, user_id])
    }

    pub fn requested_cookie(&self, app: &App) -> String {
        self.cookie(app, REQUESTED_COOKIE_LIFETIME)
    }

    pub fn known_cookie(&self, app: &App) -> String {
        self.cookie(app, retention::BROWSERS)
    }

    fn cookie(&self, app: &App, lifetime: Duration) -> String {
        let (secret, max_age_s, secure) = (&self.secret, lifetime.as_secs(), secure(app));
        let (name, path) = (cookies::name(app, COOKIE), cookies::path(app, PATH));
        format!(
            "{name}={secret}; Path={path}; Max-Age={max_age_s}; HttpOnly; SameSite=Strict{secure}"
        )
    }
}

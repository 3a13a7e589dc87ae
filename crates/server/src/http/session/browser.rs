//! The cookie by which a browser is known again when somebody signs in with a code: it has asked for
//! this code, or has signed this person in before. It is random, so that it tells nobody who that is,
//! and opens nothing by itself.

use std::time::Duration;

use axum::http::HeaderMap;

use super::cookies::{self, cookie, secure};
use crate::app::App;
use crate::{random, retention};

const COOKIE: &str = "musette_browser";
const PATH: &str = "/api/session/v1";
/// A browser that has only asked for a code.
const ASKED_FOR: Duration = Duration::from_secs(24 * 60 * 60);
const SECRET_DIGITS: usize = 32;

pub struct Browser {
    secret: String,
}

impl Browser {
    /// The one that the request comes from, when it has a cookie that may be ours.
    pub fn of(app: &App, headers: &HeaderMap) -> Option<Self> {
        let secret = cookie(headers, &cookies::name(app, COOKIE))?;
        let is_ours = secret.len() == SECRET_DIGITS
            && secret.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_ours.then(|| Self { secret: secret.to_owned() })
    }

    pub fn random() -> Self {
        Self { secret: random::hex::<{ SECRET_DIGITS / 2 }>() }
    }

    /// Cookie value that proves that this browser requested a code for the identifier.
    pub fn proof(&self, app: &App, identifier_key: &str) -> String {
        let keys = &app.live.load().keys;
        keys.keyed_hash(&["browser that asked", &self.secret, identifier_key])
    }

    /// Cookie value that identifies a browser in which this user signed in.
    pub fn known_as(&self, app: &App, user_id: &str) -> String {
        let keys = &app.live.load().keys;
        keys.keyed_hash(&["browser of", &self.secret, user_id])
    }

    pub fn asked_cookie(&self, app: &App) -> String {
        self.cookie(app, ASKED_FOR)
    }

    pub fn known_cookie(&self, app: &App) -> String {
        self.cookie(app, retention::BROWSERS)
    }

    fn cookie(&self, app: &App, kept: Duration) -> String {
        let (secret, max_age_s, secure) = (&self.secret, kept.as_secs(), secure(app));
        let (name, path) = (cookies::name(app, COOKIE), cookies::path(app, PATH));
        format!(
            "{name}={secret}; Path={path}; Max-Age={max_age_s}; HttpOnly; SameSite=Strict{secure}"
        )
    }
}

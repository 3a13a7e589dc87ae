use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use super::{May, Right};
use crate::http::access::caller::Caller;
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// The time for which an authentication counts as recent.
pub const FRESH_WITHIN: Duration = Duration::from_secs(10 * 60);

/// A caller who has the permission and authenticated within [`FRESH_WITHIN`], with the password and
/// the second factor or at the company's provider. For operations that could take over an account.
#[derive(Debug, Clone)]
pub struct Fresh<R> {
    pub caller: Caller,
    right: PhantomData<R>,
}

impl<R: Right> FromRequestParts<Arc<App>> for Fresh<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let May { caller, .. } = May::<R>::from_request_parts(parts, app).await?;
        caller.check_fresh(app).await?;
        Ok(Self { caller, right: PhantomData })
    }
}

impl Problem {
    /// Returns a 403 for a person whose last authentication is too old.
    pub fn reauthentication_required() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "reauthentication_required",
            "Verify your identity again, then retry within 10 minutes: POST /api/session/v1/console/reauthentication.",
        )
    }
}

impl Caller {
    /// Returns an error if the person did not authenticate within [`FRESH_WITHIN`]. For handlers
    /// that need it for some bodies only; others have [`Fresh`] in their signature.
    pub async fn check_fresh(&self, app: &App) -> Result<(), Problem> {
        let is_fresh = self.authenticated_within(app, FRESH_WITHIN).await?;
        if is_fresh { Ok(()) } else { Err(Problem::reauthentication_required()) }
    }
}

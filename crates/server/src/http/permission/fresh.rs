use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use super::{May, Right};
use crate::app::App;
use crate::http::caller::Caller;
use crate::http::problem::Problem;

/// How long a proof of identity counts for what asks for one.
pub const FRESH_WITHIN: Duration = Duration::from_secs(10 * 60);

/// A caller who has the right, and who proved who they are within [`FRESH_WITHIN`]: with the password and the second
/// factor, or at the company's provider. For what could take an account over.
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
    /// 403 for a person whose last proof of who they are is too long ago.
    pub fn reauthentication_required() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "reauthentication_required",
            "Prove again who you are, and repeat the call within 10 minutes: POST /api/session/v1/console/reauthentication.",
        )
    }
}

impl Caller {
    /// Refuses a person who has not proved who they are within [`FRESH_WITHIN`]. For handlers that need it for some
    /// bodies only; others have [`Fresh`] in their signature.
    pub async fn check_fresh(&self, app: &App) -> Result<(), Problem> {
        let is_fresh = self.authenticated_within(app, FRESH_WITHIN).await?;
        if is_fresh { Ok(()) } else { Err(Problem::reauthentication_required()) }
    }
}

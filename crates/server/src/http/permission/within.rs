use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::{Reach, Right, path_part};
use crate::app::App;
use crate::http::caller::Caller;
use crate::http::problem::Problem;
use crate::http::query::Parameters;

/// A caller who has the right, perhaps for some markets or environments only: the handler heeds `reach`.
#[derive(Debug, Clone)]
pub struct Within<R> {
    pub caller: Caller,
    pub reach: Reach,
    right: PhantomData<R>,
}

impl<R: Right> FromRequestParts<Arc<App>> for Within<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let caller = Caller::of_console(parts, app).await?;
        let denied = || Problem::denied_to(&caller.subject);
        let reach = caller.reach_of::<R>().ok_or_else(denied)?;
        if R::IN_ENVIRONMENTS
            && let Some(environments) = &reach.environments
            && !is_list(parts)
        {
            let asked = match path_part(parts, app, "environment").await {
                Some(environment) => Some(environment),
                None => Parameters::of(parts).text("environment").map(str::to_owned),
            };
            if !asked.is_some_and(|it| environments.contains(&it)) {
                return Err(denied());
            }
        }
        Ok(Self { caller, reach, right: PhantomData })
    }
}

/// The list of environments, which is shortened instead. Not whatever a caller names at the end of another path.
fn is_list(parts: &Parts) -> bool {
    parts.uri.path() == "/api/admin/v1/environments"
}

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::{Reach, Right, path_part};
use crate::http::access::caller::Caller;
use crate::http::wire::problem::Problem;
use crate::http::wire::query::Parameters;
use crate::node::app::App;

/// A caller who has the permission, possibly for some markets or environments only. The handler
/// must apply `reach`.
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
            let requested = match path_part(parts, app, "environment").await {
                Some(environment) => Some(environment),
                None => Parameters::of(parts).text("environment").map(str::to_owned),
            };
            if !requested.is_some_and(|name| environments.contains(&name)) {
                return Err(denied());
            }
        }
        Ok(Self { caller, reach, right: PhantomData })
    }
}

/// Returns whether this is the list of environments, which is filtered instead. The exact path is
/// compared, so that no other path can end in the same name.
fn is_list(parts: &Parts) -> bool {
    parts.uri.path() == "/api/admin/v1/environments"
}

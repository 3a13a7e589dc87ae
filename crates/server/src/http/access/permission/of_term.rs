use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use musette_core::terms::Term;

use super::{Right, Within, path_part};
use crate::http::access::caller::Caller;
use crate::http::terms::console::find;
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// A caller who has the permission for the published version that `{id}` names, in the market of
/// that version.
#[derive(Debug, Clone)]
pub struct MayOfTerm<R> {
    pub caller: Caller,
    pub term: Term,
    right: PhantomData<R>,
}

impl<R: Right> FromRequestParts<Arc<App>> for MayOfTerm<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Within { caller, reach, .. } = Within::<R>::from_request_parts(parts, app).await?;
        let id = path_part(parts, app, "id").await.unwrap_or_default();
        let term = find(&app.live.load().catalog, &id)?.clone();
        if !reach.covers(term.market.as_ref()) {
            return Err(Problem::denied_to(&caller.subject));
        }
        Ok(Self { caller, term, right: PhantomData })
    }
}

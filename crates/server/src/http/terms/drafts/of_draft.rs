use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use musette_core::markets::Market;
use musette_store::TermDraft;

use super::body::DraftBody;
use super::find;
use crate::http::access::caller::Caller;
use crate::http::access::permission::{Reach, Right, Within};
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// A caller who has the permission for the draft that `{id}` names, in the market for which it
/// would be published.
#[derive(Debug, Clone)]
pub struct MayOfDraft<R> {
    pub caller: Caller,
    pub reach: Reach,
    pub draft: TermDraft,
    pub body: DraftBody,
    right: PhantomData<R>,
}

impl<R: Right> FromRequestParts<Arc<App>> for MayOfDraft<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Within { caller, reach, .. } = Within::<R>::from_request_parts(parts, app).await?;
        let path: Result<Path<std::collections::HashMap<String, String>>, _> =
            Path::from_request_parts(parts, app).await;
        let id = path.ok().and_then(|Path(mut path)| path.remove("id"));
        let draft = find(app, &id.ok_or_else(|| Problem::absent("draft with this id"))?).await?;
        let body = DraftBody::stored(&draft)?;
        may_be_for(app, &caller, &reach, &body)?;
        Ok(Self { caller, reach, draft, body, right: PhantomData })
    }
}

/// Returns the market of a draft, or an error if it is outside the caller's markets.
pub fn may_be_for(
    app: &App,
    caller: &Caller,
    reach: &Reach,
    body: &DraftBody,
) -> Result<Option<Market>, Problem> {
    let market = body.market_in(&app.live.load().catalog);
    if !reach.covers(market.as_ref()) {
        // The replaced version decides the market.
        let pointer = if body.replaces.is_some() { "/replaces" } else { "/market" };
        return Err(Problem::out_of_reach(&caller.subject, pointer));
    }
    Ok(market)
}

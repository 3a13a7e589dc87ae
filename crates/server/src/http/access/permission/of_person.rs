use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use musette_core::session::Role;
use musette_store::Person;

use super::{Reach, Right, Within, path_part};
use crate::http::access::caller::Caller;
use crate::http::wire::problem::Problem;
use crate::node::app::App;

/// A caller who has the permission for the person that `{userId}` names. Only admins, and the admin
/// themselves, have it for an admin.
///
/// Otherwise an operator could sign out an admin who is about to remove the operator's role.
#[derive(Debug, Clone)]
pub struct MayOf<R> {
    pub caller: Caller,
    pub reach: Reach,
    pub person: Person,
    right: PhantomData<R>,
}

impl<R: Right> FromRequestParts<Arc<App>> for MayOf<R> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Within { caller, reach, .. } = Within::<R>::from_request_parts(parts, app).await?;
        let user_id = path_part(parts, app, "userId")
            .await
            .ok_or_else(|| Problem::absent("person with this id"))?;
        let person = app.store.person(&user_id).await?;
        // A caller with limited markets must not learn whether other people exist.
        if !reach.covers_code(person.as_ref().and_then(|person| person.market.as_deref())) {
            return Err(Problem::denied_to(&caller.subject));
        }
        let person = person.ok_or_else(|| Problem::absent("person with this id"))?;
        let is_admin = person.roles.iter().any(|role| role == Role::Admin.as_str());
        if is_admin && !caller.has(Role::Admin) && caller.user_id != person.id {
            return Err(Problem::permission_denied());
        }
        Ok(Self { caller, reach, person, right: PhantomData })
    }
}

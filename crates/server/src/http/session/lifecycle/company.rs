//! Finds the user of an identity of the company's OpenID provider.

use musette_core::session::{Identifier, RoleGrant};
use musette_store::{NewUser, StoreError, User};

use crate::http::access::audit::audit;
use crate::node::app::App;
use crate::platform::random;
use crate::sessions::oidc::Identity;

/// The reason why an identity that the provider has confirmed cannot sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEntry {
    /// No user has this identity, or may be linked to it.
    Unknown,
    /// The user has no role that opens the console.
    NotAllowed,
    /// An account without a console role has the e-mail address. The person who created that
    /// account may not be the person of this identity.
    AddressTaken,
}

/// Finds the user by the linked identity, or else by the e-mail address that the provider has
/// verified. An identity is linked only to a user who already has a console role, or to a new user,
/// because support staff may add riders with any address. If `claim_decides`, a claim sets the
/// roles at every sign-in and creates missing users.
pub async fn person_of(
    app: &App,
    identity: &Identity,
    claim_decides: bool,
) -> Result<Result<User, NoEntry>, StoreError> {
    let linked = app.store.user_id_of_identity(&identity.issuer, &identity.subject).await?;
    let is_linked = linked.is_some();
    let id = match linked {
        Some(id) => Some(id),
        None => of_email(app, identity).await?,
    };
    let existing = match id {
        Some(id) => app.store.user(&id).await?,
        None => None,
    };
    let user = match existing {
        Some(user) => user,
        None if claim_decides && !identity.roles.is_empty() => add_person(app, identity).await?,
        None => return Ok(Err(NoEntry::Unknown)),
    };
    let before = console_roles(&user);
    let roles = if claim_decides { &identity.roles } else { &before };
    if roles.is_empty() && !is_linked {
        return Ok(Err(NoEntry::NotAllowed));
    }
    if before.is_empty() && !is_linked {
        audit(app, "identity_refused", Some(user.subject), None, Some("oidc")).await;
        return Ok(Err(NoEntry::AddressTaken));
    }
    if !is_linked && !link(app, identity, &user).await? {
        return Ok(Err(NoEntry::Unknown));
    }
    if *roles != before {
        change_roles(app, &user, &before, roles).await?;
    }
    if roles.is_empty() {
        return Ok(Err(NoEntry::NotAllowed));
    }
    Ok(app.store.user(&user.id).await?.ok_or(NoEntry::Unknown))
}

fn console_roles(user: &User) -> Vec<RoleGrant> {
    let grants = user.roles.iter().filter(|grant| grant.role.opens_console());
    let mut roles: Vec<RoleGrant> = grants.cloned().collect();
    roles.sort_unstable();
    roles
}

async fn of_email(app: &App, identity: &Identity) -> Result<Option<String>, StoreError> {
    let email = identity.email.as_deref().and_then(Identifier::parse);
    match email {
        Some(email @ Identifier::Email(_)) => app.store.user_id_of(&email).await,
        _ => Ok(None),
    }
}

async fn add_person(app: &App, identity: &Identity) -> Result<User, StoreError> {
    let email = identity.email.as_deref().and_then(Identifier::parse);
    let new = NewUser {
        id: random::uuid(),
        roles: identity.roles.clone(),
        name: identity.name.clone(),
        email: email.map(|email| email.as_str().to_owned()),
        phone: None,
        market: None,
        subject: random::uuid(),
        subject_key: random::hex::<32>(),
    };
    let user = app.store.add_user(&new, app.now()).await?;
    audit(app, "user_added", Some(user.subject.clone()), None, Some("oidc")).await;
    Ok(user)
}

async fn link(app: &App, identity: &Identity, user: &User) -> Result<bool, StoreError> {
    let Identity { issuer, subject, .. } = identity;
    let linked = app.store.link_identity(issuer, subject, &user.id).await?;
    if linked {
        audit(app, "identity_linked", Some(user.subject.clone()), None, Some("oidc")).await;
    }
    Ok(linked)
}

/// Sets the console roles and ends the person's sessions, because a session never gains or keeps
/// roles that it was not opened with.
async fn change_roles(
    app: &App,
    user: &User,
    before: &[RoleGrant],
    roles: &[RoleGrant],
) -> Result<(), StoreError> {
    let lost = before.iter().any(|role| !roles.contains(role));
    let event = if lost { "roles_taken_away" } else { "roles_changed" };
    app.store.set_console_roles(&user.id, roles, event, app.now()).await?;
    app.sessions.forget();
    audit(app, event, Some(user.subject.clone()), None, Some("oidc")).await;
    Ok(())
}

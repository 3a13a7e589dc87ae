//! The user who belongs to an identity of the company's OpenID provider.

use musette_core::session::{Identifier, RoleGrant};
use musette_store::{Ending, NewUser, StoreError, User};

use crate::app::App;
use crate::audit::audit;
use crate::oidc::Identity;
use crate::random;

/// Why somebody whom the provider knows does not get in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEntry {
    /// No user has this identity, or may have it.
    Unknown,
    /// No role opens the console.
    NotAllowed,
}

/// By the identity that was linked, else by the e-mail address that the provider has verified.
/// Where a claim says who is what, it decides at every sign-in, and makes users of those who are new.
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
    let found = match id {
        Some(id) => app.store.user(&id).await?,
        None => None,
    };
    let user = match found {
        Some(user) => user,
        None if claim_decides && !identity.roles.is_empty() => add(app, identity).await?,
        None => return Ok(Err(NoEntry::Unknown)),
    };
    let roles = if claim_decides { &identity.roles } else { &console_roles(&user) };
    if roles.is_empty() && !is_linked {
        return Ok(Err(NoEntry::NotAllowed));
    }
    if !is_linked && !link(app, identity, &user).await? {
        return Ok(Err(NoEntry::Unknown));
    }
    if *roles != console_roles(&user) {
        change_roles(app, &user, roles).await?;
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

async fn add(app: &App, identity: &Identity) -> Result<User, StoreError> {
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

/// A person who lost a role loses it now, in all their sessions.
async fn change_roles(app: &App, user: &User, roles: &[RoleGrant]) -> Result<(), StoreError> {
    app.store.set_console_roles(&user.id, roles).await?;
    let lost = console_roles(user).iter().any(|role| !roles.contains(role));
    let event = if lost { "roles_taken_away" } else { "roles_changed" };
    if lost {
        app.end_sessions_of_event(Ending::AllOf { user_id: &user.id }, event).await?;
    }
    audit(app, event, Some(user.subject.clone()), None, Some("oidc")).await;
    Ok(())
}

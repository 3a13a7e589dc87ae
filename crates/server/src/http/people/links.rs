//! `POST /people/{userId}/link`: a sign-in link for a console user, to set a password.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::session::{Identifier, RoleGrant};
use musette_store::{CredentialPart, Person};
use serde::Serialize;

use crate::http::access::audit::{audit_action, event_of};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{Administer, Fresh};
use crate::http::layers::origin::origin;
use crate::http::session::console::takes_passwords;
use crate::http::session::opens_console;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::UserPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::random;
use crate::sessions::delivery::{Notice, NotificationKind};
use crate::sessions::sign_in_link;

/// A one-time link.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LinkBody {
    /// The link. The first person who opens it sets the password. Only this response contains it.
    /// Absent if message delivery is set up: then the link is sent only to the person's e-mail
    /// address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    url: Option<String>,
    /// True if the link was sent to the person's e-mail address. False without a `url`: the message
    /// was not delivered; create another link.
    sent: bool,
    /// The time at which the link expires.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// Returns whether people with these roles sign in with a password on this server.
pub fn may_have(app: &App, roles: &[RoleGrant]) -> bool {
    opens_console(roles) && takes_passwords(app)
}

/// Returns whether a link can reach this person: it is shown to the admin, or sent to an e-mail
/// address.
pub fn reaches(app: &App, person: &Person) -> bool {
    !app.delivery.reaches_people() || address(person).is_some()
}

fn address(person: &Person) -> Option<Identifier> {
    person.email.as_deref().and_then(Identifier::parse)
}

/// Creates a link, and sends it to the person or, without message delivery, returns it. For
/// approvals, the accounts of the person and of the admin are no longer independent.
pub async fn create(
    app: &App,
    admin: &Caller,
    person: &Person,
    origin: &str,
) -> Result<LinkBody, Problem> {
    let (now, is_shown) = (app.now(), !app.delivery.reaches_people());
    let part = CredentialPart::Secret { is_shown };
    app.store.record_credential_issue(&person.subject, part, &admin.subject, now).await?;
    let link = sign_in_link(&app.store, &person.id, origin, now).await?;
    let is_sent = match address(person).filter(|_| !is_shown) {
        Some(address) => send(app, person, address, &link.url).await,
        None => false,
    };
    let mut event = event_of("sign_in_link_made", person.subject.clone());
    event.detail = Some(match (is_shown, is_sent) {
        (true, _) => "shown to the admin: no message delivery is set up".into(),
        (false, true) => "sent by e-mail".into(),
        (false, false) => "not delivered".into(),
    });
    audit_action(app, &admin.subject, event).await;
    let url = is_shown.then_some(link.url);
    Ok(LinkBody { url, sent: is_sent, expires_at: link.expires_at.to_string() })
}

async fn send(app: &App, person: &Person, address: Identifier, url: &str) -> bool {
    let notice = Notice {
        kind: NotificationKind::SignInLink,
        address,
        languages: person.locale.clone().unwrap_or_default(),
        about: String::new(),
        url: url.to_owned(),
        key: random::uuid(),
    };
    let result = app.delivery.notify(&notice).await;
    if let Err(error) = &result {
        // The log has only the reason, neither the link nor the recipient.
        tracing::warn!(error = %error, "a sign-in link was not delivered: create another one or check --code-delivery");
    }
    result.is_ok()
}

/// Create a one-time sign-in link for a console user.
///
/// If message delivery is set up, the link is sent to the person's e-mail address and not shown.
/// Otherwise it is shown, and later approvals by this person name the admin who saw it
/// (`link_shown_to`). Earlier links become invalid.
/// A retry creates another link.
///
/// - 403 `reauthentication_required`: verify your identity again first.
/// - 409 `own_account`: the caller is this person. Use `PUT /api/session/v1/console/password`.
/// - 409 `no_console_role`: the person has no console role.
/// - 409 `no_email`: the person has no e-mail address to send the link to.
/// - 409 `password_sign_in_off`: console users sign in with the company's provider.
/// - 502 `delivery_failed`: the message was not delivered.
#[utoipa::path(
    post, path = "/api/admin/v1/people/{userId}/link", tag = "admin-people",
    params(UserPath),
    responses(
        (status = 201, body = LinkBody),
        (status = "4XX", body = ProblemBody),
        (status = "5XX", body = ProblemBody)
    ),
    security(("bearer" = ["administer"]))
)]
pub async fn make_link(
    State(app): State<Arc<App>>,
    Fresh { caller: admin, .. }: Fresh<Administer>,
    Path(user_id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let user =
        app.store.user(&user_id).await?.ok_or_else(|| Problem::absent("person with this id"))?;
    let conflict = |code, detail| Err(Problem::new(StatusCode::CONFLICT, code, detail));
    // Otherwise a stolen access token could be used to set a password.
    if admin.user_id == user.id {
        let detail = "You cannot create a sign-in link for your own account. Change your password, or ask another admin.";
        return conflict("own_account", detail);
    }
    if !opens_console(&user.roles) {
        return conflict(
            "no_console_role",
            "This person has no console role. Sign-in links are for console users only.",
        );
    }
    if !takes_passwords(&app) {
        let detail = "Password sign-in is off. Console users sign in with the company's provider.";
        return conflict("password_sign_in_off", detail);
    }
    let person = super::find(&app, &user.id).await?;
    if !reaches(&app, &person) {
        let detail = "The link is sent by e-mail, but this person has no e-mail address.";
        return conflict("no_email", detail);
    }
    let link = create(&app, &admin, &person, &origin).await?;
    if link.url.is_none() && !link.sent {
        let detail = "The message with the link was not delivered. Check the message delivery, then create another link.";
        return Err(Problem::new(StatusCode::BAD_GATEWAY, "delivery_failed", detail));
    }
    Ok((StatusCode::CREATED, private(&link)).into_response())
}

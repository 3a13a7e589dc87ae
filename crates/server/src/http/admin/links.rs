//! `POST /people/{userId}/link`: a way in for an operator or admin who has no password, or lost it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::session::{Identifier, RoleGrant};
use musette_store::{CredentialPart, Person};
use serde::Serialize;

use crate::app::App;
use crate::audit::{audit_action, event_of};
use crate::delivery::{Notice, NoticeKind};
use crate::http::caching::private;
use crate::http::caller::Caller;
use crate::http::origin::origin;
use crate::http::parameters::UserPath;
use crate::http::permission::{Administer, Fresh};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::session::console::takes_passwords;
use crate::http::session::opens_console;
use crate::random;
use crate::sessions::sign_in_link;

/// A one-time link.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LinkBody {
    /// The link. Whoever opens it first sets the password. No other answer shows it. Absent where a delivery of messages is
    /// set up: then the link is sent to the person's e-mail address only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    url: Option<String>,
    /// Whether the link was sent to the person's e-mail address. False with neither this nor `url`: the message was not
    /// delivered; create another link.
    sent: bool,
    /// When the link expires.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// Whether people with these roles sign in by password here.
pub fn may_have(app: &App, roles: &[RoleGrant]) -> bool {
    opens_console(roles) && takes_passwords(app)
}

/// Whether a link for this person reaches them: it is shown, or there is an e-mail address to which it is sent.
pub fn reaches(app: &App, person: &Person) -> bool {
    !app.delivery.reaches_people() || address(person).is_some()
}

fn address(person: &Person) -> Option<Identifier> {
    person.email.as_deref().and_then(Identifier::parse)
}

/// Makes a link and sends it to the person, or shows it where no delivery of messages is set up. The account of the person
/// and that of the admin count as one in approvals from now on.
pub async fn make(
    app: &App,
    admin: &Caller,
    person: &Person,
    origin: &str,
) -> Result<LinkBody, Problem> {
    let (now, is_shown) = (app.now(), !app.delivery.reaches_people());
    let part = CredentialPart::Secret { is_shown };
    app.store.record_credential_issue(&person.subject, part, &admin.subject, now).await?;
    let link = sign_in_link(&app.store, &person.id, origin, now).await?;
    let sent = match address(person).filter(|_| !is_shown) {
        Some(address) => send(app, person, address, &link.url).await,
        None => false,
    };
    let mut event = event_of("sign_in_link_made", person.subject.clone());
    event.detail = Some(match (is_shown, sent) {
        (true, _) => "shown to the admin: no delivery of messages is set up".into(),
        (false, true) => "sent by e-mail".into(),
        (false, false) => "not delivered".into(),
    });
    audit_action(app, &admin.subject, event).await;
    let url = is_shown.then_some(link.url);
    Ok(LinkBody { url, sent, expires_at: link.expires_at.to_string() })
}

async fn send(app: &App, person: &Person, address: Identifier, url: &str) -> bool {
    let notice = Notice {
        kind: NoticeKind::SignInLink,
        address,
        languages: person.locale.clone().unwrap_or_default(),
        about: String::new(),
        url: url.to_owned(),
        key: random::uuid(),
    };
    let sent = app.delivery.notify(&notice).await;
    if let Err(error) = &sent {
        // The reason only: never the link, nor whom it was for.
        tracing::warn!(error = %error, "a sign-in link was not delivered: create another one or check --code-delivery");
    }
    sent.is_ok()
}

/// Create a one-time sign-in link for somebody of the console.
///
/// Where a delivery of messages is set up, the link is sent to the person's e-mail address and not shown; else it is shown,
/// and approvals by this person say so. The link before it is void. 403 `reauthentication_required`: prove again who you are.
/// 409 `own_account`: change your own password with `PUT /api/session/v1/console/password`. 409 `no_console_role`: the
/// person is without a role of the console. 409 `no_email`: there is no e-mail address to send it to. 409
/// `password_sign_in_off`: people sign in with the company's provider. 502 `delivery_failed`: the message was not taken. A
/// repeat creates another link.
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
        app.store.user(&user_id).await?.ok_or_else(|| Problem::absent("person of this id"))?;
    let conflict = |code, detail| Err(Problem::new(StatusCode::CONFLICT, code, detail));
    // A stolen access token would become a password.
    if admin.user_id == user.id {
        let detail = "You cannot make a sign-in link for yourself; change your password instead, or ask another admin.";
        return conflict("own_account", detail);
    }
    if !opens_console(&user.roles) {
        return conflict(
            "no_console_role",
            "Only people with a role of the console sign in by such a link.",
        );
    }
    if !takes_passwords(&app) {
        let detail = "Operators and admins sign in with the company's own provider.";
        return conflict("password_sign_in_off", detail);
    }
    let person = super::people::find(&app, &user.id).await?;
    if !reaches(&app, &person) {
        let detail = "The link is sent by e-mail, and this person has no e-mail address.";
        return conflict("no_email", detail);
    }
    let link = make(&app, &admin, &person, &origin).await?;
    if link.url.is_none() && !link.sent {
        let detail = "The message with the link was not delivered. Nobody has seen the link.";
        return Err(Problem::new(StatusCode::BAD_GATEWAY, "delivery_failed", detail));
    }
    Ok((StatusCode::CREATED, private(&link)).into_response())
}

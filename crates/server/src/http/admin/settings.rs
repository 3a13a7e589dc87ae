//! `GET /settings`: how this server was started, without its secrets; and whether codes get anywhere.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::session::Identifier;
use musette_store::{Deliveries, Engine};
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::page::LIMIT_MAX;
use crate::app::App;
use crate::audit::{audit_action, event_about};
use crate::closed_sets;
use crate::delivery::{CodeMessage, Purpose};
use crate::http::caching::private;
use crate::http::json::BODY_BYTES_MAX;
use crate::http::language::accept_language;
use crate::http::parameters::AcceptLanguage;
use crate::http::permission::{Administer, May, Read};
use crate::http::problem::{Problem, ProblemBody};
use crate::oidc::OidcSettings;
use crate::publishing::DOCUMENT_BYTES_MAX;
use crate::retention;

/// Longer than the longest way that a message may take.
const TEST_WITHIN: Duration = Duration::from_secs(30);

/// How the server was started, without its secrets.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SettingsBody {
    /// The version of the program.
    version: &'static str,
    /// The database engine.
    #[schema(value_type = closed_sets::EngineName)]
    engine: &'static str,
    /// The address of the server as people see it (`--public-url`). Absent if it was not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    public_url: Option<String>,
    /// The `iss` of access tokens.
    issuer: String,
    /// Whether the server was started with `--demo`.
    demo: bool,
    /// How one-time codes are delivered.
    delivery: DeliveryBody,
    /// How operators and admins sign in.
    sign_in: SignInWays,
    /// Origins whose pages may call the API.
    cors_origins: Vec<String>,
    /// The client key that the rider application is given. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag_key: Option<String>,
    /// After how many days data is deleted.
    retention: Retention,
    /// Limits of requests.
    limits: LimitsBody,
}

/// How one-time codes are delivered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryBody {
    /// The way.
    #[schema(value_type = closed_sets::DeliveryKind)]
    kind: &'static str,
    /// Whether codes reach anybody. False for `log` outside demos and tests.
    sends: bool,
    /// Scheme, host and port of the server that takes them. Absent for `log`.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// The sender of e-mails. Absent for other ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    sender: Option<String>,
    /// Messages of this hour and the 23 before it, of all nodes.
    last_24_hours: DeliveryCounts,
    /// The last message that was not delivered. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_failure: Option<DeliveryFailure>,
}

/// Counts of messages.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryCounts {
    /// Messages that were delivered.
    #[schema(minimum = 0)]
    sent: i64,
    /// Messages that were not.
    #[schema(minimum = 0)]
    failed: i64,
}

/// A message that was not delivered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryFailure {
    /// When it failed.
    #[schema(format = DateTime)]
    at: String,
    /// Why, in English.
    reason: String,
}

/// How operators and admins sign in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SignInWays {
    /// Whether by password.
    password: bool,
    /// The OpenID Connect provider. Absent if none is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    oidc: Option<OidcProvider>,
}

/// The company's OpenID Connect provider.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OidcProvider {
    /// The issuer of its tokens.
    issuer: String,
    /// Its name, for the button.
    name: String,
}

/// After how many days data is deleted.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Retention {
    /// Idempotency keys.
    idempotency_keys_days: u64,
    /// Sessions that have ended.
    ended_sessions_days: u64,
    /// Participations and metric values.
    #[schema(minimum = 0)]
    flag_events_days: i64,
    /// Counts of how often a flag was evaluated.
    #[schema(minimum = 0)]
    flag_usage_days: i64,
    /// To whom terms were shown.
    term_views_days: u64,
}

/// Limits of requests.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LimitsBody {
    /// Submissions a minute from one address without a session. Absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    submissions_per_minute: Option<u32>,
    /// Reads a minute from one address without a session. Absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    reads_per_minute: Option<u32>,
    /// Bytes of a JSON body.
    json_bytes: usize,
    /// Bytes of an uploaded document.
    document_bytes: u64,
    /// Items of one page of a list.
    page_items: usize,
}

/// Where to send the test message.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct DeliveryTestBody {
    /// The caller's own e-mail address or phone number; otherwise 422 `not_your_address`.
    to: String,
}

/// The test message that was delivered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryTested {
    /// The way it was delivered.
    #[schema(value_type = closed_sets::DeliveryKind)]
    kind: &'static str,
    /// The address or number that it was sent to.
    to: String,
}

fn days(kept: Duration) -> u64 {
    kept.as_secs() / (24 * 60 * 60)
}

pub fn engine(app: &App) -> &'static str {
    match app.store.engine() {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgres",
    }
}

fn delivery(app: &App, counted: Deliveries) -> DeliveryBody {
    DeliveryBody {
        kind: app.delivery.name(),
        sends: app.delivery.sends(),
        address: app.delivery.address.clone(),
        sender: app.delivery.sender.clone(),
        last_24_hours: DeliveryCounts { sent: counted.sent, failed: counted.failed },
        last_failure: counted.last_failure.map(|(at, reason)| DeliveryFailure {
            at: Instant::from_millis(at).to_string(),
            reason,
        }),
    }
}

fn sign_in(oidc: Option<&OidcSettings>) -> SignInWays {
    SignInWays {
        password: oidc.is_none_or(|it| !it.only),
        oidc: oidc.map(|it| OidcProvider { issuer: it.issuer.clone(), name: it.name.clone() }),
    }
}

/// Read how this server was started.
///
/// Secrets are left out.
#[utoipa::path(
    get, path = "/api/admin/v1/settings", tag = "admin-server",
    responses((status = 200, body = SettingsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn settings(State(app): State<Arc<App>>, _: May<Read>) -> Result<Response, Problem> {
    let counted = app.delivery.last_day(&app.store).await?;
    let settings = &app.settings;
    let limits = settings.public_limits.0;
    Ok(private(&SettingsBody {
        version: env!("CARGO_PKG_VERSION"),
        engine: engine(&app),
        public_url: settings.public_url.clone(),
        issuer: settings.issuer().to_owned(),
        demo: settings.demo,
        delivery: delivery(&app, counted),
        sign_in: sign_in(app.oidc.as_ref().map(|oidc| &oidc.settings)),
        cors_origins: settings.cors_origins.clone(),
        flag_key: settings.flag_key.clone(),
        retention: Retention {
            idempotency_keys_days: days(retention::IDEMPOTENCY_KEYS),
            ended_sessions_days: days(retention::SESSIONS),
            flag_events_days: retention::FLAG_EVENTS_DAYS,
            flag_usage_days: retention::FLAG_USAGE_DAYS,
            term_views_days: days(retention::VIEWS),
        },
        limits: LimitsBody {
            submissions_per_minute: limits.map(|(submissions, _)| submissions),
            reads_per_minute: limits.map(|(_, reads)| reads),
            json_bytes: BODY_BYTES_MAX,
            document_bytes: DOCUMENT_BYTES_MAX,
            page_items: LIMIT_MAX,
        },
    }))
}

/// Send the caller a test message the way that one-time codes go.
///
/// Waits up to 30 seconds for the result. 409 `delivery_off`: codes are not sent to anybody. 422
/// `not_your_address`: not the caller's own address. 502 `delivery_failed`: the message was not taken; `detail`
/// says why. A repeat sends another message.
#[utoipa::path(
    post, path = "/api/admin/v1/settings/delivery/test", tag = "admin-server", operation_id = "test_delivery",
    params(AcceptLanguage),
    request_body = DeliveryTestBody,
    responses(
        (status = 200, body = DeliveryTested), (status = "4XX", body = ProblemBody),
        (status = 502, body = ProblemBody, description = "It was not taken; `detail` says why")
    ),
    security(("bearer" = ["administer"]))
)]
pub async fn test_delivery(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    headers: axum::http::HeaderMap,
    Body(body): Body<DeliveryTestBody>,
) -> Result<Response, Problem> {
    let caller = super::people::find(&app, &admin.user_id).await?;
    let own = |it: &Identifier| {
        [&caller.email, &caller.phone].into_iter().flatten().any(|own| own == it.as_str())
    };
    let to = Identifier::parse(&body.to).filter(own).ok_or_else(|| {
        let detail = "A test goes to your own e-mail address or phone number only.";
        Problem::invalid("not_your_address", detail, Vec::new())
    })?;
    if !app.delivery.sends() {
        let detail = "Codes are not sent to anybody: --code-delivery is 'log'.";
        return Err(Problem::new(StatusCode::CONFLICT, "delivery_off", detail));
    }
    let message = CodeMessage {
        identifier: to.clone(),
        purpose: Purpose::Test,
        code: "000000".into(),
        expires_at: app.now(),
        languages: accept_language(&headers),
    };
    let sent = tokio::time::timeout(TEST_WITHIN, app.delivery.test(&message)).await;
    let outcome = sent.unwrap_or_else(|_| Err("it took too long".into()));
    let result = if outcome.is_ok() { "sent" } else { "failed" };
    let detail = format!("{} {result}", app.delivery.name());
    audit_action(&app, &admin.subject, event_about("delivery_tested", detail)).await;
    outcome.map_err(|reason| {
        let detail = format!("The message was not delivered: {reason}.");
        Problem::new(StatusCode::BAD_GATEWAY, "delivery_failed", detail)
    })?;
    Ok(private(&DeliveryTested { kind: app.delivery.name(), to: to.as_str().to_owned() }))
}

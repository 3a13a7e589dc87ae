//! `GET /settings`: the settings of this server without secrets, and a test of the code delivery.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::session::Identifier;
use musette_store::{Deliveries, Engine};
use serde::{Deserialize, Serialize};

use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::permission::{Administer, May, Read};
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::json::BODY_BYTES_MAX;
use crate::http::wire::language::accept_language;
use crate::http::wire::page::LIMIT_MAX;
use crate::http::wire::parameters::AcceptLanguage;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::retention;
use crate::sessions::delivery::{CodeMessage, Purpose};
use crate::sessions::oidc::OidcSettings;
use crate::terms::publishing::DOCUMENT_BYTES_MAX;

/// Longer than any delivery attempt may take.
const TEST_WITHIN: Duration = Duration::from_secs(30);

/// The settings of the server, without secrets.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SettingsBody {
    /// The version of the program.
    version: &'static str,
    /// The database engine.
    #[schema(value_type = closed_sets::EngineName)]
    engine: &'static str,
    /// The public URL of the server (`--public-url`). Absent if it is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    public_url: Option<String>,
    /// The `iss` of access tokens.
    issuer: String,
    /// True if the server was started with `--demo`.
    demo: bool,
    /// The delivery of one-time codes.
    delivery: DeliveryBody,
    /// The sign-in methods of the users of the console.
    sign_in: SignInWays,
    /// The origins whose pages may call the API.
    cors_origins: Vec<String>,
    /// The client key for the rider app. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag_key: Option<String>,
    /// The retention periods of data.
    retention: Retention,
    /// The limits of requests.
    limits: LimitsBody,
}

/// The delivery of one-time codes.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryBody {
    /// The delivery method.
    #[schema(value_type = closed_sets::DeliveryKind)]
    kind: &'static str,
    /// True if codes reach people. False for `log` outside demos and tests.
    sends: bool,
    /// The scheme, host and port of the delivery server. Absent for `log`.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// The sender of e-mails. Absent for other methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    sender: Option<String>,
    /// The messages of the current hour and the 23 hours before it, of all nodes.
    last_24_hours: DeliveryCounts,
    /// The last message that was not delivered. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_failure: Option<DeliveryFailure>,
}

/// Counts of messages.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryCounts {
    /// The number of delivered messages.
    #[schema(minimum = 0)]
    sent: i64,
    /// The number of messages that were not delivered.
    #[schema(minimum = 0)]
    failed: i64,
}

/// A message that was not delivered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryFailure {
    /// The time of the error.
    #[schema(format = DateTime)]
    at: String,
    /// The reason, in English.
    reason: String,
}

/// The sign-in methods of the users of the console.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SignInWays {
    /// True if they can sign in with a password.
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
    /// The name of the provider, for the button.
    name: String,
}

/// The retention periods of data, in days.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Retention {
    /// The retention of idempotency keys, in days.
    idempotency_keys_days: u64,
    /// The retention of ended sessions, in days.
    ended_sessions_days: u64,
    /// The retention of participations and metric values, in days.
    #[schema(minimum = 0)]
    flag_events_days: i64,
    /// The retention of evaluation counts of flags, in days.
    #[schema(minimum = 0)]
    flag_usage_days: i64,
    /// The retention of records that terms were shown to a rider, in days.
    term_views_days: u64,
}

/// The limits of requests.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LimitsBody {
    /// The number of submissions per minute from one IP address without a session. Absent: no
    /// limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    submissions_per_minute: Option<u32>,
    /// The number of reads per minute from one IP address without a session. Absent: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    reads_per_minute: Option<u32>,
    /// The maximum size of a JSON body, in bytes.
    json_bytes: usize,
    /// The maximum size of an uploaded document, in bytes.
    document_bytes: u64,
    /// The maximum number of items per page of a list.
    page_items: usize,
}

/// The recipient of the test message.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct DeliveryTestBody {
    /// The caller's own e-mail address or phone number. Any other value returns 422
    /// `not_your_address`.
    to: String,
}

/// The delivered test message.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryTested {
    /// The delivery method.
    #[schema(value_type = closed_sets::DeliveryKind)]
    kind: &'static str,
    /// The e-mail address or phone number that it was sent to.
    to: String,
}

fn days(period: Duration) -> u64 {
    period.as_secs() / (24 * 60 * 60)
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
        password: oidc.is_none_or(|oidc| !oidc.only),
        oidc: oidc
            .map(|oidc| OidcProvider { issuer: oidc.issuer.clone(), name: oidc.name.clone() }),
    }
}

/// Read the settings of this server.
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

/// Send the caller a test message by the delivery method of one-time codes.
///
/// The operation waits up to 30 seconds for the result. A retry sends another message.
///
/// - 409 `delivery_off`: codes are not delivered to people.
/// - 422 `not_your_address`: the address is not the caller's own.
/// - 502 `delivery_failed`: the message was not delivered; `detail` has the reason.
#[utoipa::path(
    post, path = "/api/admin/v1/settings/delivery/test", tag = "admin-server", operation_id = "test_delivery",
    params(AcceptLanguage),
    request_body = DeliveryTestBody,
    responses(
        (status = 200, body = DeliveryTested), (status = "4XX", body = ProblemBody),
        (status = 502, body = ProblemBody, description = "`delivery_failed`: the message was not delivered; `detail` has the reason")
    ),
    security(("bearer" = ["administer"]))
)]
pub async fn test_delivery(
    State(app): State<Arc<App>>,
    May { caller: admin, .. }: May<Administer>,
    headers: axum::http::HeaderMap,
    Body(body): Body<DeliveryTestBody>,
) -> Result<Response, Problem> {
    let caller = crate::http::people::find(&app, &admin.user_id).await?;
    let is_own = |to: &Identifier| {
        [&caller.email, &caller.phone].into_iter().flatten().any(|own| own == to.as_str())
    };
    let to = Identifier::parse(&body.to).filter(is_own).ok_or_else(|| {
        let detail = "A test message can be sent only to your own e-mail address or phone number.";
        Problem::invalid("not_your_address", detail, Vec::new())
    })?;
    if !app.delivery.sends() {
        let detail = "Codes are not delivered, because --code-delivery is 'log'. Set up smtp or webhook delivery.";
        return Err(Problem::new(StatusCode::CONFLICT, "delivery_off", detail));
    }
    let message = CodeMessage {
        identifier: to.clone(),
        purpose: Purpose::Test,
        code: "000000".into(),
        expires_at: app.now(),
        languages: accept_language(&headers),
    };
    let result = tokio::time::timeout(TEST_WITHIN, app.delivery.test(&message)).await;
    let outcome = result.unwrap_or_else(|_| Err("it took longer than 30 seconds".into()));
    let result = if outcome.is_ok() { "sent" } else { "failed" };
    let detail = format!("{} {result}", app.delivery.name());
    audit_action(&app, &admin.subject, event_about("delivery_tested", detail)).await;
    outcome.map_err(|reason| {
        let detail = format!("The message was not delivered: {reason}.");
        Problem::new(StatusCode::BAD_GATEWAY, "delivery_failed", detail)
    })?;
    Ok(private(&DeliveryTested { kind: app.delivery.name(), to: to.as_str().to_owned() }))
}

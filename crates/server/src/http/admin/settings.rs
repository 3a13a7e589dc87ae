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
use crate::delivery::{CodeMessage, Purpose};
use crate::http::caching::private;
use crate::http::caller::{Admin, Operator};
use crate::http::json::BODY_BYTES_MAX;
use crate::http::language::accept_language;
use crate::http::problem::{Problem, ProblemBody};
use crate::oidc::OidcSettings;
use crate::publishing::DOCUMENT_BYTES_MAX;
use crate::retention;
use crate::sessions::audit_deed;

/// Longer than the longest way that a message may take.
const TEST_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SettingsBody {
    version: &'static str,
    /// `sqlite` or `postgres`.
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_url: Option<String>,
    /// The `iss` of our tokens.
    issuer: String,
    demo: bool,
    delivery: DeliveryBody,
    sign_in: SignInWays,
    /// Whose pages may call the API.
    cors_origins: Vec<String>,
    /// The client key that the rider app is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    flag_key: Option<String>,
    retention: Retention,
    limits: LimitsBody,
}

/// How one-time codes leave.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryBody {
    /// `log`, `smtp` or `webhook`.
    kind: &'static str,
    /// False where codes reach nobody: `log` outside demos and tests.
    sends: bool,
    /// Scheme, host and port.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sender: Option<String>,
    /// This hour and the 23 before it, of all nodes.
    last_24_hours: DeliveryCounts,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_failure: Option<DeliveryFailure>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryCounts {
    sent: i64,
    failed: i64,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryFailure {
    at: String,
    reason: String,
}

/// How operators and admins sign in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SignInWays {
    password: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    oidc: Option<Provider>,
}

/// The company's OpenID Connect provider.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Provider {
    issuer: String,
    name: String,
}

/// After how many days what is forgotten.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Retention {
    idempotency_keys_days: u64,
    ended_sessions_days: u64,
    /// Participation and metrics.
    flag_events_days: i64,
    /// How often a flag served what.
    flag_usage_days: i64,
    /// To whom terms were shown.
    term_views_days: u64,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LimitsBody {
    /// Of one address without a session, a minute; absent: as often as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    submissions_per_minute: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reads_per_minute: Option<u32>,
    json_bytes: usize,
    document_bytes: u64,
    page_items: usize,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct DeliveryTestBody {
    /// The caller's own e-mail address or phone number.
    to: String,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeliveryTested {
    kind: &'static str,
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
        oidc: oidc.map(|it| Provider { issuer: it.issuer.clone(), name: it.name.clone() }),
    }
}

/// How this server was started, and how it fares.
#[utoipa::path(
    get, path = "/api/admin/v1/settings", tag = "admin",
    responses((status = 200, body = SettingsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn settings(
    State(app): State<Arc<App>>,
    _operator: Operator,
) -> Result<Response, Problem> {
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

/// Sends the caller a message the way that codes go, and waits for what becomes of it.
#[utoipa::path(
    post, path = "/api/admin/v1/settings/delivery/test", tag = "admin", operation_id = "test_delivery",
    request_body = DeliveryTestBody,
    responses(
        (status = 200, body = DeliveryTested), (status = "4XX", body = ProblemBody),
        (status = 502, body = ProblemBody, description = "It was not taken; `detail` says why")
    ),
    security(("bearer" = []))
)]
pub async fn test_delivery(
    State(app): State<Arc<App>>,
    Admin(admin): Admin,
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
    audit_deed(&app, &admin.subject, "delivery_tested", detail).await;
    outcome.map_err(|reason| {
        let detail = format!("The message was not delivered: {reason}.");
        Problem::new(StatusCode::BAD_GATEWAY, "delivery_failed", detail)
    })?;
    Ok(private(&DeliveryTested { kind: app.delivery.name(), to: to.as_str().to_owned() }))
}

//! The rider's own notices, and the public list for applicants.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use musette_core::instant::Instant;
use musette_core::terms::{Catalog, StoredLocale, Term, is_ahead_of_server};
use musette_store::{NewNoticeOpening, NoticeOpening, NoticeState};
use serde::{Deserialize, Serialize};

use crate::http::access::caller::{Caller, PublicRead};
use crate::http::decisions::requests::{OwnRider, RiderPosted, posting};
use crate::http::layers::origin::origin;
use crate::http::markets::{AccountMarket, AskedMarket};
use crate::http::terms::console::find;
use crate::http::wire::caching::{private, public};
use crate::http::wire::language::accept_language;
use crate::http::wire::parameters::{AcceptLanguage, RiderNoticePath, UserPath};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::http::wire::query::Query;
use crate::markets;
use crate::node::app::App;
use crate::terms::{RenderedBody, TermBody, term_bodies};

/// A notice and what has happened to it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RiderNotice {
    #[serde(flatten)]
    notice: TermBody,
    /// The time at which a message about the notice first reached the rider. Null: none has.
    #[schema(required, format = DateTime)]
    received_at: Option<String>,
    /// The time at which the rider first opened the notice, by the clock of the device. Null: it is
    /// unread.
    #[schema(required, format = DateTime)]
    opened_at: Option<String>,
    /// The channel of the message that reached the rider first, such as `app` or `email`. Null:
    /// none has.
    #[schema(required)]
    channel: Option<String>,
}

/// The notices of a rider.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RiderNotices {
    /// The notices, newest first.
    items: Vec<RiderNotice>,
}

/// The notices for applicants.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PublicNotices {
    /// The notices, newest first.
    items: Vec<TermBody>,
}

/// A rider has opened a notice.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","opened_at":"2026-11-21T09:30:00.000Z","locale":"en"})))]
pub struct OpeningBody {
    /// The SHA-256 of the document that was shown. It must belong to the notice (422
    /// `unknown_document`).
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// The time at which a page or the text was first drawn on the screen, by the clock of the
    /// device. More than 5 minutes ahead of the server's clock returns 422 `opened_at_in_future`.
    #[schema(format = DateTime)]
    opened_at: String,
    /// The language of the screen: a BCP 47 tag. An unsupported language is stored as `und`.
    #[schema(max_length = 35)]
    locale: Option<String>,
}

posting!(OpeningBody);

impl OpeningBody {
    /// Returns the time of the opening.
    fn at(&self) -> Result<Instant, Problem> {
        let detail = "This must be an RFC 3339 timestamp.";
        Instant::parse(&self.opened_at)
            .map_err(|_| refusal("invalid_request", "/opened_at", detail))
    }

    fn check(&self) -> Result<(), Problem> {
        self.at().map(drop)
    }
}

/// A recorded opening of a notice.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RecordedOpening {
    /// The id of the notice.
    #[schema(minimum = 1)]
    id: i64,
    /// The SHA-256 of the document that was shown.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: String,
    /// The time of the opening by the clock of the device.
    #[schema(format = DateTime)]
    opened_at: String,
    /// The time of the opening by the clock of the server.
    #[schema(format = DateTime)]
    recorded_at: String,
    /// The language of the screen. Absent if the device sent none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 35)]
    locale: Option<String>,
}

impl From<NoticeOpening> for RecordedOpening {
    fn from(opening: NoticeOpening) -> Self {
        Self {
            id: opening.term_id,
            sha256: opening.sha256,
            opened_at: Instant::from_millis(opening.opened_at).to_string(),
            recorded_at: Instant::from_millis(opening.recorded_at).to_string(),
            locale: opening.locale,
        }
    }
}

impl RiderNotice {
    fn new(notice: TermBody, state: Option<&NoticeState>) -> Self {
        let text = |at: Option<i64>| at.map(|at| Instant::from_millis(at).to_string());
        Self {
            received_at: text(state.and_then(|state| state.received_at)),
            opened_at: text(state.and_then(|state| state.opened_at)),
            channel: state.and_then(|state| state.channel.clone()),
            notice,
        }
    }
}

/// List the notices of the session's rider, newest first.
///
/// A notice is listed from its publication on, also before it takes effect. Of several versions the
/// newest is listed; an older version only if the rider has received or opened it. The notices are
/// those of the account's market. Texts are in the language of `Accept-Language`, or else in the
/// notice's default language.
///
/// - 400 `invalid_parameter`: `market` is given.
/// - 403 `permission_denied`: the session belongs to another person.
#[utoipa::path(
    get, path = "/api/rooster/v3/riders/{userId}/notices", tag = "notices", operation_id = "own_notices",
    params(UserPath, AcceptLanguage),
    responses((status = 200, body = RiderNotices), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn own_notices(
    State(app): State<Arc<App>>,
    Query(AccountMarket): Query<AccountMarket>,
    OwnRider { caller }: OwnRider,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let live = app.live.load_full();
    let market = markets::of_person(&app.store, &live.catalog, &caller.subject).await?;
    let listed = live.catalog.notices_for(market.as_ref(), &HashSet::new(), app.now());
    app.fetched_by_app(&caller.subject, listed.iter().map(|notice| notice.id)).await?;
    let states = app.store.notices_of(&caller.subject).await?;
    let states: HashMap<i64, NoticeState> =
        states.into_iter().map(|state| (state.term_id, state)).collect();
    let reached = states.keys().copied().collect();
    let notices = live.catalog.notices_for(market.as_ref(), &reached, app.now());
    let language = accept_language(&headers);
    let bodies = term_bodies(&live.catalog, notices.into_iter(), &language, &origin);
    let item = |body: TermBody| {
        let state = states.get(&body.id);
        RiderNotice::new(body, state)
    };
    Ok(private(&RiderNotices { items: bodies.into_iter().map(item).collect() }))
}

/// List the notices for applicants, newest first.
///
/// Returns the newest version of each notice that applies everywhere or in `market`. The response
/// may be cached for up to 60 seconds, but not beyond the next version's `effective_from`.
/// `If-None-Match` is supported.
///
/// - 400 `unknown_market`: `market` is malformed or unknown.
/// - 429 `rate_limited`: too many reads from this IP address.
#[utoipa::path(
    get, path = "/api/rooster/v3/public/notices", tag = "notices",
    params(AskedMarket, AcceptLanguage),
    responses((status = 200, body = PublicNotices), (status = "4XX", body = ProblemBody))
)]
pub async fn public_notices(
    State(app): State<Arc<App>>,
    Query(AskedMarket(market)): Query<AskedMarket>,
    _read: PublicRead,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let language = accept_language(&headers);
    let now = app.now();
    let live = app.live.load();
    let market = market.map(|code| live.markets.asked(&code)).transpose()?;
    let notices = live.rendered_notices.get((market, language, origin), now, |key| {
        let (market, language, origin) = key;
        let notices = live.catalog.notices_for(market.as_ref(), &Default::default(), now);
        let items = term_bodies(&live.catalog, notices.into_iter(), language, origin);
        RenderedBody::of(&PublicNotices { items }, live.catalog.next_change(now))
    });
    Ok(([(header::VARY, "Accept-Language")], public(&notices, &headers, now)).into_response())
}

/// Returns the notice that a rider may have opened: one of their market that was not cancelled.
async fn opened_notice<'a>(
    app: &App,
    catalog: &'a Catalog,
    caller: &Caller,
    id: &str,
) -> Result<&'a Term, Problem> {
    let absent = || Problem::absent("notice with this id");
    let term = find(catalog, id).map_err(|_| absent())?;
    let market = markets::of_person(&app.store, catalog, &caller.subject).await?;
    let is_served = term.is_notice()
        && catalog.cancelled_at(term.id).is_none()
        && Catalog::is_for(term, market.as_ref());
    if is_served { Ok(term) } else { Err(absent()) }
}

/// Record that the session's rider has opened a notice.
///
/// Send it when a page or the text was really drawn on the screen, also later if the device was
/// offline. 201: the opening is recorded. 200: it was recorded before, and the first one stays. The
/// log has one entry `notice.opened`.
///
/// - 403 `permission_denied`: the session belongs to another person.
/// - 404 `not_found`: there is no such notice for this rider, or it was cancelled.
/// - 422 `unknown_document`: the document is not one of the notice.
/// - 422 `opened_at_in_future`: `opened_at` is more than 5 minutes ahead of the server's clock.
#[utoipa::path(
    post, path = "/api/rooster/v3/riders/{userId}/notices/{id}/openings", tag = "notices", operation_id = "open_notice",
    params(RiderNoticePath), request_body = OpeningBody,
    responses((status = 200, body = RecordedOpening), (status = 201, body = RecordedOpening), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn open_notice(
    State(app): State<Arc<App>>,
    RiderPosted(mut call): RiderPosted<OpeningBody>,
) -> Result<Response, Problem> {
    let id = call.part(&app, "id").await;
    let catalog = Arc::clone(&app.live.load().catalog);
    let term = opened_notice(&app, &catalog, &call.caller, &id).await?;
    let OpeningBody { sha256, locale, .. } = &call.body;
    if !term.has_document(sha256) {
        let detail = "The document is not one of this notice.";
        return Err(refusal("unknown_document", "/sha256", detail));
    }
    let (opened_at, now) = (call.body.at()?, app.now());
    if is_ahead_of_server(opened_at, now) {
        let detail = "The notice was opened more than 5 minutes ahead of the server's clock.";
        return Err(refusal("opened_at_in_future", "/opened_at", detail));
    }
    let locale = locale.as_deref().map(StoredLocale::of);
    let opening = NewNoticeOpening {
        person: &call.caller.subject,
        term: term.id,
        sha256,
        locale: locale.as_ref().map(StoredLocale::as_str),
        opened_at,
    };
    let recorded = app.store.open_notice(&opening, now).await?;
    let (opening, is_new) = recorded.ok_or_else(Problem::unauthenticated)?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, private(&RecordedOpening::from(opening))).into_response())
}

pub fn refusal(code: &'static str, pointer: &str, detail: &str) -> Problem {
    let error = ProblemError {
        pointer: pointer.into(),
        code: code.into(),
        detail: detail.into(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid(code, detail, vec![error])
}

//! `POST /terms/consents/receipts`: opens a receipt by its id on any device.
//!
//! The id is a secret, because anyone who has it can withdraw and claim the submission. So it is in
//! the body: browsers, proxies and their logs store paths.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::log::entry::{Consent, Entry, Submission, UserType};
use musette_core::terms::{Catalog, Variant, choose_locale, language_ranges};
use serde::Serialize;

use super::{Receipt, StoredReceipt};
use crate::http::access::caller::{Caller, client_address};
use crate::http::consents::claims::{ClaimBody, receipt_id};
use crate::http::consents::{ConsentBody, standings};
use crate::http::layers::origin::origin;
use crate::http::wire::caching::private;
use crate::http::wire::json::read_body;
use crate::http::wire::language::accept_language;
use crate::http::wire::parameters::AcceptLanguage;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::qr::QrBody;
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::terms::TermBody;

/// The recorded submission of a receipt, and the latest decisions of the same person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OpenedReceipt {
    /// The user of the session. Empty for an applicant's receipt that is not claimed.
    user_id: String,
    /// The role in which the submission was made. A claim does not change it.
    #[schema(value_type = closed_sets::UserType)]
    user_type: &'static str,
    /// The time at which the submission was recorded, by the server's clock.
    #[schema(format = DateTime)]
    recorded_at: String,
    /// The decisions as they were recorded.
    consents: Vec<ConsentBody>,
    /// The receipt itself.
    receipt: Receipt,
    /// The terms that the decisions were made on, each in the language that was shown.
    terms: Vec<TermBody>,
    /// The latest decision of the same person on each term.
    standing: Vec<ConsentBody>,
    /// The page that opens the receipt on any device. Absent if the server has no public URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<ReceiptLink>,
}

/// The page that opens a receipt.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ReceiptLink {
    /// The URL, with the id in the fragment, which browsers do not send to servers.
    url: String,
    /// The URL as a QR code.
    qr: QrBody,
}

impl ReceiptLink {
    fn of(id: &str, app: &App) -> Option<Self> {
        let url = format!("{}/receipt#{id}", app.settings.public_url.as_deref()?);
        Some(Self { qr: QrBody::of(&url)?, url })
    }
}

/// A receipt that the caller may open.
pub struct Lookup {
    stored: StoredReceipt,
    reader: Option<Caller>,
}

impl FromRequest<Arc<App>> for Lookup {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let body = read_body(Request::from_parts(parts.clone(), body)).await?;
        let id = receipt_id(&body)?;
        app.limits.read(client_address(&parts, app))?;
        let stored = StoredReceipt::of_id(&id, app).await?.ok_or_else(unknown)?;
        let reader = stored.reader(&parts, app, unknown).await?;
        Ok(Self { stored, reader })
    }
}

fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "receipt_unknown", "No submission has this receipt.")
}

/// Look up a receipt by an id in the body.
///
/// An applicant's receipt requires only its id. A receipt that was claimed, or that a rider
/// submitted, requires its owner's session. The operation changes nothing, so a retry is safe.
///
/// - 401 `unauthenticated`: the receipt requires a session, and there is none.
/// - 404 `receipt_unknown`: the receipt does not exist or belongs to another user.
/// - 410 `receipt_erased`: the person was erased.
#[utoipa::path(
    post, path = "/api/rooster/v3/terms/consents/receipts", tag = "receipts",
    request_body = ClaimBody,
    params(AcceptLanguage),
    responses(
        (status = 200, body = OpenedReceipt),
        (status = 410, description = "`receipt_erased`", body = ProblemBody),
        (status = "4XX", body = ProblemBody)
    ),
    security((), ("bearer" = []))
)]
pub async fn look_up(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    lookup: Lookup,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let Lookup { stored, reader } = lookup;
    let Ok(Entry::Submission(submission)) = Entry::decode(&stored.receipt.entry) else {
        tracing::error!("the log entry of a receipt is not a submission: run musette log verify");
        return Err(Problem::unavailable());
    };
    let Submission { recorded_at, consents, user_type, .. } = submission;
    let subject = reader.as_ref().map_or(&stored.person, |reader| &reader.subject);
    let standing = standings(&app, subject).await?;
    let catalog = Arc::clone(&app.live.load().catalog);
    let language = accept_language(&headers);
    let ranges = language_ranges(&language);
    let terms =
        consents.iter().filter_map(|consent| shown(consent, &catalog, &ranges, &origin)).collect();
    Ok(private(&OpenedReceipt {
        user_id: reader.map(|reader| reader.user_id).unwrap_or_default(),
        user_type: match user_type {
            UserType::Rider => "RIDER",
            UserType::Applicant => "APPLICANT",
        },
        recorded_at,
        consents: consents.iter().map(recorded).collect(),
        link: ReceiptLink::of(&stored.receipt.id, &app),
        receipt: stored.receipt,
        terms,
        standing,
    }))
}

fn recorded(consent: &Consent) -> ConsentBody {
    ConsentBody {
        terms_and_conditions_id: consent.terms_and_conditions_id,
        accepted: consent.accepted,
        // Normalised as in every response. The entry keeps the device's spelling.
        consented_at: Instant::parse(&consent.consented_at)
            .map_or_else(|_| consent.consented_at.clone(), |at| at.to_string()),
        inherited_from: None,
    }
}

/// Returns the document that the decision was made on, regardless of the requested language.
fn shown(consent: &Consent, catalog: &Catalog, ranges: &[&str], origin: &str) -> Option<TermBody> {
    let term = catalog.get(consent.terms_and_conditions_id)?;
    let is_shown = |variant: &&Variant| variant.sha256 == consent.sha256;
    let preferred = choose_locale(ranges, &term.variants)?;
    // One document may serve several languages. Then the title is in the requested language.
    let variant = Some(preferred).filter(is_shown).or_else(|| term.variants.iter().find(is_shown));
    Some(TermBody::of_variant(term, variant.unwrap_or(preferred), origin))
}

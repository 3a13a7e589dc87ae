//! The request of `POST /terms/consents`. Its parts are checked in the order in which errors are
//! reported: media type, size, JSON, shape, user type, session, permission, key.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::SignInMethod;
use musette_core::terms::{DeviceClock, Method, StoredLocale, SubmittedDecision, UserType};
use musette_store::{EarlierReceipt, SubmissionOutcome, Submitter};
use serde::Deserialize;

use crate::http::access::caller::{Caller, client_address};
use crate::http::wire::json::{Json, read_body};
use crate::http::wire::language::accept_language;
use crate::http::wire::problem::{Problem, ProblemError};
use crate::http::wire::shape;
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::random;

/// The shortest key without a session. Such keys share one scope, so a key must be impossible to
/// guess.
const PUBLIC_KEY_CHARS_MIN: usize = 22;
const KEY_CHARS_MAX: usize = 255;

/// A submission: one person's decisions, which are recorded together or not at all.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"user_id":"","user_type":"APPLICANT","consents":[{"terms_and_conditions_id":17,"accepted":true,"consented_at":"2026-11-21T09:30:00.000Z","method":"tick","opened":true,"last_page":4}],"locale":"en","app":"rider 5.2.0"})))]
pub struct SubmissionBody {
    /// The user id of the session, or an empty string for an applicant.
    #[schema(max_length = 255)]
    user_id: String,
    /// `RIDER` with a user id, `APPLICANT` without. Any other combination returns 422
    /// `user_type_mismatch`.
    #[schema(value_type = closed_sets::UserType)]
    user_type: String,
    /// The decisions. A term may occur only once (422 `duplicate_term`).
    #[schema(min_items = 1, max_items = 100)]
    consents: Vec<EntryBody>,
    /// The language of the screen: a BCP 47 tag. It is stored as evidence. An unsupported language
    /// is stored as `und`.
    #[schema(max_length = 35)]
    locale: Option<String>,
    /// The build of the app. It is deleted when the person is erased; the log has only a salted
    /// hash.
    #[schema(max_length = 200)]
    app: Option<String>,
    /// The uncorrected time of the device's clock at the decision: RFC 3339 with a `T`. It is stored
    /// as evidence and in the log.
    #[schema(format = DateTime, max_length = 35, pattern = "^[^ ]+$")]
    device_at: Option<String>,
    /// Milliseconds that the app added to the device's clock to get `consented_at`, negative if the
    /// clock is ahead. It is stored as evidence and in the log.
    #[schema(minimum = -9007199254740991i64, maximum = 9007199254740991i64)]
    clock_offset_ms: Option<i64>,
    /// The id of the receipt of an applicant's earlier submission that this submission continues,
    /// for example to withdraw. Ignored with a `user_id`. An unknown id returns 422
    /// `receipt_unknown`.
    #[schema(max_length = 255)]
    receipt_id: Option<String>,
    /// The market in which an applicant wants to work, such as `DE-BE`. It decides which rules
    /// apply, and the log records it. An unknown market returns 422 `unknown_market`. Ignored with
    /// a `user_id`, because the account has a market.
    market: Option<String>,
}

/// One decision in a submission.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct EntryBody {
    /// The id of the term version. An id that does not exist or is not in effect yet returns 422
    /// `unknown_term`.
    terms_and_conditions_id: i64,
    /// True: accepted. False: refused or withdrawn. A mandatory term cannot be refused (422
    /// `mandatory_term_refused`).
    accepted: bool,
    /// The time of the decision, by the clock of the person's device, corrected by the app if it
    /// knows the server's time: RFC 3339 with a `T`. The log records the text as it was sent. More than 5 minutes ahead of the server's clock returns 422
    /// `consented_at_in_future`.
    #[schema(format = DateTime, max_length = 35, pattern = "^[^ ]+$")]
    consented_at: String,
    /// The SHA-256 of the document that was shown. It must belong to the term (422
    /// `unknown_document`). If it is absent, the language is taken from `Accept-Language` and the
    /// evidence is `inferred`.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
    /// The way in which the person decided.
    #[schema(value_type = Option<closed_sets::ConsentMethod>)]
    method: Option<String>,
    /// True if a page or the text of the document was displayed.
    opened: Option<bool>,
    /// The last page that was shown, counted from 1. 0: none.
    #[schema(maximum = 10000)]
    last_page: Option<u32>,
}

/// A valid submission of an authorised caller.
pub struct SubmissionRequest {
    pub user_id: String,
    pub submitter: Submitter,
    /// The method by which the rider signed in.
    pub signed_in_by: Option<SignInMethod>,
    pub entries: Vec<SubmittedDecision>,
    /// `Accept-Language`.
    pub language: String,
    pub locale: Option<StoredLocale>,
    pub app: Option<String>,
    pub device_clock: DeviceClock,
    /// The market of an applicant.
    pub market: Option<Market>,
    pub key: Option<String>,
    pub body_sha256: String,
}

shaped!(SubmissionBody);

impl EntryBody {
    /// Returns the decision. None only for a body that the check of its shape should have rejected.
    fn decision(self) -> Option<SubmittedDecision> {
        let method = match self.method.as_deref() {
            Some(name) => Some(Method::parse(name)?),
            None => None,
        };
        Some(SubmittedDecision {
            term: self.terms_and_conditions_id,
            accepted: self.accepted,
            consented_at: Instant::parse_strict(&self.consented_at).ok()?,
            consented_at_text: self.consented_at,
            sha256: self.sha256,
            method,
            opened: self.opened,
            last_page: self.last_page,
        })
    }
}

pub fn receipt_unknown() -> Problem {
    let error = ProblemError {
        pointer: "/receipt_id".into(),
        code: "receipt_unknown".into(),
        detail: "no submission has this receipt".into(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("receipt_unknown", "No submission has this receipt.", vec![error])
}

impl FromRequest<Arc<App>> for SubmissionRequest {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let bytes = read_body(Request::from_parts(parts.clone(), body)).await?;
        let body: SubmissionBody = shape::read(&Json::parse_with_nul(&bytes)?)?;
        if UserType::parse(&body.user_type) != Some(UserType::of(&body.user_id)) {
            return Err(user_type_mismatch());
        }
        let (mut market, mut signed_in_by) = (None, None);
        let submitter = if body.user_id.is_empty() {
            app.limits.submission(client_address(&parts, app))?;
            let code = body.market.as_deref();
            let requested = code.map(|code| app.live.load().markets.asked(code));
            market = requested.transpose().map_err(|_| Problem::unknown_market("/market"))?;
            applicant(app, body.receipt_id.as_deref())
        } else {
            let caller = Caller::from_parts(&parts, app).await?;
            if caller.user_id != body.user_id {
                return Err(Problem::denied_to(&caller.subject));
            }
            signed_in_by = caller.method;
            Submitter::Rider { subject: caller.subject }
        };
        // One unreadable decision rejects the whole submission, so that none is dropped silently.
        let entries: Option<Vec<_>> = body.consents.into_iter().map(EntryBody::decision).collect();
        let entries = entries
            .ok_or_else(|| Problem::internal("a decision passed the check but cannot be read"))?;
        Ok(Self {
            key: idempotency_key(&parts.headers, body.user_id.is_empty())?,
            user_id: body.user_id,
            submitter,
            signed_in_by,
            entries,
            language: accept_language(&parts.headers),
            locale: body.locale.as_deref().map(StoredLocale::of),
            app: body.app,
            device_clock: DeviceClock { at: body.device_at, offset_ms: body.clock_offset_ms },
            market,
            body_sha256: random::sha256_hex(&bytes),
        })
    }
}

fn user_type_mismatch() -> Problem {
    let error = ProblemError {
        pointer: "/user_type".into(),
        code: "user_type_mismatch".into(),
        detail: "use RIDER with a user_id and APPLICANT with an empty user_id".into(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("user_type_mismatch", "user_type does not match user_id.", vec![error])
}

fn applicant(app: &App, receipt: Option<&str>) -> Submitter {
    let continues = receipt.map(|text| EarlierReceipt { receipt: app.receipt_key.parse(text) });
    Submitter::Applicant { subject: random::uuid(), key: random::hex::<32>(), continues }
}

/// Returns the `Idempotency-Key`, or 400.
pub fn idempotency_key(headers: &HeaderMap, is_public: bool) -> Result<Option<String>, Problem> {
    let mut keys = headers.get_all("idempotency-key").iter();
    let Some(key) = keys.next() else { return Ok(None) };
    let min = if is_public { PUBLIC_KEY_CHARS_MIN } else { 1 };
    let key = key.to_str().ok().filter(|key| {
        (min..=KEY_CHARS_MAX).contains(&key.len())
            && key.bytes().all(|byte| byte.is_ascii_graphic())
    });
    match key {
        Some(key) if keys.next().is_none() => Ok(Some(key.to_owned())),
        _ => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "invalid_idempotency_key",
            format!(
                "The header Idempotency-Key must occur once and have {min} to {KEY_CHARS_MAX} visible ASCII characters."
            ),
        )),
    }
}

pub fn outcome_label(outcome: &SubmissionOutcome) -> &'static str {
    match outcome {
        SubmissionOutcome::Recorded(..) => "recorded",
        SubmissionOutcome::Replayed(_) => "replayed",
        SubmissionOutcome::KeyReused
        | SubmissionOutcome::SubjectGone
        | SubmissionOutcome::ReceiptUnknown
        | SubmissionOutcome::Refused(_) => "refused",
    }
}

//! The request of `POST /terms/consents`, read in the order in which its faults are answered: media
//! type, size, JSON, shape, user type, session, right, key.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode};
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::session::SignInMethod;
use musette_core::terms::{KeptLocale, Method, SubmittedDecision, UserType};
use musette_store::{Continues, Submitter};
use serde::Deserialize;

use crate::app::App;
use crate::closed_sets;
use crate::http::caller::{Caller, client_address};
use crate::http::json::{Json, read_body};
use crate::http::language::accept_language;
use crate::http::problem::{Fault, Problem};
use crate::http::shape::{self, shaped};
use crate::random;

/// Without a session the key alone keeps two people's requests apart, so it must be unguessable.
const PUBLIC_KEY_CHARS_MIN: usize = 22;
const KEY_CHARS_MAX: usize = 255;

/// A submission: one person's decisions, recorded together or not at all.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"user_id":"","user_type":"APPLICANT","consents":[{"terms_and_conditions_id":17,"accepted":true,"consented_at":"2026-11-21T09:30:00.000Z","method":"tick","opened":true,"last_page":4}],"locale":"en","app":"rider 5.2.0"})))]
pub struct SubmissionBody {
    /// The user id of the session, or an empty string for an applicant.
    #[schema(max_length = 255)]
    user_id: String,
    /// `RIDER` with a user id, `APPLICANT` without; otherwise 422 `user_type_mismatch`.
    #[schema(value_type = closed_sets::UserType)]
    user_type: String,
    /// The decisions. No term may occur twice (422 `duplicate_term`).
    #[schema(min_items = 1, max_items = 100)]
    consents: Vec<EntryBody>,
    /// The language of the screen: a BCP 47 tag. Kept as evidence. A tag that is not one of our
    /// languages is kept as `und`.
    #[schema(max_length = 35)]
    locale: Option<String>,
    /// The build of the application. Deleted when the person is erased; the log keeps only a salted
    /// hash.
    #[schema(max_length = 200)]
    app: Option<String>,
    /// The receipt of an applicant's earlier submission that this one continues, for example to
    /// withdraw. Ignored with a `user_id`; an unknown one is 422 `receipt_unknown`.
    #[schema(max_length = 255)]
    receipt_id: Option<String>,
    /// Where an applicant wants to work, such as `DE-BE`: the rules are those of that market, and the log keeps it. An
    /// unknown one is 422 `unknown_market`. Ignored with a `user_id`: the account has its own.
    market: Option<String>,
}

/// One decision in a submission.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct EntryBody {
    /// The id of the term version. An unknown one, or one that is not in effect yet, is 422
    /// `unknown_term`.
    terms_and_conditions_id: i64,
    /// True: accepted. False: refused or withdrawn. A mandatory term cannot be refused (422
    /// `mandatory_term_refused`).
    accepted: bool,
    /// When the person decided, by the clock of the device: RFC 3339 with a `T`. The log keeps the
    /// text as it was sent. More than 5 minutes ahead of the server is 422
    /// `consented_at_in_future`.
    #[schema(format = DateTime, max_length = 35, pattern = "^[^ ]+$")]
    consented_at: String,
    /// The SHA-256 of the document that was shown. It must belong to the term (422
    /// `unknown_document`). If absent, the language is taken from `Accept-Language` and the
    /// evidence is `inferred`.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
    /// How the person decided.
    #[schema(value_type = Option<closed_sets::ConsentMethod>)]
    method: Option<String>,
    /// Whether a page or the text of the document was drawn on screen.
    opened: Option<bool>,
    /// The last page that was shown, counted from 1; 0 for none.
    #[schema(maximum = 10000)]
    last_page: Option<u32>,
}

/// A request that is well formed, of somebody who may make it.
pub struct SubmissionRequest {
    pub user_id: String,
    pub submitter: Submitter,
    /// How a rider signed in to the session.
    pub signed_in_by: Option<SignInMethod>,
    pub entries: Vec<SubmittedDecision>,
    /// `Accept-Language`.
    pub language: String,
    pub locale: Option<KeptLocale>,
    pub app: Option<String>,
    /// An applicant's.
    pub market: Option<Market>,
    pub key: Option<String>,
    pub body_sha256: String,
}

shaped!(SubmissionBody);

impl EntryBody {
    /// None only where the check of its shape should have refused it.
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
    let fault = Fault {
        pointer: "/receipt_id".into(),
        code: "receipt_unknown".into(),
        detail: "no submission has this receipt".into(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("receipt_unknown", "This receipt is not known.", vec![fault])
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
            let asked = body.market.as_deref().map(|code| app.live.load().markets.asked(code));
            market = asked.transpose().map_err(|_| Problem::unknown_market("/market"))?;
            applicant(app, body.receipt_id.as_deref())
        } else {
            let caller = Caller::from_parts(&parts, app).await?;
            if caller.user_id != body.user_id {
                return Err(Problem::denied_to(&caller.subject));
            }
            signed_in_by = caller.method;
            Submitter::Rider { subject: caller.subject }
        };
        // A decision that cannot be read refuses the whole: none is ever left out in silence.
        let entries: Option<Vec<_>> = body.consents.into_iter().map(EntryBody::decision).collect();
        let entries = entries
            .ok_or_else(|| Problem::internal("a decision was checked and cannot be read"))?;
        Ok(Self {
            key: idempotency_key(&parts.headers, body.user_id.is_empty())?,
            user_id: body.user_id,
            submitter,
            signed_in_by,
            entries,
            language: accept_language(&parts.headers),
            locale: body.locale.as_deref().map(KeptLocale::of),
            app: body.app,
            market,
            body_sha256: random::sha256_hex(&bytes),
        })
    }
}

fn user_type_mismatch() -> Problem {
    let fault = Fault {
        pointer: "/user_type".into(),
        code: "user_type_mismatch".into(),
        detail: "RIDER with a user_id, APPLICANT with an empty one".into(),
        replaced_by: None,
        page: None,
    };
    Problem::invalid("user_type_mismatch", "user_type does not fit user_id.", vec![fault])
}

fn applicant(app: &App, receipt: Option<&str>) -> Submitter {
    let continues = receipt.map(|text| Continues { receipt: app.receipt_key.parse(text) });
    Submitter::Applicant { subject: random::uuid(), key: random::hex::<32>(), continues }
}

fn idempotency_key(headers: &HeaderMap, is_public: bool) -> Result<Option<String>, Problem> {
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
                "An Idempotency-Key has {min} to {KEY_CHARS_MAX} visible ASCII characters and stands once."
            ),
        )),
    }
}

//! The request of `POST /terms/consents`, read in the order in which its faults are answered: media
//! type, size, JSON, shape, user type, session, right, key.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode};
use musette_core::instant::Instant;
use musette_core::terms::{KeptLocale, Method, SubmittedDecision, UserType, is_sha256};
use musette_store::{Continues, Submitter};
use serde::Serialize;

use crate::app::App;
use crate::closed_sets;
use crate::http::caller::{Caller, client_address};
use crate::http::json::{Json, read_body};
use crate::http::language::accept_language;
use crate::http::problem::{Fault, Problem};
use crate::random;

const ENTRIES_MAX: usize = 100;
const LOCALE_CHARS_MAX: usize = 35;
const APP_CHARS_MAX: usize = 200;
const LAST_PAGE_MAX: i64 = 10_000;
/// Without a session the key alone keeps two people's requests apart, so it must be unguessable.
const PUBLIC_KEY_CHARS_MIN: usize = 22;
const KEY_CHARS_MAX: usize = 255;

/// A submission: one person's decisions, recorded together or not at all.
#[derive(Serialize, utoipa::ToSchema)]
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
}

/// One decision in a submission.
#[derive(Serialize, utoipa::ToSchema)]
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
    #[schema(format = DateTime, max_length = 35)]
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
    pub entries: Vec<SubmittedDecision>,
    /// `Accept-Language`.
    pub language: String,
    pub locale: Option<KeptLocale>,
    pub app: Option<String>,
    pub key: Option<String>,
    pub body_sha256: String,
}

struct Shape {
    user_id: String,
    user_type: UserType,
    entries: Vec<SubmittedDecision>,
    locale: Option<String>,
    app: Option<String>,
    receipt_id: Option<String>,
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
        let body = read_body(Request::from_parts(parts.clone(), body)).await?;
        let shape = Shape::read(&Json::parse_with_nul(&body)?)?;
        if shape.user_type != UserType::of(&shape.user_id) {
            return Err(user_type_mismatch());
        }
        let submitter = if shape.user_id.is_empty() {
            app.limits.submission(client_address(&parts, app))?;
            applicant(app, shape.receipt_id.as_deref())
        } else {
            let caller = Caller::from_parts(&parts, app).await?;
            if caller.user_id != shape.user_id {
                return Err(Problem::denied_to(&caller.subject));
            }
            Submitter::Rider { subject: caller.subject }
        };
        Ok(Self {
            key: idempotency_key(&parts.headers, shape.user_id.is_empty())?,
            user_id: shape.user_id,
            submitter,
            entries: shape.entries,
            language: accept_language(&parts.headers),
            locale: shape.locale.as_deref().map(KeptLocale::of),
            app: shape.app,
            body_sha256: random::sha256_hex(&body),
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

/// Collects every fault of shape, so that a developer mends them at once.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn add(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.0.push(Fault {
            pointer: pointer.into(),
            code: "invalid_request".into(),
            detail: detail.into(),
            replaced_by: None,
            page: None,
        });
    }

    fn text(&mut self, json: &Json<'_>, name: &str, chars_max: usize) -> Option<String> {
        match json.get(name) {
            None => None,
            // A NUL cannot be stored by PostgreSQL, and no honest client sends one.
            Some(Json::Text(text)) if text.chars().count() <= chars_max && !text.contains('\0') => {
                Some(text.to_string())
            }
            Some(_) => {
                self.add(format!("/{name}"), format!("a text of at most {chars_max} characters"));
                None
            }
        }
    }
}

impl Shape {
    fn read(json: &Json<'_>) -> Result<Self, Problem> {
        let mut faults = Faults::default();
        if !matches!(json, Json::Object(_)) {
            faults.add("", "an object");
        }
        let user_id = faults.text(json, "user_id", 255);
        if user_id.is_none() && faults.0.is_empty() {
            faults.add("/user_id", "a text, empty for an applicant");
        }
        let user_type = match json.get("user_type") {
            Some(Json::Text(text)) => UserType::parse(text),
            _ => None,
        };
        if user_type.is_none() {
            faults.add("/user_type", "RIDER or APPLICANT");
        }
        let entries = entries(json, &mut faults);
        let shape = Self {
            user_id: user_id.unwrap_or_default(),
            user_type: user_type.unwrap_or(UserType::Applicant),
            entries,
            locale: faults.text(json, "locale", LOCALE_CHARS_MAX),
            app: faults.text(json, "app", APP_CHARS_MAX),
            receipt_id: faults.text(json, "receipt_id", 255),
        };
        if faults.0.is_empty() {
            Ok(shape)
        } else {
            Err(Problem::invalid(
                "invalid_request",
                "The body does not have the right shape.",
                faults.0,
            ))
        }
    }
}

fn entries(json: &Json<'_>, faults: &mut Faults) -> Vec<SubmittedDecision> {
    match json.get("consents") {
        Some(Json::Array(entries)) if (1..=ENTRIES_MAX).contains(&entries.len()) => entries
            .iter()
            .enumerate()
            .filter_map(|(i, json)| entry(json, &format!("/consents/{i}"), faults))
            .collect(),
        _ => {
            faults.add("/consents", format!("a list of 1 to {ENTRIES_MAX} entries"));
            Vec::new()
        }
    }
}

fn entry(json: &Json<'_>, at: &str, faults: &mut Faults) -> Option<SubmittedDecision> {
    let mut wrong = |name: &str, detail: &str| faults.add(format!("{at}/{name}"), detail);
    let term = match json.get("terms_and_conditions_id") {
        Some(Json::Int(id)) => Some(*id),
        _ => None,
    };
    let accepted = match json.get("accepted") {
        Some(Json::Bool(accepted)) => Some(*accepted),
        _ => None,
    };
    let consented_at = match json.get("consented_at") {
        Some(Json::Text(text)) => Instant::parse_strict(text).ok().map(|at| (at, text.to_string())),
        _ => None,
    };
    let sha256 = optional(json, "sha256", |json| match json {
        Json::Text(text) if is_sha256(text) => Some(text.to_string()),
        _ => None,
    });
    let method = optional(json, "method", |json| match json {
        Json::Text(text) => Method::parse(text),
        _ => None,
    });
    let opened = optional(json, "opened", |json| match json {
        Json::Bool(opened) => Some(*opened),
        _ => None,
    });
    let last_page = optional(json, "last_page", |json| match json {
        Json::Int(page @ 0..=LAST_PAGE_MAX) => u32::try_from(*page).ok(),
        _ => None,
    });
    for (name, is_good, detail) in [
        ("terms_and_conditions_id", term.is_some(), "a whole number"),
        ("accepted", accepted.is_some(), "true or false"),
        ("consented_at", consented_at.is_some(), "an RFC 3339 date and time with an offset"),
        ("sha256", sha256.is_ok(), "64 lower-case hex digits"),
        ("method", method.is_ok(), "tick or agree_all"),
        ("opened", opened.is_ok(), "true or false"),
        ("last_page", last_page.is_ok(), "a whole number from 0 to 10000"),
    ] {
        if !is_good {
            wrong(name, detail);
        }
    }
    let (consented_at, consented_at_text) = consented_at?;
    Some(SubmittedDecision {
        term: term?,
        accepted: accepted?,
        consented_at,
        consented_at_text,
        sha256: sha256.ok()?,
        method: method.ok()?,
        opened: opened.ok()?,
        last_page: last_page.ok()?,
    })
}

struct Wrong;

/// Absent and null are nothing; anything else must be good.
fn optional<T>(
    json: &Json<'_>,
    name: &str,
    read: impl Fn(&Json<'_>) -> Option<T>,
) -> Result<Option<T>, Wrong> {
    match json.get(name) {
        None => Ok(None),
        Some(value) => read(value).map(Some).ok_or(Wrong),
    }
}

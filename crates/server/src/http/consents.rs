//! `POST /terms/consents` and reading recorded decisions.

pub mod claims;
pub mod console;
pub mod submission;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::terms::{
    SubmissionRefusal, SubmissionRule, UserType, language_ranges, new_entry_id,
};
use musette_store::{
    HeldUntilRecorded, Idempotency, ProvenEntry, RecordedSubmission, Submission, SubmissionOutcome,
    Submitter,
};
use serde::Serialize;

use super::access::caller::{HistoryOwner, Owner};
use super::evidence::receipts::{Receipt, erased};
use super::layers::origin::origin;
use super::wire::caching::private;
use super::wire::language::accept_language;
use super::wire::parameters::{AcceptLanguage, IdempotencyKey, UserPath};
use super::wire::problem::{Problem, ProblemError};
use super::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::random;
use crate::platform::traces;
use crate::terms::TermBody;
pub use submission::SubmissionRequest;

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const HISTORY_MAX: i64 = 100;

/// The latest decision on one term.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ConsentBody {
    /// The id of the term version.
    pub terms_and_conditions_id: i64,
    /// True: accepted. False: refused or withdrawn.
    pub accepted: bool,
    /// The time of the decision, by the clock of the person's device.
    #[schema(format = DateTime)]
    pub consented_at: String,
    /// The id of the version that the decision was made on, if a minor version inherits it. Absent
    /// if the decision was made on this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub inherited_from: Option<i64>,
}

/// The decisions of one person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ConsentList {
    /// The user id. Empty for an applicant.
    pub user_id: String,
    /// `RIDER` with a user id, `APPLICANT` without.
    #[schema(value_type = closed_sets::UserType)]
    pub user_type: &'static str,
    /// The latest decision on each term, sorted by term id. After a submission, the decisions that
    /// it recorded.
    pub consents: Vec<ConsentBody>,
    /// The time at which the submission was recorded, by the server's clock. Only in the response
    /// to a submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub recorded_at: Option<String>,
    /// The receipt of the submission. Only in the response to a submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
}

fn recorded_list(
    app: &App,
    user_id: String,
    recorded: &RecordedSubmission,
    evidence: ProvenEntry,
) -> ConsentList {
    let consents = recorded.entries.iter().map(|entry| ConsentBody {
        terms_and_conditions_id: entry.term,
        accepted: entry.accepted,
        consented_at: entry.consented_at.to_string(),
        inherited_from: None,
    });
    ConsentList {
        user_type: UserType::of(&user_id).as_str(),
        user_id,
        consents: consents.collect(),
        recorded_at: Some(recorded.recorded_at.to_string()),
        receipt: Some(Receipt::new(app.receipt_key.id(recorded.seq, &recorded.entry_id), evidence)),
    }
}

/// Record decisions on terms.
///
/// Records all decisions or none. A decision that was answered with 201 is on disk. An applicant
/// sends an empty `user_id` and needs no session; for any other `user_id`, the session must belong
/// to that user. A submission may contain only some of the terms, for example to withdraw one.
/// `accepted: false` for a term that is not mandatory is always recorded.
///
/// If there is no response, retry with the same `Idempotency-Key` and the same bytes. The
/// submission is recorded once, and the server sends the same response with `Idempotency-Replayed:
/// true`. Keys expire after 7 days.
///
/// - 400 `invalid_idempotency_key`: the key has a wrong length or characters.
/// - 403 `permission_denied`: the session belongs to another user.
/// - 409 `terms_changed`: a newer version has replaced a term. Load the terms again.
///   `errors[].replaced_by` has its id; it is absent if the document was retired.
/// - 409 `idempotency_key_in_use`: the first request still runs; `Retry-After` has the delay.
/// - 422 `duplicate_term`, `unknown_term`: a term occurs more than once, or does not exist yet.
/// - 422 `mandatory_term_refused`, `mandatory_term_missing`: a mandatory term is refused or left out.
/// - 422 `user_type_mismatch`, `consented_at_in_future`, `unknown_document`, `receipt_unknown`: see
///   these members.
/// - 422 `idempotency_key_reused`: the key was used for a different body.
/// - 503 `unavailable`: the database did not respond within 5 seconds. The write may still
///   complete: retry after the seconds in `Retry-After`, with the same `Idempotency-Key`.
#[utoipa::path(
    post, path = "/api/rooster/v3/terms/consents", tag = "consents",
    request_body = submission::SubmissionBody,
    params(IdempotencyKey, AcceptLanguage),
    responses((status = 201, body = ConsentList), (status = "4XX", body = super::wire::problem::ProblemBody)),
    security((), ("bearer" = []))
)]
pub async fn submit(
    State(app): State<Arc<App>>,
    request: SubmissionRequest,
) -> Result<Response, Problem> {
    let scope = match &request.submitter {
        Submitter::Rider { subject } => subject.clone(),
        Submitter::Applicant { .. } => String::new(),
    };
    // Holds the key until the submission is recorded, even if the client disconnects. So the same
    // key never runs twice at once.
    let running = match &request.key {
        None => None,
        Some(key) => {
            let running = app.running_keys.begin(&scope, key).map_err(Problem::key_in_use)?;
            Some(Box::new(running) as HeldUntilRecorded)
        }
    };
    let submission = Submission {
        entry_id: new_entry_id(random::uuid()),
        submitter: request.submitter,
        signed_in_by: request.signed_in_by,
        entries: request.entries,
        ranges: language_ranges(&request.language).into_iter().map(str::to_owned).collect(),
        locale: request.locale,
        app: request.app,
        device_clock: request.device_clock,
        market: request.market,
        idempotency: request.key.map(|key| Idempotency {
            scope,
            key,
            body_sha256: request.body_sha256,
        }),
        catalog: Arc::clone(&app.live.load().catalog),
        receipts: app.receipt_key.clone(),
        now: app.now(),
        span: traces::current(),
    };
    let outcome = app.writer.submit_holding(submission, running).await;
    let outcome = outcome.map_err(Problem::not_submitted)?;
    metrics::counter!("musette_submissions_total", "outcome" => submission::outcome_label(&outcome))
        .increment(1);
    match outcome {
        SubmissionOutcome::Recorded(recorded, evidence) => {
            Ok(created(&app, request.user_id, &recorded, evidence, false))
        }
        SubmissionOutcome::Replayed(recorded) => {
            let receipt = app.store.receipt(recorded.seq).await?;
            let receipt = receipt
                .ok_or_else(|| Problem::internal("a recorded submission has no log entry"))?;
            let evidence = receipt.evidence.ok_or_else(erased)?;
            Ok(created(&app, request.user_id, &recorded, evidence, true))
        }
        SubmissionOutcome::SubjectGone => Err(Problem::unauthenticated()),
        SubmissionOutcome::KeyReused => Err(Problem::invalid(
            "idempotency_key_reused",
            "This Idempotency-Key was used for a different body.",
            Vec::new(),
        )),
        SubmissionOutcome::ReceiptUnknown => Err(submission::receipt_unknown()),
        SubmissionOutcome::Refused(refusal) => Err(rejection_problem(&refusal)),
    }
}

fn created(
    app: &App,
    user_id: String,
    recorded: &RecordedSubmission,
    evidence: ProvenEntry,
    replayed: bool,
) -> Response {
    let mut response =
        (StatusCode::CREATED, private(&recorded_list(app, user_id, recorded, evidence)))
            .into_response();
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

fn rejection_problem(refusal: &SubmissionRefusal) -> Problem {
    let code = refusal.rule.code();
    let detail = match refusal.rule {
        SubmissionRule::DuplicateTerm => "A term occurs more than once.",
        SubmissionRule::UnknownTerm => "A term does not exist or is not in effect yet.",
        SubmissionRule::MandatoryTermRefused => "A mandatory term cannot be refused.",
        SubmissionRule::ConsentedAtInFuture => {
            "consented_at is more than 5 minutes ahead of the server."
        }
        SubmissionRule::TermsChanged => {
            "A term was replaced by a newer version or retired. Load the terms again."
        }
        SubmissionRule::UnknownDocument => "The document does not belong to the term.",
        SubmissionRule::MandatoryTermMissing => "A mandatory term of the same type is missing.",
    };
    let field = match refusal.rule {
        SubmissionRule::MandatoryTermRefused => "/accepted",
        SubmissionRule::ConsentedAtInFuture => "/consented_at",
        SubmissionRule::UnknownDocument => "/sha256",
        _ => "/terms_and_conditions_id",
    };
    let errors = refusal.violations.iter().map(|violation| ProblemError {
        pointer: violation
            .entry
            .map_or_else(|| "/consents".to_owned(), |i| format!("/consents/{i}{field}")),
        code: code.to_owned(),
        detail: format!("term {}", violation.term),
        replaced_by: violation.replaced_by.map(|id| vec![id]),
        page: None,
    });
    let mut problem = Problem::invalid(code, detail, errors.collect());
    if refusal.rule == SubmissionRule::TermsChanged {
        problem.status = StatusCode::CONFLICT;
    }
    problem
}

/// List the latest decision of a person on each term.
///
/// The caller needs the user's own session, or the role `operator` or `admin`. The order in which
/// the server recorded the decisions counts, not the device's clock. A minor version that inherits
/// a decision has its own entry. A user without decisions has an empty list.
///
/// - 403 `permission_denied`: the session belongs to another user.
#[utoipa::path(
    get, path = "/api/rooster/v3/terms/{userId}/consents", tag = "consents",
    params(UserPath),
    responses((status = 200, body = ConsentList), (status = "4XX", body = super::wire::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn consents(State(app): State<Arc<App>>, owner: Owner) -> Result<Response, Problem> {
    Ok(private(&consent_list(&app, owner.user_id, &owner.subject).await?))
}

pub async fn consent_list(
    app: &App,
    user_id: String,
    subject: &str,
) -> Result<ConsentList, Problem> {
    Ok(ConsentList {
        user_type: UserType::of(&user_id).as_str(),
        consents: standings(app, subject).await?,
        user_id,
        recorded_at: None,
        receipt: None,
    })
}

/// Returns the latest decision of a person on each term, in the server's order.
pub async fn standings(app: &App, subject: &str) -> Result<Vec<ConsentBody>, Problem> {
    let decisions = app.store.decisions(subject).await?;
    let standings = decisions.effective_decisions(&app.live.load().catalog, app.now());
    let bodies = standings.into_iter().map(|standing| ConsentBody {
        terms_and_conditions_id: standing.term,
        accepted: standing.decision.accepted,
        consented_at: standing.decision.consented_at.to_string(),
        inherited_from: standing.inherited_from,
    });
    Ok(bodies.collect())
}

/// One decision and the text that it was made on.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct HistoryEntryBody {
    /// The number of the submission. Pass it as `before` to read older decisions.
    #[schema(minimum = 0)]
    pub seq: i64,
    /// The id of the term version.
    pub terms_and_conditions_id: i64,
    /// True: accepted. False: refused or withdrawn.
    pub accepted: bool,
    /// The decision: accepted, declined or withdrawn.
    #[schema(value_type = closed_sets::DecisionOutcome)]
    pub decision: &'static str,
    /// The time of the decision, by the clock of the person's device.
    #[schema(format = DateTime)]
    pub consented_at: String,
    /// The time at which the decision was recorded, by the server's clock.
    #[schema(format = DateTime)]
    pub recorded_at: String,
    /// The id of the submission's receipt.
    #[schema(pattern = "^([0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){8}|[A-Za-z0-9_-]{32})$")]
    pub receipt_id: String,
    /// The version that the decision was made on, in the caller's language if it was published in
    /// it.
    pub term: TermBody,
}

/// Decisions of one person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct HistoryBody {
    /// The id of the user.
    pub user_id: String,
    /// `RIDER` with a user id, `APPLICANT` without.
    #[schema(value_type = closed_sets::UserType)]
    pub user_type: &'static str,
    /// The decisions, newest first.
    #[schema(max_items = 100)]
    pub history: Vec<HistoryEntryBody>,
}

/// Filters of a person's decisions.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// The number of decisions, at most 100. Default: 100.
    #[param(value_type = Option<i64>, minimum = 0)]
    limit: i64,
    /// Only decisions of submissions before this `seq`.
    #[param(value_type = Option<i64>, minimum = 0)]
    before: i64,
}

impl FromQuery for HistoryQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let parse = |text: &str| text.parse::<i64>().ok().filter(|number| *number >= 0);
        let number = |name| parameters.parsed(name, parse, "an integer of at least 0");
        Ok(Self {
            limit: number("limit")?.map_or(HISTORY_MAX, |limit| limit.clamp(1, HISTORY_MAX)),
            before: number("before")?.unwrap_or(i64::MAX),
        })
    }
}

/// List every decision of a person, newest first.
///
/// The caller needs the user's own session, or the role `support`, `legal`, `operator` or `admin`
/// for the user's market.
///
/// - 403 `permission_denied`: the session belongs to another user.
#[utoipa::path(
    get, path = "/api/rooster/v3/terms/{userId}/history", tag = "consents",
    params(UserPath, HistoryQuery, AcceptLanguage),
    responses((status = 200, body = HistoryBody), (status = "4XX", body = super::wire::problem::ProblemBody)),
    security(("bearer" = []))
)]
pub async fn history(
    State(app): State<Arc<App>>,
    Query(page): Query<HistoryQuery>,
    HistoryOwner(owner): HistoryOwner,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let language = accept_language(&headers);
    let ranges = language_ranges(&language);
    let rows = app.store.history(&owner.subject, page.before, page.limit).await?;
    let live = app.live.load();
    let history = rows.into_iter().filter_map(|row| {
        Some(HistoryEntryBody {
            seq: row.seq,
            terms_and_conditions_id: row.term_id,
            accepted: row.accepted,
            decision: row.outcome().as_str(),
            consented_at: Instant::from_millis(row.consented_at).to_string(),
            recorded_at: Instant::from_millis(row.recorded_at).to_string(),
            receipt_id: app.receipt_key.id(row.seq, &row.entry_id),
            term: TermBody::new(live.catalog.get(row.term_id)?, &ranges, &origin)?,
        })
    });
    let history = history.collect();
    Ok(private(&HistoryBody {
        user_type: UserType::of(&owner.user_id).as_str(),
        user_id: owner.user_id,
        history,
    }))
}

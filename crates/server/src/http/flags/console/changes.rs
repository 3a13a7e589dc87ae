//! `/environments/{environment}/changes`: proposed and scheduled configurations.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_store::{Clearance, FlagChange, NewFlagChange, PROPOSED, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::checked_comment;
use super::document::{Text, check_in_store, parse};
use crate::flags::ruleset::diff::{ObjectDiff, diff_with_members, only_switches_off};
use crate::flags::ruleset::reading::ParseOrder;
use crate::flags::ruleset::saving;
use crate::flags::ruleset::saving::TRIES;
use crate::flags::ruleset::schedule::{APPROVAL_REQUIRED, change_hash, settle};
use crate::http::access::approvals::{ApprovalBody, BreakGlassQuery, FLAGS, RejectionBody};
use crate::http::access::permission::{ManageFlags, May, ReadFlags};
use crate::http::experiments::decisions::record_applied;
use crate::http::flags::environments::{refresh, served};
use crate::http::flags::schema::NewFlagConfiguration;
use crate::http::wire::body::{changed_meanwhile, if_match};
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::{ChangePath, EnvironmentPath, IfMatch};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::random;

/// The reason of a decision whose change has no comment.
const NO_COMMENT: &str = "no comment";

/// A configuration to publish later.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewChangeBody {
    /// The time at which it becomes current. It must be in the future. Null or absent: when a
    /// person applies it.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// The reason, for the history.
    #[schema(max_length = 1000)]
    comment: Option<String>,
    /// The configuration.
    #[schema(value_type = NewFlagConfiguration)]
    document: Box<RawValue>,
}

/// A proposed or scheduled change of a configuration.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ChangeBody {
    /// The id of the change.
    #[schema(format = "uuid")]
    id: String,
    /// The environment.
    environment: String,
    /// The time at which it becomes current. Null: when a person applies it.
    #[schema(required, format = DateTime)]
    at: Option<String>,
    /// The version that it was made from. Only the differences from this version are applied,
    /// whatever else changes until then.
    #[schema(minimum = 0)]
    base: i64,
    /// The user id of the author. Absent once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// The reason. Absent if the author gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 1000)]
    comment: Option<String>,
    /// The time at which the change was created.
    #[schema(format = DateTime)]
    created_at: String,
    /// The status of the change.
    #[schema(value_type = closed_sets::ChangeStatus)]
    status: String,
    /// The time at which it became current, was cancelled or failed. Absent while it is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    settled_at: Option<String>,
    /// The version that it became. Absent if it did not become one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    version: Option<i64>,
    /// A description of why it did not become current. Absent unless the status is `refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    /// The code of the reason why it did not become current. Absent unless the status is `refused`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::ChangeRefusal>)]
    reason: Option<&'static str>,
    /// The SHA-256 of the change. An approval refers to it. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
    /// The number of approvals that it needs. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    approvals_needed: Option<i64>,
    /// The approvals. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    approvals: Option<Vec<ApprovalBody>>,
    /// The last rejection. Absent if it was not rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<RejectionBody>,
    /// The objects that it changes. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<Vec<ObjectDiff>>,
}

impl From<FlagChange> for ChangeBody {
    fn from(row: FlagChange) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            id: row.id,
            environment: row.environment,
            at: (row.at != PROPOSED).then(|| text(row.at)),
            base: row.base,
            author: row.author,
            comment: row.comment,
            created_at: text(row.created_at),
            status: row.status,
            settled_at: row.settled_at.map(text),
            version: row.version,
            reason: row.refusal.as_deref().map(|refusal| match refusal {
                APPROVAL_REQUIRED => APPROVAL_REQUIRED,
                _ => "conflict",
            }),
            refusal: row.refusal,
            sha256: None,
            approvals_needed: None,
            approvals: None,
            rejection: None,
            objects: None,
        }
    }
}

/// Returns the hash of the content of a pending change, or a 409 if it is already decided.
pub fn open_hash(change: &FlagChange) -> Result<String, Problem> {
    if !["waiting", "proposed"].contains(&change.status.as_str()) {
        return Err(not_pending());
    }
    Ok(change_hash(change))
}

fn not_pending() -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", "The change is already decided.")
}

pub async fn found(app: &App, environment: &str, id: &str) -> Result<FlagChange, Problem> {
    let change = app.store.flag_change(id).await?;
    change
        .filter(|change| change.environment == environment)
        .ok_or_else(|| Problem::absent("change with this id in this environment"))
}

/// Returns the version that the change was made from, and its document. Takes the document out of
/// the change.
async fn before_and_after(
    app: &App,
    change: &mut FlagChange,
) -> Result<(Document, Document), StoreError> {
    let environment = &change.environment;
    let text = std::mem::take(&mut change.document);
    let after = saving::stored(ParseOrder::Queued, environment, change.base, text).await?;
    let base = saving::at_version(&app.store, ParseOrder::Queued, environment, change.base).await?;
    Ok((base.unwrap_or_else(|| Document::new(environment)), after))
}

/// Returns whether a change needs no approval under any rule.
pub async fn is_free(app: &App, mut change: FlagChange) -> Result<bool, StoreError> {
    let (base, after) = before_and_after(app, &mut change).await?;
    Ok(only_switches_off(&base, &after))
}

async fn body(app: &App, mut change: FlagChange) -> Result<ChangeBody, Problem> {
    let environment = change.environment.clone();
    let sha256 = change_hash(&change);
    let approvals = app.store.approvals(FLAGS, &change.id, &sha256).await?;
    let rejection = app.store.rejection(FLAGS, &change.id).await?;
    let (base, after) = before_and_after(app, &mut change).await?;
    // Switching flags off needs no approval.
    let needed = match only_switches_off(&base, &after) {
        true => 0,
        false => app.store.approvals_needed(FLAGS, &environment).await?,
    };
    Ok(ChangeBody {
        objects: Some(diff_with_members(&base, &after)),
        sha256: Some(sha256),
        approvals_needed: Some(needed),
        approvals: Some(approvals.into_iter().map(ApprovalBody::from).collect()),
        rejection: rejection.map(RejectionBody::from),
        ..ChangeBody::from(change)
    })
}

/// List changes, newest first, including decided ones.
///
/// The list does not have the changed objects; read a single change for them.
///
/// - 404 `not_found`: the environment does not exist.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/changes", tag = "admin-flags",
    params(EnvironmentPath, Page),
    responses((status = 200, body = Paged<ChangeBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn changes(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let rows = app.store.flag_changes(&environment, page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(rows, |row| row.id.clone(), ChangeBody::from)))
}

/// Propose or schedule a change of the configuration.
///
/// Without `at`, the change is proposed, and a person applies it. With `at`, the server applies it
/// at that time. The differences from the version in `If-Match` are applied; other changes until
/// then remain. If another change has edited the same object, this change fails with the status
/// `refused`. A retry creates another change.
///
/// - 412 `precondition_failed`: another version was saved in the meantime.
/// - 422 `invalid_document`: the configuration is invalid.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/changes", tag = "admin-flags",
    params(EnvironmentPath, IfMatch),
    request_body = NewChangeBody,
    responses((status = 201, body = ChangeBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn schedule(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageFlags>,
    Path(environment): Path<String>,
    headers: HeaderMap,
    Text(text, _turn): Text,
) -> Result<Response, Problem> {
    let base = if_match(&headers)?;
    let invalid = |detail: String| Problem::invalid("invalid_request", detail, Vec::new());
    let new: NewChangeBody = serde_json::from_str(&text)
        .map_err(|error| invalid(format!("The body is invalid: {error}.")))?;
    let at = match new.at.as_deref().map(Instant::parse) {
        None => None,
        Some(Ok(at)) if at > app.now() => Some(at),
        Some(_) => return Err(invalid("'at' must be an RFC 3339 timestamp in the future.".into())),
    };
    let comment = checked_comment(new.comment)?;
    operator.check_rights_again(&app).await?;
    let document = parse(new.document.get().to_owned()).await?;
    check_in_store(&app, &document).await?;
    let environment = served(&app, &environment).await?;
    if environment.version != base {
        return Err(changed_meanwhile());
    }
    let (id, name) = (random::uuid(), environment.name);
    let row = NewFlagChange {
        id: &id,
        environment: &name,
        at,
        base,
        document: &document.to_json(),
        author: Some(&operator.subject),
        comment: comment.as_deref(),
    };
    app.store.schedule_flags(&row, app.now()).await?;
    let when = at.map_or_else(String::new, |at| format!(" at {at}"));
    let (detail, actor) = (format!("change {id}{when}"), Some(operator.subject.as_str()));
    saving::audit(&app.store, "flags_change_scheduled", &name, &detail, actor, app.now()).await?;
    refresh(&app).await?;
    let change = found(&app, &name, &id).await?;
    Ok((StatusCode::CREATED, private(&body(&app, change).await?)).into_response())
}

/// Read a change with the objects that it changes.
///
/// `objects` compares the version that the change was made from with the document of the change.
///
/// - 404 `not_found`: the environment has no such change.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/changes/{id}", tag = "admin-flags",
    params(ChangePath),
    responses((status = 200, body = ChangeBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn change(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path((environment, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let change = found(&app, &environment, &id).await?;
    Ok(private(&body(&app, change).await?))
}

/// Apply a change now.
///
/// Other changes since then remain. If another change has edited the same object, this change gets
/// the status `refused` with the reason `conflict`, and nothing is applied.
///
/// - 409 `approval_required`: approvals are missing.
/// - 409 `conflict`: the change is already decided, for example by the first request if this is a
///   retry.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/changes/{id}/apply", tag = "admin-flags", operation_id = "apply_change",
    params(ChangePath, BreakGlassQuery),
    responses((status = 200, body = ChangeBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn apply(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageFlags>,
    Path((environment, id)): Path<(String, String)>,
    Query(glass): Query<BreakGlassQuery>,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let change = found(&app, &environment, &id).await?;
    open_hash(&change)?;
    let glass = glass.by(&operator)?;
    // Retries if another version is saved at the same time.
    let mut is_applied = false;
    for _ in 0..TRIES {
        is_applied |=
            settle(&app.store, &change, Clearance::ByRules(glass.as_ref()), app.now()).await?;
        if open_hash(&found(&app, &environment, &id).await?).is_err() {
            break;
        }
    }
    refresh(&app).await?;
    // Only the request that applied the change records its decisions.
    if is_applied {
        record_decisions(&app, &id).await;
    }
    Ok(private(&body(&app, found(&app, &environment, &id).await?).await?))
}

/// Records the decisions on experiments in the scheduled changes that this node has applied.
pub async fn record_scheduled(app: &Arc<App>) {
    for id in app.ruleset.take_applied() {
        record_decisions(app, &id).await;
    }
}

/// Records the decisions on experiments in an applied change. An error here does not affect the
/// change.
async fn record_decisions(app: &Arc<App>, id: &str) {
    if let Err(problem) = decisions_of(app, id).await {
        tracing::error!(change = id, problem = ?problem, "the experiment decisions of an applied change were not recorded");
    }
}

async fn decisions_of(app: &Arc<App>, id: &str) -> Result<(), Problem> {
    let Some(mut change) = app.store.flag_change(id).await? else { return Ok(()) };
    let (before, after) = before_and_after(app, &mut change).await?;
    let reason = change.comment.as_deref().unwrap_or(NO_COMMENT);
    // An erased author has no subject.
    let author = change.subject.as_deref().unwrap_or_default();
    record_applied(app, &change.environment, (&before, &after), reason, author).await
}

/// Cancel a change.
///
/// - 409 `conflict`: the change is already decided, for example by the first request if this is a
///   retry.
#[utoipa::path(
    delete, path = "/api/admin/v1/environments/{environment}/changes/{id}", tag = "admin-flags",
    params(ChangePath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn cancel(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageFlags>,
    Path((environment, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    found(&app, &environment, &id).await?;
    if !app.store.close_flag_change(&id, None, app.now()).await? {
        return Err(not_pending());
    }
    let (detail, actor) = (format!("change {id}"), Some(operator.subject.as_str()));
    saving::audit(&app.store, "flags_change_cancelled", &environment, &detail, actor, app.now())
        .await?;
    refresh(&app).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

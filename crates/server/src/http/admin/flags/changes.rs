//! `/environments/{environment}/changes`: configurations that become current by themselves.

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
use super::document::{Text, check_new_keys, parse};
use crate::app::App;
use crate::closed_sets;
use crate::http::admin::approvals::{ApprovalBody, BreakGlassQuery, FLAGS, RejectionBody};
use crate::http::admin::body::{changed_meanwhile, if_match};
use crate::http::admin::decisions::record_applied;
use crate::http::admin::environments::{refresh, served};
use crate::http::admin::page::{Page, Paged};
use crate::http::caching::private;
use crate::http::flags::schema::NewFlagConfiguration;
use crate::http::parameters::{ChangePath, EnvironmentPath, IfMatch};
use crate::http::permission::{ManageFlags, May, ReadFlags};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::Query;
use crate::random;
use crate::ruleset::diff::{ObjectDiff, diff_with_members, only_switches_off};
use crate::ruleset::reading::Turn;
use crate::ruleset::saving::{self, TRIES};
use crate::ruleset::schedule::{APPROVAL_REQUIRED, change_hash, settle};

/// The reason of a decision whose change has no comment.
const UNEXPLAINED: &str = "no comment";

/// A configuration to publish later.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewChangeBody {
    /// When it becomes current: a time in the future. Null or absent: when somebody applies it.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// Why, for the history.
    #[schema(max_length = 1000)]
    comment: Option<String>,
    /// The configuration.
    #[schema(value_type = NewFlagConfiguration)]
    document: Box<RawValue>,
}

/// A scheduled change of a configuration.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ChangeBody {
    /// Identifies the change.
    #[schema(format = "uuid")]
    id: String,
    /// The environment.
    environment: String,
    /// When it becomes current. Null: when somebody applies it.
    #[schema(required, format = DateTime)]
    at: Option<String>,
    /// The version that it was made from. What differs from it is what will change, whatever else
    /// is changed until then.
    #[schema(minimum = 0)]
    base: i64,
    /// The user id of whoever scheduled it. Absent if the person is not known any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// Why. Absent if nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 1000)]
    comment: Option<String>,
    /// When it was scheduled.
    #[schema(format = DateTime)]
    created_at: String,
    /// What became of it.
    #[schema(value_type = closed_sets::ChangeStatus)]
    status: String,
    /// When it became current, was cancelled or was refused. Absent while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    settled_at: Option<String>,
    /// The version that it became. Absent if it did not become one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    version: Option<i64>,
    /// Why it did not become current. Absent if it was not refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    /// Why it was refused, for programs. Absent if it was not refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<closed_sets::ChangeRefusal>)]
    reason: Option<&'static str>,
    /// The hash of the change, which an approval names. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: Option<String>,
    /// How many approvals it needs. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    approvals_needed: Option<i64>,
    /// Who has approved it. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    approvals: Option<Vec<ApprovalBody>>,
    /// Why it was sent back. Absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<RejectionBody>,
    /// What it changes. Absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<Vec<ObjectDiff>>,
}

impl From<FlagChange> for ChangeBody {
    fn from(it: FlagChange) -> Self {
        let text = |millis| Instant::from_millis(millis).to_string();
        Self {
            id: it.id,
            environment: it.environment,
            at: (it.at != PROPOSED).then(|| text(it.at)),
            base: it.base,
            author: it.author,
            comment: it.comment,
            created_at: text(it.created_at),
            status: it.status,
            settled_at: it.settled_at.map(text),
            version: it.version,
            reason: it.refusal.as_deref().map(|refusal| match refusal {
                APPROVAL_REQUIRED => APPROVAL_REQUIRED,
                _ => "conflict",
            }),
            refusal: it.refusal,
            sha256: None,
            approvals_needed: None,
            approvals: None,
            rejection: None,
            objects: None,
        }
    }
}

/// The hash of all that a change says; 409 for one that is settled.
pub fn open_hash(change: &FlagChange) -> Result<String, Problem> {
    if !["waiting", "proposed"].contains(&change.status.as_str()) {
        return Err(settled());
    }
    Ok(change_hash(change))
}

fn settled() -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", "It does not wait any more.")
}

pub async fn found(app: &App, environment: &str, id: &str) -> Result<FlagChange, Problem> {
    let change = app.store.flag_change(id).await?;
    change
        .filter(|it| it.environment == environment)
        .ok_or_else(|| Problem::absent("change of this id in this environment"))
}

/// The version that the change was made from, and what it makes of that. Takes the document out of the change.
async fn before_and_after(
    app: &App,
    change: &mut FlagChange,
) -> Result<(Document, Document), StoreError> {
    let environment = &change.environment;
    let text = std::mem::take(&mut change.document);
    let becomes = saving::stored(Turn::Queued, environment, change.base, text).await?;
    let base = saving::at_version(&app.store, Turn::Queued, environment, change.base).await?;
    Ok((base.unwrap_or_else(|| Document::new(environment)), becomes))
}

/// Whether nobody has to approve it, whatever the rules say.
pub async fn is_free(app: &App, mut change: FlagChange) -> Result<bool, StoreError> {
    let (base, becomes) = before_and_after(app, &mut change).await?;
    Ok(only_switches_off(&base, &becomes))
}

async fn body(app: &App, mut change: FlagChange) -> Result<ChangeBody, Problem> {
    let environment = change.environment.clone();
    let sha256 = change_hash(&change);
    let given = app.store.approvals(FLAGS, &change.id, &sha256).await?;
    let rejection = app.store.rejection(FLAGS, &change.id).await?;
    let (base, becomes) = before_and_after(app, &mut change).await?;
    // Switching off needs nobody.
    let needed = match only_switches_off(&base, &becomes) {
        true => 0,
        false => app.store.approvals_needed(FLAGS, &environment).await?,
    };
    Ok(ChangeBody {
        objects: Some(diff_with_members(&base, &becomes)),
        sha256: Some(sha256),
        approvals_needed: Some(needed),
        approvals: Some(given.into_iter().map(ApprovalBody::from).collect()),
        rejection: rejection.map(RejectionBody::from),
        ..ChangeBody::from(change)
    })
}

/// List scheduled changes, newest first, settled ones too.
///
/// Without the objects that they change: read one change for them. 404 `not_found`: no such environment.
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
    let found = app.store.flag_changes(&environment, page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(found, |it| it.id.clone(), ChangeBody::from)))
}

/// Propose or schedule a change of the configuration.
///
/// Without `at` it is proposed, and somebody applies it; with `at` it applies itself at that time. What is applied are
/// the differences from the version that `If-Match` names. What others change until then stays; if both changed the
/// same object, the change is refused. 412 `precondition_failed`: somebody saved another version meanwhile. 422 `invalid_document`. A repeat schedules another change.
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
    let new: NewChangeBody =
        serde_json::from_str(&text).map_err(|error| invalid(format!("The body: {error}.")))?;
    let at = match new.at.as_deref().map(Instant::parse) {
        None => None,
        Some(Ok(at)) if at > app.now() => Some(at),
        Some(_) => return Err(invalid("'at' is an RFC 3339 instant in the future.".into())),
    };
    let comment = checked_comment(new.comment)?;
    operator.check_rights_again(&app).await?;
    let document = parse(new.document.get().to_owned()).await?;
    check_new_keys(&app, &document).await?;
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

/// Read a scheduled change and what it changes.
///
/// `objects` compares the version for which it was scheduled with the document that it makes. 404 `not_found`: no such
/// change in this environment.
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
/// What others changed meanwhile stays. If both changed the same object, the change becomes `refused` with the reason
/// `conflict`, and nothing is applied. 409 `approval_required`: it lacks approvals. 409 `conflict`: it is settled, so a
/// repeat is refused.
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
    // Whoever saves another version in between makes it be tried again.
    let mut is_made = false;
    for _ in 0..TRIES {
        is_made |=
            settle(&app.store, &change, Clearance::ByRules(glass.as_ref()), app.now()).await?;
        if open_hash(&found(&app, &environment, &id).await?).is_err() {
            break;
        }
    }
    refresh(&app).await?;
    // Whoever applied it at the same moment records what it decided.
    if is_made {
        record_decisions(&app, &id).await;
    }
    Ok(private(&body(&app, found(&app, &environment, &id).await?).await?))
}

/// Records what the scheduled changes decided that this node has applied.
pub async fn record_scheduled(app: &Arc<App>) {
    for id in app.ruleset.take_applied() {
        record_decisions(app, &id).await;
    }
}

/// Records what a change decided about experiments once it is applied. The change stands, whatever becomes of this.
async fn record_decisions(app: &Arc<App>, id: &str) {
    if let Err(problem) = decisions_of(app, id).await {
        tracing::error!(change = id, problem = ?problem, "the experiment decisions of an applied change were not recorded");
    }
}

async fn decisions_of(app: &Arc<App>, id: &str) -> Result<(), Problem> {
    let Some(mut change) = app.store.flag_change(id).await? else { return Ok(()) };
    let (before, after) = before_and_after(app, &mut change).await?;
    let reason = change.comment.as_deref().unwrap_or(UNEXPLAINED);
    // Nobody knows who somebody was that is erased.
    let author = change.subject.as_deref().unwrap_or_default();
    record_applied(app, &change.environment, (&before, &after), reason, author).await
}

/// Cancel a scheduled change.
///
/// 409 `conflict`: it does not wait any more, so a repeat is refused.
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
    if !app.store.drop_flag_change(&id, None, app.now()).await? {
        return Err(settled());
    }
    let (detail, actor) = (format!("change {id}"), Some(operator.subject.as_str()));
    saving::audit(&app.store, "flags_change_cancelled", &environment, &detail, actor, app.now())
        .await?;
    refresh(&app).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

//! `/automated-systems`: drafts and published versions of the register.

mod answers;
mod body;
mod publish;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use musette_core::decisions::systems::{
    SystemDefinition, SystemFieldError, SystemRegister, is_system_key,
};
use musette_store::{SystemDraft, SystemDraftSaved};

use crate::http::access::audit::{audit_action, event_about};
use crate::http::access::caller::Caller;
use crate::http::access::permission::{ManageSystems, May, Reach, ReadSystems, Within};
use crate::http::wire::body::{Body, changed_meanwhile, if_match, revised};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{MaybeIfMatch, SystemPath};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::node::app::App;
use crate::node::live::Live;
pub use answers::{SystemHistory, SystemList, SystemSummary, SystemVersionBody};
pub use body::SystemBody;
pub use publish::{__path_publish, publish};

/// List the automated systems of the register.
///
/// A representative sees published systems only, without their drafts.
#[utoipa::path(
    get, path = "/api/admin/v1/automated-systems", tag = "admin-decisions",
    operation_id = "automated_systems",
    responses((status = 200, body = SystemList), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_systems"]))
)]
pub async fn systems(
    State(app): State<Arc<App>>,
    May { caller, .. }: May<ReadSystems>,
) -> Result<Response, Problem> {
    let register = app.store.system_register().await?;
    let mut drafts = app.store.system_drafts().await?;
    if !caller.is_colleague() {
        drafts.clear();
    }
    let mut keys: Vec<&String> = drafts.iter().map(|draft| &draft.key).collect();
    keys.extend(register.all().iter().map(|version| &version.key));
    keys.sort_unstable();
    keys.dedup();
    let now = app.now();
    let items = keys.into_iter().filter_map(|key| {
        let draft = drafts.iter().find(|draft| draft.key == *key);
        SystemSummary::new(register.versions(key), draft, now)
    });
    Ok(private(&SystemList { items: items.collect() }))
}

/// Read the draft and the published versions of an automated system.
///
/// Each version has its differences from the previous one. If the system has a draft, the ETag is
/// that of the draft. A representative does not get drafts.
#[utoipa::path(
    get, path = "/api/admin/v1/automated-systems/{key}", tag = "admin-decisions",
    operation_id = "automated_system",
    params(SystemPath),
    responses((status = 200, body = SystemHistory), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_systems"]))
)]
pub async fn system(
    State(app): State<Arc<App>>,
    May { caller, .. }: May<ReadSystems>,
    Path(key): Path<String>,
) -> Result<Response, Problem> {
    let draft = match caller.is_colleague() {
        true => app.store.system_draft(&key).await?,
        false => None,
    };
    history(&app, key, draft, StatusCode::OK).await
}

/// Returns a system with its draft and its versions.
async fn history(
    app: &App,
    key: String,
    draft: Option<SystemDraft>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let register = app.store.system_register().await?;
    let versions = register.versions(&key);
    if draft.is_none() && versions.is_empty() {
        return Err(absent());
    }
    let revision = draft.as_ref().map(|draft| draft.revision);
    let history = SystemHistory::new(key, draft, versions);
    Ok(match revision {
        Some(revision) => revised(status, revision, &history),
        None => (status, private(&history)).into_response(),
    })
}

/// Save the draft of an automated system.
///
/// Creates the system if it does not exist. Published versions do not change. With `If-Match`, the
/// draft is saved only if it has not changed since it was read.
///
/// - 400 `invalid_parameter`: the key does not match `[a-z][a-z0-9-]{0,62}`.
/// - 412 `precondition_failed`: the draft has changed since it was read, or there is none.
/// - 422 `contact_required`: the contact has no name, or neither an e-mail address nor a phone
///   number.
/// - 422 `unknown_market`: a market is malformed, or its place is not declared.
/// - 422 `invalid_request`: other members are missing or malformed; `errors[]` names them. A system
///   of the kind `decision` needs `human_oversight`.
#[utoipa::path(
    put, path = "/api/admin/v1/automated-systems/{key}", tag = "admin-decisions",
    operation_id = "save_automated_system",
    params(SystemPath, MaybeIfMatch),
    request_body = SystemBody,
    responses(
        (status = 200, body = SystemHistory), (status = 201, body = SystemHistory),
        (status = "4XX", body = ProblemBody)
    ),
    security(("bearer" = ["manage_systems"]))
)]
pub async fn save_system(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManageSystems>,
    Path(key): Path<String>,
    headers: HeaderMap,
    Body(body): Body<SystemBody>,
) -> Result<Response, Problem> {
    if !is_system_key(&key) {
        let detail = "The key must match [a-z][a-z0-9-]{0,62}.";
        return Err(Problem::invalid_parameter(detail));
    }
    let revision = maybe_if_match(&headers)?;
    let (definition, mut faults) = body.definition();
    faults.extend(unknown_markets(&app.live.load(), &definition));
    if !faults.is_empty() {
        return Err(invalid(faults));
    }
    check_reach(&caller, &reach, &definition)?;
    check_reach_of_system(&app, &caller, &reach, &key).await?;
    let author = &caller.subject;
    let now = app.now();
    let saved = app.store.save_system_draft(&key, &definition, revision, author, now).await?;
    let status = match saved {
        SystemDraftSaved::NewSystem => StatusCode::CREATED,
        SystemDraftSaved::Existing => StatusCode::OK,
        SystemDraftSaved::Stale => return Err(changed_meanwhile()),
    };
    audit_action(&app, author, event_about("system_draft_saved", key.clone())).await;
    let draft = app.store.system_draft(&key).await?;
    history(&app, key, draft, status).await
}

/// Delete the draft of an automated system.
///
/// Published versions remain.
///
/// - 404 `not_found`: there is no draft, for example because the first request succeeded.
/// - 412 `precondition_failed`: the draft has changed since it was read.
#[utoipa::path(
    delete, path = "/api/admin/v1/automated-systems/{key}/draft", tag = "admin-decisions",
    operation_id = "delete_automated_system_draft",
    params(SystemPath, MaybeIfMatch),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_systems"]))
)]
pub async fn delete_draft(
    State(app): State<Arc<App>>,
    Within { caller, reach, .. }: Within<ManageSystems>,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let draft = draft_of(&app, &key, &headers).await?;
    check_reach(&caller, &reach, &draft.definition)?;
    if !app.store.delete_system_draft(&key, draft.revision).await? {
        return Err(changed_meanwhile());
    }
    audit_action(&app, &caller.subject, event_about("system_draft_dropped", key)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Returns the draft of a system, if it has the revision in `If-Match`.
async fn draft_of(app: &App, key: &str, headers: &HeaderMap) -> Result<SystemDraft, Problem> {
    let draft = app.store.system_draft(key).await?;
    let draft = draft.ok_or_else(|| Problem::absent("draft of a system with this key"))?;
    match maybe_if_match(headers)? {
        Some(revision) if revision != draft.revision => Err(changed_meanwhile()),
        _ => Ok(draft),
    }
}

fn maybe_if_match(headers: &HeaderMap) -> Result<Option<i64>, Problem> {
    headers.contains_key(header::IF_MATCH).then(|| if_match(headers)).transpose()
}

fn absent() -> Problem {
    Problem::absent("automated system with this key")
}

fn unknown_markets(live: &Live, definition: &SystemDefinition) -> Vec<SystemFieldError> {
    let codes = definition.markets.iter().enumerate();
    let unknown = codes.filter_map(|(i, code)| Some((i, live.markets.asked(code).err()?)));
    let fault = |(i, unknown): (usize, crate::markets::UnknownMarket)| SystemFieldError {
        pointer: format!("/markets/{i}"),
        code: "unknown_market",
        detail: unknown.to_string(),
    };
    unknown.map(fault).collect()
}

/// Returns the error of a description. It has a precise code if all its errors have that one.
fn invalid(faults: Vec<SystemFieldError>) -> Problem {
    let precise = ["contact_required", "unknown_market"];
    let code = precise.into_iter().find(|code| faults.iter().all(|fault| fault.code == *code));
    let detail = faults.first().map(|fault| format!("{}: {}", fault.pointer, fault.detail));
    let errors = faults.into_iter().map(|fault| ProblemError {
        pointer: fault.pointer,
        code: fault.code.into(),
        detail: fault.detail,
        replaced_by: None,
        page: None,
    });
    let errors = errors.collect();
    Problem::invalid(code.unwrap_or("invalid_request"), detail.unwrap_or_default(), errors)
}

/// Checks that the caller's roles cover every market of a description.
fn check_reach(
    caller: &Caller,
    reach: &Reach,
    definition: &SystemDefinition,
) -> Result<(), Problem> {
    let is_covered = match &definition.markets[..] {
        [] => reach.covers(None),
        codes => codes.iter().all(|code| reach.covers_code(Some(code))),
    };
    if is_covered { Ok(()) } else { Err(Problem::out_of_reach(&caller.subject, "/markets")) }
}

/// Checks that the caller's roles cover the markets of the draft and of the newest version, so that
/// a role for one market cannot take a description away from another.
async fn check_reach_of_system(
    app: &App,
    caller: &Caller,
    reach: &Reach,
    key: &str,
) -> Result<(), Problem> {
    if reach.markets.is_none() {
        return Ok(());
    }
    let draft = app.store.system_draft(key).await?;
    let register: SystemRegister = app.store.system_register().await?;
    let newest = register.versions(key).last().map(|version| &version.definition);
    let existing = draft.iter().map(|draft| &draft.definition).chain(newest);
    for definition in existing {
        check_reach(caller, reach, definition)?;
    }
    Ok(())
}

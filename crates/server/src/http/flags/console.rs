//! `/environments/{environment}/flags`: reads and changes the current configuration.

pub mod changes;
mod document;
pub mod merge;
mod preview;
mod stale;
mod version_body;
mod versions;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use musette_core::flags::{Document, changed_weights};
use musette_store::Clearance;
use serde::{Deserialize, Serialize};

use super::environments::{refresh, served};
use crate::flags::ruleset::diff::only_switches_off;
use crate::flags::ruleset::notices;
use crate::flags::ruleset::reading::{ParseOrder, examined};
use crate::flags::ruleset::saving;
use crate::flags::ruleset::saving::{Base, ChangeMetadata};
use crate::http::access::approvals::BreakGlassQuery;
use crate::http::access::permission::{ManageFlags, May, ReadFlags, Within};
use crate::http::flags::schema::{FlagConfiguration, NewFlagConfiguration};
use crate::http::wire::body::{Body, changed_meanwhile, if_match, revised};
use crate::http::wire::caching::{none_match, private};
use crate::http::wire::parameters::{EnvironmentPath, FlagOfEnvironmentPath, IfMatch, IfNoneMatch};
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::http::wire::query::{FromQuery, Parameters};
use crate::node::app::App;
use crate::platform::etag;
pub use changes::{
    __path_apply, __path_cancel, __path_change, __path_changes, __path_schedule, apply, cancel,
    change, changes, found, is_free, open_hash, schedule,
};
use document::{Text, ValidConfiguration, check_in_store, errors_in_store, parse, problem_errors};
pub use preview::{__path_evaluate, evaluate};
pub use stale::{__path_stale, stale};
use version_body::{VersionBody, bodies};
pub use versions::{
    __path_compare, __path_revert, __path_version, __path_versions, compare, revert, version,
    versions,
};

/// The errors of a configuration.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CheckBody {
    /// True if the configuration can be saved.
    valid: bool,
    /// The errors, each with its place. Empty if the configuration can be saved.
    #[serde(rename = "faults")]
    errors: Vec<ProblemError>,
    /// Side effects of this change that are not errors, each with its place. Absent if there is
    /// nothing. `weights_changed`: the weights of a running experiment would change within its
    /// phase. `waits_for_notice`: the flag would serve its off variation until its notice was served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<ProblemError>,
}

/// The configuration to copy.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct CopyBody {
    /// The environment whose current configuration is copied. An unknown environment returns 422
    /// `unknown_environment`.
    from: String,
}

/// The state of a flag's kill switch.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct SwitchBody {
    /// True: the flag is evaluated. False: it serves its off variation.
    on: bool,
    /// The reason, for the history.
    #[schema(max_length = 1000)]
    comment: Option<String>,
}

/// The comment on a saved configuration.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CommentQuery {
    /// The reason for the change, for the history: 1 to 1000 characters.
    #[param(max_length = 1000)]
    comment: Option<String>,
}

impl FromQuery for CommentQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let comment = parameters.text("comment").map(str::to_owned);
        Ok(Self { comment: checked_comment(comment)? })
    }
}

fn checked_comment(comment: Option<String>) -> Result<Option<String>, Problem> {
    let comment = comment.filter(|text| !text.is_empty());
    if comment.as_deref().is_some_and(|text| !saving::is_comment(text)) {
        return Err(Problem::invalid_parameter("A comment must have 1 to 1000 characters."));
    }
    Ok(comment)
}

async fn current(app: &App, environment: &str) -> Result<Base, Problem> {
    saving::current(&app.store, ParseOrder::Queued, environment)
        .await?
        .ok_or_else(|| Problem::absent("environment with this name"))
}

/// Saves a document that was edited from `base`, serves it, and returns the new version.
async fn save(
    app: &App,
    environment: &str,
    base: i64,
    document: Document,
    by: ChangeMetadata<'_>,
) -> Result<Response, Problem> {
    served(app, environment).await?;
    let before = saving::at_version(&app.store, ParseOrder::Queued, environment, base).await?;
    let base = Base { version: base, document: before.ok_or_else(changed_meanwhile)? };
    let mut warnings = changed_weights(&base.document, &document);
    let (store, now) = (&app.store, app.now());
    let save = saving::save_after(store, environment, &base, document.clone(), by, now);
    let version = save.await?.ok_or_else(changed_meanwhile)?;
    refresh(app).await?;
    warnings.extend(notices::warnings(store, environment, version, &document, now).await?);
    saved_version(app, environment, version, problem_errors(&warnings)).await
}

async fn saved_version(
    app: &App,
    environment: &str,
    version: i64,
    warnings: Vec<ProblemError>,
) -> Result<Response, Problem> {
    let row = app.store.flag_version(environment, version).await?;
    let mut bodies = bodies(app, environment, row.into_iter().collect()).await?;
    let mut body = bodies
        .pop()
        .ok_or_else(|| Problem::absent("version with this number in this environment"))?;
    body.warnings = warnings;
    Ok(revised(StatusCode::OK, version, &body))
}

/// Read the current configuration.
///
/// Send the ETag in the `If-Match` of the next change. `If-None-Match` is supported.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/flags", tag = "admin-flags",
    params(EnvironmentPath, IfNoneMatch),
    responses((status = 200, body = FlagConfiguration), (status = 304), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn flags(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let base = current(&app, &environment).await?;
    let etag = etag::quoted(&base.version.to_string());
    let fixed = [
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (header::ETAG, etag.clone()),
    ];
    if none_match(&headers, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    Ok((fixed, json, base.document.to_json()).into_response())
}

/// Save a configuration as the next version.
///
/// Every node serves it within a second. A change that only switches flags off needs no approval.
/// A flag with `requires_notice` serves its off variation until that notice was served; `warnings`
/// explains it. `break_glass` bypasses this for the flags that the version changes, or for all if
/// it changes none.
///
/// - 409 `approval_required`: changes in this environment need approvals. Create a proposed change.
/// - 412 `precondition_failed`: another version was saved in the meantime, for example by the first
///   request if this is a retry.
/// - 422 `invalid_document`: the configuration is invalid; `errors[]` lists each error and its
///   place. No version was saved. A key of a flag, segment, experiment or holdout that no
///   environment has yet must match `[a-z0-9][a-z0-9._-]{0,99}`; otherwise its error is
///   `malformed_key`. A `requires_notice` whose term does not exist is `unknown_term`, and one that
///   names a consent is `not_a_notice`.
#[utoipa::path(
    put, path = "/api/admin/v1/environments/{environment}/flags", tag = "admin-flags",
    params(EnvironmentPath, CommentQuery, BreakGlassQuery, IfMatch),
    request_body(content = NewFlagConfiguration, description = "The configuration, at most 4 MiB and 120,000 values. Its `environment` and `version` are ignored."),
    responses((status = 200, body = VersionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn put_flags(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageFlags>,
    Path(environment): Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
    ValidConfiguration(document, _turn): ValidConfiguration,
) -> Result<Response, Problem> {
    let base = if_match(&headers)?;
    let CommentQuery { comment } = CommentQuery::from_query(&parameters)?;
    let glass = BreakGlassQuery::from_query(&parameters)?.by(&operator)?;
    operator.check_rights_again(&app).await?;
    check_in_store(&app, &document).await?;
    let before = saving::at_version(&app.store, ParseOrder::Queued, &environment, base).await?;
    let is_off = before.is_some_and(|before| {
        // A version without a change may bypass the wait for notices.
        let is_bypass = glass.is_some() && before.flags == document.flags;
        only_switches_off(&before, &document) && !is_bypass
    });
    let clearance = if is_off { Clearance::Free } else { Clearance::ByRules(glass.as_ref()) };
    let (author, comment) = (Some(operator.subject.as_str()), comment.as_deref());
    let by = ChangeMetadata { author, comment, clearance, bypassed_flag: None };
    save(&app, &environment, base, document, by).await
}

/// Switch a flag on or off.
///
/// The kill switch. It applies to the current version, so the caller need not read it first; other
/// changes remain. If the flag already is in the requested state, the response has the current
/// version, so a retry is safe. Switching on with `break_glass` also bypasses the notice that the
/// flag requires.
///
/// - 409 `approval_required`: switching a flag on needs approvals in this environment.
#[utoipa::path(
    put, path = "/api/admin/v1/environments/{environment}/flags/{key}/on", tag = "admin-flags",
    params(FlagOfEnvironmentPath, BreakGlassQuery), request_body = SwitchBody,
    responses((status = 200, body = VersionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn switch(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageFlags>,
    Path((environment, key)): Path<(String, String)>,
    parameters: Parameters,
    Body(body): Body<SwitchBody>,
) -> Result<Response, Problem> {
    served(&app, &environment).await?;
    let glass = BreakGlassQuery::from_query(&parameters)?.by(&operator)?;
    // Switching a flag off needs no approval.
    let clearance = if body.on { Clearance::ByRules(glass.as_ref()) } else { Clearance::Free };
    let comment = checked_comment(body.comment)?;
    let (author, comment) = (Some(operator.subject.as_str()), comment.as_deref());
    let by = ChangeMetadata { author, comment, clearance, bypassed_flag: Some(&key) };
    let is_waiting = app.ruleset.environment(&environment);
    let is_waiting = is_waiting.is_some_and(|served| served.current().waiting.contains(&key));
    let mut unchanged_version = 0;
    let save = saving::save_onto(&app.store, &environment, by, app.now(), |base: &Base| {
        let mut document = base.document.clone();
        let flag = document.flags.iter_mut().find(|flag| flag.key == key);
        let flag = flag.ok_or_else(|| Problem::absent("flag with this key in this environment"))?;
        unchanged_version = base.version;
        // An admin may bypass the notice of a flag that is on already.
        let is_bypass = body.on && glass.is_some() && is_waiting;
        let changes = flag.on != body.on || is_bypass;
        flag.on = body.on;
        Ok::<_, Problem>(changes.then_some(document))
    });
    let version = match save.await? {
        Some(version) => version,
        None => unchanged_version,
    };
    refresh(&app).await?;
    saved_version(&app, &environment, version, Vec::new()).await
}

/// Check a configuration without saving it.
///
/// An invalid configuration also returns 200: `valid` is false, and each error has a JSON pointer.
/// Compiling regular expressions takes at most 2 seconds. The operation stores nothing, so a retry
/// returns the same result.
///
/// - 404 `not_found`: the environment does not exist.
/// - 413 `body_too_large`: the body has more than 4 MiB or 120,000 values.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/check", tag = "admin-flags",
    params(EnvironmentPath),
    request_body(content = NewFlagConfiguration, description = "The configuration, at most 4 MiB and 120,000 values."),
    responses((status = 200, body = CheckBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn check(
    State(app): State<Arc<App>>,
    _: May<ManageFlags>,
    Path(environment): Path<String>,
    Text(text, _turn): Text,
) -> Result<Response, Problem> {
    let base = current(&app, &environment).await?;
    let (errors, warnings) = match examined(text).await.map_err(Problem::internal)? {
        Ok(document) => {
            let mut warnings = changed_weights(&base.document, &document);
            let (store, now) = (&app.store, app.now());
            let waiting = notices::warnings(store, &environment, base.version, &document, now);
            warnings.extend(waiting.await?);
            (errors_in_store(&app, &document).await?, warnings)
        }
        Err(errors) => (errors, Vec::new()),
    };
    let (valid, warnings) = (errors.is_empty(), problem_errors(&warnings));
    Ok(private(&CheckBody { valid, errors: problem_errors(&errors), warnings }))
}

/// Copy another environment's current configuration as the next version.
///
/// - 409 `approval_required`: changes in this environment need approvals.
/// - 412 `precondition_failed`: another version was saved in the meantime.
/// - 422 `unknown_environment`: the environment in `from` does not exist.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/copy", tag = "admin-flags",
    params(EnvironmentPath, CommentQuery, BreakGlassQuery, IfMatch),
    request_body = CopyBody,
    responses((status = 200, body = VersionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn copy(
    State(app): State<Arc<App>>,
    Within { caller: operator, reach, .. }: Within<ManageFlags>,
    Path(environment): Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
    Body(body): Body<CopyBody>,
) -> Result<Response, Problem> {
    if reach.environments.is_some_and(|environments| !environments.contains(&body.from)) {
        return Err(Problem::denied_to(&operator.subject));
    }
    let base = if_match(&headers)?;
    let CommentQuery { comment } = CommentQuery::from_query(&parameters)?;
    let glass = BreakGlassQuery::from_query(&parameters)?.by(&operator)?;
    let Some(copied) = saving::current(&app.store, ParseOrder::Queued, &body.from).await? else {
        return Err(Problem::invalid(
            "unknown_environment",
            "The environment to copy from does not exist.",
            Vec::new(),
        ));
    };
    let default_comment = format!("copied from {}, version {}", body.from, copied.version);
    let by = ChangeMetadata {
        author: Some(&operator.subject),
        comment: Some(comment.as_deref().unwrap_or(&default_comment)),
        clearance: Clearance::ByRules(glass.as_ref()),
        bypassed_flag: None,
    };
    let document = parse(copied.document.to_json()).await?;
    save(&app, &environment, base, document, by).await
}

//! `/environments/{environment}/merge`: prepares a change for review.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use musette_core::flags::Document;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::current;
use super::document::Text;
use crate::flags::ruleset::diff::{only_switches_off, tree};
use crate::flags::ruleset::merge::{MergeConflict, combine};
use crate::flags::ruleset::reading::{ParseOrder, reading};
use crate::http::access::approvals::FLAGS;
use crate::http::access::permission::{ManageFlags, May};
use crate::http::flags::schema::{FlagConfiguration, NewFlagConfiguration};
use crate::http::wire::body::{changed_meanwhile, if_match};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{EnvironmentPath, IfMatch};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// A change to merge into the current configuration.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct MergeBody {
    /// The configuration from which the change was made. It need not be valid.
    #[schema(value_type = NewFlagConfiguration)]
    base: Map<String, Value>,
    /// The changed configuration. It need not be valid.
    #[schema(value_type = NewFlagConfiguration)]
    document: Map<String, Value>,
    /// The conflicts of which this change's side is taken, each `section/key/part`. Absent means
    /// that the current version's side of each is taken.
    #[serde(default)]
    #[schema(required = false)]
    mine: HashSet<String>,
}

/// The current configuration with the change.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct MergedBody {
    /// The merged configuration. Saving it checks it.
    #[schema(value_type = FlagConfiguration)]
    document: Value,
    /// What both sides have changed differently, whatever `mine` says.
    conflicts: Vec<MergeConflict>,
    /// The number of approvals that saving the merged configuration needs. 0 if it only switches
    /// flags off.
    #[schema(minimum = 0)]
    approvals_needed: i64,
}

/// Merge a change into the current configuration, without saving it.
///
/// Applies the differences between `base` and `document` to the version in `If-Match`: object by
/// object, within an object member by member, and in a list of rules or variations element by
/// element. The operation stores nothing, so a retry returns the same result.
///
/// - 404 `not_found`: the environment does not exist.
/// - 412 `precondition_failed`: another version is current.
/// - 413 `body_too_large`: the body has more than 8 MiB or 240,000 values.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/merge", tag = "admin-flags",
    operation_id = "merge_flags", params(EnvironmentPath, IfMatch), request_body = MergeBody,
    responses((status = 200, body = MergedBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn merge(
    State(app): State<Arc<App>>,
    _: May<ManageFlags>,
    Path(environment): Path<String>,
    headers: HeaderMap,
    Text(text, _turn): Text<2>,
) -> Result<Response, Problem> {
    let version = if_match(&headers)?;
    let MergeBody { base, document, mine } = serde_json::from_str(&text).map_err(|error| {
        let detail = format!("The body is invalid: {error}.");
        Problem::invalid("invalid_request", detail, Vec::new())
    })?;
    let current = current(&app, &environment).await?;
    if current.version != version {
        return Err(changed_meanwhile());
    }
    let merging = reading(ParseOrder::Queued, move || {
        let (base, document) = (Value::Object(base), Value::Object(document));
        let merged = combine(&base, tree(&current.document), &document, &mine);
        // An invalid configuration cannot be saved, with or without approvals.
        let is_off = Document::parse(&merged.document.to_string())
            .is_ok_and(|document| only_switches_off(&current.document, &document));
        (merged, is_off)
    });
    let (merged, is_off) = merging.await.map_err(Problem::internal)?;
    let approvals_needed =
        if is_off { 0 } else { app.store.approvals_needed(FLAGS, &environment).await? };
    Ok(private(&MergedBody {
        document: merged.document,
        conflicts: merged.conflicts,
        approvals_needed,
    }))
}

//! `POST /environments/{environment}/evaluate`: evaluates a configuration for a person before it is
//! saved.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use musette_core::flags::{
    ApiVersion, Document, EvaluationInputs, NoStickyAssignments, Snapshot, write_unknown,
};
use musette_core::instant::Instant;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{Text, parse, problem_errors};
use crate::flags::ruleset::notices::released_if_saved;
use crate::flags::ruleset::reading::{ParseOrder, reading};
use crate::http::access::permission::{May, ReadFlags};
use crate::http::flags::environments::served;
use crate::http::flags::schema::NewFlagConfiguration;
use crate::http::flags::wire::PreviewResultsBody;
use crate::http::wire::parameters::EnvironmentPath;
use crate::http::wire::problem::{Problem, ProblemBody, ProblemError};
use crate::node::app::App;

/// A person and a configuration to evaluate.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct PreviewBody {
    /// The attributes of the person, as an application sends them.
    #[schema(value_type = Object)]
    attributes: Box<RawValue>,
    /// The keys of the flags to evaluate. Absent: all flags.
    flags: Option<Vec<String>>,
    /// A configuration that is not saved. Absent: the current one.
    #[schema(value_type = Option<NewFlagConfiguration>)]
    document: Option<Box<RawValue>>,
    /// The time of the evaluation. Default: the current time.
    #[schema(format = DateTime)]
    at: Option<String>,
}

/// Evaluate flags for a person before they are saved.
///
/// Each result has its trace. Nothing is counted or stored.
///
/// - 422 `invalid_document`: the configuration is invalid.
/// - 422 `invalid_context`: the attributes are invalid.
#[utoipa::path(
    post, path = "/api/admin/v1/environments/{environment}/evaluate", tag = "admin-flags",
    params(EnvironmentPath), request_body = PreviewBody,
    responses((status = 200, body = PreviewResultsBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn evaluate(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
    Text(text, _turn): Text,
) -> Result<Response, Problem> {
    let invalid = |detail: String| Problem::invalid("invalid_request", detail, Vec::new());
    let preview: PreviewBody = serde_json::from_str(&text)
        .map_err(|error| invalid(format!("The body is invalid: {error}.")))?;
    served(&app, &environment).await?;
    let now = match &preview.at {
        None => app.now(),
        Some(text) => Instant::parse(text)
            .map_err(|_| invalid("'at' must be an RFC 3339 timestamp.".to_owned()))?,
    };
    let snapshot = match &preview.document {
        Some(document) => {
            let document = parse(document.get().to_owned()).await?;
            let released = released_if_saved(&app.store, &environment, &document, now).await?;
            compiled(document, released).await?
        }
        None => {
            let served = app.ruleset.environment(&environment);
            served.ok_or_else(|| Problem::absent("environment with this name"))?.snapshot()
        }
    };
    let context = snapshot.context(preview.attributes.get()).map_err(|error| {
        let error_at = ProblemError {
            pointer: "/attributes".into(),
            code: "invalid_context".into(),
            detail: error.to_string(),
            replaced_by: None,
            page: None,
        };
        Problem::invalid("invalid_context", "The attributes are invalid.", vec![error_at])
    })?;
    let moment = EvaluationInputs { now, sticky: &NoStickyAssignments };
    let keys = match preview.flags {
        Some(mut keys) => {
            let mut unique = std::collections::HashSet::new();
            keys.retain(|key| unique.insert(key.clone()));
            keys
        }
        None => snapshot.flags().map(|flag| snapshot.key(flag).to_owned()).collect(),
    };
    let mut out = format!(r#"{{"version":{},"flags":{{"#, snapshot.version()).into_bytes();
    for (i, key) in keys.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend(serde_json::to_vec(key).unwrap_or_default());
        out.push(b':');
        match snapshot.flag(key) {
            None => write_unknown(ApiVersion::V3, &mut out),
            Some(flag) => {
                let (evaluation, trace) = snapshot.explain(flag, &context, &moment);
                evaluation.write_debug(ApiVersion::V3, &context, &trace, &mut out);
            }
        }
    }
    out.extend_from_slice(b"}}");
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
    ];
    Ok((headers, out).into_response())
}

async fn compiled(
    document: Document,
    released: BTreeSet<String>,
) -> Result<Arc<Snapshot>, Problem> {
    let work = move || Snapshot::compile_released(&document, &released);
    let compiled = reading(ParseOrder::Queued, work).await;
    let snapshot = compiled.map_err(Problem::internal)?.map_err(|errors| {
        Problem::invalid(
            "invalid_document",
            "The configuration is invalid.",
            problem_errors(&errors),
        )
    })?;
    Ok(Arc::new(snapshot))
}

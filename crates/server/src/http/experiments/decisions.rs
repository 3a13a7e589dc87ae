//! `/experiments/{key}/decisions`: the decisions on an experiment, with their author, time, reason
//! and results.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::flags::{Document, Experiment, ExperimentStatus, Serve};
use musette_core::instant::Instant;
use musette_store::{ExperimentDecision, NewDecision};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::results::metric::MetricBody;
use super::results::{EnvironmentQuery, PhaseQuery, ResultsQuery};
use super::{ExperimentResultsBody, results_now};
use crate::flags::ruleset::saving;
use crate::http::access::permission::{ManageFlags, May, ReadFlags};
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::page::{Page, Paged};
use crate::http::wire::parameters::ExperimentPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::Query;
use crate::node::app::App;
use crate::platform::closed_sets;
use crate::platform::random;

/// The possible decisions.
const DECISIONS: &[&str] = &["ship", "stop", "continue"];

/// A decision to record.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewExperimentDecisionBody {
    /// The decision.
    #[schema(value_type = closed_sets::ExperimentDecision)]
    decision: String,
    /// The variation to serve to all people. Required for `ship`, and only for it.
    variation: Option<String>,
    /// The reason.
    #[schema(min_length = 1, max_length = 1000)]
    reason: String,
}

/// A decision on an experiment.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExperimentDecisionBody {
    /// The id of the decision.
    #[schema(format = "uuid")]
    id: String,
    /// The decision.
    #[schema(value_type = closed_sets::ExperimentDecision)]
    decision: String,
    /// The variation to serve to all people. Absent unless the decision is `ship`.
    #[serde(skip_serializing_if = "Option::is_none")]
    variation: Option<String>,
    /// The reason.
    reason: String,
    /// The user id of the author. Absent once that person is erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// The time of the decision.
    #[schema(format = DateTime)]
    created_at: String,
    /// The phase of the results.
    #[schema(minimum = 0)]
    phase: i64,
    /// The results at the time of the decision.
    #[schema(value_type = ShownBody)]
    shown: Box<RawValue>,
}

/// The results of an experiment at the time of a decision.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ShownBody {
    /// The results with the goal metric.
    results: ExperimentResultsBody,
    /// The guardrail metrics.
    guardrails: Vec<MetricBody>,
}

impl ExperimentDecisionBody {
    fn of(row: ExperimentDecision) -> Self {
        Self {
            id: row.id,
            decision: row.decision,
            variation: row.variation,
            reason: row.reason,
            author: row.author,
            created_at: Instant::from_millis(row.created_at).to_string(),
            phase: row.phase,
            shown: RawValue::from_string(row.shown).unwrap_or_default(),
        }
    }
}

/// List decisions on an experiment, newest first.
///
/// - 400 `invalid_parameter`: several environments have the experiment, and `environment` is
///   missing.
/// - 404 `not_found`: no environment has the experiment.
#[utoipa::path(
    get, path = "/api/admin/v1/experiments/{key}/decisions", tag = "admin-results",
    params(ExperimentPath, EnvironmentQuery, Page),
    responses((status = 200, body = Paged<ExperimentDecisionBody>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn decisions(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(key): Path<String>,
    Query(EnvironmentQuery { environment }): Query<EnvironmentQuery>,
    Query(page): Query<Page>,
) -> Result<Response, Problem> {
    let environment = super::environment_of(&app, &key, environment).await?;
    let rows =
        app.store.experiment_decisions(&environment, &key, page.before_uuid(), page.rows()).await?;
    Ok(private(&page.of(rows, |row| row.id.clone(), ExperimentDecisionBody::of)))
}

/// Record a decision on an experiment.
///
/// The server stores the current results with the decision. It does not change the configuration. A
/// retry records another decision.
///
/// - 400 `invalid_parameter`: several environments have the experiment, and `environment` is
///   missing.
/// - 404 `not_found`: no environment has the experiment.
/// - 422 `invalid_request`: a member is malformed, or the experiment does not have the variation.
#[utoipa::path(
    post, path = "/api/admin/v1/experiments/{key}/decisions", tag = "admin-results",
    params(ExperimentPath, EnvironmentQuery),
    request_body = NewExperimentDecisionBody,
    responses((status = 201, body = ExperimentDecisionBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_flags"]))
)]
pub async fn decide(
    State(app): State<Arc<App>>,
    May { caller: operator, .. }: May<ManageFlags>,
    Path(key): Path<String>,
    Query(EnvironmentQuery { environment }): Query<EnvironmentQuery>,
    Body(new): Body<NewExperimentDecisionBody>,
) -> Result<Response, Problem> {
    let invalid = |detail: &str| Problem::invalid("invalid_request", detail, Vec::new());
    if !DECISIONS.contains(&new.decision.as_str()) {
        return Err(invalid("'decision' must be ship, stop or continue."));
    }
    if !saving::is_comment(&new.reason) {
        return Err(invalid("'reason' must have 1 to 1000 characters."));
    }
    if (new.decision == "ship") != new.variation.is_some() {
        return Err(invalid(
            "'variation' is required for ship, and allowed for no other decision.",
        ));
    }
    let verdict = NewExperimentDecision {
        decision: &new.decision,
        variation: new.variation.as_deref(),
        reason: &new.reason,
    };
    let Recorded { id, phase, shown, now } =
        record(&app, &key, environment, verdict, &operator.subject).await?;
    let body = ExperimentDecisionBody {
        id,
        decision: new.decision,
        variation: new.variation,
        reason: new.reason,
        author: Some(operator.user_id),
        created_at: now.to_string(),
        phase,
        shown,
    };
    Ok((StatusCode::CREATED, private(&body)).into_response())
}

/// A decision on an experiment.
pub struct NewExperimentDecision<'a> {
    /// One of [`DECISIONS`].
    pub decision: &'a str,
    pub variation: Option<&'a str>,
    pub reason: &'a str,
}

struct Recorded {
    id: String,
    phase: i64,
    shown: Box<RawValue>,
    now: Instant,
}

/// Stores a decision with the current results.
async fn record(
    app: &Arc<App>,
    key: &str,
    environment: Option<String>,
    verdict: NewExperimentDecision<'_>,
    author: &str,
) -> Result<Recorded, Problem> {
    let phase = PhaseQuery { phase: None };
    let results = results_now(app, key, ResultsQuery::of(environment, None), phase).await?;
    let (environment, phase) = (results.environment.clone(), results.phase);
    if verdict.variation.is_some_and(|variation| !results.has_arm(variation)) {
        let detail = "The experiment has no such variation.";
        return Err(Problem::invalid("invalid_request", detail, Vec::new()));
    }
    let mut guardrails = Vec::new();
    for metric in results.guardrails() {
        let query = ResultsQuery::of(Some(environment.clone()), Some(metric.clone()));
        let read = results_now(app, key, query, PhaseQuery { phase: None }).await?;
        guardrails.extend(read.into_metric());
    }
    let shown = serde_json::value::to_raw_value(&ShownBody { results, guardrails })
        .map_err(|error| Problem::internal(&error))?;
    let (id, now) = (random::uuid(), app.now());
    let NewExperimentDecision { decision, variation, reason } = verdict;
    let row = NewDecision {
        id: &id,
        environment: &environment,
        experiment: key,
        phase,
        decision,
        variation,
        reason,
        shown: shown.get(),
        author,
    };
    app.store.record_experiment_decision(&row, now).await?;
    let detail = format!("{key}: {decision}");
    saving::audit(&app.store, "experiment_decided", &environment, &detail, Some(author), now)
        .await?;
    Ok(Recorded { id, phase, shown, now })
}

/// Records the decisions that an approved change contains: it stopped an experiment or shipped a
/// variation. The reason is the comment of the change's author.
pub async fn record_applied(
    app: &Arc<App>,
    environment: &str,
    (before, after): (&Document, &Document),
    reason: &str,
    author: &str,
) -> Result<(), Problem> {
    let running = experiments(before)
        .filter(|experiment| experiment.status == ExperimentStatus::Running)
        .map(|experiment| experiment.key.as_str())
        .collect::<Vec<_>>();
    for experiment in experiments(after).filter(|after| running.contains(&after.key.as_str())) {
        let decision = match experiment.status {
            ExperimentStatus::Stopped => "stop",
            ExperimentStatus::Shipped => "ship",
            ExperimentStatus::Draft | ExperimentStatus::Running => continue,
        };
        let verdict =
            NewExperimentDecision { decision, variation: experiment.winner.as_deref(), reason };
        record(app, &experiment.key, Some(environment.to_owned()), verdict, author).await?;
    }
    Ok(())
}

fn experiments(document: &Document) -> impl Iterator<Item = &Experiment> {
    document.flags.iter().flat_map(|flag| &flag.rules).filter_map(|rule| match &rule.serve {
        Serve::Experiment(experiment) => Some(experiment),
        _ => None,
    })
}

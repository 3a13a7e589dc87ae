//! `GET /environments/{environment}/stale`: flags that could leave the code.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use serde::Serialize;

use super::current;
use crate::app::App;
use crate::http::caching::private;
use crate::http::parameters::EnvironmentPath;
use crate::http::permission::{May, ReadFlags};
use crate::http::problem::{Problem, ProblemBody};
use crate::ruleset::reading::Turn;
use crate::ruleset::saving;
use crate::ruleset::stale::{DAY_MS, DAYS, StaleFlag};

/// The stale flags of a configuration.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct StaleBody {
    /// The number of days that were looked at.
    #[schema(minimum = 1)]
    days: i64,
    /// The stale flags, in the order of the configuration.
    items: Vec<StaleFlag>,
}

/// List flags that could be removed from the code.
///
/// Flags that gave everybody one value for 30 days, that were not evaluated in 30 days, or whose rollout has reached
/// everybody. A flag with a running experiment or a live holdout is not stale.
#[utoipa::path(
    get, path = "/api/admin/v1/environments/{environment}/stale", tag = "admin-flags",
    params(EnvironmentPath),
    responses((status = 200, body = StaleBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read_flags"]))
)]
pub async fn stale(
    State(app): State<Arc<App>>,
    _: May<ReadFlags>,
    Path(environment): Path<String>,
) -> Result<Response, Problem> {
    let base = current(&app, &environment).await?;
    let now = app.now();
    let then = Instant::from_millis(now.millis() - DAYS * DAY_MS);
    let before = match app.store.flags_as_of(&environment, then).await? {
        Some(it) => {
            Some(saving::stored(Turn::Queued, &environment, it.version, it.document).await?)
        }
        None => None,
    };
    let usage = app.store.usage_since(&environment, then.millis().div_euclid(DAY_MS)).await?;
    let items = crate::ruleset::stale::stale(&base.document, before.as_ref(), &usage, now);
    Ok(private(&StaleBody { days: DAYS, items }))
}

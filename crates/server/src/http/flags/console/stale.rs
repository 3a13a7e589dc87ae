//! `GET /environments/{environment}/stale`: flags that can be removed from the code.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use musette_core::instant::Instant;
use serde::Serialize;

use super::current;
use crate::flags::ruleset::reading::ParseOrder;
use crate::flags::ruleset::saving;
use crate::flags::ruleset::stale::{DAY_MS, DAYS, StaleFlag};
use crate::http::access::permission::{May, ReadFlags};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::EnvironmentPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// The stale flags of a configuration.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct StaleBody {
    /// The period of the analysis, in days.
    #[schema(minimum = 1)]
    days: i64,
    /// The stale flags, in the order of the configuration.
    items: Vec<StaleFlag>,
}

/// List flags that can be removed from the code.
///
/// A flag is stale if it served all people the same value for 30 days, was not evaluated in 30
/// days, or its rollout has reached 100 %. A flag with a running experiment or a live holdout is
/// not stale.
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
    let start = Instant::from_millis(now.millis() - DAYS * DAY_MS);
    let before = match app.store.flags_as_of(&environment, start).await? {
        Some(row) => {
            Some(saving::stored(ParseOrder::Queued, &environment, row.version, row.document).await?)
        }
        None => None,
    };
    let usage = app.store.usage_since(&environment, start.millis().div_euclid(DAY_MS)).await?;
    let items = crate::flags::ruleset::stale::stale(&base.document, before.as_ref(), &usage, now);
    Ok(private(&StaleBody { days: DAYS, items }))
}

//! The weights that people of a phase were drawn with.
//!
//! The current configuration has those of the current phase only, and they may have changed within
//! it, so the earlier versions of the flag are read.

use musette_core::flags::{Document, ExperimentStatus, weights_in_use};
use musette_store::{FlagVersion, StoreError, VersionFilter};

use super::find;
use crate::flags::ruleset::reading::ParseOrder;
use crate::flags::ruleset::saving::stored;
use crate::node::app::App;

/// The maximum number of versions of a flag that are read.
const VERSIONS_MAX: i64 = 100;

/// Weights by the key of the arm.
type Weights = Vec<(String, u32)>;

/// The weights of a phase.
#[derive(Debug, Default)]
pub struct PhaseWeights {
    /// The weights when the experiment ran last. `None` if it never ran in this phase.
    pub last: Option<Weights>,
    /// The times of changes while it ran, in milliseconds since 1970.
    pub changes: Vec<i64>,
}

/// Returns the weights of an experiment in a phase.
pub async fn phase_weights(
    app: &App,
    environment: &str,
    (flag, experiment): (&str, &str),
    phase: i64,
) -> Result<PhaseWeights, StoreError> {
    let filter = VersionFilter { flag: flag.to_owned(), ..VersionFilter::default() };
    let versions = app.store.flag_versions(environment, &filter, i64::MAX, VERSIONS_MAX).await?;
    let mut read = PhaseWeights::default();
    let mut later: Option<(Weights, i64)> = None;
    for FlagVersion { version, created_at, .. } in versions {
        let Some(saved) = app.store.flag_version(environment, version).await? else { break };
        let document = stored(ParseOrder::Queued, environment, version, saved.document).await?;
        let Some(state) = state(&document, experiment) else { break };
        if state.phase < phase {
            break;
        }
        if state.phase > phase || !state.is_running {
            continue;
        }
        if let Some((weights, since)) = later
            && weights != state.weights
        {
            read.changes.push(since);
        }
        read.last.get_or_insert_with(|| state.weights.clone());
        later = Some((state.weights, created_at));
    }
    Ok(read)
}

struct State {
    phase: i64,
    is_running: bool,
    weights: Weights,
}

fn state(document: &Document, experiment: &str) -> Option<State> {
    let (_, experiment) = find(document, experiment)?;
    let weights = weights_in_use(experiment).into_iter();
    Some(State {
        phase: i64::from(experiment.phase),
        is_running: experiment.status == ExperimentStatus::Running,
        weights: weights.map(|(arm, weight)| (arm.to_owned(), weight)).collect(),
    })
}

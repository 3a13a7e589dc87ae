//! Installs the recorder of the metrics of a server.

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper bounds of every histogram, in seconds.
const BUCKETS_S: [f64; 11] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];

/// Upper bounds of the histogram of batch sizes.
const BATCH_SIZES: [f64; 7] = [1.0, 2.0, 4.0, 16.0, 64.0, 128.0, 256.0];

/// Installs the recorder for the whole process.
pub fn start() -> Result<PrometheusHandle, BuildError> {
    let of_batches = Matcher::Full("musette_submission_batch_size".into());
    PrometheusBuilder::new()
        .set_buckets(&BUCKETS_S)?
        .set_buckets_for_metric(of_batches, &BATCH_SIZES)?
        .install_recorder()
}

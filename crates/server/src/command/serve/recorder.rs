//! Installs the recorder of the metrics of a server.

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper bounds of every histogram, in seconds.
const BUCKETS_S: [f64; 11] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];

/// Upper bounds of the histogram of batch sizes.
const BATCH_SIZES: [f64; 7] = [1.0, 2.0, 4.0, 16.0, 64.0, 128.0, 256.0];

/// Upper bounds of the time to answer a discussion, in seconds: 1 and 6 hours, then 1 to 30 days.
const ANSWER_S: [f64; 8] =
    [3600.0, 21_600.0, 86_400.0, 172_800.0, 345_600.0, 604_800.0, 1_209_600.0, 2_592_000.0];

/// Installs the recorder for the whole process.
pub fn start() -> Result<PrometheusHandle, BuildError> {
    let of_batches = Matcher::Full("musette_submission_batch_size".into());
    let of_answers = Matcher::Full("musette_evaluation_answer_seconds".into());
    PrometheusBuilder::new()
        .set_buckets(&BUCKETS_S)?
        .set_buckets_for_metric(of_batches, &BATCH_SIZES)?
        .set_buckets_for_metric(of_answers, &ANSWER_S)?
        .install_recorder()
}

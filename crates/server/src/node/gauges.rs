//! Metrics that are computed when `/metrics` is requested: the current state of this node.

use metrics::gauge;

use super::app::App;

/// Linux measures processor time in hundredths of a second on all processors.
const TICKS_A_SECOND: f64 = 100.0;

/// Sets all gauges.
pub fn set(app: &App) {
    let stale = app.ruleset.stale_for(app.now());
    gauge!("musette_flags_stale_seconds").set(stale.as_secs_f64());
    for environment in app.ruleset.environments() {
        let version = environment.current().snapshot.version();
        gauge!("musette_flags_version", "environment" => environment.name.clone())
            .set(version as f64);
    }
    gauge!("musette_submissions_waiting").set(app.writer.waiting() as f64);
    gauge!("musette_submission_batch_age_seconds").set(app.writer.recording_for().as_secs_f64());
    for pool in app.store.connections() {
        let state = |state| gauge!("musette_db_connections", "pool" => pool.pool, "state" => state);
        state("used").set(pool.used);
        state("idle").set(pool.idle);
        gauge!("musette_db_connections_max", "pool" => pool.pool).set(pool.max);
        gauge!("musette_db_connections_refused", "pool" => pool.pool)
            .set(f64::from(pool.is_refused));
    }
    gauge!("musette_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
    of_process();
}

/// Sets the gauges that all Prometheus clients have, as far as the system provides the values.
fn of_process() {
    if let Some(seconds) = processor_seconds() {
        gauge!("process_cpu_seconds_total").set(seconds);
    }
    if let Some(bytes) = resident_bytes() {
        gauge!("process_resident_memory_bytes").set(bytes);
    }
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        gauge!("process_open_fds").set(files.count() as f64);
    }
    if let Ok(max) = rlimit::Resource::NOFILE.get_soft() {
        gauge!("process_max_fds").set(max as f64);
    }
}

fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The process name before it, in parentheses, may contain any character.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_A_SECOND)
}

fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024.0)
}

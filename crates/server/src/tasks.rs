//! Periodic tasks of a node. Each has a name, an interval and a function, and is measured by the
//! metrics `musette_task_duration_seconds` and `musette_task_failures_total` with the label `task`.

mod back_up;
mod flush;
mod follow;
mod gate;
mod log;
mod sweep;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use metrics::{counter, histogram};
use metrics_exporter_prometheus::PrometheusHandle;
use musette_store::{Engine, StoreError};
use tokio::task::JoinSet;

use crate::app::App;
use crate::apps;
use crate::backups::Schedule;
use crate::people::contact_notices;
use crate::webhooks;

pub use back_up::copy_wal;
pub use flush::{flush_all, histories as chain_histories};
pub use follow::join;

/// The interval at which changes of other nodes are loaded; the contract allows a second.
const POLL: Duration = Duration::from_millis(100);
/// The interval at which events of other nodes are sent to clients here; the contract allows 100 ms
/// in total.
const EVENTS_POLL: Duration = Duration::from_millis(40);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Work that is repeated until the server stops. A run that fails is retried after the interval.
/// The log names the first failure of a series and the next success.
pub struct Task {
    name: &'static str,
    /// The time from the end of a run to the start of the next.
    interval: Duration,
    work: Box<dyn Fn() -> BoxFuture<'static, Result<(), StoreError>> + Send>,
}

impl Task {
    pub fn of_app<R>(
        app: &Arc<App>,
        name: &'static str,
        interval: Duration,
        work: fn(Arc<App>) -> R,
    ) -> Self
    where
        R: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        let app = Arc::clone(app);
        Self { name, interval, work: Box::new(move || work(Arc::clone(&app)).boxed()) }
    }

    pub async fn run(self) {
        let task = self.name;
        let duration = histogram!("musette_task_duration_seconds", "task" => task);
        let failures = counter!("musette_task_failures_total", "task" => task);
        let mut is_failing = false;
        loop {
            let began = Instant::now();
            let result = (self.work)().await;
            duration.record(began.elapsed());
            match &result {
                Ok(()) if is_failing => tracing::info!(task, "a periodic task succeeds again"),
                Ok(()) => {}
                Err(error) => {
                    failures.increment(1);
                    if !is_failing {
                        tracing::warn!(task, error = %error, "a periodic task fails: it is retried after its interval");
                    }
                }
            }
            is_failing = result.is_err();
            tokio::time::sleep(self.interval).await;
        }
    }
}

/// Starts all tasks of a node that has a store. They end when the set is dropped.
pub fn start(app: &Arc<App>, backups: Option<Schedule>) -> JoinSet<()> {
    let mut tasks: JoinSet<()> = [
        Task::of_app(app, "follow_revision", POLL, follow::revision),
        Task::of_app(app, "follow_ended_sessions", POLL, follow::ended_sessions),
        Task::of_app(app, "follow_flags", POLL, follow::flags),
        Task::of_app(app, "follow_sticky_assignments", POLL, follow::sticky_assignments),
        Task::of_app(app, "follow_events", EVENTS_POLL, follow::events),
        Task::of_app(app, "keep_gate", EVENTS_POLL, gate::keep),
        Task::of_app(app, "turn_terms", POLL, follow::term_turns),
        Task::of_app(app, "report_node", 30 * SECOND, follow::report_node),
        // Assignments of other nodes must be known here within a second; half of it is for writing
        // them.
        Task::of_app(app, "flush_sticky_assignments", POLL, flush::sticky_assignments),
        // A crash loses at most the last second of these.
        Task::of_app(app, "flush_sessions", SECOND, flush::sessions),
        Task::of_app(app, "flush_deliveries", SECOND, flush::deliveries),
        Task::of_app(app, "flush_attempts", SECOND, flush::attempts),
        Task::of_app(app, "send_contact_notices", 5 * SECOND, contact_notices::send),
        Task::of_app(app, "flush_views", SECOND, flush::views),
        Task::of_app(app, "flush_flag_usage", 10 * SECOND, flush::flag_usage),
        Task::of_app(app, "flush_flag_keys", MINUTE, flush::flag_keys),
        Task::of_app(app, "flush_refusals", 30 * SECOND, flush::refusals),
        // The documentation promises a minute.
        Task::of_app(app, "chain_histories", 30 * SECOND, flush::histories),
        Task::of_app(app, "measure_log", 30 * SECOND, log::measure),
        // Describes versions that a node with an older version of the program saved.
        Task::of_app(app, "describe_flag_versions", HOUR, flush::flag_versions),
        Task::of_app(app, "sweep_expired", 10 * MINUTE, sweep::expired),
        Task::of_app(app, "sweep_flag_events", HOUR, sweep::flag_events),
        Task::of_app(app, "sweep_sticky_assignments", MINUTE, sweep::sticky_assignments),
    ]
    .into_iter()
    .chain([match app.store.engine() {
        Engine::Postgres => Task::of_app(app, "watch_replication", SECOND, follow::replication),
        Engine::Sqlite => Task::of_app(app, "watch_file", SECOND, follow::file),
    }])
    .chain(backups.map(|schedule| back_up::task(app, schedule)))
    .map(Task::run)
    .collect();
    tasks.spawn(webhooks::run(Arc::clone(app)));
    tasks.spawn(keep_web_files(Arc::clone(app)));
    tasks
}

/// Copies the web files a minute after the start, so that the start is not slowed down.
async fn keep_web_files(app: Arc<App>) {
    tokio::time::sleep(MINUTE).await;
    let since_1970 = Duration::from_millis(u64::try_from(app.now().millis()).unwrap_or_default());
    let now = std::time::SystemTime::UNIX_EPOCH + since_1970;
    let copy = tokio::task::spawn_blocking(move || app.kept_files.keep(&apps::hashed_files(), now));
    if let Ok(Err(error)) = copy.await {
        tracing::warn!(error = %error, "the web files were not copied: open pages may not find theirs after an update");
    }
}

/// Regularly moves new samples into their buckets; until then, the recorder stores each sample.
pub async fn upkeep_metrics(metrics: PrometheusHandle) {
    loop {
        tokio::time::sleep(5 * SECOND).await;
        metrics.run_upkeep();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn retries_a_failed_task_after_its_interval() {
        let runs = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&runs);
        let work = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            async { Err(StoreError::timed_out()) }.boxed()
        };
        let task = Task { name: "test", interval: MINUTE, work: Box::new(work) };
        let tasks: JoinSet<()> = [task].into_iter().map(Task::run).collect();
        tokio::time::sleep(MINUTE * 5 / 2).await;
        assert_eq!(runs.load(Ordering::Relaxed), 3);
        drop(tasks);
        tokio::time::sleep(MINUTE * 5).await;
        assert_eq!(runs.load(Ordering::Relaxed), 3, "the task ended with its set");
    }
}

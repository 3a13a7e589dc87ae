//! Periodic tasks of a node. Each has a name, a pause and a function, and is measured by the
//! metrics `musette_task_duration_seconds` and `musette_task_failures_total` with the label `task`.

mod anchors;
mod back_up;
mod changes;
mod flush;
mod follow;
mod gate;
mod log;
mod sweep;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use metrics::{Counter, Histogram, counter, histogram};
use metrics_exporter_prometheus::PrometheusHandle;
use musette_store::{Engine, StoreError};
use tokio::task::JoinSet;

use super::app::App;
use super::apps;
use super::campaigns::sender;
use super::webhooks;
use crate::platform::backups::BackupSchedule;
use changes::{Due, Pause};

pub use anchors::{ask_witnesses, measure_time_stamps, request_time_stamps};
pub use back_up::copy_wal;
pub use flush::{flush_all, histories as chain_histories};
pub use follow::join;

/// The interval at which SQLite is queried for changes, and after which a failed task that follows changes is retried.
const POLL: Duration = Duration::from_millis(100);
/// The interval at which SQLite is queried while a client or webhook waits for events; the contract allows 100 ms in
/// total.
const EVENTS_POLL: Duration = Duration::from_millis(40);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Work that is repeated until the server stops. The log names the first failure of a series and the
/// next success.
pub struct Task {
    name: &'static str,
    pause: Pause,
    work: Work,
}

/// Returns when the next run is due, if that is known.
type Work = Box<dyn Fn() -> BoxFuture<'static, Result<Due, StoreError>> + Send>;

/// Measures and logs the runs of a task.
struct Runs {
    task: &'static str,
    duration: Histogram,
    failures: Counter,
    is_failing: bool,
}

impl Runs {
    fn of(task: &'static str) -> Self {
        let duration = histogram!("musette_task_duration_seconds", "task" => task);
        let failures = counter!("musette_task_failures_total", "task" => task);
        Self { task, duration, failures, is_failing: false }
    }

    fn record<T>(&mut self, began: Instant, done: &Result<T, StoreError>) {
        let task = self.task;
        self.duration.record(began.elapsed());
        match done {
            Ok(_) if self.is_failing => tracing::info!(task, "a periodic task succeeds again"),
            Ok(_) => {}
            Err(error) => {
                self.failures.increment(1);
                if !self.is_failing {
                    tracing::warn!(task, error = %error, "a periodic task fails: it is retried after its interval");
                }
            }
        }
        self.is_failing = done.is_err();
    }
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
        Self::every(name, interval, move || work(Arc::clone(&app)))
    }

    /// Begins a run so long after the end of the last.
    pub fn every<R>(
        name: &'static str,
        interval: Duration,
        work: impl Fn() -> R + Send + 'static,
    ) -> Self
    where
        R: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        let work = move || work().map(|done| done.map(|()| None)).boxed();
        Self { name, pause: Pause::Interval(interval), work: Box::new(work) }
    }

    /// Begins a run when one of these numbers has changed, and when the work itself said that it is due.
    fn on_change<R>(
        app: &Arc<App>,
        name: &'static str,
        followed: changes::Followed,
        work: fn(Arc<App>) -> R,
    ) -> Self
    where
        R: Future<Output = Result<Due, StoreError>> + Send + 'static,
    {
        let pause = Pause::on_change(app, followed);
        let app = Arc::clone(app);
        Self { name, pause, work: Box::new(move || work(Arc::clone(&app)).boxed()) }
    }

    /// After the interval also waits until there is something to do.
    fn if_wanted<R>(mut self, app: &Arc<App>, wanted: fn(Arc<App>) -> R) -> Self
    where
        R: Future<Output = ()> + Send + 'static,
    {
        if let Pause::Interval(interval) = self.pause {
            let app = Arc::clone(app);
            let wait = Box::new(move || wanted(Arc::clone(&app)).boxed());
            self.pause = Pause::Wanted { interval, wanted: wait };
        }
        self
    }

    pub async fn run(mut self) {
        let mut runs = Runs::of(self.name);
        loop {
            self.pause.begin_run();
            let began = Instant::now();
            let result = (self.work)().await;
            runs.record(began, &result);
            self.pause.wait(result).await;
        }
    }
}

/// Starts all tasks of a node that has a store. They end when the set is dropped.
pub fn start(app: &Arc<App>, backups: Option<BackupSchedule>) -> JoinSet<()> {
    let mut tasks: JoinSet<()> = [
        Task::on_change(
            app,
            "follow_revision",
            |numbers| [numbers.revision, 0, 0],
            follow::revision,
        ),
        Task::on_change(
            app,
            "follow_ended_sessions",
            |numbers| [numbers.ended_sessions, 0, 0],
            follow::ended_sessions,
        ),
        Task::on_change(app, "follow_flags", |numbers| [numbers.flags, 0, 0], follow::flags),
        Task::on_change(
            app,
            "follow_sticky_assignments",
            |numbers| [numbers.assignments, 0, 0],
            follow::sticky_assignments,
        ),
        Task::on_change(app, "keep_gate", gate::followed, gate::keep),
        Task::on_change(app, "turn_terms", |numbers| [numbers.revision, 0, 0], follow::term_turns),
        Task::of_app(app, "report_node", 30 * SECOND, follow::report_node),
        // Assignments of other nodes must be known here within a second; half of it is for writing
        // them.
        Task::of_app(app, "flush_sticky_assignments", POLL, flush::sticky_assignments)
            .if_wanted(app, |app| async move { app.flags.sticky.wait_for_new().await }),
        // A crash loses at most the last second of these.
        Task::of_app(app, "flush_sessions", SECOND, flush::sessions),
        Task::of_app(app, "flush_deliveries", SECOND, flush::deliveries),
        Task::of_app(app, "flush_attempts", SECOND, flush::attempts),
        Task::on_change(
            app,
            "send_contact_notices",
            |numbers| [numbers.contact_notices.unwrap_or_default(), 0, 0],
            follow::contact_notices,
        ),
        Task::of_app(app, "flush_views", SECOND, flush::views),
        Task::of_app(app, "flush_flag_usage", 10 * SECOND, flush::flag_usage),
        Task::of_app(app, "flush_flag_keys", MINUTE, flush::flag_keys),
        Task::of_app(app, "judge_flag_notices", 30 * SECOND, follow::flag_notices),
        Task::of_app(app, "flush_refusals", 30 * SECOND, flush::refusals),
        // The documentation promises a minute.
        Task::of_app(app, "chain_histories", 30 * SECOND, flush::histories),
        Task::of_app(app, "measure_log", 30 * SECOND, log::measure),
        // Describes versions that a node with an older version of the program saved.
        Task::of_app(app, "describe_flag_versions", HOUR, flush::flag_versions),
        Task::of_app(app, "sweep_expired", 10 * MINUTE, sweep::expired),
        // A read judges the time itself; this sends the events, and each reminder. Due times are days away.
        Task::of_app(app, "keep_evaluations", MINUTE, follow::evaluations),
        Task::of_app(app, "sweep_flag_events", HOUR, sweep::flag_events),
        Task::of_app(app, "sweep_sticky_assignments", MINUTE, sweep::sticky_assignments),
    ]
    .into_iter()
    .chain([match app.store.engine() {
        Engine::Postgres => Task::of_app(
            app,
            "watch_replication",
            follow::REPLICATION_INTERVAL,
            follow::replication,
        ),
        Engine::Sqlite => Task::of_app(app, "watch_file", SECOND, follow::file),
    }])
    .chain(backups.map(|schedule| back_up::task(app, schedule)))
    .map(Task::run)
    .collect();
    tasks.spawn(changes::follow(Arc::clone(app)));
    if app.store.engine() == Engine::Postgres {
        tasks.spawn(changes::announce(Arc::clone(app)));
    }
    tasks.spawn(webhooks::run(Arc::clone(app)));
    tasks.spawn(sender::run(Arc::clone(app)));
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
        let task = Task::every("test", MINUTE, move || {
            counted.fetch_add(1, Ordering::Relaxed);
            async { Err(StoreError::timed_out()) }
        });
        let tasks: JoinSet<()> = [task].into_iter().map(Task::run).collect();
        tokio::time::sleep(MINUTE * 5 / 2).await;
        assert_eq!(runs.load(Ordering::Relaxed), 3);
        drop(tasks);
        tokio::time::sleep(MINUTE * 5).await;
        assert_eq!(runs.load(Ordering::Relaxed), 3, "the task ended with its set");
    }
}

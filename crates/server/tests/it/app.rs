//! Runs the server for a test.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::ops::Deref;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::request::Request;
use crate::store::{Engine, TestStore};

/// A running server and its store. The server is killed at the end of the test.
pub struct TestApp {
    store: Arc<TestStore>,
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// `HOST:PORT`.
    pub address: String,
    /// Address of `/metrics`.
    metrics_address: String,
}

/// How to start a server.
#[derive(Default)]
pub struct Start<'a> {
    pub args: &'a [&'a str],
    pub env: &'a [(&'a str, &'a str)],
    /// Keeps the rate limits per address, which are off by default in tests.
    pub limited: bool,
    /// Starts without an address for `/metrics`, which is the default of the program.
    pub without_metrics: bool,
}

impl Deref for TestApp {
    type Target = TestStore;

    fn deref(&self) -> &TestStore {
        &self.store
    }
}

impl TestApp {
    pub fn start(engine: Engine) -> Self {
        Self::serve(TestStore::new(engine))
    }

    pub fn serve(store: TestStore) -> Self {
        Self::serve_with(&Arc::new(store), Start::default())
    }

    /// Starts a node on the store; there may be several.
    #[track_caller]
    pub fn serve_with(store: &Arc<TestStore>, start: Start<'_>) -> Self {
        Self::spawn(store, start, store.program())
    }

    /// Starts a node with a command that ends by running the program.
    #[track_caller]
    pub fn spawn(store: &Arc<TestStore>, start: Start<'_>, mut command: Command) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(start.args);
        if !start.without_metrics {
            command.args(["--metrics-listen", "127.0.0.1:0"]);
        }
        // Tests that start the program without its test mode keep all defaults.
        let is_without_test_mode = start.env.iter().any(|(name, _)| *name == "MUSETTE_TEST");
        if !is_without_test_mode {
            // On a busy machine an available database responds slowly. Without a longer wait the
            // server would start in the mode that answers flags only.
            command.env("MUSETTE_STORE_WITHIN", "10000");
        }
        if !start.limited {
            command.env("MUSETTE_LIMITS", "off");
        }
        command.envs(start.env.iter().copied());
        let log = store.path("serve.log");
        command.stderr(File::options().create(true).append(true).open(&log).expect("a log"));
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("the first line of stdout");
        let log = std::fs::read_to_string(log).unwrap_or_default();
        let Some(address) = line.trim_end().strip_prefix("musette listening on http://") else {
            panic!("unexpected output {line:?}, log: {log}");
        };
        let metrics_address = metrics_address(&log);
        Self {
            store: Arc::clone(store),
            child,
            stdout,
            address: address.to_owned(),
            metrics_address,
        }
    }

    /// Returns the store, so that another server can use it.
    pub fn store(&self) -> Arc<TestStore> {
        Arc::clone(&self.store)
    }

    pub fn get(&self, path: &str) -> Request {
        self.request("GET", path)
    }

    /// Returns the metrics in Prometheus' text format.
    #[track_caller]
    pub fn metrics(&self) -> String {
        let answer = self.get_metrics("/metrics").gives(200);
        String::from_utf8(answer.body).expect("UTF-8")
    }

    /// Waits until a periodic task has started and finished once. The task writes the data that was
    /// in memory.
    #[track_caller]
    pub fn wait_for_task(&self, task: &str) {
        let name = format!("musette_task_duration_seconds_count{{task=\"{task}\"}} ");
        let count = || {
            let metrics = self.metrics();
            let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
            line.map_or(0, |value| value.parse::<u64>().expect("a count"))
        };
        // A run may already be in progress.
        let (started, enough) = (Instant::now(), count() + 2);
        while count() < enough {
            assert!(started.elapsed() < Duration::from_secs(30), "{task} does not run");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn get_metrics(&self, path: &str) -> Request {
        Request::new("GET", format!("http://{}{path}", self.metrics_address))
    }

    pub fn post(&self, path: &str) -> Request {
        self.request("POST", path)
    }

    pub fn request(&self, method: &str, path: &str) -> Request {
        Request::new(method, format!("http://{}{path}", self.address))
    }

    /// Returns whether the process is still running.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.pid());
        let status = Command::new("sh").args(["-c", &kill]).status().expect("a shell");
        assert!(status.success(), "{kill}");
    }

    /// Returns what the process printed after its first line. The process must have ended.
    pub fn rest_of_stdout(&mut self) -> String {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("UTF-8");
        rest
    }

    /// Waits until the process ends and returns its status.
    #[track_caller]
    pub fn wait_for_exit(&mut self, within: Duration) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(started.elapsed() < within, "it still runs after {within:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Finds the metrics address of the node that started last in the log.
fn metrics_address(log: &str) -> String {
    let line = log.lines().rev().find(|line| line.contains("metrics are served"));
    let address = line.and_then(|line| line.split("127.0.0.1:").nth(1)).map(|rest| {
        let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
        format!("127.0.0.1:{port}")
    });
    address.unwrap_or_default()
}

impl Drop for TestApp {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns ten times a time limit of the contract, because other tests run at the same time.
/// `bench` measures how long an operation takes alone.
pub fn limit(contract_limit: Duration) -> Duration {
    contract_limit * 10
}

#[track_caller]
pub fn assert_within_limit(started: Instant, contract_limit: Duration) {
    let took = started.elapsed();
    assert!(took < limit(contract_limit), "{took:?} but the contract allows {contract_limit:?}");
}

//! The program, serving.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::ops::Deref;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::request::Request;
use crate::store::{Engine, TestStore};

/// A server and its store; the server is killed when the test is over.
pub struct TestApp {
    store: Arc<TestStore>,
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// `HOST:PORT`.
    pub address: String,
    /// Address of `/metrics`.
    metrics_address: String,
}

/// How a server is started.
#[derive(Default)]
pub struct Start<'a> {
    pub args: &'a [&'a str],
    pub env: &'a [(&'a str, &'a str)],
    /// With the limits per address that tests are otherwise spared.
    pub limited: bool,
    /// Without an address for `/metrics`, as by default.
    pub unmeasured: bool,
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

    /// Starts it by a command that ends in running the program.
    #[track_caller]
    pub fn spawn(store: &Arc<TestStore>, start: Start<'_>, mut command: Command) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(start.args);
        if !start.unmeasured {
            command.args(["--metrics-listen", "127.0.0.1:0"]);
        }
        // What every start has that is not one for tests.
        let is_plain = start.env.iter().any(|(name, _)| *name == "MUSETTE_TEST");
        if !is_plain {
            // On a busy machine a database that is there takes its time, and until then only flags are answered.
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
        stdout.read_line(&mut line).expect("its first line");
        let log = std::fs::read_to_string(log).unwrap_or_default();
        let Some(address) = line.trim_end().strip_prefix("musette listening on http://") else {
            panic!("it says {line:?} and {log}");
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

    /// The store, for the next server on it.
    pub fn store(&self) -> Arc<TestStore> {
        Arc::clone(&self.store)
    }

    pub fn get(&self, path: &str) -> Request {
        self.request("GET", path)
    }

    /// Prometheus' text, from its own address.
    #[track_caller]
    pub fn metrics(&self) -> String {
        let answer = self.get_metrics("/metrics").gives(200);
        String::from_utf8(answer.body).expect("UTF-8")
    }

    /// Waits until a periodic task has begun and ended: what was in memory before is written down then.
    #[track_caller]
    pub fn ran(&self, task: &str) {
        let name = format!("musette_task_duration_seconds_count{{task=\"{task}\"}} ");
        let count = || {
            let metrics = self.metrics();
            let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
            line.map_or(0, |it| it.parse::<u64>().expect("a count"))
        };
        // One may be running now.
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

    /// Answers true as long as the process runs.
    pub fn runs(&mut self) -> bool {
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

    /// What it printed after its first line, when it has ended.
    pub fn rest_of_stdout(&mut self) -> String {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("UTF-8");
        rest
    }

    /// Waits for its end.
    #[track_caller]
    pub fn ended(&mut self, within: Duration) -> ExitStatus {
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

/// The metrics address of the node that started last, from its log.
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
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A limit of the contract, as a test holds it: ten times as long, since other tests run beside it.
/// What is forgotten takes longer still; how long it takes alone is measured in `bench`.
pub fn limit(of_the_contract: Duration) -> Duration {
    of_the_contract * 10
}

#[track_caller]
pub fn in_time(started: Instant, of_the_contract: Duration) {
    let took = started.elapsed();
    assert!(took < limit(of_the_contract), "{took:?} where the contract has {of_the_contract:?}");
}

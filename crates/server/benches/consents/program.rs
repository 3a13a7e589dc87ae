//! The program under load, with its statistics from the operating system.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use musette_store::Store;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite (WAL, synchronous=FULL)",
            Self::Postgres => "PostgreSQL (defaults, one machine)",
        }
    }
}

pub struct Program {
    file: PathBuf,
    child: Child,
    pub address: String,
    pub ready_after: Duration,
    pub store: Vec<String>,
    _dir: Option<tempfile::TempDir>,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Returns the arguments that name an empty store.
pub fn new_store(engine: Engine, dir: &Path) -> Vec<String> {
    let dir = dir.display().to_string();
    let mut arguments = vec!["--data".to_owned(), dir];
    if engine == Engine::Postgres {
        let server = std::env::var("MUSETTE_TEST_POSTGRES").expect("run it by bench/run");
        let name = format!("bench_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let created = Command::new("psql")
            .args([&format!("{server}/postgres"), "-qc", &format!("CREATE DATABASE {name}")])
            .status();
        assert!(created.is_ok_and(|status| status.success()), "no database");
        arguments.extend(["--database".to_owned(), format!("{server}/{name}")]);
    }
    arguments
}

/// Opens the store that these arguments name.
pub async fn open(arguments: &[String]) -> Arc<Store> {
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let store = match value("--database") {
        Some(url) => Store::open_postgres(&url, musette_store::POSTGRES_CONNECTIONS).await,
        None => {
            let dir = PathBuf::from(value("--data").expect("a directory"));
            Store::open_sqlite(&dir.join("musette.db")).await
        }
    };
    let store = store.expect("opens");
    store.migrate().await.expect("migrates");
    Arc::new(store)
}

fn musette(file: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(file);
    command.args(arguments).env("MUSETTE_TEST", "1").env("MUSETTE_LIMITS", "off");
    command
}

/// Returns the path of the program of this version.
pub fn today() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_musette"))
}

/// Runs a command on this store, and returns its output.
pub fn run(store: &[String], arguments: &[&str]) -> String {
    run_by(today(), store, arguments)
}

fn run_by(file: &Path, store: &[String], arguments: &[&str]) -> String {
    let mut all: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    all.extend(store.iter().cloned());
    let output = musette(file, &all).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

impl Program {
    pub fn start(engine: Engine) -> Self {
        Self::start_of(today(), engine)
    }

    /// Starts a program, which may be of another version.
    pub fn start_of(file: &Path, engine: Engine) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let mut program = Self::start_by(file, new_store(engine, dir.path()), &[]);
        program._dir = Some(dir);
        program
    }

    pub fn start_in(engine: Engine, dir: &Path) -> Self {
        Self::start_on(new_store(engine, dir))
    }

    pub fn start_on(store: Vec<String>) -> Self {
        Self::start_with(store, &[])
    }

    pub fn start_with(store: Vec<String>, settings: &[&str]) -> Self {
        Self::start_by(today(), store, settings)
    }

    fn start_by(file: &Path, store: Vec<String>, settings: &[&str]) -> Self {
        let mut arguments = vec!["serve".to_owned(), "--listen".into(), "127.0.0.1:0".into()];
        arguments.extend(settings.iter().map(|setting| (*setting).to_owned()));
        arguments.extend(store.clone());
        let started = Instant::now();
        let mut child =
            musette(file, &arguments).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let ready_after = started.elapsed();
        let address = line.trim().rsplit('/').next().expect("an address").to_owned();
        Self { file: file.to_owned(), child, address, ready_after, store, _dir: None }
    }

    fn run(&self, arguments: &[&str]) -> String {
        run_by(&self.file, &self.store, arguments)
    }

    /// Publishes two mandatory terms and an optional one.
    pub fn publish_terms(&self) {
        self.publish("english.pdf", "FREELANCER", true);
        self.publish("colour.pdf", "FREELANCER", true);
        self.publish("arabic.pdf", "MARKETING", false);
    }

    /// Publishes optional terms.
    pub fn publish_optional_terms(&self, count: usize) {
        for term in 1..=count {
            self.publish("english.pdf", &format!("OPTIONAL_{term}"), false);
        }
    }

    fn publish(&self, name: &str, kind: &str, is_mandatory: bool) {
        let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/documents");
        let file = documents.join(name).display().to_string();
        let mut arguments = vec!["terms", "publish", &file, "--type", kind, "--title", name];
        if is_mandatory {
            arguments.push("--mandatory");
        }
        self.run(&arguments);
    }

    /// Returns the number of different receipts in the export.
    pub fn exported_submissions(&self) -> usize {
        let export = run(&self.store, &["consents", "export"]);
        let receipts = export.lines().skip(1).filter_map(|line| line.split(',').next());
        receipts.collect::<std::collections::HashSet<_>>().len()
    }

    pub fn processor_time(&self) -> Duration {
        processor_time(self.child.id())
    }

    pub fn memory_mb(&self) -> f64 {
        self.status_mb("VmRSS:")
    }

    /// Returns the memory that is not backed by files.
    pub fn own_memory_mb(&self) -> f64 {
        self.status_mb("RssAnon:")
    }

    fn status_mb(&self, name: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("its statistics");
        let line = status.lines().find(|line| line.starts_with(name)).expect("its memory");
        let kb = line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok());
        kb.unwrap_or(0.0) / 1024.0
    }
}

/// Returns the user and system time of a process so far.
pub fn processor_time(pid: u32) -> Duration {
    /// USER_HZ, which is 100 on Linux on common architectures.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    let stat = stat.expect("its statistics");
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    TICK * (ticks(11) + ticks(12))
}

impl Drop for Program {
    fn drop(&mut self) {
        // The process belongs to this bench, and its data is not needed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

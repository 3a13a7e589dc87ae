//! A store of its own for each test, and the commands that work on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection};
use tempfile::TempDir;

use crate::pdf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

pub struct TestStore {
    dir: TempDir,
    database: Option<String>,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Ran {
    /// Its output, if it succeeded.
    #[track_caller]
    pub fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.done()).expect("JSON on stdout")
    }

    /// It ended so, with one line on stderr that names the cause, and nothing on stdout.
    #[track_caller]
    pub fn failed(self, code: i32, named: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.trim_end().lines().count(), 1, "{self:?}");
        assert!(self.stderr.contains(named), "'{named}' is not named: {self:?}");
    }
}

/// The program, without any setting of the surroundings; its working directory is `dir`.
pub fn program(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musette"));
    command.current_dir(dir);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MUSETTE_")) {
        command.env_remove(name);
    }
    command.env("MUSETTE_TEST", "1");
    command
}

/// URL of a PostgreSQL server; `tools/with-postgres` starts one.
fn server() -> String {
    std::env::var("MUSETTE_TEST_POSTGRES")
        .expect("MUSETTE_TEST_POSTGRES: run the tests by `make test` or tools/with-postgres")
}

/// Time limit of a database call: a database that vanishes without closing connections fails the test.
const LIMIT: Duration = Duration::from_secs(60);

pub fn answered<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime
        .expect("a runtime")
        .block_on(async { tokio::time::timeout(LIMIT, work).await })
        .expect("the database answers")
}

fn administer(statements: &[String]) {
    answered(async {
        let admin = PgConnection::connect(&format!("{}/postgres", server())).await;
        let mut admin = admin.expect("PostgreSQL answers");
        for statement in statements {
            let sql = sqlx::raw_sql(AssertSqlSafe(statement.clone()));
            admin.execute(sql).await.expect("it obeys");
        }
    });
}

fn new_database() -> String {
    let name = format!("it_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    administer(&[format!("CREATE DATABASE {name}")]);
    format!("{}/{name}", server())
}

impl TestStore {
    /// A store without anything in it.
    pub fn new(engine: Engine) -> Self {
        let store = Self::none(engine);
        store.command(&["migrate"]).done();
        store
    }

    /// A path for a new store.
    pub fn none(engine: Engine) -> Self {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(new_database()),
        };
        Self { dir: tempfile::tempdir().expect("a directory"), database }
    }

    /// PostgreSQL ends every connection to this store and takes no new one, or takes them again.
    pub fn let_nobody_in(&self, nobody: bool) {
        let name = self.database_name();
        administer(&[
            format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {}", !nobody),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ]);
    }

    /// PostgreSQL refuses every write to this store, as a standby does, or takes them again. Connections of
    /// before are ended, since they would not notice.
    pub fn take_writes(&self, takes: bool) {
        let name = self.database_name();
        administer(&[
            format!("ALTER DATABASE {name} SET default_transaction_read_only = {}", !takes),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ]);
    }

    /// Commits to this store wait for the standby of `tools/with-postgres`, which there is not.
    pub fn wait_for_standby(&self) {
        let name = self.database_name();
        administer(&[
            format!("ALTER DATABASE {name} SET synchronous_commit = on"),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ]);
    }

    /// From now on no commit waits, in no store: only one test can have this.
    pub fn standby_is_needed_no_longer(&self) {
        administer(&[
            "ALTER SYSTEM SET synchronous_standby_names = ''".to_owned(),
            "SELECT pg_reload_conf()".to_owned(),
        ]);
    }

    /// Cancels this statement where it waits for the standby.
    pub fn cancel_waiting(&self, statement: &str) {
        let name = self.database_name();
        administer(&[format!(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE datname = '{name}' AND wait_event = 'SyncRep' AND query = '{statement}'"
        )]);
    }

    fn database_name(&self) -> &str {
        let database = self.database.as_deref().expect("a store on PostgreSQL");
        database.rsplit('/').next().expect("a name")
    }

    /// Does something to the database that the program would not do.
    pub fn tamper(&self, sql: &str) {
        self.while_locked(sql, || ());
    }

    /// Runs `sql` in a transaction and does `work` before it ends it.
    pub fn while_locked<T>(&self, sql: &str, work: impl FnOnce() -> T) -> T {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        answered(async {
            match &self.database {
                Some(url) => {
                    let mut database = PgConnection::connect(url).await.expect("it answers");
                    database.execute(sql).await.expect("it obeys");
                    let done = work();
                    database.close().await.expect("it ends");
                    done
                }
                None => {
                    let file = self.path("data/musette.db");
                    let options = SqliteConnectOptions::new().filename(file);
                    let mut database = options.connect().await.expect("it opens");
                    database.execute(sql).await.expect("it obeys");
                    let done = work();
                    database.close().await.expect("it ends");
                    done
                }
            }
        })
    }

    /// Name of the PostgreSQL database; none on SQLite.
    pub fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The program with this store in its environment.
    pub fn program(&self) -> Command {
        let mut command = program(self.dir.path());
        match &self.database {
            Some(url) => command.env("MUSETTE_DATABASE", url),
            None => command.env("MUSETTE_DATA", self.path("data")),
        };
        command
    }

    pub fn command(&self, args: &[&str]) -> Ran {
        self.program().args(args).output().expect("the program runs").into()
    }

    pub fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path.into_os_string().into_string().expect("UTF-8")
    }

    /// A file with one page that says `text`.
    pub fn pdf(&self, text: &str) -> String {
        let name = format!("{}.pdf", NEXT.fetch_add(1, Ordering::Relaxed));
        self.file(&name, &pdf::page(text))
    }

    /// Publishes a document of this title that no other has; gives the term as it was printed.
    #[track_caller]
    pub fn publish(&self, kind: &str, title: &str, args: &[&str]) -> Value {
        let file = self.pdf(&format!("no. {}", NEXT.fetch_add(1, Ordering::Relaxed)));
        let mut all = vec!["terms", "publish", &file, "--type", kind, "--title", title];
        all.extend(args);
        self.command(&all).json()
    }

    /// Publishes a term and gives its id.
    #[track_caller]
    pub fn term(&self, kind: &str, args: &[&str]) -> i64 {
        let term = self.publish(kind, "A text", args);
        term["id"].as_i64().expect("an id")
    }

    #[track_caller]
    pub fn add_user(&self, id: &str, roles: &[&str]) {
        let mut args = vec!["user", "add", "--id", id];
        for role in roles {
            args.extend(["--role", role]);
        }
        self.command(&args).done();
    }

    #[track_caller]
    pub fn with_rider(self, id: &str) -> Self {
        self.add_user(id, &["rider"]);
        self
    }

    /// A new session's access token.
    #[track_caller]
    pub fn token(&self, user: &str) -> String {
        let tokens = self.command(&["token", "issue", "--user", user]).json();
        tokens["dhhToken"].as_str().expect("a token").to_owned()
    }

    /// Every decision, as `consents export` has it.
    #[track_caller]
    pub fn export(&self, args: &[&str]) -> Vec<Value> {
        let mut all = vec!["consents", "export", "--format", "jsonl"];
        all.extend(args);
        let text = self.command(&all).done();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

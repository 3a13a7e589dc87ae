//! A separate store for each test, and the commands that work on it.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use musette::parts::clock::Clock;
use musette::parts::random::{hex, uuid};
use musette::parts::{NewSignIn, TokenKeys, open_session};
use musette_core::instant::Instant;
use musette_core::session::{RoleGrant, SignInMethod};
use musette_store::{AuditEvent, NewUser, Store, StoreError, User};
use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection};
use tempfile::TempDir;

use crate::pdf;
use crate::until::until;

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

/// The result of a command.
#[derive(Debug)]
pub struct CommandResult {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for CommandResult {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl CommandResult {
    /// Returns the output. Panics if the command failed.
    #[track_caller]
    pub fn expect_success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.expect_success()).expect("JSON on stdout")
    }

    /// Checks the exit code, that stderr is one line that names the cause, and that stdout is
    /// empty.
    #[track_caller]
    pub fn failed(self, code: i32, named: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.trim_end().lines().count(), 1, "{self:?}");
        assert!(self.stderr.contains(named), "'{named}' is not named: {self:?}");
    }
}

/// Builds a command for the program without settings from the environment. Its working directory is
/// `dir`.
pub fn program(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musette"));
    command.current_dir(dir);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MUSETTE_")) {
        command.env_remove(name);
    }
    command.env("MUSETTE_TEST", "1").env("MUSETTE_TEST_IMAGES", "fast");
    command
}

/// Returns the URL of a PostgreSQL server. `tools/with-postgres` starts one.
fn server() -> String {
    std::env::var("MUSETTE_TEST_POSTGRES")
        .expect("MUSETTE_TEST_POSTGRES: run the tests by `make test` or tools/with-postgres")
}

/// Writes the audit entry that the command would write.
async fn record(
    store: &Store,
    event: &'static str,
    user: &User,
    detail: String,
    now: Instant,
) -> Result<(), StoreError> {
    let event = AuditEvent {
        id: uuid(),
        event,
        subject: Some(user.subject.clone()),
        sid: None,
        detail: (!detail.is_empty()).then(|| detail.into()),
        actor: Some("command".to_owned()),
    };
    store.audit(&event, now).await
}

/// After this time without a report a node is considered down, as in `live.rs`.
const NODE_GONE_MS: i64 = 5_000;

/// The time limit of a database call. A database that disappears without closing its connections
/// fails the test.
const LIMIT: Duration = Duration::from_secs(60);

pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime
        .expect("a runtime")
        .block_on(async { tokio::time::timeout(LIMIT, work).await })
        .expect("the database answers")
}

fn administer(statements: &[String]) {
    block_on(async {
        let admin = PgConnection::connect(&format!("{}/postgres", server())).await;
        let mut admin = admin.expect("PostgreSQL answers");
        for statement in statements {
            let sql = sqlx::raw_sql(AssertSqlSafe(statement.clone()));
            admin.execute(sql).await.expect("the statement succeeds");
        }
    });
}

fn new_database(template: &str) -> String {
    let name = format!("it_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    administer(&[format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")]);
    format!("{}/{name}", server())
}

/// Returns the bytes of a migrated SQLite file. They are created once per test process, because the
/// migrations take longer than most tests.
fn migrated_file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let store = TestStore::missing(Engine::Sqlite);
        store.command(&["migrate"]).expect_success();
        // The last connection that closes writes the write-ahead log into the file.
        store.tamper("SELECT 1");
        std::fs::read(store.path("data/musette.db")).expect("a migrated file")
    })
}

/// Returns the name of a migrated PostgreSQL database, which is created once per test process.
fn migrated_database() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let store = TestStore::missing(Engine::Postgres);
        store.command(&["migrate"]).expect_success();
        store.database_name().to_owned()
    })
}

impl TestStore {
    /// Creates a migrated store without data.
    pub fn new(engine: Engine) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let database = match engine {
            Engine::Sqlite => {
                let data = dir.path().join("data");
                DirBuilder::new().mode(0o700).create(&data).expect("a directory");
                let file = OpenOptions::new()
                    .mode(0o600)
                    .create_new(true)
                    .write(true)
                    .open(data.join("musette.db"));
                file.expect("a file").write_all(migrated_file()).expect("written");
                None
            }
            Engine::Postgres => Some(new_database(migrated_database())),
        };
        Self { dir, database }
    }

    /// Returns a path for a new store.
    pub fn missing(engine: Engine) -> Self {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(new_database("template1")),
        };
        Self { dir: tempfile::tempdir().expect("a directory"), database }
    }

    /// Makes PostgreSQL close every connection to this store and refuse new ones, or accept them
    /// again.
    pub fn refuse_connections(&self, nobody: bool) {
        let name = self.database_name();
        administer(&[
            format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {}", !nobody),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ]);
    }

    /// Makes PostgreSQL refuse every write to this store, as a standby does, or accept them again.
    /// Closes existing connections, because they would not notice the change.
    pub fn set_writable(&self, takes: bool) {
        let name = self.database_name();
        administer(&[
            format!("ALTER DATABASE {name} SET default_transaction_read_only = {}", !takes),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ]);
    }

    /// Makes commits to this store wait for the standby of `tools/with-postgres`, which does not
    /// exist.
    pub fn wait_for_standby(&self) {
        let name = self.database_name();
        administer(&[
            format!("ALTER DATABASE {name} SET synchronous_commit = on"),
            format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ]);
    }

    /// Ends the wait of commits in all stores. Only one test can use this.
    pub fn stop_waiting_for_standby(&self) {
        administer(&[
            "ALTER SYSTEM SET synchronous_standby_names = ''".to_owned(),
            "SELECT pg_reload_conf()".to_owned(),
        ]);
    }

    /// Sets whether PostgreSQL writes acknowledged data to disk, as a production server does. In
    /// tests it does not, for speed (`tools/with-postgres`). This applies to all stores; other
    /// tests do not notice.
    pub fn set_durable(is_durable: bool) {
        let fsync = if is_durable { "SET fsync = on" } else { "RESET fsync" };
        administer(&[format!("ALTER SYSTEM {fsync}"), "SELECT pg_reload_conf()".to_owned()]);
        let current = || {
            block_on(async {
                let mut admin = PgConnection::connect(&format!("{}/postgres", server())).await?;
                sqlx::query_scalar::<_, String>("SHOW fsync").fetch_one(&mut admin).await
            })
        };
        until("the setting is in effect", || {
            current().is_ok_and(|fsync| (fsync == "on") == is_durable)
        });
    }

    /// Cancels this statement while it waits for the standby.
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

    /// Changes the database in a way that the program would not.
    pub fn tamper(&self, sql: &str) {
        self.while_locked(sql, || ());
    }

    /// Runs `sql` in a transaction and calls `work` before it ends.
    pub fn while_locked<T>(&self, sql: &str, work: impl FnOnce() -> T) -> T {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        block_on(async {
            match &self.database {
                Some(url) => {
                    let mut database = PgConnection::connect(url).await.expect("it answers");
                    database.execute(sql).await.expect("the statement succeeds");
                    let result = work();
                    database.close().await.expect("it ends");
                    result
                }
                None => {
                    let file = self.path("data/musette.db");
                    let options = SqliteConnectOptions::new().filename(file);
                    let mut database = options.connect().await.expect("it opens");
                    database.execute(sql).await.expect("the statement succeeds");
                    let result = work();
                    database.close().await.expect("it ends");
                    result
                }
            }
        })
    }

    /// Returns the name of the PostgreSQL database; none on SQLite.
    pub fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Builds a command for the program with this store in its environment.
    pub fn program(&self) -> Command {
        let mut command = program(self.dir.path());
        match &self.database {
            Some(url) => command.env("MUSETTE_DATABASE", url),
            None => command.env("MUSETTE_DATA", self.path("data")),
        };
        command
    }

    pub fn command(&self, args: &[&str]) -> CommandResult {
        self.program().args(args).output().expect("the program runs").into()
    }

    pub fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path.into_os_string().into_string().expect("UTF-8")
    }

    /// Writes a PDF with one page that contains `text` and returns its path.
    pub fn pdf(&self, text: &str) -> String {
        let name = format!("{}.pdf", NEXT.fetch_add(1, Ordering::Relaxed));
        self.file(&name, &pdf::page(text))
    }

    /// Publishes a unique document with this title and returns the printed term.
    #[track_caller]
    pub fn publish(&self, kind: &str, title: &str, args: &[&str]) -> Value {
        let file = self.pdf(&format!("no. {}", NEXT.fetch_add(1, Ordering::Relaxed)));
        let mut all = vec!["terms", "publish", &file, "--type", kind, "--title", title];
        all.extend(args);
        self.command(&all).json()
    }

    /// Publishes a term and returns its id.
    #[track_caller]
    pub fn term(&self, kind: &str, args: &[&str]) -> i64 {
        let term = self.publish(kind, "A text", args);
        term["id"].as_i64().expect("an id")
    }

    /// Does in this process what a command would do, in a twentieth of the time of a process.
    pub fn within<T>(&self, work: impl AsyncFnOnce(&Store, Instant) -> Result<T, StoreError>) -> T {
        block_on(async {
            let store = match &self.database {
                Some(url) => {
                    Store::lazy_postgres(url, musette_store::POSTGRES_CONNECTIONS).expect("a URL")
                }
                None => Store::open_sqlite(&self.path("data/musette.db")).await.expect("it opens"),
            };
            let result =
                work(&store, Clock::default().now()).await.expect("the store call succeeds");
            store.close().await;
            result
        })
    }

    /// Adds a user as `user add` does.
    #[track_caller]
    pub fn add_user(&self, id: &str, roles: &[&str]) {
        let new = NewUser {
            id: id.to_owned(),
            roles: roles.iter().map(|role| RoleGrant::parse(role).expect("a role")).collect(),
            name: None,
            email: None,
            phone: None,
            market: None,
            subject: uuid(),
            subject_key: hex::<32>(),
        };
        self.within(async |store, now| {
            let user = store.add_user(&new, now).await?;
            record(store, "user_added", &user, roles.join(" "), now).await?;
            let (revision, since) = (store.revision().await?, now.millis() - NODE_GONE_MS);
            // As long as a command waits: a node whose clock was ahead seems to be alive.
            for _ in 0..100 {
                if store.nodes_behind(since, revision).await? == 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Ok(())
        });
    }

    #[track_caller]
    pub fn with_rider(self, id: &str) -> Self {
        self.add_user(id, &["rider"]);
        self
    }

    /// Returns the access token of a new session.
    #[track_caller]
    pub fn token(&self, user: &str) -> String {
        self.within(async |store, now| {
            let keys = TokenKeys::load(store, now).await?;
            let user = store.user(user).await?.expect("a user");
            let method = SignInMethod::Command;
            let sign_in = NewSignIn { user: &user, device: "", method, access_ttl: None };
            let granted = open_session(store, &keys, sign_in, "musette", now).await?;
            record(store, "token_issued", &user, String::new(), now).await?;
            Ok(granted.tokens.dhh_token)
        })
    }

    /// Returns every decision, as `consents export` does.
    #[track_caller]
    pub fn export(&self, args: &[&str]) -> Vec<Value> {
        let mut all = vec!["consents", "export", "--format", "jsonl"];
        all.extend(args);
        let text = self.command(&all).expect_success();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

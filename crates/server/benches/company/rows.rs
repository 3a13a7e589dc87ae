//! Rows that go into a store past the program, because it would take long to write so many through it.

use musette_store::Store;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Connection as _, Row as _};

use super::program::{open, processor_time};

pub enum Rows {
    Sqlite(SqliteConnection),
    /// And the process that serves this connection.
    Postgres(PgConnection, u32),
}

impl Rows {
    /// A connection to the store that these arguments name, with all tables.
    pub async fn open(arguments: &[String]) -> Self {
        let store = open(arguments).await;
        Store::close(&store).await;
        let value = |name: &str| {
            let at = arguments.iter().position(|it| it == name)?;
            arguments.get(at + 1)
        };
        if let Some(url) = value("--database") {
            let mut connection = PgConnection::connect(url).await.expect("connects");
            let pid = sqlx::query("SELECT pg_backend_pid()").fetch_one(&mut connection).await;
            let pid: i32 = pid.expect("a process").get(0);
            return Self::Postgres(connection, pid.unsigned_abs());
        }
        let options = SqliteConnectOptions::new()
            .filename(
                std::path::Path::new(value("--data").expect("a directory")).join("musette.db"),
            )
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .pragma("secure_delete", "on");
        Self::Sqlite(SqliteConnection::connect_with(&options).await.expect("opens"))
    }

    /// Runs statements without parameters in one transaction.
    pub async fn run(&mut self, statements: &str) {
        let all = AssertSqlSafe(format!("BEGIN; {statements}; COMMIT"));
        match self {
            Self::Sqlite(it) => sqlx::raw_sql(all).execute(it).await.map(drop),
            Self::Postgres(it, _) => sqlx::raw_sql(all).execute(it).await.map(drop),
        }
        .expect("runs");
    }

    /// Inserts rows in one transaction. In each statement `{rows}` stands for the rows of `$1`, a JSON array.
    pub async fn insert(&mut self, statements: &[(&str, String)]) {
        macro_rules! insert {
            ($connection:expr, $source:literal) => {{
                let mut tx = $connection.begin().await.expect("begins");
                for (sql, rows) in statements {
                    let sql = AssertSqlSafe(sql.replace("{rows}", $source));
                    sqlx::query(sql).bind(rows).execute(&mut *tx).await.expect("writes");
                }
                tx.commit().await.expect("commits");
            }};
        }
        match self {
            Self::Sqlite(it) => insert!(it, "json_each($1) AS rows"),
            Self::Postgres(it, _) => insert!(it, "json_array_elements($1::json) AS rows(value)"),
        }
    }

    /// Processor time of this process and of the one that serves the connection.
    pub fn processor_time(&self) -> std::time::Duration {
        let own = processor_time(std::process::id());
        match self {
            Self::Sqlite(_) => own,
            Self::Postgres(_, pid) => own + processor_time(*pid),
        }
    }
}

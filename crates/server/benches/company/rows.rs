//! Inserts rows directly into a store, because it would take long to write so many through the
//! server.

use musette_store::Store;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Connection as _, Row as _};

use super::program::{open, processor_time};

pub enum Rows {
    Sqlite(SqliteConnection),
    /// The connection, and the ID of the PostgreSQL process that serves it.
    Postgres(PgConnection, u32),
}

impl Rows {
    /// Connects to the store that these arguments name, which has all tables.
    pub async fn open(arguments: &[String]) -> Self {
        let store = open(arguments).await;
        Store::close(&store).await;
        let value = |name: &str| {
            let at = arguments.iter().position(|argument| argument == name)?;
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
            Self::Sqlite(connection) => sqlx::raw_sql(all).execute(connection).await.map(drop),
            Self::Postgres(connection, _) => sqlx::raw_sql(all).execute(connection).await.map(drop),
        }
        .expect("runs");
    }

    /// Inserts rows in one transaction. In each statement, `{rows}` is replaced by the rows of
    /// `$1`, a JSON array.
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
            Self::Sqlite(connection) => insert!(connection, "json_each($1) AS rows"),
            Self::Postgres(connection, _) => {
                insert!(connection, "json_array_elements($1::json) AS rows(value)");
            }
        }
    }

    /// Returns the processor time of this process and of the one that serves the connection.
    pub fn processor_time(&self) -> std::time::Duration {
        let own = processor_time(std::process::id());
        match self {
            Self::Sqlite(_) => own,
            Self::Postgres(_, pid) => own + processor_time(*pid),
        }
    }
}

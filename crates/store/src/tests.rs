//! Tests each behaviour on each engine, and prepares every statement on both.

mod allowances;
mod audit;
mod backup;
mod backup_seal;
mod campaigns;
mod changes;
mod codes;
mod decisions;
mod evidence;
mod exports;
mod flag_events;
mod flags;
mod gate;
mod migrations;
mod outbox;
mod passwords;
mod people;
mod personal_data;
mod random_runs;
mod schema;
mod secrets;
mod sessions;
mod statistics;
mod sticky;
mod submissions;
pub(crate) mod systems;
mod terms;
mod wal;
mod webhooks;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::terms::{NewTerm, SubmittedDecision, Term, TermKind, TermType, Variant};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, SqlSafeStr as _};
use tokio::sync::OnceCell;

use crate::db::batch::{over_few_rows, over_rows};
use crate::db::{Db, read};
use crate::terms::documents::NewDocument;
use crate::{Engine, NewLog, NewUser, Store};

const NOW: Instant = Instant::from_millis(1_800_000_000_000);

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Creates an empty store; the directory exists as long as the test.
async fn store(engine: Engine) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = store_without_log(engine).await;
    store.open_log(&new_log(), later()).await.expect("starts");
    assert!(store.extend_log(NOW).await.expect("extends"));
    (Arc::new(store), dir)
}

/// Creates a store on which no server has run.
async fn store_without_log(engine: Engine) -> (Store, Option<tempfile::TempDir>) {
    match engine {
        Engine::Sqlite => {
            let dir = tempfile::tempdir().expect("a directory");
            let file = dir.path().join("musette.db");
            std::fs::write(&file, migrated_file().await).expect("a file");
            (Store::open_sqlite(&file).await.expect("opens"), Some(dir))
        }
        Engine::Postgres => {
            let url = new_database(migrated_database().await).await;
            (Store::open_postgres(&url, crate::POSTGRES_CONNECTIONS).await.expect("opens"), None)
        }
    }
}

/// Creates a database without tables.
async fn bare_store(engine: Engine) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = match engine {
        Engine::Sqlite => {
            let dir = tempfile::tempdir().expect("a directory");
            (Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens"), Some(dir))
        }
        Engine::Postgres => {
            let url = new_database("template1").await;
            (Store::open_postgres(&url, crate::POSTGRES_CONNECTIONS).await.expect("opens"), None)
        }
    };
    (Arc::new(store), dir)
}

/// Creates a copy of the database `template`, to which no connection may be open, and returns the
/// URL of the copy.
async fn new_database(template: &str) -> String {
    let server = std::env::var("MUSETTE_TEST_POSTGRES")
        .expect("MUSETTE_TEST_POSTGRES: run the tests by `make test` or tools/with-postgres");
    let name = format!("store_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let mut admin =
        sqlx::PgConnection::connect(&format!("{server}/postgres")).await.expect("connects");
    let create =
        AssertSqlSafe(format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy"));
    admin.execute(sqlx::raw_sql(create)).await.expect("creates");
    admin.close().await.expect("closes");
    format!("{server}/{name}")
}

/// Returns the bytes of a migrated SQLite file. It is created once per test process, because the
/// migrations take longer than most tests.
async fn migrated_file() -> &'static [u8] {
    static FILE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let file = FILE.get_or_init(|| async {
        let (store, dir) = bare_store(Engine::Sqlite).await;
        store.migrate().await.expect("migrates");
        store.close().await;
        let dir = dir.expect("a directory");
        std::fs::read(dir.path().join("musette.db")).expect("a migrated file")
    });
    file.await
}

/// Returns the name of a migrated PostgreSQL database, which is created once per test process.
async fn migrated_database() -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    let name = NAME.get_or_init(|| async {
        let url = new_database("template1").await;
        let store = Store::open_postgres(&url, crate::POSTGRES_CONNECTIONS).await.expect("opens");
        store.migrate().await.expect("migrates");
        store.close().await;
        url.rsplit('/').next().unwrap_or_default().to_owned()
    });
    name.await
}

/// A database that fails without closing its connections never answers; with this limit the test
/// fails instead. The longest test takes a few seconds alone, and many times as long next to all
/// others on a busy machine.
const LIMIT: Duration = Duration::from_secs(400);

async fn in_time<T>(test: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, test).await.expect("the database answers")
}

/// Runs each test on both engines.
macro_rules! on_both {
    ($($test:ident),* $(,)?) => { $(
        mod $test {
            #[tokio::test]
            async fn on_sqlite() {
                $crate::tests::in_time(super::$test($crate::Engine::Sqlite)).await;
            }
            #[tokio::test]
            async fn on_postgres() {
                $crate::tests::in_time(super::$test($crate::Engine::Postgres)).await;
            }
        }
    )* };
}
pub(crate) use on_both;

on_both!(every_statement_prepares, a_second_migration_changes_nothing);

const CAMPAIGNS: &[&[&str]] = &[
    crate::campaigns::ALL,
    crate::campaigns::batches::ALL,
    crate::campaigns::passes::ALL,
    crate::campaigns::people::ALL,
    crate::campaigns::proofs::ALL,
    crate::campaigns::recipients::ALL,
    crate::campaigns::reports::ALL,
    crate::campaigns::sending::ALL,
    crate::campaigns::settling::ALL,
];

const WEBHOOKS: &[&[&str]] = &[crate::webhooks::ALL, crate::webhooks::deliveries::ALL];

const LOG: &[&[&str]] = &[
    crate::log::ALL,
    crate::log::ANCHORS_ALL,
    crate::log::APPEND_ALL,
    crate::log::COSIGNED_ALL,
    crate::log::ENDINGS_ALL,
    crate::log::EVENTS_ALL,
    crate::log::HISTORIES_ALL,
    crate::log::ML_DSA_ALL,
    crate::log::READ_ALL,
    crate::log::STANDING_ALL,
    crate::log::SYSTEMS_ALL,
    crate::log::case::ALL,
];

/// Statements of subjects with several files.
const NESTED: [&[&[&str]]; 8] = [
    LOG,
    WEBHOOKS,
    crate::log::VERIFY_ALL,
    crate::decisions::ALL,
    crate::decisions::restrictions::ALL,
    crate::notices::ALL,
    CAMPAIGNS,
    crate::flags::ALL,
];

/// Returns every statement that is the same on both engines and takes no rows.
fn statements_without_rows() -> impl Iterator<Item = &'static str> {
    let lists = [
        crate::changes::ALL,
        crate::cluster::ALL,
        crate::db::migrations::ALL,
        crate::terms::documents::ALL,
        crate::consents::as_of::ALL,
        crate::consents::coverage::ALL,
        crate::sessions::deliveries::ALL,
        crate::people::directory::ALL,
        crate::first_steps::ALL,
        crate::terms::drafts::ALL,
        crate::terms::order::ALL,
        crate::terms::endings::ALL,
        crate::terms::ALL,
        crate::terms::views::ALL,
        crate::people::ALL,
        crate::people::bulk::ALL,
        crate::people::contact::ALL,
        crate::markets::ALL,
        crate::people::search::ALL,
        crate::people::former::ALL,
        crate::people::personal_data::ALL,
        crate::service_keys::ALL,
        crate::approvals::ALL,
        crate::approvals::clearance::ALL,
        crate::approvals::independence::ALL,
        crate::approvals::notices::ALL,
        crate::approvals::proposals::ALL,
        crate::sessions::ALL,
        crate::sessions::sign_in::ALL,
        crate::sessions::codes::ALL,
        crate::sessions::allowances::ALL,
        crate::sessions::signing_keys::ALL,
        crate::db::secrets::ALL,
        crate::sessions::identities::ALL,
        crate::audit::ALL,
        crate::audit::READ,
        crate::audit::COUNTED,
        crate::consents::ALL,
        crate::consents::exports::ALL,
        crate::consents::claims::ALL,
        crate::writer::ALL,
        crate::backup::ALL,
        crate::backup::moving::ALL,
        crate::people::erasure::ALL,
        crate::experiments::decisions::ALL,
        crate::experiments::exposures::ALL,
        crate::experiments::sticky::ALL,
        crate::outbox::ALL,
        crate::outbox::read::ALL,
        crate::terms::turns::ALL,
        crate::gate::ALL,
        crate::gate::maintenance::ALL,
        crate::gate::page::ALL,
    ];
    lists
        .into_iter()
        .chain(NESTED.iter().flat_map(|lists| lists.iter().copied()))
        .flatten()
        .copied()
}

#[test]
fn each_statement_exists_once() {
    let statements = statements_without_rows().chain(statements_with_rows());
    let mut unique = std::collections::HashSet::new();
    let repeated: Vec<String> = statements
        .map(|sql| sql.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|sql| !unique.insert(sql.clone()))
        .collect();
    assert_eq!(repeated, [""; 0]);
}

async fn every_statement_prepares(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let mut statements: Vec<_> =
        statements_without_rows().map(|sql| AssertSqlSafe(sql.to_owned())).collect();
    if engine == Engine::Postgres {
        statements.push(AssertSqlSafe(crate::writer::insert_batch_sql()));
        statements.push(AssertSqlSafe(crate::writer::LOCK_BY_INDEX.to_owned()));
    } else {
        statements.push(crate::writer::DECISIONS.insert(engine));
        statements.push(AssertSqlSafe(crate::writer::INSERT_EVENTS.to_owned()));
    }
    statements.extend(statements_with_rows().map(|sql| over_rows(engine, sql)));
    statements.extend(
        [
            crate::experiments::exposures::SERIES,
            crate::experiments::exposures::EXPOSURES,
            crate::experiments::metrics::METRIC_VALUES,
        ]
        .iter()
        .map(|table| table.insert_new(engine, "id")),
    );
    statements.extend(
        [crate::experiments::exposures::EXPOSURES, crate::experiments::metrics::METRIC_VALUES]
            .iter()
            .map(|table| crate::experiments::exposures::delete_old_rows(engine, table)),
    );
    let key = "environment, version, section, key";
    statements.push(crate::flags::VERSION_OBJECTS.insert_new(engine, key));
    statements.extend([
        crate::gate::maintenance::save_states(engine),
        crate::gate::maintenance::save_left(engine),
    ]);
    statements.extend(crate::terms::selects());
    statements.extend(crate::backup::TABLES.iter().map(|table| table.insert(engine)));
    let moved = crate::backup::moving::MOVE_ONLY_TABLES.iter().map(|table| table.insert(engine));
    statements.extend(moved);
    for sql in statements {
        let sql = sql.into_sql_str();
        read!(store, |pool| {
            let mut connection = pool.acquire().await.expect("a connection");
            if let Err(error) = connection.prepare(sql.clone()).await {
                panic!("{}: {error}", sql.as_str());
            }
        });
    }
}

/// Returns every statement that takes rows.
fn statements_with_rows() -> impl Iterator<Item = &'static str> {
    let lists = [
        crate::writer::LISTS,
        crate::campaigns::batches::LISTS,
        crate::campaigns::people::LISTS,
        crate::campaigns::recipients::LISTS,
        crate::campaigns::sending::LISTS,
        crate::decisions::write::LISTS,
        crate::decisions::read::LISTS,
        crate::terms::order::LISTS,
        crate::terms::views::LISTS,
        crate::notices::reach::LISTS,
        crate::notices::receptions::LISTS,
        crate::consents::coverage::LISTS,
        crate::people::bulk::LISTS,
        crate::people::contact::LISTS,
        crate::people::directory::LISTS,
        crate::consents::imports::LISTS,
        crate::flags::LISTS,
        crate::sessions::LISTS,
        crate::session_ends::LISTS,
        crate::sessions::rotator::LISTS,
        crate::experiments::exposures::LISTS,
        crate::experiments::days::LISTS,
        crate::experiments::metrics::LISTS,
        crate::experiments::sticky::LISTS,
        crate::log::HISTORIES_LISTS,
        crate::log::VERIFY_LISTS,
        crate::outbox::read::LISTS,
        crate::gate::maintenance::LISTS,
    ];
    lists.into_iter().flatten().copied()
}

/// SQLite, which has no statistics, reads the given rows first and finds all others with an index.
/// So the cost of a statement depends on its parameters, and not on the number of people.
#[tokio::test]
async fn reads_the_given_rows_first() {
    let (store, _dir) = store(Engine::Sqlite).await;
    for sql in statements_with_rows() {
        assert!(reads_given_rows_first(&store, sql).await, "{sql}");
    }
    // Reads all riders, and for each of them all rows.
    let all_riders = "SELECT u.id FROM {wanted} JOIN users AS u ON u.id = wanted.value ->> 0
        JOIN user_roles AS r ON r.user_id = u.id AND r.role = 'rider'";
    assert!(!reads_given_rows_first(&store, all_riders).await);
}

async fn reads_given_rows_first(store: &Store, sql: &'static str) -> bool {
    let Db::Sqlite(pools) = &store.db else { panic!("not SQLite") };
    let over_rows = over_rows(Engine::Sqlite, sql).into_sql_str();
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", over_rows.as_str()));
    let steps: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(explain).fetch_all(&pools.read).await.expect("a plan");
    let reads = steps.iter().filter(|(.., step)| {
        (step.starts_with("SCAN ") && step != "SCAN CONSTANT ROW") || step.starts_with("SEARCH ")
    });
    // Steps with the same parent are nested loops, the outermost first.
    let mut parents = std::collections::HashSet::new();
    reads
        .map(|(_, parent, _, step)| (parents.insert(*parent), step))
        .all(|(is_outermost, step)| is_outermost || !step.starts_with("SCAN wanted "))
}

/// The newest row of a growing table is read from the end of an index. PostgreSQL once sorted the
/// heads of the log for each batch, which took 74 ms for 55,000 heads; SQLite read them in order.
#[tokio::test]
async fn reads_the_newest_row_from_an_index() {
    let (store, _dir) = store(Engine::Postgres).await;
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    let mut tx = pools.write.begin().await.expect("begins");
    // With few rows the planner would sort. With these settings it only sorts if there is no other
    // plan.
    for setting in ["enable_seqscan", "enable_bitmapscan", "enable_sort"] {
        let set = AssertSqlSafe(format!("SET LOCAL {setting} = off"));
        tx.execute(sqlx::raw_sql(set)).await.expect("a setting");
    }
    let newest = statements_without_rows()
        .filter(|sql| sql.contains("ORDER BY") && sql.ends_with("DESC LIMIT 1"));
    let mut count = 0;
    for sql in newest {
        let parameters = (1..10).take_while(|n| sql.contains(&format!("${n}"))).map(|_| "NULL");
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let arguments =
            if parameters.is_empty() { String::new() } else { format!("({parameters})") };
        let steps = format!(
            "SET LOCAL plan_cache_mode = force_generic_plan; PREPARE newest AS {sql};
            EXPLAIN EXECUTE newest{arguments}; DEALLOCATE newest"
        );
        let steps = sqlx::raw_sql(AssertSqlSafe(steps)).fetch_all(&mut *tx).await.expect("a plan");
        let steps: Vec<String> = steps.iter().map(|row| row.get(0)).collect();
        assert!(steps.iter().all(|step| !step.contains("Sort")), "{sql}\n{steps:#?}");
        count += 1;
    }
    assert!(count > 3, "only {count} statements were checked");
}

/// PostgreSQL plans with the statistics that it has, and keeps the plan: a batch must not scan a
/// table that has grown since.
#[tokio::test]
async fn a_batch_uses_indexes_with_any_postgresql_statistics() {
    let (store, _dir) = store(Engine::Postgres).await;
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    // Tables of at most one page are read fastest as a whole.
    sqlx::query("ANALYZE").execute(&pools.write).await.expect("counts");
    let mut tx = pools.write.begin().await.expect("begins");
    let over_rows = |sql: &&'static str| over_rows(Engine::Postgres, sql).into_sql_str();
    let mut reads: Vec<_> = crate::writer::LISTS.iter().map(over_rows).collect();
    reads.push(crate::log::SELECT_HEAD.into_sql_str());
    let mut full_scans = 0;
    for is_locked in [false, true] {
        if is_locked {
            sqlx::query(crate::writer::LOCK_BY_INDEX).fetch_one(&mut *tx).await.expect("locks");
        }
        for sql in &reads {
            let sql = sql.as_str().replace("$1", "'[]'");
            let explain = AssertSqlSafe(format!("EXPLAIN {sql}"));
            let steps = sqlx::raw_sql(explain).fetch_all(&mut *tx).await.expect("a plan");
            let steps: Vec<String> = steps.iter().map(|row| row.get(0)).collect();
            let reads_all = steps.iter().any(|step| step.contains("Seq Scan"));
            full_scans += u32::from(reads_all);
            assert!(!is_locked || !reads_all, "{sql}\n{steps:#?}");
        }
    }
    assert!(full_scans > 0, "without the settings of the lock some tables are scanned");
}

/// A refresh once read all sessions for each batch, if there were between some hundred and some ten
/// thousand of them.
#[tokio::test]
async fn a_refresh_reads_its_own_session_only() {
    let (store, _dir) = store(Engine::Postgres).await;
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    let mut tx = pools.write.begin().await.expect("begins");
    let fill = "SET LOCAL session_replication_role = replica;
        INSERT INTO users (id, subject, created_at)
            SELECT 'u' || n, 's' || n, 0 FROM generate_series(1, 5000) AS n;
        INSERT INTO user_roles (user_id, role) SELECT 'u' || n, 'rider' FROM generate_series(1, 5000) AS n;
        INSERT INTO sessions (sid, user_id, salt, generation, created_at, last_used_at, idle_until, absolute_until)
            SELECT 'sid' || n, 'u' || n, repeat('x', 43), 1, 0, 0, 9, 9 FROM generate_series(1, 5000) AS n;
        ANALYZE; SET LOCAL plan_cache_mode = force_generic_plan";
    tx.execute(sqlx::raw_sql(fill)).await.expect("fills");
    for sql in crate::sessions::rotator::LISTS {
        let plan = |sql: AssertSqlSafe<String>| {
            let sql = sql.into_sql_str().as_str().to_owned();
            AssertSqlSafe(format!(
                "PREPARE batch AS {sql}; EXPLAIN EXECUTE batch('[]'); DEALLOCATE batch"
            ))
        };
        let mut reads_all = Vec::new();
        for sql in [over_rows(Engine::Postgres, sql), over_few_rows(Engine::Postgres, sql)] {
            let steps = sqlx::raw_sql(plan(sql)).fetch_all(&mut *tx).await.expect("a plan");
            let steps: Vec<String> = steps.iter().map(|row| row.get(0)).collect();
            reads_all.push(steps.iter().any(|step| step.contains("Seq Scan")));
        }
        assert_eq!(reads_all, [true, false], "{sql}");
    }
}

async fn a_second_migration_changes_nothing(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let (one, two) = tokio::join!(store.migrate(), store.migrate());
    one.expect("migrates");
    two.expect("migrates");
    assert_eq!(store.revision().await.expect("reads"), 1);
}

/// Returns a log with a unique name.
fn new_log() -> NewLog {
    let name = format!("log-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let seed = sha256(&name);
    NewLog { prefix: "example.com".into(), name, seed }
}

/// Returns increasing instants, because stores start one after another.
fn later() -> Instant {
    NOW.plus(Duration::from_millis(NEXT.fetch_add(1, Ordering::Relaxed).into()))
}

/// Returns a unique entry ID.
fn next_id() -> String {
    format!("entry-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

fn sha256(text: &str) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(text))
}

fn document(name: &str) -> NewDocument {
    NewDocument {
        sha256: sha256(name),
        bytes: name.as_bytes().to_vec(),
        pages: 0,
        parts: Vec::new(),
        spooled: Vec::new(),
    }
}

fn new_term(name: &str) -> NewTerm {
    NewTerm {
        kind: TermType::parse("FREELANCER").expect("a type"),
        term_kind: TermKind::Consent,
        mandatory: true,
        display_order: None,
        effective_from: Instant::from_millis(0),
        grace_until: None,
        replaces: None,
        material: true,
        summary: None,
        label: None,
        market: None,
        instead_of: None,
        variants: vec![Variant {
            locale: "en".into(),
            title: name.into(),
            sha256: sha256(name),
            summary: None,
        }],
        draft: None,
    }
}

async fn publish(store: &Store, new: &NewTerm) -> Term {
    let documents: Vec<_> = new.variants.iter().map(|variant| document(&variant.title)).collect();
    store.publish_term(new, &documents, NOW).await.expect("a working store").expect("published")
}

async fn add_user(store: &Store, id: &str) -> crate::User {
    let new = NewUser {
        id: id.into(),
        roles: vec![musette_core::session::Role::Rider.into()],
        name: None,
        email: None,
        phone: None,
        market: None,
        subject: format!("subject-{id}"),
        subject_key: "aa".repeat(32),
    };
    store.add_user(&new, NOW).await.expect("a user")
}

fn entry(term: i64, accepted: bool) -> SubmittedDecision {
    SubmittedDecision {
        term,
        accepted,
        consented_at: NOW,
        consented_at_text: NOW.to_string(),
        sha256: None,
        method: None,
        opened: None,
        last_page: None,
    }
}

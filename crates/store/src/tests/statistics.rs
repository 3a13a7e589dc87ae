//! Tests of PostgreSQL's planner statistics: there are none on personal data, and no plan is worse
//! without them.

use std::collections::BTreeSet;

use musette_core::session::Role;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, Row as _, SqlSafeStr as _};

use super::{NOW, bare_store, statements_with_rows, statements_without_rows, store};
use crate::db::Db;
use crate::db::batch::{over_few_rows, over_rows};
use crate::{Engine, NewUser, Store};

/// Selects all values that the planner has copied from any column.
const COPIES: &str = "SELECT tablename || '.' || attname || ' '
        || coalesce(CAST(most_common_vals AS TEXT), '') || coalesce(CAST(histogram_bounds AS TEXT), '')
    FROM pg_stats WHERE schemaname = 'public'";

async fn run(store: &Store, sql: &str) {
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    let sql = AssertSqlSafe(sql.to_owned());
    (&pools.write).execute(sqlx::raw_sql(sql)).await.expect("runs");
}

async fn copies_of(store: &Store, text: &str) -> Vec<String> {
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    let all: Vec<String> = sqlx::query_scalar(COPIES).fetch_all(&pools.write).await.expect("reads");
    assert!(all.len() > 20, "columns that are not personal have statistics: {}", all.len());
    all.into_iter().filter(|copy| copy.contains(text)).collect()
}

async fn add_people(store: &Store) {
    for n in 0..40 {
        let new = NewUser {
            id: format!("tracer-{n}"),
            roles: vec![Role::Rider.into()],
            name: Some(format!("Tracer {n}")),
            email: Some(format!("tracer-{n}@larkspur.example")),
            phone: Some(format!("+49301000{n:03}")),
            market: None,
            subject: format!("tracer-subject-{n}"),
            subject_key: format!("tracer-key-{n}"),
        };
        store.add_user(&new, NOW).await.expect("a user");
    }
}

#[tokio::test]
async fn planner_statistics_contain_no_erased_person() {
    let (store, _dir) = store(Engine::Postgres).await;
    add_people(&store).await;
    run(&store, "ANALYZE").await;
    assert_eq!(copies_of(&store, "racer").await, [""; 0]);
    assert_eq!(copies_of(&store, "+49301000").await, [""; 0]);
    assert!(store.erase_user("tracer-7", NOW).await.expect("erased"));
    assert_eq!(copies_of(&store, "racer").await, [""; 0]);
}

/// A store of the previous version has collected statistics. A start removes them, and so does an
/// erasure.
#[tokio::test]
async fn statistics_of_an_earlier_version_are_removed() {
    let (store, _dir) = store(Engine::Postgres).await;
    add_people(&store).await;
    let collect = "ALTER TABLE users ALTER COLUMN email SET STATISTICS 100;
        ALTER TABLE user_roles ALTER COLUMN user_id SET STATISTICS 100;
        ANALYZE users, user_roles, log_entries, terms, revision;
        ALTER TABLE users ALTER COLUMN email SET STATISTICS 0;
        ALTER TABLE user_roles ALTER COLUMN user_id SET STATISTICS 0";
    let select_collected = "SELECT tablename || '.' || attname FROM pg_stats
        WHERE schemaname = 'public' AND CAST(histogram_bounds AS TEXT) LIKE '%tracer%'
        ORDER BY 1";
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    let personal_columns = || async {
        let rows = sqlx::query_scalar::<_, String>(select_collected).fetch_all(&pools.write).await;
        rows.expect("reads")
    };
    run(&store, collect).await;
    assert_eq!(personal_columns().await, ["user_roles.user_id", "users.email"]);
    store.migrate().await.expect("migrates");
    assert_eq!(personal_columns().await, [""; 0]);
    run(&store, collect).await;
    assert!(store.erase_user("tracer-7", NOW).await.expect("erased"));
    assert_eq!(personal_columns().await, [""; 0]);
    let person = store.person("tracer-8").await.expect("reads").expect("the person exists");
    assert_eq!(person.email.as_deref(), Some("tracer-8@larkspur.example"));
}

/// Text columns without data about a person or a secret, in tables that an erasure or a new secrets
/// key rewrites.
const IMPERSONAL: [&str; 36] = [
    "approval_notices.kind",
    "approval_notices.object",
    "approval_notices.purpose",
    "contact_notices.locale",
    "evaluations.market",
    "evaluations.status",
    "excusal_items.result",
    "gate_left.market",
    "gate_states.market",
    "gate_states.reasons",
    "identities.issuer",
    "notice_messages.batch",
    "notice_messages.campaign",
    "notice_messages.channel",
    "notice_messages.id",
    "notice_messages.leaf",
    "notice_messages.locale",
    "notice_messages.outcome",
    "notice_messages.outcome_status",
    "notice_messages.reason",
    "notice_messages.status",
    "notice_messages.zone",
    "notice_openings.locale",
    "notice_openings.sha256",
    "notice_receptions.channel",
    "outbox.kind",
    "outbox.trace",
    "restrictions.kind",
    "restrictions.market",
    "restrictions.review",
    "restrictions.status",
    "sessions.ended_because",
    "sessions.method",
    "user_roles.role",
    "users.locale",
    "users.market",
];

#[tokio::test]
async fn a_new_column_of_a_personal_table_has_no_statistics() {
    let (store, _dir) = bare_store(Engine::Postgres).await;
    store.migrate().await.expect("migrates");
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    let tables: Vec<&str> = crate::people::erasure::REWRITE_POSTGRES
        .iter()
        .filter_map(|statement| statement.rsplit(' ').next())
        .collect();
    let with_statistics = "SELECT c.relname || '.' || a.attname FROM pg_class AS c
        JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relname = ANY($1) AND a.attnum > 0 AND NOT a.attisdropped
        AND a.atttypid IN ('text'::regtype, 'bytea'::regtype) AND a.attstattarget IS DISTINCT FROM 0 ORDER BY 1";
    let columns: Vec<String> = sqlx::query_scalar(with_statistics)
        .bind(&tables)
        .fetch_all(&pools.write)
        .await
        .expect("reads");
    assert_eq!(
        columns, IMPERSONAL,
        "set STATISTICS 0 in a migration, as in 0130, or list the column here if it has no personal data"
    );
    let secrets = "SELECT CAST(count(*) AS BIGINT) FROM pg_attribute AS a
        JOIN pg_class AS c ON c.oid = a.attrelid
        WHERE (c.relname, a.attname) IN (('secrets', 'value'), ('signing_keys', 'seed'),
        ('log_key', 'seed'), ('totp', 'secret'), ('webhook_secrets', 'secret'))
        AND a.attstattarget = 0";
    let secrets: i64 = sqlx::query_scalar(secrets).fetch_one(&pools.write).await.expect("reads");
    assert_eq!(secrets, crate::db::secrets::SECRET_COLUMNS.len() as i64);
}

const FILL: &str = "SET LOCAL session_replication_role = replica;
    INSERT INTO users (id, subject, name, email, phone, market, created_at)
        SELECT 'u' || n, 's' || n, 'n' || n, 'e' || n || '@e', '+' || n,
            CASE WHEN n % 3 = 0 THEN 'DE' END, 0 FROM generate_series(1, 20000) AS n;
    INSERT INTO subjects (ref, key) SELECT 's' || n, 'k' || n FROM generate_series(1, 20000) AS n;
    INSERT INTO user_roles (user_id, role) SELECT 'u' || n, 'rider' FROM generate_series(1, 20000) AS n;
    INSERT INTO people_search (user_id, text) SELECT 'u' || n, 't' || n FROM generate_series(1, 20000) AS n;
    INSERT INTO sessions (sid, user_id, salt, generation, created_at, last_used_at, idle_until, absolute_until)
        SELECT 'sid' || n, 'u' || n % 9000, repeat('x', 43), 1, 0, 0, 9, 9 FROM generate_series(1, 20000) AS n;
    INSERT INTO known_browsers (hash, user_id, seen_at)
        SELECT 'h' || n, 'u' || n % 9000, n FROM generate_series(1, 20000) AS n;
    INSERT INTO term_views (subject, term_id, shown_at) SELECT 's' || n, 1, 0 FROM generate_series(1, 20000) AS n;
    INSERT INTO outbox (seq, at, kind, user_id, data)
        SELECT n, 0, 'k', 'u' || n % 9000, '{}' FROM generate_series(1, 20000) AS n;
    INSERT INTO gate_states (user_id, market, may_work, reasons, seq)
        SELECT 'u' || n, NULL, TRUE, '[]', n FROM generate_series(1, 20000) AS n";

/// Returns the statements whose plan reads a whole table of people.
async fn full_scans(connection: &mut PgConnection) -> BTreeSet<String> {
    let few = || crate::sessions::rotator::LISTS.iter().chain(crate::gate::maintenance::FEW_ROWS);
    let listed = statements_with_rows().map(|sql| {
        let is_few = few().any(|few_sql| *few_sql == sql);
        let text = if is_few { over_few_rows } else { over_rows };
        text(Engine::Postgres, sql).into_sql_str().as_str().to_owned()
    });
    let mut whole = BTreeSet::new();
    for sql in statements_without_rows().map(str::to_owned).chain(listed) {
        let is_explained = ["SELECT", "UPDATE", "DELETE", "WITH"]
            .iter()
            .any(|keyword| sql.trim_start().starts_with(keyword));
        if !is_explained {
            continue;
        }
        let parameters = (1..40).take_while(|n| sql.contains(&format!("${n}"))).map(|_| "NULL");
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let arguments =
            if parameters.is_empty() { String::new() } else { format!("({parameters})") };
        let steps = format!("PREPARE one AS {sql}; EXPLAIN EXECUTE one{arguments}; DEALLOCATE one");
        let steps = sqlx::raw_sql(AssertSqlSafe(steps)).fetch_all(&mut *connection).await;
        let steps = steps.unwrap_or_else(|error| panic!("{sql}: {error}"));
        let steps: Vec<String> = steps.iter().map(|row| row.get(0)).collect();
        for table in [
            "users",
            "user_roles",
            "sessions",
            "people_search",
            "known_browsers",
            "subjects",
            "term_views",
            "outbox",
            "gate_states",
        ] {
            if steps.iter().any(|step| step.contains(&format!("Seq Scan on {table} "))) {
                whole.insert(format!("{table}: {sql}"));
            }
        }
    }
    whole
}

/// With 20,000 people no statement reads a whole table that it would not read with statistics.
#[tokio::test]
async fn no_plan_needs_statistics_on_personal_columns() {
    let (store, _dir) = store(Engine::Postgres).await;
    let Db::Postgres(pools) = &store.db else { panic!("not PostgreSQL") };
    let mut tx = pools.write.begin().await.expect("begins");
    tx.execute(FILL).await.expect("fills");
    tx.execute("ANALYZE; SET LOCAL plan_cache_mode = force_generic_plan").await.expect("counts");
    let without = full_scans(&mut tx).await;
    let collect = "DO $$ DECLARE c RECORD; BEGIN
        FOR c IN SELECT attrelid::regclass AS t, attname FROM pg_attribute
            WHERE attstattarget = 0 AND attnum > 0 AND attrelid IN
            (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
        LOOP EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 100', c.t, c.attname);
        END LOOP; END $$; ANALYZE";
    tx.execute(collect).await.expect("counts");
    let with = full_scans(&mut tx).await;
    assert!(!with.is_empty(), "some statements read all people on purpose");
    let worse: Vec<&String> = without.difference(&with).collect();
    assert!(worse.is_empty(), "{worse:#?}");
}

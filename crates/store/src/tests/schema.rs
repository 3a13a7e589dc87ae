//! The tables of a new store, in `schema/sqlite.sql` and `schema/postgres.sql`. `UPDATE=1` writes
//! the files. They are only documentation: a store is created by the migrations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use sqlx::{PgPool, SqlitePool};

use super::{on_both, store_without_log};
use crate::db::Db;
use crate::{Engine, Store};

on_both!(the_schema_file_matches_a_new_store);

/// Columns with their type, whether they may be null, default, and whether the planner may keep
/// statistics on them.
const SELECT_COLUMNS: &str =
    "SELECT CAST(c.relname AS TEXT), CAST(a.attname AS TEXT), format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), ''),
        coalesce(a.attstattarget, -1) = 0
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0
        AND NOT a.attisdropped
    ORDER BY c.relname COLLATE \"C\", a.attnum";
const SELECT_CONSTRAINTS: &str =
    "SELECT CAST(c.relname AS TEXT), pg_get_constraintdef(k.oid) FROM pg_constraint AS k
    JOIN pg_class AS c ON c.oid = k.conrelid
    WHERE k.connamespace = 'public'::regnamespace AND k.contype IN ('p', 'u', 'f', 'c', 'x')
    ORDER BY c.relname COLLATE \"C\", position(CAST(k.contype AS TEXT) IN 'pufcx'),
        k.conname COLLATE \"C\"";
const SELECT_OPTIONS: &str = "SELECT CAST(relname AS TEXT), array_to_string(reloptions, ', ')
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND reloptions IS NOT NULL";
const SELECT_INDEXES: &str =
    "SELECT CAST(c.relname AS TEXT), replace(pg_get_indexdef(i.indexrelid), 'public.', '')
    FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
    JOIN pg_class AS x ON x.oid = i.indexrelid
    WHERE c.relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid)
    ORDER BY x.relname COLLATE \"C\"";
const SELECT_TRIGGERS: &str =
    "SELECT CAST(c.relname AS TEXT), replace(pg_get_triggerdef(t.oid), 'public.', '')
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
    ORDER BY t.tgname COLLATE \"C\"";
const SELECT_VIEWS: &str =
    "SELECT CAST(viewname AS TEXT), definition FROM pg_views WHERE schemaname = 'public'
    ORDER BY viewname COLLATE \"C\"";
const SELECT_FUNCTIONS: &str =
    "SELECT CAST(proname AS TEXT), replace(pg_get_functiondef(oid), 'public.', '') FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace ORDER BY proname COLLATE \"C\"";
const SELECT_SQLITE: &str = "SELECT type, name, tbl_name, sql FROM sqlite_master
    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
    ORDER BY tbl_name, CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name";

/// The table in which sqlx records the migrations.
const MIGRATIONS: &str = "_sqlx_migrations";

/// Tables that have no comment in their migration. The text of an applied migration cannot change.
const DESCRIBED: [(&str, &str); 7] = [
    ("gate_states", "-- Who may work, by person and market, as the gate has announced it."),
    ("idempotency", "-- Idempotency keys of submissions."),
    ("log_entries", "-- Entries of the evidence log."),
    ("review_rules", "-- The rules that say which evaluations a person must review."),
    ("sign_in_links", "-- Links that sign a person in once. Only the hash of a link is stored."),
    ("submissions", "-- Submissions: the decisions that a person sent together."),
    ("user_roles", "-- The roles of users."),
];

/// The comments that the migrations have before tables and columns.
#[derive(Default)]
struct Comments {
    tables: BTreeMap<String, String>,
    columns: BTreeMap<(String, String), String>,
    /// The definitions of columns that were added to existing tables.
    added: Vec<(String, String, String)>,
}

impl Comments {
    fn of(store: &Store) -> Self {
        let mut comments = Self::default();
        let described = DESCRIBED.map(|(table, text)| (table.to_owned(), text.to_owned()));
        for migration in store.migrator().migrations.iter() {
            comments.read(migration.sql.as_str());
        }
        comments.tables.extend(described);
        comments
    }

    fn read(&mut self, sql: &str) {
        let (mut pending, mut table) = (Vec::new(), None::<String>);
        for line in sql.lines() {
            let text = line.trim();
            if let Some(comment) = text.strip_prefix("--") {
                pending.push(format!("-- {}", comment.trim()));
                continue;
            }
            let comment = std::mem::take(&mut pending).join("\n");
            let mut words = text.split_whitespace();
            if let Some(rest) = text.strip_prefix("CREATE TABLE ") {
                let name = first_word(rest).to_owned();
                self.tables.insert(name.clone(), comment);
                table = Some(name);
            } else if let (Some("ALTER"), Some("TABLE"), Some(name), Some("ADD"), Some("COLUMN")) =
                (words.next(), words.next(), words.next(), words.next(), words.next())
            {
                let definition = words.collect::<Vec<_>>().join(" ");
                let definition = definition.trim_end_matches(';').to_owned();
                let column = first_word(&definition).to_owned();
                self.added.push((name.to_owned(), column.clone(), definition));
                self.columns.insert((name.to_owned(), column), comment);
            } else if text.starts_with(')') {
                table = None;
            } else if let Some(table) = &table {
                self.columns.insert((table.clone(), first_word(text).to_owned()), comment);
            }
        }
    }

    fn column(&self, table: &str, column: &str) -> String {
        let key = (table.to_owned(), column.to_owned());
        self.columns.get(&key).filter(|comment| !comment.is_empty()).map_or_else(String::new, |c| {
            c.lines().fold(String::new(), |all, line| all + "    " + line + "\n")
        })
    }
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

async fn pairs(pool: &PgPool, query: &'static str) -> Vec<(String, String)> {
    sqlx::query_as(query).fetch_all(pool).await.expect("reads")
}

async fn of_postgres(pool: &PgPool, comments: &Comments) -> String {
    let columns: Vec<(String, String, String, bool)> =
        sqlx::query_as(SELECT_COLUMNS).fetch_all(pool).await.expect("reads");
    let constraints = pairs(pool, SELECT_CONSTRAINTS).await;
    let options = pairs(pool, SELECT_OPTIONS).await;
    let indexes = pairs(pool, SELECT_INDEXES).await;
    let triggers = pairs(pool, SELECT_TRIGGERS).await;
    let mut text = String::new();
    for table in columns.chunk_by(|one, next| one.0 == next.0) {
        let name = table[0].0.as_str();
        if name == MIGRATIONS {
            continue;
        }
        let of_table = |rows: &[(String, String)]| -> Vec<String> {
            rows.iter().filter(|row| row.0 == name).map(|row| row.1.clone()).collect()
        };
        let lines = table.iter().map(|(_, column, definition, has_no_statistics)| {
            let comment = comments.column(name, column);
            let statistics = if *has_no_statistics { " /* no statistics */" } else { "" };
            format!("{comment}    {column} {definition}{statistics}")
        });
        let lines: Vec<String> = lines
            .chain(of_table(&constraints).into_iter().map(|constraint| format!("    {constraint}")))
            .collect();
        let with = of_table(&options).first().map_or_else(String::new, |o| format!(" WITH ({o})"));
        let _ = writeln!(text, "{}", comments.tables[name]);
        let _ = writeln!(text, "CREATE TABLE {name} (\n{}\n){with};", lines.join(",\n"));
        for statement in of_table(&indexes).into_iter().chain(of_table(&triggers)) {
            let _ = writeln!(text, "{statement};");
        }
        text.push('\n');
    }
    for (name, definition) in pairs(pool, SELECT_VIEWS).await {
        let _ = writeln!(text, "CREATE VIEW {name} AS\n{definition}\n");
    }
    for (_, definition) in pairs(pool, SELECT_FUNCTIONS).await {
        let _ = writeln!(text, "{};\n", definition.trim_end());
    }
    text
}

async fn of_sqlite(pool: &SqlitePool, comments: &Comments) -> String {
    let rows: Vec<(String, String, String, String)> =
        sqlx::query_as(SELECT_SQLITE).fetch_all(pool).await.expect("reads");
    let mut text = String::new();
    for table in rows.chunk_by(|one, next| one.2 == next.2) {
        if table[0].2 == MIGRATIONS {
            continue;
        }
        for (kind, name, _, sql) in table {
            let mut sql = sql.clone();
            if kind == "table" {
                let _ = writeln!(text, "{}", comments.tables[name]);
                for (_, column, definition) in comments.added.iter().filter(|row| row.0 == *name) {
                    let comment = comments.column(name, column);
                    let line = format!(",\n{comment}    {definition}");
                    sql = sql.replace(&format!(", {definition}"), &line);
                }
                sql = sql.replace("\n,\n", ",\n");
            }
            let _ = writeln!(text, "{sql};");
        }
        text.push('\n');
    }
    text
}

async fn the_schema_file_matches_a_new_store(engine: Engine) {
    let (store, _dir) = store_without_log(engine).await;
    let comments = Comments::of(&store);
    let (file, schema) = match &store.db {
        Db::Sqlite(pools) => ("sqlite.sql", of_sqlite(&pools.read, &comments).await),
        Db::Postgres(pools) => ("postgres.sql", of_postgres(&pools.read, &comments).await),
    };
    let undescribed: Vec<&String> =
        comments.tables.iter().filter(|table| table.1.is_empty()).map(|table| table.0).collect();
    assert_eq!(undescribed, [""; 0], "a comment before CREATE TABLE says what the table contains");
    let schema = format!(
        "-- The tables of a new store. Generated from the migrations, which create them:\n-- UPDATE=1 tools/with-postgres cargo test -p musette-store --lib schema\n\n{}\n",
        schema.trim_end()
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema").join(file);
    if std::env::var("UPDATE").is_ok_and(|value| value == "1") {
        std::fs::write(&path, &schema).expect("writes");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == schema, "crates/store/schema/{file} is stale: run this test with UPDATE=1");
}

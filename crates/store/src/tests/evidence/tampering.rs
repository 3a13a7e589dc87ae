//! Changes every column of every row of every table with evidence by other means than the program.

use std::time::Duration;

use musette_core::terms::{EndingChange, NewTerm, TermKind};
use sqlx::{AssertSqlSafe, Executor as _};

use super::verify;
use crate::db::batch::{ColumnType, Table};
use crate::db::{Store, modify};
use crate::tests::submissions::{
    applicant, claim, continuing, receipt, recorded, rider, with_terms,
};
use crate::tests::{NOW, add_user, document, new_term, on_both};
use crate::{AuditEvent, Engine, NewFlagVersion, NewNoticeOpening, terms::documents::DocumentPart};

on_both!(
    detects_and_reports_every_change,
    detects_a_change_of_any_byte_of_a_tile,
    every_table_is_covered_or_documented,
);

fn evidence(engine: Engine) -> [Table; 21] {
    let consents = match engine {
        Engine::Sqlite => crate::writer::DECISIONS,
        Engine::Postgres => crate::writer::CONSENTS,
    };
    [
        crate::log::LOGS,
        crate::log::ENTRIES,
        crate::log::TILES,
        crate::log::HEADS,
        crate::log::ML_DSA_KEYS,
        crate::log::ERASURES,
        crate::log::SEALS,
        crate::writer::SUBMISSIONS,
        consents,
        crate::consents::claims::CLAIMS,
        crate::log::TERMS,
        crate::log::VARIANTS,
        crate::terms::documents::DOCUMENTS,
        crate::terms::documents::PARTS,
        crate::terms::order::ORDER,
        crate::terms::endings::ENDINGS,
        crate::log::SYSTEM_VERSIONS,
        crate::notices::openings::OPENINGS,
        crate::audit::AUDIT,
        crate::flags::VERSIONS,
        crate::log::LINKS,
    ]
}

/// Tables that are no evidence, or only in part; `docs/evidence.md` explains each of them.
const NOT_COVERED: [&str; 82] = [
    "_sqlx_migrations",
    "allowances",
    "approval_notices",
    "approval_rules",
    "approvals",
    "audit_counts",
    "campaign_passes",
    "campaigns",
    "code_deliveries",
    "codes",
    "contact_notices",
    "counters",
    "credential_issues",
    "draft_editors",
    "evaluation_assignments",
    "evaluation_records",
    "evaluations",
    "excusal_items",
    "excusals",
    "experiment_decisions",
    "exposures",
    "flag_changes",
    "flag_environments",
    "flag_keys",
    "flag_notices",
    "flag_usage",
    "flag_version_objects",
    "gate_erased",
    "gate_head",
    "gate_left",
    "gate_states",
    "gate_touched",
    "idempotency",
    "identities",
    "known_browsers",
    "log_cosigned",
    "log_key",
    "log_timestamps",
    "log_verified",
    "log_witness_lease",
    "markets",
    "moves",
    "metric_values",
    "nodes",
    "notice_batches",
    "notice_messages",
    "notice_opt_outs",
    "notice_receptions",
    "oidc_returns",
    "outbox",
    "outbox_head",
    "people_search",
    "proposals",
    "push_subscriptions",
    "replies",
    "restriction_records",
    "restrictions",
    "review_rules",
    "revision",
    "secrets",
    "service_keys",
    "series",
    "served_at",
    "sessions",
    "sign_in_links",
    "signing_keys",
    "sticky",
    "sticky_head",
    "subjects",
    "submission_head",
    "system_drafts",
    "term_drafts",
    "term_turns",
    "term_views",
    "throttles",
    "totp",
    "used_tickets",
    "user_roles",
    "users",
    "webhook_deliveries",
    "webhook_secrets",
    "webhooks",
];

/// A table, and the one whose row is reported if the two do not match: nothing shows which of them
/// was changed.
const REPORTED_AS: [(&str, &str); 15] = [
    ("chain_links", "audit"),
    ("chain_links", "flag_versions"),
    ("chain_links", "log_entries"),
    // Reported with the name of the view that is read.
    ("decisions", "consents"),
    ("documents", "document_parts"),
    ("erasures", "submissions"),
    ("log_entries", "claims"),
    ("log_heads", "log_entries"),
    ("log_heads", "log_tiles"),
    ("log_ml_dsa_keys", "log_heads"),
    ("logs", "log_heads"),
    ("seals", "document_parts"),
    ("seals", "documents"),
    ("seals", "terms"),
    ("term_variants", "terms"),
];

async fn populated(engine: Engine) -> (std::sync::Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = with_terms(engine).await;
    store.sign_log_with_ml_dsa(true).await.expect("publishes a key");
    let mut with_part = document("d");
    let bytes = vec![1, 2, 3];
    with_part.parts.push(DocumentPart {
        name: "1.png".into(),
        media_type: "image/png".into(),
        bytes,
    });
    let mut new = new_term("d");
    new.mandatory = false;
    new.label = Some("1.1".to_owned());
    store.publish_term(&new, &[with_part], NOW).await.expect("works").expect("published");
    end_terms(&store).await;
    let all = [(1, true), (2, true), (3, false)];
    let mut batch = vec![rider(&store, "r1", &all).await, rider(&store, "r2", &all).await];
    batch.push(applicant(&store, "x", &all).await);
    let mut outcomes = store.record(&batch).await.expect("works");
    let first = receipt(&recorded(outcomes.remove(2)));
    let more = continuing(applicant(&store, "y", &[(3, true)]).await, &first);
    store.record(&[more]).await.expect("works");
    claim(&store, &first, "subject-r1").await;
    open_notices(&store).await;
    assert!(store.erase_user("r2", NOW).await.expect("erases"));
    with_histories(&store).await;
    publish_systems(&store).await;
    (store, dir)
}

/// Publishes a notice that three riders open; one is erased later.
async fn open_notices(store: &Store) {
    let new = NewTerm { term_kind: TermKind::Notice, mandatory: false, ..new_term("f") };
    let term = store.publish_term(&new, &[document("f")], NOW).await.expect("works");
    let term = term.expect("published");
    for (n, id) in ["r2", "r3", "r4"].into_iter().enumerate() {
        let person = match id {
            "r2" => format!("subject-{id}"),
            _ => add_user(store, id).await.subject,
        };
        let opening = NewNoticeOpening {
            person: &person,
            term: term.id,
            sha256: &term.variants[0].sha256,
            locale: Some("de"),
            opened_at: NOW.plus(Duration::from_secs(n as u64)),
        };
        let (_, is_new) = store.open_notice(&opening, NOW).await.expect("works").expect("a person");
        assert!(is_new);
    }
}

/// Publishes two versions of one automated system and one of another.
async fn publish_systems(store: &Store) {
    for (n, key) in ["dispatch", "dispatch", "ratings"].into_iter().enumerate() {
        let definition = crate::tests::systems::definition(&format!("System {n}"));
        store.save_system_draft(key, &definition, None, "subject-r1", NOW).await.expect("saves");
        let draft = store.system_draft(key).await.expect("reads").expect("a draft");
        let at = NOW.plus(Duration::from_secs(n as u64));
        let published = store.publish_system(key, draft.revision, Some(at), NOW).await;
        assert!(published.expect("works").is_some());
    }
}

/// Adds a cancelled version and a future retirement.
async fn end_terms(store: &Store) {
    let (soon, later) = (NOW.plus(Duration::from_secs(5)), NOW.plus(Duration::from_secs(9)));
    let scheduled = NewTerm { effective_from: soon, replaces: Some(4), ..new_term("e") };
    let scheduled = NewTerm { mandatory: false, ..scheduled };
    store.publish_term(&scheduled, &[document("e")], NOW).await.expect("works").expect("published");
    for (id, change) in [(5, EndingChange::Cancel), (3, EndingChange::Retire(Some(later)))] {
        store.end_term(id, change, NOW).await.expect("works").expect("ended");
    }
}

async fn with_histories(store: &Store) {
    let kind = musette_core::terms::TermType::parse("FREELANCER").expect("a type");
    let places = [(1, 7), (2, 3)];
    assert!(store.reorder_terms(&kind, 0, &places, NOW).await.expect("works"));
    store.add_flag_environment("production", NOW).await.expect("works");
    for n in 1..=2 {
        let event = AuditEvent {
            id: format!("audit-{n}"),
            event: "signed_in",
            subject: Some("subject-r1".into()),
            detail: (n == 1).then_some("code".into()),
            ..AuditEvent::default()
        };
        store.audit(&event, NOW).await.expect("works");
        let version = NewFlagVersion {
            environment: "production",
            version: n,
            document: "{}",
            author: Some("subject-r1"),
            comment: (n == 1).then_some("first"),
            objects: &[],
            clearance: crate::Clearance::Free,
            releases: crate::Releases::default(),
        };
        assert!(store.save_flags(&version, NOW).await.expect("works"));
        while store.chain_histories(NOW).await.expect("works") {}
    }
}

/// Fails for a new table until it is covered or listed.
async fn every_table_is_covered_or_documented(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let sql = match engine {
        Engine::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        }
        Engine::Postgres => {
            "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'"
        }
    };
    let tables: Vec<String> =
        modify!(store, |pool| sqlx::query_scalar(sql).fetch_all(pool).await.expect("lists"));
    let docs = include_str!("../../../../../docs/evidence.md");
    let covered = evidence(engine).map(|table| table.name);
    for table in &tables {
        let is_covered = covered.contains(&table.as_str());
        let is_excluded = NOT_COVERED.contains(&table.as_str());
        assert!(is_covered ^ is_excluded, "{table}: is it evidence?");
        assert!(docs.contains(&format!("`{table}`")), "docs/evidence.md does not name {table}");
    }
    let named = covered.len() + NOT_COVERED.len();
    assert_eq!(tables.len(), named, "a listed table does not exist any more");
}

/// Removes the triggers, because the owner of the file can remove them too.
pub(super) async fn disable_triggers(store: &Store) {
    for table in evidence(store.engine()) {
        let name = table.name;
        match store.engine() {
            Engine::Postgres => {
                run(store, format!("ALTER TABLE {name} DISABLE TRIGGER ALL")).await.expect("off");
            }
            Engine::Sqlite => {
                let suffixes = ["no_update", "no_delete", "grow_only", "linked", "place_once"];
                for suffix in suffixes {
                    let sql = format!("DROP TRIGGER IF EXISTS {name}_{suffix}");
                    run(store, sql).await.expect("off");
                }
            }
        }
    }
    if store.engine() == Engine::Sqlite {
        run(store, "PRAGMA foreign_keys = off".into()).await.expect("off");
    }
}

async fn run(store: &Store, sql: String) -> Result<u64, sqlx::Error> {
    modify!(store, |pool| pool
        .execute(sqlx::raw_sql(AssertSqlSafe(sql)))
        .await
        .map(|result| result.rows_affected()))
}

/// Returns an SQL expression that changes the value of a column.
fn changed(column: &str, kind: ColumnType, engine: Engine) -> String {
    match (kind, engine) {
        (ColumnType::Bool, _) => format!("NOT coalesce({column}, TRUE)"),
        (ColumnType::Int | ColumnType::Real, _) => format!("coalesce({column}, 0) + 1"),
        (ColumnType::Text, _) => format!("coalesce({column}, '') || 'x'"),
        (ColumnType::Bytes, Engine::Sqlite) => format!("CAST({column} || 'x' AS BLOB)"),
        (ColumnType::Bytes, Engine::Postgres) => {
            format!("set_byte({column}, 0, 255 - get_byte({column}, 0))")
        }
    }
}

fn id(table: &Table, engine: Engine) -> String {
    match (engine, table.name) {
        // The table has no rowid.
        (Engine::Sqlite, "decisions") => "decisions.submission * 128 + decisions.position".into(),
        (Engine::Sqlite, name) => format!("{name}.rowid"),
        (Engine::Postgres, name) => format!("{name}.ctid"),
    }
}

async fn count_rows(store: &Store, table: &Table) -> i64 {
    let sql = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name));
    modify!(store, |pool| sqlx::query_scalar(sql).fetch_one(pool).await.expect("counts"))
}

/// Makes a change, verifies the log, and restores the table.
async fn assert_detected(store: &Store, table: &Table, sql: String) {
    let name = table.name;
    // A change that the schema rejects needs no detection.
    let Ok(changed_rows) = run(store, sql.clone()).await else { return };
    assert!(changed_rows > 0, "{sql} changed nothing");
    let errors = verify(store, None).await.errors;
    assert!(!errors.is_empty(), "not detected: {sql}");
    let is_reported = |table: &str| errors.iter().any(|error| error.table == table);
    let alternatives = REPORTED_AS.iter().filter(|(changed, _)| *changed == name);
    let is_detected =
        is_reported(name) || alternatives.map(|(_, as_table)| *as_table).any(is_reported);
    assert!(is_detected, "{sql} is reported as {errors:#?}");
    let undo = format!("DELETE FROM {name}; INSERT INTO {name} SELECT * FROM saved_{name}");
    run(store, undo).await.expect("puts it back");
    if std::env::var("MUSETTE_SHOW_FAULTS").is_ok() {
        println!("{sql}\n    {}", errors[0]);
    }
}

/// Returns a statement that exchanges the values of these columns between two neighbouring rows.
fn swap_statement(
    table: &Table,
    columns: &[(&str, ColumnType)],
    row: i64,
    engine: Engine,
) -> String {
    let (name, row_id) = (table.name, id(table, engine));
    let names: Vec<&str> = columns.iter().map(|(column, _)| *column).collect();
    let set: Vec<String> = names
        .iter()
        .map(|column| {
            format!("{column} = (SELECT pair.{column} FROM pair WHERE pair.it <> {row_id})")
        })
        .collect();
    format!(
        "WITH pair AS MATERIALIZED (SELECT {row_id} AS it, {} FROM {name} ORDER BY 1 LIMIT 2 OFFSET {row})
         UPDATE {name} SET {} WHERE {row_id} IN (SELECT it FROM pair)",
        names.join(", "),
        set.join(", ")
    )
}

/// Returns whether the values of two rows differ; equal rows can be exchanged.
async fn differ(store: &Store, table: &Table, columns: &[(&str, ColumnType)], row: i64) -> bool {
    let texts: Vec<String> =
        columns.iter().map(|(column, _)| format!("coalesce(CAST({column} AS TEXT), '')")).collect();
    let (name, row_id) = (table.name, id(table, store.engine()));
    let sql = AssertSqlSafe(format!(
        "SELECT count(DISTINCT said) FROM (SELECT {row_id}, {} AS said FROM {name} ORDER BY 1 LIMIT 2 OFFSET {row}) AS two",
        texts.join(" || '/' || ")
    ));
    let count: i64 =
        modify!(store, |pool| sqlx::query_scalar(sql).fetch_one(pool).await.expect("counts"));
    count == 2
}

async fn assert_swaps_detected(store: &Store, table: &Table) {
    for row in 0..count_rows(store, table).await - 1 {
        let one_by_one = table.columns.iter().map(std::slice::from_ref);
        // Also swaps all columns after the keys, for each possible number of keys.
        let together = (1..table.columns.len() - 1).map(|keys| &table.columns[keys..]);
        for columns in one_by_one.chain(together) {
            if differ(store, table, columns, row).await {
                assert_detected(store, table, swap_statement(table, columns, row, store.engine()))
                    .await;
            }
        }
    }
}

async fn detects_and_reports_every_change(engine: Engine) {
    let (store, _dir) = populated(engine).await;
    disable_triggers(&store).await;
    let before = verify(&store, None).await.errors;
    assert!(before.is_empty(), "{before:#?}");
    for table in &evidence(engine) {
        let name = table.name;
        run(&store, format!("CREATE TABLE saved_{name} AS SELECT * FROM {name}"))
            .await
            .expect("saves");
        let count = count_rows(&store, table).await;
        assert!(count > 0, "{name} has no row to change");
        for row in 0..count {
            let it = id(table, engine);
            let place =
                format!("WHERE {it} = (SELECT {it} FROM {name} ORDER BY 1 LIMIT 1 OFFSET {row})");
            for (column, kind) in table.columns {
                let value = changed(column, *kind, engine);
                assert_detected(
                    &store,
                    table,
                    format!("UPDATE {name} SET {column} = {value} {place}"),
                )
                .await;
            }
            for (changed_column, kind) in table.columns {
                let value = changed(changed_column, *kind, engine);
                let columns = table.columns.iter().map(|(column, _)| *column).collect::<Vec<_>>();
                let values = columns
                    .iter()
                    .map(|column| if column == changed_column { &value } else { *column });
                let values = values.collect::<Vec<_>>().join(", ");
                let columns = columns.join(", ");
                let sql =
                    format!("INSERT INTO {name} ({columns}) SELECT {values} FROM {name} {place}");
                assert_detected(&store, table, sql).await;
            }
            assert_detected(&store, table, format!("DELETE FROM {name} {place}")).await;
        }
        assert_swaps_detected(&store, table).await;
    }
    let after = verify(&store, None).await.errors;
    assert!(after.is_empty(), "{after:#?}");
}

async fn detects_a_change_of_any_byte_of_a_tile(engine: Engine) {
    let (store, _dir) = populated(engine).await;
    disable_triggers(&store).await;
    let select = "SELECT level, idx, bytes FROM log_tiles";
    let tiles: Vec<(i64, i64, Vec<u8>)> =
        modify!(store, |pool| sqlx::query_as(select).fetch_all(pool).await.expect("reads"));
    let update = "UPDATE log_tiles SET bytes = $3 WHERE level = $1 AND idx = $2";
    let put = async |level: i64, idx: i64, bytes: &[u8]| {
        modify!(store, |pool| sqlx::query(update)
            .bind(level)
            .bind(idx)
            .bind(bytes)
            .execute(pool)
            .await
            .map(drop))
        .expect("writes");
    };
    for (level, idx, bytes) in tiles {
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            put(level, idx, &changed).await;
            let errors = verify(&store, None).await.errors;
            let is_detected = errors.iter().any(|error| error.table == "log_tiles");
            assert!(is_detected, "byte {at} of tile {level}/{idx}: {errors:#?}");
        }
        put(level, idx, &bytes).await;
    }
    assert!(verify(&store, None).await.errors.is_empty());
}

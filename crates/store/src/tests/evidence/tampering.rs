//! Every column of every row of every table that is evidence, changed behind the program's back.

use sqlx::{AssertSqlSafe, Executor as _};

use super::verify;
use crate::batch::{Kind, Table};
use crate::db::{Store, write};
use crate::tests::submissions::{
    applicant, claim, continuing, receipt, recorded, rider, with_terms,
};
use crate::tests::{NOW, document, new_term, on_both};
use crate::{Engine, documents::DocumentPart};

on_both!(whatever_is_changed_is_noticed_and_named);

const TABLES: [Table; 13] = [
    crate::log::LOGS,
    crate::log::ENTRIES,
    crate::log::TILES,
    crate::log::HEADS,
    crate::log::ERASURES,
    crate::log::SEALS,
    crate::writer::SUBMISSIONS,
    crate::writer::CONSENTS,
    crate::claims::CLAIMS,
    crate::terms::TERMS,
    crate::terms::VARIANTS,
    crate::documents::DOCUMENTS,
    crate::documents::PARTS,
];

async fn populated(engine: Engine) -> (std::sync::Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = with_terms(engine).await;
    let mut with_part = document("d");
    let bytes = vec![1, 2, 3];
    with_part.parts.push(DocumentPart {
        name: "1.png".into(),
        media_type: "image/png".into(),
        bytes,
    });
    let mut new = new_term("d");
    new.mandatory = false;
    store.publish_term(&new, &[with_part], NOW).await.expect("works").expect("published");
    let all = [(1, true), (2, true), (3, false)];
    let mut batch = vec![rider(&store, "r1", &all).await, rider(&store, "r2", &all).await];
    batch.push(applicant(&store, "x", &all).await);
    let mut outcomes = store.record(&batch).await.expect("works");
    let first = receipt(&recorded(outcomes.remove(2)));
    let more = continuing(applicant(&store, "y", &[(3, true)]).await, &first);
    store.record(&[more]).await.expect("works");
    claim(&store, &first, "subject-r1").await;
    assert!(store.erase_user("r2").await.expect("erases"));
    (store, dir)
}

/// The guards off, for whoever owns the file can take them off too.
async fn unguard(store: &Store) {
    for table in &TABLES {
        let name = table.name;
        match store.engine() {
            Engine::Postgres => {
                run(store, format!("ALTER TABLE {name} DISABLE TRIGGER ALL")).await.expect("off");
            }
            Engine::Sqlite => {
                let suffixes = ["no_update", "no_delete", "grow_only"];
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
    write!(store, |pool| pool
        .execute(sqlx::raw_sql(AssertSqlSafe(sql)))
        .await
        .map(|done| done.rows_affected()))
}

/// The same value with one thing changed.
fn changed(column: &str, kind: Kind, engine: Engine) -> String {
    match (kind, engine) {
        (Kind::Bool, _) => format!("NOT coalesce({column}, TRUE)"),
        (Kind::Int | Kind::Real, _) => format!("coalesce({column}, 0) + 1"),
        (Kind::Text, _) => format!("coalesce({column}, '') || 'x'"),
        (Kind::Bytes, Engine::Sqlite) => format!("CAST({column} || 'x' AS BLOB)"),
        (Kind::Bytes, Engine::Postgres) => {
            format!("set_byte({column}, 0, 255 - get_byte({column}, 0))")
        }
    }
}

fn id(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "rowid",
        Engine::Postgres => "ctid",
    }
}

async fn rows(store: &Store, table: &Table) -> i64 {
    let sql = AssertSqlSafe(format!("SELECT count(*) FROM {}", table.name));
    write!(store, |pool| sqlx::query_scalar(sql).fetch_one(pool).await.expect("counts"))
}

/// Does it, looks, and puts the table back as it was.
async fn is_noticed(store: &Store, table: &Table, sql: String) {
    let name = table.name;
    // A change that the schema itself refuses needs nobody to notice it.
    let Ok(done) = run(store, sql.clone()).await else { return };
    assert!(done > 0, "{sql} changed nothing");
    let faults = verify(store, None).await.faults;
    assert!(!faults.is_empty(), "nobody noticed: {sql}");
    let undo = format!("DELETE FROM {name}; INSERT INTO {name} SELECT * FROM saved_{name}");
    run(store, undo).await.expect("puts it back");
    if std::env::var("MUSETTE_SHOW_FAULTS").is_ok() {
        println!("{sql}\n    {}", faults[0]);
    }
}

async fn whatever_is_changed_is_noticed_and_named(engine: Engine) {
    let (store, _dir) = populated(engine).await;
    unguard(&store).await;
    let before = verify(&store, None).await.faults;
    assert!(before.is_empty(), "{before:#?}");
    for table in &TABLES {
        let name = table.name;
        run(&store, format!("CREATE TABLE saved_{name} AS SELECT * FROM {name}"))
            .await
            .expect("saves");
        let count = rows(&store, table).await;
        assert!(count > 0, "{name} has no row to change");
        for row in 0..count {
            let it = id(engine);
            let place =
                format!("WHERE {it} = (SELECT {it} FROM {name} ORDER BY 1 LIMIT 1 OFFSET {row})");
            for (column, kind) in table.columns {
                let value = changed(column, *kind, engine);
                is_noticed(&store, table, format!("UPDATE {name} SET {column} = {value} {place}"))
                    .await;
            }
            for (changed_column, kind) in table.columns {
                let value = changed(changed_column, *kind, engine);
                let columns = table.columns.iter().map(|(column, _)| *column).collect::<Vec<_>>();
                let values =
                    columns.iter().map(|it| if it == changed_column { &value } else { *it });
                let values = values.collect::<Vec<_>>().join(", ");
                let columns = columns.join(", ");
                let sql =
                    format!("INSERT INTO {name} ({columns}) SELECT {values} FROM {name} {place}");
                is_noticed(&store, table, sql).await;
            }
            is_noticed(&store, table, format!("DELETE FROM {name} {place}")).await;
        }
    }
    let after = verify(&store, None).await.faults;
    assert!(after.is_empty(), "{after:#?}");
}

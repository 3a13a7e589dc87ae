//! Tests that events other than decisions are in the log exactly once, even with several nodes.

use sqlx::AssertSqlSafe;

use super::{assert_valid, database, verify};
use crate::db::modify;
use crate::log::{TERMS, TermRow, VARIANTS, VariantRow, WHERE_TERM, term_seal};
use crate::tests::submissions::{rider, with_terms};
use crate::tests::{NOW, document, new_term, on_both};
use crate::{AuditEvent, Engine, Store};

on_both!(
    detects_a_published_term_that_was_changed_with_its_seal,
    never_logs_a_term_that_was_inserted_by_other_means,
    detects_pages_that_were_changed_with_their_seal,
    two_nodes_link_each_row_once,
    keeps_the_app_description_until_the_person_is_erased,
);

async fn run(store: &Store, sql: String) {
    let sql = sqlx::raw_sql(AssertSqlSafe(sql));
    modify!(store, |pool| sqlx::Executor::execute(pool, sql).await.map(drop)).expect("works");
}

async fn disable_triggers(store: &Store, tables: &[&str]) {
    for table in tables {
        match store.engine() {
            Engine::Postgres => {
                run(store, format!("ALTER TABLE {table} DISABLE TRIGGER USER")).await;
            }
            Engine::Sqlite => {
                run(store, format!("DROP TRIGGER {table}_no_update")).await;
                run(store, format!("DROP TRIGGER {table}_no_delete")).await;
            }
        }
    }
}

/// Replaces the seal by the one that the program would create for the current row.
async fn reseal(store: &Store, id: i64) {
    let (term, variants): (TermRow, Vec<VariantRow>) = modify!(store, |pool| (
        sqlx::query_as(TERMS.select("WHERE id = $1"))
            .bind(id)
            .fetch_one(pool)
            .await
            .expect("reads"),
        sqlx::query_as(VARIANTS.select(WHERE_TERM)).bind(id).fetch_all(pool).await.expect("reads")
    ));
    let (name, digest) = term_seal(&term, &variants);
    run(store, format!("DELETE FROM seals WHERE name = '{name}'")).await;
    run(store, format!("INSERT INTO seals (name, digest) VALUES ('{name}', '{digest}')")).await;
}

async fn detects_a_published_term_that_was_changed_with_its_seal(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    disable_triggers(&store, &["terms", "term_variants", "seals"]).await;
    for (change, undo) in [
        (
            "UPDATE term_variants SET title = title || '!' WHERE term_id = 1",
            "UPDATE term_variants SET title = substr(title, 1, length(title) - 1) WHERE term_id = 1",
        ),
        (
            "UPDATE terms SET mandatory = NOT mandatory WHERE id = 1",
            "UPDATE terms SET mandatory = NOT mandatory WHERE id = 1",
        ),
        (
            "UPDATE terms SET effective_from = effective_from + 1 WHERE id = 1",
            "UPDATE terms SET effective_from = effective_from - 1 WHERE id = 1",
        ),
        (
            "UPDATE terms SET grace_until = 9 WHERE id = 1",
            "UPDATE terms SET grace_until = NULL WHERE id = 1",
        ),
        (
            "UPDATE terms SET display_order = display_order + 1 WHERE id = 1",
            "UPDATE terms SET display_order = display_order - 1 WHERE id = 1",
        ),
    ] {
        run(&store, change.into()).await;
        reseal(&store, 1).await;
        let errors = verify(&store, None).await.errors;
        assert!(
            errors.iter().any(|error| error.table == "terms"),
            "not detected: {change} {errors:?}"
        );
        run(&store, undo.into()).await;
        reseal(&store, 1).await;
        assert_valid(&store).await;
    }
}

async fn never_logs_a_term_that_was_inserted_by_other_means(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    disable_triggers(&store, &["log_entries", "seals"]).await;
    run(&store, "INSERT INTO terms (id, kind, version, mandatory, display_order, effective_from,
        material, published_at) SELECT 9, 'OTHER', 1, mandatory, 0, 0, material, 0 FROM terms WHERE id = 1;
        INSERT INTO term_variants (term_id, position, locale, title, sha256)
        SELECT 9, 0, locale, title, sha256 FROM term_variants WHERE term_id = 1;
        UPDATE counters SET value = value + 1 WHERE name = 'term'".into()).await;
    reseal(&store, 9).await;
    let assert_detected = async || {
        let errors = verify(&store, None).await.errors;
        assert!(!errors.is_empty(), "not detected");
    };
    assert_detected().await;
    assert!(!store.extend_log(NOW).await.expect("works"), "the log was already extended");
    assert_detected().await;
    // An attacker makes the program forget the extension.
    run(&store, "UPDATE log_entries SET event = NULL WHERE event = 'log.extended'".into()).await;
    assert!(store.extend_log(NOW).await.expect("works"));
    run(
        &store,
        "UPDATE log_entries SET event = 'log.extended'
        WHERE entry LIKE '%\"log.extended\"%'"
            .into(),
    )
    .await;
    assert_detected().await;
}

async fn detects_pages_that_were_changed_with_their_seal(engine: Engine) {
    let (store, _dir) = with_terms(engine).await;
    let mut with_page = document("page");
    with_page.parts.push(crate::DocumentPart {
        name: "1.png".into(),
        media_type: "image/png".into(),
        bytes: vec![1, 2, 3],
    });
    let new = new_term("page");
    store
        .publish_term(&new, std::slice::from_ref(&with_page), NOW)
        .await
        .expect("works")
        .expect("published");
    assert_valid(&store).await;
    disable_triggers(&store, &["document_parts", "seals"]).await;
    let sha256 = &with_page.sha256;
    run(
        &store,
        format!("UPDATE document_parts SET media_type = 'image/gif' WHERE sha256 = '{sha256}'"),
    )
    .await;
    let parts = [("1.png", "image/gif", &[1_u8, 2, 3][..])];
    let (name, digest) = crate::log::document_seal(sha256, with_page.pages, parts.into_iter());
    run(&store, format!("UPDATE seals SET digest = '{digest}' WHERE name = '{name}'")).await;
    let errors = verify(&store, None).await.errors;
    assert!(errors.iter().any(|error| error.table == "document_parts"), "{errors:?}");
}

async fn two_nodes_link_each_row_once(engine: Engine) {
    let (store, dir) = with_terms(engine).await;
    let other = match &dir {
        Some(dir) => Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens"),
        None => Store::open_postgres(&database(&store).await, crate::POSTGRES_CONNECTIONS)
            .await
            .expect("opens"),
    };
    let entries = verify(&store, None).await.entries;
    for round in 0..5_u64 {
        for n in 0..3 {
            let id = format!("{round}-{n}");
            let event = AuditEvent { id, event: "signed_in", ..AuditEvent::default() };
            // Clocks differ, so a row may have an earlier time than others.
            let at = musette_core::instant::Instant::from_millis(1000 - round as i64);
            store.audit(&event, at).await.expect("works");
        }
        let (one, two) = tokio::join!(store.chain_histories(NOW), other.chain_histories(NOW));
        assert!(
            one.expect("works") ^ two.expect("works"),
            "exactly one of them finds the pending rows"
        );
        assert_eq!(verify(&store, None).await.entries, entries + round + 1);
    }
    assert!(!store.chain_histories(NOW).await.expect("works"), "no row is pending");
    assert_valid(&store).await;
    other.close().await;
}

async fn keeps_the_app_description_until_the_person_is_erased(engine: Engine) {
    let (store, dir) = with_terms(engine).await;
    let app = "rider-android 7.1 of Jo Marker";
    let mut submission = rider(&store, "r1", &[(1, true), (2, true)]).await;
    submission.app = Some(app.into());
    let outcome = store.record(&[submission]).await.expect("works").remove(0);
    let crate::SubmissionOutcome::Recorded(recorded, evidence) = outcome else {
        panic!("{outcome:?}")
    };
    assert!(!evidence.entry.contains("Jo"), "{}", evidence.entry);
    let key = musette_core::log::subject::SubjectKey::from_base64url(&evidence.subject_key);
    let key = key.expect("a key");
    assert!(evidence.entry.contains(&format!("\"app_sha256\":\"{}\"", key.app_sha256(app))));
    let stored: Option<String> =
        modify!(store, |pool| sqlx::query_scalar("SELECT app FROM submissions")
            .fetch_one(pool)
            .await
            .expect("reads"));
    let stored = stored.expect("a description");
    assert_eq!(key.decrypt(&recorded.entry_id, &stored).as_deref(), Some(app));
    assert_valid(&store).await;
    disable_triggers(&store, &["submissions"]).await;
    run(&store, "UPDATE submissions SET app = 'x'".into()).await;
    assert_eq!(verify(&store, None).await.errors[0].table, "submissions");
    run(&store, format!("UPDATE submissions SET app = '{stored}'")).await;
    assert!(store.erase_user("r1", NOW).await.expect("erases"));
    assert_valid(&store).await;
    if let Some(dir) = dir {
        for file in std::fs::read_dir(dir.path()).expect("lists") {
            let bytes = std::fs::read(file.expect("a file").path()).expect("reads");
            assert!(!bytes.windows(9).any(|window| window == b"Jo Marker"));
        }
    }
}

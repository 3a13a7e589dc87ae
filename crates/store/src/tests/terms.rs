use std::time::Duration;

use musette_core::terms::{Ending, EndingChange, NewTerm, PublicationError, TermEndError};

use super::{NOW, add_user, new_term, on_both, publish, store};
use crate::Engine;
use crate::db::read;
use crate::terms::documents::DocumentName;

on_both!(
    a_published_term_is_read_back,
    rejects_a_publication_that_would_break_a_chain,
    stores_undoes_and_logs_an_ending,
    published_data_never_changes
);

async fn a_published_term_is_read_back(engine: Engine) {
    let (store, _dir) = store(engine).await;
    let before = store.revision().await.expect("reads");
    let term = publish(&store, &NewTerm { display_order: Some(7), ..new_term("a") }).await;
    assert_eq!((term.id, term.version, term.display_order), (1, 1, 7));
    let minor = NewTerm { replaces: Some(1), material: false, ..new_term("b") };
    let second = publish(&store, &minor).await;
    assert_eq!((second.id, second.version, second.display_order), (2, 2, 7));
    let catalog = store.catalog().await.expect("reads");
    assert_eq!(catalog.get(1), Some(&term));
    assert_eq!(catalog.get(2), Some(&second));
    assert!(store.revision().await.expect("reads") > before, "servers must detect the change");
    let pdf = DocumentName { sha256: term.variants[0].sha256.clone(), part: None };
    assert_eq!(store.document_length(&pdf).await.expect("reads"), Some(1));
    assert_eq!(store.document_slice(&pdf, 0, 9).await.expect("reads"), b"a");
    let none = DocumentName { sha256: "0".repeat(64), part: None };
    assert_eq!(store.document_length(&none).await.expect("reads"), None);
}

async fn rejects_a_publication_that_would_break_a_chain(engine: Engine) {
    let (store, _dir) = store(engine).await;
    publish(&store, &new_term("a")).await;
    publish(&store, &NewTerm { replaces: Some(1), ..new_term("b") }).await;
    let other = musette_core::terms::TermType::parse("MARKETING").expect("a type");
    let replacing = |new: NewTerm| NewTerm { replaces: new.replaces.or(Some(2)), ..new };
    for (new, expected) in [
        (NewTerm { replaces: Some(9), ..new_term("c") }, PublicationError::NothingToReplace(9)),
        (NewTerm { replaces: Some(1), ..new_term("c") }, PublicationError::AlreadyReplaced(1, 2)),
        (replacing(NewTerm { kind: other, ..new_term("c") }), PublicationError::OtherType(2)),
        (
            replacing(NewTerm { material: false, mandatory: false, ..new_term("c") }),
            PublicationError::MinorChangesMandatory(2),
        ),
    ] {
        let result = store.publish_term(&new, &[super::document("c")], NOW).await;
        assert_eq!(result.expect("a working store").err(), Some(expected));
    }
    assert_eq!(store.catalog().await.expect("reads").all().len(), 2, "nothing is partly written");
    let next = publish(&store, &new_term("d")).await;
    assert_eq!(next.id, 3, "a rejected publication uses no ID");
}

async fn stores_undoes_and_logs_an_ending(engine: Engine) {
    let (store, _dir) = store(engine).await;
    publish(&store, &new_term("a")).await;
    let soon = NOW.plus(Duration::from_secs(5));
    let scheduled = |name| NewTerm { replaces: Some(1), effective_from: soon, ..new_term(name) };
    publish(&store, &scheduled("b")).await;
    let before = store.revision().await.expect("reads");
    let end = async |id, change| store.end_term(id, change, NOW).await.expect("a working store");
    let (cancel, undo) = (EndingChange::Cancel, EndingChange::UndoCancellation);
    assert_eq!(end(1, cancel).await, Err(TermEndError::AlreadyEffective(1)));
    assert_eq!(end(2, cancel).await, Ok((2, Some(Ending::Cancelled(NOW)))));
    assert!(store.revision().await.expect("reads") > before, "servers must detect the change");
    assert_eq!(end(2, undo).await, Ok((2, None)));
    assert_eq!(store.catalog().await.expect("reads").cancelled_at(2), None);
    end(2, cancel).await.expect("cancels again");

    // Another version replaces it, and the store keeps the cancelled one.
    let third = publish(&store, &scheduled("c")).await;
    assert_eq!((third.replaces, third.version), (Some(1), 3));
    let catalog = store.catalog().await.expect("reads");
    assert_eq!(catalog.get(3), Some(&third), "equal to the published term");
    assert_eq!(catalog.cancelled_at(2), Some(NOW));
    assert_eq!(end(2, undo).await, Err(TermEndError::AlreadyReplaced(2, 3)));
    end(1, EndingChange::Retire(Some(soon))).await.expect("retired");
    let catalog = store.catalog().await.expect("reads");
    assert_eq!([1, 3].map(|id| catalog.retired_at(id)), [Some(soon), Some(soon)]);
    super::evidence::assert_valid(&store).await;
}

async fn published_data_never_changes(engine: Engine) {
    let (store, _dir) = store(engine).await;
    publish(&store, &new_term("a")).await;
    add_user(&store, "r1").await;
    for table in [
        "documents",
        "terms",
        "term_variants",
        "submissions",
        "consents",
        "claims",
        "document_parts",
    ] {
        let statements = match engine {
            // A row trigger does not run for an empty table.
            Engine::Sqlite if !matches!(table, "documents" | "terms" | "term_variants") => vec![],
            Engine::Sqlite => vec![format!("DELETE FROM {table}")],
            Engine::Postgres => {
                vec![format!("DELETE FROM {table}"), format!("TRUNCATE {table} CASCADE")]
            }
        };
        for statement in statements {
            let result = crate::db::modify!(store, |pool| sqlx::query(sqlx::AssertSqlSafe(
                statement.clone()
            ))
            .execute(pool)
            .await
            .map(drop));
            let error = result.expect_err(&statement).to_string();
            assert!(error.contains("append-only"), "{statement}: {error}");
        }
    }
    let result =
        crate::db::modify!(store, |pool| sqlx::query("UPDATE terms SET mandatory = false")
            .execute(pool)
            .await
            .map(drop));
    assert!(result.is_err());
    let count: i64 = read!(store, |pool| sqlx::query_scalar("SELECT count(*) FROM terms")
        .fetch_one(pool)
        .await
        .expect("reads"));
    assert_eq!(count, 1);
}

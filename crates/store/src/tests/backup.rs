use std::sync::Arc;

use musette_core::log::entry::Entry as LoggedEntry;
use musette_core::session::SignInMethod;
use musette_core::terms::{DeviceClock, NewTerm, ReceiptKey};

use super::{NOW, add_user, document, entry, new_term, on_both, publish, store};
use crate::backup::move_error::MoveError;
use crate::backup::moving::{MOVE_ONLY_TABLES, MoveState};
use crate::backup::{RestoreError, TABLES};
use crate::db::batch::Table;
use crate::db::read;
use crate::terms::documents::{DocumentName, DocumentPart};
use crate::{AuditEvent, Engine, LogContinuation, Store, Submission, Submitter};

async fn store_with_data(engine: Engine) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = store(engine).await;
    let mut with_part = document("a");
    with_part.parts.push(DocumentPart {
        name: "1.png".into(),
        media_type: "image/png".into(),
        bytes: (0..=255).collect(),
    });
    let new = new_term("a");
    store.publish_term(&new, &[with_part], NOW).await.expect("works").expect("published");
    publish(&store, &NewTerm { replaces: Some(1), ..new_term("b") }).await;
    add_user(&store, "r1").await;
    store.secret("receipt", "kept").await.expect("a secret");
    let submission = Submission {
        entry_id: "e".into(),
        submitter: Submitter::Rider { subject: "subject-r1".into() },
        entries: vec![entry(2, true)],
        ranges: vec![],
        locale: None,
        app: Some("“quoted” \\ and\nbroken".into()),
        market: None,
        signed_in_by: Some(SignInMethod::Code),
        device_clock: DeviceClock::default(),
        idempotency: None,
        catalog: Arc::new(store.catalog().await.expect("reads")),
        receipts: ReceiptKey::new(b"k"),
        now: NOW,
        span: tracing::Span::none(),
    };
    store.record(&[submission]).await.expect("recorded");
    for id in ["1", "2"] {
        let event = AuditEvent { id: id.into(), event: "signed_in", ..AuditEvent::default() };
        store.audit(&event, NOW).await.expect("works");
        // The second event is pending when the backup is made.
        if id == "1" {
            assert!(store.chain_histories(NOW).await.expect("works"));
        }
    }
    (store, dir)
}

fn continuing() -> LogContinuation {
    LogContinuation { log: super::new_log(), entry_id: super::next_id(), now: NOW, trusted: None }
}

async fn restore_between(from: Engine, to: Engine) {
    let (store, _dir) = store_with_data(from).await;
    let mut file = Vec::new();
    let written = store.backup(&mut file, |_| ()).await.expect("backs up");
    let (copy, _dir2) = super::store(to).await;
    copy.secret("receipt", "of a server that ran here before").await.expect("a secret");
    assert_eq!(copy.restore(&file[..], &continuing(), |_| ()).await.expect("restores"), written);
    assert_eq!(copy.secret("receipt", "new").await.expect("a secret"), "kept");
    let (original, restored) =
        (store.catalog().await.expect("reads"), copy.catalog().await.expect("reads"));
    assert_eq!(original.all(), restored.all());
    let part = DocumentName { sha256: super::sha256("a"), part: Some("1.png".into()) };
    assert_eq!(copy.document_length(&part).await.expect("reads"), Some(256));
    let bytes = copy.document_slice(&part, 0, 1000).await.expect("reads");
    assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
    assert_eq!(copy.document_slice(&part, 250, 4).await.expect("reads"), [250, 251, 252, 253]);
    let mut second_file = Vec::new();
    // The log that the copy had started and the new one have two heads, a tile and an entry each.
    assert_eq!(copy.backup(&mut second_file, |_| ()).await.expect("backs up"), written + 10);
    continues_with_a_new_log(&store, &copy).await;
    let result = copy.restore(&file[..], &continuing(), |_| ()).await;
    assert!(matches!(result, Err(RestoreError::NotEmpty)));
    let next = publish(&copy, &new_term("c")).await;
    assert_eq!(next.id, 3, "IDs continue after the restored ones");
    assert!(!copy.extend_log(NOW).await.expect("works"), "the log was already extended");
    while copy.chain_histories(NOW).await.expect("works") {}
    let verified = copy.verify_log(&ReceiptKey::new(b"k"), None, &mut |_| ()).await;
    assert_eq!(verified.expect("a working store").errors, []);
}

async fn continues_with_a_new_log(store: &Store, copy: &Store) {
    let old = store.log().await.expect("reads").expect("started");
    let new = copy.log().await.expect("reads").expect("started");
    assert_ne!((&old.origin, &old.vkey), (&new.origin, &new.vkey));
    let first = copy.log_entry(&new.origin, 0).await.expect("reads").expect("there");
    let Ok(LoggedEntry::Continuation(first)) = LoggedEntry::decode(&first) else {
        panic!("{first}");
    };
    assert_eq!(Some(first.checkpoint), store.checkpoint().await.expect("reads"));
    assert_eq!(
        copy.receipt(0).await.expect("reads"),
        store.receipt(0).await.expect("reads"),
        "receipts of the old log still verify"
    );
    for store in [store, copy] {
        let verified = store.verify_log(&ReceiptKey::new(b"k"), None, &mut |_| ()).await;
        let verified = verified.expect("a working store");
        assert!(verified.errors.is_empty(), "{:#?}", verified.errors);
    }
}

#[tokio::test]
async fn each_engine_restores_backups_of_each_engine() {
    for from in [Engine::Sqlite, Engine::Postgres] {
        for to in [Engine::Sqlite, Engine::Postgres] {
            restore_between(from, to).await;
        }
    }
}

/// The terms of a store without a log have no entries; they get entries when they are restored.
#[tokio::test]
async fn a_restore_logs_terms_of_a_store_without_a_log() {
    let dir = tempfile::tempdir().expect("a directory");
    let bare = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
    bare.migrate().await.expect("migrates");
    publish(&bare, &new_term("a")).await;
    assert!(bare.log().await.expect("reads").is_none());
    let mut file = Vec::new();
    bare.backup(&mut file, |_| ()).await.expect("backs up");
    let (copy, _dir) = store(Engine::Sqlite).await;
    copy.restore(&file[..], &continuing(), |_| ()).await.expect("restores");
    let verified = copy.verify_log(&ReceiptKey::new(b"k"), None, &mut |_| ()).await;
    let verified = verified.expect("a working store");
    assert_eq!((verified.entries, verified.errors), (2, vec![]));
}

#[tokio::test]
async fn a_damaged_file_restores_nothing() {
    let (store, _dir) = store_with_data(Engine::Sqlite).await;
    let mut file = Vec::new();
    store.backup(&mut file, |_| ()).await.expect("backs up");
    let (copy, _dir2) = super::store(Engine::Sqlite).await;
    for bad in [&b""[..], b"nonsense", &file[..file.len() / 2], &file[..file.len() - 9]] {
        let result = copy.restore(bad, &continuing(), |_| ()).await;
        assert!(matches!(result, Err(RestoreError::BadFile(_))), "{result:?}");
        assert!(copy.catalog().await.expect("reads").all().is_empty());
    }
    copy.restore(&file[..], &continuing(), |_| ()).await.expect("the complete file still restores");
}

#[tokio::test]
async fn every_table_and_column_is_in_the_backup() {
    /// Tables that a copy must not have: state of running servers, data that expires within
    /// minutes, the signing key of this store, its last verification, its address, and data that is
    /// derived from other tables.
    const NOT_IN_BACKUP: [&str; 21] = [
        "_sqlx_migrations",
        "revision",
        "nodes",
        "log_witness_lease",
        "evaluation_assignments",
        "codes",
        "allowances",
        "oidc_returns",
        "sign_in_links",
        "throttles",
        "log_key",
        "moves",
        "used_tickets",
        "log_verified",
        "people_search",
        "served_at",
        "gate_head",
        "gate_states",
        "gate_left",
        "gate_erased",
        "gate_touched",
    ];
    /// Tables that the target of a move fills itself, or whose rows end within minutes.
    const NOT_MOVED: [&str; 12] = [
        "_sqlx_migrations",
        "revision",
        "nodes",
        "log_witness_lease",
        "evaluation_assignments",
        "people_search",
        "moves",
        "gate_head",
        "gate_states",
        "gate_left",
        "gate_erased",
        "gate_touched",
    ];
    let (store, _dir) = store(Engine::Postgres).await;
    let rows: Vec<(String, String)> = read!(store, |pool| sqlx::query_as(
        "SELECT table_name::text, column_name::text FROM information_schema.columns
         WHERE table_schema = 'public'"
    )
    .fetch_all(pool)
    .await
    .expect("reads"));
    for (table, column) in rows {
        if NOT_IN_BACKUP.contains(&table.as_str()) {
            let is_moved = |moved: &Table| {
                moved.name == table && moved.columns.iter().any(|(name, _)| *name == column)
            };
            let stays = NOT_MOVED.contains(&table.as_str());
            assert!(
                stays || MOVE_ONLY_TABLES.iter().any(is_moved),
                "a move does not copy {table}.{column}"
            );
            continue;
        }
        let saved = TABLES.iter().find(|saved_table| saved_table.name == table).expect(&table);
        assert!(saved.columns.iter().any(|(name, _)| *name == column), "{table}.{column}");
    }
}

/// Creates a migrated database in which no server has started a log.
async fn empty_store(engine: Engine) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (store, dir) = super::bare_store(engine).await;
    store.migrate().await.expect("migrates");
    (store, dir)
}

async fn verify(store: &Store) {
    let verified = store.verify_log(&ReceiptKey::new(b"k"), None, &mut |_| ()).await;
    assert_eq!(verified.expect("a working store").errors, []);
}

/// Creates the audit event of a move.
fn moved_event(id: &str) -> AuditEvent {
    AuditEvent { id: id.into(), event: "store_moved", ..AuditEvent::default() }
}

async fn move_between(from: Engine, to: Engine) {
    let (store, _dir) = store_with_data(from).await;
    store.set_served_at("https://terms.example.com").await.expect("works");
    let (copy, _dir2) = empty_store(to).await;
    let (log, head) = (store.log().await.expect("reads"), store.checkpoint().await.expect("reads"));
    let since = NOW.millis() - 1000;
    let node = crate::ClusterNode { id: "n".into(), revision: 1, seen_at: NOW.millis() };
    store.record_node(&node).await.expect("works");
    let result = store.copy_to(&copy, "t", since, NOW, |_| ()).await;
    assert!(matches!(result, Err(MoveError::IsServed)), "{result:?}");
    store.leave_node("n", 0).await.expect("works");
    let rows = store.copy_to(&copy, "t", since, NOW, |_| ()).await.expect("copies");
    let arriving = Some(MoveState::RequestBody { token: "t".into() });
    assert_eq!(copy.move_state().await.expect("reads"), arriving);
    let result = store.copy_to(&copy, "u", since, NOW, |_| ()).await;
    assert!(matches!(result, Err(MoveError::NotEmpty)), "{result:?}");
    verify(&copy).await;
    // An interrupted operator repeats the command.
    for id in ["first", "second"] {
        store.check_leaves("t").await.expect("continues");
        store.complete_move(&copy, "t", since, &moved_event(id), NOW).await.expect("hands over");
    }
    assert_eq!(copy.audited().await.iter().filter(|event| *event == "store_moved").count(), 1);
    let ended = Some(MoveState::Moved { token: "t".into(), at: NOW });
    assert_eq!(store.move_state().await.expect("reads"), ended);
    assert!(!store.cancel_move().await.expect("works"), "a finished move cannot be cancelled");
    assert!(store.log().await.expect("reads").is_none(), "the source never signs again");
    assert_eq!(copy.move_state().await.expect("reads"), None);
    assert_eq!(copy.log().await.expect("reads"), log);
    assert_eq!(copy.checkpoint().await.expect("reads"), head);
    let url = copy.served_at().await.expect("reads");
    assert_eq!(url.as_deref(), Some("https://terms.example.com"));
    assert!(rows > 20, "{rows}");
    publish(&copy, &new_term("c")).await;
    while copy.chain_histories(NOW).await.expect("works") {}
    assert_eq!(copy.log().await.expect("reads"), log, "later entries are in the same log");
    verify(&copy).await;
}

#[tokio::test]
async fn a_store_moves_between_engines_with_its_log() {
    for (from, to) in [(Engine::Sqlite, Engine::Postgres), (Engine::Postgres, Engine::Sqlite)] {
        move_between(from, to).await;
    }
}

/// The log grows as if a server had started during the move.
#[tokio::test]
async fn a_move_fails_if_the_log_grew_during_the_copy() {
    let (store, _dir) = store_with_data(Engine::Sqlite).await;
    let (copy, _dir2) = empty_store(Engine::Sqlite).await;
    store.copy_to(&copy, "t", NOW.millis(), NOW, |_| ()).await.expect("copies");
    publish(&store, &new_term("c")).await;
    let result = store.complete_move(&copy, "t", NOW.millis(), &moved_event("m"), NOW).await;
    assert!(matches!(result, Err(MoveError::HasGrown)), "{result:?}");
    assert!(store.cancel_move().await.expect("works"));
    assert!(store.log().await.expect("reads").is_some(), "the source continues");
}

/// An interrupted attempt that was restarted with another target leaves a copy that is never
/// served, because two stores would use one log.
async fn only_one_target_of_a_move_continues(engine: Engine) {
    let (store, _dir) = store_with_data(engine).await;
    let ((first, _dir2), (second, _dir3)) = (empty_store(engine).await, empty_store(engine).await);
    let since = NOW.millis();
    store.copy_to(&first, "a", since, NOW, |_| ()).await.expect("copies");
    store.copy_to(&second, "b", since, NOW, |_| ()).await.expect("starts another attempt");
    let result = store.complete_move(&first, "a", since, &moved_event("m"), NOW).await;
    assert!(matches!(result, Err(MoveError::Overtaken)), "{result:?}");
    // The cleanup of the failed attempt does not affect the other attempt.
    store.stay("a").await.expect("works");
    store.complete_move(&second, "b", since, &moved_event("m"), NOW).await.expect("hands over");
    let result = store.check_leaves("a").await;
    assert!(matches!(result, Err(MoveError::OtherAttempt)), "{result:?}");
    let (third, _dir4) = empty_store(engine).await;
    let result = store.copy_to(&third, "c", since, NOW, |_| ()).await;
    assert!(matches!(result, Err(MoveError::MovedBefore)), "{result:?}");
    let arriving = Some(MoveState::RequestBody { token: "a".into() });
    assert_eq!(first.move_state().await.expect("reads"), arriving);
    assert_eq!(second.move_state().await.expect("reads"), None);
}

/// Two attempts at one target run one after another. With two targets, the later attempt replaces
/// the earlier one.
async fn concurrent_attempts_leave_one_copy(engine: Engine) {
    let (store, _dir) = store_with_data(engine).await;
    let ((target, _dir2), (other, _dir3)) = (empty_store(engine).await, empty_store(engine).await);
    let since = NOW.millis();
    let copy = |to: Arc<Store>, token: &'static str| {
        let store = Arc::clone(&store);
        async move { store.copy_to(&to, token, since, NOW, |_| ()).await.is_ok() }
    };
    let same = [Arc::clone(&target), target];
    let (a, b) = tokio::join!(copy(Arc::clone(&same[0]), "a"), copy(Arc::clone(&same[1]), "b"));
    assert_ne!(a, b, "exactly one attempt succeeds");
    let token = if a { "a" } else { "b" };
    let arriving = MoveState::RequestBody { token: token.into() };
    assert_eq!(same[0].move_state().await.expect("reads"), Some(arriving));
    store.check_leaves(token).await.expect("it goes on");
    // An attempt that waits for another target has not started; a started attempt replaces the
    // other one.
    assert!(copy(Arc::clone(&other), "c").await);
    store.check_leaves("c").await.expect("it goes on");
    let result = store.complete_move(&same[0], token, since, &moved_event("m"), NOW).await;
    assert!(matches!(result, Err(MoveError::Overtaken)), "{result:?}");
}

on_both!(only_one_target_of_a_move_continues, concurrent_attempts_leave_one_copy);

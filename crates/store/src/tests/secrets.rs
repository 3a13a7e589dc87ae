use super::{NOW, add_user, new_log, new_term, on_both, publish, store};
use crate::db::read;
use crate::{
    Continuing, Engine, RestoreError, SecretsFault, SecretsKeys, SigningKeyRow, Store, StoreError,
};

on_both!(
    what_stood_open_is_encrypted_and_can_be_rotated,
    new_secrets_are_encrypted_at_once,
    a_backup_needs_the_key_too,
);

fn keys(digits: &[&str]) -> SecretsKeys {
    let lines: Vec<String> = digits.iter().map(|digit| digit.repeat(64)).collect();
    SecretsKeys::parse(lines.join("\n").as_bytes()).expect("keys")
}

const SECRET: &str = "5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7";

async fn fill(store: &Store) {
    add_user(store, "r1").await;
    store.secret("refresh", SECRET).await.expect("kept");
    let row = SigningKeyRow { kid: "kid".into(), seed: SECRET.into(), signs_from: 0, last_exp: 0 };
    store.signing_keys(&row, NOW).await.expect("kept");
    store.set_totp("r1", SECRET).await.expect("kept");
}

/// Everything that the database says of its secrets.
async fn values(store: &Store) -> Vec<String> {
    const VALUES: &str = "SELECT value FROM secrets UNION ALL SELECT seed FROM signing_keys
        UNION ALL SELECT seed FROM log_key UNION ALL SELECT secret FROM totp";
    read!(store, |pool| sqlx::query_scalar(VALUES).fetch_all(pool).await.expect("reads"))
}

async fn sealed(store: &Store) -> (usize, usize) {
    let values = values(store).await;
    let sealed = values.iter().filter(|value| SecretsKeys::is_sealed(value)).count();
    (sealed, values.len())
}

async fn reads(store: &Store) -> bool {
    let secret = store.secret("refresh", "another").await;
    let row = SigningKeyRow { kid: "x".into(), seed: "x".into(), signs_from: 0, last_exp: 0 };
    let keys = store.signing_keys(&row, NOW).await;
    secret.is_ok_and(|it| it == SECRET) && keys.is_ok_and(|it| it[0].seed == SECRET)
}

/// Opens the store again with other keys.
async fn again(store: &Store, dir: Option<&tempfile::TempDir>, given: SecretsKeys) -> Store {
    let same = match dir {
        Some(dir) => Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens"),
        None => {
            const WHERE: &str = "SELECT current_database()::text";
            let crate::db::Db::Postgres(pools) = &store.db else { panic!("on PostgreSQL") };
            let name: String =
                sqlx::query_scalar(WHERE).fetch_one(&pools.read).await.expect("reads");
            let server = std::env::var("MUSETTE_TEST_POSTGRES").expect("a server");
            Store::open_postgres(&format!("{server}/{name}")).await.expect("opens")
        }
    };
    same.with_secrets_keys(given)
}

async fn what_stood_open_is_encrypted_and_can_be_rotated(engine: Engine) {
    let (open, dir) = store(engine).await;
    fill(&open).await;
    assert_eq!(sealed(&open).await, (0, 4));
    let one = again(&open, dir.as_ref(), keys(&["1"])).await;
    one.check_secrets().await.expect("what stands open can be read");
    assert_eq!(one.seal_secrets().await.expect("seals"), 4);
    assert_eq!(one.seal_secrets().await.expect("nothing is left to do"), 0);
    assert_eq!(sealed(&one).await, (4, 4));
    assert!(reads(&one).await);
    if let Some(dir) = &dir {
        for file in std::fs::read_dir(dir.path()).expect("lists") {
            let bytes = std::fs::read(file.expect("a file").path()).expect("reads");
            let at = bytes.windows(SECRET.len()).position(|it| it == SECRET.as_bytes());
            assert_eq!(at, None, "the secret is still in a file");
        }
    }
    // Another process appends to the log, with the seed that it reads.
    publish(&one, &new_term("a")).await;

    let fault = |result: Result<(), StoreError>| match result {
        Err(StoreError::Secrets(fault)) => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(open.check_secrets().await), SecretsFault::NoKey);
    let two = again(&open, dir.as_ref(), keys(&["2"])).await;
    assert_eq!(fault(two.check_secrets().await), SecretsFault::OtherKey);

    // First every process reads both, then all is encrypted anew, then the old key is forgotten.
    let both = again(&open, dir.as_ref(), keys(&["1", "2"])).await;
    assert_eq!(both.reseal_secrets(&keys(&["2"])).await.expect("rotates"), 4);
    assert!(reads(&both).await && reads(&two).await);
    assert_eq!(fault(one.check_secrets().await), SecretsFault::OtherKey);
    // And back to what the version before can read.
    assert_eq!(two.reseal_secrets(&SecretsKeys::default()).await.expect("decrypts"), 4);
    assert!(reads(&open).await);
}

async fn new_secrets_are_encrypted_at_once(engine: Engine) {
    let (open, dir) = store(engine).await;
    let one = again(&open, dir.as_ref(), keys(&["1"])).await;
    one.seal_secrets().await.expect("the log's");
    fill(&one).await;
    let next =
        SigningKeyRow { kid: "next".into(), seed: SECRET.into(), signs_from: 9, last_exp: 0 };
    one.add_signing_key(&next, NOW).await.expect("adds");
    assert_eq!(sealed(&one).await, (5, 5));
    assert!(reads(&one).await && !reads(&open).await);
}

async fn a_backup_needs_the_key_too(engine: Engine) {
    let (open, dir) = store(engine).await;
    let one = again(&open, dir.as_ref(), keys(&["1"])).await;
    fill(&one).await;
    publish(&one, &new_term("a")).await;
    // Copying needs no key.
    let mut file = Vec::new();
    open.backup(&mut file, |_| ()).await.expect("backs up");
    let (copy, copied) = store(engine).await;
    let continuing =
        || Continuing { log: new_log(), entry_id: super::next_id(), now: NOW, trusted: None };
    let refused = copy.restore(&file[..], &continuing(), |_| ()).await;
    let fault = SecretsFault::NoKey;
    let is_told =
        matches!(refused, Err(RestoreError::Store(StoreError::Secrets(it))) if it == fault);
    assert!(is_told, "{refused:?}");
    assert!(copy.catalog().await.expect("reads").all().is_empty(), "nothing of it is there");
    let copy = again(&copy, copied.as_ref(), keys(&["1"])).await;
    copy.restore(&file[..], &continuing(), |_| ()).await.expect("restores");
    assert!(reads(&copy).await);
}

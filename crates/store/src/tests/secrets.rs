use super::{NOW, add_user, new_log, new_term, on_both, publish, store};
use crate::db::read;
use crate::{
    Engine, LogContinuation, RestoreError, SecretsError, SecretsKeys, SigningKeyRow, Store,
    StoreError,
};

on_both!(
    encrypts_plain_secrets_and_rotates_keys,
    encrypts_new_secrets_immediately,
    a_restore_needs_the_key,
);

fn keys(digits: &[&str]) -> SecretsKeys {
    let lines: Vec<String> = digits.iter().map(|digit| digit.repeat(64)).collect();
    SecretsKeys::parse(lines.join("\n").as_bytes()).expect("keys")
}

const SECRET: &str = "5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7";

async fn fill(store: &Store) {
    add_user(store, "r1").await;
    store.secret("refresh", SECRET).await.expect("stores");
    let row = SigningKeyRow { kid: "kid".into(), seed: SECRET.into(), signs_from: 0, last_exp: 0 };
    store.signing_keys(&row, NOW).await.expect("stores");
    store.set_totp("r1", SECRET).await.expect("stores");
}

/// Returns every stored value of a secret.
async fn values(store: &Store) -> Vec<String> {
    const VALUES: &str = "SELECT value FROM secrets UNION ALL SELECT seed FROM signing_keys
        UNION ALL SELECT seed FROM log_key UNION ALL SELECT secret FROM totp";
    read!(store, |pool| sqlx::query_scalar(VALUES).fetch_all(pool).await.expect("reads"))
}

async fn count_sealed(store: &Store) -> (usize, usize) {
    let values = values(store).await;
    let sealed = values.iter().filter(|value| SecretsKeys::is_sealed(value)).count();
    (sealed, values.len())
}

async fn can_read(store: &Store) -> bool {
    let secret = store.secret("refresh", "another").await;
    let row = SigningKeyRow { kid: "x".into(), seed: "x".into(), signs_from: 0, last_exp: 0 };
    let keys = store.signing_keys(&row, NOW).await;
    secret.is_ok_and(|secret| secret == SECRET) && keys.is_ok_and(|keys| keys[0].seed == SECRET)
}

/// Opens the store again with other keys.
async fn reopen(store: &Store, dir: Option<&tempfile::TempDir>, keys: SecretsKeys) -> Store {
    let reopened = match dir {
        Some(dir) => Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens"),
        None => {
            const WHERE: &str = "SELECT current_database()::text";
            let crate::db::Db::Postgres(pools) = &store.db else { panic!("on PostgreSQL") };
            let name: String =
                sqlx::query_scalar(WHERE).fetch_one(&pools.read).await.expect("reads");
            let server = std::env::var("MUSETTE_TEST_POSTGRES").expect("a server");
            Store::open_postgres(&format!("{server}/{name}"), crate::POSTGRES_CONNECTIONS)
                .await
                .expect("opens")
        }
    };
    reopened.with_secrets_keys(keys)
}

async fn encrypts_plain_secrets_and_rotates_keys(engine: Engine) {
    let (plain, dir) = store(engine).await;
    fill(&plain).await;
    assert_eq!(count_sealed(&plain).await, (0, 4));
    let keyed = reopen(&plain, dir.as_ref(), keys(&["1"])).await;
    keyed.check_secrets().await.expect("plain secrets can be read");
    assert_eq!(keyed.seal_secrets().await.expect("seals"), 4);
    assert_eq!(keyed.seal_secrets().await.expect("all secrets are encrypted"), 0);
    assert_eq!(count_sealed(&keyed).await, (4, 4));
    assert!(can_read(&keyed).await);
    if let Some(dir) = &dir {
        for file in std::fs::read_dir(dir.path()).expect("lists") {
            let bytes = std::fs::read(file.expect("a file").path()).expect("reads");
            let at = bytes.windows(SECRET.len()).position(|window| window == SECRET.as_bytes());
            assert_eq!(at, None, "the secret is still in a file");
        }
    }
    // Another process appends to the log with the decrypted seed.
    publish(&keyed, &new_term("a")).await;

    let secrets_error = |result: Result<(), StoreError>| match result {
        Err(StoreError::Secrets(secrets_error)) => secrets_error,
        other => panic!("{other:?}"),
    };
    assert_eq!(secrets_error(plain.check_secrets().await), SecretsError::NoKey);
    let other = reopen(&plain, dir.as_ref(), keys(&["2"])).await;
    assert_eq!(secrets_error(other.check_secrets().await), SecretsError::OtherKey);

    // First every process reads both keys, then all secrets are encrypted again, then the old key
    // is removed.
    let both = reopen(&plain, dir.as_ref(), keys(&["1", "2"])).await;
    assert_eq!(both.reseal_secrets(&keys(&["2"])).await.expect("rotates"), 4);
    assert!(can_read(&both).await && can_read(&other).await);
    assert_eq!(secrets_error(keyed.check_secrets().await), SecretsError::OtherKey);
    // Back to plain text, which the previous version can read.
    assert_eq!(other.reseal_secrets(&SecretsKeys::default()).await.expect("decrypts"), 4);
    assert!(can_read(&plain).await);
}

async fn encrypts_new_secrets_immediately(engine: Engine) {
    let (plain, dir) = store(engine).await;
    let keyed = reopen(&plain, dir.as_ref(), keys(&["1"])).await;
    keyed.seal_secrets().await.expect("encrypts the key of the log");
    fill(&keyed).await;
    let next =
        SigningKeyRow { kid: "next".into(), seed: SECRET.into(), signs_from: 9, last_exp: 0 };
    keyed.add_signing_key(&next, NOW).await.expect("adds");
    assert_eq!(count_sealed(&keyed).await, (5, 5));
    assert!(can_read(&keyed).await && !can_read(&plain).await);
}

async fn a_restore_needs_the_key(engine: Engine) {
    let (plain, dir) = store(engine).await;
    let keyed = reopen(&plain, dir.as_ref(), keys(&["1"])).await;
    fill(&keyed).await;
    publish(&keyed, &new_term("a")).await;
    // Making a backup needs no key.
    let mut file = Vec::new();
    plain.backup(&mut file, |_| ()).await.expect("backs up");
    let (copy, copy_dir) = store(engine).await;
    let continuing =
        || LogContinuation { log: new_log(), entry_id: super::next_id(), now: NOW, trusted: None };
    let result = copy.restore(&file[..], &continuing(), |_| ()).await;
    let expected = SecretsError::NoKey;
    let is_reported =
        matches!(result, Err(RestoreError::Store(StoreError::Secrets(error))) if error == expected);
    assert!(is_reported, "{result:?}");
    assert!(copy.catalog().await.expect("reads").all().is_empty(), "nothing was restored");
    let copy = reopen(&copy, copy_dir.as_ref(), keys(&["1"])).await;
    copy.restore(&file[..], &continuing(), |_| ()).await.expect("restores");
    assert!(can_read(&copy).await);
}

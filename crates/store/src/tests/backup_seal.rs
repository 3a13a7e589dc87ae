//! Detection of backups that were changed, and proofs of their authenticity.

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use musette_core::log::key::{Signer, VerifierKey};
use musette_core::log::note::Note;
use sha2::{Digest as _, Sha256};

use super::{NOW, add_user, new_log, next_id, store};
use crate::backup::RestoreError;
use crate::backup::lines::BackupCheck;
use crate::backup::seal::{Authenticity, BackupTrust};
use crate::db::secrets::SecretsKeys;
use crate::{Engine, LogContinuation, Store};

fn keys(digit: &str) -> SecretsKeys {
    SecretsKeys::parse(digit.repeat(64).as_bytes()).expect("a key")
}

fn gunzip(file: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

fn gzip(text: &str) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(text.as_bytes()).expect("compresses");
    out.finish().expect("compresses")
}

async fn backup_of(store: &Store) -> Vec<u8> {
    let mut file = Vec::new();
    store.backup(&mut file, |_| ()).await.expect("backs up");
    file
}

async fn store_with_a_rider(
    secrets: Option<SecretsKeys>,
) -> (Arc<Store>, Option<tempfile::TempDir>) {
    let (mut store, dir) = store(Engine::Sqlite).await;
    if let Some(keys) = secrets {
        let path = dir.as_ref().expect("SQLite").path().join("musette.db");
        let opened = Store::open_sqlite(&path).await.expect("opens");
        store = Arc::new(opened.with_secrets_keys(keys));
        store.seal_secrets().await.expect("encrypts");
    }
    add_user(&store, "r1").await;
    (store, dir)
}

fn proof(file: &[u8], trust: BackupTrust) -> Result<Authenticity, RestoreError> {
    let mut check = BackupCheck::open(file, trust)?;
    while check.step()? {}
    Ok(check.authenticity().cloned().expect("it was read to its end"))
}

fn assert_rejected(file: &[u8], trust: &BackupTrust, why: &str) {
    let error = proof(file, trust.clone()).expect_err(why).to_string();
    assert!(error.contains(why), "{error}");
}

/// Changes a role, as an attacker could who has the file and knows its format.
fn with_admin_role(file: &[u8]) -> String {
    let text = gunzip(file);
    let changed = text.replace(r#"["r1","rider"]"#, r#"["r1","admin"]"#);
    assert_ne!(text, changed);
    changed
}

/// Seals the text again with a key of the attacker.
fn resealed(text: &str, vkey: &str, signer: &Signer) -> String {
    let (lines, seal) = text.trim_end().rsplit_once('\n').expect("lines");
    let lines = format!("{}\n", lines.replace(vkey, &signer.verifier().to_string()));
    let digest = hex::encode(Sha256::digest(&lines));
    let note = Note::new(format!("musette-backup-2\n{digest}\n")).expect("a text");
    let mut seal: serde_json::Value = serde_json::from_str(seal).expect("JSON");
    seal["seal"]["note"] = note.signed_by(signer).to_string().into();
    format!("{lines}{seal}\n")
}

#[tokio::test]
async fn rejects_a_changed_role_before_restoring_anything() {
    let (original, _dir) = store_with_a_rider(None).await;
    let file = backup_of(&original).await;
    let changed = gzip(&with_admin_role(&file));
    assert_rejected(&changed, &BackupTrust::default(), "its signature does not match its content");
    let (copy, _dir2) = store(Engine::Sqlite).await;
    let continuing =
        || LogContinuation { log: new_log(), entry_id: next_id(), now: NOW, trusted: None };
    let result = copy.restore(&changed[..], &continuing(), |_| ()).await;
    assert!(matches!(result, Err(RestoreError::BadFile(_))), "{result:?}");
    assert!(copy.user("r1").await.expect("reads").is_none());
    copy.restore(&file[..], &continuing(), |_| ()).await.expect("restores");
    let vkey = original.log().await.expect("reads").expect("started").vkey;
    let authenticity = proof(&file, BackupTrust::default()).expect("the backup is complete");
    assert_eq!(authenticity, Authenticity::Log(vkey));
}

/// An attacker who can write the file can sign it again, but does not have a key of the operator.
#[tokio::test]
async fn rejects_a_seal_of_another_key() {
    let (original, _dir) = store_with_a_rider(Some(keys("1"))).await;
    let file = backup_of(&original).await;
    let vkey = original.log().await.expect("reads").expect("started").vkey;
    let with_key = BackupTrust { secrets: keys("1"), logs: None };
    assert_eq!(
        proof(&file, with_key.clone()).expect("the backup is complete"),
        Authenticity::SecretsKey
    );
    let trusted = VerifierKey::parse(&vkey).expect("a key");
    let pinned = BackupTrust { logs: Some(vec![trusted.clone()]), ..BackupTrust::default() };
    assert_eq!(
        proof(&file, pinned.clone()).expect("the backup is complete"),
        Authenticity::Log(vkey.clone())
    );
    let own = Signer::from_seed(trusted.name(), &[7; 32]).expect("a key");
    let forged = gzip(&resealed(&with_admin_role(&file), &vkey, &own));
    assert_rejected(&forged, &with_key, "its seal does not match its content");
    assert_rejected(&forged, &pinned, "not signed by a known key");
    let unsealed = gunzip(&file).replace("musette-backup-2", "musette-backup-1");
    let (unsealed, _) = unsealed.trim_end().rsplit_once('\n').expect("lines");
    assert_rejected(&gzip(&format!("{unsealed}\n")), &pinned, "did not sign backups");
    let other = BackupTrust { secrets: keys("2"), logs: None };
    assert!(matches!(proof(&file, other), Err(RestoreError::Store(_))), "the key is another one");
}

#[tokio::test]
async fn rejects_bytes_after_the_end() {
    let (original, _dir) = store_with_a_rider(None).await;
    let file = backup_of(&original).await;
    let trust = BackupTrust::default();
    let end = "it has data after its end";
    for more in [b"x".to_vec(), vec![0], file.clone(), gzip("[1]\n")] {
        assert_rejected(&[file.clone(), more].concat(), &trust, end);
    }
    assert_rejected(&gzip(&format!("{}[1]\n", gunzip(&file))), &trust, end);
    let text = gunzip(&file);
    let (unsealed, _) = text.trim_end().rsplit_once('\n').expect("lines");
    assert_rejected(&gzip(&format!("{unsealed}\n")), &trust, "truncated");
}

/// The backup of an earlier version is restored, and reported as unproved.
#[tokio::test]
async fn reports_a_backup_of_an_earlier_version_as_unproved() {
    let (original, _dir) = store_with_a_rider(None).await;
    let text = gunzip(&backup_of(&original).await).replace("musette-backup-2", "musette-backup-1");
    let (unsealed, _) = text.trim_end().rsplit_once('\n').expect("lines");
    let file = gzip(&format!("{unsealed}\n"));
    let authenticity = proof(&file, BackupTrust::default()).expect("the backup is complete");
    assert!(matches!(authenticity, Authenticity::Unproved(why) if why.contains("earlier version")));
    let (copy, _dir2) = store(Engine::Sqlite).await;
    let continuing =
        LogContinuation { log: new_log(), entry_id: next_id(), now: NOW, trusted: None };
    copy.restore(&file[..], &continuing, |_| ()).await.expect("restores");
    assert!(copy.user("r1").await.expect("reads").is_some());
    let mut longer = file;
    longer.push(b'x');
    assert_rejected(&longer, &BackupTrust::default(), "it has data after its end");
}

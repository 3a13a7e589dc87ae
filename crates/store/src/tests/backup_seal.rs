//! A backup that was changed after it was written, and by whom it is proved.

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
use crate::{Continuing, Engine, Store};

fn keys(digit: &str) -> SecretsKeys {
    SecretsKeys::parse(digit.repeat(64).as_bytes()).expect("a key")
}

fn unpacked(file: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

fn packed(text: &str) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(text.as_bytes()).expect("it is packed");
    out.finish().expect("it is packed")
}

async fn backed_up(store: &Store) -> Vec<u8> {
    let mut file = Vec::new();
    store.backup(&mut file, |_| ()).await.expect("backs up");
    file
}

async fn with_a_rider(secrets: Option<SecretsKeys>) -> (Arc<Store>, Option<tempfile::TempDir>) {
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

fn is_refused(file: &[u8], trust: &BackupTrust, why: &str) {
    let refused = proof(file, trust.clone()).expect_err(why).to_string();
    assert!(refused.contains(why), "{refused}");
}

/// What an attacker does who has the file, and knows its format.
fn with_more_roles(file: &[u8]) -> String {
    let text = unpacked(file);
    let changed = text.replace(r#"["r1","rider"]"#, r#"["r1","admin"]"#);
    assert_ne!(text, changed);
    changed
}

/// The text with another seal, made with the keys that an attacker has: their own.
fn sealed_again(text: &str, vkey: &str, signer: &Signer) -> String {
    let (lines, seal) = text.trim_end().rsplit_once('\n').expect("lines");
    let lines = format!("{}\n", lines.replace(vkey, &signer.verifier().to_string()));
    let digest = hex::encode(Sha256::digest(&lines));
    let note = Note::new(format!("musette-backup-2\n{digest}\n")).expect("a text");
    let mut seal: serde_json::Value = serde_json::from_str(seal).expect("JSON");
    seal["seal"]["note"] = note.signed_by(signer).to_string().into();
    format!("{lines}{seal}\n")
}

#[tokio::test]
async fn a_changed_role_is_refused_before_anything_is_restored() {
    let (original, _dir) = with_a_rider(None).await;
    let file = backed_up(&original).await;
    let changed = packed(&with_more_roles(&file));
    is_refused(&changed, &BackupTrust::default(), "its signature is of other content");
    let (copy, _dir2) = store(Engine::Sqlite).await;
    let continuing = || Continuing { log: new_log(), entry_id: next_id(), now: NOW, trusted: None };
    let refused = copy.restore(&changed[..], &continuing(), |_| ()).await;
    assert!(matches!(refused, Err(RestoreError::BadFile(_))), "{refused:?}");
    assert!(copy.user("r1").await.expect("reads").is_none());
    copy.restore(&file[..], &continuing(), |_| ()).await.expect("restores");
    let vkey = original.log().await.expect("reads").expect("started").vkey;
    let proved = proof(&file, BackupTrust::default()).expect("it is whole");
    assert_eq!(proved, Authenticity::Log(vkey));
}

/// Whoever can write the file can sign it anew; a key that the restorer has, they do not have.
#[tokio::test]
async fn another_key_does_not_seal_it() {
    let (original, _dir) = with_a_rider(Some(keys("1"))).await;
    let file = backed_up(&original).await;
    let vkey = original.log().await.expect("reads").expect("started").vkey;
    let with_key = BackupTrust { secrets: keys("1"), logs: None };
    assert_eq!(proof(&file, with_key.clone()).expect("it is whole"), Authenticity::SecretsKey);
    let trusted = VerifierKey::parse(&vkey).expect("a key");
    let pinned = BackupTrust { logs: Some(vec![trusted.clone()]), ..BackupTrust::default() };
    assert_eq!(proof(&file, pinned.clone()).expect("it is whole"), Authenticity::Log(vkey.clone()));
    let own = Signer::from_seed(trusted.name(), &[7; 32]).expect("a key");
    let forged = packed(&sealed_again(&with_more_roles(&file), &vkey, &own));
    is_refused(&forged, &with_key, "its seal is of other content");
    is_refused(&forged, &pinned, "no known key has signed");
    let unsealed = unpacked(&file).replace("musette-backup-2", "musette-backup-1");
    let (unsealed, _) = unsealed.trim_end().rsplit_once('\n').expect("lines");
    is_refused(&packed(&format!("{unsealed}\n")), &pinned, "signed no backup");
    let other = BackupTrust { secrets: keys("2"), logs: None };
    assert!(matches!(proof(&file, other), Err(RestoreError::Store(_))), "it is another key");
}

#[tokio::test]
async fn bytes_after_the_end_are_refused() {
    let (original, _dir) = with_a_rider(None).await;
    let file = backed_up(&original).await;
    let trust = BackupTrust::default();
    let end = "it goes on after its end";
    for more in [b"x".to_vec(), vec![0], file.clone(), packed("[1]\n")] {
        is_refused(&[file.clone(), more].concat(), &trust, end);
    }
    is_refused(&packed(&format!("{}[1]\n", unpacked(&file))), &trust, end);
    let text = unpacked(&file);
    let (unsealed, _) = text.trim_end().rsplit_once('\n').expect("lines");
    is_refused(&packed(&format!("{unsealed}\n")), &trust, "cut off");
}

/// The backup of an earlier version is restored, and the answer says that nothing proves it.
#[tokio::test]
async fn a_backup_of_an_earlier_version_is_unproved() {
    let (original, _dir) = with_a_rider(None).await;
    let text =
        unpacked(&backed_up(&original).await).replace("musette-backup-2", "musette-backup-1");
    let (unsealed, _) = text.trim_end().rsplit_once('\n').expect("lines");
    let file = packed(&format!("{unsealed}\n"));
    let proved = proof(&file, BackupTrust::default()).expect("it is whole");
    assert!(matches!(proved, Authenticity::Unproved(why) if why.contains("earlier version")));
    let (copy, _dir2) = store(Engine::Sqlite).await;
    let continuing = Continuing { log: new_log(), entry_id: next_id(), now: NOW, trusted: None };
    copy.restore(&file[..], &continuing, |_| ()).await.expect("restores");
    assert!(copy.user("r1").await.expect("reads").is_some());
    let mut longer = file;
    longer.push(b'x');
    is_refused(&longer, &BackupTrust::default(), "it goes on after its end");
}

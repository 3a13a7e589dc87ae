//! A data directory that was copied or restored from a backup, and one whose disk fails.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{NAME, ORIGIN, TestWitness, command, extension, leaves, log};
use crate::store::CommandResult;

/// Copies a directory as a backup program does.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

fn try_start(directory: &TempDir) -> CommandResult {
    let mut command = command(directory.path());
    command.args(["--name", NAME, "--log", &log().verifier().to_string()]);
    command.output().expect("it runs").into()
}

#[test]
fn a_restored_backup_is_recognised_and_needs_consent() {
    let witness = TestWitness::start();
    assert_eq!(witness.add(&extension(0, &leaves(5))).status, 200);
    let backup = witness.directory.path().join("backup");
    copy(&witness.data(), &backup);
    assert_eq!(witness.add(&extension(5, &leaves(9))).status, 200);
    let data = witness.data();
    let directory = witness.kill();

    fs::remove_dir_all(&data).expect("removed");
    copy(&backup, &data);
    try_start(&directory).failed(1, "was restored or copied");
    try_start(&directory).failed(1, "--accept-restored");

    let witness = TestWitness::start_in(directory, &["--accept-restored"]);
    let conflict = witness.add(&extension(9, &leaves(12)));
    assert_eq!((conflict.status, &*conflict.body), (409, &b"5\n"[..]));
    assert_eq!(witness.add(&extension(5, &leaves(12))).status, 200);
    // The next start needs no consent.
    let witness = TestWitness::start_in(witness.kill(), &[]);
    assert_eq!(witness.add(&extension(12, &leaves(13))).status, 200);
}

#[test]
fn a_backup_without_a_state_is_recognised_by_its_keys() {
    let witness = TestWitness::start();
    let backup = witness.directory.path().join("backup");
    copy(&witness.data(), &backup);
    assert_eq!(witness.add(&extension(0, &leaves(5))).status, 200);
    let data = witness.data();
    let directory = witness.kill();
    fs::remove_dir_all(&data).expect("removed");
    copy(&backup, &data);
    try_start(&directory).failed(1, "was restored or copied");
}

#[test]
fn does_not_sign_if_the_state_cannot_be_written() {
    let witness = TestWitness::start();
    assert_eq!(witness.add(&extension(0, &leaves(5))).status, 200);
    let served = witness.checkpoint().body;
    // A folder under the name of the temporary file lets every write fail.
    let hash = musette::parts::random::sha256_hex(ORIGIN.as_bytes());
    let obstacle = witness.data().join("logs").join(format!("{hash}.new"));
    fs::create_dir(&obstacle).expect("a folder");
    let answer = witness.add(&extension(5, &leaves(9)));
    assert_eq!(answer.status, 503);
    assert!(!String::from_utf8_lossy(&answer.body).contains('\u{2014}'), "no signature");
    assert_eq!(witness.checkpoint().body, served);
    fs::remove_dir(&obstacle).expect("removed");
    assert_eq!(witness.add(&extension(5, &leaves(9))).status, 200);
}

#[test]
fn a_damaged_state_or_key_stops_the_start() {
    for file in ["keys", "logs"] {
        let witness = TestWitness::start();
        assert_eq!(witness.add(&extension(0, &leaves(5))).status, 200);
        let mut path = witness.data().join(file);
        if path.is_dir() {
            path.push(musette::parts::random::sha256_hex(ORIGIN.as_bytes()));
        }
        let directory = witness.kill();
        let text = fs::read_to_string(&path).expect("a file");
        // In place, so that the file is not taken for a copy.
        fs::write(&path, text.replacen("\n5\n", "\n4\n", 1).replace("ml-dsa", "ml"))
            .expect("written");
        try_start(&directory).failed(1, "the file is damaged");
    }
}

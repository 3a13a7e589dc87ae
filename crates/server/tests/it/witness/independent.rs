//! A second implementation, written from the specifications alone, verifies the cosignatures.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{TestWitness, command, print_keys};
use crate::store::CommandResult;

fn independent(args: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/witness/independent.py");
    let output = Command::new("python3").arg("-B").arg(script).args(args).output();
    CommandResult::from(output.expect("python3 is installed")).expect_success()
}

#[test]
fn verifies_our_cosignatures_of_its_log() {
    let directory = TempDir::new().expect("a directory");
    let mut command = command(directory.path());
    command.args(["--name", "council.example/w1", "--log", independent(&["vkey"]).trim_end()]);
    let witness = TestWitness::spawn(directory, command);
    let keys = print_keys(witness.directory.path()).expect_success();
    let file = witness.directory.path().join("keys.txt");
    std::fs::write(&file, keys).expect("written");
    let output = independent(&["run", &witness.address, file.to_str().expect("UTF-8")]);
    assert_eq!(output, "20 cosignatures verified\n");
}

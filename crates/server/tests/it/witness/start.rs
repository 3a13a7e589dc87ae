//! Settings, keys, metrics and the end of a witness.

use std::fs;

use musette_core::log::cosignature::Cosigner;
use rustix::process::Signal;
use tempfile::TempDir;

use super::{NAME, ORIGIN, TestWitness, command, extension, leaves, log, print_keys};
use crate::request::Request;
use crate::store::CommandResult;
use crate::until::until;

fn run(directory: &TempDir, args: &[&str]) -> CommandResult {
    command(directory.path()).args(args).output().expect("it runs").into()
}

#[test]
fn rejects_wrong_settings() {
    let directory = TempDir::new().expect("a directory");
    let key = log().verifier().to_string();
    run(&directory, &["--log", &key]).failed(2, "--name is missing");
    run(&directory, &["--name", NAME]).failed(2, "--log");
    run(&directory, &["--name", "two words", "--log", &key]).failed(2, "--name");
    run(&directory, &["--name", NAME, "--log", "nonsense"]).failed(2, "--log: a verifier key");
    let of_witness = Cosigner::ed25519("w", &[1; 32]).expect("a key").verifier().to_string();
    run(&directory, &["--name", NAME, "--log", &of_witness]).failed(2, "0x04 is not supported");
    fs::write(directory.path().join("logs"), "# none\nnonsense\n").expect("written");
    run(&directory, &["--name", NAME, "--logs", "logs"]).failed(2, "--logs logs: line 2: ");
    run(&directory, &["--name", NAME, "--logs", "missing"]).failed(2, "--logs missing: ");
    print_keys(directory.path()).failed(1, "there are no keys");
    fs::create_dir_all(directory.path().join("witness")).expect("a folder");
    fs::write(directory.path().join("witness/musette.db"), "").expect("written");
    run(&directory, &["--name", NAME, "--log", &key]).failed(2, "of a server");
}

#[test]
fn keeps_its_keys_and_its_name() {
    let witness = TestWitness::start();
    let keys = witness.keys();
    assert!(keys.iter().all(|key| key.name() == NAME));
    let key = log().verifier().to_string();
    run(&witness.directory, &["--name", NAME, "--log", &key]).failed(1, "another witness uses");
    let witness = TestWitness::start_in(witness.kill(), &[]);
    assert_eq!(witness.keys(), keys);
    let directory = witness.kill();
    run(&directory, &["--name", "other", "--log", &key]).failed(2, "cannot change");
    fs::remove_file(directory.path().join("witness/keys")).expect("removed");
    run(&directory, &["--name", NAME, "--log", &key]).failed(1, "no keys");
}

#[test]
fn only_its_user_can_read_its_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let witness = TestWitness::start();
    assert_eq!(witness.add(&extension(0, &leaves(5))).status, 200);
    let hash = musette::parts::random::sha256_hex(ORIGIN.as_bytes());
    for (path, mode) in
        [("", 0o700), ("keys", 0o600), ("logs", 0o700), (&format!("logs/{hash}"), 0o600)]
    {
        let metadata = fs::metadata(witness.data().join(path)).expect("a file");
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{path}");
    }
}

#[test]
fn serves_metrics_on_a_separate_address() {
    let directory = TempDir::new().expect("a directory");
    let witness = TestWitness::start_in(directory, &["--metrics-listen", "127.0.0.1:0"]);
    assert_eq!(witness.add(&extension(0, &leaves(5))).status, 200);
    assert_eq!(witness.add(&extension(0, &leaves(5))).status, 409);
    let log = witness.stderr();
    let address = log.split("address=").nth(1).and_then(|rest| rest.split_whitespace().next());
    let address = address.expect("the address is logged");
    let get = |path: &str| Request::new("GET", format!("http://{address}{path}")).send();
    let metrics = String::from_utf8(get("/metrics").body).expect("UTF-8");
    for line in [
        format!("musette_witness_size{{origin=\"{ORIGIN}\"}} 5"),
        "musette_witness_requests_total{status=\"200\"} 1".into(),
        "musette_witness_requests_total{status=\"409\"} 1".into(),
        format!("musette_witness_cosigned_timestamp_seconds{{origin=\"{ORIGIN}\"}} "),
    ] {
        assert!(metrics.contains(&line), "{line} is missing in {metrics}");
    }
    assert_eq!(get("/healthz").status, 404);
}

#[test]
fn ends_at_a_signal() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut witness = TestWitness::start();
        witness.signal(signal);
        until("it ends", || witness.child.try_wait().expect("a process").is_some());
        assert!(witness.child.wait().expect("it ended").success());
    }
}

//! The program as a witness: `musette witness`.

mod anchored;
mod asked;
mod independent;
mod kills;
mod mirror;
mod pulled;
mod restored;
mod start;
mod statuses;

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::cosignature::{Cosigned, CosignerKey, cosigned};
use musette_core::log::hash::Hash;
use musette_core::log::key::Signer;
use musette_core::log::note::{Note, NoteSignature};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::request::{Answer, Request};
use crate::store::{CommandResult, program};

const ORIGIN: &str = "log.example/consents";
const NAME: &str = "council.example/witness";

/// A running witness with a data directory. It is killed at the end of the test.
struct TestWitness {
    child: Child,
    address: String,
    directory: TempDir,
}

impl TestWitness {
    fn start() -> Self {
        Self::start_in(TempDir::new().expect("a directory"), &[])
    }

    /// Starts a witness that trusts the log's key, with more arguments.
    #[track_caller]
    fn start_in(directory: TempDir, args: &[&str]) -> Self {
        let key = log().verifier().to_string();
        let mut command = command(directory.path());
        command.args(["--name", NAME, "--log", &key]).args(args);
        Self::spawn(directory, command)
    }

    #[track_caller]
    fn spawn(directory: TempDir, mut command: Command) -> Self {
        let log_path = directory.path().join("stderr.log");
        let log = File::options().create(true).append(true).open(&log_path).expect("a log");
        let mut child = command.stderr(log).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("a line");
        let Some(address) = line.trim_end().strip_prefix("musette listening on http://") else {
            let log = std::fs::read_to_string(log_path).unwrap_or_default();
            panic!("unexpected output {line:?}, log: {log}");
        };
        Self { child, address: address.to_owned(), directory }
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("witness")
    }

    fn stderr(&self) -> String {
        std::fs::read_to_string(self.directory.path().join("stderr.log")).expect("a log")
    }

    fn request(&self, method: &str, path: &str) -> Request {
        Request::new(method, format!("http://{}{path}", self.address))
    }

    fn add(&self, body: &str) -> Answer {
        self.request("POST", "/add-checkpoint").bytes(body.as_bytes()).send()
    }

    fn checkpoint(&self) -> Answer {
        self.request("GET", &checkpoint_path(ORIGIN)).send()
    }

    /// Returns the public keys as `witness keys` prints them.
    #[track_caller]
    fn keys(&self) -> Vec<CosignerKey> {
        let keys = print_keys(self.directory.path()).expect_success();
        keys.lines().map(|line| CosignerKey::parse(line).expect("a vkey")).collect()
    }

    /// Kills the process as a power cut would, and returns its directory.
    fn kill(mut self) -> TempDir {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        let directory = TempDir::new().expect("a directory");
        std::mem::replace(&mut self.directory, directory)
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        kill_process(pid.expect("a process"), signal).expect("it runs");
    }
}

impl Drop for TestWitness {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Builds the command of a witness without name and logs.
fn command(directory: &Path) -> Command {
    let mut command = program(directory);
    command.args(["witness", "--listen", "127.0.0.1:0", "--data", "witness"]);
    command
}

fn print_keys(directory: &Path) -> CommandResult {
    let output = program(directory).args(["witness", "keys", "--data", "witness"]).output();
    output.expect("it runs").into()
}

fn checkpoint_path(origin: &str) -> String {
    format!("/{}/checkpoint", musette::parts::random::sha256_hex(origin.as_bytes()))
}

fn log() -> Signer {
    Signer::from_seed(ORIGIN, &[1; 32]).expect("a key")
}

fn leaves(count: u64) -> Vec<Hash> {
    (0..count).map(|index| Hash::leaf(&index.to_be_bytes())).collect()
}

/// Returns the root of a tree (RFC 6962, section 2.1).
fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => Hash::empty_root(),
        [leaf] => *leaf,
        _ => {
            let [first, second] = halves(leaves).map(root);
            Hash::node(first, second)
        }
    }
}

/// Returns a consistency proof from `old` leaves (RFC 6962, section 2.1.2).
fn proof(old: usize, leaves: &[Hash]) -> Vec<Hash> {
    fn subproof(old: usize, leaves: &[Hash], is_known: bool) -> Vec<Hash> {
        if old == leaves.len() {
            return if is_known { Vec::new() } else { vec![root(leaves)] };
        }
        let [first, second] = halves(leaves);
        let (mut path, sibling) = if old <= first.len() {
            (subproof(old, first, is_known), second)
        } else {
            (subproof(old - first.len(), second, false), first)
        };
        path.push(root(sibling));
        path
    }
    if old == 0 { Vec::new() } else { subproof(old, leaves, true) }
}

/// Divides leaves at the largest power of two below their number.
fn halves(leaves: &[Hash]) -> [&[Hash]; 2] {
    let (first, second) = leaves.split_at(1 << (leaves.len() - 1).ilog2());
    [first, second]
}

fn text_of(leaves: &[Hash]) -> String {
    let size = leaves.len() as u64;
    Checkpoint { origin: ORIGIN.into(), size, root: root(leaves) }.to_string()
}

fn signed(text: &str) -> String {
    Note::new(text.to_owned()).expect("a text").signed_by(&log()).to_string()
}

fn body(old: usize, proof: &[Hash], note: &str) -> String {
    let proof: String = proof.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
    format!("old {old}\n{proof}\n{note}")
}

/// Returns the request of an honest log.
fn extension(old: usize, leaves: &[Hash]) -> String {
    body(old, &proof(old, leaves), &signed(&text_of(leaves)))
}

/// Checks that the lines are one valid cosignature of each key.
#[track_caller]
fn verify_cosignatures(lines: &[u8], text: &str, keys: &[CosignerKey]) {
    let lines = std::str::from_utf8(lines).expect("UTF-8");
    assert!(lines.ends_with('\n'));
    let unsigned = Note::new(text.to_owned()).expect("a text");
    let note = lines.lines().fold(unsigned, |note, line| {
        note.with_signature(NoteSignature::parse(line).expect("a signature line"))
    });
    let signers = cosigned(&note, keys).expect("they verify");
    let keys_that_signed: Vec<_> = signers.iter().map(|Cosigned { key, .. }| *key).collect();
    assert_eq!(keys_that_signed, keys.iter().collect::<Vec<_>>());
    assert!(signers.iter().all(|signer| signer.timestamp > 1_700_000_000));
}

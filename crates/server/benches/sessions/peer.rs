//! `oidc-provider`, which `bench/run` installs together with its store.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::program::processor_time;

pub struct Peer {
    child: Child,
    pub address: String,
    pub tokens: Vec<String>,
    _dir: tempfile::TempDir,
}

impl Peer {
    pub const VERSION: &'static str = "9.13.3";

    pub fn start(sessions: usize) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let dir = tempfile::tempdir().expect("a directory");
        let mut child = Command::new("node")
            .arg("bench/peers/oidc-provider.mjs")
            .arg(dir.path().join("peer.db"))
            .arg(sessions.to_string())
            .current_dir(root)
            .env("NODE_ENV", "production")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut line = || lines.next().and_then(Result::ok).expect("the peer: run it by bench/run");
        let version = line();
        assert_eq!(version, Self::VERSION, "the peer has another version");
        let address = line();
        let tokens = (0..sessions).map(|_| line()).collect();
        Self { child, address, tokens, _dir: dir }
    }

    pub fn processor_time(&self) -> Duration {
        processor_time(self.child.id())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The process belongs to this bench, and its data is not needed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

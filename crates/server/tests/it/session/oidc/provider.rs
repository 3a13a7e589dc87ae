use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::{OIDC, PUBLIC};

/// Runs `oidc-provider` on the loopback address; `make test` installs it.
pub struct Provider {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    algorithm: String,
    pub issuer: String,
}

impl Provider {
    pub fn start(algorithm: &str) -> Self {
        Self::start_at(algorithm, "0")
    }

    fn start_at(algorithm: &str, port: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let redirect = format!("{PUBLIC}{OIDC}/callback");
        let mut child = Command::new("node")
            .args(["tools/oidc/provider.mjs", &redirect, algorithm, port])
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node: run the tests by `make test`");
        let stdin = child.stdin.take().expect("a pipe");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the issuer");
        assert!(line.starts_with("http://"), "the provider does not start: is `npm ci` done?");
        let issuer = line.trim_end().to_owned();
        Self { child, stdin, stdout, algorithm: algorithm.to_owned(), issuer }
    }

    /// Restarts the provider with other keys.
    pub fn restart(self) -> Self {
        let port = self.issuer.rsplit(':').next().expect("a port").to_owned();
        let algorithm = self.algorithm.clone();
        drop(self);
        Self::start_at(&algorithm, &port)
    }

    /// Sets the user of the next sign-in, and the claims of all users.
    pub fn next(&mut self, sub: &str, people: &Value) {
        self.send(&json!({"login": sub, "people": people}));
    }

    /// Makes the next user decline.
    pub fn deny(&mut self) {
        self.send(&json!({"login": null, "people": {}}));
    }

    fn send(&mut self, command: &Value) {
        writeln!(self.stdin, "{command}").expect("it listens");
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("it answers");
        assert_eq!(line, "ok\n");
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

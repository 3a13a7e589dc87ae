//! The program with a configuration of a hundred flags, and its statistics from the operating
//! system.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub struct Served {
    child: Child,
    pub pid: u32,
    pub address: String,
    pub key: String,
    pub admin: String,
    dir: tempfile::TempDir,
}

/// Returns the flags of the comparison of engines: 40 rollouts for some countries, 20 that also
/// require an app version, 20 that are on, and 20 A/B tests for some countries.
fn configuration() -> Value {
    let when = |i: usize| match i % 5 {
        0 | 1 => json!({"attr": "country", "op": "in", "values": ["UY", "AR", "CL"]}),
        2 => json!({"all": [
            {"attr": "country", "op": "in", "values": ["UY", "AR", "CL"]},
            {"attr": "appVersion", "op": "semver_gte", "value": "7.2.0"},
            {"attr": "hoursThisWeek", "op": "gte", "value": 10}]}),
        3 => json!({"all": []}),
        _ => json!({"attr": "country", "op": "in", "values": ["UY", "AR"]}),
    };
    let serve = |i: usize| match i % 5 {
        0..=2 => json!({"rollout": {"unit": "userId", "steps": [{"percent": 50}],
            "variation": "on"}}),
        3 => json!({"variation": "on"}),
        _ => json!({"experiment": {"key": format!("test-{i}"), "unit": "userId",
            "seed": format!("seed-{i}"), "coverage": 100_000,
            "weights": {"on": 50_000, "off": 50_000}, "sticky": false, "bucketVersion": 1,
            "minBucketVersion": 0, "phase": 1, "status": "running"}}),
    };
    let flags: Vec<Value> = (0..100)
        .map(|i| {
            json!({"key": format!("flag-{i}"), "type": "boolean", "on": true,
                "salt": format!("salt-{i}"),
                "variations": [{"key": "on", "value": true}, {"key": "off", "value": false}],
                "offVariation": "off", "defaultVariation": "off", "baselineVariation": "off",
                "rules": [{"id": "r1", "when": when(i), "serve": serve(i)}]})
        })
        .collect();
    json!({"schema": "musette.flags/1", "environment": "production", "version": 0,
        "attributes": [{"name": "country", "type": "string"},
            {"name": "appVersion", "type": "semver"}, {"name": "hoursThisWeek", "type": "number"}],
        "segments": [], "layers": [], "holdouts": [], "flags": flags})
}

fn settings(command: &mut Command, dir: &Path) {
    command.env("MUSETTE_TEST", "1").env("MUSETTE_LIMITS", "off").env("MUSETTE_DATA", dir);
}

impl Served {
    pub fn start() -> Self {
        Self::start_program(env!("CARGO_BIN_EXE_musette").as_ref())
    }

    /// Starts this program or that of another version, with a new store.
    pub fn start_program(program: &OsStr) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let musette = |args: &[&str]| {
            let mut command = Command::new(program);
            settings(&mut command, dir.path());
            command.args(args);
            command
        };
        let run = |args: &[&str]| {
            let output = musette(args).output().expect("it runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).expect("text").trim().to_owned()
        };
        let file = dir.path().join("flags.json");
        std::fs::write(&file, configuration().to_string()).expect("written");
        let file = file.to_str().expect("text");
        run(&["migrate"]);
        run(&["flags", "import", file, "--env", "production"]);
        let key = run(&["key", "create", "--env", "production", "--kind", "client"]);
        run(&["user", "add", "--id", "bench-admin", "--role", "admin"]);
        let tokens: Value = serde_json::from_str(&run(&[
            "token",
            "issue",
            "--user",
            "bench-admin",
            "--access-ttl",
            "3600",
        ]))
        .expect("JSON");
        let admin = tokens["dhhToken"].as_str().expect("a token").to_owned();
        let mut child = musette(&["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("a line");
        let address = line.trim().rsplit('/').next().expect("an address").to_owned();
        Self { pid: child.id(), child, address, key, admin, dir }
    }

    /// Sets the variables for another process that serves the same store.
    pub fn settings(&self, command: &mut Command) {
        settings(command, self.dir.path());
    }

    /// Ends the program; its data remains.
    pub fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub fn memory_mb(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid));
        let status = status.expect("its statistics");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
        let kb = line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok());
        kb.unwrap_or(0.0) / 1024.0
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
        debug_assert!(self.dir.path().exists(), "the store outlives the program");
    }
}

/// Returns the user and system time of a process so far.
pub fn processor_time(pid: u32) -> Duration {
    /// USER_HZ, which is 100 on Linux on common architectures.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("its statistics");
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
    TICK * (ticks(11) + ticks(12))
}

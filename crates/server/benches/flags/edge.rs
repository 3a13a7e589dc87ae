//! The peer: Unleash's evaluating edge in its offline mode, with the same hundred flags. Only used
//! if `UNLEASH_EDGE` is the path of the program (`cargo install unleash-edge --version 19.15.1`).

use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::load::Asking;

const TOKEN: &str = "*:development.bench";

pub struct Edge {
    child: Child,
    pub asking: Asking,
    _file: tempfile::NamedTempFile,
}

fn constraint(name: &str, operator: &str, values: &[&str]) -> Value {
    json!({"contextName": name, "operator": operator, "values": values,
        "value": values.first()})
}

/// Returns the configuration of `served.rs` in the format of Unleash, with rollouts instead of A/B
/// tests.
fn configuration(count: usize) -> Value {
    let when = |i: usize| match i % 5 {
        0 | 1 => vec![constraint("country", "IN", &["UY", "AR", "CL"])],
        2 => vec![
            constraint("country", "IN", &["UY", "AR", "CL"]),
            constraint("appVersion", "SEMVER_GT", &["7.1.9"]),
            constraint("hoursThisWeek", "NUM_GTE", &["10"]),
        ],
        3 => Vec::new(),
        _ => vec![constraint("country", "IN", &["UY", "AR"])],
    };
    let flags: Vec<Value> = (0..count)
        .map(|i| {
            let rollout = if i % 5 == 3 { "100" } else { "50" };
            let name = format!("flag-{i}");
            json!({"name": name, "enabled": true, "type": "release", "strategies": [{
                "name": "flexibleRollout", "constraints": when(i),
                "parameters": {"rollout": rollout, "stickiness": "userId", "groupId": name}}]})
        })
        .collect();
    json!({"version": 2, "features": flags})
}

impl Edge {
    /// Starts the edge. None if its program is not configured.
    pub async fn start(count: usize) -> Option<Self> {
        let program = std::env::var_os("UNLEASH_EDGE")?;
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(configuration(count).to_string().as_bytes()).expect("written");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let address = format!("127.0.0.1:{}", port.expect("a port").port());
        let person = json!({"userId": "u-48213", "properties": {"country": "UY",
            "appVersion": "7.4.1", "hoursThisWeek": "23.5", "city": "Montevideo"}});
        let asking = Asking::raw("POST", &address, "/api/frontend/all", TOKEN, &person.to_string());
        let child = Self::spawn(program.as_ref(), &address, file.path());
        let edge = Self { child, asking, _file: file };
        for _ in 0..100 {
            if TcpStream::connect(&address).await.is_ok() {
                return Some(edge);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("unleash-edge does not listen");
    }

    fn spawn(program: &Path, address: &str, file: &Path) -> Child {
        let (host, port) = address.split_once(':').expect("an address");
        Command::new(program)
            .args(["--interface", host, "--port", port, "offline", "-t", TOKEN, "-b"])
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Edge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! A time-stamping authority: an HTTP server that replies with `openssl ts`, or with a hostile reply.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How the authority replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Honest,
    OtherNonce,
    OtherCheckpoint,
    Rejected,
    BrokenSignature,
    OtherMediaType,
    ServerError,
    Huge,
    Half,
    Redirect,
    Silent,
}

pub struct Tsa {
    directory: tempfile::TempDir,
    pub url: String,
    mode: Arc<Mutex<Mode>>,
    requests: Arc<AtomicUsize>,
}

#[track_caller]
pub fn openssl(directory: &Path, args: &[&str]) -> Result<(), String> {
    let output = Command::new("openssl").args(args).current_dir(directory).output();
    let output = output.expect("openssl runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(text) }
}

const SETTINGS: &str = "[tsa]\ndefault_tsa=t\n[t]\nserial=serial\nsigner_cert=tsa.pem\n\
    signer_key=tsa.key\ncerts=root.pem\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\n\
    digests=sha256\n[req]\ndistinguished_name=d\n[d]\n";

impl Tsa {
    pub fn start() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path();
        let write = |name: &str, text: &str| std::fs::write(path.join(name), text).expect("writes");
        write("serial", "01\n");
        write("tsa.cnf", SETTINGS);
        write("extensions", "basicConstraints=CA:FALSE\nextendedKeyUsage=critical,timeStamping\n");
        for line in [
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config tsa.cnf \
             -keyout root.key -out root.pem -days 30 -subj /CN=Root \
             -addext basicConstraints=critical,CA:TRUE",
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-384 -nodes -config tsa.cnf \
             -keyout tsa.key -out tsa.csr -subj /O=Larkspur/CN=Larkspur-Time",
            "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -CAcreateserial \
             -extfile extensions -days 30 -out tsa.pem",
        ] {
            let args: Vec<&str> = line.split_whitespace().collect();
            openssl(path, &args).expect("keys and certificates");
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/tsr", listener.local_addr().expect("an address"));
        let mode = Arc::new(Mutex::new(Mode::Honest));
        let requests = Arc::new(AtomicUsize::new(0));
        let (shared, counter, folder) = (Arc::clone(&mode), Arc::clone(&requests), path.to_owned());
        // Ends with the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mode = *shared.lock().expect("a mode");
                let (folder, counter) = (folder.clone(), Arc::clone(&counter));
                std::thread::spawn(move || {
                    let n = counter.fetch_add(1, Ordering::SeqCst);
                    // The client may have gone away.
                    let _ = respond(stream, mode, &folder, n);
                });
            }
        });
        Self { directory, url, mode, requests }
    }

    pub fn set(&self, mode: Mode) {
        *self.mode.lock().expect("a mode") = mode;
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Returns the file with the root certificate.
    pub fn root(&self) -> String {
        self.path("root.pem").display().to_string()
    }
}

fn read_query(stream: &TcpStream) -> std::io::Result<Vec<u8>> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line)? > 2 {
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        line.clear();
    }
    let mut query = vec![0; length];
    reader.read_exact(&mut query)?;
    Ok(query)
}

/// Creates the real reply to a query.
fn reply(folder: &Path, query: &str, n: usize) -> Vec<u8> {
    // OpenSSL updates the file of serial numbers, so that requests take turns.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().expect("a turn");
    let out = format!("r{n}");
    let args = ["ts", "-reply", "-config", "tsa.cnf", "-queryfile", query, "-out", &out];
    openssl(folder, &args).expect("a reply");
    std::fs::read(folder.join(out)).expect("a reply")
}

/// Creates a query about a hash, with another nonce.
fn other_query(folder: &Path, hash: &[u8], n: usize) -> String {
    let name = format!("other{n}");
    let digest = hex::encode(hash);
    let args = ["ts", "-query", "-sha256", "-digest", &digest, "-cert", "-out", &name];
    openssl(folder, &args).expect("a query");
    name
}

fn respond(mut stream: TcpStream, mode: Mode, folder: &Path, n: usize) -> std::io::Result<()> {
    let query = read_query(&stream)?;
    let name = format!("q{n}");
    std::fs::write(folder.join(&name), &query)?;
    // The hash follows its tag and length.
    let hash = query.windows(2).position(|tag| tag == [4, 32]).map(|at| &query[at + 2..at + 34]);
    let hash = hash.expect("a SHA-256");
    let mut body = match mode {
        Mode::OtherNonce => reply(folder, &other_query(folder, hash, n), n),
        Mode::OtherCheckpoint => reply(folder, &other_query(folder, &[7; 32], n), n),
        Mode::Rejected => vec![0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02],
        Mode::Huge => vec![0x30; 1 << 20],
        _ => reply(folder, &name, n),
    };
    if mode == Mode::BrokenSignature {
        let last = body.len() - 1;
        body[last] ^= 1;
    }
    let (status, media_type) = match mode {
        Mode::ServerError => ("500 Internal Server Error", "text/plain"),
        Mode::Redirect => ("307 Temporary Redirect", "text/plain"),
        Mode::OtherMediaType => ("200 OK", "text/html"),
        _ => ("200 OK", "application/timestamp-reply"),
    };
    if mode == Mode::Silent {
        std::thread::sleep(Duration::from_secs(60));
    }
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\
         location: /elsewhere\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    let length = if mode == Mode::Half { body.len() / 2 } else { body.len() };
    stream.write_all(&body[..length])
}

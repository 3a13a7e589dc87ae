//! The limit: a bare hyper server, which reads the same requests and returns the same bytes.

use std::convert::Infallible;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;

use super::load::Answer;

/// The server in a separate process, like the program.
pub struct Bare {
    child: Child,
    pub address: String,
    _file: tempfile::NamedTempFile,
}

impl Bare {
    /// Starts it like hyper's examples, on a work-stealing runtime.
    pub fn start(answer: &Answer) -> Self {
        Self::start_as(answer, "shared")
    }

    /// Starts it like the program, in which each connection stays on one thread.
    pub fn start_alike(answer: &Answer) -> Self {
        Self::start_as(answer, "threads")
    }

    fn start_as(answer: &Answer, arrangement: &str) -> Self {
        let file = file(answer);
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        settings(&mut command, file.path(), arrangement);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("a line");
        Self { child, address: line.trim().to_owned(), _file: file }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes the response to a file, for a process that returns it to all requests.
pub fn file(answer: &Answer) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let mut bytes = answer.head.clone().into_bytes();
    bytes.extend(&answer.body);
    std::fs::write(file.path(), bytes).expect("written");
    file
}

/// Sets the variables that make this program such a process.
pub fn settings(command: &mut Command, answer: &Path, arrangement: &str) {
    command.env("BENCH_BARE", answer).env("BENCH_BARE_ON", arrangement);
}

pub fn serve(file: &Path) {
    let answer = std::fs::read(file).expect("the answer");
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a head") + 4;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    // All work that does not depend on the request is done in advance.
    let body = Bytes::from_static(answer[end..].to_vec().leak());
    let headers: &[(HeaderName, HeaderValue)] = String::leak(head)
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| !matches!(*name, "date" | "content-length"))
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
        .collect::<Vec<_>>()
        .leak();
    let threads = match std::env::var("BENCH_BARE_ON").as_deref() {
        Ok("threads") => (0..processors()).map(|_| thread()).collect(),
        _ => Vec::new(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async move {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("{}", listener.local_addr().expect("an address"));
        for number in 0.. {
            let (stream, _) = listener.accept().await.expect("accepts");
            stream.set_nodelay(true).expect("a socket option");
            let stream = stream.into_std().expect("a stream");
            let connection = connection(stream, headers, body.clone());
            match threads.get(number % threads.len().max(1)) {
                Some(thread) => thread.spawn(connection),
                None => tokio::spawn(connection),
            };
        }
    });
}

async fn connection(
    stream: std::net::TcpStream,
    headers: &'static [(HeaderName, HeaderValue)],
    body: Bytes,
) {
    let stream = TcpStream::from_std(stream).expect("a stream");
    let service = service_fn(move |request: Request<Incoming>| {
        let mut answer = Response::new(Full::new(body.clone()));
        answer.headers_mut().extend(headers.iter().cloned());
        async move {
            drop(request.into_body().collect().await);
            Ok::<_, Infallible>(answer)
        }
    });
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn thread() -> Handle {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let handle = runtime.handle().clone();
    std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
    handle
}

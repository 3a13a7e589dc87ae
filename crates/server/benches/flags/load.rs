//! Closed-loop load over keep-alive connections: each sends its next request after a response.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::served::processor_time;

/// A request that is sent repeatedly.
#[derive(Clone)]
pub struct Asking {
    address: String,
    bytes: Vec<u8>,
}

pub struct Answer {
    pub head: String,
    pub body: Vec<u8>,
}

const PERSON: &str = r#""key":"device-7f3a","userId":"u-48213","email":"rider@example.com","country":"UY","appVersion":"7.4.1","hoursThisWeek":23.5,"city":"Montevideo","vehicle":"bicycle","pro":true,"zoneIds":["mvd-3","mvd-7"]"#;

impl Asking {
    /// Evaluates the first `count` flags for a client.
    pub fn features(address: &str, key: &str, count: usize) -> Self {
        let keys: Vec<String> = (0..count).map(|i| format!("\"flag-{i}\"")).collect();
        let body = format!("{{{PERSON},\"featureList\":[{}]}}", keys.join(","));
        Self::put(address, "/api/flags/v3/features", key, &body)
    }

    pub fn put(address: &str, path: &str, key: &str, body: &str) -> Self {
        Self::with("PUT", address, path, key, body)
    }

    pub fn with(method: &str, address: &str, path: &str, key: &str, body: &str) -> Self {
        Self::raw(method, address, path, &format!("Bearer {key}"), body)
    }

    pub fn raw(method: &str, address: &str, path: &str, credentials: &str, body: &str) -> Self {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {credentials}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        Self { address: address.to_owned(), bytes: request.into_bytes() }
    }

    pub fn at(&self, address: &str) -> Self {
        Self { address: address.to_owned(), bytes: self.bytes.clone() }
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub async fn once(&self) -> Answer {
        let mut connection = Connection::open(&self.address).await;
        connection.exchange(&self.bytes).await;
        connection.response()
    }
}

/// A connection, with the last response.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    head: usize,
    filled: usize,
}

impl Connection {
    pub async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.expect("connects");
        stream.set_nodelay(true).expect("a socket option");
        Self { stream, buffer: vec![0; 64 * 1024], head: 0, filled: 0 }
    }

    /// Sends a request, and reads the whole response.
    pub async fn exchange(&mut self, request: &[u8]) {
        self.stream.write_all(request).await.expect("sends");
        self.filled = 0;
        let mut expected = None;
        while expected.is_none_or(|expected| self.filled < expected) {
            if self.filled == self.buffer.len() {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
            let more = self.stream.read(&mut self.buffer[self.filled..]).await.expect("reads");
            assert!(more > 0, "the server closed the connection");
            self.filled += more;
            if expected.is_none() {
                expected = self.whole();
            }
        }
    }

    /// Returns the length of head and body once the head is complete.
    fn whole(&mut self) -> Option<usize> {
        let read = &self.buffer[..self.filled];
        let end = read.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&read[..end]).expect("text");
        assert!(head[9..].starts_with('2'), "{}", String::from_utf8_lossy(read));
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().ok())?
        });
        self.head = end + 4;
        Some(self.head + length.unwrap_or(0))
    }

    pub fn response(&self) -> Answer {
        let head = String::from_utf8_lossy(&self.buffer[..self.head]).into_owned();
        Answer { head, body: self.buffer[self.head..self.filled].to_vec() }
    }
}

pub struct Load {
    /// Sorted latencies.
    latencies: Vec<Duration>,
    took: Duration,
    processor: Duration,
}

impl Load {
    pub async fn run(asking: &Asking, connections: usize, time: Duration, pid: u32) -> Self {
        let mut open = Vec::new();
        for _ in 0..connections {
            open.push(Connection::open(&asking.address).await);
        }
        let before = processor_time(pid);
        let started = Instant::now();
        let until = started + time;
        let tasks: Vec<_> = open
            .into_iter()
            .map(|mut connection| {
                let bytes = asking.bytes.clone();
                tokio::spawn(async move {
                    let mut latencies = Vec::new();
                    while Instant::now() < until {
                        let sent_at = Instant::now();
                        connection.exchange(&bytes).await;
                        latencies.push(sent_at.elapsed());
                    }
                    latencies
                })
            })
            .collect();
        let mut latencies = Vec::new();
        for task in tasks {
            latencies.extend(task.await.expect("a connection that lasts"));
        }
        let took = started.elapsed();
        latencies.sort();
        Self { latencies, took, processor: processor_time(pid) - before }
    }

    /// Returns the load with the median rate.
    pub fn median(mut rounds: Vec<Self>) -> Self {
        rounds.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
        rounds.swap_remove(rounds.len() / 2)
    }

    pub fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.took.as_secs_f64()
    }

    pub fn percentile_ms(&self, part: f64) -> f64 {
        let index = (self.latencies.len() as f64 * part) as usize;
        let latency = self.latencies.get(index).or(self.latencies.last());
        latency.map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
    }

    pub fn processor_us(&self) -> f64 {
        self.processor.as_secs_f64() * 1e6 / self.latencies.len().max(1) as f64
    }
}

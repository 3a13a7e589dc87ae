//! Closed-loop load over keep-alive connections: each sends its next request after a response.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::program::Program;

pub struct Load {
    /// Sorted latencies.
    latencies: Vec<Duration>,
    took: Duration,
    processor: Duration,
}

static KEYS: AtomicU64 = AtomicU64::new(0);

fn submission(address: &str, accepted: &[bool]) -> String {
    let decisions: Vec<_> = (1..).zip(accepted).map(|(term, accepted)| format!(r#"{{"accepted":{accepted},"terms_and_conditions_id":{term},"consented_at":"2026-01-02T09:30:00.000Z"}}"#)).collect();
    let body =
        format!(r#"{{"user_id":"","user_type":"APPLICANT","consents":[{}]}}"#, decisions.join(","));
    let key = KEYS.fetch_add(1, Ordering::Relaxed);
    format!(
        "POST /api/rooster/v3/terms/consents HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept-Language: en\r\nIdempotency-Key: bench-{key:024}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

impl Load {
    /// Measures submissions with a decision on each of the first terms.
    pub async fn submissions(
        program: &Program,
        accepted: &'static [bool],
        connections: usize,
        time: Duration,
    ) -> Self {
        let request = |address: &str| submission(address, accepted);
        Self::run(program, connections, time, Arc::new(request), "201").await
    }

    pub async fn reads(program: &Program, path: &str, connections: usize, time: Duration) -> Self {
        let path = path.to_owned();
        let request = move |address: &str| {
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept-Language: en\r\n\r\n")
        };
        Self::run(program, connections, time, Arc::new(request), "200").await
    }

    async fn run(
        program: &Program,
        connections: usize,
        time: Duration,
        request: Arc<dyn Fn(&str) -> String + Send + Sync>,
        status: &'static str,
    ) -> Self {
        let one = |_| {
            let (address, request) = (program.address.clone(), Arc::clone(&request));
            move |until| connection(address, until, request, status)
        };
        Self::of(connections, time, || program.processor_time(), one).await
    }

    /// Runs a task for each connection until the time has passed; each returns the latencies of its
    /// responses.
    pub async fn of<C, F>(
        connections: usize,
        time: Duration,
        processor: impl Fn() -> Duration,
        one: impl Fn(usize) -> C,
    ) -> Self
    where
        C: FnOnce(Instant) -> F,
        F: Future<Output = Vec<Duration>> + Send + 'static,
    {
        let processor_before = processor();
        let started = Instant::now();
        let until = started + time;
        let tasks: Vec<_> = (0..connections).map(|i| tokio::spawn(one(i)(until))).collect();
        let mut latencies = Vec::new();
        for task in tasks {
            latencies.extend(task.await.expect("a connection that lasts"));
        }
        let took = started.elapsed();
        latencies.sort();
        Self { latencies, took, processor: processor() - processor_before }
    }

    pub fn requests(&self) -> usize {
        self.latencies.len()
    }

    pub fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.took.as_secs_f64()
    }

    pub fn percentile_ms(&self, part: f64) -> f64 {
        let index = (self.latencies.len() as f64 * part) as usize;
        let latency = self.latencies.get(index).or(self.latencies.last());
        latency.map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
    }

    /// Processor time of the server per request.
    pub fn processor_ms(&self) -> f64 {
        self.processor.as_secs_f64() * 1000.0 / self.latencies.len() as f64
    }
}

async fn connection(
    address: String,
    until: Instant,
    request: Arc<dyn Fn(&str) -> String + Send + Sync>,
    status: &'static str,
) -> Vec<Duration> {
    let mut stream = TcpStream::connect(&address).await.expect("connects");
    stream.set_nodelay(true).expect("a socket option");
    let mut latencies = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    while Instant::now() < until {
        let text = request(&address);
        let sent_at = Instant::now();
        stream.write_all(text.as_bytes()).await.expect("sends");
        let response = answer(&mut stream, &mut buffer).await;
        assert!(response[9..].starts_with(status), "{response}");
        latencies.push(sent_at.elapsed());
    }
    latencies
}

pub async fn answer<'b>(stream: &mut TcpStream, buffer: &'b mut [u8]) -> &'b str {
    let mut read = 0;
    loop {
        let more = stream.read(&mut buffer[read..]).await.expect("reads");
        assert!(more > 0, "the server closed the connection");
        read += more;
        let text = std::str::from_utf8(&buffer[..read]).expect("text");
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().ok())?
        });
        if body.len() >= length.unwrap_or(0) {
            break;
        }
    }
    std::str::from_utf8(&buffer[..read]).expect("text")
}

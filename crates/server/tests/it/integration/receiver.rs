//! A local receiver of webhooks whose replies a test sets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

/// Long enough for a lease to expire after a crash, and for a busy machine.
pub const WITHIN: Duration = Duration::from_secs(60);

/// How the receiver replies to a message.
#[derive(Debug, Clone)]
pub enum Reply {
    Status(u16),
    /// This status, with another address.
    Redirect(u16, String),
    /// The connection stays open without a response.
    Never,
}

/// A message as it arrived.
pub struct Message {
    /// The request line and the headers.
    head: Vec<String>,
    pub body: String,
    pub bytes: Vec<u8>,
}

impl Message {
    pub fn header(&self, name: &str) -> &str {
        self.maybe_header(name).expect("a header")
    }

    pub fn maybe_header(&self, name: &str) -> Option<&str> {
        self.head.iter().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    /// The path of the request.
    pub fn path(&self) -> &str {
        self.head[0].split(' ').nth(1).expect("a request line")
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

pub struct Receiver {
    pub url: String,
    messages: mpsc::Receiver<Message>,
    reply: Arc<Mutex<Reply>>,
}

impl Receiver {
    pub fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let (arrived, messages) = mpsc::channel();
        let reply = Arc::new(Mutex::new(reply));
        let replies = Arc::clone(&reply);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (arrived, reply) = (arrived.clone(), Arc::clone(&replies));
                let stream = stream.expect("a connection");
                // The sender may be killed in the middle of a message.
                std::thread::spawn(move || drop(receive(stream, &arrived, &reply)));
            }
        });
        Self { url, messages, reply }
    }

    /// Sets the reply for the following messages.
    pub fn reply(&self, reply: Reply) {
        *self.reply.lock().expect("no panic") = reply;
    }

    #[track_caller]
    pub fn next(&self) -> Message {
        self.messages.recv_timeout(WITHIN).expect("a message")
    }

    /// Returns how many messages arrived that the test has not read.
    pub fn unread(&self) -> usize {
        self.messages.try_iter().count()
    }
}

/// Receives the messages of a connection, one after the other.
fn receive(
    stream: TcpStream,
    arrived: &Sender<Message>,
    reply: &Mutex<Reply>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let Some(message) = read(&mut reader)? else { return Ok(()) };
        let reply = reply.lock().expect("no panic").clone();
        // A test that has ended no longer receives the message.
        let _ = arrived.send(message);
        let answer = match reply {
            Reply::Status(status) => format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n"),
            Reply::Redirect(status, to) => {
                format!("HTTP/1.1 {status} X\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n")
            }
            Reply::Never => return reader.read_to_end(&mut Vec::new()).map(drop),
        };
        reader.get_mut().write_all(answer.as_bytes())?;
    }
}

/// Reads the next message; none if the sender has closed the connection.
fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Message>> {
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if line == "\r\n" {
            break;
        }
        head.push(line);
    }
    let mut message = Message { head, body: String::new(), bytes: Vec::new() };
    let length: usize = message.header("content-length").parse().expect("a length");
    message.bytes = vec![0; length];
    reader.read_exact(&mut message.bytes)?;
    // Not every body is text.
    message.body = String::from_utf8_lossy(&message.bytes).into_owned();
    Ok(Some(message))
}

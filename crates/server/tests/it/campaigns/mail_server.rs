//! A local mail server whose replies a test sets.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Long enough for a lease to expire after a crash, and for a busy machine.
const WITHIN: Duration = Duration::from_secs(60);

/// How the server replies to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Accept,
    /// This reply to the recipient.
    Refuse(&'static str),
    /// The server takes the message and closes the connection without a reply.
    Close,
    /// The server takes the message and never replies.
    Never,
}

/// A message as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    pub recipient: String,
    /// Header and body with `\r\n`. Empty if the recipient was refused.
    pub text: String,
}

impl Mail {
    /// Returns the first field of this name, without its folds.
    pub fn header(&self, name: &str) -> Option<String> {
        let (head, _) = self.text.split_once("\r\n\r\n")?;
        let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }

    /// Returns the `Message-ID` without its brackets.
    pub fn message_id(&self) -> String {
        let id = self.header("message-id").expect("a Message-ID");
        id.trim_start_matches('<').trim_end_matches('>').to_owned()
    }
}

pub struct MailServer {
    /// `smtp://HOST:PORT`.
    pub url: String,
    mails: mpsc::Receiver<Mail>,
    reply: Arc<Mutex<Reply>>,
}

impl MailServer {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let (arrived, mails) = mpsc::channel();
        let reply = Arc::new(Mutex::new(Reply::Accept));
        let replies = Arc::clone(&reply);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (arrived, reply) = (arrived.clone(), Arc::clone(&replies));
                let stream = stream.expect("a connection");
                // The sender may be killed in the middle of a message.
                std::thread::spawn(move || drop(serve(stream, &arrived, &reply)));
            }
        });
        Self { url, mails, reply }
    }

    /// Sets the reply to the following messages.
    pub fn reply(&self, reply: Reply) {
        *self.reply.lock().expect("no panic") = reply;
    }

    #[track_caller]
    pub fn next(&self) -> Mail {
        self.mails.recv_timeout(WITHIN).expect("an e-mail")
    }

    /// Returns the messages that arrived and that the test has not read.
    pub fn unread(&self) -> Vec<Mail> {
        self.mails.try_iter().collect()
    }
}

fn serve(stream: TcpStream, arrived: &Sender<Mail>, reply: &Mutex<Reply>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    reader.get_mut().write_all(b"220 mail.example ESMTP\r\n")?;
    let mut recipient = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let current = reply.lock().expect("no panic").clone();
        let command = line.trim_end().to_ascii_uppercase();
        let answer = match command.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" | "HELO" => "250-mail.example\r\n250 ENHANCEDSTATUSCODES",
            "RCPT" => {
                recipient = line.trim_end().trim_start_matches("RCPT TO:<").to_owned();
                recipient.truncate(recipient.find('>').unwrap_or(recipient.len()));
                match current {
                    Reply::Refuse(text) => {
                        let mail = Mail { recipient: recipient.clone(), text: String::new() };
                        // A test that has ended no longer receives the message.
                        let _ = arrived.send(mail);
                        text
                    }
                    _ => "250 2.1.5 ok",
                }
            }
            "DATA" => {
                reader.get_mut().write_all(b"354 go on\r\n")?;
                let text = read_text(&mut reader)?;
                let _ = arrived.send(Mail { recipient: recipient.clone(), text });
                match current {
                    Reply::Close => return Ok(()),
                    Reply::Never => return reader.read_line(&mut String::new()).map(drop),
                    _ => "250 2.0.0 queued",
                }
            }
            "QUIT" => {
                reader.get_mut().write_all(b"221 bye\r\n")?;
                return Ok(());
            }
            _ => "250 2.0.0 ok",
        };
        reader.get_mut().write_all(format!("{answer}\r\n").as_bytes())?;
    }
}

fn read_text(reader: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == ".\r\n" {
            return Ok(text);
        }
        text.push_str(&line);
    }
}

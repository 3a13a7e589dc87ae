//! The answer is lost on the wire, between a server that has committed and a phone that waits.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use serde_json::json;

use super::{Tokens, V1, issue, me, refresh, refresh_request, refreshed, soon};
use crate::app::TestApp;
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(an_answer_that_is_lost_on_the_wire_logs_nobody_out);

/// How much of an answer comes through.
#[derive(Clone, Copy, PartialEq)]
enum Lets {
    Nothing,
    /// The head, and some of the body.
    Half,
    All,
}

/// A proxy that reads the whole answer of the server, and passes on as much as it lets through: one
/// connection after the other.
fn proxy(to: &str, lets: Vec<Lets>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let to = to.to_owned();
    std::thread::spawn(move || {
        for lets in lets {
            let (client, _) = listener.accept().expect("a connection");
            pass(client, &to, lets);
        }
    });
    address
}

fn pass(mut client: TcpStream, to: &str, lets: Lets) {
    let mut server = TcpStream::connect(to).expect("the server");
    let mut way_there = client.try_clone().expect("a socket");
    let mut inwards = server.try_clone().expect("a socket");
    let forward = std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = way_there.read(&mut buffer) {
            if inwards.write_all(&buffer[..read]).is_err() {
                break;
            }
        }
    });
    server.set_read_timeout(Some(Duration::from_secs(10))).expect("a socket option");
    let answer = whole_answer(&mut server);
    assert!(answer.starts_with(b"HTTP/1.1 "), "the server answered");
    let through = match lets {
        Lets::Nothing => 0,
        Lets::Half => answer.len() - 100,
        Lets::All => answer.len(),
    };
    // The client may have gone.
    let _ = client.write_all(&answer[..through]);
    let _ = client.shutdown(std::net::Shutdown::Both);
    let _ = server.shutdown(std::net::Shutdown::Both);
    forward.join().expect("it ends");
}

fn whole_answer(server: &mut TcpStream) -> Vec<u8> {
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let read = server.read(&mut buffer).expect("an answer");
        answer.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.and_then(|it| it.parse().ok()).expect("a length");
        if body.len() >= length || read == 0 {
            return answer;
        }
    }
}

fn an_answer_that_is_lost_on_the_wire_logs_nobody_out(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let through = proxy(&app.address, vec![Lets::Nothing, Lets::Half, Lets::Nothing, Lets::All]);
    let ask = || {
        Request::new("POST", format!("http://{through}{V1}/refresh"))
            .header("x-musette-instance", "phone")
            .json(&json!({"refresh_token": first.refresh}))
    };
    for _ in 0..3 {
        assert!(ask().try_send().is_err(), "the answer came through");
    }
    let next = Tokens::of(&ask().gives(200).json());
    // One live branch: whoever asks gets the same successor.
    assert_eq!(refreshed(&app, &first.refresh).refresh, next.refresh);
    me(&app, &next.access).gives(200);
    let after = refreshed(&app, &next.refresh);
    // Once the successor was used, the lost one is somebody else's.
    refresh_request(&app, &first.refresh).refused(401, "refresh_token_reused");
    refresh(&app, &after.refresh).refused(401, "session_ended");
    me(&app, &after.access).refused(401, "unauthenticated");
}

/// A primary that was cut off goes on as a standby, and shows a rotation that no other machine has. Who was given its
/// token again would be signed out by the new primary, which does not know it.
#[test]
fn a_token_is_not_given_again_by_what_takes_no_writes() {
    let app = TestApp::serve(TestStore::new(Engine::Postgres).with_rider("r1"));
    let first = issue(&app, "r1");
    let next = refreshed(&app, &first.refresh);
    app.store().take_writes(false);
    refresh(&app, &first.refresh).refused(503, "unavailable");
    app.store().take_writes(true);
    let again = soon("it is answered again", || {
        let answer = refresh(&app, &first.refresh).send();
        (answer.status == 200).then(|| Tokens::of(&answer.json()))
    });
    assert_eq!(again.refresh, next.refresh);
}

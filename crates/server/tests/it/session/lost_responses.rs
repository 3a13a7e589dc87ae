//! The response is lost between a server that has committed and a waiting phone.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use serde_json::json;

use super::{Tokens, V1, issue, me, refresh, refresh_request, refreshed, soon};
use crate::app::TestApp;
use crate::request::Request;
use crate::store::{Engine, TestStore};

on_both!(a_lost_response_signs_no_user_out);

/// How much of a response the proxy forwards.
#[derive(Clone, Copy, PartialEq)]
enum Forward {
    Nothing,
    /// The head, and part of the body.
    Half,
    All,
}

/// A proxy that reads the whole response of the server and forwards part of it. It handles one
/// connection after the other.
fn proxy(to: &str, parts: Vec<Forward>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let to = to.to_owned();
    std::thread::spawn(move || {
        for part in parts {
            let (client, _) = listener.accept().expect("a connection");
            pass(client, &to, part);
        }
    });
    address
}

fn pass(mut client: TcpStream, to: &str, forward: Forward) {
    let mut server = TcpStream::connect(to).expect("the server");
    let mut from_client = client.try_clone().expect("a socket");
    let mut to_server = server.try_clone().expect("a socket");
    let upload = std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = from_client.read(&mut buffer) {
            if to_server.write_all(&buffer[..read]).is_err() {
                break;
            }
        }
    });
    server.set_read_timeout(Some(Duration::from_secs(10))).expect("a socket option");
    let answer = whole_answer(&mut server);
    assert!(answer.starts_with(b"HTTP/1.1 "), "the server answered");
    let through = match forward {
        Forward::Nothing => 0,
        Forward::Half => answer.len() - 100,
        Forward::All => answer.len(),
    };
    // The client may have disconnected.
    let _ = client.write_all(&answer[..through]);
    let _ = client.shutdown(std::net::Shutdown::Both);
    let _ = server.shutdown(std::net::Shutdown::Both);
    upload.join().expect("it ends");
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
        let length: usize = length.and_then(|text| text.parse().ok()).expect("a length");
        if body.len() >= length || read == 0 {
            return answer;
        }
    }
}

fn a_lost_response_signs_no_user_out(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let first = issue(&app, "r1");
    let through =
        proxy(&app.address, vec![Forward::Nothing, Forward::Half, Forward::Nothing, Forward::All]);
    let ask = || {
        Request::new("POST", format!("http://{through}{V1}/refresh"))
            .header("x-musette-instance", "phone")
            .json(&json!({"refresh_token": first.refresh}))
    };
    for _ in 0..3 {
        assert!(ask().try_send().is_err(), "the answer came through");
    }
    let next = Tokens::of(&ask().gives(200).json());
    // There is one live branch: every request gets the same successor.
    assert_eq!(refreshed(&app, &first.refresh).refresh, next.refresh);
    me(&app, &next.access).gives(200);
    let after = refreshed(&app, &next.refresh);
    // After the successor was used, the lost token counts as stolen.
    refresh_request(&app, &first.refresh).refused(401, "refresh_token_reused");
    refresh(&app, &after.refresh).refused(401, "session_ended");
    me(&app, &after.access).refused(401, "unauthenticated");
}

/// A primary that was cut off continues as a standby and has a rotation that no other machine has.
/// If it returned that token again, the new primary, which does not have it, would sign the user
/// out.
#[test]
fn a_read_only_database_does_not_return_a_token_again() {
    let app = TestApp::serve(TestStore::new(Engine::Postgres).with_rider("r1"));
    let first = issue(&app, "r1");
    let next = refreshed(&app, &first.refresh);
    app.store().set_writable(false);
    refresh(&app, &first.refresh).refused(503, "unavailable");
    app.store().set_writable(true);
    let again = soon("it is answered again", || {
        let answer = refresh(&app, &first.refresh).send();
        (answer.status == 200).then(|| Tokens::of(&answer.json()))
    });
    assert_eq!(again.refresh, next.refresh);
}

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::Screened;
use crate::serving::head::{REFUSED, Refusal};

/// The bytes that hyper would read from these pieces, sent one after the other.
async fn handed_on(pieces: &[&[u8]]) -> Vec<u8> {
    let (mut peer, ours) = tokio::io::duplex(1 << 20);
    let mut screened = Screened::new(ours);
    let mut read = Vec::new();
    let mut bytes = [0; 4096];
    for piece in pieces {
        peer.write_all(piece).await.expect("there is room");
        // Read all that is ready.
        loop {
            let next = std::pin::pin!(screened.read(&mut bytes));
            match futures_util::future::poll_immediate(next).await {
                Some(Ok(0)) | None => break,
                Some(Ok(count)) => read.extend_from_slice(&bytes[..count]),
                Some(Err(error)) => panic!("{error}"),
            }
        }
    }
    read
}

const GOOD: &str = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n\
    PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello\
    POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n\
    GET /d HTTP/1.1\r\nHost: a\r\n\r\n";

#[tokio::test]
async fn what_is_clear_goes_through_however_it_comes() {
    for step in [1, 2, 7, 50, 4096] {
        let pieces: Vec<_> = GOOD.as_bytes().chunks(step).collect();
        assert_eq!(handed_on(&pieces).await, GOOD.as_bytes(), "by {step}");
    }
}

#[tokio::test]
async fn a_refusal_comes_in_its_turn_and_nothing_after_it() {
    let bad = "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
    let sent = format!("{GOOD}{bad}{GOOD}");
    let told = String::from_utf8(Refusal::Host.request()).expect("text");
    for step in [1, 2, 7, 50, 4096] {
        let pieces: Vec<_> = sent.as_bytes().chunks(step).collect();
        let read = String::from_utf8(handed_on(&pieces).await).expect("text");
        assert_eq!(read, format!("{GOOD}{told}"), "by {step}");
    }
}

#[tokio::test]
async fn half_a_head_is_kept_back() {
    let half = b"GET /a HTTP/1.1\r\nHost: a\r\n";
    assert_eq!(handed_on(&[half]).await, b"");
    assert_eq!(handed_on(&[half, b"\r\n"]).await, [&half[..], b"\r\n"].concat());
    let long = vec![b'x'; 70_000];
    let told = handed_on(&[half, b"X: ", &long]).await;
    assert_eq!(told, Refusal::TooLong.request());
}

#[tokio::test]
async fn after_a_broken_chunk_nothing_is_read() {
    let head = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    let sent = format!("{head}3\r\nabcX\r\n0\r\n\r\n{GOOD}");
    let read = String::from_utf8(handed_on(&[sent.as_bytes()]).await).expect("text");
    assert_eq!(read, head);
    let read = String::from_utf8(handed_on(&[head.as_bytes(), b"3\r\nabc", b"\n0"]).await);
    assert_eq!(read.expect("text"), format!("{head}3\r\nabc"));
}

/// Whatever bytes come, what hyper is given is made of requests that were taken and at most one that
/// says why there are no more.
#[tokio::test]
async fn any_bytes_at_all() {
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    let odd = [0_u8, b'\n', b'\r', b' ', b'\t', b':', b';', 0x7f, 0xff, b'0', b'f', b'H'];
    for _ in 0..3_000 {
        let mut sent = GOOD.as_bytes().to_vec();
        for _ in 0..=random(4) {
            let at = random(sent.len());
            match random(3) {
                0 => sent[at] = odd[random(odd.len())],
                1 => sent.insert(at, odd[random(odd.len())]),
                _ => drop(sent.remove(at)),
            }
        }
        let step = 1 + random(64);
        let pieces: Vec<_> = sent.chunks(step).collect();
        let read = handed_on(&pieces).await;
        let told = read.windows(REFUSED.len()).position(|it| it == REFUSED.as_bytes());
        let (taken, rest) = read.split_at(told.unwrap_or(read.len()));
        assert!(sent.starts_with(taken), "it was changed: {sent:?}");
        assert!(rest.is_empty() || rest.ends_with(b" HTTP/1.1\r\nhost: -\r\n\r\n"));
    }
}

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::Screened;
use crate::http::serving::head::{HeadError, REFUSED};

/// Returns the bytes that hyper reads if these pieces are input one after the other.
async fn screen(pieces: &[&[u8]]) -> Vec<u8> {
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
async fn passes_on_unambiguous_requests_for_any_split_of_the_bytes() {
    for step in [1, 2, 7, 50, 4096] {
        let pieces: Vec<_> = GOOD.as_bytes().chunks(step).collect();
        assert_eq!(screen(&pieces).await, GOOD.as_bytes(), "by {step}");
    }
}

#[tokio::test]
async fn rejects_in_the_order_of_the_requests_and_reads_nothing_after_it() {
    let bad = "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
    let input = format!("{GOOD}{bad}{GOOD}");
    let substitute = String::from_utf8(HeadError::Host.request()).expect("text");
    for step in [1, 2, 7, 50, 4096] {
        let pieces: Vec<_> = input.as_bytes().chunks(step).collect();
        let read = String::from_utf8(screen(&pieces).await).expect("text");
        assert_eq!(read, format!("{GOOD}{substitute}"), "by {step}");
    }
}

#[tokio::test]
async fn holds_back_an_incomplete_head() {
    let half = b"GET /a HTTP/1.1\r\nHost: a\r\n";
    assert_eq!(screen(&[half]).await, b"");
    assert_eq!(screen(&[half, b"\r\n"]).await, [&half[..], b"\r\n"].concat());
    let long = vec![b'x'; 70_000];
    let substitute = screen(&[half, b"X: ", &long]).await;
    assert_eq!(substitute, HeadError::TooLong.request());
}

#[tokio::test]
async fn reads_nothing_after_a_malformed_chunk() {
    let head = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    let input = format!("{head}3\r\nabcX\r\n0\r\n\r\n{GOOD}");
    let read = String::from_utf8(screen(&[input.as_bytes()]).await).expect("text");
    assert_eq!(read, head);
    let read = String::from_utf8(screen(&[head.as_bytes(), b"3\r\nabc", b"\n0"]).await);
    assert_eq!(read.expect("text"), format!("{head}3\r\nabc"));
}

/// For any bytes, hyper reads only requests that were accepted and at most one substitute request
/// after them.
#[tokio::test]
async fn passes_on_only_accepted_requests_for_random_bytes() {
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    let odd = [0_u8, b'\n', b'\r', b' ', b'\t', b':', b';', 0x7f, 0xff, b'0', b'f', b'H'];
    for _ in 0..3_000 {
        let mut input = GOOD.as_bytes().to_vec();
        for _ in 0..=random(4) {
            let at = random(input.len());
            match random(3) {
                0 => input[at] = odd[random(odd.len())],
                1 => input.insert(at, odd[random(odd.len())]),
                _ => drop(input.remove(at)),
            }
        }
        let step = 1 + random(64);
        let pieces: Vec<_> = input.chunks(step).collect();
        let read = screen(&pieces).await;
        let substitute =
            read.windows(REFUSED.len()).position(|window| window == REFUSED.as_bytes());
        let (accepted, rest) = read.split_at(substitute.unwrap_or(read.len()));
        assert!(input.starts_with(accepted), "bytes were changed: {input:?}");
        assert!(rest.is_empty() || rest.ends_with(b" HTTP/1.1\r\nhost: -\r\n\r\n"));
    }
}

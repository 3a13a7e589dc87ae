//! Decides whether the head of a request may be passed to hyper.
//!
//! hyper is more lenient than RFC 9112 §11.2 demands of a server behind a proxy. With both
//! `Content-Length` and `Transfer-Encoding` it uses the latter. It merges equal lengths, accepts a
//! bare LF as the end of a line, and any number of `Host` headers. Request smuggling exploits two
//! programs that interpret one request differently, so this module rejects every ambiguous request.
//! It also rejects requests that hyper would reject, because hyper answers them without a body and
//! a request ID. It does so with hyper's parser in the same configuration.

mod plain;

use std::mem::MaybeUninit;

use axum::http::{StatusCode, Uri};
use httparse::{Header, Request, Status};

/// No official client sends a longer head; the limit of hyper is higher.
pub const HEAD_BYTES_MAX: usize = 64 * 1024;
/// The limit of hyper is the same.
const HEADERS_MAX: usize = 100;
const TARGET_BYTES_MAX: usize = 16 * 1024;
/// The digits of an exact JSON number, which is more than a petabyte.
const LENGTH_DIGITS_MAX: usize = 15;
/// The method of the substitute request that passes an error to the service; clients must not use
/// it.
pub const REFUSED: &str = "MUSETTE-REFUSED";

/// A complete and unambiguous head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub bytes: usize,
    pub body: Framing,
}

/// How the end of the body is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    Length(u64),
    Chunked,
}

/// The reason why a request is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum HeadError {
    Syntax,
    BareLineFeed,
    Host,
    BodyLength,
    Target,
    TargetTooLong,
    TooLong,
}

impl HeadError {
    const ALL: [Self; 7] = [
        Self::Syntax,
        Self::BareLineFeed,
        Self::Host,
        Self::BodyLength,
        Self::Target,
        Self::TargetTooLong,
        Self::TooLong,
    ];

    /// Returns the substitute request that hyper reads instead of the rejected one.
    pub fn request(self) -> Vec<u8> {
        format!("{REFUSED} /{} HTTP/1.1\r\nhost: -\r\n\r\n", self as u8).into_bytes()
    }

    /// Returns the error that a substitute request represents.
    pub fn of_request(path: &str) -> Self {
        let number: Option<usize> = path.trim_start_matches('/').parse().ok();
        number.and_then(|number| Self::ALL.get(number)).copied().unwrap_or(Self::Syntax)
    }

    pub fn status(self) -> StatusCode {
        match self {
            Self::TargetTooLong => StatusCode::URI_TOO_LONG,
            Self::TooLong => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::TargetTooLong => "uri_too_long",
            Self::TooLong => "headers_too_large",
            _ => "malformed_request",
        }
    }

    pub fn detail(self) -> &'static str {
        match self {
            Self::Syntax => "The request does not have the syntax of RFC 9112.",
            Self::BareLineFeed => {
                "A line of the request head ends with a bare line feed: end lines with CR LF."
            }
            Self::Host => {
                "A request of HTTP/1.1 must have exactly one Host header, which matches the host of its URL."
            }
            Self::BodyLength => {
                "The length of the body must be given once: by one Content-Length header, or by Transfer-Encoding: chunked."
            }
            Self::Target => "The URL of the request is malformed.",
            Self::TargetTooLong => "The URL of the request is longer than 16 KiB.",
            Self::TooLong => {
                "The head of the request is longer than 64 KiB or has more than 100 headers."
            }
        }
    }
}

/// Reads the head at the start of these bytes. None while it is incomplete.
pub fn read(bytes: &[u8]) -> Result<Option<Head>, HeadError> {
    plain::read(bytes).map_or_else(|| parse(bytes), |head| Ok(Some(head)))
}

/// Reads a head with hyper's parser, if the fast path cannot decide.
fn parse(bytes: &[u8]) -> Result<Option<Head>, HeadError> {
    let mut headers = [const { MaybeUninit::<Header<'_>>::uninit() }; HEADERS_MAX];
    let mut request = Request::new(&mut []);
    let end = match request.parse_with_uninit_headers(bytes, &mut headers) {
        Ok(Status::Complete(end)) if end <= HEAD_BYTES_MAX => end,
        Ok(Status::Partial) if bytes.len() <= HEAD_BYTES_MAX => return Ok(None),
        Ok(_) if request.path.is_none_or(|path| path.len() > TARGET_BYTES_MAX) => {
            return Err(HeadError::TargetTooLong);
        }
        Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(HeadError::TooLong),
        Err(_) => return Err(HeadError::Syntax),
    };
    let (Some(method), Some(target), Some(version)) =
        (request.method, request.path, request.version)
    else {
        return Err(HeadError::Syntax);
    };
    if method == REFUSED {
        return Err(HeadError::Syntax);
    }
    if !lines_end_in_crlf(&bytes[..end], method, request.headers) {
        return Err(HeadError::BareLineFeed);
    }
    let named = Named::of(request.headers)?;
    if named.host.is_none() && version == 1 {
        return Err(HeadError::Host);
    }
    check_target(target, named.host)?;
    Ok(Some(Head { bytes: end, body: named.framing(version)? }))
}

/// Returns whether each line ends with CR LF; the parser also accepts a bare LF. Only the bytes
/// before each part of the parsed head are checked, because lines end there, which is faster than
/// checking all bytes.
fn lines_end_in_crlf(head: &[u8], method: &str, headers: &[Header<'_>]) -> bool {
    let before = |part: &str| &head[..part.as_ptr().addr() - head.as_ptr().addr()];
    head.ends_with(b"\r\n\r\n")
        && before(method).chunks(2).all(|line| line == b"\r\n")
        && headers.iter().all(|header| before(header.name).ends_with(b"\r\n"))
}

/// The headers that determine the host and the end of a request. Each may occur once.
#[derive(Default)]
struct Named<'a> {
    host: Option<&'a [u8]>,
    length: Option<&'a [u8]>,
    coding: Option<&'a [u8]>,
}

impl<'a> Named<'a> {
    fn of(headers: &[Header<'a>]) -> Result<Self, HeadError> {
        let mut named = Self::default();
        for Header { name, value } in headers {
            named.add(name.as_bytes(), value)?;
        }
        Ok(named)
    }

    fn add(&mut self, name: &[u8], value: &'a [u8]) -> Result<(), HeadError> {
        let (field, twice) = match name.len() {
            4 if name.eq_ignore_ascii_case(b"host") => (&mut self.host, HeadError::Host),
            14 if name.eq_ignore_ascii_case(b"content-length") => {
                (&mut self.length, HeadError::BodyLength)
            }
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                (&mut self.coding, HeadError::BodyLength)
            }
            _ => return Ok(()),
        };
        if field.replace(value).is_some() { Err(twice) } else { Ok(()) }
    }

    fn framing(&self, version: u8) -> Result<Framing, HeadError> {
        match (self.length, self.coding) {
            (None, None) => Ok(Framing::Length(0)),
            (Some(digits), None) => {
                length(digits).map(Framing::Length).ok_or(HeadError::BodyLength)
            }
            (None, Some(coding)) if version == 1 && coding.eq_ignore_ascii_case(b"chunked") => {
                Ok(Framing::Chunked)
            }
            _ => Err(HeadError::BodyLength),
        }
    }
}

fn length(digits: &[u8]) -> Option<u64> {
    let is_number =
        (1..=LENGTH_DIGITS_MAX).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0')))
}

/// Checks the target. Nearly every target is a path of plain characters, which needs no further
/// check.
fn check_target(target: &str, host: Option<&[u8]>) -> Result<(), HeadError> {
    if target.len() > TARGET_BYTES_MAX {
        return Err(HeadError::TargetTooLong);
    }
    if target.starts_with('/') && target.bytes().all(plain::is_of_path) {
        return Ok(());
    }
    // Browsers do not send fragments, and servers disagree about where to cut them off.
    if target.contains('#') {
        return Err(HeadError::Target);
    }
    let uri = Uri::try_from(target).map_err(|_| HeadError::Target)?;
    match uri.authority() {
        // RFC 9112 §3.2.2: the host of the URL counts, so a different one in Host is an attack.
        Some(authority) if uri.scheme().is_some() => {
            let is_same =
                host.is_none_or(|host| authority.as_str().as_bytes().eq_ignore_ascii_case(host));
            if is_same { Ok(()) } else { Err(HeadError::Host) }
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Framing, HEAD_BYTES_MAX, Head, HeadError, read};

    #[track_caller]
    fn assert_rejected(head: &str, refusal: HeadError) {
        assert_eq!(read(head.as_bytes()), Err(refusal), "{head:?}");
    }

    #[track_caller]
    fn assert_accepted(head: &str, body: Framing) {
        let bytes = head.find("\r\n\r\n").expect("an end") + 4;
        assert_eq!(read(head.as_bytes()), Ok(Some(Head { bytes, body })), "{head:?}");
    }

    #[test]
    fn accepts_unambiguous_heads() {
        let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
        assert_accepted(get, Framing::Length(0));
        assert_accepted(&format!("{get}GET /more"), Framing::Length(0));
        assert_accepted("GET / HTTP/1.0\r\n\r\n", Framing::Length(0));
        assert_accepted(
            "PUT /a?b=c&d=%00 HTTP/1.1\r\nhost:a\r\ncontent-LENGTH:  7 \r\n\r\n",
            Framing::Length(7),
        );
        assert_accepted(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n",
            Framing::Chunked,
        );
        assert_accepted("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", Framing::Length(0));
        assert_accepted("GET http://A:80/b HTTP/1.1\r\nHost: a:80\r\n\r\n", Framing::Length(0));
        assert_accepted("GET http://a/b HTTP/1.0\r\n\r\n", Framing::Length(0));
        let lead = format!("\r\n{get}");
        assert_eq!(
            read(lead.as_bytes()),
            Ok(Some(Head { bytes: lead.len(), body: Framing::Length(0) }))
        );
    }

    #[test]
    fn waits_for_an_incomplete_head() {
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n";
        for end in 0..head.len() {
            assert_eq!(read(&head.as_bytes()[..end]), Ok(None), "{end}");
        }
    }

    #[test]
    fn rejects_ambiguous_heads() {
        let with = |headers: &str| format!("POST / HTTP/1.1\r\nHost: a\r\n{headers}\r\n");
        for headers in [
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "Content-Length: 5\r\nContent-Length: 5\r\n",
            "Content-Length: 5\r\nContent-Length: 6\r\n",
            "Content-Length: 5, 5\r\n",
            "Content-Length: +5\r\n",
            "Content-Length: -1\r\n",
            "Content-Length: 0x5\r\n",
            "Content-Length: 5 5\r\n",
            "Content-Length:\r\n",
            "Content-Length: 18446744073709551616\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Transfer-Encoding: identity\r\n",
            "Transfer-Encoding: \"chunked\"\r\n",
            "Transfer-Encoding:\r\n",
        ] {
            assert_rejected(&with(headers), HeadError::BodyLength);
        }
        assert_rejected(
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
            HeadError::BodyLength,
        );
        for head in [
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://a@b/ HTTP/1.1\r\nHost: b\r\n\r\n",
        ] {
            assert_rejected(head, HeadError::Host);
        }
        for head in [
            "GET / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n\n",
            "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        ] {
            assert_rejected(head, HeadError::BareLineFeed);
        }
    }

    #[test]
    fn rejects_what_hyper_would_reject() {
        for head in [
            "nonsense\r\n\r\n",
            "GET /\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n",
            "G\0T / HTTP/1.1\r\nHost: a\r\n\r\n",
            "MUSETTE-REFUSED /0 HTTP/1.1\r\nHost: a\r\n\r\n",
            "\x16\x03\x01\x02\x00\x01\x00\x01\u{fc}",
        ] {
            assert_rejected(head, HeadError::Syntax);
        }
        for target in ["/a#b", "a", "//[", "http:///a", "/\\"] {
            let head = format!("GET {target} HTTP/1.1\r\nHost: a\r\n\r\n");
            let refusal = read(head.as_bytes());
            assert!(
                matches!(refusal, Err(HeadError::Target | HeadError::Syntax) | Ok(Some(_))),
                "{target}: {refusal:?}"
            );
        }
        assert_rejected("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", HeadError::Target);
    }

    #[test]
    fn rejects_heads_and_targets_that_are_too_long() {
        let long = "x".repeat(HEAD_BYTES_MAX);
        assert_rejected(&format!("GET /{long}"), HeadError::TargetTooLong);
        assert_rejected(
            &format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n"),
            HeadError::TargetTooLong,
        );
        let half = &long[..20_000];
        assert_rejected(
            &format!("GET /{half} HTTP/1.1\r\nHost: a\r\n\r\n"),
            HeadError::TargetTooLong,
        );
        assert_rejected(
            &format!("GET / HTTP/1.1\r\nHost: a\r\nX: {long}\r\n\r\n"),
            HeadError::TooLong,
        );
        assert_rejected(&format!("GET / HTTP/1.1\r\nHost: a\r\nX: {long}"), HeadError::TooLong);
        let many = "X: y\r\n".repeat(100);
        assert_rejected(&format!("GET / HTTP/1.1\r\nHost: a\r\n{many}\r\n"), HeadError::TooLong);
        let fewer = "X: y\r\n".repeat(99);
        assert_accepted(&format!("GET / HTTP/1.1\r\nHost: a\r\n{fewer}\r\n"), Framing::Length(0));
    }

    #[test]
    fn restores_an_error_from_its_substitute_request() {
        for refusal in HeadError::ALL {
            let text = String::from_utf8(refusal.request()).expect("text");
            let path = text.split(' ').nth(1).expect("a path");
            assert_eq!(HeadError::of_request(path), refusal);
        }
    }
}

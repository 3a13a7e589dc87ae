//! The fast path for heads. Nearly all are as simple as this module accepts, and parsing each twice
//! would cost a tenth of answering a flag request. It accepts a subset of what hyper accepts, and
//! leaves other heads to the parser.

use super::{HEAD_BYTES_MAX, HEADERS_MAX, Head, Named, TARGET_BYTES_MAX};

const METHODS: [&[u8]; 6] = [b"GET ", b"PUT ", b"POST ", b"DELETE ", b"HEAD ", b"OPTIONS "];
const END_OF_REQUEST_LINE: &[u8] = b" HTTP/1.1\r\n";

const OF_PATH: u8 = 1;
const OF_NAME: u8 = 2;

/// The parts of a head in which each byte is allowed.
const PLACES: [u8; 256] = {
    let mut places = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let mut place = 0;
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'%') {
            place |= OF_PATH;
        }
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            place |= OF_NAME;
        }
        places[byte as usize] = place;
        byte += 1;
    }
    places
};

/// Returns whether a byte of a path needs no further check.
pub fn is_of_path(byte: u8) -> bool {
    PLACES[usize::from(byte)] & OF_PATH != 0
}

/// Reads a head that is complete and simple: a common method, a path of plain characters, HTTP/1.1,
/// lines `name: value` of visible ASCII that end with CR LF, one Host, and at most one length.
pub fn read(bytes: &[u8]) -> Option<Head> {
    let method = METHODS.iter().find(|method| bytes.starts_with(method))?;
    let mut rest = &bytes[method.len()..];
    let target = run(rest, OF_PATH);
    let is_path = rest.first() == Some(&b'/') && target <= TARGET_BYTES_MAX;
    rest = rest[target..].strip_prefix(END_OF_REQUEST_LINE).filter(|_| is_path)?;
    let mut named = Named::default();
    for _ in 0..=HEADERS_MAX {
        if let Some(body) = rest.strip_prefix(b"\r\n") {
            let head = bytes.len() - body.len();
            named.host?;
            let body = named.framing(1).ok()?;
            return (head <= HEAD_BYTES_MAX).then_some(Head { bytes: head, body });
        }
        let (name, after) = rest.split_at(run(rest, OF_NAME));
        let after = after.strip_prefix(b":").filter(|_| !name.is_empty())?;
        let (value, after) = after.split_at(count_visible(after));
        rest = after.strip_prefix(b"\r\n")?;
        named.add(name, value.trim_ascii()).ok()?;
    }
    None
}

/// Counts the bytes from the first on that are allowed in this part of a head.
fn run(bytes: &[u8], place: u8) -> usize {
    bytes.iter().take_while(|byte| PLACES[usize::from(**byte)] & place != 0).count()
}

/// Counts the bytes from the first on that are visible ASCII or spaces, eight at a time.
fn count_visible(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let (words, _) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let delete = word ^ (ONES * 0x7f);
        // A borrow only affects bytes above the first match.
        let matches =
            (word.wrapping_sub(ONES * 0x20) & !word) | (delete.wrapping_sub(ONES) & !delete) | word;
        if matches & HIGH != 0 {
            return i * 8 + (matches & HIGH).trailing_zeros() as usize / 8;
        }
    }
    let read = words.len() * 8;
    read + bytes[read..].iter().take_while(|byte| matches!(byte, b' '..=b'~')).count()
}

#[cfg(test)]
mod tests {
    use super::{count_visible, read};
    use crate::http::serving::head::parse;

    #[test]
    fn stops_at_each_byte_that_ends_a_value() {
        for end in (0..=u8::MAX).filter(|byte| !matches!(byte, b' '..=b'~')) {
            for before in 0..20 {
                let mut bytes = vec![b'~'; before];
                bytes.extend([end, b'\0', b'a', 0xff, b' ', b'b', b'c', b'd', b'e', b'f']);
                assert_eq!(count_visible(&bytes), before, "{end}");
            }
        }
        assert_eq!(count_visible(b" a value as long as it is~"), 26);
    }

    /// Tries every head that differs by one byte from a common one: the parser must accept what
    /// this module accepts.
    #[test]
    fn accepts_nothing_that_the_parser_rejects() {
        let head = b"PUT /a/b-c%20d HTTP/1.1\r\nHost: a:80\r\nX-Y:  z \r\nContent-Length: 7\r\n\r\n1234567";
        assert!(read(head).is_some());
        let mut accepted = 0;
        for i in 0..head.len() {
            for byte in 0..=u8::MAX {
                let mut changed = head.to_vec();
                changed[i] = byte;
                if let Some(head) = read(&changed) {
                    accepted += 1;
                    assert_eq!(parse(&changed), Ok(Some(head)), "{}", changed.escape_ascii());
                }
                changed.remove(i);
                if let Some(head) = read(&changed) {
                    assert_eq!(parse(&changed), Ok(Some(head)), "{}", changed.escape_ascii());
                }
            }
        }
        assert!(accepted > 2_000, "{accepted}");
    }

    #[test]
    fn leaves_uncommon_heads_to_the_parser() {
        for head in [
            "PATCH / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /?a=b HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX:\u{e9}\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.1\r\nHost: a\r\n",
        ] {
            assert_eq!(read(head.as_bytes()), None, "{head:?}");
        }
        let many = "X: y\r\n".repeat(100);
        let head = format!("GET / HTTP/1.1\r\nHost: a\r\n{many}\r\n");
        assert_eq!(read(head.as_bytes()), None);
    }
}

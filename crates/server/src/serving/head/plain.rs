//! The quick look at a head: nearly every one is as plain as this, and to parse each twice would cost a
//! tenth of answering a flag. It takes a part of what hyper takes, and says nothing of the rest.

use super::{HEAD_BYTES_MAX, HEADERS_MAX, Head, Named, TARGET_BYTES_MAX};

const METHODS: [&[u8]; 6] = [b"GET ", b"PUT ", b"POST ", b"DELETE ", b"HEAD ", b"OPTIONS "];
const END_OF_REQUEST_LINE: &[u8] = b" HTTP/1.1\r\n";

const OF_PATH: u8 = 1;
const OF_NAME: u8 = 2;

/// Where each byte may stand.
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

/// A character of a path that needs no second look.
pub fn is_of_path(byte: u8) -> bool {
    PLACES[usize::from(byte)] & OF_PATH != 0
}

/// The head, where it is complete, plain and beyond doubt: a usual method, a path of plain characters,
/// HTTP/1.1, each line `name: value` of visible ASCII with CR LF, one Host, and a length given once.
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
        let (value, after) = after.split_at(visible(after));
        rest = after.strip_prefix(b"\r\n")?;
        named.add(name, value.trim_ascii()).ok()?;
    }
    None
}

/// How many bytes may stand there, from the first on.
fn run(bytes: &[u8], place: u8) -> usize {
    bytes.iter().take_while(|byte| PLACES[usize::from(**byte)] & place != 0).count()
}

/// How many bytes are visible ASCII or spaces, from the first on: eight at a time.
fn visible(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let (words, _) = bytes.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let delete = word ^ (ONES * 0x7f);
        // A borrow reaches only bytes above the first that is found.
        let found =
            (word.wrapping_sub(ONES * 0x20) & !word) | (delete.wrapping_sub(ONES) & !delete) | word;
        if found & HIGH != 0 {
            return i * 8 + (found & HIGH).trailing_zeros() as usize / 8;
        }
    }
    let read = words.len() * 8;
    read + bytes[read..].iter().take_while(|byte| matches!(byte, b' '..=b'~')).count()
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::{read, visible};

    #[test]
    fn bytes_that_end_a_value() {
        for end in (0..=u8::MAX).filter(|byte| !matches!(byte, b' '..=b'~')) {
            for before in 0..20 {
                let mut bytes = vec![b'~'; before];
                bytes.extend([end, b'\0', b'a', 0xff, b' ', b'b', b'c', b'd', b'e', b'f']);
                assert_eq!(visible(&bytes), before, "{end}");
            }
        }
        assert_eq!(visible(b" a value as long as it is~"), 26);
    }

    /// Every head that differs by one byte from a usual one: what is taken here, the parser takes alike.
    #[test]
    fn nothing_is_taken_that_the_parser_would_not_take() {
        let head = b"PUT /a/b-c%20d HTTP/1.1\r\nHost: a:80\r\nX-Y:  z \r\nContent-Length: 7\r\n\r\n1234567";
        assert!(read(head).is_some());
        let mut taken = 0;
        for i in 0..head.len() {
            for byte in 0..=u8::MAX {
                let mut changed = head.to_vec();
                changed[i] = byte;
                if let Some(head) = read(&changed) {
                    taken += 1;
                    assert_eq!(parse(&changed), Ok(Some(head)), "{}", changed.escape_ascii());
                }
                changed.remove(i);
                if let Some(head) = read(&changed) {
                    assert_eq!(parse(&changed), Ok(Some(head)), "{}", changed.escape_ascii());
                }
            }
        }
        assert!(taken > 2_000, "{taken}");
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_parser() {
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

//! Text files that other programs wrote: editors and spreadsheet programs add a byte order mark or save UTF-16.

use std::borrow::Cow;
use std::io;
use std::path::Path;

/// Reads a text file without its byte order mark.
pub fn read(path: &Path) -> io::Result<String> {
    text(std::fs::read(path)?)
}

/// Returns the text of a file's bytes, without the byte order mark.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    let invalid = |detail: &str| io::Error::new(io::ErrorKind::InvalidData, detail.to_owned());
    let text = decoded(&bytes).map_err(invalid)?;
    String::from_utf8(text.into_owned()).map_err(|_| invalid("the file is not UTF-8"))
}

/// Returns the text of a file without its byte order mark. UTF-16 becomes UTF-8; anything else stays as it is.
///
/// # Errors
///
/// If the file begins with the byte order mark of UTF-16 or UTF-32 and is not valid UTF-16.
pub fn decoded(bytes: &[u8]) -> Result<Cow<'_, [u8]>, &'static str> {
    if let Some(text) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return Ok(Cow::Borrowed(text));
    }
    let (unit, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        _ => return Ok(Cow::Borrowed(bytes)),
    };
    let (pairs, odd) = rest.as_chunks::<2>();
    let text = char::decode_utf16(pairs.iter().copied().map(unit)).collect::<Result<String, _>>();
    match text {
        // A NUL: it is UTF-32, whose mark begins like that of UTF-16.
        Ok(text) if odd.is_empty() && !text.contains('\0') => Ok(Cow::Owned(text.into_bytes())),
        _ => Err("The file is not valid UTF-16. Save it as CSV UTF-8."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_one_byte_order_mark() {
        for bytes in [&b"{}"[..], b"\xef\xbb\xbf{}", b"\xff\xfe{\0}\0", b"\xfe\xff\0{\0}"] {
            assert_eq!(text(bytes.to_vec()).expect("text"), "{}", "{bytes:?}");
        }
        assert!(text(b"{\xff}".to_vec()).is_err());
    }

    #[test]
    fn refuses_what_is_neither_utf8_nor_utf16() {
        for bytes in [&b"\xff\xfei\0d"[..], b"\xff\xfe\x00\xd8", b"\xff\xfe\0\0i\0\0\0"] {
            assert!(decoded(bytes).is_err(), "{bytes:?}");
        }
    }
}

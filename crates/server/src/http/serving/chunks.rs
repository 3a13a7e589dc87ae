//! Finds the end of a chunked body (RFC 9112 §7.1), at least as strictly as hyper. This module only
//! counts the bytes; hyper decodes them.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chunks {
    /// Before the first digit of a chunk's size.
    Start,
    Size(u64),
    Extension(u64),
    SizeEnd(u64),
    Data(u64),
    DataCr,
    DataLf,
    /// At the start of a line after the last chunk.
    Line,
    Trailer,
    TrailerLf,
    EndLf,
    Done,
}

/// The bytes are not a chunked body.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken;

impl Chunks {
    /// Consumes bytes, and returns how many of them belong to the body.
    pub fn take(&mut self, bytes: &[u8]) -> Result<usize, Broken> {
        let mut consumed = 0;
        while consumed < bytes.len() && *self != Self::Done {
            if let Self::Data(remaining) = self {
                let length =
                    (bytes.len() - consumed).min(usize::try_from(*remaining).unwrap_or(usize::MAX));
                consumed += length;
                *remaining -= length as u64;
                if *remaining == 0 {
                    *self = Self::DataCr;
                }
            } else {
                *self = self.after(bytes[consumed]).ok_or(Broken)?;
                consumed += 1;
            }
        }
        Ok(consumed)
    }

    fn after(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Start, _) => Self::Size(digit(byte)?),
            (Self::Size(size), b';' | b' ' | b'\t') => Self::Extension(size),
            (Self::Size(size) | Self::Extension(size), b'\r') => Self::SizeEnd(size),
            (Self::Size(size), _) => Self::Size(size.checked_mul(16)?.checked_add(digit(byte)?)?),
            (Self::Extension(size), _) if byte != b'\n' => Self::Extension(size),
            (Self::SizeEnd(0), b'\n') => Self::Line,
            (Self::SizeEnd(size), b'\n') => Self::Data(size),
            (Self::DataCr, b'\r') => Self::DataLf,
            (Self::DataLf, b'\n') => Self::Start,
            (Self::Line, b'\r') => Self::EndLf,
            (Self::EndLf, b'\n') => Self::Done,
            (Self::Trailer, b'\r') => Self::TrailerLf,
            (Self::TrailerLf, b'\n') => Self::Line,
            (Self::Line | Self::Trailer, _) if byte != b'\n' => Self::Trailer,
            _ => return None,
        })
    }
}

fn digit(byte: u8) -> Option<u64> {
    char::from(byte).to_digit(16).map(u64::from)
}

#[cfg(test)]
mod tests {
    use super::{Broken, Chunks};

    #[test]
    fn finds_the_end_for_any_split_of_the_bytes() {
        for body in [
            "0\r\n\r\n",
            "5\r\nhello\r\n0\r\n\r\n",
            "a;name=\"v\"\r\n0123456789\r\n00\r\nX-Trailer: 1\r\nY: 2\r\n\r\n",
            "1 \r\n\n\r\nF\r\n0123456789abcde\r\n0\r\n\r\n",
        ] {
            let bytes = format!("{body}GET / HTTP/1.1\r\n");
            for step in [1, 2, 3, 1000] {
                let (mut chunks, mut at) = (Chunks::Start, 0);
                while chunks != Chunks::Done {
                    let end = (at + step).min(bytes.len());
                    at += chunks.take(&bytes.as_bytes()[at..end]).expect(body);
                }
                assert_eq!(at, body.len(), "{body:?} by {step}");
            }
        }
    }

    #[test]
    fn rejects_malformed_chunks() {
        for body in [
            "\r\n",
            "x\r\n",
            "5\n",
            "5;a\n",
            "5\r\r",
            "5 5\nhello",
            "-5\r\n",
            "0x5\r\n",
            "ffffffffffffffffff\r\n",
            "5\r\nhelloX",
            "5\r\nhello\n",
            "0\r\n\n",
            "0\r\nX: 1\n",
            "0\r\nX: 1\r\r",
        ] {
            assert_eq!(Chunks::Start.take(body.as_bytes()), Err(Broken), "{body:?}");
        }
    }
}

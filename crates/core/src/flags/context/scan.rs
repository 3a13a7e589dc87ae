//! A pull scanner for JSON (RFC 8259) that reads in place.
//!
//! An evaluation reads a few attributes of a body that may contain hundreds. Therefore the scanner
//! builds no tree. Its caller iterates over the top-level object, reads the values of names that a
//! flag uses, and lets the scanner check and skip the others. Texts without escapes are slices of
//! the input; only texts with an escape are copied.
//!
//! It makes one pass over the bytes, O(n), without an allocation if the body has no escapes and at
//! most 16 unused names. It searches for the end of plain text eight bytes at a time. It checks
//! skipped values as strictly as read ones, rejects duplicate names and limits nesting, so that all
//! readers of a body get the same result.
//!
//! `serde_json::Value` would allocate each name and value. A derived struct would have to be
//! compiled for each configuration.

use std::borrow::Cow;

use super::ContextError;
use super::seen_names::SeenNames;
use crate::flags::interner::hash;

const DEPTH_MAX: u32 = 32;

const TENS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

pub(super) type Scanned<T> = Result<T, ContextError>;

pub(super) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Number of open objects and lists.
    depth: u32,
}

/// The kind of a value, which its first byte determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Object,
    List,
    Text,
    Number,
    True,
    False,
    Null,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, depth: 0 }
    }

    /// Adds the name of a member to those of its object, which must not have it yet.
    #[inline]
    pub(super) fn check_new(&self, names: &mut SeenNames, hash: u64) -> Scanned<()> {
        if names.insert(hash) { Ok(()) } else { self.error("an object has the same name twice") }
    }

    #[cold]
    pub fn error<T>(&self, reason: &'static str) -> Scanned<T> {
        Err(ContextError { reason, at: self.at })
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    #[inline]
    fn peek(&self) -> u8 {
        // Zero does not occur in JSON, so it represents the end.
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    pub fn blanks(&mut self) {
        // JSON written by programs usually has no whitespace.
        if self.peek() <= b' ' {
            self.skip_blanks();
        }
    }

    #[inline(never)]
    fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    pub fn end(&mut self) -> Scanned<()> {
        self.blanks();
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            self.error("there is text after the object")
        }
    }

    #[inline]
    pub fn opening(&self) -> Scanned<Opening> {
        Ok(match self.peek() {
            b'"' => Opening::Text,
            b'-' | b'0'..=b'9' => Opening::Number,
            b'{' => Opening::Object,
            b'[' => Opening::List,
            b't' => Opening::True,
            b'f' => Opening::False,
            b'n' => Opening::Null,
            _ => return self.error("a value is missing"),
        })
    }

    /// Enters an object or list and returns whether it has any members or items.
    #[inline]
    pub fn open(&mut self, close: u8) -> Scanned<bool> {
        if self.depth == DEPTH_MAX {
            return self.error("it is nested more than 32 deep");
        }
        self.at += 1;
        self.blanks();
        if self.peek() == close {
            self.at += 1;
            return Ok(false);
        }
        self.depth += 1;
        Ok(true)
    }

    /// Moves to the next member or item and returns whether there is one.
    #[inline]
    pub fn more(&mut self, close: u8) -> Scanned<bool> {
        self.blanks();
        let byte = self.peek();
        if byte == b',' {
            self.at += 1;
            self.blanks();
            Ok(true)
        } else if byte == close {
            self.at += 1;
            self.depth -= 1;
            Ok(false)
        } else {
            self.error("a comma or a closing bracket is missing")
        }
    }

    #[inline(always)]
    pub fn name(&mut self) -> Scanned<Cow<'a, str>> {
        if self.peek() != b'"' {
            return self.error("a name is missing");
        }
        let name = self.string()?;
        self.blanks();
        if self.peek() != b':' {
            return self.error("a colon is missing");
        }
        self.at += 1;
        self.blanks();
        Ok(name)
    }

    #[inline(always)]
    pub fn string(&mut self) -> Scanned<Cow<'a, str>> {
        let start = self.at + 1;
        self.at = end_of_plain(self.bytes, start);
        if self.peek() == b'"' {
            self.at += 1;
            return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
        }
        self.escaped(start)
    }

    #[cold]
    fn escaped(&mut self, start: usize) -> Scanned<Cow<'a, str>> {
        let mut text = String::new();
        let mut plain = start;
        loop {
            match self.peek() {
                b'"' => {
                    text.push_str(&self.text[plain..self.at]);
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                b'\\' => {
                    text.push_str(&self.text[plain..self.at]);
                    self.at += 1;
                    text.push(self.escape()?);
                    plain = self.at;
                }
                0..32 => return self.error("a text has no end or contains a control character"),
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Scanned<char> {
        let byte = self.peek();
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return self.error("an unknown escape"),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode_escape(&mut self) -> Scanned<char> {
        let unit = self.hex()?;
        if unit == 0 {
            return self.error("the character U+0000 is not allowed");
        }
        let code = if (0xd800..0xdc00).contains(&unit) {
            if !self.bytes[self.at..].starts_with(b"\\u") {
                return self.error("half a surrogate pair");
            }
            self.at += 2;
            let low = self.hex()?;
            if !(0xdc00..0xe000).contains(&low) {
                return self.error("half a surrogate pair");
            }
            0x1_0000 + ((unit - 0xd800) << 10 | (low - 0xdc00))
        } else {
            unit
        };
        char::from_u32(code).map_or_else(|| self.error("half a surrogate pair"), Ok)
    }

    fn hex(&mut self) -> Scanned<u32> {
        let digits = self.bytes.get(self.at..self.at + 4).unwrap_or_default();
        let value = digits
            .iter()
            .try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?));
        match value {
            Some(value) if digits.len() == 4 => {
                self.at += 4;
                Ok(value)
            }
            _ => self.error("an unknown escape"),
        }
    }

    #[inline]
    pub fn number(&mut self) -> Scanned<f64> {
        let start = self.at;
        let is_negative = self.peek() == b'-';
        self.at += usize::from(is_negative);
        let first = self.at;
        let (mut value, digits) = self.digits(0)?;
        if digits > 1 && self.bytes[first] == b'0' {
            return self.error("a number is malformed");
        }
        let mut places = 0;
        if self.peek() == b'.' {
            self.at += 1;
            (value, places) = self.digits(value)?;
        }
        let has_exponent = matches!(self.peek(), b'e' | b'E');
        // This many digits are exact in a double, and so is the power of ten. One division rounds
        // once.
        if !has_exponent && digits + places < TENS.len() {
            let value = if places == 0 { value as f64 } else { value as f64 / TENS[places] };
            return Ok(if is_negative { -value } else { value });
        }
        if has_exponent {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits(0)?;
        }
        match self.since(start).parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => self.error("a number is out of range"),
        }
    }

    /// Reads one or more digits, continuing from `value`, and returns their number too.
    #[inline]
    fn digits(&mut self, mut value: u64) -> Scanned<(u64, usize)> {
        let first = self.at;
        while self.peek().is_ascii_digit() {
            value = value.wrapping_mul(10).wrapping_add(u64::from(self.peek() - b'0'));
            self.at += 1;
        }
        match self.at - first {
            0 => self.error("a number is malformed"),
            digits => Ok((value, digits)),
        }
    }

    #[inline]
    pub fn word(&mut self, word: &'static str) -> Scanned<()> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            self.error("a value is missing")
        }
    }

    fn skip_string(&mut self) -> Scanned<()> {
        self.string().map(drop)
    }

    /// Skips one value whose length in bytes is known.
    pub fn skip_known(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Returns the text that is not read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn skip(&mut self) -> Scanned<()> {
        match self.opening()? {
            Opening::Text => self.skip_string(),
            Opening::Number => self.number().map(drop),
            Opening::True => self.word("true"),
            Opening::False => self.word("false"),
            Opening::Null => self.word("null"),
            Opening::List => {
                let mut more = self.open(b']')?;
                while more {
                    self.skip()?;
                    more = self.more(b']')?;
                }
                Ok(())
            }
            Opening::Object => {
                let mut names = SeenNames::new();
                let mut more = self.open(b'}')?;
                while more {
                    let name = self.name()?;
                    self.check_new(&mut names, hash(name.as_bytes()))?;
                    self.skip()?;
                    more = self.more(b'}')?;
                }
                Ok(())
            }
        }
    }
}

/// Finds the first quote, backslash or control character, eight bytes at a time (SWAR). A
/// subtraction from each byte sets the high bit of these bytes.
#[inline(always)]
fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH_BITS: u64 = ONES << 7;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        // XOR with 2 maps the quote (0x22) to 0x20, next to the control characters. It permutes the
        // control characters and moves the space above them. Then one subtraction of 0x21 borrows
        // for all of them.
        let turned = (word ^ (ONES * 2)).wrapping_sub(ONES * 33);
        let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        // A borrow can affect only the bytes after a real match, and only the first match is used.
        let hits = (turned | backslash) & !word & HIGH_BITS;
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..32);
    while bytes.get(at).is_some_and(is_plain) {
        at += 1;
    }
    at
}

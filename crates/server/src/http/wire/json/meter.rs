//! Counts the values of a body while it arrives, before it is parsed. In memory, a value takes many
//! times the two bytes that it takes in transit.

use super::DEPTH_MAX;

/// The limits of a JSON body. Its depth is limited as well, by the same limit for all bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The number of bytes.
    pub bytes: usize,
    /// The number of values: members of objects and items of lists, at every level.
    pub values: usize,
}

impl Bounds {
    /// The bounds of all bodies except flag events and configurations.
    pub const ORDINARY: Self = Self { bytes: super::BODY_BYTES_MAX, values: 32_768 };

    /// Returns whether a body of this length can have too many values. Each value takes at least
    /// two bytes.
    pub const fn can_exceed(self, bytes: usize) -> bool {
        bytes / 2 > self.values
    }
}

/// The reason why a body is rejected before it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    Values,
    Depth,
}

/// The state between two pieces of a body.
#[derive(Debug)]
pub struct Meter {
    values_left: usize,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

impl Meter {
    pub const fn new(values_max: usize) -> Self {
        Self { values_left: values_max, depth: 0, in_text: false, is_escaped: false }
    }

    /// Counts the values that begin in the next piece. The parser rejects invalid JSON later.
    pub fn take(&mut self, piece: &[u8]) -> Result<(), Exceeded> {
        for byte in piece {
            if self.in_text {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                // The first value of a list or an object.
                b'[' | b'{' => {
                    self.depth += 1;
                    self.count()?;
                }
                b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                b',' => self.count()?,
                _ => {}
            }
            if self.depth > DEPTH_MAX {
                return Err(Exceeded::Depth);
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), Exceeded> {
        self.values_left = self.values_left.checked_sub(1).ok_or(Exceeded::Values)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Exceeded, Meter};

    fn count(text: &str, values: usize, piece: usize) -> Result<(), Exceeded> {
        let mut meter = Meter::new(values);
        text.as_bytes().chunks(piece).try_for_each(|piece| meter.take(piece))
    }

    #[test]
    fn counts_values_independently_of_the_pieces() {
        for (text, values) in [
            ("[0,0,0]", 3),
            (r#"{"a":1,"b":[1,2]}"#, 4),
            (r#"["[,{","\",[","\\",0]"#, 4),
            (r#"{"a\\":"\\\"","b":{}}"#, 3),
        ] {
            for piece in 1..=text.len() {
                assert_eq!(count(text, values, piece), Ok(()), "{text} by {piece}");
                let fewer = count(text, values - 1, piece);
                assert_eq!(fewer, Err(Exceeded::Values), "{text} by {piece}");
            }
        }
    }

    #[test]
    fn rejects_the_33rd_level() {
        assert_eq!(count(&"[".repeat(32), 100, 7), Ok(()));
        assert_eq!(count(&"[".repeat(33), 100, 7), Err(Exceeded::Depth));
        assert_eq!(count(&r#"{"a":"#.repeat(33), 100, 7), Err(Exceeded::Depth));
        assert_eq!(count(&"[]".repeat(99), 100, 7), Ok(()));
    }
}

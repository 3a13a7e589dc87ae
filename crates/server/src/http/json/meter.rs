//! Counts the values of a body while it comes, before anything is made of it: in memory a value takes many times the two
//! bytes that it takes on the wire.

use super::DEPTH_MAX;

/// Limits of a JSON body. Its depth is limited too, for all to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes.
    pub bytes: usize,
    /// Values: members of objects and items of lists, at every depth.
    pub values: usize,
}

impl Bounds {
    /// Any other body than those of flag events and configurations.
    pub const ORDINARY: Self = Self { bytes: super::BODY_BYTES_MAX, values: 32_768 };

    /// Whether a body of this length can have too many values: each takes two bytes at least.
    pub const fn can_exceed(self, bytes: usize) -> bool {
        bytes / 2 > self.values
    }
}

/// Why a body is refused before it has come whole.
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

    /// Counts the values that begin in the next piece. What is no JSON is for the parser to refuse.
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

    fn taken(text: &str, values: usize, piece: usize) -> Result<(), Exceeded> {
        let mut meter = Meter::new(values);
        text.as_bytes().chunks(piece).try_for_each(|piece| meter.take(piece))
    }

    #[test]
    fn counts_values_in_whatever_pieces_they_come() {
        for (text, values) in [
            ("[0,0,0]", 3),
            (r#"{"a":1,"b":[1,2]}"#, 4),
            (r#"["[,{","\",[","\\",0]"#, 4),
            (r#"{"a\\":"\\\"","b":{}}"#, 3),
        ] {
            for piece in 1..=text.len() {
                assert_eq!(taken(text, values, piece), Ok(()), "{text} by {piece}");
                let fewer = taken(text, values - 1, piece);
                assert_eq!(fewer, Err(Exceeded::Values), "{text} by {piece}");
            }
        }
    }

    #[test]
    fn refuses_the_thirty_third_level() {
        assert_eq!(taken(&"[".repeat(32), 100, 7), Ok(()));
        assert_eq!(taken(&"[".repeat(33), 100, 7), Err(Exceeded::Depth));
        assert_eq!(taken(&r#"{"a":"#.repeat(33), 100, 7), Err(Exceeded::Depth));
        assert_eq!(taken(&"[]".repeat(99), 100, 7), Ok(()));
    }
}

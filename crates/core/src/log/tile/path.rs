//! Paths of tiles, `tile/<L>/<N>[.p/<W>]` and `tile/entries/<N>[.p/<W>]`, with N in groups of three
//! digits.

use std::fmt;

use super::{Tile, WIDTH};
use crate::log::numeral;

/// The resource that a tile path names. Entry bundles have the same positions as tiles of level 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// A tile of hashes.
    Hashes(Tile),
    /// A bundle of entries.
    Entries {
        /// Position among the bundles.
        index: u64,
        /// Number of entries in the bundle: 1 to 256.
        width: u16,
    },
}

/// The reason why a path is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It does not have the required parts.
    #[error("the path is not tile/<L>/<N>, tile/entries/<N> or one of these with .p/<W>")]
    Shape,
    /// The level is out of range.
    #[error("the level is a number from 0 to 63 without leading zeros, or the word entries")]
    Level,
    /// The index is not in the canonical form.
    #[error("the index is written in groups of three digits, an x before all but the last")]
    Index,
    /// The width is out of range.
    #[error("the width of a partial tile is a number from 1 to 255 without leading zeros")]
    Width,
}

const LEVEL_MAX: u64 = 63;
/// Seven groups of three digits are enough for any index.
const GROUPS_MAX: usize = 7;

impl Resource {
    /// Parses a path. Each resource has exactly one path: `x000/001` for `001` is rejected.
    ///
    /// # Errors
    /// Returns an error if it is not a path of C2SP `tlog-tiles`.
    pub fn parse(path: &str) -> Result<Self, PathError> {
        let rest = path.strip_prefix("tile/").ok_or(PathError::Shape)?;
        let (level, rest) = rest.split_once('/').ok_or(PathError::Shape)?;
        let (index, width) = match rest.split_once(".p/") {
            Some((index, width)) => (index, parse_width(width).ok_or(PathError::Width)?),
            None => (rest, WIDTH),
        };
        let index = parse_index(index).ok_or(PathError::Index)?;
        if level == "entries" {
            return Ok(Self::Entries { index, width });
        }
        let level = numeral::parse(level).filter(|level| *level <= LEVEL_MAX);
        let level = level.ok_or(PathError::Level)? as u8;
        Ok(Self::Hashes(Tile { level, index, width }))
    }
}

fn parse_width(text: &str) -> Option<u16> {
    let width = u16::try_from(numeral::parse(text)?).ok()?;
    (1..WIDTH).contains(&width).then_some(width)
}

fn parse_index(text: &str) -> Option<u64> {
    let groups: Vec<&str> = text.split('/').collect();
    if groups.len() > GROUPS_MAX || (groups.len() > 1 && groups[0] == "x000") {
        return None;
    }
    let (last, before) = groups.split_last()?;
    let mut digits = String::with_capacity(3 * GROUPS_MAX);
    for group in before {
        digits.push_str(group.strip_prefix('x').filter(|group| is_group(group))?);
    }
    digits.push_str(Some(*last).filter(|group| is_group(group))?);
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { Some(0) } else { numeral::parse(digits) }
}

fn is_group(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (index, width) = match self {
            Self::Hashes(tile) => {
                write!(formatter, "tile/{}/", tile.level)?;
                (tile.index, tile.width)
            }
            Self::Entries { index, width } => {
                formatter.write_str("tile/entries/")?;
                (*index, *width)
            }
        };
        let mut divisor = 1;
        while index / divisor >= 1000 {
            divisor *= 1000;
        }
        while divisor > 1 {
            write!(formatter, "x{:03}/", index / divisor % 1000)?;
            divisor /= 1000;
        }
        write!(formatter, "{:03}", index % 1000)?;
        if width < WIDTH { write!(formatter, ".p/{width}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;

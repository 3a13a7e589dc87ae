//! Markets: the areas in which users work.
//!
//! A market is a country, a subdivision of it, or a place that the company defines in either: `DE`,
//! `DE-BE`, `DE-BE.berlin`, `UY.montevideo`.
//!
//! The module `terms` decides which terms apply in a market. The store keeps which places are
//! declared.

mod codes;

use std::fmt;

/// Longest name of a place, which matches `[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?`.
const PLACE_CHARS_MAX: usize = 40;

/// The code of a market.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Market(String);

impl Market {
    /// Parses the code of a market. Its country and subdivision must be assigned codes.
    pub fn parse(text: &str) -> Option<Self> {
        let market = Self::from_stored(text)?;
        codes::is_assigned(market.country(), market.subdivision()).then_some(market)
    }

    /// Parses a code that was assigned when it was stored. Codes are sometimes withdrawn, but
    /// records under them stay valid.
    pub fn from_stored(text: &str) -> Option<Self> {
        let (area, place) = match text.split_once('.') {
            Some((area, place)) => (area, Some(place)),
            None => (text, None),
        };
        let (country, subdivision) = match area.split_once('-') {
            Some((country, subdivision)) => (country, Some(subdivision)),
            None => (area, None),
        };
        let is_country =
            country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_subdivision = |text: &str| {
            let is_code = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
            (1..=4).contains(&text.len()) && text.bytes().all(is_code)
        };
        let is_market =
            is_country && subdivision.is_none_or(is_subdivision) && place.is_none_or(is_place);
        is_market.then(|| Self(text.to_owned()))
    }

    /// Returns the code.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the country (ISO 3166-1 alpha-2).
    pub fn country(&self) -> &str {
        &self.0[..2]
    }

    /// Returns the part of the subdivision's code after the country (ISO 3166-2), if there is one.
    pub fn subdivision(&self) -> Option<&str> {
        let area = self.0.split('.').next()?;
        area.split_once('-').map(|(_, subdivision)| subdivision)
    }

    /// Returns the company's own place, if there is one. It must be declared before it is used.
    pub fn place(&self) -> Option<&str> {
        self.0.split_once('.').map(|(_, place)| place)
    }

    /// Returns the number of parts in the code. Of two markets that contain a third, the one with
    /// more parts is narrower.
    pub fn depth(&self) -> usize {
        1 + usize::from(self.subdivision().is_some()) + usize::from(self.place().is_some())
    }

    /// Returns whether this market equals `outer` or is inside it. The comparison is by parts, so
    /// `DE-BE.berlin` is not inside `DE-BE.ber`.
    pub fn is_within(&self, outer: &Self) -> bool {
        match self.0.strip_prefix(&outer.0) {
            Some("") => true,
            Some(rest) => outer.place().is_none() && rest.starts_with(['-', '.']),
            None => false,
        }
    }

    /// Returns whether `inner` equals this market or is inside it.
    pub fn contains(&self, inner: &Self) -> bool {
        inner.is_within(self)
    }

    /// Returns this market and those that contain it, narrowest first.
    pub fn with_around(&self) -> impl Iterator<Item = Self> {
        let area = self.0.split('.').next().unwrap_or_default();
        let around = [&self.0, area, self.country()];
        let distinct = (0..around.len()).filter(move |&i| i == 0 || around[i] != around[i - 1]);
        distinct.map(move |i| Self(around[i].to_owned()))
    }
}

fn is_place(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    bytes.len() <= PLACE_CHARS_MAX
        && ends.into_iter().all(|byte| byte.copied().is_some_and(is_letter))
        && bytes.iter().all(|&byte| is_letter(byte) || byte == b'-')
}

impl fmt::Display for Market {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for Market {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests;

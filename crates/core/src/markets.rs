//! Markets: where somebody works. A market is a country, a subdivision of it, or a place of the company's own in
//! either: `DE`, `DE-BE`, `DE-BE.berlin`, `UY.montevideo`.
//!
//! Which terms somebody of a market has is in `terms`; which places are declared, the store knows.

mod codes;

use std::fmt;

/// A place: `[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?`.
const PLACE_CHARS_MAX: usize = 40;

/// The code of a market.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Market(String);

impl Market {
    /// Reads the code of a market, of which the country and the subdivision are assigned.
    pub fn parse(text: &str) -> Option<Self> {
        let market = Self::from_stored(text)?;
        codes::is_assigned(market.country(), market.subdivision()).then_some(market)
    }

    /// Reads a code that was assigned when it was stored: codes are withdrawn now and then, and what was recorded
    /// under one stays.
    pub fn from_stored(text: &str) -> Option<Self> {
        let (area, place) = match text.split_once('.') {
            Some((area, place)) => (area, Some(place)),
            None => (text, None),
        };
        let (country, subdivision) = match area.split_once('-') {
            Some((country, subdivision)) => (country, Some(subdivision)),
            None => (area, None),
        };
        let is_country = country.len() == 2 && country.bytes().all(|it| it.is_ascii_uppercase());
        let is_subdivision = |text: &str| {
            let is_code = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
            (1..=4).contains(&text.len()) && text.bytes().all(is_code)
        };
        let is_market =
            is_country && subdivision.is_none_or(is_subdivision) && place.is_none_or(is_place);
        is_market.then(|| Self(text.to_owned()))
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The country (ISO 3166-1 alpha-2).
    pub fn country(&self) -> &str {
        &self.0[..2]
    }

    /// The part of a subdivision's code after the country (ISO 3166-2), if the market names one.
    pub fn subdivision(&self) -> Option<&str> {
        let area = self.0.split('.').next()?;
        area.split_once('-').map(|(_, subdivision)| subdivision)
    }

    /// The company's own place, if the market names one. It must be declared before it is used.
    pub fn place(&self) -> Option<&str> {
        self.0.split_once('.').map(|(_, place)| place)
    }

    /// How many parts the code has: of two markets around a third one, that with more is the narrower.
    pub fn depth(&self) -> usize {
        1 + usize::from(self.subdivision().is_some()) + usize::from(self.place().is_some())
    }

    /// Whether it is that market, or inside it: by parts, so `DE-BE.berlin` is not inside `DE-BE.ber`.
    pub fn is_within(&self, outer: &Self) -> bool {
        match self.0.strip_prefix(&outer.0) {
            Some("") => true,
            Some(rest) => outer.place().is_none() && rest.starts_with(['-', '.']),
            None => false,
        }
    }

    /// Whether that market is this one, or inside it.
    pub fn contains(&self, inner: &Self) -> bool {
        inner.is_within(self)
    }

    /// Itself and the markets around it, the narrowest first.
    pub fn with_around(&self) -> impl Iterator<Item = Self> {
        let area = self.0.split('.').next().unwrap_or_default();
        let around = [&self.0, area, self.country()];
        let wanted = (0..around.len()).filter(move |&i| i == 0 || around[i] != around[i - 1]);
        wanted.map(move |i| Self(around[i].to_owned()))
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

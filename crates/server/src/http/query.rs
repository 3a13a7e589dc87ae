//! The query string of an address, read into structs whose fields document its parameters.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use musette_core::instant::Instant;

use super::problem::Problem;

/// Longer than any name, address or number that is kept.
const SEARCH_CHARS_MAX: usize = 200;

/// Its pairs, decoded; bytes that are not UTF-8 become U+FFFD, which fits no rule of ours.
pub fn query_pairs(query: &str) -> impl Iterator<Item = (String, String)> + '_ {
    form_urlencoded::parse(query.as_bytes()).into_owned()
}

/// A struct that a query is read into.
pub trait FromQuery: Sized {
    /// # Errors
    /// 400 `invalid_parameter`.
    fn from_query(parameters: &Parameters) -> Result<Self, Problem>;
}

/// The query of a call.
pub struct Query<Q>(pub Q);

impl<Q: FromQuery, S: Sync> FromRequestParts<S> for Query<Q> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Q::from_query(&Parameters::of(parts)).map(Self)
    }
}

/// The parameters of a query that is read later, after what else is refused first.
pub struct Parameters(Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for Parameters {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(parts))
    }
}

impl Parameters {
    pub fn of(parts: &Parts) -> Self {
        Self(query_pairs(parts.uri.query().unwrap_or_default()).collect())
    }

    /// The values of this name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The first value of this name.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The first value of this name, unless it is empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.first(name).filter(|value| !value.is_empty())
    }

    /// The first value of this name, parsed; 400 if that fails.
    pub fn parsed<T>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match parse(text) {
            Some(value) => Ok(Some(value)),
            None => Err(Problem::invalid_parameter(format!("'{name}' is {expected}."))),
        }
    }

    pub fn instant(&self, name: &str) -> Result<Option<Instant>, Problem> {
        self.parsed(name, |text| Instant::parse(text).ok(), "an RFC 3339 instant")
    }

    /// The search text; empty if absent.
    pub fn search(&self) -> Result<String, Problem> {
        let is_short = |text: &str| text.chars().count() <= SEARCH_CHARS_MAX;
        let read = |text: &str| is_short(text).then(|| text.to_owned());
        Ok(self.parsed("q", read, "at most 200 characters")?.unwrap_or_default())
    }
}

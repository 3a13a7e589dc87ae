//! Parses query strings into structs whose fields document the parameters.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use musette_core::instant::Instant;

use super::problem::Problem;

/// Longer than any stored name, address or number.
const SEARCH_CHARS_MAX: usize = 200;

/// Returns the decoded pairs. Bytes that are not UTF-8 become U+FFFD, which no parameter accepts.
pub fn query_pairs(query: &str) -> impl Iterator<Item = (String, String)> + '_ {
    form_urlencoded::parse(query.as_bytes()).into_owned()
}

/// A struct that a query is parsed into.
pub trait FromQuery: Sized {
    /// # Errors
    /// 400 `invalid_parameter`.
    fn from_query(parameters: &Parameters) -> Result<Self, Problem>;
}

/// The query of a request.
pub struct Query<Q>(pub Q);

impl<Q: FromQuery, S: Sync> FromRequestParts<S> for Query<Q> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Q::from_query(&Parameters::of(parts)).map(Self)
    }
}

/// The parameters of a query that is parsed later, after other checks.
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

    /// Returns the values of this name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first value of this name.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Returns the first value of this name, unless it is empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.first(name).filter(|value| !value.is_empty())
    }

    /// Parses the first value of this name, or returns 400.
    pub fn parsed<T>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match parse(text) {
            Some(value) => Ok(Some(value)),
            None => Err(Problem::invalid_parameter(format!("'{name}' must be {expected}."))),
        }
    }

    pub fn instant(&self, name: &str) -> Result<Option<Instant>, Problem> {
        self.parsed(name, |text| Instant::parse(text).ok(), "an RFC 3339 timestamp")
    }

    /// Returns the search text. Empty if it is absent.
    pub fn search(&self) -> Result<String, Problem> {
        let is_short = |text: &str| text.chars().count() <= SEARCH_CHARS_MAX;
        let read = |text: &str| is_short(text).then(|| text.to_owned());
        Ok(self.parsed("q", read, "a text of at most 200 characters")?.unwrap_or_default())
    }
}

//! Pages of lists: `?limit=` and an opaque `cursor`, the key of the last item of the previous page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::problem::Problem;
use super::query::{FromQuery, Parameters};

const LIMIT: usize = 50;
pub const LIMIT_MAX: usize = 200;

/// Parameters of a page of a list.
#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// The number of items per page. Default: 50.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    pub limit: usize,
    /// The `next_cursor` of the previous page. Absent for the first page.
    // Decoded. Empty: the first page.
    #[param(rename = "cursor", value_type = Option<String>)]
    pub after: String,
}

impl Page {
    /// Returns the number before which the page begins, for a list in descending order.
    pub fn before_number(&self) -> Result<i64, Problem> {
        match self.after.as_str() {
            "" => Ok(i64::MAX),
            text => text.parse().map_err(|_| unknown_cursor()),
        }
    }

    /// Returns the UUID before which the page begins, for a list in descending order. All UUIDs
    /// sort before "g", in any collation.
    pub fn before_uuid(&self) -> &str {
        if self.after.is_empty() { "g" } else { &self.after }
    }

    /// Returns the number of rows to query: one more than the limit, to detect a next page.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// Returns the page of these rows. `key` returns the key after which the next page begins.
    pub fn of<T, B>(
        &self,
        mut rows: Vec<T>,
        key: impl Fn(&T) -> String,
        body: impl FnMut(T) -> B,
    ) -> Paged<B> {
        let more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let next_cursor = rows.last().filter(|_| more).map(|last| cursor(&key(last)));
        Paged { items: rows.into_iter().map(body).collect(), next_cursor }
    }
}

pub fn unknown_cursor() -> Problem {
    Problem::invalid_parameter("'cursor' must be the next_cursor of a previous page.")
}

pub fn cursor(after: &str) -> String {
    URL_SAFE_NO_PAD.encode(after)
}

fn decode(text: &str) -> Option<String> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    // A cursor with U+0000, which no name contains, must not reach an SQL statement.
    (!text.contains('\0')).then_some(text)
}

/// One page of a list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Paged<B> {
    /// The items of this page.
    pub items: Vec<B>,
    /// The `cursor` of the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl<B> Paged<B> {
    pub const fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None }
    }
}

impl FromQuery for Page {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let limit = match parameters.first("limit") {
            None => LIMIT,
            Some(text) => {
                let limit = text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
                limit.ok_or_else(|| {
                    Problem::invalid_parameter(format!(
                        "'limit' must be a number from 1 to {LIMIT_MAX}."
                    ))
                })?
            }
        };
        let after = match parameters.first("cursor") {
            None => String::new(),
            Some(text) => decode(text).ok_or_else(unknown_cursor)?,
        };
        Ok(Self { limit, after })
    }
}

/// Parameters of a page of a list whose next page is `next`.
#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageAfter {
    /// The number of items per page. Default: 50.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    pub limit: usize,
    /// The `next` of the previous page. Absent for the first page.
    // Decoded. Empty: the first page.
    #[param(value_type = Option<String>)]
    pub after: String,
}

impl FromQuery for PageAfter {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        let limit = |text: &str| text.parse().ok().filter(|n| (1..=LIMIT_MAX).contains(n));
        let limit = parameters.parsed("limit", limit, "a number from 1 to 200")?;
        let after = parameters.parsed("after", decode, "the 'next' of a previous page")?;
        Ok(Self { limit: limit.unwrap_or(LIMIT), after: after.unwrap_or_default() })
    }
}

impl PageAfter {
    /// Returns the number of rows to query: one more than the limit, to detect a next page.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// Returns the page of these rows. `key` returns the key after which the next page begins.
    pub fn of<T, B>(
        &self,
        mut rows: Vec<T>,
        key: impl Fn(&T) -> String,
        body: impl FnMut(T) -> B,
    ) -> Following<B> {
        let more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let next = rows.last().filter(|_| more).map(|last| cursor(&key(last)));
        Following { items: rows.into_iter().map(body).collect(), next }
    }
}

/// One page of a list whose next page is `next`.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Following<B> {
    /// The items of this page.
    pub items: Vec<B>,
    /// The `after` of the next page. Null on the last page.
    #[schema(required)]
    pub next: Option<String>,
}

/// Search text for a list.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// The beginning of an id, e-mail address or phone number, or a part of a name. At most 200
    /// characters.
    #[param(value_type = Option<String>, max_length = 200)]
    pub q: String,
}

impl FromQuery for SearchQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self { q: parameters.search()? })
    }
}

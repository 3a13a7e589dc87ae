//! Lists are bounded: `?limit=` and an opaque `cursor`, which is the last thing of the page before.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use musette_core::instant::Instant;
use serde::Serialize;

use crate::http::problem::Problem;
use crate::http::query::query_pairs;

const LIMIT: usize = 50;
pub const LIMIT_MAX: usize = 200;
const SEARCH_CHARS_MAX: usize = 200;

/// The query of a list.
#[derive(Debug)]
pub struct Page {
    pub limit: usize,
    /// Empty: from the beginning.
    pub after: String,
    query: Vec<(String, String)>,
}

impl Page {
    /// A filter of the list; empty is as good as absent.
    pub fn filter(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// `?q=`: what somebody typed; empty where it is absent.
    pub fn search(&self) -> Result<&str, Problem> {
        let text = self.filter("q").unwrap_or_default();
        if text.chars().count() > SEARCH_CHARS_MAX {
            return Err(Problem::invalid_parameter("'q' is longer than anything that we keep."));
        }
        Ok(text)
    }

    /// A filter that is an RFC 3339 instant.
    pub fn instant(&self, name: &str) -> Result<Option<Instant>, Problem> {
        let parsed = self.filter(name).map(Instant::parse).transpose();
        parsed.map_err(|_| {
            Problem::invalid_parameter(format!("'{name}' is not an RFC 3339 instant."))
        })
    }

    /// Where a list that goes down from the newest number begins.
    pub fn before_number(&self) -> Result<i64, Problem> {
        match self.after.as_str() {
            "" => Ok(i64::MAX),
            text => text.parse().map_err(|_| unknown_cursor()),
        }
    }

    /// Where a list that goes down from the newest UUID begins: all of them come before "g", however a
    /// database sorts texts.
    pub fn before_uuid(&self) -> &str {
        if self.after.is_empty() { "g" } else { &self.after }
    }

    /// One row more than fits tells whether there is a next page.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// The page of what was found, where `key` is what the next page begins after.
    pub fn of<T, B>(
        &self,
        mut found: Vec<T>,
        key: impl Fn(&T) -> String,
        body: impl FnMut(T) -> B,
    ) -> Paged<B> {
        let more = found.len() > self.limit;
        found.truncate(self.limit);
        let next_cursor = found.last().filter(|_| more).map(|last| cursor(&key(last)));
        Paged { items: found.into_iter().map(body).collect(), next_cursor }
    }
}

pub fn unknown_cursor() -> Problem {
    Problem::invalid_parameter("'cursor' is none that a page before gave.")
}

pub fn cursor(after: &str) -> String {
    URL_SAFE_NO_PAD.encode(after)
}

/// One page of a list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Paged<B> {
    /// The items of this page.
    pub items: Vec<B>,
    /// Pass it as `cursor` to read the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl<B> Paged<B> {
    pub const fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Page {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query: Vec<_> = query_pairs(parts.uri.query().unwrap_or_default()).collect();
        let find = |name| query.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let limit = match find("limit") {
            None => LIMIT,
            Some(text) => {
                let limit = text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
                limit.ok_or_else(|| {
                    Problem::invalid_parameter(format!(
                        "'limit' is a number from 1 to {LIMIT_MAX}."
                    ))
                })?
            }
        };
        let after = match find("cursor") {
            None => String::new(),
            Some(text) => {
                let bytes = URL_SAFE_NO_PAD.decode(text).ok();
                let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                // What no name of ours has must not get into a statement by this way either.
                text.filter(|text| !text.contains('\0')).ok_or_else(unknown_cursor)?
            }
        };
        Ok(Self { limit, after, query })
    }
}

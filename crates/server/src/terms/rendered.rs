//! Public lists of terms, rendered once for all identical requests.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use axum::http::HeaderValue;
use bytes::Bytes;
use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{Catalog, TermType};
use serde::Serialize;

use super::body::term_bodies;
use crate::platform::etag;

/// A cache of public lists, so that a thousand applicants cost one rendering. It is limited in
/// size, and dropped together with its revision.
pub struct RenderedLists<K>(RwLock<HashMap<K, Arc<RenderedBody>>>);

impl<K> Default for RenderedLists<K> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

/// The public lists of terms.
#[derive(Default)]
pub struct RenderedTerms(RenderedLists<Key>);

/// The types, the market, the languages and the origin of a list.
type Key = (Vec<TermType>, Option<Market>, String, String);

/// The maximum number of lists, so that requests with many different languages cannot fill the
/// memory.
const RENDERED_MAX: usize = 1024;

/// A body with its ETag.
pub struct RenderedBody {
    /// The time of the next scheduled change, until which the body is valid.
    pub until: Option<Instant>,
    pub body: Bytes,
    pub etag: HeaderValue,
}

impl RenderedBody {
    pub fn of(body: &impl Serialize, until: Option<Instant>) -> Self {
        let body = serde_json::to_vec(body).unwrap_or_default();
        Self { until, etag: etag::of_bytes(&body), body: body.into() }
    }
}

impl<K: Eq + Hash> RenderedLists<K> {
    /// Returns the list of this key. Calls `render` if there is none, or a scheduled change has
    /// taken effect.
    pub fn get(
        &self,
        key: K,
        now: Instant,
        render: impl FnOnce(&K) -> RenderedBody,
    ) -> Arc<RenderedBody> {
        let read = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(rendered) = read.get(&key)
            && rendered.until.is_none_or(|until| now < until)
        {
            return Arc::clone(rendered);
        }
        drop(read);
        let rendered = Arc::new(render(&key));
        let mut write = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if write.len() >= RENDERED_MAX {
            write.clear();
        }
        write.insert(key, Arc::clone(&rendered));
        rendered
    }
}

impl RenderedTerms {
    pub fn get(
        &self,
        catalog: &Catalog,
        types: Vec<TermType>,
        market: Option<Market>,
        language: String,
        origin: String,
        now: Instant,
    ) -> Arc<RenderedBody> {
        // Without texts that are limited to markets, all requests get the same list.
        let market = market.filter(|_| catalog.has_markets());
        let key = (types, market, language, origin);
        self.0.get(key, now, |(types, market, language, origin)| {
            let in_effect = catalog.in_effect_for(types, market.as_ref(), now);
            let terms = term_bodies(catalog, in_effect, language, origin);
            RenderedBody::of(&terms, catalog.next_change(now))
        })
    }
}

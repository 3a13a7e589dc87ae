//! The query string of an address.

/// Its pairs, decoded; bytes that are not UTF-8 become U+FFFD, which fits no rule of ours.
pub fn query_pairs(query: &str) -> impl Iterator<Item = (String, String)> + '_ {
    form_urlencoded::parse(query.as_bytes()).into_owned()
}

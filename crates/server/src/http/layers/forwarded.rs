//! The client's address as trusted proxies report it.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the client's address behind proxies that `trusts` accepts: each proxy appends the address that it saw, so
/// it is the last one that is not a proxy. `None` if no header names one. `Err` holds an entry that is not an address:
/// entries to the left of it come from the client and are not used.
///
/// `X-Forwarded-For` wins over `Forwarded` (RFC 7239), because proxies that write the former pass on the latter as the
/// client sent it.
pub fn client_address(
    headers: &HeaderMap,
    trusts: impl Fn(IpAddr) -> bool,
) -> Result<Option<IpAddr>, &str> {
    let values =
        |name| headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("\u{fffd}"));
    let entries: Vec<&str> = if headers.contains_key(X_FORWARDED_FOR) {
        values(X_FORWARDED_FOR).flat_map(|value| value.split(',')).collect()
    } else {
        let mut entries = Vec::new();
        for value in values(header::FORWARDED) {
            // An open quote would hide what a proxy appends.
            if value.matches('"').count() % 2 == 1 {
                return Err(value);
            }
            entries.extend(split_unquoted(value, ',').map(forwarded_for));
        }
        entries
    };
    for entry in entries.into_iter().rev().map(str::trim).filter(|entry| !entry.is_empty()) {
        let address = parse_node(entry).ok_or(entry)?;
        if !trusts(address) {
            return Ok(Some(address));
        }
    }
    Ok(None)
}

/// Splits a `Forwarded` value at the separators that are not in a quoted string.
fn split_unquoted(value: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut in_quotes = false;
    value.split(move |character| {
        in_quotes ^= character == '"';
        character == separator && !in_quotes
    })
}

/// Returns the value of `for=` of a `Forwarded` element. An element without exactly one is not an address.
fn forwarded_for(element: &str) -> &str {
    let mut values = split_unquoted(element, ';').filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then(|| value.trim())
    });
    match (values.next(), values.next()) {
        (Some(value), None) => value.trim_matches('"'),
        _ => element,
    }
}

/// Reads an address with or without a port; an IPv6 address with a port is in brackets.
fn parse_node(text: &str) -> Option<IpAddr> {
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let address: IpAddr = text.parse().ok().or_else(bracketed).or_else(with_port)?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(lines: &[(&'static str, &str)]) -> Result<Option<String>, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_str(value).expect("a header value"));
        }
        let proxy = |address: IpAddr| address.to_string().starts_with("10.");
        match client_address(&headers, proxy) {
            Ok(address) => Ok(address.map(|address| address.to_string())),
            Err(entry) => Err(entry.to_owned()),
        }
    }

    #[test]
    fn reads_all_forms_of_an_address() {
        for (name, value, expected) in [
            ("x-forwarded-for", "203.0.113.7", "203.0.113.7"),
            ("x-forwarded-for", "203.0.113.7:51234", "203.0.113.7"),
            ("x-forwarded-for", "[2001:db8::7]:443", "2001:db8::7"),
            ("x-forwarded-for", "[2001:db8::7]", "2001:db8::7"),
            ("x-forwarded-for", "2001:db8::7", "2001:db8::7"),
            ("x-forwarded-for", "::ffff:203.0.113.7", "203.0.113.7"),
            ("x-forwarded-for", "unknown, 203.0.113.8", "203.0.113.8"),
            ("x-forwarded-for", "198.51.100.1, 203.0.113.8 , 10.0.0.1:80,", "203.0.113.8"),
            ("forwarded", "for=203.0.113.9;proto=https", "203.0.113.9"),
            ("forwarded", "proto=https; For=\"203.0.113.9:80\"", "203.0.113.9"),
            ("forwarded", "for=\"[2001:db8::9]:4711\"", "2001:db8::9"),
            ("forwarded", "host=\"a;for=6.6.6.6\";for=203.0.113.9", "203.0.113.9"),
            ("forwarded", "for=1.1.1.1, for=203.0.113.9;by=\"a,b\", for=10.0.0.1", "203.0.113.9"),
        ] {
            assert_eq!(read(&[(name, value)]), Ok(Some(expected.to_owned())), "{name}: {value}");
        }
    }

    #[test]
    fn uses_nothing_to_the_left_of_an_entry_that_is_not_an_address() {
        for (name, value, entry) in [
            ("x-forwarded-for", "not-an-address", "not-an-address"),
            ("x-forwarded-for", "203.0.113.8, unknown, 10.0.0.1", "unknown"),
            ("x-forwarded-for", "203.0.113.8, 1.2.3.4:x", "1.2.3.4:x"),
            ("forwarded", "for=203.0.113.8, for=_hidden", "_hidden"),
            ("forwarded", "for=203.0.113.8, proto=https", "proto=https"),
            (
                "forwarded",
                "for=203.0.113.8;x=\"; y, for=10.0.0.1",
                "for=203.0.113.8;x=\"; y, for=10.0.0.1",
            ),
            ("forwarded", "for=6.6.6.6;for=203.0.113.8", "for=6.6.6.6;for=203.0.113.8"),
        ] {
            assert_eq!(read(&[(name, value)]), Err(entry.to_owned()), "{name}: {value}");
        }
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[("x-forwarded-for", "10.0.0.1")]), Ok(None));
    }

    #[test]
    fn prefers_x_forwarded_for_and_reads_its_lines_in_order() {
        let lines = [
            ("forwarded", "for=198.51.100.1"),
            ("x-forwarded-for", "198.51.100.2"),
            ("x-forwarded-for", "203.0.113.7"),
        ];
        assert_eq!(read(&lines), Ok(Some("203.0.113.7".to_owned())));
    }
}

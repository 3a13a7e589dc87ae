//! Removes secrets from error messages about settings.

use clap::error::{ContextKind, ContextValue};

/// Options whose values are not repeated in messages, even if they are malformed.
const SECRET_OPTIONS: [&str; 4] =
    ["--database", "--code-delivery", "--oidc-client-secret", "--flag-key"];

/// Returns the message of clap without the values of secret options.
pub fn without_secret_value(error: &clap::Error) -> String {
    let text = error.to_string();
    let (Some(ContextValue::String(option)), Some(ContextValue::String(value))) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::InvalidValue))
    else {
        return text;
    };
    let is_secret = SECRET_OPTIONS.iter().any(|secret| option.starts_with(secret));
    if is_secret && !value.is_empty() { text.replace(&format!("'{value}' "), "") } else { text }
}

/// Removes user, password and query string from each URL in a text. A password may contain any
/// character, such as a quote or a space, so everything before the last `@` of the line, or of the
/// next URL, is removed.
pub fn without_passwords(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        shown.push_str(before);
        shown.push_str("://");
        let line = after.find('\n').unwrap_or(after.len());
        let next = after[..line].find("://").map_or(line, |at| {
            // The scheme of the next URL is not part of this one.
            after[..at]
                .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "+-.".contains(c))
                .len()
        });
        let (address, later) = after.split_at(next);
        let address = address.rsplit_once('@').map_or(address, |(_, host)| host);
        match address.split_once('?') {
            Some((address, query)) => {
                shown.push_str(address);
                shown.push_str("?…");
                let end = query.find(' ').unwrap_or(query.len());
                shown.push_str(&query[end..]);
            }
            None => shown.push_str(address),
        }
        rest = later;
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::without_passwords;

    #[test]
    fn removes_passwords_from_urls() {
        for (text, expected) in [
            ("nothing here: a@b.example", "nothing here: a@b.example"),
            ("postgres://host/db", "postgres://host/db"),
            ("at postgres://u:pw@host/db, it", "at postgres://host/db, it"),
            ("'postgre://u:p@w/x@host/db' for", "'postgre://host/db' for"),
            ("smtp://u:pw@a and https://u@b/?c=d", "smtp://a and https://b/?…"),
            ("postgres://u:p'w\"@host/db", "postgres://host/db"),
            ("postgres://u:p w@host/db", "postgres://host/db"),
            ("at postgres://host/db?password=p'w, now", "at postgres://host/db?… now"),
            ("one\npostgres://u:p@host\ntwo@three", "one\npostgres://host\ntwo@three"),
        ] {
            assert_eq!(without_passwords(text), expected);
        }
    }
}

//! Errors about settings, without their secrets.

use clap::error::{ContextKind, ContextValue};

/// Options of which not even a mistyped value is repeated.
const SECRET_OPTIONS: [&str; 4] =
    ["--database", "--code-delivery", "--oidc-client-secret", "--flag-key"];

/// The message of clap without the values of secret options.
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

/// The text, in which no address has its user and password any more.
pub fn without_passwords(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        let end = after.find([' ', '\'', '"', '\n']).unwrap_or(after.len());
        let (address, next) = after.split_at(end);
        said.push_str(before);
        said.push_str("://");
        // A password may have an `@` or a `/` of its own: all before the last one goes.
        said.push_str(address.rsplit_once('@').map_or(address, |(_, host)| host));
        rest = next;
    }
    said.push_str(rest);
    said
}

#[cfg(test)]
mod tests {
    use super::without_passwords;

    #[test]
    fn addresses_lose_their_passwords() {
        for (text, want) in [
            ("nothing here: a@b.example", "nothing here: a@b.example"),
            ("postgres://host/db", "postgres://host/db"),
            ("at postgres://u:pw@host/db, it", "at postgres://host/db, it"),
            ("'postgre://u:p@w/x@host/db' for", "'postgre://host/db' for"),
            ("smtp://u:pw@a and https://u@b/?c=d", "smtp://a and https://b/?c=d"),
        ] {
            assert_eq!(without_passwords(text), want);
        }
    }
}

//! The setting `--flag-key`.

/// Checks that the key is a client key: pages of the rider app are public, and a server key would
/// reveal all flags.
pub(super) fn parse(text: &str) -> Result<String, String> {
    let is_key = text.strip_prefix("musette_client_").is_some_and(|rest| {
        (1..=200).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    is_key.then(|| text.to_owned()).ok_or_else(|| "this is not a client key of musette".into())
}

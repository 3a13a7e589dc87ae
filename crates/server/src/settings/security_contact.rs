//! The setting `--security-contact`.

/// Checks a contact for `security.txt` (RFC 9116 §2.5.3), which must be a `mailto:` or `https:`
/// URL.
pub(super) fn parse(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("mailto:").or_else(|| text.strip_prefix("https://"));
    let is_address = rest.is_some_and(|rest| !rest.is_empty())
        && text.bytes().all(|byte| byte.is_ascii_graphic());
    is_address
        .then(|| text.to_owned())
        .ok_or_else(|| "it must be mailto: with an address, or https:// with a page".into())
}

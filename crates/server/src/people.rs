//! People: the import of a CSV file that adds and changes them atomically, notifications to their
//! previous addresses, and the rule for user IDs.

pub mod contact_notices;
pub mod import;

/// The rule that [`is_user_id`] checks, for messages.
pub const USER_ID_RULE: &str = "A user ID must have 1 to 128 characters and must not be . or ..";

/// Returns whether a text is a valid user ID. Browsers and proxies resolve `.` and `..` in a URL as
/// folders, so that a request about such a user would reach another route.
pub fn is_user_id(text: &str) -> bool {
    (1..=128).contains(&text.chars().count())
        && !text.chars().any(char::is_control)
        && !matches!(text, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::is_user_id;

    #[test]
    fn accepts_user_ids_that_are_safe_in_a_url() {
        for good in ["r1", "...", ".a", "a.", "ü", "a b", &"a".repeat(128)] {
            assert!(is_user_id(good), "{good}");
        }
        for bad in ["", ".", "..", "a\0", "a\nb", &"a".repeat(129)] {
            assert!(!is_user_id(bad), "{bad:?}");
        }
    }
}

//! People: a CSV file that adds and changes them, all or nothing, messages to their former addresses, and which ids they may
//! have.

pub mod contact_notices;
pub mod import;

/// What [`is_user_id`] checks, for messages.
pub const USER_ID_RULE: &str = "A user id has 1 to 128 characters and is neither . nor ..";

/// Whether a text can be a user id. Browsers and proxies take `.` and `..` in an address for folders, so that a call about
/// such a person would reach another route.
pub fn is_user_id(text: &str) -> bool {
    (1..=128).contains(&text.chars().count())
        && !text.chars().any(char::is_control)
        && !matches!(text, "." | "..")
}

#[cfg(test)]
mod tests {
    use super::is_user_id;

    #[test]
    fn a_user_id_can_stand_in_an_address() {
        for good in ["r1", "...", ".a", "a.", "ü", "a b", &"a".repeat(128)] {
            assert!(is_user_id(good), "{good}");
        }
        for bad in ["", ".", "..", "a\0", "a\nb", &"a".repeat(129)] {
            assert!(!is_user_id(bad), "{bad:?}");
        }
    }
}

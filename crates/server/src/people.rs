//! People: the import of a CSV file that adds and changes them atomically, notifications to their
//! previous addresses, and the rule for user IDs.

pub mod import;

use musette_core::typed_text::{is_normal, normal_name};

/// The rule that [`is_new_user_id`] checks, for messages.
pub const USER_ID_RULE: &str = "A user ID must have 1 to 128 characters, none of them invisible or a compatibility form \
    (Unicode NFKC), and must not be . or ..";

/// The rule that [`person_name`] checks, for messages.
pub const NAME_RULE: &str = "A name must have 1 to 200 characters.";

const NAME_CHARS_MAX: usize = 200;

/// Returns whether a text is a valid user ID. Browsers and proxies resolve `.` and `..` in a URL as
/// folders, so that a request about such a user would reach another route.
pub fn is_user_id(text: &str) -> bool {
    (1..=128).contains(&text.chars().count())
        && !text.chars().any(char::is_control)
        && !matches!(text, "." | "..")
}

/// Returns whether a new person may have this ID: otherwise two people could have IDs that look the same. People of
/// earlier versions may have others.
pub fn is_new_user_id(text: &str) -> bool {
    is_user_id(text) && is_normal(text)
}

/// Returns the normal form of a person's name; `None` if it breaks [`NAME_RULE`].
pub fn person_name(text: &str) -> Option<String> {
    let is_name = text.chars().count() <= NAME_CHARS_MAX && !text.chars().any(char::is_control);
    let name = is_name.then(|| normal_name(text))?;
    (1..=NAME_CHARS_MAX).contains(&name.chars().count()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{is_new_user_id, is_user_id};

    #[test]
    fn accepts_user_ids_that_are_safe_in_a_url() {
        for good in ["r1", "...", ".a", "a.", "ü", "a b", &"a".repeat(128)] {
            assert!(is_user_id(good), "{good}");
        }
        for bad in ["", ".", "..", "a\0", "a\nb", &"a".repeat(129)] {
            assert!(!is_user_id(bad), "{bad:?}");
        }
        for former in ["r\u{200b}1", "ｒ1"] {
            assert!(is_user_id(former) && !is_new_user_id(former), "{former:?}");
        }
    }
}

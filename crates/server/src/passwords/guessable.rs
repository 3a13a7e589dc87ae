//! Passwords that are tried first. NIST SP 800-63B §3.1.1.2 wants those refused that are common, expected
//! or compromised, instead of rules on what characters they have.

use sha2::Digest as _;
use unicode_normalization::UnicodeNormalization as _;

/// The first four bytes of the SHA-256 of each, in order; `tools/passwords/make-tried-first.py` makes it.
/// One of 130,000 other passwords shares them with one of these and is refused as well.
static TRIED_FIRST: &[u8] = include_bytes!("tried-first.bin");
const PREFIX: usize = 4;
/// Names of this program.
const OURS: [&str; 3] = ["musette", "musetteconsole", "musetteadmin"];

/// Whether it is one of the common ones, or what anybody knows of whose it is: `about` are their
/// addresses, names and ids.
pub fn is_guessable(password: &str, about: &[&str]) -> bool {
    let folded = password.nfkc().collect::<String>().to_lowercase();
    is_common(&folded) || is_personal(&folded, about)
}

fn is_common(folded: &str) -> bool {
    let hash = sha2::Sha256::digest(folded.trim());
    let (prefixes, _) = TRIED_FIRST.as_chunks::<PREFIX>();
    prefixes.binary_search_by(|it| it[..].cmp(&hash[..PREFIX])).is_ok()
}

fn letters(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

/// Whether the password is the person's own name or address, ignoring separators; or our product's
/// name, also with digits around it; either of them repeated.
fn is_personal(folded: &str, about: &[&str]) -> bool {
    let password = letters(folded);
    let bare = password.trim_matches(|c: char| c.is_ascii_digit());
    let local = about.iter().filter_map(|it| it.split_once('@')).map(|(local, _)| local);
    let mut theirs = about.iter().copied().chain(local).map(letters);
    theirs.any(|it| repeats(&password, &it)) || OURS.iter().any(|it| repeats(bare, it))
}

fn repeats(text: &str, word: &str) -> bool {
    // Repeated single letters are in the list of common passwords.
    word.chars().count() > 1 && !text.is_empty() && text.replace(word, "").is_empty()
}

#[cfg(test)]
mod tests {
    use super::{PREFIX, TRIED_FIRST, is_guessable};

    #[test]
    fn what_everybody_tries_first_is_refused() {
        for common in [
            "password1234",
            "Password2024!",
            "PASSWORDPASSWORD",
            "qwerty123456",
            "123456789012",
            "qwertyuiopas",
            "aaaaaaaaaaaaaa",
            "1qaz2wsx3edc4rfv",
            "iloveyou1234",
            "administrator1",
            "letmeinletmein",
            "welcome12345",
            "changeme2026",
            "passwort1234",
            " 123456789012 ",
            "ｐａｓｓｗｏｒｄ１２３４",
        ] {
            assert!(is_guessable(common, &[]), "{common}");
        }
        for fine in [
            "correct horse battery",
            "correct horse battery staple",
            "a-long-enough-password",
            "the quick brown courier",
            "Zaun Kirsche Regen 7",
            "عشرون دراجة خضراء",
            "x9$kq2!vPz7m",
        ] {
            assert!(!is_guessable(fine, &["ada@larkspur.example", "Ada Quill", "a1"]), "{fine}");
        }
    }

    #[test]
    fn what_anybody_knows_of_the_person_is_refused() {
        let about = ["ada.quill@larkspur.example", "Ada Quill", "operator-17"];
        for known in [
            "ada.quill@larkspur.example",
            "Ada.Quill@Larkspur.Example",
            "adaquilladaquill",
            "Ada Quill Ada Quill",
            "operator-17operator-17",
            "musette-musette",
            "Musette 2026 ",
            "2026-musette-2026",
            "Musette Console!",
        ] {
            assert!(is_guessable(known, &about), "{known}");
        }
        assert!(!is_guessable("Ada Quill rides at dawn", &about));
        assert!(!is_guessable("عشرون دراجة", &["", "a"]));
        assert!(!is_guessable("", &[""]));
    }

    #[test]
    fn the_list_is_in_order_and_none_comes_twice() {
        let (prefixes, rest) = TRIED_FIRST.as_chunks::<PREFIX>();
        assert!(rest.is_empty() && prefixes.len() > 30_000);
        assert!(prefixes.is_sorted_by(|a, b| a < b));
    }
}

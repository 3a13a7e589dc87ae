//! Rejects passwords that attackers try first. NIST SP 800-63B §3.1.1.2 demands to reject common,
//! expected and compromised passwords, instead of rules for their characters.

use sha2::Digest as _;
use unicode_normalization::UnicodeNormalization as _;

/// The first four bytes of the SHA-256 of each common password, sorted. Created by
/// `tools/passwords/make-tried-first.py`. One in 130,000 other passwords has the same four bytes
/// and is rejected as well.
static TRIED_FIRST: &[u8] = include_bytes!("tried-first.bin");
const PREFIX: usize = 4;
/// Names of this program.
const PROGRAM_NAMES: [&str; 3] = ["musette", "musetteconsole", "musetteadmin"];

/// Returns whether a password is common, or consists of public data of its owner: `about` are their
/// addresses, names and IDs.
pub fn is_guessable(password: &str, about: &[&str]) -> bool {
    let folded = password.nfkc().collect::<String>().to_lowercase();
    is_common(&folded) || is_personal(&folded, about)
}

fn is_common(folded: &str) -> bool {
    let hash = sha2::Sha256::digest(folded.trim());
    let (prefixes, _) = TRIED_FIRST.as_chunks::<PREFIX>();
    prefixes.binary_search_by(|prefix| prefix[..].cmp(&hash[..PREFIX])).is_ok()
}

fn letters(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

/// Returns whether the password is the person's name or address, ignoring separators, or the name
/// of the program, possibly with digits around it; or one of them repeated.
fn is_personal(folded: &str, about: &[&str]) -> bool {
    let password = letters(folded);
    let bare = password.trim_matches(|c: char| c.is_ascii_digit());
    let local = about.iter().filter_map(|text| text.split_once('@')).map(|(local, _)| local);
    let mut personal = about.iter().copied().chain(local).map(letters);
    personal.any(|word| repeats(&password, &word))
        || PROGRAM_NAMES.iter().any(|name| repeats(bare, name))
}

fn repeats(text: &str, word: &str) -> bool {
    // Repeated single letters are in the list of common passwords.
    word.chars().count() > 1 && !text.is_empty() && text.replace(word, "").is_empty()
}

#[cfg(test)]
mod tests {
    use super::{PREFIX, TRIED_FIRST, is_guessable};

    #[test]
    fn rejects_common_passwords() {
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
    fn rejects_passwords_made_of_personal_data() {
        let about = ["ada.quill@larkspur.example", "Ada Quill", "operator-17"];
        for personal in [
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
            assert!(is_guessable(personal, &about), "{personal}");
        }
        assert!(!is_guessable("Ada Quill rides at dawn", &about));
        assert!(!is_guessable("عشرون دراجة", &["", "a"]));
        assert!(!is_guessable("", &[""]));
    }

    #[test]
    fn the_list_is_sorted_and_has_no_duplicates() {
        let (prefixes, rest) = TRIED_FIRST.as_chunks::<PREFIX>();
        assert!(rest.is_empty() && prefixes.len() > 30_000);
        assert!(prefixes.is_sorted_by(|a, b| a < b));
    }
}

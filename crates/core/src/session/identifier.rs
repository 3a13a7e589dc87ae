//! Identifiers for signing in: a phone number or an e-mail address, in the normal form in which it
//! is stored and looked up.

use crate::typed_text::normal_input;

/// An e-mail address or a phone number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Identifier {
    /// In lower case.
    Email(String),
    /// `+` and digits.
    Phone(String),
}

const CHARS_MAX: usize = 200;
/// E.164 allows 15; some countries' internal numbers are short.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=15;

impl Identifier {
    /// Parses and normalises what a person typed or pasted, also a `tel:` or `mailto:` link; `None` if it is neither an
    /// e-mail address nor a phone number.
    pub fn parse(text: &str) -> Option<Self> {
        // The length before the normal form: a text of any length would have to be normalised.
        if text.chars().count() > CHARS_MAX || text.trim().chars().any(char::is_control) {
            return None;
        }
        let text = normal_input(text);
        let (scheme, rest) = text.split_once(':').unwrap_or(("", &text));
        let text = match scheme.to_ascii_lowercase().as_str() {
            "tel" => rest.split(';').next().unwrap_or_default(),
            "mailto" => rest.split('?').next().unwrap_or_default(),
            _ => &text,
        };
        match text.split_once('@') {
            Some((local, domain)) => {
                let is_domain = domain.split('.').all(|label| !label.is_empty());
                let is_address = !local.is_empty() && is_domain && !domain.contains('@');
                (is_address && !text.contains(' ')).then(|| Self::Email(text.to_lowercase()))
            }
            None => phone(text).map(Self::Phone),
        }
    }

    /// Returns the normal form in which it is stored and compared.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Email(text) | Self::Phone(text) => text,
        }
    }
}

/// Returns whether a contact has an address, and each address that it has can be right. A phone number may have an
/// extension, so only its digits are checked.
pub fn is_reachable(email: Option<&str>, phone: Option<&str>) -> bool {
    let is_email = |text: &str| matches!(Identifier::parse(text), Some(Identifier::Email(_)));
    let is_phone = |text: &str| text.chars().filter(|c| c.is_numeric()).count() >= *DIGITS.start();
    let [email, phone] = [email, phone].map(|text| text.filter(|text| !text.trim().is_empty()));
    (email.is_some() || phone.is_some()) && email.is_none_or(is_email) && phone.is_none_or(is_phone)
}

fn phone(text: &str) -> Option<String> {
    // "00" before a country code is another way to write "+".
    let (plus, rest) = match (text.strip_prefix('+'), text.strip_prefix("00")) {
        (Some(rest), _) | (None, Some(rest)) => ("+", rest),
        (None, None) => ("", text),
    };
    let is_filler = |c: char| matches!(c, ' ' | '-' | '.' | '/' | '(' | ')');
    let digits: String = rest.chars().filter(|c| !is_filler(*c)).collect();
    let is_number = DIGITS.contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| format!("{plus}{digits}"))
}

#[cfg(test)]
mod tests {
    use super::Identifier;

    #[test]
    fn normalises_different_spellings_to_one_identifier() {
        let normalised =
            |text: &str| Identifier::parse(text).map(|identifier| identifier.as_str().to_owned());
        for text in [
            "+49 (30) 555-0100",
            "+49305550100",
            "0049 30 555.0100 ",
            "\u{202a}+49 30 5550100\u{202c}",
            "tel:+49-30-555\u{2011}0100",
            "TEL:+49305550100;ext=1",
            "+৪৯ ৩০ ৫৫৫০১০০",
            "＋４９３０５５５０１００",
        ] {
            assert_eq!(normalised(text).as_deref(), Some("+49305550100"), "{text}");
        }
        for text in [
            "Noor@Larkspur.Example",
            " noor@larkspur.example ",
            "mailto:noor@larkspur.example?subject=a",
            "ｎｏｏｒ@larkspur.example",
            "noor@lark\u{ad}spur.example\u{200b}",
        ] {
            assert_eq!(normalised(text).as_deref(), Some("noor@larkspur.example"), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_identifiers() {
        for text in [
            "",
            " ",
            "@",
            "a@",
            "@b",
            "a@b@c",
            "a b@c",
            "12",
            "+1234567890123456",
            "abc",
            "+49",
            "a@b..c",
            "a@b.",
            "\u{200b}",
        ] {
            assert_eq!(Identifier::parse(text), None, "{text}");
        }
        assert_eq!(Identifier::parse(&"1".repeat(10_000)), None);
        assert_eq!(Identifier::parse("a@b\u{0}"), None);
    }

    /// The rider app checks the same cases.
    #[test]
    fn reads_what_phones_paste() {
        let cases = include_str!("../../../../testdata/identifiers.json");
        let cases: serde_json::Value = serde_json::from_str(cases).expect("cases");
        let of = |name: &str| cases[name].as_array().expect("a list").clone();
        for case in of("identifiers") {
            let text = case[0].as_str().expect("a text");
            let identifier = Identifier::parse(text);
            let actual = identifier.as_ref().map(Identifier::as_str);
            assert_eq!(actual, case[1].as_str(), "{text:?}");
        }
        for case in of("codes") {
            let text = case[0].as_str().expect("a text");
            assert_eq!(super::super::typed_code(text).as_deref(), case[1].as_str(), "{text:?}");
        }
    }
}

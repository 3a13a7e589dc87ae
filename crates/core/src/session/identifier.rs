//! Identifiers for signing in: a phone number or an e-mail address, in the normal form in which it
//! is stored and looked up.

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
    /// Parses and normalises an identifier; `None` if it is neither an e-mail address nor a phone
    /// number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || text.chars().count() > CHARS_MAX || text.chars().any(char::is_control)
        {
            return None;
        }
        match text.split_once('@') {
            Some((local, domain)) => {
                let is_address = !local.is_empty() && !domain.is_empty() && !domain.contains('@');
                (is_address && !text.contains(char::is_whitespace))
                    .then(|| Self::Email(text.to_lowercase()))
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

fn phone(text: &str) -> Option<String> {
    // "00" before a country code is another way to write "+".
    let (plus, rest) = match (text.strip_prefix('+'), text.strip_prefix("00")) {
        (Some(rest), _) | (None, Some(rest)) => ("+", rest),
        (None, None) => ("", text),
    };
    let is_filler = |c: char| c.is_whitespace() || matches!(c, '-' | '.' | '/' | '(' | ')');
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
        for text in ["+49 (30) 555-0100", "+49305550100", "0049 30 555.0100 "] {
            assert_eq!(normalised(text).as_deref(), Some("+49305550100"), "{text}");
        }
        for text in ["Noor@Larkspur.Example", " noor@larkspur.example "] {
            assert_eq!(normalised(text).as_deref(), Some("noor@larkspur.example"), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_identifiers() {
        for text in ["", " ", "@", "a@", "@b", "a@b@c", "a b@c", "12", "+1234567890123456", "abc"] {
            assert_eq!(Identifier::parse(text), None, "{text}");
        }
        assert_eq!(Identifier::parse(&"1".repeat(10_000)), None);
        assert_eq!(Identifier::parse("a@b\u{0}"), None);
    }
}

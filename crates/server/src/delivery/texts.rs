//! The words of the message that brings a code.

use musette_core::terms::language_ranges;

pub struct CodeText {
    pub subject: fn(&str) -> String,
    pub body: fn(&str) -> String,
    /// The subject of a message that only shows that messages arrive.
    pub test_subject: &'static str,
    pub test_body: &'static str,
}

const EN: CodeText = CodeText {
    subject: |code| format!("{code} is your sign-in code"),
    body: |code| {
        format!(
            "Your code is {code}\n\nIt works once and for 10 minutes. Nobody from us will ever ask you for it.\nIf you did not ask for a code, you can ignore this message.\n"
        )
    },
    test_subject: "Test message",
    test_body: "This is a test. One-time codes reach people this way.\n",
};
const DE: CodeText = CodeText {
    subject: |code| format!("{code} ist dein Anmeldecode"),
    body: |code| {
        format!(
            "Dein Code ist {code}\n\nEr gilt einmal und 10 Minuten lang. Niemand von uns wird dich je danach fragen.\nWenn du keinen Code angefordert hast, kannst du diese Nachricht ignorieren.\n"
        )
    },
    test_subject: "Testnachricht",
    test_body: "Das ist ein Test. Auf diesem Weg kommen Anmeldecodes an.\n",
};
const AR: CodeText = CodeText {
    subject: |code| format!("{code} هو رمز تسجيل الدخول"),
    body: |code| {
        format!(
            "رمزك هو {code}\n\nيصلح مرة واحدة ولمدة 10 دقائق. لن يطلبه منك أحد من فريقنا أبدًا.\nإذا لم تطلب رمزًا فتجاهل هذه الرسالة.\n"
        )
    },
    test_subject: "رسالة تجريبية",
    test_body: "هذه رسالة تجريبية. تصل رموز تسجيل الدخول بهذه الطريقة.\n",
};

/// In the first language of theirs that we have; English else.
pub fn of(accept_language: &str) -> &'static CodeText {
    let found = language_ranges(accept_language).into_iter().find_map(|range| {
        match range.split('-').next()?.to_ascii_lowercase().as_str() {
            "en" => Some(&EN),
            "de" => Some(&DE),
            "ar" => Some(&AR),
            _ => None,
        }
    });
    found.unwrap_or(&EN)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn the_first_language_that_we_have_is_taken() {
        let subject = |languages: &str| (of(languages).subject)("123456");
        assert!(subject("fr, de-AT;q=0.9, en;q=0.8").contains("Anmeldecode"));
        assert!(subject("ar-EG").contains("رمز"));
        assert!(subject("").contains("sign-in code"));
        assert!((of("de").body)("123456").contains("123456"));
    }
}

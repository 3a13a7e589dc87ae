//! Placeholders in the texts of a campaign.

/// The values of the placeholders of one message.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// `{{name}}`: name of the person; empty if it is unknown.
    pub name: &'a str,
    /// `{{title}}`: title of the term in the language of the text.
    pub title: &'a str,
    /// `{{link}}`: address of the page of the term.
    pub link: &'a str,
    /// `{{deadline}}`: the day until which the person should decide.
    pub deadline: &'a str,
}

impl<'a> Values<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        match name {
            "name" => Some(self.name),
            "title" => Some(self.title),
            "link" => Some(self.link),
            "deadline" => Some(self.deadline),
            _ => None,
        }
    }
}

/// The parts of a text: literal text, and the content of each pair of braces. A pair that is not
/// closed contains the rest.
fn parts(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let current = rest?;
        let Some((literal, after)) = current.split_once("{{") else {
            rest = None;
            return Some((current, None));
        };
        let (name, next) = after.split_once("}}").unwrap_or((after, ""));
        rest = Some(next);
        Some((literal, Some(name)))
    })
}

/// Returns the first placeholder that does not exist.
pub fn unknown_placeholder(text: &str) -> Option<&str> {
    let blank = Values { name: "", title: "", link: "", deadline: "" };
    parts(text).filter_map(|(_, name)| name).find(|name| blank.get(name).is_none())
}

/// Replaces the placeholders. Placeholders inside of a value are not replaced.
///
/// Values lose line breaks and other control characters, which would add headers to an e-mail, and
/// the marks of Unicode that change the direction of the following text.
pub fn fill(text: &str, values: Values<'_>) -> String {
    let mut filled = String::with_capacity(text.len());
    for (literal, name) in parts(text) {
        filled.push_str(literal);
        let value = name.and_then(|name| values.get(name)).unwrap_or_default();
        filled.extend(value.chars().filter_map(|c| match c {
            c if c.is_control() => Some(' '),
            '\u{2028}' | '\u{2029}' => Some(' '),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
            c => Some(c),
        }));
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::{Values, fill, unknown_placeholder};

    const VALUES: Values<'_> = Values {
        name: "Ada",
        title: "Terms of work",
        link: "https://terms.example/terms",
        deadline: "31 January 2027",
    };

    #[test]
    fn replaces_each_placeholder() {
        let text = "{{name}}: read {{title}} until {{deadline}} at {{link}}, {{name}}.";
        let expected =
            "Ada: read Terms of work until 31 January 2027 at https://terms.example/terms, Ada.";
        assert_eq!(fill(text, VALUES), expected);
        assert_eq!(fill("{ {name} }", VALUES), "{ {name} }");
        assert_eq!(fill("", VALUES), "");
    }

    #[test]
    fn reports_placeholders_that_do_not_exist() {
        for (text, unknown) in [
            ("{{name}} {{title}} {{link}} {{deadline}}", None),
            ("{name}", None),
            ("{{ name }}", Some(" name ")),
            ("{{Name}}", Some("Name")),
            ("{{name}} {{token}}", Some("token")),
            ("{{}}", Some("")),
            ("{{nam", Some("nam")),
            ("{{{name}}}", Some("{name")),
        ] {
            assert_eq!(unknown_placeholder(text), unknown, "{text}");
        }
    }

    #[test]
    fn does_not_replace_placeholders_in_values() {
        let values = Values { name: "{{link}}", ..VALUES };
        assert_eq!(fill("Dear {{name}}", values), "Dear {{link}}");
    }

    #[test]
    fn removes_line_breaks_and_direction_marks_from_values() {
        let values = Values { name: "Eve\r\nBcc: all@x.example\u{2028}\u{202e}txt", ..VALUES };
        assert_eq!(fill("{{name}}", values), "Eve  Bcc: all@x.example txt");
    }
}

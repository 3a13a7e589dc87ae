//! Texts in HTML.

use std::fmt::Display;

pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            char => out.push(char),
        }
    }
    out
}

/// Isolates a text of any direction from the text around it.
pub(super) fn isolated(text: impl Display) -> String {
    format!("<bdi>{}</bdi>", escaped(&text.to_string()))
}

pub(super) fn isolated_text(text: &str) -> String {
    isolated(text)
}

pub(super) fn code(text: &str) -> String {
    format!("<code dir=\"ltr\">{}</code>", escaped(text))
}

pub(super) fn link(path: &str, label: &str) -> String {
    format!("<a href=\"{}\" data-path=\"{0}\">{}</a>", escaped(path), escaped(label))
}

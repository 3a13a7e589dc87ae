//! Texts in HTML.

use std::fmt::{Arguments, Display, Write as _};

use crate::evidence::case::texts::CaseTexts;

/// Appends to a page; writing to a string cannot fail.
pub(super) fn put(out: &mut String, text: Arguments<'_>) {
    let _ = out.write_fmt(text);
}

/// Returns a whole document.
pub(super) fn document(
    texts: &CaseTexts,
    csp: &str,
    title: &str,
    style: &str,
    body: &str,
) -> String {
    let dir = if texts.rtl { "rtl" } else { "ltr" };
    format!(
        "<!doctype html>\n<html lang=\"{tag}\" dir=\"{dir}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{csp}\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        tag = texts.tag,
        title = escaped(title),
    )
}

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

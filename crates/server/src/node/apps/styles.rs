//! The style sheet of the rider app, inlined into pages that must be usable soon. It then arrives
//! while the browser waits for the scripts, and does not share the bandwidth with them.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::{INDEX, Rider};

const LINK: &str = r#"<link rel="stylesheet" "#;

/// None if the application is not built into this binary.
pub static STYLES: LazyLock<Option<Styles>> = LazyLock::new(|| {
    let page = Rider::get(INDEX)?.data;
    Styles::of(std::str::from_utf8(&page).ok()?, |name| {
        String::from_utf8(Rider::get(name)?.data.into_owned()).ok()
    })
});

pub struct Styles {
    link: String,
    element: String,
    /// The source that `style-src` in the policy of the page must allow (CSP 3 §2.3.1).
    pub source: String,
}

impl Styles {
    /// Returns the styles. None if the page has no link to a style sheet, or if the sheet could end
    /// its element.
    fn of(page: &str, read: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let (_, rest) = page.split_once(LINK)?;
        let (attributes, _) = rest.split_once('>')?;
        let (_, name) = attributes.split_once("href=\"/")?;
        let css = read(name.split_once('"')?.0)?;
        let hash = STANDARD.encode(Sha256::digest(&css));
        (!css.contains("</")).then(|| Self {
            link: format!("{LINK}{attributes}>"),
            element: format!("<style>{css}</style>"),
            source: format!("'sha256-{hash}'"),
        })
    }

    /// Adds the sheet to the end of `head`, after everything that the head requests, and disables
    /// its link. A browser does not fetch a disabled link. The script loads sheets that have no
    /// link, so the link must remain.
    pub fn written_into(&self, head: &str) -> String {
        let disabled = self.link.replacen("<link ", "<link disabled ", 1);
        head.replacen(&self.link, &disabled, 1) + &self.element
    }
}

#[cfg(test)]
mod tests {
    use super::Styles;

    const HEAD: &str = concat!(
        r#"<script src="/a.js"></script><link rel="stylesheet" crossorigin href="/assets/a.css">"#,
        r#"<link rel="modulepreload" href="/b.js">"#,
    );

    fn styles(css: &str) -> Option<Styles> {
        Styles::of(HEAD, |name| (name == "assets/a.css").then(|| css.to_owned()))
    }

    #[test]
    fn puts_the_sheet_at_the_end_and_disables_its_link() {
        let styles = styles("a{b:c}").expect("a sheet");
        let head = styles.written_into(HEAD);
        assert!(head.ends_with(r#"href="/b.js"><style>a{b:c}</style>"#), "{head}");
        let link = r#"<link disabled rel="stylesheet" crossorigin href="/assets/a.css">"#;
        assert!(head.contains(link), "{head}");
        // echo -n 'a{b:c}' | openssl dgst -sha256 -binary | base64
        assert_eq!(styles.source, "'sha256-0cRUVYRKwNwnl1hkfkPGjkht16b039TjFdJzmXfFK2o='");
    }

    #[test]
    fn does_not_inline_a_sheet_that_could_end_its_element() {
        assert!(styles("a{content:'</style>'}").is_none());
    }
}

//! The style sheet of the rider app, written into a page that must be usable soon: it then comes during the
//! latency of the scripts, and not on the line together with them.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::{INDEX, Rider};

const LINK: &str = r#"<link rel="stylesheet" "#;

/// None where the application was not built into this binary.
pub static STYLES: LazyLock<Option<Styles>> = LazyLock::new(|| {
    let page = Rider::get(INDEX)?.data;
    Styles::of(std::str::from_utf8(&page).ok()?, |name| {
        String::from_utf8(Rider::get(name)?.data.into_owned()).ok()
    })
});

pub struct Styles {
    link: String,
    element: String,
    /// What `style-src` of the page's policy has to allow (CSP 3 §2.3.1).
    pub source: String,
}

impl Styles {
    /// None where the page has no link to a style sheet, or one that could end its element.
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

    /// Writes the sheet at the end of `head`, behind all that it asks for, and disables its link: a browser does
    /// not fetch what that names, and the script, which loads the sheets that it does not find, finds it.
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
    fn the_sheet_stands_behind_what_is_asked_for_and_its_link_is_disabled() {
        let styles = styles("a{b:c}").expect("a sheet");
        let head = styles.written_into(HEAD);
        assert!(head.ends_with(r#"href="/b.js"><style>a{b:c}</style>"#), "{head}");
        let link = r#"<link disabled rel="stylesheet" crossorigin href="/assets/a.css">"#;
        assert!(head.contains(link), "{head}");
        // echo -n 'a{b:c}' | openssl dgst -sha256 -binary | base64
        assert_eq!(styles.source, "'sha256-0cRUVYRKwNwnl1hkfkPGjkht16b039TjFdJzmXfFK2o='");
    }

    #[test]
    fn a_sheet_that_could_end_its_element_stays_a_file() {
        assert!(styles("a{content:'</style>'}").is_none());
    }
}

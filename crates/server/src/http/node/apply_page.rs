//! The page `/apply` with embedded public terms, markets and styles. A phone saves the round trip
//! for the terms, and has the styles before the scripts.

use axum::http::{HeaderMap, header};
use bytes::Bytes;
use flate2::Compression;
use musette_core::terms::TermType;

use crate::http::layers::origin::origin;
use crate::http::markets::public::OfferedMarkets;
use crate::node::app::App;
use crate::node::apps::styles::STYLES;
use crate::node::apps::{INDEX, LANGUAGES, Rider, RiderPage, gzip};
use crate::platform::etag;

/// The types of terms that the page requests.
const TYPES: [&str; 2] = ["FREELANCER", "MARKETING"];
/// The compression level: from 44 kB to 10 kB. The fastest level results in 15 kB; the best level
/// takes ten times longer for 2 % less.
const LEVEL: Compression = Compression::new(5);

/// Returns the page with the terms embedded. None if the plain page must do: the app then requests
/// the terms itself.
pub fn with_terms(app: &App, headers: &HeaderMap) -> Option<RiderPage> {
    let language = first_language(headers)?;
    let origin = origin(&app.settings, headers).ok()?;
    if app.flags_only {
        return None;
    }
    let page = match &app.rider_page {
        Some(page) => page.plain.clone(),
        None => Bytes::from(Rider::get(INDEX)?.data.into_owned()),
    };
    let types = TYPES.into_iter().map(TermType::parse).collect::<Option<Vec<_>>>()?;
    let live = app.live.load();
    let now = app.now();
    let markets = OfferedMarkets::of(&live, &types, now);
    let markets = serde_json::to_vec(&markets).ok()?;
    let terms = live.rendered_terms.get(&live.catalog, types, None, language.clone(), origin, now);
    let blocks = [("musette-terms", &terms.body[..]), ("musette-markets", &markets)];
    let plain = filled(std::str::from_utf8(&page).ok()?, blocks, &language)?;
    Some(RiderPage {
        etag: etag::of_bytes(plain.as_bytes()),
        gzip: gzip(plain.as_bytes(), LEVEL).ok()?.into(),
        plain: plain.into(),
    })
}

/// Embeds the blocks. None if the page has no head or no body.
fn filled(page: &str, blocks: [(&str, &[u8]); 2], language: &str) -> Option<String> {
    let (head, rest) = page.split_once("</head>")?;
    let (body, end) = rest.rsplit_once("</body>")?;
    let files = LANGUAGES.get(language).map(Vec::as_slice).unwrap_or_default();
    let preload = |file| format!(r#"<link rel="modulepreload" crossorigin href="/{file}">"#);
    let preloads = files.iter().map(preload).collect::<Vec<_>>().concat();
    let mut head = format!("{head}{preloads}");
    if let Some(styles) = &*STYLES {
        head = styles.written_into(&head);
    }
    let mut filled = format!("{head}</head>{body}");
    for (id, json) in blocks {
        // In JSON, `<` occurs in strings only. A title that contains it must not end the element.
        let json = std::str::from_utf8(json).ok()?.replace('<', r"\u003c");
        filled += &format!(
            r#"<script type="application/json" id="{id}" lang="{language}">{json}</script>"#
        );
    }
    Some(filled + "</body>" + end)
}

/// Returns the primary subtag of the first language in `Accept-Language`. Browsers list the
/// preferred language first.
fn first_language(headers: &HeaderMap) -> Option<String> {
    let accepted = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    let subtag = accepted.split([',', ';', '-']).next()?.trim().to_ascii_lowercase();
    let is_subtag =
        matches!(subtag.len(), 2 | 3) && subtag.bytes().all(|byte| byte.is_ascii_lowercase());
    is_subtag.then_some(subtag)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn escapes_a_title_that_would_end_its_element() {
        let terms = br#"[{"title":"</script><script>alert(1)</script><!--"}]"#;
        let page = "<html><head></head><body><div></div></body></html>";
        let blocks = [("terms", &terms[..]), ("markets", b"{}")];
        let filled = filled(page, blocks, "en").expect("a page");
        assert_eq!(filled.matches("</script").count(), 2, "{filled}");
        assert!(!filled.contains("<!--"), "{filled}");
        let (_, json) = filled.split_once(r#"lang="en">"#).expect("a block");
        let (json, _) = json.split_once("</script>").expect("its end");
        let read: serde_json::Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(read, serde_json::from_slice::<serde_json::Value>(terms).expect("JSON"));
    }

    #[test]
    fn uses_the_first_valid_language_or_none() {
        let of = |accept: &'static str| {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accept))]);
            first_language(&headers)
        };
        assert_eq!(of("de-AT,de;q=0.9,en;q=0.8").as_deref(), Some("de"));
        assert_eq!(of("AR").as_deref(), Some("ar"));
        for none in ["*", "", "\"><script>", "x-private", "english"] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(first_language(&HeaderMap::new()), None);
    }
}

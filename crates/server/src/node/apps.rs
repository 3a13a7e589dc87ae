//! The web applications, which are built into the binary, and the page of the rider app with its
//! flag key.

pub mod file_cache;
pub mod styles;

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::LazyLock;

use axum::http::HeaderValue;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use crate::platform::etag;
use crate::settings::HttpSettings;

pub const INDEX: &str = "index.html";

#[derive(RustEmbed)]
#[folder = "../../apps/rider/dist"]
pub struct Rider;

#[derive(RustEmbed)]
#[folder = "../../apps/console/dist"]
pub struct Console;

/// The folder whose files have a hash of their content in their name.
pub const HASHED: &str = "assets/";
pub const RIDER: &str = "rider";
pub const CONSOLE: &str = "console";

/// Returns the hashed files of this version, without their compressed variants.
pub fn hashed_files() -> Vec<file_cache::CurrentFile<'static>> {
    fn of<App: RustEmbed>(
        app: &'static str,
    ) -> impl Iterator<Item = file_cache::CurrentFile<'static>> {
        App::iter().filter_map(move |path| {
            let name = path.strip_prefix(HASHED)?;
            let is_compressed = name.ends_with(".br") || name.ends_with(".gz");
            let data = App::get(&path)?.data;
            (!is_compressed).then(|| (app, name.to_owned(), data))
        })
    }
    of::<Rider>(RIDER).chain(of::<Console>(CONSOLE)).collect()
}

/// The files of each language of the rider app except English, as listed by its build.
pub static LANGUAGES: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let file = Rider::get("languages.json");
    file.and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default()
});

pub fn gzip(bytes: &[u8], level: Compression) -> std::io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), level);
    gzip.write_all(bytes)?;
    gzip.finish()
}

/// The index page of the rider app with a `<meta>` element for each setting that the app needs.
/// Created once, at the start.
pub struct RiderPage {
    pub plain: Bytes,
    pub gzip: Bytes,
    pub etag: HeaderValue,
}

impl RiderPage {
    /// Returns the page. None if no setting is set, or if the application is not built into this
    /// binary.
    pub fn with_settings(settings: &HttpSettings) -> Option<Self> {
        let elements = elements(settings);
        if elements.is_empty() {
            return None;
        }
        Self::new(&Rider::get(INDEX)?.data, &elements)
    }

    /// Returns the page. None if it has no `head` element.
    fn new(page: &[u8], elements: &str) -> Option<Self> {
        let (before, after) = std::str::from_utf8(page).ok()?.split_once("</head>")?;
        let plain = format!("{before}{elements}</head>{after}").into_bytes();
        Some(Self {
            etag: etag::of_bytes(&plain),
            gzip: gzip(&plain, Compression::best()).ok()?.into(),
            plain: plain.into(),
        })
    }
}

/// Returns the `<meta>` elements of the settings.
fn elements(settings: &HttpSettings) -> String {
    let company = &settings.company;
    let contents = [
        ("flag-key", settings.flag_key.as_deref()),
        ("company-name", company.name.as_deref()),
        ("company-logo", company.logo.as_ref().map(|logo| logo.path.as_str())),
    ];
    let element = |(name, content): (&str, Option<&str>)| {
        let content = content?.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        Some(format!(r#"<meta name="musette-{name}" content="{content}">"#))
    };
    contents.into_iter().filter_map(element).collect()
}

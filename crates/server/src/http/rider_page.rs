//! The page of the rider app, with what this installation has to tell it.

use std::io::Write as _;

use axum::http::HeaderValue;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::random;

/// Made once, at the start.
pub struct RiderPage {
    pub plain: Bytes,
    pub gzip: Bytes,
    pub etag: HeaderValue,
}

impl RiderPage {
    /// `page` as it was built; none when it has no head.
    pub fn new(page: &[u8], flag_key: &str) -> Option<Self> {
        let (before, after) = std::str::from_utf8(page).ok()?.split_once("</head>")?;
        let meta = format!(r#"<meta name="musette-flag-key" content="{flag_key}">"#);
        let plain = format!("{before}{meta}</head>{after}").into_bytes();
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&plain).ok()?;
        let etag = format!("\"{}\"", &random::sha256_hex(&plain)[..32]);
        Some(Self {
            gzip: gzip.finish().ok()?.into(),
            plain: plain.into(),
            etag: HeaderValue::try_from(etag).ok()?,
        })
    }
}

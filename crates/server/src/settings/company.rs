//! The settings `--company-name` and `--company-logo`.

use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use clap::Args;
use sha2::{Digest as _, Sha256};

/// Every visitor of the rider app loads the logo.
const LOGO_BYTES_MAX: usize = 100 * 1024;
const NAME_CHARS_MAX: usize = 60;

/// The company that the rider app, certificates and e-mails show.
#[derive(Debug, Clone, Args)]
pub struct CompanyArgs {
    /// Name of the company, shown by the rider app, on certificates and in e-mails
    #[arg(long, env = "MUSETTE_COMPANY_NAME", value_name = "NAME", value_parser = name)]
    pub company_name: Option<String>,
    /// Logo of the company, shown by the rider app: a PNG, SVG or WebP of at most 100 KiB
    #[arg(long, env = "MUSETTE_COMPANY_LOGO", value_name = "FILE")]
    pub company_logo: Option<PathBuf>,
}

#[derive(Debug, Clone, Default)]
pub struct Company {
    pub name: Option<String>,
    pub logo: Option<Logo>,
}

#[derive(Debug, Clone)]
pub struct Logo {
    /// The path of its URL, which contains a hash: another logo has another URL.
    pub path: String,
    pub media_type: &'static str,
    pub bytes: Bytes,
}

impl CompanyArgs {
    /// Reads the logo.
    ///
    /// # Errors
    ///
    /// When the logo cannot be read, is too large, or is not an image of a supported type.
    pub fn load(&self) -> Result<Company, String> {
        let logo = self.company_logo.as_deref().map(Logo::read).transpose()?;
        Ok(Company { name: self.company_name.clone(), logo })
    }
}

impl Logo {
    fn read(path: &Path) -> Result<Self, String> {
        let error = |why: String| format!("--company-logo: {}: {why}", path.display());
        let bytes = fs::read(path).map_err(|why| error(why.to_string()))?;
        Self::new(bytes).map_err(|why| error(why.to_owned()))
    }

    fn new(bytes: Vec<u8>) -> Result<Self, &'static str> {
        if bytes.len() > LOGO_BYTES_MAX {
            return Err("it is larger than 100 KiB");
        }
        let (media_type, extension) = image_type(&bytes).ok_or("it is not a PNG, SVG or WebP")?;
        let hash = hex::encode(&Sha256::digest(&bytes)[..8]);
        Ok(Self { path: format!("/company/{hash}.{extension}"), media_type, bytes: bytes.into() })
    }
}

/// Returns the media type and the file name extension of an image.
fn image_type(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(("image/png", "png"));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some(("image/webp", "webp"));
    }
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}').trim_start();
    (text.starts_with('<') && text.contains("<svg")).then_some(("image/svg+xml", "svg"))
}

fn name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let fits = (1..=NAME_CHARS_MAX).contains(&name.chars().count());
    (fits && !name.chars().any(char::is_control))
        .then(|| name.to_owned())
        .ok_or_else(|| "it must have 1 to 60 characters".into())
}

#[cfg(test)]
mod tests {
    use super::{LOGO_BYTES_MAX, Logo, name};

    #[test]
    fn recognizes_the_type_of_a_logo_by_its_content() {
        let kind = |bytes: &[u8]| Logo::new(bytes.to_vec()).map(|logo| logo.media_type);
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n..."), Ok("image/png"));
        assert_eq!(kind(b"RIFF....WEBPVP8 "), Ok("image/webp"));
        assert_eq!(kind(b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<svg/>"), Ok("image/svg+xml"));
        assert!(kind(b"<html></html>").is_err());
        assert!(kind(b"GIF89a").is_err());
        assert!(kind(&[b"<svg>".to_vec(), vec![b' '; LOGO_BYTES_MAX]].concat()).is_err());
    }

    #[test]
    fn refuses_a_name_without_text_or_with_line_breaks() {
        assert_eq!(name(" Larkspur Couriers "), Ok("Larkspur Couriers".to_owned()));
        assert!(name("  ").is_err());
        assert!(name("Larkspur\r\nBcc: other").is_err());
        assert!(name(&"L".repeat(61)).is_err());
    }
}

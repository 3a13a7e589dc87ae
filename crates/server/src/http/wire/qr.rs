//! QR codes as SVG paths.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};
use serde::Serialize;

/// A QR code.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct QrBody {
    /// The number of modules per side. A QR reader needs a white margin of 4 modules around it.
    #[schema(minimum = 21)]
    size: i32,
    /// The dark modules: the `d` attribute of an SVG path, one unit per module.
    path: String,
}

impl QrBody {
    /// Encodes a text. `None` if it is too long. Draws each horizontal run of dark modules as one rectangle.
    pub fn of(text: &str) -> Option<Self> {
        let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
        let mut path = String::new();
        for y in 0..code.size() {
            let mut x = 0;
            while x < code.size() {
                let run = (x..code.size()).take_while(|x| code.get_module(*x, y)).count();
                let run = i32::try_from(run).ok()?;
                if run > 0 {
                    // Writing to a string cannot fail.
                    let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
                }
                x += run + 1;
            }
        }
        Some(Self { size: code.size(), path })
    }
}
